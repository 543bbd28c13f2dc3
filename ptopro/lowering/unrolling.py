"""Loops over compile-time values: the body is lowered once for each item.

A `break` or `continue` under a run-time condition needs something to leave.  The rounds then stand in a loop that runs
once: all of them for `break`, each of them for `continue`.  A round that has both sets a variable before it leaves for
good, and the loop of all rounds is left where that is set.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ptopro.language.dtypes import BOOL
from ptopro.lowering import ir
from ptopro.lowering.context import Loop
from ptopro.lowering.environment import Edge, draft, merge
from ptopro.lowering.values import Pointer, Scalar, TupleValue, Value

if TYPE_CHECKING:
    from ptopro.lowering.context import Frame

UNROLL_LIMIT = 4096


def unroll(frame: Frame, node: ast.For, items: Sequence[Value]) -> None:
    """Lower `for target in items`."""
    if len(items) > UNROLL_LIMIT:
        frame.report("PTO1057", node.iter, count=len(items), limit=UNROLL_LIMIT)
        return
    from ptopro.lowering.assignment import assign_target

    span = frame.span(node)
    outer, rounds = frame.block, list[ir.Stmt]()
    items = [_held(frame, item) for item in items]
    loop = Loop(unrolled=True, depth=frame.depth)
    frame.loops.append(loop)
    going = True
    for item in items:
        frame.block = []
        loop.continues.clear()
        assign_target(frame, node.target, item, node)
        frame.run(node.body)
        going = _end_round(frame, node, loop, rounds)
        if not going:
            break
    frame.loops.pop()
    frame.block = rounds
    frame.terminated = not going
    if going:
        frame.run(node.orelse)
    ends = [] if frame.terminated else [Edge(frame.env, rounds)]
    frame.block = outer
    if not loop.breaks:
        _move(frame, loop, rounds, outer)
        outer.extend(rounds)
        return
    exits = [*loop.breaks, *ends]
    frame.env = merge(frame, exits, span, ["when the loop ends here"] * len(exits))
    frame.terminated = False
    if len(exits) == 1 and isinstance(rounds[-1], ir.Break) and loop.breaks[0].block is rounds:
        rounds.pop()  # the only way out, at the end of what runs
        _move(frame, loop, rounds, outer)
        outer.extend(rounds)
        return
    if ends:
        rounds.append(ir.Break(span))
    frame.emit(ir.While(span, ir.Const(True, BOOL), draft(rounds)))


def _held(frame: Frame, item: Value) -> Value:
    """An item as it is when the loop begins, whatever its rounds assign."""
    match item:
        case Scalar() | Pointer():
            return type(item)(frame.keep(item.expr, "item", pointer=isinstance(item, Pointer)))
        case TupleValue():
            return TupleValue(tuple(_held(frame, part) for part in item.items), item.names)
        case _:
            return item


def _end_round(frame: Frame, node: ast.For, loop: Loop, rounds: list[ir.Stmt]) -> bool:
    """Append a lowered round; whether control goes on to the next one."""
    block = frame.block
    edges = list(loop.continues)
    if frame.terminated:
        if block and isinstance(block[-1], ir.Continue):
            block.pop()
    else:
        edges.append(Edge(frame.env, block))
    frame.terminated = False
    if edges:
        frame.env = merge(frame, edges, frame.span(node), ["in this round"] * len(edges))
    if _jumps(block, ir.Continue):
        span = frame.span(node)
        done = frame.temporary("done", BOOL) if _jumps(block, ir.Break) else None
        if done is not None:
            _say_done(block, done)
            rounds.append(ir.Assign(span, done, ir.Const(False, BOOL)))
        _leave_instead(block)
        if edges[-1].block is block:
            block.append(ir.Break(span))
        rounds.append(ir.While(span, ir.Const(True, BOOL), draft(block)))
        if done is not None:
            rounds.append(ir.If(span, ir.VarRef(done), draft([ir.Break(span)]), draft([])))
    else:
        _move(frame, loop, block, rounds)
        rounds.extend(block)
    return bool(edges)


def _move(frame: Frame, loop: Loop, old: list[ir.Stmt], new: list[ir.Stmt]) -> None:
    """Paths that end in `old` end in `new`, which takes its statements."""
    edges = [edge for edge, _, _ in frame.returns]
    for each in (loop, *frame.loops):
        edges += [*each.breaks, *each.continues]
    for edge in edges:
        if edge.block is old:
            edge.block = new


def _jumps(block: Sequence[ir.Stmt], kind: type[ir.Stmt]) -> bool:
    """Whether a block jumps out of its own loop this way."""
    return any(
        isinstance(stmt, kind) or (isinstance(stmt, ir.If) and (_jumps(stmt.then, kind) or _jumps(stmt.other, kind)))
        for stmt in block
    )


def _say_done(block: Sequence[ir.Stmt], done: ir.Var) -> None:
    """Set a variable before each `break` of a block under construction."""
    assert isinstance(block, list)
    for i in reversed(range(len(block))):
        stmt = block[i]
        if isinstance(stmt, ir.Break):
            block.insert(i, ir.Assign(stmt.span, done, ir.Const(True, BOOL)))
        elif isinstance(stmt, ir.If):
            _say_done(stmt.then, done)
            _say_done(stmt.other, done)


def _leave_instead(block: Sequence[ir.Stmt]) -> None:
    """Turn the `continue`s of a block under construction into `break`s."""
    for i, stmt in enumerate(block):
        if isinstance(stmt, ir.Continue):
            assert isinstance(block, list)
            block[i] = ir.Break(stmt.span)
        elif isinstance(stmt, ir.If):
            _leave_instead(stmt.then)
            _leave_instead(stmt.other)
