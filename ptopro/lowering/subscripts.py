"""`value[index]`: members of tuples and lists, slots of groups, elements and views of tiles and tensors."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ptopro.frontend.evaluator import NotConstant
from ptopro.frontend.scope import Scope
from ptopro.language.dtypes import BOOL, INT64
from ptopro.lowering import ir, scalars
from ptopro.lowering.environment import join, number_type
from ptopro.lowering.expressions import choose, members
from ptopro.lowering.promotion import merged_type
from ptopro.lowering.structs import field_index, read_item, struct_element
from ptopro.lowering.tiles import group_slot
from ptopro.lowering.values import (
    UNKNOWN,
    ExtentValue,
    GroupValue,
    Known,
    Scalar,
    StructArrayField,
    StructValue,
    TensorValue,
    TileValue,
    TilingArray,
    TupleValue,
    Unknown,
    Value,
    kind_name,
)
from ptopro.lowering.views import subview_or_element

if TYPE_CHECKING:
    from ptopro.lowering.context import Frame


def subscript(frame: Frame, node: ast.Subscript) -> Value:
    owner = frame.value(node.value)
    if isinstance(owner, Unknown):
        return UNKNOWN
    if isinstance(owner, TileValue | TensorValue):
        return subview_or_element(frame, owner, node)
    if isinstance(node.slice, ast.Slice):
        return _slice(frame, owner, node)
    index = frame.value(node.slice)
    if isinstance(index, Unknown):
        return UNKNOWN
    match owner:
        case GroupValue():
            return group_slot(frame, owner, index, node)
        case StructValue() if owner.var.count and owner.at is None:
            return struct_element(frame, owner, index, node)
        case StructArrayField():
            return read_item(frame, owner, index, node)
        case TilingArray():
            at = field_index(frame, index, owner.length, node)
            return UNKNOWN if at is None else Scalar(ir.TilingRead(owner.field, owner.dtype, at, frame.span(node)))
        case ExtentValue():
            return _extent(frame, owner, index, node)
        case TupleValue():
            return _member(frame, owner, index, node)
        case Known():
            return _known(frame, owner, index, node)
        case _:
            frame.report("PTO1280", node, found=kind_name(owner))
            return UNKNOWN


def _slice(frame: Frame, owner: Value, node: ast.Subscript) -> Value:
    """A part of a tuple or list."""
    assert isinstance(node.slice, ast.Slice)
    items = members(owner)
    if items is None or isinstance(owner, Known):
        if isinstance(owner, Known):
            return _by_evaluator(frame, owner, node.slice, node)
        frame.report("PTO1280", node, found=kind_name(owner))
        return UNKNOWN
    bounds: list[int | None] = []
    for part in (node.slice.lower, node.slice.upper, node.slice.step):
        value = Known(None) if part is None else frame.value(part)
        if not isinstance(value, Known) or not isinstance(value.value, int | None):
            if not isinstance(value, Unknown):
                frame.report("PTO1281", node, found=kind_name(value))
            return UNKNOWN
        bounds.append(value.value)
    return TupleValue(items[slice(*bounds)])


def _by_evaluator(frame: Frame, owner: Known, index: ast.expr, node: ast.Subscript) -> Value:
    scope = Scope(frame.module, frame.scope, {"owner ": owner.value})
    tree = ast.Subscript(ast.copy_location(ast.Name("owner ", ast.Load()), node.value), index, ast.Load())
    try:
        return Known(frame.module.evaluator.expression(ast.copy_location(tree, node), scope))
    except NotConstant as error:
        frame.refuse(error, node, f"'{frame.text(node)}'")
        return UNKNOWN


def _extent(frame: Frame, owner: ExtentValue, index: Value, node: ast.AST) -> Value:
    """tile.valid_shape[axis]."""
    if not isinstance(index, Known) or index.value not in (0, 1, -1, -2):
        frame.report("PTO1281", node, found=kind_name(index))
        return UNKNOWN
    axis = index.value % 2
    fixed = ir.spec_of(owner.tile).valid_shape[axis]
    if fixed >= 0 and not isinstance(owner.tile, ir.SubView):
        return Known(fixed)
    return Scalar(ir.ValidExtent(owner.tile, axis, INT64, frame.span(node)))


def _member(frame: Frame, owner: TupleValue, index: Value, node: ast.Subscript) -> Value:
    if isinstance(index, Known) and isinstance(index.value, int):
        if not -len(owner.items) <= index.value < len(owner.items):
            frame.report("PTO1272", node, index=index.value, length=len(owner.items))
            return UNKNOWN
        return owner.items[index.value]
    if isinstance(index, Known) and index.value in owner.names:
        return owner.items[owner.names.index(index.value)]
    if all(isinstance(item, Known) and item.is_number for item in owner.items):
        return _table(frame, owner.items, index, node)
    return _at_run_time(frame, owner.items, index, node)


def _known(frame: Frame, owner: Known, index: Value, node: ast.Subscript) -> Value:
    """A member of a compile-time value; numbers may be picked at run time."""
    if isinstance(index, Known):
        scope = Scope(frame.module, None, {"owner": owner.value, "index": index.value})
        tree = ast.Subscript(ast.Name("owner", ast.Load()), ast.Name("index", ast.Load()), ast.Load())
        ast.fix_missing_locations(ast.copy_location(tree, node))
        try:
            return Known(frame.module.evaluator.expression(tree, scope))
        except NotConstant as error:
            error.span = None
            frame.refuse(error, node, f"'{frame.text(node)}'")
            return UNKNOWN
    items = members(owner)
    if items is None:
        frame.report("PTO1281", node, found=kind_name(index))
        return UNKNOWN
    if not items or not all(isinstance(item, Known) and item.is_number for item in items):
        return _at_run_time(frame, items, index, node)
    return _table(frame, items, index, node)


def _table(frame: Frame, items: Sequence[Value], index: Value, node: ast.AST) -> Value:
    """A number of a constant table at a run-time index."""
    numbers = [item for item in items if isinstance(item, Known)]
    dtype = number_type(numbers[0])
    for item in numbers[1:]:
        dtype = merged_type(dtype, number_type(item)) or dtype
    at = scalars.integer(frame, index, node, "an index")
    if at is None:
        return UNKNOWN
    values = tuple(_plain(item.value, dtype.is_float, dtype == BOOL) for item in numbers)
    owner = node.value if isinstance(node, ast.Subscript) else node
    name = owner.id if isinstance(owner, ast.Name) else "table"
    key = (name, dtype, repr(values))
    array = frame.lowering.arrays.setdefault(key, ir.ConstArray(name, dtype, values))
    return Scalar(ir.ArrayRead(array, at, dtype, frame.span(node)))


def _plain(value: int | float | bool, is_float: bool, is_bool: bool) -> int | float | bool:
    return float(value) if is_float else bool(value) if is_bool else int(value)


def _at_run_time(frame: Frame, items: tuple[Value, ...], index: Value, node: ast.AST) -> Value:
    """A member picked by a run-time index: all must be of one type."""
    at = scalars.integer(frame, index, node, "an index")
    if at is None:
        return UNKNOWN
    if not items:
        frame.report("PTO1272", node, index=frame.text(node), length=0)
        return UNKNOWN
    at = frame.keep(at, "index")
    result = items[-1]
    for i in range(len(items) - 2, -1, -1):
        test = ir.Binary("==", at, ir.Const(i, at.dtype), BOOL, at.dtype, span=frame.span(node))
        chosen = choose(frame, test, items[i], result, node)
        if chosen is None:
            joined = join(frame, "member ", [items[i], result], frame.span(node))
            reason = getattr(joined, "reason", "its members differ")
            frame.report("PTO1282", node, reason=reason)
            return UNKNOWN
        result = chosen
    return result
