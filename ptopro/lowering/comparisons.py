"""Comparisons: chains, membership, identity with None, equality of tuples."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ptopro.frontend.evaluator import NotConstant
from ptopro.language.dtypes import BOOL
from ptopro.lowering import ir, scalars
from ptopro.lowering.expressions import members, ordered
from ptopro.lowering.values import (
    UNKNOWN,
    Known,
    Pointer,
    RangeValue,
    Scalar,
    TensorValue,
    Unknown,
    Value,
    kind_name,
)

if TYPE_CHECKING:
    from ptopro.lowering.context import Frame


def compare(frame: Frame, node: ast.Compare) -> Value:
    values = ordered(frame, (node.left, *node.comparators))
    if len(node.ops) > 1:  # the operands in the middle are read twice
        for i in range(1, len(values) - 1):
            value = values[i]
            if isinstance(value, Scalar):
                values[i] = Scalar(frame.keep(value.expr, "value"))
    so_far: ir.Expr | None = None
    for i, op in enumerate(node.ops):
        result = comparison(frame, op, values[i], values[i + 1], node)
        test = scalars.truth(frame, result, node)
        if test is None:
            return UNKNOWN
        if isinstance(test, bool):
            if not test:
                return Known(False)
            continue
        so_far = test if so_far is None else ir.Binary("and", so_far, test, BOOL, BOOL, span=frame.span(node))
    return Known(True) if so_far is None else Scalar(so_far)


def comparison(frame: Frame, op: ast.cmpop, left: Value, right: Value, node: ast.AST) -> Value:
    """One comparison of a chain."""
    if isinstance(left, Unknown) or isinstance(right, Unknown):
        return UNKNOWN
    if isinstance(op, ast.Is | ast.IsNot) or _is_none(right):
        return _identity(frame, op, left, right, node)
    if isinstance(op, ast.In | ast.NotIn):
        found = _contained(frame, left, right, node)
        if isinstance(op, ast.In):
            return found
        if isinstance(found, Known):
            return Known(not found.value)
        return Scalar(ir.Unary("not", found.expr, BOOL, frame.span(node))) if isinstance(found, Scalar) else found
    symbol = scalars.COMPARE_NAMES[type(op)]
    mine, theirs = members(left), members(right)
    if mine is not None and theirs is not None and symbol in ("==", "!="):
        return _all_equal(frame, mine, theirs, symbol, node)
    return scalars.binary(frame, symbol, left, right, node)


def _is_none(value: Value) -> bool:
    return isinstance(value, Known) and value.value is None


def _identity(frame: Frame, op: ast.cmpop, left: Value, right: Value, node: ast.AST) -> Value:
    """`is`, `is not`, and comparisons with None."""
    negative = isinstance(op, ast.IsNot | ast.NotEq)
    if isinstance(left, Known) and isinstance(right, Known):
        try:
            kind = ast.IsNot if negative else ast.Is
            return Known(frame.module.evaluator.compare(kind, left.value, right.value, frame.span(node)))
        except NotConstant as error:
            frame.refuse(error, node, "this comparison")
            return UNKNOWN
    if not _is_none(right):
        frame.report("PTO1257", node, op="is not" if negative else "is")
        return UNKNOWN
    pointer: ir.Expr | None = None
    if isinstance(left, Pointer):
        pointer = left.expr
    elif isinstance(left, TensorValue):
        pointer = ir.PointerOf(left.decl, left.decl.dtype, span=frame.span(node))
    if pointer is None:
        return Known(negative)
    test: ir.Expr = ir.IsNull(pointer, BOOL, frame.span(node))
    return Scalar(ir.Unary("not", test, BOOL, frame.span(node)) if negative else test)


def _all_equal(frame: Frame, mine: Sequence[Value], theirs: Sequence[Value], symbol: str, node: ast.AST) -> Value:
    if len(mine) != len(theirs):
        return Known(symbol == "!=")
    joined = "and" if symbol == "==" else "or"
    return _combined(
        frame, joined, [comparison(frame, _op(symbol), a, b, node) for a, b in zip(mine, theirs, strict=True)], node
    )


def _op(symbol: str) -> ast.cmpop:
    return ast.Eq() if symbol == "==" else ast.NotEq()


def _combined(frame: Frame, op: str, parts: Sequence[Value], node: ast.AST) -> Value:
    """BOOL values joined by `and` or `or`, with known ones folded."""
    stop_at = op == "or"
    so_far: ir.Expr | None = None
    for part in parts:
        test = scalars.truth(frame, part, node)
        if test is None:
            return UNKNOWN
        if isinstance(test, bool):
            if test == stop_at:
                return Known(stop_at)
            continue
        so_far = test if so_far is None else ir.Binary(op, so_far, test, BOOL, BOOL, span=frame.span(node))
    return Known(not stop_at) if so_far is None else Scalar(so_far)


def _contained(frame: Frame, item: Value, container: Value, node: ast.AST) -> Value:
    """`item in container` for tuples, lists and `pl.range`."""
    if isinstance(item, Known) and isinstance(container, Known):
        try:
            return Known(frame.module.evaluator.compare(ast.In, item.value, container.value, frame.span(node)))
        except NotConstant as error:
            frame.refuse(error, node, "this comparison")
            return UNKNOWN
    if isinstance(container, Known) and isinstance(container.value, range):
        whole = container.value
        container = RangeValue(Known(whole.start), Known(whole.stop), Known(whole.step), (node, node, node))
    if isinstance(container, RangeValue):
        return _in_range(frame, item, container, node)
    items = members(container)
    if items is None:
        frame.report("PTO1258", node, found=kind_name(container))
        return UNKNOWN
    return _combined(frame, "or", [comparison(frame, ast.Eq(), item, each, node) for each in items], node)


def _in_range(frame: Frame, item: Value, whole: RangeValue, node: ast.AST) -> Value:
    step = whole.step.value if isinstance(whole.step, Known) else None
    if not isinstance(step, int) or step == 0:
        frame.report("PTO1259", node)
        return UNKNOWN
    if isinstance(item, Scalar):
        item = Scalar(frame.keep(item.expr, "value"))
    first, last = (ast.GtE(), ast.Lt()) if step > 0 else (ast.LtE(), ast.Gt())
    parts = [comparison(frame, first, item, whole.start, node), comparison(frame, last, item, whole.stop, node)]
    if abs(step) != 1:
        distance = scalars.binary(frame, "-", item, whole.start, node)
        rest = scalars.binary(frame, "%", distance, Known(abs(step)), node)
        parts.append(comparison(frame, ast.Eq(), rest, Known(0), node))
    return _combined(frame, "and", parts, node)
