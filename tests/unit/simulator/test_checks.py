"""The checks: clean kernels are silent under every schedule, each fault has its finding whatever the schedule."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from machine_runner import Runner

from ptopro.simulator import abi

VECTOR, MIXED = "check_vector.cpp", "check_mixed.cpp"
ALL = tuple(abi.CHECKS)
SCHEDULES: list[dict[str, Any]] = [
    {"visibility": "late"},
    {"visibility": "eager"},
    {"schedule": "random", "seed": 3},
    {"schedule": "slow", "seed": abi.PIPES.index("MTE2")},
    {"schedule": "slow", "seed": abi.PIPES.index("V")},
]


def rows(tiles: int) -> np.ndarray[Any, Any]:
    return np.random.default_rng(tiles).standard_normal((tiles * 16, 128)).astype(np.float32)


def squares() -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    rng = np.random.default_rng(0)
    a, b = (rng.integers(-4, 5, (64, 64)).astype(np.float16) for _ in range(2))
    return a, b, a.astype(np.float32) @ b.astype(np.float32)


def lines_of(finding: Mapping[str, Any]) -> list[int]:
    return [place["line"] for place in finding["places"]]


@pytest.fixture(params=range(len(SCHEDULES)))
def checked(request: pytest.FixtureRequest, run: Runner) -> Any:
    """Runs a kernel with all checks, under each schedule."""

    def launch(*args: Any, **options: Any) -> Any:
        return run(*args, checks=ALL, **{**SCHEDULES[request.param], **options})

    return launch


@pytest.mark.parametrize(("racy", "first"), [(0, None), (1, [120, 100]), (3, [100, 110])])
def test_a_double_buffer(checked: Any, racy: int, first: list[int] | None) -> None:
    """The missing edge comes first; what else is unordered because of it follows."""
    a = rows(6)
    out = np.zeros_like(a)
    report = checked(VECTOR, "double_buffer", out, a, 6, racy)
    if first is None:
        assert report.code == "ok", report.findings
        assert np.array_equal(out, 2 * a)
        return
    assert report.code == "race"
    assert {f["kind"] for f in report.findings} == {"race"}
    assert lines_of(report.findings[0]) == first


def test_a_race_names_both_sides_and_the_missing_edge(run: Runner) -> None:
    a = rows(6)
    report = run(VECTOR, "double_buffer", np.zeros_like(a), a, 6, 3, checks=("races",), visibility="eager")
    finding = report.findings[0]
    assert finding["message"] == (
        "TMULS on V reads Vec bytes [0x0, 0x2000) that TLOAD on MTE2 writes, and nothing orders them"
    )
    assert finding["hint"] == "TMULS on V must wait for TLOAD on MTE2: a flag MTE2 -> V, or one lock that both hold"
    first, second = finding["places"]
    assert (first["operation"], first["pipe"], first["core"], first["line"]) == ("TLOAD", "MTE2", "vector 0", 100)
    assert (second["operation"], second["file"], second["line"]) == ("TMULS", "kernel.py", 110)
    assert first["execution"] == second["execution"]
    assert second["what"] == "reads Vec bytes [0x0, 0x2000)"


@pytest.mark.parametrize(("mode", "racy"), [(0, True), (1, False), (2, False), (3, False), (4, True)])
def test_transfers_of_one_pipe_are_ordered_by_a_barrier_or_a_use(checked: Any, mode: int, racy: bool) -> None:
    a = rows(1)
    report = checked(VECTOR, "load_twice", np.zeros_like(a), a, mode)
    assert report.code == ("race" if racy else "ok")
    if racy:
        (finding,) = report.findings
        assert lines_of(finding) == [200, 210]
        assert "a barrier on MTE2" in finding["hint"]


def test_two_views_with_different_lock_ids(checked: Any) -> None:
    a = rows(1)
    out = np.zeros_like(a)
    assert checked(VECTOR, "locks", out, a, 4, 4).code == "ok"
    assert np.array_equal(out, 2 * a)
    report = checked(VECTOR, "locks", out, a, 4, 5)
    assert sorted(lines_of(report.findings[0])) == [300, 310]


@pytest.mark.parametrize(("shift", "racy"), [(0, False), (-32, True)])
def test_interleaved_columns_are_told_apart(checked: Any, shift: int, racy: bool) -> None:
    a = rows(1)
    report = checked(VECTOR, "columns", np.zeros_like(a), a, shift)
    assert report.code == ("race" if racy else "ok"), report.findings


@pytest.mark.parametrize(("racy", "code"), [(0, "ok"), (1, "race"), (2, "ok")])
def test_scalar_reads_wait_for_their_data(run: Runner, racy: int, code: str) -> None:
    out = rows(1)
    report = run(VECTOR, "scalar_read", out, racy, checks=("races",), visibility="late")
    assert report.code == code, report.findings
    if racy == 1:
        assert any("GetValue on S" in f["message"] and "flag V -> S" in f["hint"] for f in report.findings)


@pytest.mark.parametrize("racy", [0, 1])
def test_what_the_scalar_unit_waited_for_lies_before_what_it_issues(checked: Any, racy: int) -> None:
    report = checked(VECTOR, "through_scalar", rows(1), racy)
    assert ["race"] * racy == [f["kind"] for f in report.findings if f["kind"] == "race"]


@pytest.mark.parametrize("racy", [0, 1])
def test_global_memory_inside_a_block(checked: Any, racy: int) -> None:
    out, space = rows(2), rows(2)
    report = checked(VECTOR, "through_memory", out, space, racy, blocks=2)
    assert report.code == ("race" if racy else "ok"), report.findings
    if racy:
        (finding,) = report.findings
        assert "elements [0, 2048) of arg1" in finding["message"]


@pytest.mark.parametrize(("pitch", "atomic", "found"), [(16, 0, False), (15, 0, True), (0, 0, True), (0, 1, False)])
@pytest.mark.parametrize("threads", [1, 2])
def test_blocks_that_write_one_range(run: Runner, pitch: int, atomic: int, found: bool, threads: int) -> None:
    report = run(VECTOR, "blocks_write", np.zeros((64, 128), np.float32), pitch, atomic, blocks=4, checks=ALL,
                 threads=threads)  # fmt: skip
    assert report.code == ("block_overlap" if found else "ok"), report.findings
    if found:
        (finding,) = report.findings
        assert "both write" in finding["message"]
        assert [place["block"] for place in finding["places"]] == [0, 1]


@pytest.mark.parametrize(("pitch", "found"), [(64, False), (60, True)])
def test_column_strips_of_blocks_are_told_apart(run: Runner, pitch: int, found: bool) -> None:
    report = run(VECTOR, "blocks_strips", np.zeros((64, 256), np.float32), pitch, blocks=4, checks=ALL)
    assert report.code == ("block_overlap" if found else "ok"), report.findings


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("racy", [0, 1])
def test_a_barrier_over_the_launch_orders_blocks(run: Runner, racy: int, threads: int) -> None:
    report = run(VECTOR, "neighbours", rows(3), rows(3), racy, blocks=3, checks=ALL, threads=threads)
    assert report.code == ("block_overlap" if racy else "ok"), report.findings
    if racy:
        assert sorted(lines_of(report.findings[0])) == [900, 910]


@pytest.mark.parametrize(
    ("kind", "line", "text"),
    [
        (0, 1010, "flag V -> MTE3, id 4, is still set when the kernel ends: 2 sets, 1 wait"),
        (1, 1000, "flag V -> MTE3, id 4, is still set when the kernel ends: 1 set, 0 waits"),
        (2, 1020, "lock id 9 is still held by pipe V when the kernel ends"),
        (3, 0, ""),
    ],
)
def test_leaks(run: Runner, kind: int, line: int, text: str) -> None:
    report = run(VECTOR, "leaks", kind, checks=ALL)
    if kind == 3:
        assert report.code == "ok"
        return
    assert report.code == "leak"
    (finding,) = report.findings
    assert (finding["line"], finding["message"]) == (line, text)


@pytest.mark.parametrize(
    ("loaded", "used", "kind", "line"),
    [
        (16, 16, 0, None),
        (5, 5, 0, None),
        (5, 6, 0, 1100),
        (5, 6, 1, 1130),
        (5, 6, 2, 1120),
        (5, 6, 3, None),
        (5, 5, 1, None),
    ],
)
@pytest.mark.parametrize("mode", ["pipelined", "serial"])
def test_undefined_data(run: Runner, mode: str, loaded: int, used: int, kind: int, line: int | None) -> None:
    report = run(VECTOR, "undefined", rows(1), rows(1), loaded, used, kind, checks=("undefined",), mode=mode,
                 visibility="late")  # fmt: skip
    if line is None:
        assert report.code == "ok", report.findings
        return
    assert report.code == "undefined"
    finding = report.findings[0]
    assert finding["line"] == line
    expected = "element (0, 0) of" if kind == 2 else "element (5, 0) of operand"
    assert expected in finding["message"]


@pytest.mark.parametrize("depth", [50, 64])
def test_tails_and_padding_are_no_findings(run: Runner, depth: int) -> None:
    a, b, _ = squares()
    out = np.zeros((64, 64), np.float32)
    report = run(MIXED, "tails", out, a, b, depth, checks=ALL, visibility="late")
    if depth == 50:
        assert report.code == "ok", report.findings
        expected = a[:50, :50].astype(np.float32) @ b[:50, :50].astype(np.float32)
        assert np.array_equal(out[:50, :50], expected)
    else:
        assert report.code == "undefined"
        assert report.findings[0]["line"] == 400


@pytest.mark.parametrize("racy", [0, 1, 2, 3])
def test_flags_between_cores(checked: Any, racy: int) -> None:
    a, b, product = squares()
    out = np.zeros((3, 64, 64), np.float32)
    report = checked(MIXED, "through_buffers", out, a, b, 3, racy)
    if racy == 0:
        assert report.code == "ok", report.findings
        assert np.array_equal(out, np.stack([product + 1] * 3))
        return
    races = [f for f in report.findings if f["kind"] == "race"]
    assert all(sorted(lines_of(f)) == [100, 110] for f in races)
    assert races
    assert "a flag between the cores, set on" in races[0]["hint"]


def test_a_vector_core_that_skips_a_set_in_a_branch(run: Runner) -> None:
    a, b, _ = squares()
    report = run(MIXED, "through_buffers", np.zeros((3, 64, 64), np.float32), a, b, 3, 4, checks=ALL)
    assert report.code == "deadlock"
    assert any("set_intra_block from vector 1 to cube" in wait["what"] for wait in report.findings[0]["waits"])


def test_unit_flags(checked: Any) -> None:
    a, b, product = squares()
    out = np.zeros((2, 64, 64), np.float32)
    report = checked(MIXED, "unit_flag", out, a, b, 0)
    assert report.code == "ok", report.findings
    assert np.array_equal(out, np.stack([product] * 2))


@pytest.mark.parametrize(
    ("kind", "expected"), [(1, {"race", "unit_flag_leak"}), (2, {"race"}), (3, {"unit_flag_leak"})]
)
def test_misused_unit_flags(run: Runner, kind: int, expected: set[str]) -> None:
    a, b, _ = squares()
    report = run(MIXED, "unit_flag", np.zeros((2, 64, 64), np.float32), a, b, kind, checks=("races", "leaks"))
    assert {f["kind"] for f in report.findings} == expected
    for finding in report.findings:
        if finding["kind"] == "unit_flag_leak":
            assert finding["line"] == 205


def test_a_store_without_phase_is_named_when_the_next_matmul_waits_for_ever(run: Runner) -> None:
    a, b, _ = squares()
    report = run(MIXED, "unit_flag_stuck", np.zeros((64, 64), np.float32), a, b, checks=ALL)
    assert report.code == "deadlock"
    wait = next(w for w in report.findings[0]["waits"] if w["pipe"] == "M")
    assert wait["line"] == 320
    assert "TMATMUL at kernel.py:300 has set it" in wait["peer"]
    assert "TSTORE at kernel.py:310 has no STPhase" in wait["peer"]


@pytest.mark.parametrize("racy", [0, 1])
def test_global_memory_between_the_cores_of_a_block(checked: Any, racy: int) -> None:
    a, b, product = squares()
    out, space = np.zeros((64, 64), np.float32), np.zeros((64, 64), np.float32)
    report = checked(MIXED, "through_memory", out, a, b, space, racy)
    assert report.code == ("race" if racy else "ok"), report.findings
    if racy:
        assert any(sorted(lines_of(f)) == [500, 510] and "of arg3" in f["message"] for f in report.findings)
    else:
        assert np.array_equal(out, product)


def test_findings_do_not_depend_on_threads(run: Runner) -> None:
    a = rows(8)
    reports = [
        run(
            VECTOR, "double_buffer", np.zeros_like(a), a, 8, 1, blocks=4, checks=ALL, threads=threads, visibility="late"
        )
        for threads in (1, 2)
    ]
    assert reports[0].findings == reports[1].findings


def test_a_trace_explains_every_wait(run: Runner) -> None:
    a = rows(6)
    report = run(VECTOR, "double_buffer", np.zeros_like(a), a, 6, 0, trace=True, blocks=2)
    assert report.code == "ok"
    events = report.events
    assert report.events_dropped == 0
    assert {e.block for e in events} == {0, 1}
    assert {e.operation for e in events} == {"TLOAD", "TMULS", "TSTORE", "set_flag", "wait_flag"}
    assert max(e.end for e in events) == report.cycles
    for event in events:
        assert event.ready <= event.start <= event.end
        if event.cause_event is not None:
            source = events[event.cause_event]
            assert source.block == event.block
            assert source.start <= event.end
        if event.cause == "flag":
            source = events[event.cause_event]
            assert (source.operation, source.id, source.other_pipe) == ("set_flag", event.id, event.pipe)
    assert sum(e.end - e.start for e in events if e.pipe == "V" and e.operation == "TMULS") == pytest.approx(
        report.core_busy["vector 0"]["V"]
    )
    assert sum(sum(busy.values()) for busy in report.core_busy.values()) == pytest.approx(sum(report.busy.values()))


def test_a_loop_that_does_not_end_is_found_where_blocks_are_counted(tmp_path: Any) -> None:
    counting = Runner(tmp_path, counts_blocks=True)
    report = counting(VECTOR, "endless", np.zeros(1, np.int64), block_limit=100_000, checks=ALL)
    assert report.code == "loop_limit"
    assert report.findings[0]["file"] == "kernel.py"
    assert "more than 100000 basic blocks" in report.findings[0]["message"]
