"""The simulated machine: queues, locks, flags, barriers, virtual time, faults, threads."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from machine_runner import Runner

VECTOR, MIXED, LAUNCH = "machine_vector.cpp", "machine_mixed.cpp", "machine_launch.cpp"
SCHEDULES = [
    {},
    {"visibility": "late"},
    {"schedule": "random", "seed": 1},
    {"schedule": "random", "seed": 2},
    {"mode": "serial"},
]
KERNEL_ORDER = [options for options in SCHEDULES if "mode" not in options]


def only(report: Any) -> Mapping[str, Any]:
    assert len(report.findings) == 1
    finding: Mapping[str, Any] = report.findings[0]
    return finding


def pair(tiles: int) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    rng = np.random.default_rng(tiles)
    a, b = (rng.standard_normal((tiles * 16, 128)).astype(np.float32) for _ in range(2))
    return np.zeros_like(a), a, b


def squares(rounds: int = 1) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    rng = np.random.default_rng(rounds)
    a = rng.integers(-4, 5, (rounds, 64, 64)).astype(np.float16)
    b = rng.integers(-4, 5, (64, 64)).astype(np.float16)
    return a, b, a.astype(np.float32) @ b.astype(np.float32)


@pytest.mark.parametrize("options", SCHEDULES)
@pytest.mark.parametrize("kernel", ["add_locks", "add_flags"])
@pytest.mark.parametrize("tiles", [1, 2, 7])
def test_double_buffered_add_is_right_in_every_order(
    run: Runner, kernel: str, options: dict[str, Any], tiles: int
) -> None:
    out, a, b = pair(tiles)
    report = run(VECTOR, kernel, out, a, b, tiles, blocks=2, read_only=(1, 2), **options)
    assert report.code == "ok", report.findings
    assert np.array_equal(out, a + b)


def test_virtual_time_does_not_depend_on_the_schedule(run: Runner) -> None:
    out, a, b = pair(7)
    cycles = {run(VECTOR, "add_locks", out, a, b, 7, **options).cycles for options in KERNEL_ORDER}
    assert len(cycles) == 1


def test_a_missing_wait_shows_under_late_visibility(run: Runner) -> None:
    out, a, b = pair(1)
    run(VECTOR, "add_unordered", out, a, b)
    assert np.array_equal(out, a + b)
    run(VECTOR, "add_unordered", out, a, b, visibility="late")
    assert np.isnan(out).all()


def test_a_missing_set_is_a_deadlock_that_names_both_sides(run: Runner) -> None:
    out, a, _ = pair(1)
    report = run(VECTOR, "missing_set", out, a)
    assert report.code == "deadlock"
    finding = only(report)
    assert (finding["file"], finding["line"], finding["pipe"]) == ("missing.py", 1003, "MTE3")
    (wait,) = finding["waits"]
    assert wait["what"] == "flag V -> MTE3, id 5: 0 sets, 0 waits so far"
    assert wait["peer"] == "no set_flag of it is queued on vector 0 V, vector 0 has issued all its instructions"


def test_a_cycle_of_flags_names_every_member(run: Runner) -> None:
    report = run(VECTOR, "flag_cycle")
    assert report.code == "deadlock"
    waits = only(report)["waits"]
    assert [wait["pipe"] for wait in waits] == ["MTE3", "V"]
    assert all("is queued behind wait_flag" in wait["peer"] for wait in waits)


def test_a_lock_held_twice_is_a_fault_where_it_is_issued(run: Runner) -> None:
    report = run(VECTOR, "lock_twice")
    assert report.code == "sync_fault"
    finding = only(report)
    assert finding["kind"] == "lock_held"
    assert "lock id 7 is acquired on pipe V while it is held by pipe MTE2 since" in finding["message"]


@pytest.mark.parametrize("same_pipe", [0, 1])
def test_a_release_must_match_its_acquire(run: Runner, same_pipe: int) -> None:
    finding = only(run(VECTOR, "release_unheld", same_pipe))
    assert finding["kind"] == "lock_not_held"
    assert "pipe MTE2 holds it with mode 0" in finding["message"]


@pytest.mark.parametrize(
    ("address", "text"),
    [
        (253952 - 8192 + 32, "occupies bytes [245792, 253984) of Vec, which has 253952"),
        (16, "at address 16, not a multiple of 32 bytes"),
        (1 << 40, "of Vec, which has 253952"),
    ],
)
def test_a_tile_outside_its_memory_is_a_fault(run: Runner, address: int, text: str) -> None:
    report = run(VECTOR, "tile_out_of_memory", address)
    assert report.code == "out_of_bounds"
    assert text in only(report)["message"]


def test_the_last_tile_of_a_memory_is_not_a_fault(run: Runner) -> None:
    assert run(VECTOR, "tile_out_of_memory", 253952 - 8192).code == "ok"


@pytest.mark.parametrize("offset", [-1, 1, 5000])
def test_a_window_outside_its_tensor_is_a_fault(run: Runner, offset: int) -> None:
    a = np.zeros((16, 128), np.float32)
    report = run(VECTOR, "load_from", a, offset)
    assert report.code == "out_of_bounds"
    assert f"touches bytes [{offset * 4}, {offset * 4 + 8192}) of arg0, which has 8192 bytes" in only(report)["message"]


def test_a_read_only_tensor_is_not_written(run: Runner) -> None:
    out = np.zeros((16, 128), np.float32)
    report = run(VECTOR, "store_to", out, read_only=(0,))
    assert "writes to the read-only tensor arg0" in only(report)["message"]
    assert run(VECTOR, "store_to", out).code == "ok"
    assert (out == 2).all()


@pytest.mark.parametrize("options", KERNEL_ORDER)
def test_scalar_accesses_follow_flags(run: Runner, options: dict[str, Any]) -> None:
    out = np.zeros((16, 128), np.float32)
    run(VECTOR, "scalar_access", out, 1, **options)
    expected = np.full_like(out, 2)
    expected[0, 3] = 20
    assert np.array_equal(out, expected)


def test_an_unordered_scalar_read_sees_what_was_there_before(run: Runner) -> None:
    out = np.zeros((16, 128), np.float32)
    run(VECTOR, "scalar_access", out, 0, visibility="late")
    assert np.isnan(out[0, 3])


def test_independent_pipes_overlap_and_a_lock_makes_them_take_turns(run: Runner) -> None:
    a = np.zeros((16, 128), np.float32)
    free = run(VECTOR, "two_pipes", a, 50, 0)
    locked = run(VECTOR, "two_pipes", a, 50, 1)
    work = free.busy["MTE2"] + free.busy["V"]
    assert free.cycles < work
    assert locked.busy["MTE2"] == free.busy["MTE2"]
    assert locked.cycles > work


def test_transfers_overlap_in_flight_until_a_barrier(run: Runner) -> None:
    a = np.zeros((16, 128), np.float32)
    overlapping, ordered = (run(VECTOR, "loads", a, 20, barrier).cycles for barrier in (0, 1))
    assert ordered > overlapping + 15 * 300


@pytest.mark.parametrize("issues", [0, 1])
@pytest.mark.parametrize("options", [{}, {"visibility": "late"}, {"mode": "serial"}, {"threads": 2}])
def test_the_watchdog_ends_an_endless_loop(run: Runner, issues: int, options: dict[str, Any]) -> None:
    stop = np.zeros(1, np.int64)
    report = run(VECTOR, "endless", stop, issues, blocks=2, watchdog=0.1, **options)
    assert report.code == "watchdog"
    assert report.seconds < 20
    assert only(report)["core"] == "vector 0"


@pytest.mark.parametrize(
    ("kind", "code", "text"),
    [
        (0, "trap", "trap()"),
        (1, "memory_fault", "address 64: a null tensor, or an on-chip address"),
        (2, "memory_fault", "a division by zero"),
        (3, "memory_fault", "used more than 1024 KiB of stack"),
    ],
)
def test_faults_of_scalar_code_end_the_launch_not_the_process(run: Runner, kind: int, code: str, text: str) -> None:
    for _ in range(2):
        report = run(VECTOR, "faults", np.zeros(1, np.int64), kind)
        assert report.code == code
        assert text in only(report)["message"]


@pytest.mark.parametrize("threads", [1, 2])
def test_output_comes_in_block_order(run: Runner, threads: int, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(VECTOR, "prints", blocks=3, threads=threads).code == "ok"
    lines = capfd.readouterr().out.splitlines()
    assert [line for line in lines if line.startswith("block")] == [f"block {i} of 3" for i in range(3)]
    assert lines.count(" 1.5 1.5 1.5") == 3


def test_a_queue_has_an_end(run: Runner) -> None:
    assert run(VECTOR, "queue_ahead", 100_000).code == "ok"
    report = run(VECTOR, "queue_ahead", 2_000_000)
    assert report.code == "queue_full"
    assert only(report)["waits"][0]["what"].startswith("flag MTE3 -> V, id 0")


@pytest.mark.parametrize("options", KERNEL_ORDER)
def test_a_matmul_reaches_the_vector_cores_through_memory(run: Runner, options: dict[str, Any]) -> None:
    a, b, product = squares()
    out, space = np.zeros((64, 64), np.float32), np.zeros((64, 64), np.float32)
    assert run(MIXED, "through_memory", out, a, b, space, **options).code == "ok"
    assert np.array_equal(out, product[0] + 1)


@pytest.mark.parametrize("options", KERNEL_ORDER)
def test_a_matmul_reaches_the_vector_cores_through_their_buffers(run: Runner, options: dict[str, Any]) -> None:
    a, b, product = squares(5)
    out = np.zeros((5, 64, 64), np.float32)
    report = run(MIXED, "through_buffers", out, a, b, 5, **options)
    assert report.code == "ok", report.findings
    assert np.array_equal(out, product + 1)


def test_fifteen_sets_may_be_pending_and_a_sixteenth_is_a_fault(run: Runner) -> None:
    assert run(MIXED, "sets_ahead", 15, 0, 0).code == "ok"
    finding = only(run(MIXED, "sets_ahead", 16, 0, 0))
    assert finding["kind"] == "flag_overflow"
    assert "id 4 is set while 15 sets of it are not waited for yet (15 sets, 0 waits so far)" in finding["message"]


@pytest.mark.parametrize("options", KERNEL_ORDER)
def test_pending_sets_are_counted_in_virtual_time(run: Runner, options: dict[str, Any]) -> None:
    assert run(MIXED, "sets_ahead", 40, 40, 0, **options).code == "ok"
    finding = only(run(MIXED, "sets_ahead", 40, 40, 1, **options))
    assert finding["kind"] == "flag_overflow"


def test_a_flag_between_cores_that_never_comes_names_both_cores(run: Runner) -> None:
    finding = only(run(MIXED, "no_reply"))
    assert finding["kind"] == "deadlock"
    waits = {wait["core"]: wait for wait in finding["waits"]}
    assert set(waits) == {"vector 1"}
    assert (waits["vector 1"]["file"], waits["vector 1"]["line"]) == ("reply.py", 600)
    assert waits["vector 1"]["what"] == "set_intra_block from cube to vector 1, id 6: 0 sets, 0 waits so far"
    assert waits["vector 1"]["peer"].startswith("no set_intra_block(.., 22) of it is queued on cube")


@pytest.mark.parametrize("chip", ["a5", "a3"])
def test_messages_reach_the_cores_that_their_mode_names(run: Runner, chip: str) -> None:
    seen = np.zeros(3, np.int64)
    assert run(MIXED, "messages", seen, 0, chip=chip).code == "ok"
    assert seen.tolist() == [1, 1, 1]


def test_a_message_needs_both_vector_cores(run: Runner) -> None:
    report = run(MIXED, "messages", np.zeros(3, np.int64), 1, chip="a3")
    assert report.code == "deadlock"
    (wait,) = only(report)["waits"]
    assert wait["core"] == "cube"
    assert "vector 0 has sent it, its twin has not" in wait["peer"]


@pytest.mark.parametrize("options", KERNEL_ORDER)
def test_the_unit_flag_orders_matmul_and_store(run: Runner, options: dict[str, Any]) -> None:
    a, b, product = squares()
    out = np.zeros((3, 64, 64), np.float32)
    assert run(MIXED, "unit_flag", out, a, b, 3, 1, **options).code == "ok"
    assert all(np.array_equal(part, product[0] * 2) for part in out)


def test_a_missing_final_phase_is_a_deadlock(run: Runner) -> None:
    a, b, _ = squares()
    report = run(MIXED, "unit_flag", np.zeros((64, 64), np.float32), a, b, 1, 0)
    assert report.code == "deadlock"
    assert "no matmul with AccPhase::Final has filled it" in only(report)["message"]


@pytest.mark.parametrize("threads", [1, 2])
def test_serial_mode_passes_one_token_in_source_order(run: Runner, threads: int) -> None:
    log = np.zeros(32, np.int64)
    log[0] = 1
    assert run(MIXED, "turns", log, 3, 0, mode="serial", threads=threads).code == "ok"
    assert log[1:13].tolist() == [1, 2, 3, 4] * 3


def test_halves_that_meet_their_sections_in_different_order_are_a_fault(run: Runner) -> None:
    log = np.zeros(32, np.int64)
    log[0] = 1
    finding = only(run(MIXED, "turns", log, 1, 1, mode="serial"))
    assert finding["kind"] == "turn_order"
    assert "cube is at marker 1, vector 0 is at marker 2" in finding["message"]


def test_a_serial_kernel_without_flags_has_one_meaning(run: Runner) -> None:
    a, b, product = squares()
    out, space = np.zeros((64, 64), np.float32), np.zeros((64, 64), np.float32)
    assert run(MIXED, "serial_only", out, a, b, space, mode="serial").code == "ok"
    assert np.array_equal(out, product[0] + 1)
    run(MIXED, "serial_only", out, a, b, space, visibility="late")
    assert not np.array_equal(out, product[0] + 1)


@pytest.mark.parametrize("threads", [1, 2, 3])
@pytest.mark.parametrize("kind", [0, 1])
@pytest.mark.parametrize("options", SCHEDULES[:3])
def test_all_blocks_meet(run: Runner, threads: int, kind: int, options: dict[str, Any]) -> None:
    out, space = np.zeros((5, 64), np.float32), np.zeros((5, 64), np.float32)
    report = run(LAUNCH, "rotate", out, space, kind, blocks=5, threads=threads, **options)
    assert report.code == "ok", report.findings
    assert out[:, 0].tolist() == [2, 3, 4, 5, 1]


@pytest.mark.parametrize("threads", [1, 2])
def test_a_block_that_misses_the_barrier_is_a_deadlock(run: Runner, threads: int) -> None:
    out, space = np.zeros((3, 64), np.float32), np.zeros((3, 64), np.float32)
    report = run(LAUNCH, "rotate", out, space, 2, blocks=3, threads=threads)
    assert report.code == "deadlock"
    waits = only(report)["waits"]
    assert [(wait["block"], wait["operation"]) for wait in waits] == [(0, "SYNCALL"), (2, "SYNCALL")]


def test_a_body_that_meets_unmapped_memory_ends_the_launch_not_the_process(run: Runner) -> None:
    for _ in range(2):
        report = run(VECTOR, "load_from", 0, 0)  # a null tensor and no tensor table
        assert report.code == "memory_fault"
        assert "TLOAD ended in an access to memory that is not there" in only(report)["message"]


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("options", [{}, {"visibility": "late"}, {"mode": "serial"}])
def test_cube_and_vector_cores_of_all_blocks_meet(run: Runner, threads: int, options: dict[str, Any]) -> None:
    counts = np.zeros(4 * 3 * 8, np.int64)
    assert run(LAUNCH, "meet", counts, 20, blocks=4, threads=threads, **options).code == "ok"


@pytest.mark.parametrize("by_mode", [0, 1])
def test_atomic_additions_come_in_block_and_issue_order(run: Runner, by_mode: int) -> None:
    blocks, times = 7, 9
    rows = np.random.default_rng(3).standard_normal((blocks * times, 64)).astype(np.float32)
    expected = np.full(64, 0.1, np.float32)
    for row in rows:
        expected += row
    for threads in (1, 2, 3):
        sums = np.full(64, 0.1, np.float32)
        report = run(LAUNCH, "add_up", sums, rows, times, by_mode, blocks=blocks, threads=threads)
        assert report.code == "ok", report.findings
        assert np.array_equal(sums, expected)


def test_a_block_reads_its_own_atomic_additions(run: Runner) -> None:
    out, sums = np.zeros((3, 64), np.float32), np.full((3, 64), 10, np.float32)
    assert run(LAUNCH, "add_and_read", out, sums, blocks=3, threads=2).code == "ok"
    assert out[:, 5].tolist() == [12, 14, 16]


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_the_first_faulty_block_is_reported_whatever_the_threads(run: Runner, threads: int) -> None:
    for _ in range(5):
        report = run(LAUNCH, "trap_in", 13, 4, blocks=20, threads=threads)
        assert report.code == "trap"
        assert only(report)["block"] == 4


def test_results_and_times_are_those_of_one_thread(run: Runner) -> None:
    reports = []
    for threads in (1, 2, 4):
        out, a, b = pair(23)
        reports.append(run(VECTOR, "add_flags", out, a, b, 23, blocks=5, threads=threads))
        assert np.array_equal(out, a + b)
    assert len({(r.cycles, r.instructions, r.syncs, tuple(r.busy.items())) for r in reports}) == 1
