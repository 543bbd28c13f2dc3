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


def is_nonnegative(expr: object, variables: set[ir.Var]) -> bool:
    """Whether an expression is proved to be at least 0, given variables that are."""
    bound = lower_bound(expr, variables)
    return bound is not None and bound >= 0


def lower_bound(expr: object, variables: set[ir.Var]) -> int | float | None:
    """A number that the expression is never below, None when none is known."""
    match expr:
        case ir.Const():
            return expr.value
        case ir.VarRef():
            return 0 if expr.var in variables or expr.dtype.kind in ("uint", "bool") else None
        case ir.SystemValue():
            return 1 if expr.name.endswith("_num") else 0
        case ir.ValidExtent() | ir.IsNull():
            return 0
        case ir.Cast():
            narrow = expr.dtype.is_int and expr.operand.dtype.is_int and expr.dtype.bits < expr.operand.dtype.bits
            return 0 if expr.dtype.kind == "uint" else None if narrow else lower_bound(expr.operand, variables)
        case ir.Choose():
            return _least(lower_bound(expr.then, variables), lower_bound(expr.other, variables))
        case ir.ArrayRead():
            return min(expr.array.values)
        case ir.Binary():
            return _binary(expr, variables)
        case ir.Call():
            returns = [s for s in ir.walk(expr.function.body) if isinstance(s, ir.Return) and s.values]
            bounds = [lower_bound(s.values[0], variables) for s in returns]
            return _least(*bounds) if bounds else None
        case ir.ElementRead() | ir.StructRead() | ir.TilingRead():
            return 0 if expr.dtype.kind in ("uint", "bool") else None
        case _:
            return None


def upper_bound(expr: object, variables: set[ir.Var]) -> int | float | None:
    """A number that the expression is never above, None when none is known."""
    match expr:
        case ir.Const():
            return expr.value
        case ir.SystemValue(name="get_subblock_idx"):
            return 1
        case ir.Binary(op="%", right=ir.Const(value=value)) if value > 0:
            return value - 1
        case ir.Binary(op="min"):
            bounds = (upper_bound(expr.left, variables), upper_bound(expr.right, variables))
            known = [b for b in bounds if b is not None]
            return min(known) if known else None
        case _:
            return None


def _least(*bounds: int | float | None) -> int | float | None:
    known = [b for b in bounds if b is not None]
    return min(known) if len(known) == len(bounds) else None


def _binary(expr: ir.Binary, variables: set[ir.Var]) -> int | float | None:
    left, right = lower_bound(expr.left, variables), lower_bound(expr.right, variables)
    if expr.dtype.kind in ("bool", "uint"):
        return 0
    match expr.op:
        case "max":
            known = [b for b in (left, right) if b is not None]
            return max(known) if known else None
        case "min":
            return _least(left, right)
        case "%":  # Python's remainder has the sign of the divisor
            return 0 if right is not None and right >= 0 else None
        case "&":
            return 0 if (left is not None and left >= 0) or (right is not None and right >= 0) else None
        case "-":
            most = upper_bound(expr.right, variables)
            return None if left is None or most is None else left - most
        case "+":
            return None if left is None or right is None else left + right
        case _:
            if left is None or right is None or left < 0 or right < 0:
                return None
            return left * right if expr.op == "*" else 0


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
        down_to = lower_bound(loop.stop, variables)
        upwards = is_nonnegative(loop.step, variables) or (down_to is not None and down_to >= -1)
        return is_nonnegative(loop.start, variables) and upwards


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
    if not (isinstance(node, ir.Binary) and node.op in ("//", "%")) or node.nonnegative:
        return node
    if is_nonnegative(node.left, variables) and is_nonnegative(node.right, variables):
        return replace(node, nonnegative=True)
    return node


def signed_step(stmt: ir.Stmt, variables: set[ir.Var]) -> ir.Stmt:
    """Say of a loop's run-time step that it is positive where that is proved."""
    if isinstance(stmt, ir.For) and stmt.step_sign == 0:
        bound = lower_bound(stmt.step, variables)
        if bound is not None and bound >= 1:
            return replace(stmt, step_sign=1)
    return stmt
