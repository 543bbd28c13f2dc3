"""Locks around operations, as before/after pairs; `L(pipe, what)` and `U(...)` abbreviate the lines that expand writes."""

from __future__ import annotations

import re
import textwrap

import pytest
from expand_kernels import HEAD, KERNEL, codes, expanded, section, vector_kernel


def shorten(text: str) -> str:
    """`L V tile=t` for a lock line, `U V tile=t` for an unlock line; comments of generated lines dropped."""
    return re.sub(
        r"pl\.system\.mutex_(lock|unlock)\(pipe=pl\.PipeType\.(\w+), ([^)]*(?:\(\))?[^)]*)\)  # [^\n]*",
        lambda m: f"{'L' if m.group(1) == 'lock' else 'U'} {m.group(2)} {m.group(3)}",
        text,
    )


def body(text: str, **options: object) -> str:
    return shorten(section(expanded(text, **options).text))


def pair(before: str, after: str, declarations: str = "", helpers: str = "", **options: object) -> None:
    result = body(vector_kernel(before, declarations, helpers), **options)
    assert result == textwrap.dedent(after).strip("\n")


def test_each_operation_locks_its_tiles_on_its_pipe() -> None:
    pair(
        """
        t = a.next()
        u = b.next()
        pl.load(t, x, [0, 0])
        pl.muls(u, t, 2.0)
        pl.store(y, u, [0, 0])
        """,
        """
        t = a.next()
        u = b.next()
        L MTE2 tile=t
        pl.load(t, x, [0, 0])
        U MTE2 tile=t
        L V tile=u
        L V tile=t
        pl.muls(u, t, 2.0)
        U V tile=u
        U V tile=t
        L MTE3 tile=u
        pl.store(y, u, [0, 0])
        U MTE3 tile=u
        """,
    )


def test_generated_lines_say_why() -> None:
    text = expanded(
        vector_kernel("t = a.next()\nu = b.next()\npl.load(t, x, [0, 0])\npl.add(u, t, t)\npl.store(y, u, [0, 0])")
    )
    lines = [line.strip() for line in text.text.split("\n") if "mutex_" in line and "make_" not in line]
    assert lines[0] == "pl.system.mutex_lock(pipe=pl.PipeType.MTE2, tile=t)  # lock: load writes t"
    assert lines[1] == "pl.system.mutex_unlock(pipe=pl.PipeType.MTE2, tile=t)  # unlock: after load"
    assert lines[3] == "pl.system.mutex_lock(pipe=pl.PipeType.V, tile=t)  # lock: add reads t"
    assert (text.locks, text.saved) == (4, 0)


def test_runs_of_one_pipe_share_a_lock() -> None:
    pair(
        """
        t = a.next()
        pl.load(t, x, [0, 0])
        pl.muls(t, t, 2.0)
        pl.adds(t, t, 1.0)
        pl.exp(t, t)
        pl.store(y, t, [0, 0])
        """,
        """
        t = a.next()
        L MTE2 tile=t
        pl.load(t, x, [0, 0])
        U MTE2 tile=t
        L V tile=t
        pl.muls(t, t, 2.0)
        pl.adds(t, t, 1.0)
        pl.exp(t, t)
        U V tile=t
        L MTE3 tile=t
        pl.store(y, t, [0, 0])
        U MTE3 tile=t
        """,
    )


def test_without_coalescing_each_operation_has_its_own() -> None:
    text = expanded(
        vector_kernel("t = a.next()\npl.load(t, x, [0, 0])\npl.muls(t, t, 2.0)\npl.exp(t, t)"), coalesce=False
    )
    assert text.text.count("mutex_lock(") == 3
    assert (text.locks, text.saved) == (3, 0)


def test_a_run_ends_where_another_pipe_takes_the_lock() -> None:
    pair(
        """
        t = a.next()
        u = b.next()
        pl.load(t, x, [0, 0])
        pl.muls(u, t, 2.0)
        pl.load(t, x, [32, 0])
        pl.add(u, u, t)
        """,
        """
        t = a.next()
        u = b.next()
        L MTE2 tile=t
        pl.load(t, x, [0, 0])
        U MTE2 tile=t
        L V tile=t
        pl.muls(u, t, 2.0)
        U V tile=t
        L MTE2 tile=t
        pl.load(t, x, [32, 0])
        U MTE2 tile=t
        L V tile=t
        pl.add(u, u, t)
        U V tile=t
        """,
    )


def test_ids_used_by_one_pipe_need_no_lock() -> None:
    pair("t = a.next()\npl.muls(t, t, 2.0)\npl.exp(t, t)", "t = a.next()\npl.muls(t, t, 2.0)\npl.exp(t, t)")


def test_branches_and_loops_hold_their_own_locks() -> None:
    pair(
        """
        for i in pl.range(0, n):
            if i % 2 == 0:
                pl.load(a.current(), x, [i * 32, 0])
            pl.store(y, a.current(), [i * 32, 0])
        """,
        """
        for i in pl.range(0, n):
            if i % 2 == 0:
                L MTE2 tile=a.current()
                pl.load(a.current(), x, [i * 32, 0])
                U MTE2 tile=a.current()
            L MTE3 tile=a.current()
            pl.store(y, a.current(), [i * 32, 0])
            U MTE3 tile=a.current()
        """,
    )


def test_a_slot_picked_in_the_call_is_named_first() -> None:
    pair(
        """
        pl.load(a.next(), x, [0, 0])
        pl.muls(b.next(), a.current(), 2.0)
        pl.store(y, b.current(), [0, 0])
        """,
        """
        _pl_tile_0 = a.next()
        L MTE2 tile=_pl_tile_0
        pl.load(_pl_tile_0, x, [0, 0])
        U MTE2 tile=_pl_tile_0
        _pl_tile_1 = b.next()
        L V tile=_pl_tile_1
        L V tile=a.current()
        pl.muls(_pl_tile_1, a.current(), 2.0)
        U V tile=_pl_tile_1
        U V tile=a.current()
        L MTE3 tile=b.current()
        pl.store(y, b.current(), [0, 0])
        U MTE3 tile=b.current()
        """,
    )


def test_cursor_reads_before_a_move_of_the_cursor_are_named_too() -> None:
    pair(
        """
        for i in pl.range(0, n):
            pl.load(a.next(), x, [0, 0])
            pl.add(a.current(), a.next(), a.next())
        """,
        """
        for i in pl.range(0, n):
            _pl_tile_0 = a.next()
            L MTE2 tile=_pl_tile_0
            pl.load(_pl_tile_0, x, [0, 0])
            U MTE2 tile=_pl_tile_0
            _pl_tile_1 = a.current()
            _pl_tile_2 = a.next()
            _pl_tile_3 = a.next()
            L V tile=_pl_tile_1
            L V tile=_pl_tile_2
            pl.add(_pl_tile_1, _pl_tile_2, _pl_tile_3)
            U V tile=_pl_tile_1
            U V tile=_pl_tile_2
        """,
    )


def test_tiles_that_may_be_one_are_locked_by_number() -> None:
    pair(
        """
        t = a[n % 2]
        u = a.next()
        pl.load(t, x, [0, 0])
        pl.add(t, t, u)
        """,
        """
        t = a[n % 2]
        u = a.next()
        L MTE2 tile=t
        pl.load(t, x, [0, 0])
        U MTE2 tile=t
        L V mutex_id=0
        L V mutex_id=1
        pl.add(t, t, u)
        U V mutex_id=0
        U V mutex_id=1
        """,
    )


def test_views_lock_their_tile() -> None:
    pair(
        """
        t = a.next()
        pl.load(t, x, [0, 0])
        pl.muls(t[0:16, 0:32], t[16:32, 0:32], 2.0)
        """,
        """
        t = a.next()
        L MTE2 tile=t
        pl.load(t, x, [0, 0])
        U MTE2 tile=t
        L V tile=t
        pl.muls(t[0:16, 0:32], t[16:32, 0:32], 2.0)
        U V tile=t
        """,
    )


def test_a_tile_chosen_at_run_time_carries_its_lock() -> None:
    pair(
        """
        t0 = a.next()
        t1 = b.next()
        t = t0 if n > 3 else t1
        pl.load(t, x, [0, 0])
        pl.store(y, t, [0, 0])
        """,
        """
        t0 = a.next()
        t1 = b.next()
        t = t0 if n > 3 else t1
        L MTE2 tile=t
        pl.load(t, x, [0, 0])
        U MTE2 tile=t
        L MTE3 tile=t
        pl.store(y, t, [0, 0])
        U MTE3 tile=t
        """,
    )


def test_a_choice_written_as_operand_is_named() -> None:
    result = body(
        vector_kernel(
            "pl.load(a.next() if n > 3 else b.next(), x, [0, 0])\npl.store(y, a[0], [0, 0])\npl.store(y, b[0], [0, 0])\npl.store(y, a[1], [0, 0])\npl.store(y, b[1], [0, 0])"
        )
    )
    assert result.startswith(
        "_pl_tile_0 = a.next() if n > 3 else b.next()\nL MTE2 tile=_pl_tile_0\npl.load(_pl_tile_0, x, [0, 0])\n"
    )


def test_a_zero_trip_loop_keeps_the_order_around_it() -> None:
    pair(
        """
        t = a.next()
        pl.load(t, x, [0, 0])
        for i in pl.range(0, n):
            pl.muls(t, t, 2.0)
        pl.store(y, t, [0, 0])
        """,
        """
        t = a.next()
        L MTE2 tile=t
        pl.load(t, x, [0, 0])
        U MTE2 tile=t
        for i in pl.range(0, n):
            L V tile=t
            pl.muls(t, t, 2.0)
            U V tile=t
        L MTE3 tile=t
        pl.store(y, t, [0, 0])
        U MTE3 tile=t
        """,
    )


def test_a_hand_written_barrier_stays_once_and_changes_no_lock() -> None:
    result = body(
        vector_kernel(
            "t = a.next()\npl.load(t, x, [0, 0])\npl.system.bar_all()\npl.muls(t, t, 2.0)\npl.muls(t, t, 2.0)"
        )
    )
    without = body(vector_kernel("t = a.next()\npl.load(t, x, [0, 0])\npl.muls(t, t, 2.0)\npl.muls(t, t, 2.0)"))
    assert result.count("bar_all") == 1
    assert result.replace("pl.system.bar_all()\n", "") == without


def test_a_sync_operation_ends_a_run() -> None:
    pair(
        """
        t = a.next()
        pl.load(t, x, [0, 0])
        pl.muls(t, t, 2.0)
        pl.system.set_cross_core(pipe=pl.PipeType.V, event_id=0)
        pl.muls(t, t, 2.0)
        """,
        """
        t = a.next()
        L MTE2 tile=t
        pl.load(t, x, [0, 0])
        U MTE2 tile=t
        L V tile=t
        pl.muls(t, t, 2.0)
        U V tile=t
        pl.system.set_cross_core(pipe=pl.PipeType.V, event_id=0)
        L V tile=t
        pl.muls(t, t, 2.0)
        U V tile=t
        """,
    )


def test_descriptor_operations_take_no_lock() -> None:
    result = body(
        vector_kernel(
            "t = v.next()\npl.set_validshape(t, [n, 64])\npl.load(t, x, [0, 0])\npl.store(y, t, [0, 0])",
            "V = pl.TileType(shape=[32, 64], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Vec, valid_shape=[-1, -1])\n"
            "v = pl.make_tile_group(type=V, addrs=0x10000, mutex_ids=[4, 5])",
        )
    )
    assert result.startswith("t = v.next()\npl.set_validshape(t, [n, 64])\nL MTE2")


# ----------------------------------------------------------------------------------------------------------------------
# Element reads


def test_an_element_read_locks_on_s() -> None:
    pair(
        """
        t = a.next()
        pl.load(t, x, [0, 0])
        s = pl.getval(t, 3) + t[0, 1]
        pl.muls(t, t, s)
        """,
        """
        t = a.next()
        L MTE2 tile=t
        pl.load(t, x, [0, 0])
        U MTE2 tile=t
        L S tile=t
        s = pl.getval(t, 3) + t[0, 1]
        U S tile=t
        L V tile=t
        pl.muls(t, t, s)
        U V tile=t
        """,
    )


def test_an_element_written_and_read_locks_once() -> None:
    pair(
        "t = a.next()\npl.load(t, x, [0, 0])\nt[0, 0] += 1.0",
        """
        t = a.next()
        L MTE2 tile=t
        pl.load(t, x, [0, 0])
        U MTE2 tile=t
        L S tile=t
        t[0, 0] += 1.0
        U S tile=t
        """,
    )


def test_an_element_as_operand_is_read_before_the_operation() -> None:
    pair(
        "t = a.next()\npl.load(t, x, [0, 0])\npl.muls(t, t, pl.getval(t, 0))",
        """
        t = a.next()
        L MTE2 tile=t
        pl.load(t, x, [0, 0])
        U MTE2 tile=t
        L S tile=t
        _pl_value_0 = pl.getval(t, 0)
        U S tile=t
        L V tile=t
        pl.muls(t, t, _pl_value_0)
        U V tile=t
        """,
    )


def test_an_element_read_early_ends_a_run_of_element_reads() -> None:
    pair(
        """
        t = a.next()
        pl.load(t, x, [0, 0])
        pl.load(b[0], x, [0, 0])
        pl.setval(t, 0, 1.0)
        pl.muls(b[0], b[0], pl.getval(t, 0))
        pl.setval(t, 1, 1.0)
        """,
        """
        t = a.next()
        L MTE2 tile=t
        pl.load(t, x, [0, 0])
        U MTE2 tile=t
        L MTE2 tile=b[0]
        pl.load(b[0], x, [0, 0])
        U MTE2 tile=b[0]
        L S tile=t
        pl.setval(t, 0, 1.0)
        U S tile=t
        L S tile=t
        _pl_value_0 = pl.getval(t, 0)
        U S tile=t
        L V tile=b[0]
        pl.muls(b[0], b[0], _pl_value_0)
        U V tile=b[0]
        L S tile=t
        pl.setval(t, 1, 1.0)
        U S tile=t
        """,
    )


def test_the_test_of_a_while_sees_what_its_body_assigns() -> None:
    result = body(
        vector_kernel(
            """
            t = b[0]
            pl.load(a[0], x, [0, 0])
            while t[0, 0] > 0.0:
                t = a[0]
                pl.exp(b[1], b[1])
            """
        )
    )
    assert "L S tile=t" in result


def test_conditions_are_read_early() -> None:
    pair(
        """
        t = a.next()
        pl.load(t, x, [0, 0])
        if t[0, 0] > 0.0:
            pl.adds(b[0], b[0], 1.0)
        elif n > 3:
            pl.adds(b[0], b[0], 2.0)
        elif t[0, 1] > 0.0:
            pl.adds(b[0], b[0], 3.0)
        """,
        """
        t = a.next()
        L MTE2 tile=t
        pl.load(t, x, [0, 0])
        U MTE2 tile=t
        L S tile=t
        _pl_value_0 = t[0, 0] > 0.0
        U S tile=t
        L S tile=t
        _pl_value_1 = not _pl_value_0 and not (n > 3) and (t[0, 1] > 0.0)
        U S tile=t
        if _pl_value_0:
            pl.adds(b[0], b[0], 1.0)
        elif n > 3:
            pl.adds(b[0], b[0], 2.0)
        elif _pl_value_1:
            pl.adds(b[0], b[0], 3.0)
        """,
    )


def test_a_while_test_is_read_in_each_round() -> None:
    pair(
        """
        t = a.next()
        pl.load(t, x, [0, 0])
        while t[0, 0] > 0.0:
            pl.adds(t, t, -1.0)
            if n > 3:
                continue
        """,
        """
        t = a.next()
        L MTE2 tile=t
        pl.load(t, x, [0, 0])
        U MTE2 tile=t
        while True:
            L S tile=t
            _pl_value_0 = t[0, 0] > 0.0
            U S tile=t
            if not _pl_value_0:
                break
            L V tile=t
            pl.adds(t, t, -1.0)
            U V tile=t
            if n > 3:
                continue
        """,
    )


def test_loop_bounds_are_read_once() -> None:
    pair(
        """
        t = a.next()
        pl.load(t, x, [0, 0])
        for i in pl.range(0, pl.DT_INT32(t[0, 0])):
            pl.adds(b[0], b[0], 1.0)
        """,
        """
        t = a.next()
        L MTE2 tile=t
        pl.load(t, x, [0, 0])
        U MTE2 tile=t
        L S tile=t
        _pl_value_0 = t[0, 0]
        U S tile=t
        for i in pl.range(0, pl.DT_INT32(_pl_value_0)):
            pl.adds(b[0], b[0], 1.0)
        """,
    )


def test_while_with_an_else_has_no_place_for_a_lock() -> None:
    text = vector_kernel(
        "t = a.next()\npl.load(t, x, [0, 0])\nwhile t[0, 0] > 0.0:\n    pl.exp(t, t)\nelse:\n    pl.exp(b[0], b[0])"
    )
    assert codes(text) == ["PTO1510"]


# ----------------------------------------------------------------------------------------------------------------------
# Memory


def test_overlapping_groups_get_common_ids_in_the_text() -> None:
    text = vector_kernel(
        "pl.load(a.next(), x, [0, 0])\nu = c.next()\npl.muls(u, u, 2.0)\npl.store(y, u, [0, 0])",
        "c = pl.make_tile_group(type=T, addrs=0x0000, mutex_ids=[4, 5])",
    )
    result = expanded(text)
    assert "c = pl.make_tile_group(type=T, addrs=0x0000, mutex_ids=[0, 1])" in result.text
    assert [note.code for note in result.notes] == ["PTO1501"]
    assert "a and c overlap at 0x0000..0x3fff of Vec but share no mutex id" in result.notes[0].message
    assert body(text).count("L ") == 3


def test_a_plain_tile_over_a_group_takes_its_ids() -> None:
    text = vector_kernel(
        "pl.load(p, x, [0, 0])\npl.muls(b[0], a[1], 2.0)\npl.store(y, q, [0, 0])",
        "p = pl.make_tile(T, addr=0x2000)\nq = pl.make_tile(T, addr=0x20000,\n                 size=8192)",
    )
    result = expanded(text).text
    assert "p = pl.make_tile(T, addr=0x2000, mutex_ids=[1])" in result
    assert "q = pl.make_tile(T, addr=0x20000,\n" in result
    assert "L MTE2 tile=p" in shorten(result)


def test_automatic_ids_are_written() -> None:
    text = vector_kernel(
        "t = g.next()\npl.load(t, x, [0, 0])\npl.store(y, t, [0, 0])\npl.load(a.next(), x, [0, 0])",
        'g = pl.make_tile_group(type=T, addrs=0x10000, depth=2, mutex_ids="auto")',
    )
    assert "g = pl.make_tile_group(type=T, addrs=0x10000, depth=2, mutex_ids=[2, 3])" in expanded(text).text


def test_two_loads_into_one_slot_need_a_barrier() -> None:
    pair(
        """
        t = a.next()
        pl.load(t, x, [0, 0])
        pl.load(t, x, [32, 0])
        pl.store(y, t, [0, 0])
        """,
        """
        t = a.next()
        L MTE2 tile=t
        pl.load(t, x, [0, 0])
        pl.system.bar_mte2()  # WAW on MTE2
        pl.load(t, x, [32, 0])
        U MTE2 tile=t
        L MTE3 tile=t
        pl.store(y, t, [0, 0])
        U MTE3 tile=t
        """,
    )


def test_loads_into_different_slots_need_none() -> None:
    result = body(
        vector_kernel("pl.load(a.next(), x, [0, 0])\npl.load(a.next(), x, [32, 0])\npl.store(y, a[0], [0, 0])")
    )
    assert "bar_mte2" not in result


def test_another_pipe_in_between_is_order_enough() -> None:
    result = body(vector_kernel("t = a.next()\npl.load(t, x, [0, 0])\npl.muls(b[0], t, 2.0)\npl.load(t, x, [32, 0])"))
    assert "bar_mte2" not in result


def test_a_barrier_of_the_author_is_enough() -> None:
    text = vector_kernel(
        "t = a.next()\npl.load(t, x, [0, 0])\npl.system.bar_mte2()\npl.load(t, x, [32, 0])\npl.store(y, t, [0, 0])"
    )
    assert expanded(text).text.count("bar_mte2") == 1


@pytest.mark.parametrize(
    ("first", "second", "barriers"),
    [("[0, 0]", "[16, 0]", 0), ("[16, n]", "[0, n]", 0), ("[0, 0]", "[8, 0]", 1), ("[0, n]", "[0, 64]", 1)],
)
def test_tiles_pasted_side_by_side_need_none(first: str, second: str, barriers: int) -> None:
    text = expanded(
        f"""
import pypto_pro.language as pl

@pl.jit(auto_mutex=True)
def k(n: pl.DT_INT32):
    U = pl.TileType(shape=[32, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Vec, layout=pl.NZ, valid_shape=[16, 64])
    L = pl.TileType(shape=[32, 128], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Mat)
    near = pl.make_tile_group(type=U, addrs=0, mutex_ids=[0, 1])
    far = pl.make_tile_group(type=L, addrs=0, mutex_ids=[2])
    with pl.section_vector():
        whole = far.current()
        pl.insert(whole, near[0], {first})
        pl.insert(whole, near[1], {second})
"""
    ).text
    assert text.count("bar_mte3()") == barriers


# ----------------------------------------------------------------------------------------------------------------------
# What stays untouched


@pytest.mark.parametrize(
    "text",
    [
        vector_kernel("t = a.next()\npl.load(t, x, [0, 0])\npl.store(y, t, [0, 0])").replace(
            "auto_mutex=True", "auto_mutex=False"
        ),
        expanded(vector_kernel("t = a.next()\npl.load(t, x, [0, 0])\npl.store(y, t, [0, 0])")).text,
    ],
)
def test_a_kernel_without_auto_mutex_stays_as_it_is(text: str) -> None:
    assert expanded(text).text == text


def test_tiles_without_ids_get_no_lock() -> None:
    text = vector_kernel(
        "pl.load(p, x, [0, 0])\npl.muls(p, p, 2.0)\npl.store(y, p, [0, 0])", "p = pl.make_tile(T, addr=0x20000)"
    )
    assert expanded(text).text == text.replace("auto_mutex=True", "auto_mutex=False")


def test_mutex_auto_leaves_the_locks_to_the_next_stage() -> None:
    text = vector_kernel("t = a.next()\npl.load(t, x, [0, 0])\npl.store(y, t, [0, 0])")
    assert expanded(text, mutex="auto").text == text


def test_mutex_auto_still_merges_ids_and_adds_barriers() -> None:
    text = vector_kernel(
        "t = a.next()\npl.load(t, x, [0, 0])\npl.load(t, x, [0, 0])\npl.store(y, c.next(), [0, 0])",
        "c = pl.make_tile_group(type=T, addrs=0x0000, mutex_ids=[4, 5])",
    )
    result = expanded(text, mutex="auto").text
    assert "addrs=0x0000, mutex_ids=[0, 1])\n    with" in result
    assert result.count("bar_mte2") == 1
    assert "auto_mutex=True" in result and "mutex_lock" not in result
    assert expanded(result, mutex="auto").text == result


LAYOUT = (
    HEAD
    + "\n\n\ndef host():  # not a kernel\r\n\tprint( 'x' ) ;\r\n"
    + KERNEL.replace("(auto_mutex=True)", "  (  # why\n    auto_mutex = True ,\n)  # end")
    + """    with pl.section_vector():
        # comment before a binding
        t = a.next()   # type: ignore

        \f
        # comment before a load
        pl.load(t, x, \\
                [0, 0])     # comment behind
        if n > 3: pl.muls(t, t, 2.0); s = 1  # two in a line
        # comment at the end of the body

    # comment at the end of the kernel
"""
)


def test_everything_else_stays_byte_equal() -> None:
    for text in (LAYOUT, LAYOUT.replace("\r\n", "\n").replace("\n", "\r\n")):
        newline = "\r\n" if "\r\n    # comment at the end" in text else "\n"
        result = expanded(text).text
        kept = [line for line in result.split(newline) if "mutex_lock" not in line and "mutex_unlock" not in line]
        rest = newline.join(kept)
        rest = rest.replace(
            f"if n > 3:{newline}            pl.muls(t, t, 2.0){newline}            s = 1",
            "if n > 3: pl.muls(t, t, 2.0); s = 1",
        )
        assert rest == text.replace("auto_mutex = True", "auto_mutex = False")
        assert result.count("mutex_lock(") == 2


# ----------------------------------------------------------------------------------------------------------------------
# Diagnostics


def test_a_name_of_the_author_in_the_way() -> None:
    text = vector_kernel("_pl_tile_0 = 3\npl.load(a.next(), x, [0, 0])\npl.store(y, a.current(), [0, 0])")
    assert codes(text) == ["PTO1506"]


def test_a_name_with_the_prefix_that_is_not_in_the_way() -> None:
    text = vector_kernel("_pl_tile_7 = 3\npl.load(a.next(), x, [0, 0])\npl.store(y, a.current(), [0, 0])")
    assert codes(text) == []


def test_two_operations_of_different_pipes_in_one_statement() -> None:
    text = vector_kernel("t = a.next()\npl.load(t, x, [0, 0]), pl.store(y, t, [0, 0])")
    assert "PTO1507" in codes(text)


def test_a_hand_written_lock_around_an_operation() -> None:
    text = vector_kernel(
        "t = a.next()\npl.load(t, x, [0, 0])\npl.system.mutex_lock(pipe=pl.PipeType.V, mutex_id=0)\n"
        "pl.muls(t, t, 2.0)\npl.system.mutex_unlock(pipe=pl.PipeType.V, mutex_id=0)"
    )
    assert codes(text) == ["PTO1511"]


def test_a3_gets_the_same_locks() -> None:
    """The text is the same; what a lock is in C++ depends on the chip (tests/differential/test_locks_by_flags.py)."""
    text = vector_kernel("t = a.next()\npl.load(t, x, [0, 0])\npl.store(y, t, [0, 0])")
    assert codes(text, chip="a3") == []


def test_a_lock_by_hand_elsewhere_counts_as_a_user_of_the_id() -> None:
    text = vector_kernel(
        "t = a.next()\npl.muls(t, t, 2.0)\npl.system.mutex_lock(pipe=pl.PipeType.MTE2, tile=t)\n"
        "pl.system.mutex_unlock(pipe=pl.PipeType.MTE2, tile=t)"
    )
    assert "L V tile=t\npl.muls(t, t, 2.0)\nU V tile=t\n" in body(text)


def test_one_declaration_for_tiles_that_need_different_ids() -> None:
    text = vector_kernel(
        "pl.load(gs[0], x, [0, 0])\npl.store(y, gs[1], [0, 0])\npl.exp(c.next(), c.current())",
        "gs = []\nfor i in range(2):\n"
        "    gs = [*gs, pl.make_tile_group(type=T, addrs=0x20000 + i * 0x4000, mutex_ids=[5])[0]]\n"
        "c = pl.make_tile_group(type=T, addrs=0x21000, mutex_ids=[4])",
    )
    assert codes(text) == ["PTO1503", "PTO1501"]


def test_operands_out_of_a_starred_tuple() -> None:
    pair(
        """
        t = a.next()
        pl.load(t, x, [0, 0])
        tiles = (b.next(), t)
        pl.exp(*tiles)
        pl.store(y, tiles[0], [0, 0])
        """,
        """
        t = a.next()
        L MTE2 tile=t
        pl.load(t, x, [0, 0])
        U MTE2 tile=t
        tiles = (b.next(), t)
        L V tile=tiles[0]
        L V tile=tiles[1]
        pl.exp(*tiles)
        U V tile=tiles[0]
        U V tile=tiles[1]
        L MTE3 tile=tiles[0]
        pl.store(y, tiles[0], [0, 0])
        U MTE3 tile=tiles[0]
        """,
    )


def test_operands_out_of_a_starred_call_have_no_name() -> None:
    text = vector_kernel(
        "t = a.next()\npl.load(t, x, [0, 0])\npl.exp(*both(b.next(), t))", before="def both(s, t):\n    return s, t"
    )
    assert codes(text) == ["PTO1514"]


def test_an_id_that_two_memories_share_is_locked_where_it_orders_something() -> None:
    """On the vector core `far` (L1) is written by MTE3 alone, although `near` has its id: only near's bytes are shared."""
    text = expanded(
        """
import pypto_pro.language as pl

@pl.jit(auto_mutex=True)
def k(x: pl.Tensor[[32, 64], pl.DT_FP16]):
    U = pl.TileType(shape=[32, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Vec, layout=pl.NZ)
    L = pl.TileType(shape=[32, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Mat)
    near = pl.make_tile_group(type=U, addrs=0, mutex_ids=[0])
    copy = pl.make_tile_group(type=U, addrs=0x2000, mutex_ids=[1])
    far = pl.make_tile_group(type=L, addrs=0, mutex_ids=[0])
    with pl.section_vector():
        pl.muls(near.current(), near.current(), 2.0)
        pl.move(copy.current(), near.current())
        pl.insert(far.current(), copy.current(), [0, 0])
"""
    ).text
    assert "tile=far" not in text and "mutex_id=0" not in text
    assert text.count("pl.system.mutex_lock(") == 2  # copy: V, then MTE3
