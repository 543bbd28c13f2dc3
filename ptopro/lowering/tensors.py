"""Tensors and pointers in global memory: views, shapes, strides, pointer arithmetic."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from ptopro.language.dtypes import INT64, DType
from ptopro.language.enums import TensorLayout
from ptopro.lowering import ir, scalars
from ptopro.lowering.arguments import Given, compile_time, take
from ptopro.lowering.expressions import members
from ptopro.lowering.values import (
    UNKNOWN,
    Known,
    Pointer,
    Scalar,
    TensorValue,
    TupleValue,
    Unknown,
    Value,
    kind_name,
)

if TYPE_CHECKING:
    from ptopro.lowering.context import Frame


def dims_value(decl: ir.TensorDecl) -> Value:
    """`tensor.shape`."""
    return _numbers(decl.shape)


def strides_value(decl: ir.TensorDecl) -> Value:
    """`tensor.stride`: in elements."""
    return _numbers(strides(decl))


def _numbers(exprs: tuple[ir.Expr, ...]) -> Value:
    items: list[Value] = [Known(e.value) if isinstance(e, ir.Const) else Scalar(e) for e in exprs]
    if all(isinstance(item, Known) for item in items):
        return Known(tuple(item.value for item in items if isinstance(item, Known)))
    return TupleValue(tuple(items))


def strides(decl: ir.TensorDecl) -> tuple[ir.Expr, ...]:
    """The distance of neighbours along each axis, in elements."""
    if decl.strides is not None:
        return decl.strides
    found: list[ir.Expr] = []
    distance: ir.Expr = ir.Const(1, INT64)
    for dim in reversed(decl.shape):
        found.append(distance)
        distance = product(distance, dim)
    return tuple(reversed(found))


def product(left: ir.Expr, right: ir.Expr) -> ir.Expr:
    """The product of two INT64 numbers, folded where that is possible."""
    if isinstance(left, ir.Const) and isinstance(right, ir.Const):
        return ir.Const(int(left.value) * int(right.value), INT64)
    if isinstance(left, ir.Const) and left.value == 1:
        return right
    if isinstance(right, ir.Const) and right.value == 1:
        return left
    return ir.Binary("*", left, right, INT64, INT64)


def make_tensor(frame: Frame, node: ast.Call) -> Value:
    """pl.make_tensor(ptr, shape, stride=None, dtype=None)."""
    given = take(frame, node, "make_tensor")
    if given is None:
        return UNKNOWN
    base = _pointer(frame, given["ptr"])
    shape = _extents(frame, given["shape"])
    dtype = compile_time(frame, given.get("dtype"), DType)
    if base is None or shape is None or isinstance(dtype, Unknown):
        return UNKNOWN
    strides_given: tuple[ir.Expr, ...] | None = None
    if given.get("stride") is not None and not _is_none(given["stride"].value):
        strides_given = _extents(frame, given["stride"])
        if strides_given is None:
            return UNKNOWN
        if len(strides_given) != len(shape):
            frame.report("PTO1263", given["stride"].node, strides=len(strides_given), dims=len(shape))
            return UNKNOWN
    element = dtype or base.dtype
    if element != base.dtype:
        base = ir.PointerOf(base, element, span=frame.span(node))
    decl = ir.TensorDecl("", element, shape, TensorLayout.ND, strides_given, base, frame.span(node))
    frame.emit(ir.DeclareTensor(frame.stmt_span, decl))
    return TensorValue(decl)


def _is_none(value: Value) -> bool:
    return isinstance(value, Known) and value.value is None


def _extents(frame: Frame, given: Given) -> tuple[ir.Expr, ...] | None:
    """The dims or strides of a view: numbers that do not change as long as the view lives."""
    items = members(given.value)
    if items is None:
        if not isinstance(given.value, Unknown):
            frame.report("PTO1258", given.node, found=kind_name(given.value))
        return None
    found: list[ir.Expr] = []
    for item in items:
        expr = scalars.integer(frame, item, given.node, "an extent of a tensor")
        if expr is None:
            return None
        if isinstance(expr, ir.Const):
            expr = ir.Const(expr.value, INT64, expr.name, expr.span)
        elif expr.dtype != INT64:
            expr = ir.Cast(expr, INT64, expr.span)
        found.append(expr if isinstance(expr, ir.Const) else frame.keep(expr, "extent"))
    return tuple(found)


def _pointer(frame: Frame, given: Given) -> ir.Expr | None:
    """A pointer, or the address of a tensor."""
    value = given.value
    if isinstance(value, Pointer):
        return value.expr
    if isinstance(value, TensorValue):
        return ir.PointerOf(value.decl, value.decl.dtype, span=frame.span(given.node))
    if not isinstance(value, Unknown):
        frame.report("PTO1260", given.node, expected="a pointer or a tensor", found=kind_name(value))
    return None


def make_ptr(frame: Frame, node: ast.Call) -> Value:
    """pl.make_ptr(ptr, dtype=None)."""
    given = take(frame, node, "make_ptr")
    if given is None:
        return UNKNOWN
    base = _pointer(frame, given["ptr"])
    dtype = compile_time(frame, given.get("dtype"), DType)
    if base is None or isinstance(dtype, Unknown):
        return UNKNOWN
    if dtype is None or dtype == base.dtype:
        return Pointer(base)
    return Pointer(ir.PointerOf(base, dtype, span=frame.span(node)))


def addptr(frame: Frame, node: ast.Call) -> Value:
    """pl.addptr(ptr, offset)."""
    given = take(frame, node, "addptr")
    if given is None:
        return UNKNOWN
    return advance(frame, given["ptr"].value, given["offset"].value, node)


def advance(frame: Frame, base: Value, offset: Value, node: ast.AST, *, negative: bool = False) -> Value:
    """A pointer moved on by `offset` elements."""
    pointer = _pointer(frame, Given(node, base))
    count = scalars.integer(frame, offset, node, "a pointer offset")
    if pointer is None or count is None:
        return UNKNOWN
    if pointer.dtype.bits < 8:
        frame.report("PTO1264", node, dtype=pointer.dtype)
        return UNKNOWN
    if negative:
        count = ir.Unary("-", count, count.dtype, frame.span(node))
    return Pointer(ir.PointerOf(pointer, pointer.dtype, count, frame.span(node)))
