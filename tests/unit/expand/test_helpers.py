"""Locks inside helper functions: in place, in clones where calls disagree, and copied in from sibling files."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest
from expand_kernels import HEAD, codes, expanded, lowered, vector_kernel
from expand_replay import Replay
from test_locks import shorten

MIXED = (
    HEAD
    + """

def put(dst, src):
    pl.move(dst, src)


@pl.jit(auto_mutex=True)
def k(x: pl.Tensor[[D, 64], pl.DT_FP16], y: pl.Tensor[[D, 64], pl.DT_FP32]):
    L1 = pl.TileType(shape=[64, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Mat)
    L0A = pl.TileType(shape=[64, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Left)
    L0B = pl.TileType(shape=[64, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Right)
    L0C = pl.TileType(shape=[64, 64], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Acc)
    UB = pl.TileType(shape=[64, 64], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Vec)
    l1 = pl.make_tile_group(type=L1, addrs=0, mutex_ids=[0, 1])
    l0a = pl.make_tile_group(type=L0A, addrs=0, mutex_ids=[2, 3])
    l0b = pl.make_tile_group(type=L0B, addrs=0, mutex_ids=[4, 5])
    l0c = pl.make_tile_group(type=L0C, addrs=0, mutex_ids=[6, 7])
    ub = pl.make_tile_group(type=UB, addrs=0, mutex_ids=[8, 9])
    with pl.section_cube():
        a = l1.next()
        pl.load(a, x, [0, 0])
        left = l0a.next()
        right = l0b.next()
        put(left, a)
        put(right, a)
        c = l0c.next()
        pl.matmul(c, left, right)
        put(ub.next(), c)
"""
)


def test_a_helper_gets_its_locks_in_place() -> None:
    text = vector_kernel(
        "t = a.next()\npl.load(t, x, [0, 0])\ndouble(t)\ndouble(b.next())\npl.store(y, b.current(), [0, 0])",
        before="def double(t):\n    pl.muls(t, t, 2.0)",
    )
    result = shorten(expanded(text).text)
    assert "def double(t):\n    L V tile=t\n    pl.muls(t, t, 2.0)\n    U V tile=t\n" in result
    assert result.count("def double") == 1
    assert "_pl_" not in result


def test_calls_on_other_pipes_get_a_clone() -> None:
    result = shorten(expanded(MIXED).text)
    assert "def put(dst, src):\n    L MTE1 tile=dst\n    L MTE1 tile=src\n    pl.move(dst, src)\n" in result
    assert (
        "# put again, with other locks\ndef _pl_put_1(dst, src):\n    L FIX tile=src\n    pl.move(dst, src)\n    U FIX tile=src\n"
        in result
    )
    assert "        put(left, a)\n        put(right, a)\n" in result
    assert "        _pl_put_1(ub.next(), c)\n" in result
    kernel = lowered(expanded(MIXED).text)
    assert kernel.cube is not None
    Replay(lambda kind: 1).run(kernel.cube)


def test_an_unrolled_loop_over_tiles_of_different_memories() -> None:
    text = MIXED.replace("put(ub.next(), c)", "for dst, src in ((left, a), (ub[0], c)):\n            pl.move(dst, src)")
    assert codes(text) == ["PTO1508"]


def test_calls_with_tiles_that_coincide_get_a_clone() -> None:
    text = vector_kernel(
        """
        for i in pl.range(0, n):
            t = a.next()
            u = b.next()
            pl.load(t, x, [0, 0])
            scale(u, t)
            scale(t, u)
            scale(t, t)
            pl.store(y, t, [0, 0])
            pl.store(y, u, [0, 0])
        """,
        before="def scale(out, t):\n    pl.muls(out, t, 2.0)",
    )
    result = shorten(expanded(text).text)
    assert "def scale(out, t):\n    L V tile=out\n    L V tile=t\n    pl.muls(out, t, 2.0)\n" in result
    assert "def _pl_scale_1(out, t):\n    L V tile=out\n    pl.muls(out, t, 2.0)\n    U V tile=out\n" in result
    assert "scale(u, t)\n            scale(t, u)\n            _pl_scale_1(t, t)\n" in result
    kernel = lowered(expanded(text).text)
    assert kernel.vector is not None
    Replay(lambda kind: 3).run(kernel.vector)


def test_a_clone_of_the_caller_calls_the_clone_of_the_callee() -> None:
    text = MIXED.replace("put(", "outer(").replace(
        "def outer(dst, src):\n    pl.move(dst, src)",
        "def outer(dst, src):\n    put(dst, src)\n\n\ndef put(dst, src):\n    pl.move(dst, src)",
    )
    result = shorten(expanded(text).text)
    assert "def _pl_outer_1(dst, src):\n    _pl_put_1(dst, src)\n" in result
    assert "        outer(left, a)\n" in result and "        _pl_outer_1(ub.next(), c)\n" in result


def test_a_tensor_in_one_call_and_a_tile_in_the_other() -> None:
    text = vector_kernel(
        "t = a.next()\npl.load(t, x, [0, 0])\nv = first(t)\nw = first(x)\npl.muls(t, t, v + w)",
        before="def first(t):\n    return t[0, 0]",
    )
    result = shorten(expanded(text).text)
    locked = "    L S tile=t\n    _pl_value_0 = t[0, 0]\n    U S tile=t\n    return _pl_value_0\n"
    assert "def first(t):\n    return t[0, 0]\n" in result
    assert f"def _pl_first_1(t):\n{locked}" in result
    assert "v = _pl_first_1(t)" in result and "w = first(x)" in result


def test_a_helper_that_another_kernel_uses_keeps_its_text() -> None:
    text = vector_kernel(
        "t = a.next()\npl.load(t, x, [0, 0])\ndouble(t)", before="def double(t):\n    pl.muls(t, t, 2.0)"
    )
    other = text.split("@pl.jit")[1].replace("def k(", "def other(")
    result = shorten(expanded(text + "\n\n@pl.jit" + other).text)
    assert "def double(t):\n    pl.muls(t, t, 2.0)\n" in result
    assert "def _pl_double_1(t):\n    L V tile=t\n" in result
    assert "        _pl_double_1(t)\n" in result and "        double(t)\n" in result


def test_ids_merged_into_a_declaration_that_a_helper_makes() -> None:
    text = vector_kernel(
        "t = a.next()\npl.load(t, x, [0, 0])\nc = make(0x0000)\nd = make(0x10000)\npl.exp(c[0], c[0])\npl.exp(d[0], d[0])\npl.store(y, d[0], [0, 0])",
        before="def make(at):\n    return pl.make_tile_group(\n        type=T32, addrs=at, mutex_ids=[6, 7]\n    )",
    ).replace(
        "D = pl.DYNAMIC\n",
        "D = pl.DYNAMIC\nT32 = pl.TileType(shape=[32, 64], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Vec)\n",
    )
    result = expanded(text).text
    kernel = lowered(result)
    groups = {
        s.decl.addrs[0]: s.decl.ids for s in kernel.vector.body if hasattr(s, "decl") and hasattr(s.decl, "addrs")
    }  # type: ignore[union-attr]
    assert set(groups[0x0000][0]) & {0} and set(groups[0x0000][1]) & {1}
    assert groups[0x10000] == ((6,), (7,))


def test_a_clone_is_named_where_the_author_has_the_name() -> None:
    assert codes(MIXED.replace("def put", "_pl_put_1 = 0\n\n\ndef put")) == ["PTO1506"]


def test_a_lambda_cannot_be_written_out() -> None:
    text = vector_kernel(
        "t = a.next()\npl.load(t, x, [0, 0])\ndouble(t)", before="double = lambda t: pl.muls(t, t, 2.0)"
    )
    assert codes(text) == ["PTO1509"]


def test_a_nested_function_is_edited_where_it_stands() -> None:
    text = vector_kernel(
        "def double(t):\n    pl.muls(t, t, 2.0)\n\nt = a.next()\npl.load(t, x, [0, 0])\ndouble(t)",
    )
    result = shorten(expanded(text).text)
    assert (
        "        def double(t):\n            L V tile=t\n            pl.muls(t, t, 2.0)\n            U V tile=t\n"
        in result
    )


# ----------------------------------------------------------------------------------------------------------------------
# Sibling files

SIBLING = '''\
"""Helpers."""

import pypto_pro.language as lang

FACTOR = 2.0


def offset(i):
    return i * 32


def scale(t):
    return t


def double(t, x, i):
    # twice as much
    lang.load(t, x, [offset(i), 0])
    lang.muls(t, t, FACTOR)
'''


@pytest.fixture
def files(tmp_path: Path) -> Path:
    (tmp_path / "tools.py").write_text(SIBLING)
    text = vector_kernel("t = a.next()\ndouble(t, x, 1)\npl.store(y, t, [0, 0])")
    (tmp_path / "k.py").write_text(text.replace("D = pl", "from tools import double\n\nD = pl"))
    return tmp_path


def test_a_helper_of_a_sibling_is_copied_in(files: Path) -> None:
    path = files / "k.py"
    text = expanded(path.read_text(), path=str(path)).text
    result = shorten(text)
    assert "# double from tools.py, with its locks\ndef _pl_double_1(t, x, i):\n    # twice as much\n" in result
    assert "    L MTE2 tile=t\n    pl.load(t, x, [_pl_tools_offset(i), 0])\n" in result
    assert "    pl.muls(t, t, _pl_tools_FACTOR)\n" in result
    assert "from tools import offset as _pl_tools_offset\n" in result
    assert "        _pl_double_1(t, x, 1)\n" in result
    kernel = lowered(text, path=str(path))
    assert kernel.vector is not None
    assert len(Replay(lambda kind: 1).run(kernel.vector).done) == 3


def test_a_sibling_that_needs_no_locks_is_left_alone(files: Path) -> None:
    path = files / "k.py"
    text = (
        path.read_text()
        .replace("import double", "import offset")
        .replace("double(t, x, 1)", "pl.load(t, x, [offset(n), 0])")
    )
    result = expanded(text, path=str(path)).text
    assert "_pl_" not in result


def test_lines_of_a_copy_come_from_the_sibling(files: Path) -> None:
    path = files / "k.py"
    expansion = expanded(path.read_text(), path=str(path))
    lines = expansion.text.split("\n")
    at = next(i for i, line in enumerate(lines) if "pl.muls(t, t, _pl_tools_FACTOR)" in line)
    assert expansion.line_map[at] == (
        str(files / "tools.py"),
        SIBLING.split("\n").index("    lang.muls(t, t, FACTOR)") + 1,
    )
    at = next(i for i, line in enumerate(lines) if "pl.store(" in line)
    assert expansion.line_map[at][0] == str(path)


def test_a_method_is_cloned_in_its_class() -> None:
    text = MIXED.replace(
        "def put(dst, src):\n    pl.move(dst, src)\n",
        "class Mover:\n    def put(self, dst, src):\n        pl.move(dst, src)\n\n\nMOVER = Mover()\n",
    ).replace("        put(", "        MOVER.put(")
    result = shorten(expanded(text).text)
    assert "    # put again, with other locks\n    def _pl_put_1(self, dst, src):\n        L FIX tile=src\n" in result
    assert "        MOVER.put(left, a)\n" in result and "        MOVER._pl_put_1(ub.next(), c)\n" in result
    lowered(expanded(text).text)


ROW = """
@pl.vector_function
def row(out, t, f):
    m = vf.create_mask()
    vf.store_align(out, vf.muls(vf.load_align(t, 0), f, m), m)
"""


def test_a_vector_function_is_locked_around_its_call() -> None:
    text = vector_kernel(
        "t = a.next()\npl.load(t, x, [0, 0])\nrow(b.next(), t[0:32, 0:64], 2.0)\npl.store(y, b.current(), [0, 0])",
        before=ROW,
    )
    result = shorten(expanded(text).text)
    assert ROW in result
    assert (
        "        _pl_tile_0 = b.next()\n        L V tile=_pl_tile_0\n        L V tile=t\n"
        "        row(_pl_tile_0, t[0:32, 0:64], 2.0)\n        U V tile=_pl_tile_0\n        U V tile=t\n" in result
    )


def test_generated_lines_say_what_a_vector_function_does() -> None:
    body = "t = a.next()\nu = b.next()\npl.load(t, x, [0, 0])\nrow(u, t, 2.0)\npl.store(y, u, [0, 0])"
    text = expanded(vector_kernel(body, before=ROW)).text
    assert "# lock: row writes u" in text and "# lock: row reads t" in text


def test_a_register_section_is_locked_around_it() -> None:
    text = vector_kernel(
        "t = a.next()\npl.load(t, x, [0, 0])\nwith pl.section_vf():\n    m = vf.create_mask()\n"
        "    vf.store_align(t, vf.exp(vf.load_align(t, 0), m), m)\npl.store(y, t, [0, 0])",
        before="from pypto_pro.language import vf",
    )
    result = shorten(expanded(text).text)
    assert "        L V tile=t\n        with pl.section_vf():\n" in result
    assert "vf.exp(vf.load_align(t, 0), m), m)\n        U V tile=t\n" in result


def test_slots_that_a_vector_function_picks_are_locked_by_number() -> None:
    before = """
@pl.vector_function
def double(g):
    t = g.next()
    m = vf.create_mask()
    r = vf.load_align(t, 0)
    vf.store_align(t, vf.add(r, r, m), m)
"""
    body = "pl.load(a[0], x, [0, 0])\npl.load(a[1], x, [0, 0])\nfor i in pl.range(4):\n    double(a)\npl.store(y, a[0], [0, 0])"
    result = shorten(expanded(vector_kernel(body, before=before)).text)
    assert "            L V mutex_id=0\n            L V mutex_id=1\n            double(a)\n" in result


def test_a_kernel_of_an_imported_factory_has_its_text_elsewhere(tmp_path: Path) -> None:
    text = vector_kernel("t = a.next()\npl.load(t, x, [0, 0])\npl.store(y, t, [0, 0])")
    head, kernel = text.split("@pl.jit", 1)
    (tmp_path / "factory.py").write_text(
        head + "def make():\n" + textwrap.indent("@pl.jit" + kernel, "    ") + "    return k\n"
    )
    path = tmp_path / "k.py"
    path.write_text("from factory import make\n\nk = make()\n")
    assert codes(path.read_text(), path=str(path)) == ["PTO1515"]
