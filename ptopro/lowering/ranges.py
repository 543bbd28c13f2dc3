"""Which integers cannot be negative, so that C++'s `/` and `%` agree with Python's.

A variable is not negative when everything that is ever assigned to it is not.  The largest set of variables for which
this holds is found by assuming it of all and striking out what contradicts, until nothing does.  Overflow is not
considered: integers of 64 bits hold every dimension and offset.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from ptopro.lowering import ir
from ptopro.lowering.traversal import nodes_of

_KEEP = ("+", "*", "//", "%", "&", "|", "^", ">>", "<<", "**", "min", "/")


def is_nonnegative(expr: object, variables: set[ir.Var]) -> bool:
    """Whether an expression is proved to be at least 0, given variables that are."""
    match expr:
        case ir.Const():
            return expr.value >= 0
        case ir.VarRef():
            return expr.var in variables or expr.dtype.kind in ("uint", "bool")
        case ir.SystemValue() | ir.ValidExtent() | ir.IsNull():
            return True
        case ir.Cast():
            narrow = expr.dtype.is_int and expr.operand.dtype.is_int and expr.dtype.bits < expr.operand.dtype.bits
            return expr.dtype.kind == "uint" or (is_nonnegative(expr.operand, variables) and not narrow)
        case ir.Choose():
            return is_nonnegative(expr.then, variables) and is_nonnegative(expr.other, variables)
        case ir.ArrayRead():
            return all(value >= 0 for value in expr.array.values)
        case ir.Binary():
            return _binary(expr, variables)
        case ir.Call():
            return all(
                is_nonnegative(stmt.values[0], variables)
                for stmt in ir.walk(expr.function.body)
                if isinstance(stmt, ir.Return) and stmt.values
            )
        case ir.ElementRead() | ir.StructRead() | ir.TilingRead():
            return expr.dtype.kind in ("uint", "bool")
        case _:
            return False


def _binary(expr: ir.Binary, variables: set[ir.Var]) -> bool:
    left, right = is_nonnegative(expr.left, variables), is_nonnegative(expr.right, variables)
    if expr.dtype.kind in ("bool", "uint"):
        return True
    if expr.op == "max":
        return left or right
    if expr.op == "%":
        return right  # Python's remainder has the sign of the divisor
    if expr.op == "&":
        return left or right
    return expr.op in _KEEP and left and right


def nonnegative_variables(functions: Iterable[ir.FunctionIR]) -> set[ir.Var]:
    """The variables of these functions that never hold a negative number."""
    flows: list[tuple[ir.Var, Any]] = []
    open_: set[ir.Var] = set()
    every: set[ir.Var] = set()
    listed = list(functions)
    called = {callee for function in listed for callee, _, _ in _calls(function)}
    for function in listed:
        if function not in called:  # the kernel itself: nothing is known of its scalars
            open_.update(p for p in function.params if isinstance(p, ir.Var))
        for stmt in ir.walk(function.body):
            match stmt:
                case ir.Assign():
                    flows.append((stmt.var, stmt.value))
                case ir.For():
                    flows.append((stmt.var, _Counter(stmt)))
                case _:
                    pass
            every.update(n.var for n in nodes_of(stmt) if isinstance(n, ir.VarRef))
        for callee, args, results in _calls(function):
            for param, arg in zip(callee.params, args, strict=True):
                if isinstance(param, ir.Var):
                    flows.append((param, arg))
            returns = [s for s in ir.walk(callee.body) if isinstance(s, ir.Return)]
            for i, result in enumerate(results):
                if isinstance(result, ir.Var):
                    flows.extend((result, s.values[i]) for s in returns if i < len(s.values))
    assigned = {var for var, _ in flows}
    # A variable that nothing assigns is a parameter or a dimension; dimensions are not negative.
    holding = {var for var in every | assigned if var not in open_}
    changed = True
    while changed:
        changed = False
        for var, value in flows:
            if var in holding and not (
                value.holds(holding) if isinstance(value, _Counter) else is_nonnegative(value, holding)
            ):
                holding.discard(var)
                changed = True
    return holding


class _Counter:
    """The values of a loop's counter."""

    def __init__(self, loop: ir.For) -> None:
        self.loop = loop

    def holds(self, variables: set[ir.Var]) -> bool:
        loop = self.loop
        if loop.step_sign > 0:
            return is_nonnegative(loop.start, variables)
        if loop.step_sign < 0:  # it stops before stop, which is at least -1
            return (isinstance(loop.stop, ir.Const) and loop.stop.value >= -1) or is_nonnegative(loop.stop, variables)
        return is_nonnegative(loop.start, variables) and (
            is_nonnegative(loop.step, variables) or is_nonnegative(loop.stop, variables)
        )


def _calls(function: ir.FunctionIR) -> list[tuple[ir.FunctionIR, tuple[Any, ...], tuple[Any, ...]]]:
    """The calls in a function: callee, arguments, result variables."""
    found: list[tuple[ir.FunctionIR, tuple[Any, ...], tuple[Any, ...]]] = []
    for stmt in ir.walk(function.body):
        if isinstance(stmt, ir.CallStmt):
            found.append((stmt.function, stmt.args, stmt.results))
        found.extend((n.function, n.args, ()) for n in nodes_of(stmt) if isinstance(n, ir.Call))
    return found


def prove(node: Any, variables: set[ir.Var]) -> Any:
    """Mark a `//` or `%` whose operands are not negative."""
    if isinstance(node, ir.Binary) and node.op in ("//", "%") and not node.nonnegative:
        if is_nonnegative(node.left, variables) and is_nonnegative(node.right, variables):
            return replace(node, nonnegative=True)
    return node
