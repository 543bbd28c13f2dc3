"""`phase=` on accumulators: the unit flag instead of a lock, and the mistakes that hang or read too early."""

from __future__ import annotations

import textwrap

from expand_kernels import HEAD, codes, expanded, section
from test_locks import shorten

KERNEL = (
    HEAD
    + """

@pl.jit
def k(x: pl.Tensor[[D, 64], pl.DT_FP16], y: pl.Tensor[[D, 64], pl.DT_FP32], n: pl.DT_INT32):
    L1 = pl.TileType(shape=[64, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Mat)
    L0A = pl.TileType(shape=[64, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Left)
    L0B = pl.TileType(shape=[64, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Right)
    L0C = pl.TileType(shape=[64, 64], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Acc)
    UB = pl.TileType(shape=[64, 64], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Vec)
    l1 = pl.make_tile_group(type=L1, addrs=0, mutex_ids=[0, 1])
    l0a = pl.make_tile_group(type=L0A, addrs=0, mutex_ids=[2])
    l0b = pl.make_tile_group(type=L0B, addrs=0, mutex_ids=[3])
    l0c = pl.make_tile_group(type=L0C, addrs=0, mutex_ids=[4, 5])
    ub = pl.make_tile_group(type=UB, addrs=0, mutex_ids=[8, 9])
    with pl.section_cube():
        m = l1.next()
        pl.load(m, x, [0, 0])
        a = l0a.next()
        b = l0b.next()
        pl.move(a, m)
        pl.move(b, m)
        c = l0c.next()
"""
)


def kernel(body: str) -> str:
    return KERNEL + textwrap.indent(textwrap.dedent(body).strip("\n") + "\n", "        ")


FINAL = "phase=pl.AccPhase.Final"
PARTIAL = "phase=pl.AccPhase.Partial"
STORED = "phase=pl.STPhase.Final"


def test_without_phases_the_accumulator_is_locked() -> None:
    result = shorten(section(expanded(kernel("pl.matmul(c, a, b)\npl.store(y, c, [0, 0])")).text, "cube"))
    assert "L M tile=c\nL M tile=a\nL M tile=b\npl.matmul(c, a, b)\n" in result
    assert "L FIX tile=c\npl.store(y, c, [0, 0])\n" in result


def test_with_phases_it_is_not() -> None:
    text = kernel(f"pl.matmul(c, a, b, {FINAL})\npl.store(y, c, [0, 0], {STORED})")
    result = shorten(section(expanded(text).text, "cube"))
    assert "tile=c" not in result
    assert f"L M tile=a\nL M tile=b\npl.matmul(c, a, b, {FINAL})\nU M tile=a\nU M tile=b\n" in result


def test_partial_then_final_is_right() -> None:
    assert (
        codes(
            kernel(
                f"pl.matmul(c, a, b, {PARTIAL})\npl.matmul_acc(c, c, a, b, {FINAL})\npl.store(y, c, [0, 0], {STORED})"
            )
        )
        == []
    )


def test_branches_with_either_phase_are_right() -> None:
    body = f"""
    pl.matmul(c, a, b, {PARTIAL})
    for i in pl.range(0, n):
        if i == n - 1:
            pl.matmul_acc(c, c, a, b, {FINAL})
        else:
            pl.matmul_acc(c, c, a, b, {PARTIAL})
    pl.store(y, c, [0, 0], {STORED})
    """
    assert codes(kernel(body)) == []


def test_a_store_without_phase_reads_unfinished_data() -> None:
    assert codes(kernel(f"pl.matmul(c, a, b, {FINAL})\npl.store(y, c, [0, 0])")) == ["PTO1504"]


def test_a_store_with_phase_after_a_matmul_without_one_hangs() -> None:
    assert codes(kernel(f"pl.matmul(c, a, b)\npl.store(y, c, [0, 0], {STORED})")) == ["PTO1504"]


def test_a_move_has_no_phase() -> None:
    assert codes(kernel(f"pl.matmul(c, a, b, {FINAL})\npl.move(ub.next(), c)")) == ["PTO1504"]


def test_no_final_matmul() -> None:
    assert codes(kernel(f"pl.matmul(c, a, b, {PARTIAL})\npl.store(y, c, [0, 0], {STORED})")) == ["PTO1505"]


def test_no_final_store() -> None:
    assert codes(kernel(f"pl.matmul(c, a, b, {FINAL})\npl.store(y, c, [0, 0], phase=pl.STPhase.Partial)")) == [
        "PTO1505"
    ]


def test_the_last_matmul_before_a_store_is_partial() -> None:
    body = f"""
    pl.matmul(c, a, b, {FINAL})
    pl.matmul_acc(c, c, a, b, {PARTIAL})
    pl.store(y, c, [0, 0], {STORED})
    """
    assert codes(kernel(body)) == ["PTO1505"]


def test_tiles_are_judged_one_by_one() -> None:
    body = f"""
    d = l0d.next()
    pl.matmul(c, a, b, {FINAL})
    pl.store(y, c, [0, 0], {STORED})
    pl.matmul(d, a, b)
    pl.store(y, d, [64, 0])
    """
    text = kernel(body).replace(
        "    ub = pl", "    l0d = pl.make_tile_group(type=L0C, addrs=0x10000, mutex_ids=[6])\n    ub = pl"
    )
    assert codes(text) == []
