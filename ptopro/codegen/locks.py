"""Locks and their ids: `get_buf(PIPE_V, 0, 0);`, `rls_buf(PIPE_V, cur_id, 0);`.

A pair of one id never nests: where an id chosen at run time may be one that the pipe already holds, the second acquire
and its release are guarded (`if (b_id != a_id) get_buf(PIPE_V, b_id, 0);`).
"""

from __future__ import annotations

from ptopro.codegen.context import FunctionContext
from ptopro.codegen.expressions import render
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
        if stmt.acquire:
            _acquire(ctx, pipe, item, stmt.mode, tile_ids)
        else:
            _release(ctx, pipe, item, stmt.mode)


def _of_expression(ctx: FunctionContext, node: ir.Expr | None) -> tuple[Id, ...]:
    if node is None:
        return ()
    if isinstance(node, ir.Const):
        return (Id(str(int(node.value)), frozenset((int(node.value),))),)
    return (Id(render(node, ctx).text, ANY_ID),)


def _acquire(ctx: FunctionContext, pipe: str, item: Id, mode: int, own: set[str]) -> None:
    held = ctx.held.setdefault(pipe, [])
    tests = [
        f"{_operand(item.text)} != {_operand(text)}"
        for text, values, _ in held
        if values & item.values and text not in own and not (text.isdigit() and item.text.isdigit())
    ]
    guard = f"if ({' && '.join(tests)}) " if tests else ""
    held.append((item.text, item.values, guard))
    ctx.out.write(f"{guard}get_buf({pipe}, {item.text}, {mode});")


def _release(ctx: FunctionContext, pipe: str, item: Id, mode: int) -> None:
    held = ctx.held.setdefault(pipe, [])
    guard = ""
    for entry in held:
        if entry[0] == item.text:
            guard = entry[2]
            held.remove(entry)
            break
    ctx.out.write(f"{guard}rls_buf({pipe}, {item.text}, {mode});")


def _operand(text: str) -> str:
    return f"({text})" if " " in text else text
