"""Assignments: names, tuples of targets, elements of tiles and tensors, fields of structs.

In: targets and the value.  Out: `Assign`, `BindTile`, `StructWrite` and `setval` statements, and the new environment.
"""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING

from ptopro.diagnostics.span import Span
from ptopro.frontend.values import LanguageName, PtrAnnotation, TensorAnnotation, TileAnnotation
from ptopro.language.dtypes import DType
from ptopro.lowering import ir, scalars
from ptopro.lowering.context import plain_name
from ptopro.lowering.environment import Binding, id_count, leaf_name
from ptopro.lowering.expressions import members, operate, ordered
from ptopro.lowering.register_lists import assign_member
from ptopro.lowering.traversal import nodes_of
from ptopro.lowering.values import (
    UNKNOWN,
    GroupValue,
    Known,
    Pointer,
    RegisterValue,
    Scalar,
    StructArrayField,
    StructValue,
    TensorValue,
    TileValue,
    TupleValue,
    UbValue,
    Unknown,
    Value,
    kind_name,
)
from ptopro.lowering.vector_registers import hold_pointer, hold_register, hold_tile, saved

if TYPE_CHECKING:
    from ptopro.lowering.context import Frame


def assign(frame: Frame, node: ast.Assign) -> None:
    if frame.registers is not None:
        frame.registers.expect(frame, node.value, node.targets)
    value = frame.value(node.value)
    if len(node.targets) > 1:
        value = _held_once(frame, value)
    for target in node.targets:
        assign_target(frame, target, value, node)


def _held_once(frame: Frame, value: Value) -> Value:
    """The value of `a = b = value`, computed once."""
    if isinstance(value, Scalar | Pointer):
        return type(value)(frame.keep(value.expr, "value", pointer=isinstance(value, Pointer)))
    return value


def annotated(frame: Frame, node: ast.AnnAssign) -> None:
    """`x: pl.DT_INT32 = value` converts; other annotations are checked against the value's kind."""
    if node.value is None:
        frame.report("PTO1051", node)
        return
    value = frame.value(node.value)
    annotation = frame.evaluate(node.annotation, "this annotation")
    if isinstance(annotation, Known):
        value = conform(frame, value, annotation.value, node.value)
    assign_target(frame, node.target, value, node)


def conform(frame: Frame, value: Value, annotation: object, where: ast.AST) -> Value:
    """The value as an annotation wants it: numbers are converted, anything else is checked."""
    if isinstance(value, Unknown):
        return value
    if isinstance(annotation, DType):
        return scalars.cast(frame, value, annotation, where)
    wanted: tuple[type, ...] = ()
    what = ""
    if isinstance(annotation, TileAnnotation) or annotation == LanguageName("Tile"):
        wanted, what = (TileValue, GroupValue), "a tile"
    elif isinstance(annotation, TensorAnnotation) or annotation == LanguageName("Tensor"):
        wanted, what = (TensorValue,), "a tensor"
    elif isinstance(annotation, PtrAnnotation) or annotation == LanguageName("Ptr"):
        wanted, what = (Pointer, TensorValue), "a pointer"
    if wanted and not isinstance(value, wanted) and not (isinstance(value, Known) and value.value is None):
        frame.report("PTO1260", where, expected=what, found=kind_name(value))
        return UNKNOWN
    return value


def augmented(frame: Frame, node: ast.AugAssign) -> None:
    """`target op= value`; the container and index of the target are evaluated once."""
    target = node.target
    if isinstance(target, ast.Name):
        read = ast.copy_location(ast.Name(target.id, ast.Load()), target)
        left, right = ordered(frame, (read, node.value))
        bind(frame, target.id, operate(frame, node.op, left, right, node), node)
        return
    place = _place(frame, target)
    if place is None:
        return
    old = _read_place(frame, place, target)
    right = frame.value(node.value)
    _write_place(frame, place, operate(frame, node.op, old, right, node), target, node)


def assign_target(frame: Frame, target: ast.expr, value: Value, node: ast.AST) -> None:
    if isinstance(target, ast.Name):
        bind(frame, target.id, value, node, frame.span(target))
    elif isinstance(target, ast.Tuple | ast.List):
        _unpack(frame, target, value, node)
    elif (
        isinstance(target, ast.Subscript) and frame.registers is not None and assign_member(frame, target, value, node)
    ):
        pass
    elif isinstance(target, ast.Subscript | ast.Attribute):
        place = _place(frame, target)
        if place is not None:
            _write_place(frame, place, value, target, node)
    else:
        frame.report("PTO1050", target, construct=type(target).__name__)


def _unpack(frame: Frame, target: ast.Tuple | ast.List, value: Value, node: ast.AST) -> None:
    if isinstance(value, Unknown):
        _forget(frame, target)
        return
    items = members(value)
    if items is None and isinstance(value, Known):
        expanded = iterate(frame, value, node)
        items = None if expanded is None else tuple(expanded)
    if items is None:
        frame.report("PTO1258", target, found=kind_name(value))
        _forget(frame, target)
        return
    elements = target.elts
    star = next((i for i, e in enumerate(elements) if isinstance(e, ast.Starred)), None)
    wrong = len(items) != len(elements) if star is None else len(items) < len(elements) - 1
    if wrong:
        frame.report("PTO1261", target, expected=len(elements) - (star is not None), found=len(items))
        _forget(frame, target)
        return
    if star is not None:
        tail = len(elements) - star - 1
        rest = items[star : len(items) - tail]
        plain = [v.value for v in rest if isinstance(v, Known)]
        middle: Value = Known(plain) if len(plain) == len(rest) else TupleValue(rest)
        items = (*items[:star], middle, *items[len(items) - tail :])
    names = {n.id for e in elements for n in ast.walk(e) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    items = tuple(
        _parallel(frame, item, names - {getattr(e, "id", "")}) for e, item in zip(elements, items, strict=True)
    )
    for element, item in zip(elements, items, strict=True):
        assign_target(frame, element.value if isinstance(element, ast.Starred) else element, item, node)


def iterate(frame: Frame, value: Known, node: ast.AST) -> list[Value] | None:
    """The items of a compile-time value; None after a report."""
    from ptopro.frontend.evaluator import NotConstant

    try:
        return [Known(item) for item in frame.module.evaluator.iterate(value.value, frame.span(node))]
    except NotConstant as error:
        frame.refuse(error, node, "this sequence")
        return None


def _forget(frame: Frame, target: ast.expr) -> None:
    for part in ast.walk(target):
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store):
            frame.env[part.id] = Binding(UNKNOWN)


def _parallel(frame: Frame, value: Value, names: set[str]) -> Value:
    """A member of `a, b = b, a`, kept where assigning the other targets first would change it."""
    match value:
        case Scalar() | Pointer():
            if any(isinstance(n, ir.VarRef) and n.var.name in names for n in nodes_of(value.expr)):
                return type(value)(frame.keep_always(value.expr, "old", pointer=isinstance(value, Pointer)))
        case TileValue():
            if any(isinstance(n, ir.TileVarRef | ir.VarRef) and n.var.name in names for n in nodes_of(value.expr)):
                var = ir.TileVar(
                    "old", ir.spec_of(value.expr), ir.origins_of(value.expr), id_count(value.expr), frame.stmt_span
                )
                frame.emit(ir.BindTile(frame.stmt_span, var, value.expr))
                return replace(value, expr=ir.TileVarRef(var))
        case RegisterValue():
            if frame.registers is not None and frame.registers.owner(value.register) in names:
                return saved(frame, value)
        case TupleValue():
            return TupleValue(tuple(_parallel(frame, item, names) for item in value.items), value.names)
        case _:
            pass
    return value


# --------------------------------------------------------------------------------------------------------------------
# Names


def bind(frame: Frame, name: str, value: Value, node: ast.AST, span: Span | None = None) -> None:
    """Let a name hold a value from here on."""
    held, stored = hold(frame, name, value, node)
    frame.env[name] = Binding(held, stored, span or frame.span(node))


def hold(frame: Frame, name: str, value: Value, node: ast.AST) -> tuple[Value, ir.Var | ir.TileVar | None]:
    """Put a value into variables called `name` where it is not a compile-time one: (value to read, its variable)."""
    match value:
        case Known():
            return _hold_known(frame, name, value, node)
        case Scalar() | Pointer():
            if isinstance(value.expr, ir.VarRef):
                result = frame.name_result(value.expr.var, name)
                if isinstance(result, ir.Var):
                    return type(value)(ir.VarRef(result)), None
            var = frame.variable(name, value.dtype, pointer=isinstance(value, Pointer))
            if not (isinstance(value.expr, ir.VarRef) and value.expr.var is var):
                frame.emit(ir.Assign(frame.stmt_span, var, value.expr))
            return type(value)(ir.VarRef(var)), None
        case TileValue() if frame.registers is not None:
            return hold_tile(frame, name, value), None
        case TileValue():
            return _hold_tile(frame, name, value)
        case RegisterValue():
            return hold_register(frame, name, value), None
        case UbValue():
            return hold_pointer(frame, name, value), None
        case TupleValue():
            keys = [leaf_name(name, value, i) for i in range(len(value.items))]
            mine = {plain_name(key) for key in keys}
            old = [_parallel(frame, item, mine) for item in value.items]
            items = tuple(_hold_member(frame, key, item, node) for key, item in zip(keys, old, strict=True))
            return TupleValue(items, value.names), None
        case GroupValue() | TensorValue():
            value.decl.name = value.decl.name or name
            return value, None
        case StructValue():
            value.var.name = value.var.name or name
            if value.at is not None:
                return StructValue(value.var, frame.keep(value.at, f"{name}_index")), None
            return value, None
        case _:
            return value, None


def _hold_known(frame: Frame, name: str, value: Known, node: ast.AST) -> tuple[Value, ir.Var | None]:
    if not value.is_number or isinstance(value.value, str):
        return Known(value.value, dtype=value.dtype), None
    if frame.binding_sites(name) > 1:
        number = scalars.constant(frame, value, node)
        var = frame.variable(name, number.dtype)
        frame.emit(ir.Assign(frame.stmt_span, var, number))
        return Known(value.value, dtype=value.dtype), var
    named = frame.names_constants and not frame.loops and not isinstance(value.value, bool)
    return Known(value.value, name if named else "", value.dtype), None


def _hold_tile(frame: Frame, name: str, value: TileValue) -> tuple[Value, ir.TileVar | None]:
    expr = value.expr
    if isinstance(expr, ir.TileRef):
        expr.decl.name = expr.decl.name or name
    if isinstance(expr, ir.SlotRef):  # make_tile_group(...).current()
        expr.group.name = expr.group.name or name
    if isinstance(expr, ir.TileVarRef):
        result = frame.name_result(expr.var, name)
        if isinstance(result, ir.TileVar):
            return TileValue(ir.TileVarRef(result), True, value.extent), result
    static = isinstance(expr, ir.TileRef) or (isinstance(expr, ir.SlotRef) and isinstance(expr.index, int))
    if static and frame.binding_sites(name) <= 1:
        return TileValue(expr, True, value.extent), None
    var = frame.tile_variable(name, ir.spec_of(expr), id_count(expr))
    var.origins |= ir.origins_of(expr)
    frame.emit(ir.BindTile(frame.stmt_span, var, expr))
    if static:
        return TileValue(expr, True, value.extent), var
    return TileValue(ir.TileVarRef(var), True, value.extent), var


def _hold_member(frame: Frame, name: str, value: Value, node: ast.AST) -> Value:
    """A member of a tuple: only what may change later needs a variable of its own."""
    match value:
        case Scalar(expr=ir.VarRef(var=var)) | Pointer(expr=ir.VarRef(var=var)) if var in frame.fixed:
            var.name = var.name or plain_name(name)
            return value
        case Scalar() | Pointer() if frame.is_stable(value.expr):
            return value
        case TileValue(expr=ir.TileVarRef(var=tile_var)) if tile_var in frame.fixed_tiles or not tile_var.name:
            tile_var.name = tile_var.name or plain_name(name)
            return value
        case TileValue(expr=ir.TileRef() | ir.SlotRef(index=int())):
            if isinstance(value.expr, ir.TileRef):
                value.expr.decl.name = value.expr.decl.name or plain_name(name)
            return value
        case Known():
            return value
        case GroupValue() | TensorValue():
            value.decl.name = value.decl.name or plain_name(name)
            return value
        case _:
            return hold(frame, name, value, node)[0]


# --------------------------------------------------------------------------------------------------------------------
# Elements and fields

Place = tuple[str, object, object]  # ("element", container, offset) | ("field", struct, name) | ("item", field, index)


def _place(frame: Frame, target: ast.expr) -> Place | None:
    """Where a subscript or attribute target stores, with index expressions evaluated; None after a report."""
    from ptopro.lowering.views import element_offset

    if isinstance(target, ast.Attribute):
        owner = frame.value(target.value)
        if isinstance(owner, StructValue):
            return ("field", owner, target.attr)
        if not isinstance(owner, Unknown):
            frame.report("PTO1262", target, found=kind_name(owner))
        return None
    assert isinstance(target, ast.Subscript)
    owner = frame.value(target.value)
    if isinstance(owner, TileValue | TensorValue):
        offset = element_offset(frame, owner, target)
        return None if offset is None else ("element", owner, offset)
    if isinstance(owner, StructArrayField):
        index = frame.value(target.slice)
        return None if isinstance(index, Unknown) else ("item", owner, index)
    if not isinstance(owner, Unknown):
        frame.report("PTO1262", target, found=kind_name(owner))
    return None


def _read_place(frame: Frame, place: Place, target: ast.expr) -> Value:
    from ptopro.lowering.structs import read_field, read_item
    from ptopro.lowering.views import read_element

    kind, owner, at = place
    if kind == "element":
        assert isinstance(owner, TileValue | TensorValue)
        return read_element(frame, owner, at, target)  # type: ignore[arg-type]
    if kind == "field":
        assert isinstance(owner, StructValue)
        return read_field(frame, owner, str(at), target)
    assert isinstance(owner, StructArrayField)
    return read_item(frame, owner, at, target)  # type: ignore[arg-type]


def _write_place(frame: Frame, place: Place, value: Value, target: ast.expr, node: ast.AST) -> None:
    from ptopro.lowering.structs import write_field, write_item
    from ptopro.lowering.views import write_element

    if isinstance(value, Unknown):
        return
    kind, owner, at = place
    if kind == "element":
        assert isinstance(owner, TileValue | TensorValue) and isinstance(target, ast.Subscript)
        write_element(frame, owner, at, value, target, node)  # type: ignore[arg-type]
    elif kind == "field":
        assert isinstance(owner, StructValue)
        write_field(frame, owner, str(at), value, target)
    else:
        assert isinstance(owner, StructArrayField)
        write_item(frame, owner, at, value, target)  # type: ignore[arg-type]


def expression_statement(frame: Frame, node: ast.Expr) -> None:
    """A call for its effect; docstrings and other constants do nothing."""
    if isinstance(node.value, ast.Constant):
        return
    frame.discarded = node.value
    frame.value(node.value)
