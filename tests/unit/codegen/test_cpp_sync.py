"""Flags, cross-core signals, barriers and locks."""

from __future__ import annotations

from cpp_building import at, i64, kernel, operate, ref, scalar_param, var

from ptopro.codegen import CodegenOptions, generate
from ptopro.language.enums import CrossCoreSyncMode, PipeType, SyncCoreType
from ptopro.lowering import ir

N = var("n")


def lines_of(*block: ir.Stmt, core: str = "vector", chip: str = "a5", serial: bool = False) -> list[str]:
    halves = {core: block}
    made = kernel("k", (scalar_param(N),), chip=chip, **halves)  # type: ignore[arg-type]
    text = generate(made, CodegenOptions(serial=serial)).files["kernel.cpp"]
    body = text.partition(f"k_impl_{core}(")[2].partition("\n")[2].partition("\n}\n")[0]
    lines = (line.partition("  // kernel.py")[0].strip() for line in body.splitlines())
    return [line for line in lines if line and not line.startswith(("set_mask", "set_vector_mask", "//"))]


def flag(name: str, event: object) -> ir.Operate:
    return operate(3, f"system.{name}", PipeType.S, set_pipe=PipeType.MTE2, wait_pipe=PipeType.V, event_id=event)


def signal(name: str, event: object, mode: CrossCoreSyncMode | None = None) -> ir.Operate:
    more = {} if mode is None else {"sync_mode": mode}
    return operate(3, f"system.{name}_cross_core", PipeType.S, pipe=PipeType.MTE3, event_id=event, **more)


def test_flags_with_constant_and_run_time_ids() -> None:
    assert lines_of(flag("sync_src", i64(7)), flag("sync_dst", i64(9)), flag("sync_dst", ref(N))) == [
        "set_flag(PIPE_MTE2, PIPE_V, EVENT_ID7);",
        "wait_flag(PIPE_MTE2, PIPE_V, static_cast<event_t>(9));",
        "wait_flag(PIPE_MTE2, PIPE_V, static_cast<event_t>(n));",
    ]


def test_barriers() -> None:
    assert lines_of(operate(3, "system.bar_all", PipeType.S)) == ["pipe_barrier(PIPE_ALL);"]


def test_the_cube_signals_both_vector_cores() -> None:
    assert lines_of(signal("set", i64(3)), signal("wait", ref(N)), core="cube") == [
        "set_intra_block(PIPE_MTE3, 3);",
        "set_intra_block(PIPE_MTE3, 19);",
        "wait_intra_block(PIPE_MTE3, n);",
        "wait_intra_block(PIPE_MTE3, n + 16);",
    ]


def test_a_vector_core_signals_once_and_unicast_is_one_call() -> None:
    assert lines_of(signal("set", i64(3))) == ["set_intra_block(PIPE_MTE3, 3);"]
    assert lines_of(signal("wait", i64(3), CrossCoreSyncMode.UNICAST_BLOCK), core="cube") == [
        "wait_intra_block(PIPE_MTE3, 3);"
    ]


def test_signals_between_blocks_go_by_message() -> None:
    between = CrossCoreSyncMode.INTER_BLOCK
    assert lines_of(signal("set", i64(2), between), signal("wait", i64(2), between)) == [
        "ffts_cross_core_sync(PIPE_MTE3, getFFTSMsg(0, 2));",
        "wait_flag_dev(PIPE_MTE3, 2);",
    ]


def test_a3_signals_by_message_and_sets_its_base_address() -> None:
    made = kernel("k", (scalar_param(N),), cube=(signal("set", i64(1)), signal("wait", i64(2))), chip="a3")
    text = generate(made).files["kernel.cpp"]
    assert "ffts_cross_core_sync(PIPE_MTE3, getFFTSMsg(2, 1));" in text
    assert "  wait_flag_dev(2);" in text
    assert "void k(int64_t n, __gm__ int64_t* ffts_addr) {" in text
    assert "  set_ffts_base_addr(reinterpret_cast<uint64_t>(ffts_addr));" in text


def test_sync_all() -> None:
    stmt = operate(3, "system.sync_all", PipeType.S, core_type=SyncCoreType.AIV_ONLY)
    assert lines_of(stmt) == ["SYNCALL<SyncCoreType::AIVOnly>();"]


def test_locks_by_id() -> None:
    locks = (ir.Lock(at(3), PipeType.MTE2, True, id=i64(4)), ir.Lock(at(3), PipeType.MTE2, False, id=ref(N), mode=1))
    assert lines_of(*locks) == ["get_buf(PIPE_MTE2, 4, 0);", "rls_buf(PIPE_MTE2, n, 1);"]


def test_turn_markers_only_in_serial_builds() -> None:
    section = (
        ir.SectionBegin(at(3), "vector", 1),
        operate(4, "system.bar_all", PipeType.S),
        ir.SectionEnd(at(3), "vector", 1),
    )
    assert lines_of(*section) == ["pipe_barrier(PIPE_ALL);"]
    assert lines_of(*section, serial=True) == ["PTOPRO_TURN(2);", "pipe_barrier(PIPE_ALL);", "PTOPRO_TURN(3);"]
