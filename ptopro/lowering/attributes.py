"""`value.name`: shapes and types of tensors and tiles, fields, methods of groups."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from ptopro.frontend.evaluator import NotConstant
from ptopro.frontend.suggestions import did_you_mean
from ptopro.language.tiles import TileSpec
from ptopro.lowering import ir
from ptopro.lowering.structs import read_field
from ptopro.lowering.tensors import dims_value, strides_value
from ptopro.lowering.values import (
    UNKNOWN,
    ExtentValue,
    GroupValue,
    Known,
    MethodValue,
    Pointer,
    Scalar,
    StructValue,
    TensorValue,
    TileValue,
    TilingArray,
    TilingValue,
    TupleValue,
    Unknown,
    Value,
    kind_name,
)

if TYPE_CHECKING:
    from ptopro.lowering.context import Frame

GROUP_METHODS = ("next", "current", "previous")
_SPEC_FIELDS = ("dtype", "memory", "target_memory", "layout", "fractal", "pad", "compact")


def attribute(frame: Frame, node: ast.Attribute) -> Value:
    owner = frame.value(node.value)
    name = node.attr
    match owner:
        case Unknown():
            return UNKNOWN
        case Known():
            try:
                return Known(frame.module.evaluator.attribute(owner.value, name, frame.span(node)))
            except NotConstant as error:
                frame.refuse(error, node, f"'{frame.text(node)}'")
                return UNKNOWN
        case TensorValue():
            found = _of_tensor(owner, name)
            names: tuple[str, ...] = ("shape", "stride", "strides", "dtype", "layout")
        case TileValue():
            found = _of_tile(frame, owner, name)
            names = ("shape", "valid_shape", *_SPEC_FIELDS)
        case GroupValue():
            found = _of_group(owner, name)
            names = (*GROUP_METHODS, "depth", "shape", *_SPEC_FIELDS)
        case TupleValue():
            found = owner.items[owner.names.index(name)] if name in owner.names else None
            names = owner.names
        case StructValue():
            return read_field(frame, owner, name, node)
        case TilingValue():
            found = _of_tiling(frame, owner, name, node)
            names = tuple(field for field, _, _ in owner.fields)
        case Scalar() | Pointer():
            found = Known(owner.dtype) if name == "dtype" else None
            names = ("dtype",)
        case _:
            found, names = None, ()
    if found is None:
        frame.report("PTO1155", node, owner=kind_name(owner), name=name, hint=did_you_mean(name, names))
        return UNKNOWN
    return found


def _of_tensor(owner: TensorValue, name: str) -> Value | None:
    if name == "shape":
        return dims_value(owner.decl)
    if name in ("stride", "strides"):
        return strides_value(owner.decl)
    if name == "dtype":
        return Known(owner.decl.dtype)
    return Known(owner.decl.layout) if name == "layout" else None


def _of_tile(frame: Frame, owner: TileValue, name: str) -> Value | None:
    spec = ir.spec_of(owner.expr)
    if name == "shape":
        return Known(spec.shape)
    if name == "valid_shape":
        return ExtentValue(owner.expr)
    return _of_spec(spec, name)


def _of_spec(spec: TileSpec, name: str) -> Value | None:
    return Known(getattr(spec, name)) if name in _SPEC_FIELDS else None


def _of_group(owner: GroupValue, name: str) -> Value | None:
    if name in GROUP_METHODS:
        return MethodValue(owner, name)
    if name == "depth":
        return Known(owner.decl.depth)
    if name == "shape":
        return Known(owner.decl.spec.shape)
    return _of_spec(owner.decl.spec, name)


def _of_tiling(frame: Frame, owner: TilingValue, name: str, node: ast.AST) -> Value | None:
    for field, dtype, length in owner.fields:
        if field == name:
            if length:
                return TilingArray(name, dtype, length)
            return Scalar(ir.TilingRead(name, dtype, span=frame.span(node)))
    return None
