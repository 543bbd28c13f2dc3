"""How arguments are passed to a function that is specialised: what is known is part of its key, the rest parameters.

In: the values of a call's arguments.  Out: a `Passing`: what the function's names hold, its key, its run-time
parameters and the arguments for them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ptopro.frontend.values import FunctionValue
from ptopro.language.dtypes import INT64
from ptopro.lowering import ir
from ptopro.lowering.context import plain_name
from ptopro.lowering.environment import id_count, leaf_name
from ptopro.lowering.values import (
    GroupValue,
    Known,
    Pointer,
    Scalar,
    StructValue,
    TensorValue,
    TileValue,
    TilingValue,
    TupleValue,
    Value,
)

if TYPE_CHECKING:
    from ptopro.lowering.context import Frame

Argument = ir.Expr | ir.TileExpr


@dataclass(slots=True)
class Passing:
    """How the arguments of a call are passed: what the function's names hold, its key, its run-time parameters.

    fixed_tiles: tiles and slots that are known at compile time are part of the key; else every tile is a parameter.
    """

    fixed_tiles: bool = True

    names: dict[str, Value] = field(default_factory=dict)
    key: list[object] = field(default_factory=list)
    params: list[ir.Var | ir.TileVar] = field(default_factory=list)
    args: list[Argument] = field(default_factory=list)
    captures: list[tuple[str, ir.TileDecl | ir.GroupDecl | ir.TensorDecl]] = field(default_factory=list)
    kept: list[object] = field(default_factory=list)


def closure_key(function: FunctionValue) -> int:
    """Two closures of one def differ in what they close over."""
    return id(function.scope)


def pass_value(frame: Frame, passing: Passing, name: str, value: Value) -> Value | None:
    """Pass one argument: what the parameter holds in the helper, None for what cannot be passed."""
    match value:
        case Known():
            passing.key.append((name, _known_key(passing, value.value), value.dtype))
            return Known(value.value, dtype=value.dtype)
        case Scalar() | Pointer():
            var = ir.Var(name, value.dtype, frame.stmt_span, isinstance(value, Pointer))
            passing.key.append((name, value.dtype, var.pointer))
            passing.params.append(var)
            passing.args.append(value.expr)
            return type(value)(ir.VarRef(var))
        case TileValue():
            return _pass_tile(frame, passing, name, value)
        case GroupValue() | TensorValue():
            passing.key.append((name, id(value.decl)))
            passing.kept.append(value.decl)
            passing.captures.append((name, value.decl))
            return value
        case StructValue():
            passing.key.append((name, id(value.var), value.at is None))
            passing.kept.append(value.var)
            if value.at is None:
                return value
            at = ir.Var(f"{name}_index", INT64, frame.stmt_span)
            passing.params.append(at)
            passing.args.append(value.at)
            return StructValue(value.var, ir.VarRef(at))
        case TilingValue():
            passing.key.append((name, "tiling"))
            return value
        case TupleValue():
            passing.key.append((name, len(value.items), value.names))
            items: list[Value] = []
            for i, item in enumerate(value.items):
                part = pass_value(frame, passing, plain_name(leaf_name(name, value, i)), item)
                if part is None:
                    return None
                items.append(part)
            return TupleValue(tuple(items), value.names)
        case _:
            return None


def _pass_tile(frame: Frame, passing: Passing, name: str, value: TileValue) -> Value:
    expr = value.expr
    if passing.fixed_tiles and isinstance(expr, ir.TileRef):
        passing.key.append((name, id(expr.decl), value.extent))
        passing.kept.append(expr.decl)
        passing.captures.append((name, expr.decl))
        return TileValue(expr, True, value.extent)
    if passing.fixed_tiles and isinstance(expr, ir.SlotRef) and isinstance(expr.index, int):
        passing.key.append((name, id(expr.group), expr.index, value.extent))
        passing.kept.append(expr.group)
        passing.captures.append((name, expr.group))
        return TileValue(expr, True, value.extent)
    ids = id_count(expr) if passing.fixed_tiles else 0  # register code has no locks inside
    var = ir.TileVar(name, ir.spec_of(expr), ir.origins_of(expr), ids, frame.stmt_span)
    passing.key.append((name, var.spec, var.id_count, value.extent))
    passing.params.append(var)
    passing.args.append(expr)
    return TileValue(ir.TileVarRef(var), True, value.extent)


def _known_key(passing: Passing, value: Any) -> object:
    """A key under which equal compile-time values, and no others, share a specialisation."""
    if isinstance(value, float):
        return ("float", value.hex())
    if isinstance(value, bool | int | str | None):
        return (type(value).__name__, value)
    if type(value) in (tuple, list):
        return (type(value).__name__, tuple(_known_key(passing, item) for item in value))
    passing.kept.append(value)
    try:
        hash(value)
        return value
    except TypeError:
        return ("id", id(value))


def adopt(frame: Frame, name: str, value: Value) -> None:
    """Let parameters be assigned to: the variable of a parameter is the one of its name."""
    match value:
        case Scalar(expr=ir.VarRef(var=var)) | Pointer(expr=ir.VarRef(var=var)):
            frame.adopt(name, var)
        case TileValue(expr=ir.TileVarRef(var=tile_var)):
            frame.adopt_tile(name, tile_var)
        case TupleValue():
            for i, item in enumerate(value.items):
                adopt(frame, leaf_name(name, value, i), item)
        case StructValue(at=ir.VarRef(var=var)):
            frame.fixed.add(var)
        case _:
            pass
