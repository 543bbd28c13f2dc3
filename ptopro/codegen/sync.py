"""Order between pipes, cores and blocks: flags, cross-core signals, the barrier of a launch, the scalar cache.

Cross-core signals on A5 from the cube reach vector core 0 by `id` and vector core 1 by `id + 16`; INTRA_BLOCK means
both.  A2 and A3, and signals between blocks, go by message (FFTS).
"""

from __future__ import annotations

from ptopro.codegen.context import FunctionContext
from ptopro.codegen.expressions import SUM, Text, converted, render
from ptopro.codegen.locks import pipe_name
from ptopro.codegen.tensors import linear_offset
from ptopro.codegen.tiles import member, tile
from ptopro.codegen.traverse import is_expression, is_tile
from ptopro.language.dtypes import INT64
from ptopro.language.enums import CacheLine, CrossCoreSyncMode, DcciDst, PipeType, SyncAllMode, SyncCoreType
from ptopro.lowering import ir

SECOND_LANE = 16  # added to an id in the cube: vector core 1
NAMED_EVENTS = 8  # EVENT_ID0 .. EVENT_ID7
_CORE_TYPES = {SyncCoreType.MIX: "Mix", SyncCoreType.AIV_ONLY: "AIVOnly", SyncCoreType.AIC_ONLY: "AICOnly"}


def set_flag(ctx: FunctionContext, stmt: ir.Operate) -> None:
    _flag(ctx, stmt, "set_flag")


def wait_flag(ctx: FunctionContext, stmt: ir.Operate) -> None:
    _flag(ctx, stmt, "wait_flag")


def _flag(ctx: FunctionContext, stmt: ir.Operate, instruction: str) -> None:
    pipes = [_pipe(stmt, name) for name in ("set_pipe", "wait_pipe")]
    ctx.out.write(f"{instruction}({pipes[0]}, {pipes[1]}, {_event(ctx, stmt.get('event_id'))});")


def _pipe(stmt: ir.Operate, name: str) -> str:
    pipe = stmt.get(name)
    assert isinstance(pipe, PipeType)
    return pipe_name(pipe)


def _event(ctx: FunctionContext, value: object) -> str:
    number = _number(value)
    if number is not None:
        return f"EVENT_ID{number}" if number < NAMED_EVENTS else f"static_cast<event_t>({number})"
    return f"static_cast<event_t>({render(value, ctx).text})"  # type: ignore[arg-type]


def _number(value: object) -> int | None:
    """The value of a compile-time id."""
    if isinstance(value, ir.Const):
        return int(value.value)
    return value if isinstance(value, int) else None


def _id(ctx: FunctionContext, value: object, lane: int = 0) -> str:
    number = _number(value)
    if number is not None:
        return str(number + lane)
    text = render(value, ctx)  # type: ignore[arg-type]
    return f"{text.at(SUM)} + {lane}" if lane else text.text


def set_cross_core(ctx: FunctionContext, stmt: ir.Operate) -> None:
    pipe, mode, event = _pipe(stmt, "pipe"), _mode(stmt), stmt.get("event_id")
    if _by_message(ctx, mode):
        ctx.half.uses_ffts = True
        ctx.out.write(f"ffts_cross_core_sync({pipe}, getFFTSMsg({mode.value}, {_id(ctx, event)}));")
        return
    for lane in _lanes(ctx, mode):
        ctx.out.write(f"set_intra_block({pipe}, {_id(ctx, event, lane)});")


def wait_cross_core(ctx: FunctionContext, stmt: ir.Operate) -> None:
    pipe, mode, event = _pipe(stmt, "pipe"), _mode(stmt), stmt.get("event_id")
    if _by_message(ctx, mode):
        ctx.half.uses_ffts = True
        on_pipe = f"{pipe}, " if ctx.half.kernel.chip == "a5" else ""
        ctx.out.write(f"wait_flag_dev({on_pipe}{_id(ctx, event)});")
        return
    for lane in _lanes(ctx, mode):
        ctx.out.write(f"wait_intra_block({pipe}, {_id(ctx, event, lane)});")


def _mode(stmt: ir.Operate) -> CrossCoreSyncMode:
    mode = stmt.get("sync_mode")
    return mode if isinstance(mode, CrossCoreSyncMode) else CrossCoreSyncMode.INTRA_BLOCK


def _by_message(ctx: FunctionContext, mode: CrossCoreSyncMode) -> bool:
    between = mode in (CrossCoreSyncMode.INTER_BLOCK, CrossCoreSyncMode.INTER_SUBBLOCK)
    return between or ctx.half.kernel.chip != "a5"


def _lanes(ctx: FunctionContext, mode: CrossCoreSyncMode) -> tuple[int, ...]:
    both = ctx.half.core == "cube" and mode is CrossCoreSyncMode.INTRA_BLOCK
    return (0, SECOND_LANE) if both else (0,)


def sync_all(ctx: FunctionContext, stmt: ir.Operate) -> None:
    """SYNCALL: by hardware flags, or counting in workspaces (soft)."""
    core = stmt.get("core_type")
    kind = f"SyncCoreType::{_CORE_TYPES[core if isinstance(core, SyncCoreType) else SyncCoreType.MIX]}"
    if stmt.get("mode") is not SyncAllMode.SOFT:
        ctx.out.write(f"SYNCALL<{kind}>();")
        return
    given = stmt.get("workspaces")
    workspaces = given if isinstance(given, tuple) else (given,)
    arguments = [_workspace(ctx, item) for item in workspaces if item is not None]
    ctx.out.write(f"SYNCALL<SyncAllMode::Soft, {kind}>({', '.join(arguments)});")


def _workspace(ctx: FunctionContext, item: object) -> str:
    if is_tile(item):
        return tile(ctx, item)  # type: ignore[arg-type]
    if is_expression(item):
        return render(item, ctx).text  # type: ignore[arg-type]
    assert isinstance(item, ir.TensorDecl)
    name = ctx.temporary(f"{item.name}_sync")
    kind = f"GlobalTensor<{item.dtype.c}, Shape<1, 1, 1, 1, 1>, Stride<1, 1, 1, 1, 1>>"
    ctx.out.write(f"{kind} {name}({ctx.tensor_pointer(item)});")
    return name


def clean_cache(ctx: FunctionContext, stmt: ir.Operate) -> None:
    """dcci: one cache line, or the whole data cache, of what a tensor or a tile holds."""
    target, offset = stmt.get("target"), stmt.get("offset")
    line = stmt.get("cache_line")
    scope = line.name if isinstance(line, CacheLine) else CacheLine.ENTIRE_DATA_CACHE.name
    chosen = stmt.get("dst")
    if isinstance(target, ir.TensorDecl):
        base, space, where = ctx.tensor_pointer(target), "__gm__", "CACHELINE_OUT"
        at = linear_offset(ctx, target, offset) if isinstance(offset, tuple) else offset
    else:
        base = f"{member(tile(ctx, target))}data()"  # type: ignore[arg-type]
        space, where, at = "__ubuf__", "CACHELINE_UB", offset
    if isinstance(chosen, DcciDst) and chosen is not DcciDst.AUTO:
        where = chosen.name
    pointer = Text(base, SUM + 2, INT64)
    if is_expression(at) and not (isinstance(at, ir.Const) and at.value == 0):
        pointer = Text(f"{base} + {converted(at, INT64, ctx).at(SUM + 1)}", SUM, INT64)  # type: ignore[arg-type]
    ctx.out.write(f"dcci(reinterpret_cast<{space} void*>({pointer.text}), {scope}, {where});")
