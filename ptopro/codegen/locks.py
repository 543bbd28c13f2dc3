"""Locks and their ids: `get_buf(PIPE_V, 0, 0);`, `rls_buf(PIPE_V, cur_id, 0);`.

A pair of one id never nests: where an id chosen at run time may be one that the pipe already holds, the second acquire
and its release are guarded (`if (b_id != a_id) get_buf(PIPE_V, b_id, 0);`).  A2 and A3 have no buffer locks: there a
lock is said by flags (flag_locks.py).
"""

from __future__ import annotations

from ptopro.codegen import flag_locks
from ptopro.codegen.context import FunctionContext
from ptopro.codegen.expressions import PRODUCT, render
from ptopro.codegen.tile_ids import Id, ids
from ptopro.language.enums import PipeType
from ptopro.lowering import ir

ANY_ID = frozenset(range(32))


def pipe_name(pipe: PipeType) -> str:
    return f"PIPE_{pipe.name}"


def lock(ctx: FunctionContext, stmt: ir.Lock) -> None:
    """Acquire or release every id that the statement means."""
    meant = ids(ctx, stmt.tile) if stmt.tile is not None else _of_expression(ctx, stmt.id)
    pipe = pipe_name(stmt.pipe)
    tile_ids = {item.text for item in meant}
    for item in meant:
        guard = _acquire(ctx, pipe, item, tile_ids) if stmt.acquire else _release(ctx, pipe, item)
        if ctx.half.flag_locks is None:
            instruction = "get_buf" if stmt.acquire else "rls_buf"
            ctx.out.write(f"{guard}{instruction}({pipe}, {item.text}, {stmt.mode});")
        elif stmt.acquire:
            flag_locks.take(ctx, ctx.half.flag_locks, stmt.pipe, item)
        else:
            flag_locks.release(ctx, ctx.half.flag_locks, stmt.pipe, item, guard)


def _of_expression(ctx: FunctionContext, node: ir.Expr | None) -> tuple[Id, ...]:
    if node is None:
        return ()
    if isinstance(node, ir.Const):
        number = ctx.half.lock_number(int(node.value))
        return (Id(str(number), frozenset((number,))),)
    if ctx.half.flag_locks is None:
        return (Id(render(node, ctx).text, ANY_ID),)
    events = len(flag_locks.EVENTS)
    return (Id(f"{render(node, ctx).at(PRODUCT)} % {events}", frozenset(flag_locks.EVENTS)),)


def _acquire(ctx: FunctionContext, pipe: str, item: Id, own: set[str]) -> str:
    """What stands before an acquire: the test that the pipe does not hold the id already."""
    held = ctx.held.setdefault(pipe, [])
    tests = [
        f"{_operand(item.text)} != {_operand(text)}"
        for text, values, _ in held
        if values & item.values and text not in own and not (text.isdigit() and item.text.isdigit())
    ]
    guard = f"if ({' && '.join(tests)}) " if tests else ""
    held.append((item.text, item.values, guard))
    return guard


def _release(ctx: FunctionContext, pipe: str, item: Id) -> str:
    """What stands before a release: the test that its acquire had."""
    held = ctx.held.setdefault(pipe, [])
    guard = ""
    for entry in held:
        if entry[0] == item.text:
            guard = entry[2]
            held.remove(entry)
            break
    return guard


def _operand(text: str) -> str:
    return f"({text})" if " " in text else text
