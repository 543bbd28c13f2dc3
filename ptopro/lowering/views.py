"""Parts of tiles and tensors: `tile[r0:r1, c0:c1]`, `tile[i, j]`, `tensor[i, j]`.

A view keeps the row pitch of its tile.  Elements are addressed by a linear offset over the physical shape of a tile, or
along the strides of a tensor.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ptopro.language.dtypes import INT64
from ptopro.language.enums import MemorySpace, TensorLayout
from ptopro.language.operations.table import find
from ptopro.lowering import ir, scalars, simt
from ptopro.lowering.arguments import Given
from ptopro.lowering.expressions import ordered
from ptopro.lowering.operations import perform
from ptopro.lowering.tensors import product, strides
from ptopro.lowering.values import UNKNOWN, Known, Scalar, TensorValue, TileValue, Unknown, Value

if TYPE_CHECKING:
    from ptopro.lowering.context import Frame


def subview_or_element(frame: Frame, owner: TileValue | TensorValue, node: ast.Subscript) -> Value:
    """A subscript of a tile or tensor that is read."""
    if frame.registers is not None:
        frame.report("PTO1084", node)
        return UNKNOWN
    axes = list(node.slice.elts) if isinstance(node.slice, ast.Tuple) else [node.slice]
    if any(isinstance(axis, ast.Slice) for axis in axes):
        if isinstance(owner, TensorValue):
            from ptopro.lowering.tensor_slices import tensor_slice

            return tensor_slice(frame, owner, axes, node)
        if frame.in_thread:
            frame.report("PTO1095", node, name="a part of a tile")
            return UNKNOWN
        return _subview(frame, owner, axes, node)
    offset = element_offset(frame, owner, node)
    return UNKNOWN if offset is None else read_element(frame, owner, offset, node)


def element_offset(frame: Frame, owner: TileValue | TensorValue, node: ast.Subscript) -> ir.Expr | None:
    """The linear offset of `owner[i, j]`; None after a report."""
    axes = list(node.slice.elts) if isinstance(node.slice, ast.Tuple) else [node.slice]
    if any(isinstance(axis, ast.Slice) for axis in axes):
        frame.report("PTO1274", node)
        return None
    return offset_of(frame, owner, ordered(frame, axes), axes, node)


def offset_of(
    frame: Frame, owner: TileValue | TensorValue, values: Sequence[Value], axes: Sequence[ast.AST], node: ast.AST
) -> ir.Expr | None:
    """The linear offset of an element by its indices; axes: where they are written; None after a report."""
    if isinstance(owner, TileValue):
        spec = ir.spec_of(owner.expr)
        extents: tuple[ir.Expr, ...] = tuple(ir.Const(n, INT64) for n in owner.extent or spec.shape)
        pitches: tuple[ir.Expr, ...] = (ir.Const(spec.shape[1], INT64), ir.Const(1, INT64))
    else:
        extents = owner.decl.shape
        pitches = strides(owner.decl)
    if len(axes) != len(extents):
        frame.report("PTO1275", node, given=len(axes), axes=len(extents))
        return None
    total: ir.Expr | None = None
    for axis, (value, extent, pitch, where) in enumerate(zip(values, extents, pitches, axes, strict=True)):
        expr = scalars.integer(frame, value, where, "an index")
        if expr is None:
            return None
        if isinstance(expr, ir.Const):
            limit = int(extent.value) if isinstance(extent, ir.Const) else -1
            if int(expr.value) < 0 or 0 <= limit <= int(expr.value):
                frame.report("PTO1276", where, index=expr.value, axis=axis, extent=limit if limit >= 0 else "?")
                return None
        term = product(_wide(expr), pitch)
        total = term if total is None else _sum(total, term)
    return total


def _wide(expr: ir.Expr) -> ir.Expr:
    """An index as INT64: offsets are 64 bits wide."""
    if expr.dtype == INT64:
        return expr
    if isinstance(expr, ir.Const):
        return ir.Const(int(expr.value), INT64, expr.name, expr.span)
    return ir.Cast(expr, INT64, expr.span)


def _sum(left: ir.Expr, right: ir.Expr) -> ir.Expr:
    if isinstance(left, ir.Const) and isinstance(right, ir.Const):
        return ir.Const(int(left.value) + int(right.value), INT64)
    if isinstance(left, ir.Const) and left.value == 0:
        return right
    if isinstance(right, ir.Const) and right.value == 0:
        return left
    return ir.Binary("+", left, right, INT64, INT64)


def read_element(frame: Frame, owner: TileValue | TensorValue, offset: ir.Expr, node: ast.AST) -> Value:
    """The element at a linear offset."""
    if frame.in_thread:
        return simt.read_element(frame, owner, offset, node)
    source = node.value if isinstance(node, ast.Subscript) else node
    operation = find("getval")
    assert operation is not None
    given = {"container": Given(source, owner), "offset": Given(node, Scalar(offset))}
    return perform(frame, operation, given, (), node)


def write_element(
    frame: Frame, owner: TileValue | TensorValue, offset: ir.Expr, value: Value, target: ast.Subscript, node: ast.AST
) -> None:
    """`owner[i, j] = value`."""
    if frame.in_thread:
        simt.write_element(frame, owner, offset, value, node)
        return
    operation = find("setval")
    assert operation is not None
    given = {
        "container": Given(target.value, owner),
        "offset": Given(target, Scalar(offset)),
        "value": Given(node, value),
    }
    perform(frame, operation, given, (), node)


# --------------------------------------------------------------------------------------------------------------------
# Views of tiles


def _subview(frame: Frame, owner: TileValue, axes: list[ast.expr], node: ast.Subscript) -> Value:
    spec = ir.spec_of(owner.expr)
    if spec.memory is not MemorySpace.Vec or spec.layout not in (TensorLayout.ND, TensorLayout.DN, None):
        layout = spec.layout.name if spec.layout else "ND"
        frame.report("PTO1277", node, memory=spec.memory.name, layout=layout)
        return UNKNOWN
    if len(axes) > 2:
        frame.report("PTO1275", node, given=len(axes), axes=2)
        return UNKNOWN
    shape = owner.extent or spec.shape
    bounds = [_bounds(frame, owner, axis, i, shape[i]) for i, axis in enumerate(axes)]
    if len(axes) == 1:
        bounds.append((ir.Const(0, INT64), _valid(owner, 1, shape[1], frame, node), shape[1]))
    if bounds[0] is None or bounds[1] is None:
        return UNKNOWN
    (row, rows, height), (col, cols, width) = bounds[0], bounds[1]
    return TileValue(ir.SubView(owner.expr, row, col, rows, cols, frame.span(node)), owner.pure, (height, width))


def _bounds(
    frame: Frame, owner: TileValue, axis: ast.expr, number: int, extent: int
) -> tuple[ir.Expr, ir.Expr, int] | None:
    """Start, clipped length and compile-time length (-1: unknown) along one axis; None after a report."""
    if not isinstance(axis, ast.Slice):
        start = scalars.integer(frame, frame.value(axis), axis, "an index")
        return None if start is None else (_wide(start), ir.Const(1, INT64), 1)
    if axis.step is not None and not _is_one(frame.value(axis.step)):
        frame.report("PTO1278", axis.step)
        return None
    ends: list[ir.Expr | None] = []
    for part, default in ((axis.lower, 0), (axis.upper, extent)):
        value = Known(default) if part is None else frame.value(part)
        if isinstance(value, Unknown):
            return None
        expr = scalars.integer(frame, value, part or axis, "a bound of a view")
        ends.append(None if expr is None else _wide(expr))
    first, last = ends
    if first is None or last is None:
        return None
    if isinstance(first, ir.Const) and extent >= 0 and not 0 <= int(first.value) < extent:
        frame.report("PTO1276", axis, index=first.value, axis=number, extent=extent)
        return None
    if isinstance(first, ir.Const) and isinstance(last, ir.Const):
        end = min(int(last.value), extent) if extent >= 0 else int(last.value)
        if end <= int(first.value):
            frame.report("PTO1279", axis, first=first.value, last=last.value)
            return None
        length = end - int(first.value)
        if _is_whole(owner, number, extent):
            return first, ir.Const(length, INT64), length
        valid = _valid(owner, number, extent, frame, axis)
        return first, _difference(_least(ir.Const(end, INT64), valid), first), length
    length = _constant_length(first, last)
    valid = _valid(owner, number, extent, frame, axis)
    return first, _difference(_least(last, valid), first), length


def _is_one(value: Value) -> bool:
    return isinstance(value, Known) and value.value == 1


def _constant_length(first: ir.Expr, last: ir.Expr) -> int:
    """The length of `x : x + n`, -1 where it is not of that form."""
    if (
        isinstance(last, ir.Binary)
        and last.op == "+"
        and isinstance(last.right, ir.Const)
        and isinstance(last.left, ir.VarRef)
        and isinstance(first, ir.VarRef)
        and first.var is last.left.var
    ):
        return int(last.right.value)
    return -1


def _is_whole(owner: TileValue, axis: int, extent: int) -> bool:
    """Whether the valid extent is fixed at compile time to the physical one."""
    return owner.extent is None and ir.spec_of(owner.expr).valid_shape[axis] == extent


def _valid(owner: TileValue, axis: int, extent: int, frame: Frame, node: ast.AST) -> ir.Expr:
    """The valid extent of the tile that is cut."""
    if owner.extent is None:
        fixed = ir.spec_of(owner.expr).valid_shape[axis]
        if fixed >= 0:
            return ir.Const(fixed, INT64)
    return ir.ValidExtent(owner.expr, axis, INT64, frame.span(node))


def _least(left: ir.Expr, right: ir.Expr) -> ir.Expr:
    if isinstance(left, ir.Const) and isinstance(right, ir.Const):
        return left if left.value <= right.value else right
    return ir.Binary("min", left, right, INT64, INT64)


def _difference(left: ir.Expr, right: ir.Expr) -> ir.Expr:
    if isinstance(right, ir.Const):
        if right.value == 0:
            return left
        if isinstance(left, ir.Const):
            return ir.Const(int(left.value) - int(right.value), INT64)
    return ir.Binary("-", left, right, INT64, INT64)
