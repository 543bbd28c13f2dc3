"""Parts of tensors: `x[i * 32 : i * 32 + 32, 0:64]`, `x[b, 8:]`.

A part is a view like that of pl.make_tensor: it begins where its slices do and keeps the strides of its tensor.  An
axis with an index is gone, axes that are not written are whole.  Nothing is copied.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ptopro.language.dtypes import INT64
from ptopro.language.enums import TensorLayout
from ptopro.lowering import ir, scalars
from ptopro.lowering.tensors import product, strides
from ptopro.lowering.values import UNKNOWN, Known, TensorValue, Unknown, Value

if TYPE_CHECKING:
    from ptopro.lowering.context import Frame


def tensor_slice(frame: Frame, owner: TensorValue, axes: Sequence[ast.expr], node: ast.Subscript) -> Value:
    """The view of a part; UNKNOWN after a report."""
    decl = owner.decl
    if decl.layout is not TensorLayout.ND:
        frame.report("PTO1273", node, reason=f"a tensor in the layout {decl.layout.name} has no parts")
        return UNKNOWN
    if len(axes) > len(decl.shape):
        frame.report("PTO1275", node, given=len(axes), axes=len(decl.shape))
        return UNKNOWN
    offset: ir.Expr = ir.Const(0, INT64)
    shape: list[ir.Expr] = []
    steps: list[ir.Expr] = []
    for axis, (extent, step) in enumerate(zip(decl.shape, strides(decl), strict=True)):
        part = axes[axis] if axis < len(axes) else ast.Slice()
        if isinstance(part, ast.Slice):
            bounds = _bounds(frame, part, extent, node)
            if bounds is None:
                return UNKNOWN
            start, stop = bounds
            length = _difference(stop, start)
            shape.append(length if isinstance(length, ir.Const) else frame.keep(length, "extent"))
            steps.append(step if isinstance(step, ir.Const) else frame.keep(step, "extent"))
        else:
            at = _place(frame, part, extent)
            if at is None:
                return UNKNOWN
            start = at
        offset = _sum(offset, product(start, step))
    span = frame.span(node)
    base = ir.PointerOf(decl, decl.dtype, None if _is_zero(offset) else offset, span)
    view = ir.TensorDecl("", decl.dtype, tuple(shape), TensorLayout.ND, tuple(steps), base, span)
    frame.emit(ir.DeclareTensor(frame.stmt_span, view))
    return TensorValue(view)


def _bounds(frame: Frame, part: ast.Slice, extent: ir.Expr, node: ast.AST) -> tuple[ir.Expr, ir.Expr] | None:
    """Where a slice begins and ends; None after a report."""
    if part.step is not None:
        step = frame.value(part.step)
        if isinstance(step, Unknown):
            return None
        if not isinstance(step, Known) or step.value not in (None, 1):
            frame.report("PTO1273", node, reason="a part of a tensor has no step")
            return None
    start = ir.Const(0, INT64) if part.lower is None else _place(frame, part.lower, extent)
    stop = _wide(extent) if part.upper is None else _place(frame, part.upper, extent)
    if start is None or stop is None:
        return None
    if isinstance(stop, ir.Const) and isinstance(extent, ir.Const):
        stop = ir.Const(min(int(stop.value), int(extent.value)), INT64)
    if isinstance(start, ir.Const) and isinstance(stop, ir.Const) and int(start.value) >= int(stop.value):
        frame.report("PTO1273", node, reason=f"{frame.text(part)} is empty")
        return None
    return start, stop


def _place(frame: Frame, part: ast.expr, extent: ir.Expr) -> ir.Expr | None:
    """An index or bound in 64 bits; a negative constant counts from the end."""
    value = frame.value(part)
    if isinstance(value, Unknown):
        return None
    expr = scalars.integer(frame, value, part, "an index")
    if expr is None:
        return None
    if isinstance(expr, ir.Const) and int(expr.value) < 0:
        return _sum(_wide(extent), ir.Const(int(expr.value), INT64))
    return frame.keep(_wide(expr), "start")


def _wide(expr: ir.Expr) -> ir.Expr:
    if isinstance(expr, ir.Const):
        return ir.Const(int(expr.value), INT64, expr.name, expr.span)
    return expr if expr.dtype == INT64 else ir.Cast(expr, INT64, expr.span)


def _is_zero(expr: ir.Expr) -> bool:
    return isinstance(expr, ir.Const) and expr.value == 0


def _sum(left: ir.Expr, right: ir.Expr) -> ir.Expr:
    if isinstance(left, ir.Const) and isinstance(right, ir.Const):
        return ir.Const(int(left.value) + int(right.value), INT64)
    if _is_zero(left):
        return right
    return left if _is_zero(right) else ir.Binary("+", left, right, INT64, INT64)


def _difference(left: ir.Expr, right: ir.Expr) -> ir.Expr:
    """left - right in 64 bits, folded where it is a number."""
    if isinstance(left, ir.Const) and isinstance(right, ir.Const):
        return ir.Const(int(left.value) - int(right.value), INT64)
    return left if _is_zero(right) else ir.Binary("-", left, right, INT64, INT64)
