"""Faults that users of such tools have reported, pipeline kind: each is right or refused here, never silent."""

from __future__ import annotations

import pytest
from pipeline_kernels import FOUR, FOUR_TILES, PUT_TAKE, codes, expanded, four, put_take, refused, same_as_serial

LOOP = "for i in pl.range(0, n):\n"
PUT = "    with pl.section_vector():\n        put(i, src, sh, ub)\n"
TAKE = "    with pl.section_cube():\n        take(i, sh, lg, ag, dst)\n"
TRIPS = tuple((n, 0) for n in range(6))


def test_half_declared_pipelines() -> None:
    """3: no fwd_ids, no bwd_ids, no stage decorator."""
    refused(put_take(ids=", bwd_ids=[2, 3]"), "PTO1425")
    refused(put_take(ids=", fwd_ids=[0, 1]"), "PTO1482")
    refused(put_take(stages=PUT_TAKE.replace("@pl.pipeline.stage\ndef take", "def take")), "PTO1434")


@pytest.mark.parametrize("call", ["pl.row_sum(r, y, w)", "pl.sum(r, y, w, dim=0)"])
def test_every_spelling_of_an_operation_is_seen(call: str) -> None:
    """4: the only reader of a buffer may be any operation, under any of its names."""
    stages = FOUR.replace("    pl.add(y, y, hg[slot % 3])\n    pl.store(dst, y,", f"    {call}\n    pl.store(dst, w,")
    stages = stages.replace("hg, slot, dst):", "hg, slot, dst, w, r):")
    tiles = (
        FOUR_TILES
        + """\
    COL = pl.TileType(shape=[64, 1], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Vec, layout=pl.DN)
    work = pl.make_tile_group(type=PLAIN, addrs=0x30000, mutex_ids=[21])
    sums = pl.make_tile_group(type=COL, addrs=0x34000, mutex_ids=[22])
"""
    )
    text = four(stages=stages, tiles=tiles).replace("tick, dst)", "tick, dst, work.current(), sums.current())")
    result = expanded(text, 2).text
    assert "wait_cross_core(pipe=pl.PipeType.V, event_id=2 + _pl_mod2)  # fwd: yg ready, three -> four" in result
    assert "set_cross_core(pipe=pl.PipeType.V, event_id=2 + _pl_mod2)  # bwd: yg free, four -> three" in result


@pytest.mark.parametrize("preload", [0, (0,), 1, (1,), 2, 3])
def test_fewer_tasks_than_the_preload(preload: int | tuple[int, ...]) -> None:
    """10"""
    same_as_serial(put_take(), preload, TRIPS)


@pytest.mark.parametrize("preload", [0, 1, 2])
def test_values_that_the_loop_carries(preload: int) -> None:
    """11"""
    two = (
        "off = 0\n"
        + LOOP
        + PUT.replace("put(i,", "put(off,")
        + TAKE.replace("take(i,", "take(off,")
        + "    off = off + 64\n"
    )
    same_as_serial(put_take(two), preload, TRIPS)
    same_as_serial(
        four(
            "tick = 0\noff = 0\nfor i in pl.range(0, n):\n    {calls i=off}\n    off = off + 64\n    tick = tick + 1\n"
        ),
        preload,
        TRIPS,
    )


def test_fewer_slots_than_tasks_in_flight() -> None:
    """12: correct but stalling is a note, an overwrite is an error, nothing is silent."""
    two = FOUR_TILES.replace(
        "mutex_ids=[2, 3, 4], fwd_ids=[4, 5, 6], bwd_ids=[4, 5, 6]", "mutex_ids=[2, 3], fwd_ids=[4, 5], bwd_ids=[4, 5]"
    )
    more = two.replace("mutex_ids=[15, 16, 17]", "mutex_ids=[15, 16, 17, 19]").replace("0x2c000", "0x30000")
    same_as_serial(four(tiles=two), 2)
    text = four(tiles=more, stages=FOUR.replace("% 3", "% 4"))
    same_as_serial(text, 3)
    assert set(codes(text, 3)) == {"PTO1489"}
    assert codes(four(tiles=two.replace(", bwd_ids=[4, 5]", "")), 3) != []


def test_conditions_and_jumps() -> None:
    """13"""
    guarded = (
        LOOP
        + PUT
        + "    if i > 0:\n"
        + TAKE.replace("    with", "        with").replace("        take", "            take")
    )
    refused(put_take(guarded), "PTO1416", "take", "put")
    skipping = LOOP + "    if i == 1:\n        continue\n" + PUT + TAKE
    same_as_serial(put_take(skipping), 0, TRIPS)
    leaving = LOOP + "    if i == 2:\n        break\n" + PUT + TAKE
    same_as_serial(put_take(leaving), 0, TRIPS)
    inner = (
        LOOP
        + PUT
        + "    for j in pl.range(0, 2):\n"
        + TAKE.replace("    with", "        with").replace("        take", "            take")
    )
    refused(put_take(inner), "PTO1404", "take")
    between = LOOP + PUT + "    if i == 1:\n        continue\n" + TAKE
    refused(put_take(between), "PTO1409")


def test_other_shapes_are_refused() -> None:
    """14"""
    refused(put_take(LOOP + PUT + TAKE + PUT), "PTO1410", "put")
    helper = "\ndef pick(sh):\n    s = sh.next()\n    pl.muls(s, s, 2.0)\n"
    stray = "    with pl.section_vector():\n        pl.move(sh.next(), ub.current())\n"
    refused(put_take(LOOP + stray + PUT + TAKE, stages=PUT_TAKE + helper), "PTO1434", "sh")
    refused(put_take(LOOP + PUT + "    x = i\n" + TAKE), "PTO1409")


def test_two_pipelines_over_the_same_bytes_want_a_barrier() -> None:
    body = """
tick = 0
for i in pl.range(0, n):
    {calls}
    tick = tick + 1
for j in pl.range(0, m):
    with pl.section_vector():
        back(j, src, BUFFER, ub)
    with pl.section_cube():
        forth(j, BUFFER, lg, rg, ag, dst)
"""
    stages = FOUR + PUT_TAKE.replace("def put", "def back").replace(
        "def take(i, sh, lg, ag,", "def forth(i, sh, lg, rg, ag,"
    ).replace("RIGHT", "rg.current()")
    tiles = (
        FOUR_TILES + "    sg = pl.make_tile_group(type=MAT, addrs=0x20000, mutex_ids=[28], fwd_ids=[4], bwd_ids=[9])\n"
    )
    text = four(body.replace("BUFFER", "sg"), stages=stages, tiles=tiles)
    assert "PTO1463" not in codes(text, 0)
    assert "PTO1464" not in codes(text, 0)  # event 4 of the cube core: MTE3 to MTE1 in both
    clash = four(
        body.replace("BUFFER", "sg"),
        stages=stages,
        tiles=tiles.replace("fwd_ids=[4], bwd_ids=[9]", "fwd_ids=[9], bwd_ids=[1]"),
    )
    assert "PTO1464" in codes(clash, 2)  # event 1 of the vector core: FIX to V, then MTE1 to MTE3
    barrier = clash.replace("    for j in", "    pl.system.sync_all()\n    for j in")
    assert "PTO1464" not in codes(barrier, 2)
    over = tiles.replace("addrs=0x20000, mutex_ids=[28]", "addrs=0x0000, mutex_ids=[28]")
    swapped = four(body.replace("BUFFER", "sg"), stages=stages, tiles=over)
    assert "PTO1463" in codes(swapped, 2)  # kg of the cube core lies there in the first loop


def test_numbers_of_tasks_stay_among_the_slots() -> None:
    """A group of three that is indexed with a remainder of four has no slot for every fourth task."""
    refused(four(stages=FOUR.replace("hg[slot % 3]", "hg[slot % 4]")), "PTO1357")
