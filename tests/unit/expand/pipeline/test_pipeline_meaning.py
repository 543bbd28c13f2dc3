"""Expanded pipelines compute what the serial text computes: on paper, with symbolic data, for many trip counts."""

from __future__ import annotations

import pytest
from pipeline_kernels import FOUR, FOUR_TILES, HEAD, codes, expanded, four, lower, put_take, same_as_serial

from ptopro.expand.pipeline_branches import exclusive
from ptopro.lowering import ir

NESTED = """
tick = 0
for q in pl.range(0, m):
    for i in pl.range(0, n):
        BODY
        tick = tick + 1
"""

# Loops in the kernel's text around the four stages (`{calls}`).
BODIES = {
    "nested": NESTED.replace("BODY", "{calls}"),
    "counter updated behind the stages": """
tick = 0
off = 0
for q in pl.range(0, m):
    for i in pl.range(0, n):
        {calls i=off}
        tick = tick + 1
        off = off + 64
""",
    "negative step": """
tick = 0
for i in pl.range(n - 1, -1, -1):
    {calls}
    tick = tick + 1
""",
    "dynamic step": """
tick = 0
s = 0 - 2
for i in pl.range(n * 2, 0, s):
    {calls}
    tick = tick + 1
""",
    "loop variable as task number": """
for i in pl.range(0, n):
    {calls slot=i}
""",
    "value from a branch": NESTED.replace(
        "BODY", "if i > 2:\n            v = i * 3\n        else:\n            v = i + q\n        {calls i=v}"
    ),
    "three loops": """
tick = 0
for q in pl.range(0, m):
    for r in pl.range(0, 2):
        for i in pl.range(0, n):
            {calls i=i+r*10+q*100}
            tick = tick + 1
""",
    "field of a struct": """
st = pl.struct("S", a=0, b=0)
tick = 0
for q in pl.range(0, m):
    for i in pl.range(0, n):
        st.a = i * 2
        {calls i=st.a+q}
        st.b = st.b + 1
        tick = tick + 1
""",
    "under a run-time condition": """
tick = 0
for q in pl.range(0, m):
    if q != 1:
        for i in pl.range(0, n):
            {calls}
            tick = tick + 1
""",
    "under a compile-time condition": """
tick = 0
if 2 > 1:
    for i in pl.range(0, n):
        {calls}
        tick = tick + 1
""",
    "two loops": """
tick = 0
for i in pl.range(0, n):
    {calls}
    tick = tick + 1
pl.system.sync_all()
for j in pl.range(0, m):
    {calls i=j}
    tick = tick + 1
""",
    "two loops in one": """
tick = 0
for q in pl.range(0, m):
    for i in pl.range(0, n):
        {calls}
        tick = tick + 1
    for j in pl.range(0, 2):
        {calls i=j}
        tick = tick + 1
""",
}


@pytest.mark.parametrize("preload", [0, 1, 2])
@pytest.mark.parametrize("name", BODIES)
def test_loops(name: str, preload: int) -> None:
    same_as_serial(four(BODIES[name]), preload)


def test_preloads_by_loop() -> None:
    text = same_as_serial(four(BODIES["two loops"]), (2, 1))
    assert "_pl_drain in pl.range(0, 2)" in text
    assert "_pl_drain_1 in pl.range(0, 1)" in text


@pytest.mark.parametrize("preload", [1, 2, 3])
def test_more_slots_for_more_preload(preload: int) -> None:
    tiles = FOUR_TILES.replace("0x20000, mutex_ids=[15, 16, 17]", "0x20000, mutex_ids=[15, 16, 17, 19]")
    same_as_serial(four(tiles=tiles.replace("0x2c000", "0x30000"), stages=FOUR.replace("% 3", "% 4")), preload)


@pytest.mark.parametrize("preload", [0, 1, 2])
def test_a_round_may_end_before_its_stages(preload: int) -> None:
    text = four(
        """
tick = 0
for q in pl.range(0, m):
    for i in pl.range(0, n):
        if i == 1:
            continue
        if i == 4:
            break
        {calls}
        tick = tick + 1
        if i == 2:
            continue
        tick = tick + 0
"""
    )
    same_as_serial(text, preload)


@pytest.mark.parametrize("preload", [0, 1, 2])
def test_a_stage_under_a_condition_keeps_its_flags(preload: int) -> None:
    body = """
tick = 0
for i in pl.range(0, n):
    if i != 1:
        with pl.section_cube():
            one(i, src, kg, lg, rg, ag, xg)
    if i != 1:
        with pl.section_vector():
            two(i, xg, wg, pg, hg, tick)
    if i != 1:
        with pl.section_cube():
            three(i, pg, lg, rg, ag, yg)
    with pl.section_vector():
        if i != 1:
            four(i, yg, hg, tick, dst)
    tick = tick + 1
"""
    same_as_serial(four(body), preload)


PICKS = {
    "next": "cur = og.next()",
    "an index": "cur = og[q % 3]",
    "previous": "first = og.next()\n    cur = og.previous()",
    "the second of two": "first = og.next()\n    second = og.next()\n    cur = og.current()",
    "an alias": "first = og.next()\n    cur = first",
}
PICK_TILES = FOUR_TILES + "    og = pl.make_tile_group(type=PLAIN, addrs=0x30000, mutex_ids=[20, 21, 22])\n"
PICK_STAGES = FOUR.replace("def four(i, yg, hg, slot, dst):", "def four(i, yg, hg, slot, dst, cur):").replace(
    "    pl.store(dst, y", "    if i == 0:\n        pl.adds(cur, y, 3.0)\n    pl.add(y, y, cur)\n    pl.store(dst, y"
)


@pytest.mark.parametrize("preload", [0, 1, 2])
@pytest.mark.parametrize("name", PICKS)
def test_slots_picked_in_an_outer_loop(name: str, preload: int) -> None:
    body = NESTED.replace("    for i in", f"    {PICKS[name]}\n    for i in").replace("BODY", "{calls}")
    text = four(body, tiles=PICK_TILES, stages=PICK_STAGES).replace("tick, dst)", "tick, dst, cur)")
    same_as_serial(text, preload)


def test_a_slot_picked_per_task_is_computed() -> None:
    body = NESTED.replace("BODY", "cur = og.next()\n        {calls}")
    text = four(body, tiles=PICK_TILES, stages=PICK_STAGES).replace("tick, dst)", "tick, dst, cur)")
    assert "four(_pl_ring[_pl_mod3].i, yg, hg, _pl_task - 2, dst, og[_pl_mod3])" in same_as_serial(text)


def test_a_struct_travels_with_its_task() -> None:
    stages = FOUR.replace("def four(i, yg, hg, slot, dst):", "def four(i, yg, hg, slot, dst, st):").replace(
        "dst, y, [i * 64, 0]", "dst, y, [st.a * 64 + st.b, 0]"
    )
    text = four(BODIES["field of a struct"].replace("i=st.a+q", ""), stages=stages)
    for preload in (0, 1, 2):
        same_as_serial(text.replace("tick, dst)", "tick, dst, st)"), preload)


def test_helpers_aliases_and_keywords() -> None:
    stages = """
def left_of(p, l):
    pl.move(l, p)

def twice(i):
    return i * 2
""" + FOUR.replace("pl.move(l, p)", "left_of(p, l)")
    body = """
yy = yg
b = pl.make_tuple(h=hg, k=pg)
tick = 0
for q in pl.range(0, m):
    for i in pl.range(0, n):
        {calls i=twice(i)+q}
        tick = tick + 1
"""
    text = four(body, stages=stages).replace(
        "four(twice(i)+q, yg, hg, tick, dst)", "four(twice(i)+q, yy, slot=tick, hg=b.h, dst=dst)"
    )
    for preload in (0, 1, 2):
        same_as_serial(text.replace("three(twice(i)+q, pg,", "three(twice(i)+q, b.k,"), preload)


def test_an_accumulator_of_the_outer_loop_drains_the_pipeline() -> None:
    stages = FOUR.replace("def four(i, yg, hg, slot, dst):", "def four(i, yg, hg, slot, total):").replace(
        "    pl.store(dst, y, [i * 64, 0])", "    t = total.current()\n    pl.add(t, t, y)"
    )
    body = """
total = pl.make_tile_group(type=PLAIN, addrs=0x34000, mutex_ids=[25])
tick = 0
for q in pl.range(0, m):
    with pl.section_vector():
        pl.expands(total.current(), 0.0)
    for i in pl.range(0, n):
        {calls}
        tick = tick + 1
    with pl.section_vector():
        pl.store(dst, total.current(), [q * 64, 0])
"""
    text = four(body, stages=stages).replace("tick, dst)", "tick, total)")
    for preload in (0, 1, 2):
        same_as_serial(text, preload)
    assert codes(text, 0) == []
    assert set(codes(text, 2)) == {"PTO1461"}


def test_loads_of_the_outer_loop_stream_on() -> None:
    """Bytes that only stages without delay use do not stop the stream."""
    stages = FOUR.replace("def one(i, src, kg", "def one(i, src, wide, kg").replace("pl.move(l, k)", "pl.move(l, wide)")
    tiles = FOUR_TILES + "    wide = pl.make_tile_group(type=MAT, addrs=0x20000, mutex_ids=[26, 27])\n"
    body = NESTED.replace(
        "    for i in",
        "    w = wide.next()\n    with pl.section_cube():\n        pl.load(w, src, [q * 64, 0])\n    for i in",
    ).replace("BODY", "{calls}")
    text = four(body, stages=stages, tiles=tiles).replace("src, kg", "src, w, kg")
    for preload in (0, 1, 2):
        same_as_serial(text, preload)
    assert codes(text, 2) == []


def test_stages_that_start_on_the_vector_core() -> None:
    for preload in (0, 1, 2, 3, 4):
        assert codes(put_take(), preload) == ([] if not preload else ["PTO1451"])
        same_as_serial(put_take(), preload, ((0, 0), (1, 0), (2, 0), (3, 0), (4, 0), (5, 0)))


def test_neighbouring_stages_of_one_core_count_as_one() -> None:
    stages = (
        FOUR
        + """
@pl.pipeline.stage
def extra(i, hg, slot):
    pl.adds(hg[slot % 3], hg[slot % 3], 5.0)
"""
    )
    body = NESTED.replace("BODY", "{calls}")
    text = four(body, stages=stages)
    after = "                two(i, xg, wg, pg, hg, tick)\n"
    assert after in text
    added = "            with pl.section_vector():\n                extra(i, hg, tick)\n"
    text = text.replace(after, after + added)
    for preload in (0, 1, 2):
        result = same_as_serial(text, preload)
    assert "extra(i, hg, tick)" in result  # as late as two: no delay


FAN = """
@pl.pipeline.stage
def put(i, src, ub, sh):
    t = ub.next()
    s = sh.next()
    pl.load(t, src, [i * 64, 0])
    pl.move(s, t)

@pl.pipeline.stage
def first(i, sh, lg, rg, ag, xg):
    s = sh.next()
    l = lg.next()
    a = ag.next()
    x = xg.next()
    pl.move(l, s)
    pl.matmul(a, l, rg.current())
    pl.move(x, a)

@pl.pipeline.stage
def middle(i, xg, dst):
    x = xg.next()
    pl.store(dst, x, [i * 64, 0])

@pl.pipeline.stage
def second(i, sh, lg, rg, ag, dst):
    s = sh[i % 4]
    l = lg.next()
    a = ag.next()
    pl.move(l, s)
    pl.matmul(a, l, rg.current())
    pl.store(dst, a, [i * 64 + 32, 0])
"""


@pytest.mark.parametrize("preload", [0, 1, 2])
def test_a_buffer_with_two_consumers_has_flags_for_each(preload: int) -> None:
    tiles = """\
    sh = pl.make_tile_group(type=MAT, addrs=0, mutex_ids=[20, 21, 22, 23], fwd_ids=[0, 1, 2, 3], bwd_ids=[0, 1, 2, 3])
    xg = pl.make_tile_group(type=PLAIN, addrs=0x10000, mutex_ids=[5, 6], fwd_ids=[4, 5], bwd_ids=[8, 9])
"""
    body = """
for i in pl.range(0, n):
    with pl.section_vector():
        put(i, src, ub, sh)
    with pl.section_cube():
        first(i, sh, lg, rg, ag, xg)
    with pl.section_vector():
        middle(i, xg, dst)
    with pl.section_cube():
        second(i, sh, lg, rg, ag, dst)
"""
    same_as_serial(four(body, stages=FAN, tiles=tiles), preload)


def test_buffers_over_the_same_bytes() -> None:
    text = four(tiles=FOUR_TILES.replace("0x18000", "0x10000"))
    for preload in (0, 1):
        same_as_serial(text, preload)


def test_a_consumer_may_write_in_place() -> None:
    """`four` adds into y, which the cube core wrote: y is handed back only when the store has read it."""
    lines = expanded(four(), 2).text.split("\n")
    back = next(line for line in lines if "set_cross_core" in line and "bwd: yg free" in line)
    ready = next(line for line in lines if "wait_cross_core" in line and "fwd: yg ready" in line)
    assert "pipe=pl.PipeType.MTE3" in back
    assert "pipe=pl.PipeType.V" in ready


def test_pipes_without_locks_are_chained_by_local_flags() -> None:
    tiles = FOUR_TILES.replace("addrs=0x18000, mutex_ids=[7, 8]", "addrs=0x18000, depth=2")
    text = same_as_serial(four(tiles=tiles), 2)
    assert "pl.system.sync_src(set_pipe=pl.PipeType.V, wait_pipe=pl.PipeType.MTE3, event_id=0)" in text
    assert "pl.system.sync_dst(set_pipe=pl.PipeType.V, wait_pipe=pl.PipeType.MTE3, event_id=0)" in text


def test_one_shared_id_and_one_slot() -> None:
    shared = FOUR_TILES.replace("fwd_ids=[4, 5, 6], bwd_ids=[4, 5, 6]", "fwd_ids=[4], bwd_ids=[7]")
    single = FOUR_TILES.replace(
        "addrs=0x10000, mutex_ids=[5, 6], fwd_ids=[0, 1], bwd_ids=[0, 1]",
        "addrs=0x10000, mutex_ids=[5], fwd_ids=[0], bwd_ids=[0]",
    )
    for preload in (0, 1, 2):
        same_as_serial(four(tiles=shared), preload)
        same_as_serial(four(tiles=single), preload)
    assert codes(four(tiles=single), 2) == ["PTO1489"]  # correct, but it stalls


def test_ids_that_do_not_follow_each_other() -> None:
    text = same_as_serial(put_take(ids=", fwd_ids=[3, 1], bwd_ids=[9, 4]"), 0, ((0, 0), (3, 0), (5, 0)))
    assert "_pl_fwd_sh_1 = [3, 1]" in text
    assert "event_id=_pl_fwd_sh_1[_pl_mod2]" in text


TUPLE_TILES = FOUR_TILES.replace(
    "    hg = pl.make_tile_group(type=PLAIN, addrs=0x20000, mutex_ids=[15, 16, 17])\n",
    """\
    h0 = pl.make_tile(PLAIN, addr=0x20000, size=16384, mutex_ids=[15])
    h1 = pl.make_tile(PLAIN, addr=0x24000, size=16384, mutex_ids=[16])
    h2 = pl.make_tile(PLAIN, addr=0x28000, size=16384, mutex_ids=[17])
    hg = (h0, h1, h2)
""",
)


def test_a_tuple_of_tiles_indexed_by_the_task() -> None:
    for preload in (0, 1, 2):
        same_as_serial(four(tiles=TUPLE_TILES), preload)
    assert codes(four(tiles=TUPLE_TILES), 3) == ["PTO1481"]


PAIR = """
@pl.jit
def k(n: pl.DT_INT32, m: pl.DT_INT32):
    with pl.section_vector():
        for i in pl.range(0, n):
            if FIRST:
                pl.printf("a")
            if SECOND:
                pl.printf("b")
"""


@pytest.mark.parametrize(
    ("first", "second", "excludes"),
    [
        ("i == 0", "i > 0", True),
        ("i == 0", "i != 0", True),
        ("i == 0", "i >= 1", True),
        ("m < 3", "m >= 3", True),
        ("m <= n", "m > n", True),
        ("i == 0", "i > 1", False),
        ("i == 1", "i > 1", False),
        ("m == 0", "m > 0", False),  # m may be negative
        ("m < 3", "m > 3", False),
        ("m < 3", "n >= 3", False),
    ],
)
def test_ifs_of_which_exactly_one_is_taken(first: str, second: str, excludes: bool) -> None:
    kernel = lower(HEAD + PAIR.replace("FIRST", first).replace("SECOND", second))
    assert kernel.vector is not None
    loop = next(s for s in kernel.vector.body if isinstance(s, ir.For))
    one, two = (s for s in loop.body if isinstance(s, ir.If))
    assert exclusive(one, two, {loop.var: 0}) is excludes
