"""Every diagnostic of lowering, with the kernel that causes it and the text that the caret stands under."""

from __future__ import annotations

import pytest
from lowering_kernels import codes, found_in, lower_text, source

from ptopro.diagnostics import Severity
from ptopro.diagnostics.catalogue import entries, simt, vector_functions
from ptopro.language.dtypes import FP32

# code, text under the caret, body of the kernel, module level
CASES: list[tuple[str, str, str, str]] = [
    ("PTO1050", "try:", "try:\n    pass\nexcept ValueError:\n    pass", ""),
    ("PTO1050", "import os", "import os", ""),
    ("PTO1050", "class C", "class C:\n    pass", ""),
    ("PTO1050", "global ROWS", "global ROWS", ""),
    ("PTO1050", "del n", "del n", ""),
    ("PTO1050", "raise", "raise ValueError", ""),
    ("PTO1050", "async def", "async def f():\n    pass", ""),
    ("PTO1051", "v: pl", "v: pl.DT_INT32", ""),
    ("PTO1052", "open(", "with open('f') as f:\n    pass", ""),
    ("PTO1052", "n", "with n:\n    pass", ""),
    ("PTO1053", "pl.section_cube()", "with pl.section_cube():\n    pass", ""),
    ("PTO1054", "ROWS % 64 == 0", "assert ROWS % 64 == 0, 'rows'", ""),
    ("PTO1055", "a.next(1)", "t = a.next(1)", ""),
    ("PTO1074", "pl.vf.add", "pl.vf.add(n, m)", ""),
    ("PTO1057", "range(5000)", "for i in range(5000):\n    pass", ""),
    ("PTO1059", "i, j", "for i, j in pl.range(3):\n    pass", ""),
    ("PTO1060", "pl.range(0, n, 0)", "for i in pl.range(0, n, 0):\n    pass", ""),
    ("PTO1061", "break", "if n > 0:\n    break", ""),
    ("PTO1061", "continue", "continue", ""),
    ("PTO1062", "f(v)", "f(n)", "def f(v):\n    return g(v)\ndef g(v):\n    return f(v)"),
    ("PTO1063", "f(n)", "v = f(n)", "def f(v):\n    if v > 0:\n        return 1"),
    ("PTO1063", "f(n)", "v = f(n) + 1", "def f(v):\n    if v > 0:\n        return 1\n    return"),
    ("PTO1065", "options", "pl.load(a.next(), x, **options)", "options = {}"),
    ("PTO1066", "other(x)", "other(x)", "@pl.jit\ndef other(x: pl.Tensor[[4], pl.DT_FP32]):\n    pass"),
    ("PTO1067", "pl.section_cube()", "pl.section_cube()", ""),
    ("PTO1068", "print(1)", "print(1)", ""),
    ("PTO1070", "pl.inline", "@pl.inline\ndef f(v):\n    return v", ""),
    ("PTO1072", "return n", "return n", ""),
    ("PTO1150", "n", "t = pl.TileType(shape=[n, 64], dtype=pl.DT_FP32)", ""),
    ("PTO1150", "n", "pl.load(a.next(), x, [0, 0], order=[n, 0])", ""),
    ("PTO1150", "n > 0", "if pl.constexpr(n > 0):\n    pass", ""),
    ("PTO1150", "m", "v = [m for i in range(3)]", ""),
    ("PTO1151", "t", "pl.load(t, x, [0, 0])\nt = a.next()", ""),
    ("PTO1152", "v", "if n > 0:\n    v = 1\npl.setval(x, 0, v)", ""),
    ("PTO1152", "t", "if n > 0:\n    t = a.next()\nelse:\n    pl.setval(x, 0, 1)\npl.muls(t, t, 2.0)", ""),
    ("PTO1153", "g", "if n > 0:\n    g = a\nelse:\n    g = b\nt = g.next()", ""),
    ("PTO1153", "v", "v = 1\nif n > 0:\n    v = a.next()\npl.setval(x, 0, v)", ""),
    ("PTO1153", "a.next() if n > 0 else m", "v = a.next() if n > 0 else m", ""),
    ("PTO1154", "last", "for i in pl.range(n):\n    last = i\npl.setval(x, 0, last)", ""),
    ("PTO1155", "a.prev", "t = a.prev()", ""),
    ("PTO1155", "x.shap", "v = x.shap[0]", ""),
    ("PTO1156", "ordr=[0, 1]", "pl.load(a.next(), x, [0, 0], ordr=[0, 1])", ""),
    ("PTO1156", "is_transpose=True", "pl.load(a.next(), x, [0, 0], is_transpose=True)", ""),
    ("PTO1157", "offsets=[0, 0]", "pl.load(a.next(), x, [0, 0], offsets=[0, 0])", ""),
    ("PTO1158", "pl.muuls", "t = a.next()\npl.muuls(t, t, 2.0)", ""),
    ("PTO1250", "1 << 70", "pl.setval(x, 0, n + (1 << 70))", ""),
    ("PTO1250", "1e60", "pl.setval(x, 0, n + 1e60)", ""),
    ("PTO1250", "300", "v = pl.const(300, pl.DT_INT8)", ""),
    ("PTO1250", "300", "t = pl.make_tile(I8, addr=0x10000)\npl.expands(t, 300)", "I8 = pl.TileType(shape=[32, 64], dtype=pl.DT_INT8)"),
    ("PTO1250", "0.5", "pl.setval(pl.make_tensor(x, [64], dtype=pl.DT_INT32), 0, 0.5)", ""),
    ("PTO1251", "x.dtype", "pl.setval(x, 0, n + x.dtype)", ""),
    ("PTO1252", "n / 2", "pl.load(a.next(), x, [n / 2, 0])", ""),
    ("PTO1252", "0.5", "for i in pl.range(0.5):\n    pass", ""),
    ("PTO1253", "1.5 & n", "v = 1.5 & n", ""),
    ("PTO1254", "n // 0", "v = n // 0", ""),
    ("PTO1254", "3 % 0", "v = 3 % 0", ""),
    ("PTO1255", "a", "if a:\n    pass", ""),
    ("PTO1256", "t + 1", "t = a.next()\nu = t + 1", ""),
    ("PTO1257", "n is m", "if n is m:\n    pass", ""),
    ("PTO1258", "v, w", "v, w = n", ""),
    ("PTO1258", "n in m", "v = n in m", ""),
    ("PTO1259", "n in pl.range(0, 8, m)", "v = n in pl.range(0, 8, m)", ""),
    ("PTO1260", "t", "t = a.next()\nv = pl.make_tensor(t, [n, 64])", ""),
    ("PTO1260", "n", "f(n)", "def f(t: pl.Tile):\n    pass"),
    ("PTO1261", "v, w", "v, w = (1, 2, 3)", ""),
    ("PTO1262", "t[0]", "t = (n, m)\nt[0] = 3", ""),
    ("PTO1263", "[1]", "v = pl.make_tensor(x, [n, 64], [1])", ""),
    ("PTO1264", "q + n", "q = pl.make_ptr(x, pl.DT_FP4E2M1)\nr = q + n", ""),
    ("PTO1265", "pl.add(t, t, t, t)", "t = a.next()\npl.add(t, t, t, t)", ""),
    ("PTO1266", "pl.add(t, t)", "t = a.next()\npl.add(t, t)", ""),
    ("PTO1267", "n", "t = pl.make_tile(T, addr=n)", ""),
    ("PTO1267", "3", "t = pl.make_tile(3, addr=0)", ""),
    ("PTO1268", "pl.make_tuple(n)", "t = pl.make_tuple(n)", ""),
    ("PTO1269", "[]", "s = pl.struct('S', v=[])", ""),
    ("PTO1270", "pl.struct('S', w=0)", "s = pl.struct('S', v=0)\nr = pl.struct('S', w=0)", ""),
    ("PTO1271", "r.v", "r = pl.struct_array(2, 'R', v=0)\npl.setval(x, 0, r.v)", ""),
    ("PTO1272", "s.v[2]", "s = pl.struct('S', v=[0, 0])\npl.setval(x, 0, s.v[2])", ""),
    ("PTO1272", "t[5]", "t = (n, m)\npl.setval(x, 0, t[5])", ""),
    ("PTO1273", "x[0:8:2, 0:64]", "pl.load(a.next(), x[0:8:2, 0:64], [0, 0])", ""),
    ("PTO1273", "x[0:8, 5:5]", "pl.load(a.next(), x[0:8, 5:5], [0, 0])", ""),
    ("PTO1274", "t[0:8, 0:32]", "t = a.next()\nt[0:8, 0:32] = 1", ""),
    ("PTO1275", "t[3]", "t = a.next()\nv = t[3]", ""),
    ("PTO1276", "32", "t = a.next()\nv = t[32, 0]", ""),
    ("PTO1276", "40:48", "t = a.next()\nv = t[40:48, 0:64]", ""),
    ("PTO1277", "l[0:16, 0:16]", "L = pl.TileType(shape=[64, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Mat)\nl = pl.make_tile(L, addr=0)\nv = l[0:16, 0:16]", ""),
    ("PTO1278", "2", "t = a.next()\nv = t[0:8:2, 0:64]", ""),
    ("PTO1279", "8:8", "t = a.next()\nv = t[8:8, 0:64]", ""),
    ("PTO1280", "n[0]", "v = n[0]", ""),
    ("PTO1281", "t.valid_shape[n]", "t = a.next()\nv = t.valid_shape[n]", ""),
    ("PTO1282", "(a, b)[n]", "g = (a, b)[n]", ""),
    ("PTO1284", "a", "pl.load(a, x, [0, 0])", ""),
    ("PTO1285", "pl.matmul(l, l, l)", "A = pl.TileType(shape=[64, 64], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Acc)\nL = pl.TileType(shape=[64, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Left)\nR = pl.TileType(shape=[64, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Right)\nc = pl.make_tile(A, addr=0)\nl = pl.make_tile(L, addr=0)\nr = pl.make_tile(R, addr=0)\npl.matmul(c, l, r)", ""),
    ("PTO1286", "n", "n(3)", ""),
    ("PTO1287", "(1, n)", "v = sorted((1, n))", ""),
    ("PTO1288", "f(n)", "f(n)", "def f(v, w):\n    pass"),
    ("PTO1288", "f(n, vv=1)", "f(n, vv=1)", "def f(v, w=1):\n    pass"),
    ("PTO1289", "pl.range(4)", "f(pl.range(4))", "def f(v):\n    pl.setval(v, 0, 1)"),
    ("PTO1350", "pl.make_tile_group", "g = pl.make_tile_group(type=T, addrs=0)", ""),
    ("PTO1351", "[0, 0x4000, 0x8000]", "g = pl.make_tile_group(type=T, addrs=[0, 0x4000, 0x8000], mutex_ids=[0, 1])", ""),
    ("PTO1352", "0", "g = pl.make_tile_group(type=T, addrs=0, depth=0)", ""),
    ("PTO1353", "[0, 1]", "g = pl.make_tile_group(type=T, addrs=0, mutex_ids=[0, 1], depth=3)", ""),
    ("PTO1354", "[0, 32]", "g = pl.make_tile_group(type=T, addrs=0, mutex_ids=[0, 32])", ""),
    ("PTO1354", "[[0, 1], [2]]", "g = pl.make_tile_group(type=T, addrs=0, mutex_ids=[[0, 1], [2]])", ""),
    ("PTO1354", "[[0, 0], [1, 2]]", "g = pl.make_tile_group(type=T, addrs=0, mutex_ids=[[0, 0], [1, 2]])", ""),
    ("PTO1354", "[n]", "g = pl.make_tile_group(type=T, addrs=0, mutex_ids=[n], depth=1)", ""),
    ("PTO1355", "[16]", "g = pl.make_tile_group(type=T, addrs=0, mutex_ids=[0], fwd_ids=[16])", ""),
    ("PTO1356", "[0, 1]", "g = pl.make_tile_group(type=T, addrs=0, mutex_ids=[0, 1, 2], bwd_ids=[0, 1])", ""),
    ("PTO1357", "a[2]", "t = a[2]", ""),
    ("PTO1357", "a[-1]", "t = a[-1]", ""),
    ("PTO1357", "a[n % 3]", "t = a[n % 3]", ""),
    ("PTO1551", "vf.load_align(v, 0)", "f(a.next())", "@pl.vector_function\ndef f(v):\n    m = vf.create_mask()\n    r = vf.full(0.0)\n    vf.store_align(v, r, m)\n    r = vf.load_align(v, 0)\n    vf.store_align(v + 64, r, m)"),
    ("PTO1550", "8", "pl.system.sync_src(set_pipe=pl.PipeType.MTE2, wait_pipe=pl.PipeType.V, event_id=8)", ""),
]  # fmt: skip


@pytest.mark.parametrize(("code", "under", "body", "before"), CASES, ids=[f"{c[0]}-{c[1]}" for c in CASES])
def test_code_and_caret(code: str, under: str, body: str, before: str) -> None:
    text = source(body, before=before)
    found = [d for d in lower_text(text)[1] if d.code == code]
    assert found, codes(body, before=before)
    span = found[0].span
    assert span is not None
    line = text.splitlines()[span.line - 1]
    if code != "PTO1285":
        assert line[span.col - 1 :].startswith(under), (line, line[span.col - 1 :])


def test_every_code_has_a_case() -> None:
    own = [e.code for prefix in ("10", "11", "12", "13", "15") for e in entries(prefix) if int(e.code[5:]) >= 50]
    own = [code for code in own if not code.startswith(("PTO139",))]  # those of C++ generation
    elsewhere = (*vector_functions.SYNTAX_ENTRIES, *vector_functions.TYPE_ENTRIES, *simt.ENTRIES)
    registers = {entry.code for entry in elsewhere}
    own = [code for code in own if code not in registers]  # test_vector_functions.py, test_simt.py
    elsewhere = {"PTO1064", "PTO1071", "PTO1073", "PTO1283"}  # tests below
    assert sorted(set(own) - {c[0] for c in CASES} - elsewhere) == []


def test_all_errors_are_reported_in_one_pass() -> None:
    body = """
        pl.no_such(x)
        v = unknown_name + 1
        t = a.next()
        pl.add(t, t)
        for i in pl.range(v):
            pl.load(t, x, [i, 0], ordr=1)
        pl.store(t, y, [0, 0])
    """
    assert codes(body) == ["PTO1158", "PTO1101", "PTO1266", "PTO1156", "PTO1200"]


def test_an_error_is_not_followed_by_others_about_its_value() -> None:
    body = """
        v = n // 0
        w = (v + 1, v)
        for i in pl.range(w[0]):
            pl.setval(x, v, w[1] + i)
        u = v if w[1] > 0 else m
        pl.setval(x, u, 1)
    """
    assert codes(body) == ["PTO1254"]


def test_errors_of_loop_bodies_are_reported_once() -> None:
    body = """
        s = 0
        for i in pl.range(n):
            for j in pl.range(i):
                s = s + 0.5
                pl.no_such(s)
    """
    assert codes(body) == ["PTO1158"]


def test_an_error_that_reaches_the_next_round_is_reported() -> None:
    assert codes("v = 1\nfor i in pl.range(n):\n    v = pl.no_such(v)\npl.setval(x, 0, v)") == ["PTO1158"]
    assert codes("v = 1\nwhile v < n:\n    w = v + missing\n    v = w") == ["PTO1101"]


@pytest.mark.parametrize(
    ("body", "hint"),
    [
        ("pl.matmull(a, b, b)", "did you mean 'pl.matmul'?"),
        ("pl.sync_src(set_pipe=pl.PipeType.V)", "did you mean 'pl.system.sync_src'?"),
        ("pl.load(a.next(), x, [0, 0], ordr=[0, 1])", "did you mean 'order'?"),
        ("pl.load(a.next(), x, [0, 0], is_transpose=True)", "it is called 'order' now"),
        ("t = a.previus()", "did you mean 'previous'?"),
        ("pl.setval(x, 0, ROW)", "did you mean 'ROWS'?"),
    ],
)
def test_suggestions(body: str, hint: str) -> None:
    assert [d.help for d in found_in(body)] == [hint]


def test_a_missing_path_is_named() -> None:
    (found,) = found_in("if n > 0:\n    v = 1\npl.setval(x, 0, v)")
    assert "not when the condition does not hold" in found.message
    assert [label.text for label in found.labels] == ["not assigned when the condition does not hold", "assigned here"]


def test_recursion_names_the_chain() -> None:
    (found,) = found_in("f(n)", before="def f(v):\n    return g(v)\ndef g(v):\n    return f(v)")
    assert found.message == "f() calls itself: f -> g -> f"


def test_swapped_operands_are_recognised() -> None:
    (found,) = [d for d in found_in("pl.store(a.next(), x, [0, 0])") if d.notes]
    assert found.code == "PTO1200"
    assert found.notes == ("'dst_tensor' comes before 'src_tile': the two arguments seem to be swapped",)


def test_a_kernel_with_a_warning_is_lowered() -> None:
    text = source("for i in pl.range(n):\n    last = i\npl.setval(x, 0, last)")
    lowered, found = lower_text(text)
    assert lowered is not None
    assert [d.severity for d in found] == [Severity.WARNING]


def test_operations_of_another_chip() -> None:
    text = source(
        "f(a.next())",
        before="@pl.vector_function\ndef f(t):\n    m = vf.create_mask()\n    r = vf.load_align(t, 0)\n    vf.store_align(t, r, m)",
    )
    assert [d.code for d in lower_text(text, chip="a3")[1]] == ["PTO1283"]
    assert lower_text(text)[1] == []


def test_paths_of_another_chip() -> None:
    """A2 and A3 have no way from the accumulator to UB, or from UB to L1, but through global memory."""
    text = source("pl.insert(far, a.next(), [0, 0])").replace(
        "    with pl.section_vector",
        "    L = pl.TileType(shape=[32, 64], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Mat)\n"
        "    far = pl.make_tile(L, addr=0, size=8192)\n    with pl.section_vector",
    )
    found = lower_text(text, chip="a3")[1]
    assert [d.code for d in found] == ["PTO1283"] and "insert between Vec and Mat" in found[0].message
    assert "PTO1283" not in [d.code for d in lower_text(text)[1]]


def test_unknown_chip() -> None:
    assert [d.code for d in lower_text(source("pass"), chip="a9")[1]] == ["PTO1071"]


def test_static_dimensions_are_needed() -> None:
    text = (
        "import pypto_pro.language as pl\n@pl.jit\ndef k(x: pl.Tensor[[pl.STATIC, 64], pl.DT_FP32]):\n"
        "    with pl.section_vector():\n        pl.setval(x, 0, x.shape[0])\n"
    )
    assert [d.code for d in lower_text(text)[1]] == ["PTO1064"]
    assert lower_text(text, static_dims={"x": (96, 64)})[1] == []


def test_a_key_is_needed() -> None:
    text = """
import pypto_pro.language as pl
from pypto_pro.runtime.tilingkey import TilingKeyField
class Key:
    Mode = TilingKeyField(bits=2, values=[0, 5])
@pl.jit(tiling_key=Key)
def k(x: pl.Tensor[[4, 64], pl.DT_FP32]):
    with pl.section_vector():
        if Mode == 5:
            pl.setval(x, 0, Mode)
        else:
            pl.no_such(x)
"""
    assert [d.code for d in lower_text(text)[1]] == ["PTO1073"]
    assert lower_text(text, key={"Mode": 5})[1] == []
    assert [d.code for d in lower_text(text, key={"Mode": 0})[1]] == ["PTO1158"]


def test_helpers_see_the_key() -> None:
    text = """
import pypto_pro.language as pl
from pypto_pro.runtime.tilingkey import TilingKeyField
class Key:
    Mode = TilingKeyField(bits=2, values=[0, 5])
    Other = TilingKeyField(bits=2, values=[0, 5])
def inner(x):
    if Mode == 5 and Other == 0:
        pl.setval(x, 0, Mode)
    else:
        pl.no_such(x)
def helper(x):
    inner(x)
@pl.jit(tiling_key=Key, datatype={"x": "x_type"})
def k(x: pl.Ptr[pl.DT_UINT8]):
    with pl.section_vector():
        view = pl.make_tensor(x, [64], dtype=typed())
        helper(view)
def typed():
    return x_type
"""
    values = {"Mode": 5, "Other": 0}
    assert lower_text(text, key=values, dtypes={"x_type": FP32})[1] == []
    assert [d.code for d in lower_text(text, key={**values, "Mode": 0}, dtypes={"x_type": FP32})[1]] == ["PTO1158"]
    clash = text.replace("def inner", "Other = 0\ndef inner")
    assert [d.code for d in lower_text(clash, key=values, dtypes={"x_type": FP32})[1]] == ["PTO1600"]


def test_a_tile_type_is_no_tile() -> None:
    (found,) = lower_text(source("pl.load(T, x, [0, 0])"))[1]
    assert found.code == "PTO1260" and "a tile type" in found.message


def test_tensors_of_different_kinds_cannot_be_chosen_from() -> None:
    other = "v = pl.make_tensor(x, [64])\nw = v if n > 3 else x\npl.setval(w, 0, 1.0)"
    (found,) = lower_text(source(other))[1]
    assert found.code == "PTO1153" and "different ranks" in found.message
    alike = "v = pl.make_tensor(x, [8, 64])\nw = v if n > 3 else x\npl.setval(w, 0, 1.0)"
    assert lower_text(source(alike))[1] == []
