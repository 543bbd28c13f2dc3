"""Which half a statement belongs to, and what is taken out of a half that does not need it."""

from __future__ import annotations

from lowering_kernels import HEADER, lower_good, lower_text, shown

from ptopro.lowering import ir
from ptopro.lowering.dump import dump, dump_block

TYPES = """\
    V = pl.TileType(shape=[32, 64], dtype=pl.DT_FP32)
    A = pl.TileType(shape=[64, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Mat)
    L = pl.TileType(shape=[64, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Left)
    v = pl.make_tile_group(type=V, addrs=0, mutex_ids=[0, 1])
    mat = pl.make_tile_group(type=A, addrs=0, mutex_ids=[2, 3])
    left = pl.make_tile_group(type=L, addrs=0, mutex_ids=[4, 5])
"""
HEAD = f"""{HEADER}
@pl.jit
def k(x: pl.Tensor[[D, 64], pl.DT_FP32], h: pl.Tensor[[D, 64], pl.DT_FP16], n: pl.DT_INT32):
{TYPES}"""


def halves(body: str) -> ir.KernelIR:
    return lower_good(HEAD + body)


def test_each_half_gets_its_section_and_what_that_needs() -> None:
    kernel = halves("""\
    rows = x.shape[0] // 2
    cube_only = n * 3
    with pl.section_vector():
        pl.load(v.next(), x, [rows, 0])
    with pl.section_cube():
        pl.load(mat.next(), h, [cube_only, 0])
        pl.move(left.next(), mat.current())
""")
    assert kernel.vector is not None and kernel.cube is not None
    assert dump_block(kernel.vector.body) == [
        "group v = Vec[32, 64] FP32 ND at [0x0, 0x2000] ids [[0], [1]]",
        "rows: INT64 = (x_shape0 / 2)",
        "section 1 vector",
        "advance v",
        "load(dst_tile=v.current!, src_tensor=x, offsets=[rows, 0]) on MTE2",
        "end section 1",
    ]
    assert shown(kernel.cube.body) == [
        "cube_only: INT64 = (n * 3)",
        "advance mat",
        "load(dst_tile=mat.current!, src_tensor=h, offsets=[cube_only, 0]) on MTE2",
        "advance left",
        "move(dst_tile=left.current!, src_tile=mat.current) on MTE1",
    ]


def test_a_kernel_with_one_kind_of_section_has_one_half() -> None:
    assert halves("    with pl.section_vector():\n        pl.load(v.next(), x, [0, 0])\n").cube is None
    assert halves("    with pl.section_cube():\n        pl.load(mat.next(), h, [0, 0])\n").vector is None


def test_without_sections_the_operations_decide() -> None:
    vector = halves("    pl.load(v.next(), x, [0, 0])\n    pl.muls(v.current(), v.current(), 2.0)\n")
    assert vector.cube is None and vector.vector is not None
    cube = halves("    pl.load(mat.next(), h, [0, 0])\n    pl.move(left.next(), mat.current())\n")
    assert cube.vector is None and cube.cube is not None
    both = halves("    pl.load(v.next(), x, [0, 0])\n    pl.load(mat.next(), h, [n, 0])\n    pl.system.bar_all()\n")
    assert both.cube is not None and both.vector is not None
    assert [line.split("(")[0] for line in shown(both.cube.body)] == ["advance mat", "load", "system.bar_all"]
    assert [line.split("(")[0] for line in shown(both.vector.body)] == ["advance v", "load", "system.bar_all"]
    scalars = halves("    pl.setval(x, 0, n)\n")
    assert scalars.cube is None and scalars.vector is not None


def test_loops_and_helpers_that_do_nothing_here_go() -> None:
    kernel = lower_good(
        HEAD.replace(
            "@pl.jit",
            "def cube_part(g, i):\n    with pl.section_cube():\n        pl.load(g.next(), H, [i, 0])\n@pl.jit",
        )
        .replace("H,", "h,")
        .replace("def cube_part(g, i):", "def cube_part(g, h, i):")
        + """\
    total = 0
    for i in pl.range(n):
        cube_part(mat, h, i)
        total = total + i
    with pl.section_vector():
        pl.setval(x, 0, n)
"""
    )
    assert kernel.vector is not None and kernel.cube is not None
    assert shown(kernel.vector.body) == ["setval(container=x, offset=0, value=n) on S"]
    assert shown(kernel.cube.body) == ["for i in range(0, n, 1):", "  cube_part(i)"]


def test_the_valid_shape_of_a_tile_matters_where_the_tile_does() -> None:
    kernel = halves("""\
    pl.set_validshape(v[0], [n, 64])
    pl.set_validshape(mat, [n, 64])
    with pl.section_vector():
        pl.load(v[0], x, [0, 0])
    with pl.section_cube():
        pl.load(mat[1], h, [0, 0])
""")
    assert kernel.vector is not None and kernel.cube is not None
    assert shown(kernel.vector.body)[0] == "set_validshape(tile=v[0], shape=[n, 64]) on S"
    assert shown(kernel.cube.body)[0] == "set_validshape(tile=mat, shape=[n, 64]) on S"
    assert len(shown(kernel.vector.body)) == len(shown(kernel.cube.body)) == 2


def test_early_returns_and_jumps_stay_with_what_they_skip() -> None:
    kernel = halves("""\
    if n > 5:
        return
    with pl.section_vector():
        for i in pl.range(10):
            if i == n:
                break
            pl.setval(x, i, i)
""")
    assert kernel.vector is not None
    assert shown(kernel.vector.body) == [
        "if (n > 5):",
        "  return",
        "for i in range(0, 10, 1):",
        "  if (i == n):",
        "    break",
        "  setval(container=x, offset=i, value=i) on S",
    ]


def test_errors_of_both_sections_are_reported() -> None:
    text = HEAD + "    with pl.section_vector():\n        pl.nope(1)\n    with pl.section_cube():\n        pl.nix(2)\n"
    assert sorted(d.message for d in lower_text(text)[1]) == [
        "there is no operation pl.nix",
        "there is no operation pl.nope",
    ]


def test_constants_keep_their_names() -> None:
    text = f"""{HEADER}
BLOCK = 64
@pl.jit
def k(x: pl.Tensor[[D, 64], pl.DT_FP32], n: pl.DT_INT32):
    SIZE = BLOCK * 2
    with pl.section_vector():
        pl.setval(x, n * BLOCK, n + SIZE)
        pl.setval(x, scaled(n), 1.0)
def scaled(v):
    SIZE = 7
    return v * SIZE + BLOCK
"""
    kernel = lower_good(text)
    assert [(c.name, c.value) for c in kernel.constants] == [("BLOCK", 64), ("SIZE", 128)]
    assert "setval(container=x, offset=(n * BLOCK), value=(n + SIZE)) on S" in dump(kernel)
    assert "return ((v * 7) + BLOCK)" in dump(kernel)


def test_dynamic_dimensions_in_order() -> None:
    text = f"""{HEADER}
@pl.jit
def k(x: pl.Tensor[[D, 64, D], pl.DT_FP32], n: pl.DT_INT32, y: pl.Tensor[[D], pl.DT_FP16]):
    with pl.section_vector():
        pl.setval(x, 0, x.shape[0] + x.shape[-1] + y.shape[0] + x.shape[1])
"""
    kernel = lower_good(text)
    assert [(name, axis) for _, name, axis in kernel.dynamic_dims] == [("x", 0), ("x", 2), ("y", 0)]
    assert kernel.vector is not None
    assert shown(kernel.vector.body) == [
        "setval(container=x, offset=0, value=(((x_shape0 + x_shape2) + y_shape0) + 64)) on S"
    ]
