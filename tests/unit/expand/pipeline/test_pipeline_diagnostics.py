"""Every kernel that cannot be pipelined is refused, with its code, its place and a fix."""

from __future__ import annotations

import pytest
from pipeline_kernels import CALLS, FOUR, FOUR_TILES, PUT_TAKE, codes, expand, four, kernel, put_take, refused

LOOP = "for i in pl.range(0, n):\n"
PUT = "    with pl.section_vector():\n        put(i, src, sh, ub)\n"
TAKE = "    with pl.section_cube():\n        take(i, sh, lg, ag, dst)\n"


def changed(old: str, new: str, count: int = 1, **options: object) -> str:
    """The skeleton of two stages with a piece of its text changed."""
    text = put_take(**options)  # type: ignore[arg-type]
    assert old in text
    return text.replace(old, new, count)


def test_preload() -> None:
    refused(put_take(), "PTO1401", "-1", preload=-1)
    refused(put_take(), "PTO1402", "3 numbers", "1 pipeline loops", preload=(1, 2, 3))
    refused(put_take(config="preload=[1, 2]"), "PTO1402")


def test_no_stage_at_all() -> None:
    refused(put_take(stages=PUT_TAKE.replace("@pl.pipeline.stage\n", "")), "PTO1403")


def test_a_stage_outside_of_a_pipeline_loop() -> None:
    refused(put_take(LOOP + PUT + TAKE + "with pl.section_cube():\n    take(0, sh, lg, ag, dst)\n"), "PTO1404", "take")
    body = "i = 0\nwhile i < n:\n" + PUT + TAKE + "    i = i + 1\n"
    refused(put_take(body), "PTO1404")


def test_sections() -> None:
    refused(put_take(LOOP + PUT + "    take(i, sh, lg, ag, dst)\n"), "PTO1405", "take")
    refused(put_take(LOOP + PUT + "        put(i, src, sh, ub)\n" + TAKE), "PTO1407", "put")
    refused(put_take(LOOP + PUT + TAKE + "        x = i\n"), "PTO1408", "take")
    refused(put_take(LOOP + PUT + "    x = i\n" + TAKE), "PTO1409", "put", "take")
    stray = "    with pl.section_vector():\n        pl.muls(ub.current(), ub.current(), 2.0)\n"
    refused(put_take(LOOP + PUT + stray + TAKE), "PTO1409")


def test_a_stage_twice() -> None:
    refused(put_take(LOOP + PUT + TAKE + PUT), "PTO1410", "put")


def test_a_stage_returns_nothing() -> None:
    refused(changed("pl.move(s, t)", "pl.move(s, t)\n    return i"), "PTO1412", "put")
    assert codes(changed("pl.move(s, t)", "pl.move(s, t)\n    return", config="preload=0")) == []


def test_stages_within_stages_and_helpers() -> None:
    helper = "\ndef between(i, src, sh, ub):\n    put(i, src, sh, ub)\n"
    inner = put_take(
        stages=PUT_TAKE + helper + "\n@pl.pipeline.stage\ndef outer(i, src, sh, ub):\n    between(i, src, sh, ub)\n"
    )
    found = refused(
        inner.replace("    put(i, src, sh, ub)\n        with", "    outer(i, src, sh, ub)\n        with"), "PTO1413"
    )
    assert "outer -> between -> put" in found.message
    refused(
        put_take(LOOP + PUT.replace("put(", "between(") + TAKE, stages=PUT_TAKE + helper), "PTO1445", "put", "between"
    )


def test_loops_that_are_no_pipeline_loops() -> None:
    refused(put_take("for i in range(4):\n" + PUT + TAKE), "PTO1414")


def test_conditions() -> None:
    both = (
        LOOP
        + "    if i > 0:\n"
        + PUT.replace("    with", "        with").replace("        put", "            put")
        + TAKE
    )
    refused(put_take(both), "PTO1416", "put", "take")
    other = (
        LOOP
        + PUT
        + "    if i > 0:\n        with pl.section_cube():\n            take(i, sh, lg, ag, dst)\n    else:\n        x = 1\n"
    )
    refused(put_take(other), "PTO1416", "else")


def test_returns_and_else() -> None:
    refused(put_take(LOOP + "    if i > 3:\n        return\n" + PUT + TAKE), "PTO1443")
    refused(put_take(LOOP + PUT + TAKE + "else:\n    x = 1\n"), "PTO1444")


def test_a_value_that_a_stage_still_changes() -> None:
    stages = FOUR.replace("def four(i, yg, hg, slot, dst):", "def four(i, yg, hg, slot, dst, v):")
    text = four(stages=stages).replace("tick, dst)", "tick, dst, pl.getval(wg.current(), 0))")
    refused(text, "PTO1446", "two")


def test_values_that_cannot_travel() -> None:
    stages = FOUR.replace("def four(i, yg, hg, slot, dst):", "def four(i, yg, hg, slot, dst, v):")
    stages = stages.replace("    pl.store(dst", "    LINE\n    pl.store(dst")
    body = "tick = 0\nfor i in pl.range(0, n):\n    LINE\n    {calls}\n    tick = tick + 1\n"
    for line, use in (
        ("v = pl.make_tensor(pl.addptr(P, i), [64, 64], [64, 1], pl.DT_FP32)", "pl.store(v, y, [0, 0])"),
        ("v = pl.make_tuple(a=i, b=2)", "pl.adds(y, y, v.a)"),
    ):
        text = four(body.replace("LINE", line), stages=stages.replace("LINE", use)).replace(
            "tick, dst)", "tick, dst, v)"
        )
        text = text.replace("m: pl.DT_INT32)", "m: pl.DT_INT32, P: pl.Ptr[pl.DT_FP32] = None)")
        refused(text, "PTO1447", "four", preload=2)
        assert expand(text, 0)[0] is not None, codes(text, 0)


def test_statements_of_the_loop_that_meet_a_delayed_stage() -> None:
    body = """
tick = 0
for i in pl.range(0, n):
    with pl.section_vector():
        pl.adds(hg[0], hg[0], 1.0)
    {calls}
    tick = tick + 1
"""
    refused(four(body), "PTO1448", "hg", "four")
    assert codes(four(body), 0) == []


def test_a_delayed_stage_that_changes_a_struct() -> None:
    stages = FOUR.replace("def four(i, yg, hg, slot, dst):", "def four(i, yg, hg, slot, dst, st):").replace(
        "    pl.add(y, y,", "    st.a = st.a + 1\n    pl.adds(y, y, st.a)\n    pl.add(y, y,"
    )
    body = (
        "st = pl.struct('S', a=0)\ntick = 0\nfor i in pl.range(0, n):\n    {calls}\n    st.a = i\n    tick = tick + 1\n"
    )
    refused(four(body, stages=stages).replace("tick, dst)", "tick, dst, st)"), "PTO1449", "four", "st")


def test_preload_with_one_stage_for_each_core_is_noted() -> None:
    assert codes(put_take()) == ["PTO1451"]


# --------------------------------------------------------------------------------------------------------------------
# Buffers


def test_ids_are_complete() -> None:
    refused(put_take(ids=""), "PTO1424", "put", "take", "sh")
    refused(put_take(ids=", bwd_ids=[2, 3]"), "PTO1425", "sh")
    refused(put_take(ids=", fwd_ids=[0, 1]"), "PTO1482")  # nothing protects the overwrite
    refused(put_take(stages=PUT_TAKE.replace("@pl.pipeline.stage\ndef take", "def take")), "PTO1434", "sh")


def test_fwd_ids_alone_where_other_flags_protect_the_slot() -> None:
    tiles = FOUR_TILES.replace("fwd_ids=[4, 5, 6], bwd_ids=[4, 5, 6]", "fwd_ids=[4, 5, 6]")
    assert codes(four(tiles=tiles), 2) == []


def test_ids_are_distinct() -> None:
    refused(put_take(ids=", fwd_ids=[1, 1], bwd_ids=[2, 3]"), "PTO1422", "fwd_ids of sh")
    refused(four(tiles=FOUR_TILES.replace("fwd_ids=[2, 3]", "fwd_ids=[1, 2]")), "PTO1422", "vector core", "xg", "yg")
    refused(four(tiles=FOUR_TILES.replace("bwd_ids=[4, 5, 6]", "bwd_ids=[1, 5, 6]")), "PTO1422", "vector core", "pg")


def test_ids_that_lowering_refuses() -> None:
    assert codes(put_take(ids=", fwd_ids=[0, 16], bwd_ids=[2, 3]")) == ["PTO1355"]
    assert codes(put_take(slots=3, ids=", fwd_ids=[0, 1], bwd_ids=[2, 3, 4]")) == ["PTO1356"]


def test_the_hardware_barrier_keeps_its_events() -> None:
    body = LOOP + PUT + TAKE + "pl.system.sync_all()\n"
    refused(put_take(body, ids=", fwd_ids=[11, 12], bwd_ids=[2, 3]"), "PTO1438", "11")
    assert codes(put_take(body), 0) == []


def test_events_set_by_hand() -> None:
    line = "with pl.section_vector():\n    pl.system.set_cross_core(pipe=pl.PipeType.V, event_id=0)\n"
    refused(put_take(LOOP + PUT + TAKE + line), "PTO1439", "event 0", "cube")
    assert codes(put_take(LOOP + PUT + TAKE + line.replace("id=0", "id=5")), 0) == []


def test_users_of_a_buffer() -> None:
    refused(
        four(tiles=FOUR_TILES.replace("mutex_ids=[18]", "mutex_ids=[18], fwd_ids=[9], bwd_ids=[9]")), "PTO1423", "two"
    )
    both = "addrs=0x20000, mutex_ids=[15, 16, 17], fwd_ids=[9], bwd_ids=[9]"
    refused(four(tiles=FOUR_TILES.replace("addrs=0x20000, mutex_ids=[15, 16, 17]", both)), "PTO1426", "two, four")
    three = FOUR.replace("def four(i, yg,", "def four(i, pg, yg,").replace(
        "    y = yg.next()\n    pl.add(",
        "    y = yg.next()\n    p = pg.next()\n    pl.insert(p, wg_tile, [0, 0])\n    pl.add(",
    )
    assert "wg_tile" in three
    text = four(stages=three.replace("wg_tile", "w").replace("yg, hg, slot, dst):", "yg, hg, slot, dst, w):"))
    text = text.replace("four(i, yg, hg, tick, dst)", "four(i, pg, yg, hg, tick, dst, wg.current())")
    refused(text, "PTO1427", "pg", "four")


def test_memory_of_a_cross_core_buffer() -> None:
    text = put_take().replace("mutex_ids=[10, 11]", "mutex_ids=[10, 11], fwd_ids=[8]")
    refused(text, "PTO1418", "lg", "Left")


@pytest.mark.parametrize(
    ("pick", "why"),
    [
        ("s = sh[0]", "always uses slot 0"),
        ("s = sh[i % 3 % 2]", "does not pick"),
        ("s = sh.current()", "without g.next()"),
        ("s = sh.next()\n    s = sh.next()", "moves 2 slots"),
        ("if i > 0:\n        s = sh.next()\n    else:\n        s = sh.current()", "does not pick"),
    ],
)
def test_slots_move_with_the_tasks(pick: str, why: str) -> None:
    text = put_take(stages=PUT_TAKE.replace("    s = sh.next()\n    l = lg", f"    {pick}\n    l = lg"))
    refused(text, "PTO1430", "take", why)


def test_slots_chosen_by_the_task_number() -> None:
    stages = PUT_TAKE.replace("s = sh.next()", "s = sh[i % 2]")
    assert codes(put_take(stages=stages), 0) == []


def test_address_reuse() -> None:
    refused(four(tiles=FOUR_TILES.replace("0x18000", "0x10000")), "PTO1431", "xg", "yg", preload=2)
    wide = FOUR_TILES.replace("addrs=0x18000, mutex_ids=[7, 8]", "addrs=0x14000, mutex_ids=[7, 8]")
    refused(four(tiles=wide), "PTO1437", "slot by slot")


def test_no_event_left() -> None:
    tiles = """\
    sh = pl.make_tile_group(type=MAT, addrs=0, mutex_ids=[20, 21, 22, 23], fwd_ids=[0, 1, 2, 3], bwd_ids=[0, 1, 2, 3])
"""
    from test_pipeline_meaning import FAN

    hand = "".join(f"    pl.system.set_cross_core(pipe=pl.PipeType.V, event_id={n})\n" for n in range(4, 16))
    body = (
        "with pl.section_vector():\n"
        + hand
        + """
for i in pl.range(0, n):
    with pl.section_vector():
        put(i, src, ub, sh)
    with pl.section_cube():
        first(i, sh, lg, rg, ag, dst)
    with pl.section_cube():
        second(i, sh, lg, rg, ag, dst)
"""
    )
    stages = (
        FAN.replace("ag, xg):", "ag, dst):")
        .replace("    x = xg.next()\n    pl.move(l, s)", "    pl.move(l, s)")
        .replace("    pl.move(x, a)", "    pl.store(dst, a, [i * 64, 0])")
    )
    stages = (
        stages[: stages.index("@pl.pipeline.stage\ndef middle")]
        + stages[stages.index("@pl.pipeline.stage\ndef second") :]
    )
    refused(four(body, stages=stages, tiles=tiles), "PTO1432", "cube", "sh")


def test_no_local_event_left() -> None:
    tiles = FOUR_TILES.replace("addrs=0x18000, mutex_ids=[7, 8]", "addrs=0x18000, depth=2")
    lines = "".join(
        f"    pl.system.sync_src(set_pipe=pl.PipeType.V, wait_pipe=pl.PipeType.MTE3, event_id={n})\n"
        f"    pl.system.sync_dst(set_pipe=pl.PipeType.V, wait_pipe=pl.PipeType.MTE3, event_id={n})\n"
        for n in range(8)
    )
    stages = FOUR.replace("    p = pg.next()\n    h = ", lines + "    p = pg.next()\n    h = ")
    refused(four(stages=stages, tiles=tiles), "PTO1433", "four", "yg")


def test_cross_core_buffers_outside_of_stages() -> None:
    line = "    with pl.section_vector():\n        pl.muls(ub.next(), ub.current(), 2.0)\n"
    assert codes(put_take(LOOP + line + PUT + TAKE), 0) == []
    touch = "    with pl.section_vector():\n        pl.move(sh.next(), ub.current())\n"
    refused(put_take(LOOP + touch + PUT + TAKE), "PTO1434", "sh")


def test_picks_that_cannot_be_followed() -> None:
    stages = FOUR.replace("def four(i, yg, hg, slot, dst):", "def four(i, yg, hg, slot, dst, cur):")
    stages = stages.replace("    pl.add(y, y,", "    pl.add(y, y, cur)\n    pl.add(y, y,")
    tiles = FOUR_TILES + "    og = pl.make_tile_group(type=PLAIN, addrs=0x30000, mutex_ids=[20, 21, 22])\n"
    body = "tick = 0\nfor q in pl.range(0, m):\n    LINES\n    for i in pl.range(0, n):\n        {calls}\n        tick = tick + 1\n"
    twice = "cur = og.next()\n    if q > 1:\n        cur = og.next()"
    text = four(body.replace("LINES", twice), stages=stages, tiles=tiles).replace("tick, dst)", "tick, dst, cur)")
    refused(text, "PTO1435", "cur", "more than once")
    moving = stages.replace("def two(i, xg,", "def two(i, og, xg,").replace(
        "    p = pg.next()\n    h", "    o = og.next()\n    pl.adds(o, o, 1.0)\n    p = pg.next()\n    h"
    )
    text = four(body.replace("LINES", "cur = og.next()"), stages=moving, tiles=tiles)
    text = text.replace("tick, dst)", "tick, dst, cur)").replace("two(i, xg", "two(i, og, xg")
    refused(text, "PTO1435", "two moves the cursor")


def test_ids_without_a_pipeline() -> None:
    text = put_take(config="")
    refused(text, "PTO1440", "sh")


def test_data_through_global_memory_is_warned_of() -> None:
    stages = (
        FOUR.replace("    pl.load(k, src, [i * 64, 0])", "    pl.load(k, tmp, [i * 64, 0])")
        .replace("def one(i, src,", "def one(i, tmp,")
        .replace(
            "    pl.store(dst, y, [i * 64, 0])", "    pl.store(dst, y, [i * 64, 0])\n    pl.load(y, dst, [i * 64, 0])"
        )
    )
    stages = stages.replace("def two(i, xg,", "def two(i, dst, xg,").replace(
        "    pl.adds(h, x, 1.0)", "    pl.adds(h, x, 1.0)\n    pl.store(dst, h, [i, 0])"
    )
    found = codes(four(stages=stages).replace("two(i, xg,", "two(i, dst, xg,"), 0)
    assert "PTO1462" in found


def test_generated_names_are_free() -> None:
    refused(put_take("_pl_task = 0\n" + LOOP + PUT + TAKE), "PTO1506", "_pl_task")


def test_too_few_slots_between_stages_of_one_core() -> None:
    found = refused(four(), "PTO1481", "hg", "four", "two", "4 slots needed, 3 declared", preload=3)
    assert "4 slots" in found.help


def test_every_fault_is_reported_not_the_first() -> None:
    text = put_take(LOOP + PUT + "    x = i\n" + TAKE + "        y = i\n")
    assert {"PTO1408", "PTO1409"} <= set(codes(text))


def test_a_file_with_several_kernels_and_calls_text() -> None:
    assert CALLS.count("section") == 4
    assert kernel(FOUR, FOUR_TILES, "pass", "").count("pipeline=") == 0
