"""Order between pipes, cores and blocks: flags, barriers, cross-core signals, locks, caches."""

from __future__ import annotations

from ptopro.language.enums import (
    CacheLine,
    CrossCoreSyncMode,
    DcciDst,
    PipeType,
    SyncAllMode,
    SyncCoreType,
)
from ptopro.language.operations.model import REQUIRED, Form, Kind, Operand, Operation, Role
from ptopro.language.operations.parts import VEC, attr, member, page
from ptopro.language.operations.rules.sync import (
    check_cross_core,
    check_flag,
    check_mutex,
    check_sync_all,
)

_FLAG = page("synchronization/sync_src_sync_dst")
_BARRIER = page("synchronization/barrier")
_CROSS = page("synchronization/set_cross_core_wait_cross_core")
_MUTEX = page("synchronization/mutex_lock_mutex_unlock")


def _id(name: str, default: object = REQUIRED) -> Operand:
    """An id: a constant, or a run-time integer."""
    return Operand(name, Role.SCALAR, Kind.SCALAR, default, keyword_only=True)


def _pipe(name: str) -> Operand:
    return member(name, PipeType)


def _flag(name: str, summary: str) -> Operation:
    return Operation(
        name=f"system.{name}",
        group="sync",
        operands=(_pipe("set_pipe"), _pipe("wait_pipe"), _id("event_id")),
        pipe=PipeType.S,
        summary=summary,
        forms=(Form((), (f"@{name}",)),),
        check=check_flag,
        constraints=("two different pipes", "event_id from 0 to 15; headers of the chip may know 0 to 7 only"),
        source=_FLAG,
    )


def _barrier(pipe: str) -> Operation:
    return Operation(
        name=f"system.bar_{pipe.lower()}",
        group="sync",
        operands=(),
        pipe=PipeType.S,
        summary=f"Later work of {'every pipe' if pipe == 'ALL' else pipe} waits for all its earlier work.",
        forms=(Form((), (f"pipe_barrier(PIPE_{pipe})",)),),
        source=_BARRIER,
    )


def _cross(name: str, summary: str) -> Operation:
    return Operation(
        name=f"system.{name}",
        group="sync",
        operands=(
            _pipe("pipe"),
            _id("event_id"),
            member("sync_mode", CrossCoreSyncMode, CrossCoreSyncMode.INTRA_BLOCK),
        ),
        pipe=PipeType.S,
        summary=summary,
        forms=(Form((), (f"@{name}",)),),
        check=check_cross_core,
        constraints=("event_id from 0 to 15", "both sides say the same sync_mode"),
        source=_CROSS,
    )


def _mutex(namespace: str, name: str, summary: str) -> Operation:
    return Operation(
        name=f"{namespace}.{name}",
        group="sync",
        operands=(
            _pipe("pipe"),
            _id("mutex_id", None),
            attr("mode", 0, choices=(0, 1)),
            attr("max_mutex_id", 2),
            attr("mutex_ids", None),
            Operand("tile", Role.DESCRIPTOR, Kind.TILE, None, keyword_only=True),
        ),
        pipe=PipeType.S,
        summary=summary,
        forms=(Form((), (f"@{name}",)),),
        check=check_mutex,
        constraints=("mutex_id from 0 to 31, or the tile whose ids are meant", "pairs of one id do not nest"),
        source=_MUTEX,
    )


_LOCK = "Stall a pipe until the lock's earlier holders have released it; tile= means every id of the tile's slot."
_UNLOCK = "Release a lock once the earlier work of the pipe is done."

OPERATIONS: tuple[Operation, ...] = (
    _flag("sync_src", "Set a flag from set_pipe to wait_pipe when set_pipe gets here."),
    _flag("sync_dst", "Hold wait_pipe until the flag from set_pipe is set."),
    *(_barrier(pipe) for pipe in ("M", "MTE1", "MTE2", "MTE3", "FIX", "ALL")),
    _cross("set_cross_core", "Signal other cores when the pipe gets here."),
    _cross("wait_cross_core", "Hold the pipe until the other core's signal has come."),
    Operation(
        name="system.sync_all",
        group="sync",
        operands=(
            Operand("workspaces", Role.INOUT, Kind.ATTR, None),
            member("core_type", SyncCoreType, SyncCoreType.MIX),
            member("mode", SyncAllMode, SyncAllMode.HARD),
        ),
        pipe=PipeType.S,
        summary="A barrier over all cores of the launch.",
        forms=(Form((), ("@sync_all",)),),
        check=check_sync_all,
        constraints=("HARD takes no workspaces; SOFT needs them: a tensor, and a UB or L1 tile",),
        source=page("synchronization/sync_all"),
    ),
    _mutex("system", "mutex_lock", _LOCK),
    _mutex("system", "mutex_unlock", _UNLOCK),
    _mutex("mutex", "mutex_lock", _LOCK),
    _mutex("mutex", "mutex_unlock", _UNLOCK),
    Operation(
        name="system.dcci",
        group="sync",
        operands=(
            Operand("target", Role.IN, Kind.TENSOR | Kind.TILE, memory=VEC),
            Operand("offset", Role.SCALAR, Kind.SCALAR | Kind.OFFSETS, None),
            member("cache_line", CacheLine, CacheLine.ENTIRE_DATA_CACHE),
            member("dst", DcciDst, DcciDst.AUTO),
        ),
        pipe=PipeType.S,
        summary="Write back and invalidate the scalar unit's data cache.",
        forms=(Form((), ("@dcci",)),),
        constraints=("a tile takes one offset, a tensor one or one for each axis",),
        source=page("cache_control/dcci"),
    ),
    Operation(
        name="system.set_mm_layout_transform",
        group="sync",
        operands=(attr("enabled"),),
        pipe=PipeType.S,
        summary="The direction in which FIX drains Acc: True along N, False along M.",
        forms=(
            Form(("enabled=true",), ("set_ctrl(sbitset1(get_ctrl(), 51))",)),
            Form((), ("set_ctrl(sbitset0(get_ctrl(), 51))",)),
        ),
        chips=("a5",),
        source=page("matrix_computation/set_mm_layout_transform"),
    ),
)
