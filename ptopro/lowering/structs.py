"""`pl.struct`, `pl.struct_array` and `pl.make_tuple`: making them, reading and writing fields."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from ptopro.frontend.suggestions import did_you_mean
from ptopro.language.dtypes import DType
from ptopro.lowering import ir, scalars
from ptopro.lowering.arguments import Given, call_values
from ptopro.lowering.expressions import members
from ptopro.lowering.values import (
    UNKNOWN,
    Known,
    Scalar,
    StructArrayField,
    StructValue,
    TupleValue,
    Unknown,
    Value,
    kind_name,
)

if TYPE_CHECKING:
    from ptopro.lowering.context import Frame


def make_tuple(frame: Frame, node: ast.Call) -> Value:
    """pl.make_tuple(name=value, ...)."""
    found = call_values(frame, node)
    if found is None:
        return UNKNOWN
    positional, keywords = found
    if positional or not keywords:
        frame.report("PTO1268", node, name="pl.make_tuple")
        return UNKNOWN
    if any(isinstance(item.value, Unknown) for item in keywords.values()):
        return UNKNOWN
    return TupleValue(tuple(item.value for item in keywords.values()), tuple(keywords))


def make_struct(frame: Frame, node: ast.Call) -> Value:
    """pl.struct("Name", field=value, ...)."""
    found = call_values(frame, node)
    if found is None:
        return UNKNOWN
    positional, keywords = found
    name = _type_name(frame, node, positional[0] if positional else None)
    if name is None or len(positional) > 1 or not keywords:
        if name is not None:
            frame.report("PTO1268", node, name="pl.struct")
        return UNKNOWN
    return _declare(frame, node, name, keywords, 0)


def make_struct_array(frame: Frame, node: ast.Call) -> Value:
    """pl.struct_array(count, "Name", field=value, ...)."""
    found = call_values(frame, node)
    if found is None:
        return UNKNOWN
    positional, keywords = found
    if len(positional) != 2 or not keywords:
        frame.report("PTO1268", node, name="pl.struct_array")
        return UNKNOWN
    count = positional[0].value
    name = _type_name(frame, node, positional[1])
    if not isinstance(count, Known) or not isinstance(count.value, int) or count.value < 1:
        if not isinstance(count, Unknown):
            frame.report(
                "PTO1267", positional[0].node, text=frame.text(positional[0].node),
                expected="a compile-time int of at least 1", found=kind_name(count),
            )  # fmt: skip
        return UNKNOWN
    return UNKNOWN if name is None else _declare(frame, node, name, keywords, count.value)


def _type_name(frame: Frame, node: ast.Call, given: Given | None) -> str | None:
    if given is None:
        return f"Struct{frame.span(node).line}"
    value = given.value
    if isinstance(value, Known) and isinstance(value.value, str) and value.value.isidentifier():
        return str(value.value)
    if not isinstance(value, Unknown):
        frame.report(
            "PTO1267", given.node, text=frame.text(given.node), expected="a name in quotes", found=kind_name(value)
        )
    return None


def _declare(frame: Frame, node: ast.Call, name: str, keywords: dict[str, Given], count: int) -> Value:
    fields: list[tuple[str, DType, int]] = []
    values: list[tuple[str, tuple[ir.Expr, ...]]] = []
    for field, given in keywords.items():
        items = members(given.value)
        exprs = [scalars.expression(frame, item, given.node) for item in (items or (given.value,))]
        if items is not None and not items:
            frame.report("PTO1269", given.node, field=field)
            return UNKNOWN
        found = [e for e in exprs if e is not None]
        if len(found) != len(exprs):
            return UNKNOWN
        dtype = found[0].dtype
        for other in found[1:]:
            from ptopro.lowering.promotion import merged_type

            dtype = merged_type(dtype, other.dtype) or dtype
        fields.append((field, dtype, len(found) if items is not None else 0))
        values.append((field, tuple(scalars.convert(e, dtype) for e in found)))
    known = frame.lowering.struct_types.get(name)
    if known is None:
        known = frame.lowering.struct_types[name] = ir.StructType(name, tuple(fields))
    elif known.fields != tuple(fields):
        if [(f, n) for f, _, n in known.fields] != [(f, n) for f, _, n in fields]:
            frame.report("PTO1270", node, name=name, fields=", ".join(f for f, _, _ in known.fields))
            return UNKNOWN
        values = [
            (f, tuple(scalars.convert(e, dtype) for e in exprs))
            for (f, exprs), (_, dtype, _) in zip(values, known.fields, strict=True)
        ]
    var = ir.StructVar("", known, count, frame.span(node))
    frame.emit(ir.StructDeclare(frame.stmt_span, var, tuple(values)))
    return StructValue(var)


def _field(frame: Frame, owner: StructValue, name: str, node: ast.AST) -> tuple[DType, int] | None:
    if owner.var.count and owner.at is None:
        frame.report("PTO1271", node, name=name)
        return None
    for field, dtype, length in owner.var.type.fields:
        if field == name:
            return dtype, length
    hint = did_you_mean(name, [field for field, _, _ in owner.var.type.fields])
    frame.report("PTO1155", node, owner=f"struct {owner.var.type.name}", name=name, hint=hint)
    return None


def read_field(frame: Frame, owner: StructValue, name: str, node: ast.AST) -> Value:
    """`struct.name`."""
    found = _field(frame, owner, name, node)
    if found is None:
        return UNKNOWN
    dtype, length = found
    if length:
        return StructArrayField(owner, name, dtype, length)
    return Scalar(ir.StructRead(owner.var, name, dtype, owner.at, span=frame.span(node)))


def read_item(frame: Frame, owner: StructArrayField, index: Value, node: ast.AST) -> Value:
    """`struct.name[index]`."""
    expr = field_index(frame, index, owner.length, node)
    if expr is None:
        return UNKNOWN
    struct = owner.struct
    return Scalar(ir.StructRead(struct.var, owner.field, owner.dtype, struct.at, expr, frame.span(node)))


def write_field(frame: Frame, owner: StructValue, name: str, value: Value, node: ast.AST) -> None:
    """`struct.name = value`, for an array field of all its elements."""
    found = _field(frame, owner, name, node)
    if found is None:
        return
    dtype, length = found
    if length:
        items = members(value)
        if items is None or len(items) != length:
            count = "no list" if items is None else str(len(items))
            frame.report("PTO1261", node, expected=length, found=count)
            return
        for i, item in enumerate(items):
            write_item(frame, StructArrayField(owner, name, dtype, length), Known(i), item, node)
        return
    expr = scalars.expression(frame, value, node)
    if expr is not None:
        frame.emit(ir.StructWrite(frame.stmt_span, owner.var, name, scalars.convert(expr, dtype), owner.at))


def write_item(frame: Frame, owner: StructArrayField, index: Value, value: Value, node: ast.AST) -> None:
    """`struct.name[index] = value`."""
    at = field_index(frame, index, owner.length, node)
    expr = scalars.expression(frame, value, node)
    if at is None or expr is None:
        return
    struct = owner.struct
    frame.emit(
        ir.StructWrite(frame.stmt_span, struct.var, owner.field, scalars.convert(expr, owner.dtype), struct.at, at)
    )


def field_index(frame: Frame, index: Value, length: int, node: ast.AST) -> ir.Expr | None:
    """An index into an array of known length; a constant one is checked."""
    expr = scalars.integer(frame, index, node, "an index")
    if isinstance(expr, ir.Const) and not 0 <= int(expr.value) < length:
        frame.report("PTO1272", node, index=expr.value, length=length)
        return None
    return expr


def struct_element(frame: Frame, owner: StructValue, index: Value, node: ast.AST) -> Value:
    """`array[index]`."""
    expr = field_index(frame, index, owner.var.count, node)
    return UNKNOWN if expr is None else StructValue(owner.var, expr)
