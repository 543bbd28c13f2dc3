"""Loops over `pl.range` and `while`: break, continue, else.

In: the syntax node of a loop.  Out: a `For` or `While`, and the environment after it.  Names that the body assigns are
variables at the loop's head; a body is lowered until the types at its end are those at its head (`lower_loop`).
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ptopro.diagnostics import Sink, Span
from ptopro.frontend.scope import bound_names, mutated_names
from ptopro.language.dtypes import BOOL, INT64
from ptopro.lowering import ir, scalars
from ptopro.lowering.assignment import assign_target, iterate
from ptopro.lowering.context import Loop
from ptopro.lowering.environment import Binding, Edge, Environment, draft, join, merge, same_values, store
from ptopro.lowering.errors import InternalError
from ptopro.lowering.expressions import members
from ptopro.lowering.unrolling import unroll
from ptopro.lowering.values import (
    UNKNOWN,
    Conflict,
    Known,
    RangeValue,
    Scalar,
    Unknown,
    Unset,
    Value,
    kind_name,
)

if TYPE_CHECKING:
    from ptopro.lowering.context import Frame

_TRIALS = 16  # rounds of widening the types at a loop's head; each name widens at most a few times
NO_ROUND = "when the loop runs no round"
LOOP_TRIPS_MAX = 65535  # of a loop of register code


@dataclass(slots=True)
class LoopShape:
    """What is known of a loop before its body is lowered.

    assigned: names that the body binds or changes in place; enter: lowers what stands at the head of each round (the
    loop variable, the test of a while); once: it runs at least once; tests: what `enter` leaves for a while loop, whose
    test may be known to hold (then it ends by `break` alone).
    """

    body: Sequence[ast.stmt]
    orelse: Sequence[ast.stmt]
    assigned: frozenset[str]
    at: Span
    enter: Callable[[], None]
    once: bool = False
    tests: list[ir.Expr | bool | None] | None = None
    target: str = ""

    @property
    def endless(self) -> bool:
        return self.tests is not None and self.tests[0] is True


@dataclass(slots=True)
class LoweredLoop:
    """block: the body; head: statements that a while loop's test needs; leaving: what runs when the test fails.

    insert: where the loop belongs in the frame's block; what stands behind it is what its normal end does.
    """

    block: list[ir.Stmt]
    head: list[ir.Stmt]
    leaving: list[ir.Stmt]
    insert: int


def for_loop(frame: Frame, node: ast.For) -> None:
    iterable = frame.value(node.iter)
    if isinstance(iterable, RangeValue):
        _counted(frame, node, iterable)
        return
    items = members(iterable)
    if items is None and isinstance(iterable, Known):
        expanded = iterate(frame, iterable, node.iter)
        items = None if expanded is None else tuple(expanded)
    elif items is None and not isinstance(iterable, Unknown):
        frame.report("PTO1258", node.iter, found=kind_name(iterable))
    if items is not None:
        unroll(frame, node, items)
        return
    # The body is lowered once, for its own errors.
    frame.loops.append(Loop())

    def round_() -> None:
        assign_target(frame, node.target, UNKNOWN, node)
        frame.run(node.body)

    frame.inner(frame.env, round_)
    frame.loops.pop()
    for name in bound_names([node]):
        frame.env[name] = Binding(UNKNOWN)


def _counted(frame: Frame, node: ast.For, bounds: RangeValue) -> None:
    """for x in pl.range(...)."""
    if not isinstance(node.target, ast.Name):
        frame.report("PTO1059", node.target)
        return
    values = zip((bounds.start, bounds.stop, bounds.step), bounds.nodes, strict=True)
    start, stop, step = (scalars.integer(frame, value, where, "a bound of pl.range") for value, where in values)
    sign = 0
    if isinstance(bounds.step, Known) and isinstance(bounds.step.value, int):
        sign = (bounds.step.value > 0) - (bounds.step.value < 0)
        if sign == 0:
            frame.report("PTO1060", node.iter)
    target, span = node.target.id, frame.span(node)
    counter = ir.Var(target, INT64, frame.span(node.target))
    canonical = [getattr(value, "value", None) for value in (bounds.start, bounds.step)] == [0, 1]
    _limit_rounds(frame, bounds, node)
    assigned = _assigned(node.body)

    def enter() -> None:
        frame.loops[-1].counter = counter if canonical else None
        var = counter
        if target in assigned:  # assigning to the loop variable does not change the count
            var = frame.variable(target, INT64)
            frame.emit(ir.Assign(span, var, ir.VarRef(counter)))
        else:
            frame.fixed.add(counter)
        frame.env[target] = Binding(Scalar(ir.VarRef(var)), span=counter.span)

    shape = LoopShape(node.body, node.orelse, assigned, frame.span(node.iter), enter, _runs(bounds), target=target)
    lowered = lower_loop(frame, shape)
    if start is not None and stop is not None and step is not None:
        frame.block.insert(lowered.insert, ir.For(span, counter, start, stop, step, sign, draft(lowered.block)))


def _runs(bounds: RangeValue) -> bool:
    """Whether the loop is known to run at least once."""
    return (_rounds(bounds) or 0) > 0


def _rounds(bounds: RangeValue) -> int | None:
    """How often a loop runs, None when that is not known."""
    numbers = [v.value for v in (bounds.start, bounds.stop, bounds.step) if isinstance(v, Known)]
    if len(numbers) < 3 or not all(isinstance(n, int) for n in numbers) or numbers[2] == 0:
        return None
    return len(range(*numbers))


def _limit_rounds(frame: Frame, bounds: RangeValue, node: ast.For) -> None:
    """Loops of register code count in 16 bits."""
    rounds = _rounds(bounds)
    if frame.registers is not None and rounds is not None and rounds > LOOP_TRIPS_MAX:
        frame.report("PTO1298", node.iter, count=rounds)


def while_loop(frame: Frame, node: ast.While) -> None:
    span = frame.span(node)
    tests: list[ir.Expr | bool | None] = []

    def enter() -> None:
        tests[:] = [scalars.truth(frame, frame.value(node.test), node.test)]

    sink, frame.lowering.sink = frame.lowering.sink, Sink()
    probe = frame.inner(frame.env, enter)
    frame.lowering.sink = sink
    if tests[0] is False and not probe.block:
        frame.run(node.orelse)
        return
    assigned = _assigned([ast.copy_location(ast.Expr(node.test), node.test), *node.body])
    shape = LoopShape(node.body, node.orelse, assigned, frame.span(node.test), enter, tests=tests)
    lowered = lower_loop(frame, shape)
    test = tests[0]
    if test is None:
        return
    if isinstance(test, bool):
        test = ir.Const(test, BOOL)
    if lowered.head or lowered.leaving:
        # The test needs statements: they run inside the loop, which is left from there.
        leave = ir.If(span, ir.Unary("not", test, BOOL), draft([*lowered.leaving, ir.Break(span)]), ())
        lowered.block[:0] = [*lowered.head, leave]
        test = ir.Const(True, BOOL)
    frame.block.insert(lowered.insert, ir.While(span, test, draft(lowered.block)))


def _assigned(body: Sequence[ast.stmt]) -> frozenset[str]:
    return bound_names(list(body)) | mutated_names(list(body))


def lower_loop(frame: Frame, shape: LoopShape) -> LoweredLoop:
    """Lower a loop's body and go on with what holds after the loop.

    Names that the body assigns are variables at its head.  Their types are those before the loop, widened until they
    also hold what the end of the body leaves in them.
    """
    entry = frame.env
    before = Edge(entry, frame.block)
    head: Environment = dict(entry)
    carried = sorted(name for name in shape.assigned if name in entry and name != shape.target)
    for name in carried:
        _widen(frame, head, name, [entry[name].value], shape.at)
    for _ in range(_TRIALS):
        returns = len(frame.returns)
        sink, frame.lowering.sink = frame.lowering.sink, Sink()
        loop = Loop(depth=frame.depth)
        frame.loops.append(loop)
        test_block, first, end = _round(frame, shape, head)
        frame.loops.pop()
        drafted, frame.lowering.sink = frame.lowering.sink, sink
        back = [*loop.continues] + ([] if end.ended else [end])
        changed = False
        for name in carried:
            values = [edge.env[name].value for edge in (*back, *loop.breaks)]
            changed |= _widen(frame, head, name, [head[name].value, *values], shape.at)
        if not changed:
            break
        del frame.returns[returns:]
    else:
        raise InternalError(f"the types of the loop at {shape.at} do not settle")
    frame.lowering.sink.extend(drafted.diagnostics)
    for name in carried:
        form = head[name].value
        store(frame, before, form, entry[name], shape.at)
        for edge in back:
            store(frame, edge, form, edge.env[name], shape.at)
    leaving = Edge(first if shape.tests is not None else dict(head), [])
    outer, frame.block = frame.block, []
    prelude = _after(frame, shape, entry, loop, back, leaving)
    behind, frame.block = frame.block, outer
    frame.block.extend(prelude)
    insert = len(frame.block)
    frame.block.extend(behind)
    return LoweredLoop(end.block, test_block, leaving.block if shape.tests is not None else [], insert)


def _round(frame: Frame, shape: LoopShape, head: Environment) -> tuple[list[ir.Stmt], Environment, Edge]:
    """One lowering of the body: statements of the test, the environment after the test, and the body's end."""
    test_block: list[ir.Stmt] = []
    after_test: list[Environment] = []

    def lower() -> None:
        shape.enter()
        if shape.tests is not None:
            test_block.extend(frame.block)
            frame.block.clear()
        after_test.append(dict(frame.env))
        frame.run(shape.body)

    end = frame.inner(head, lower)
    return test_block, after_test[0], end


def _widen(frame: Frame, head: Environment, name: str, values: Sequence[Value], at: Span) -> bool:
    """Let the head's value of a name also hold `values`; whether that changed it."""
    old = head[name].value
    if any(isinstance(value, Unknown) for value in values):
        return False  # an error in the body: another round would only silence it
    form = join(frame, name, values, at, run_time=True)
    if form is old or same_values((old, form)) or (isinstance(old, Conflict) and isinstance(form, Conflict)):
        return False
    head[name] = Binding(form, None, head[name].span, head[name].doubt)
    return True


def _after(
    frame: Frame, shape: LoopShape, entry: Environment, loop: Loop, back: Sequence[Edge], leaving: Edge
) -> list[ir.Stmt]:
    """Set the environment after a loop: where its test fails, and where a `break` leaves it.

    Statements behind the loop go to the frame's block; those that belong before it are returned.  A name that only the
    body assigns keeps its last value; without a round it has none, which a use is warned of.
    """
    doubt = Unset(NO_ROUND, shape.at)
    exits = [*([] if shape.endless else [leaving]), *loop.breaks]
    for edge in exits:
        for end in (*back, *loop.breaks):
            for name, binding in end.env.items():
                if name in edge.env and not (name == shape.target and edge is leaving):
                    continue
                if name == shape.target and name in entry and entry[name].doubt is None and not shape.once:
                    edge.env[name] = Binding(replace(doubt, path=f"{NO_ROUND} and it should keep its old value"))
                elif not isinstance(binding.value, Unset):
                    edge.env[name] = replace(binding, doubt=None if shape.once else doubt)
    flag = None
    prelude: list[ir.Stmt] = []
    if loop.breaks and not shape.endless:
        flag = ir.Var("left", BOOL, shape.at)
        prelude.append(ir.Assign(shape.at, flag, ir.Const(False, BOOL)))
        for edge in loop.breaks:
            edge.append(ir.Assign(shape.at, flag, ir.Const(True, BOOL)))
    # What runs only when no `break` left the loop: its `else`, and what a for loop's normal end has to store.
    normal = leaving
    if shape.orelse and not shape.endless:
        normal = frame.inner(leaving.env, lambda: frame.run(shape.orelse))
        exits[0] = normal
    exits = [edge for edge in exits if not edge.ended]
    if not exits:
        frame.terminated = True
    else:
        frame.env = merge(frame, exits, shape.at, ["when the loop ends here"] * len(exits))
    own = normal is not leaving or shape.tests is None
    if own and normal.block and not shape.endless:
        if flag is None:
            frame.block.extend(normal.block)
        else:
            frame.emit(ir.If(shape.at, ir.Unary("not", ir.VarRef(flag), BOOL), draft(normal.block), ()))
    return prelude


# --------------------------------------------------------------------------------------------------------------------
# Jumps


def break_(frame: Frame, node: ast.Break) -> None:
    if _in_loop(frame, node, "break"):
        frame.emit(ir.Break(frame.stmt_span))
        frame.loops[-1].breaks.append(Edge(dict(frame.env), frame.block))
        frame.terminated = True


def continue_(frame: Frame, node: ast.Continue) -> None:
    if _in_loop(frame, node, "continue"):
        frame.emit(ir.Continue(frame.stmt_span))
        frame.loops[-1].continues.append(Edge(dict(frame.env), frame.block))
        frame.terminated = True


def _in_loop(frame: Frame, node: ast.stmt, word: str) -> bool:
    if not frame.loops:
        frame.report("PTO1061", node, word=word)
    return bool(frame.loops)
