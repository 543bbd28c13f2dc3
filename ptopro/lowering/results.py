"""What helper functions return: from several `return` statements to one result type, and its delivery to the caller.

Values that are the same on every path and known at compile time are not returned at run time.  A tensor view or a
struct that the helper made itself is returned as the numbers it consists of, and made again by the caller.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ptopro.diagnostics import Span
from ptopro.language.dtypes import INT64, DType
from ptopro.lowering import ir, scalars
from ptopro.lowering.environment import Edge, id_count, join
from ptopro.lowering.traversal import nodes_of
from ptopro.lowering.values import (
    NONE,
    UNKNOWN,
    Conflict,
    GroupValue,
    Known,
    Pointer,
    Scalar,
    StructValue,
    TensorValue,
    TileValue,
    TupleValue,
    Unknown,
    Unset,
    Value,
)

if TYPE_CHECKING:
    from ptopro.lowering.context import Frame

Returned = ir.Expr | ir.TileExpr


@dataclass(slots=True)
class Results:
    """form: the returned value, whose run-time leaves stand for results in order; types: those of the results.

    escapes: tiles and groups that the helper declares and returns, which the caller has to declare; rebuilt: tensor
    views and structs that are returned as numbers.
    """

    form: Value
    types: tuple[DType | ir.TileVar, ...] = ()
    escapes: tuple[ir.DeclareTile | ir.DeclareGroup, ...] = ()
    rebuilt: frozenset[object] = frozenset()


def collect(frame: Frame, name: str, span: Span) -> Results:
    """Put the returned values into a lowered function's `Return` statements."""
    returns = list(frame.returns)
    if not returns:
        return Results(NONE)
    values = [value for _, value, _ in returns]
    falls = not frame.terminated
    if all(isinstance(v, Known) and v.value is None for v in values):
        return Results(NONE)
    if any(isinstance(v, Unknown) for v in values):
        return Results(UNKNOWN)
    empty = next((at for _, v, at in returns if isinstance(v, Known) and v.value is None), span)
    if falls or any(isinstance(v, Known) and v.value is None for v in values):
        return Results(Unset(f"when {name}() ends without a value", empty))
    made = _declared(frame.block)
    form = _joined(frame, "result ", values, made, span)
    if isinstance(form, Conflict):
        return Results(replace(form, reason=f"what {name}() returns has no single type: {form.reason}"))
    types: list[DType | ir.TileVar] = []
    for number, (edge, value, _) in enumerate(returns):
        leaves: list[Returned] = []
        _leaves(frame, form, value, made, leaves, types if number == 0 else [])
        _fill(edge, tuple(leaves))
    rebuilt = frozenset(d for d in made if isinstance(d, ir.TensorDecl | ir.StructVar))
    return Results(form, tuple(types), _escaping(frame, form, made), rebuilt)


def _joined(frame: Frame, name: str, values: Sequence[Value], made: dict[object, ir.Stmt], span: Span) -> Value:
    """The form of all returned values: one has its own, several meet as on paths that meet.

    Structs and tensor views that the function makes need not be the same ones, only of one type.
    """
    first = values[0]
    if len(values) == 1:
        return first
    structs = [v for v in values if isinstance(v, StructValue) and v.var in made]
    if len(structs) == len(values) and len({(v.var.type, v.var.count, v.at is None) for v in structs}) == 1:
        return first
    views = [v.decl for v in values if isinstance(v, TensorValue) and v.decl in made]
    if len(views) == len(values) and len({(v.dtype, _fixed(v.shape), _fixed(v.strides)) for v in views}) == 1:
        return first
    tuples = [v for v in values if isinstance(v, TupleValue)]
    if len(tuples) == len(values) and len({(len(v.items), v.names) for v in tuples}) == 1:
        items: list[Value] = []
        for i in range(len(tuples[0].items)):
            item = _joined(frame, f"{name}{i} ", [v.items[i] for v in tuples], made, span)
            if isinstance(item, Conflict):
                return item
            items.append(item)
        return TupleValue(tuple(items), tuples[0].names)
    return join(frame, name, values, span)


def _fixed(extents: tuple[ir.Expr, ...] | None) -> tuple[object, ...] | None:
    """The constants among extents, None for the others."""
    return None if extents is None else tuple(e.value if isinstance(e, ir.Const) else None for e in extents)


def _fill(edge: Edge, leaves: tuple[Returned, ...]) -> None:
    for i in range(len(edge.block) - 1, -1, -1):
        stmt = edge.block[i]
        if isinstance(stmt, ir.Return):
            edge.block[i] = ir.Return(stmt.span, leaves)
            return


def _declared(block: Sequence[ir.Stmt]) -> dict[object, ir.Stmt]:
    """What the function itself declares, with the statement."""
    found: dict[object, ir.Stmt] = {}
    for stmt in ir.walk(tuple(block)):
        if isinstance(stmt, ir.DeclareTile | ir.DeclareGroup | ir.DeclareTensor):
            found[stmt.decl] = stmt
        elif isinstance(stmt, ir.StructDeclare):
            found[stmt.var] = stmt
    return found


def _leaves(
    frame: Frame,
    form: Value,
    value: Value,
    made: dict[object, ir.Stmt],
    leaves: list[Returned],
    types: list[DType | ir.TileVar],
) -> None:
    """The run-time parts of a returned value, in order, converted to the types of the form."""
    match form:
        case Scalar():
            assert isinstance(value, Known | Scalar)
            leaves.append(scalars.converted(frame, value, form.dtype))
            types.append(form.dtype)
        case Pointer():
            assert isinstance(value, Pointer)
            leaves.append(value.expr)
            types.append(form.dtype)
        case TileValue() if not _is_static(form.expr):
            assert isinstance(value, TileValue)
            expr = value.expr
            leaves.append(expr)
            types.append(ir.TileVar("result", ir.spec_of(expr), ir.origins_of(expr), id_count(expr), frame.stmt_span))
        case TensorValue() if form.decl in made:
            assert isinstance(value, TensorValue)
            for part in _tensor_numbers(value.decl):
                leaves.append(part)
                types.append(part.dtype)
        case StructValue() if form.var in made:
            assert isinstance(value, StructValue)
            for element in _elements(value):
                for field, dtype, length in form.var.type.fields:
                    for i in range(max(length, 1)):
                        index = ir.Const(i, INT64) if length else None
                        leaves.append(ir.StructRead(value.var, field, dtype, element, index))
                        types.append(dtype)
        case TupleValue():
            assert isinstance(value, TupleValue)
            for part_form, item in zip(form.items, value.items, strict=True):
                _leaves(frame, part_form, item, made, leaves, types)
        case _:
            pass


def _is_static(expr: ir.TileExpr) -> bool:
    return isinstance(expr, ir.TileRef) or (isinstance(expr, ir.SlotRef) and isinstance(expr.index, int))


def _elements(value: StructValue) -> list[ir.Expr | None]:
    """Which elements a struct value has: of an array all, else the one that it is."""
    if value.var.count and value.at is None:
        return [ir.Const(i, INT64) for i in range(value.var.count)]
    return [value.at]


def _tensor_numbers(decl: ir.TensorDecl) -> list[ir.Expr]:
    """Base and the run-time extents and strides of a tensor view."""
    parts: list[ir.Expr] = [decl.base] if decl.base is not None else []
    parts += [e for e in (*decl.shape, *(decl.strides or ())) if not isinstance(e, ir.Const)]
    return parts


def _escaping(frame: Frame, form: Value, made: dict[object, ir.Stmt]) -> tuple[ir.DeclareTile | ir.DeclareGroup, ...]:
    """The declarations among `made` that the returned value refers to, taken out of the function."""
    used: list[object] = []
    _collect_decls(form, used)
    found: list[ir.DeclareTile | ir.DeclareGroup] = []
    for decl in used:
        stmt = made.get(decl)
        if isinstance(stmt, ir.DeclareTile | ir.DeclareGroup) and stmt not in found:
            found.append(stmt)
            if stmt in frame.block:
                frame.block.remove(stmt)
    return tuple(found)


def _collect_decls(form: Value, used: list[object]) -> None:
    match form:
        case TileValue():
            used.extend(ir.origins_of(form.expr))
        case GroupValue():
            used.append(form.decl)
        case TupleValue():
            for item in form.items:
                _collect_decls(item, used)
        case _:
            pass


# --------------------------------------------------------------------------------------------------------------------
# At the call


def deliver(
    frame: Frame, function: ir.FunctionIR, results: Results, args: tuple[Returned, ...], node: ast.Call
) -> Value:
    """Emit the call and give the value that it returns."""
    span = frame.span(node)
    form = results.form
    if isinstance(form, Scalar) and is_pure(function):
        return Scalar(ir.Call(function, args, form.dtype, span))
    for declaration in results.escapes:
        frame.emit(replace(declaration, span=frame.stmt_span))
    variables: list[ir.Var | ir.TileVar] = []
    behind: list[ir.Stmt] = []
    value = _received(frame, form, results, _taker(results.types, frame, variables), behind, node)
    frame.emit(ir.CallStmt(frame.stmt_span, function, args, tuple(variables), span))
    for stmt in behind:
        frame.emit(stmt)
    if isinstance(value, Unset | Conflict):
        return _unusable(frame, value, node)
    return value


def _unusable(frame: Frame, value: Unset | Conflict, node: ast.Call) -> Value:
    """A result that not every path gives: an error unless the call stands alone."""
    if frame.discarded is not node:
        reason = value.path if isinstance(value, Unset) else value.reason
        frame.report("PTO1063", node, reason=reason)
    return UNKNOWN


def _taker(
    types: Sequence[DType | ir.TileVar], frame: Frame, variables: list[ir.Var | ir.TileVar]
) -> Callable[[bool], ir.Var | ir.TileVar]:
    """Makes the caller's variable for one result after the other."""
    remaining = iter(types)

    def next_variable(pointer: bool = False) -> ir.Var | ir.TileVar:
        kind = next(remaining)
        made: ir.Var | ir.TileVar
        if isinstance(kind, ir.TileVar):
            made = ir.TileVar("", kind.spec, kind.origins, kind.id_count, frame.stmt_span)
        else:
            made = frame.temporary("", kind, pointer=pointer)
        variables.append(made)
        return made

    return next_variable


def _received(
    frame: Frame,
    form: Value,
    results: Results,
    take: Callable[[bool], ir.Var | ir.TileVar],
    behind: list[ir.Stmt],
    node: ast.Call,
) -> Value:
    """The returned value as the caller sees it."""
    match form:
        case Scalar() | Pointer():
            var = take(isinstance(form, Pointer))
            assert isinstance(var, ir.Var)
            return type(form)(ir.VarRef(var))
        case TileValue() if not _is_static(form.expr):
            tile = take(False)
            assert isinstance(tile, ir.TileVar)
            return TileValue(ir.TileVarRef(tile), True, form.extent)
        case TensorValue() if form.decl in results.rebuilt:
            return _received_tensor(frame, form.decl, take, behind)
        case StructValue() if form.var in results.rebuilt:
            return _received_struct(frame, form, take, behind, node)
        case TupleValue():
            return TupleValue(
                tuple(_received(frame, item, results, take, behind, node) for item in form.items), form.names
            )
        case _:
            return form


def _received_tensor(
    frame: Frame, decl: ir.TensorDecl, take: Callable[[bool], ir.Var | ir.TileVar], behind: list[ir.Stmt]
) -> Value:
    def number(expr: ir.Expr) -> ir.Expr:
        if isinstance(expr, ir.Const):
            return expr
        var = take(False)
        assert isinstance(var, ir.Var)
        var.name = "extent"
        return ir.VarRef(var)

    base = take(True)
    assert isinstance(base, ir.Var)
    base.name = "base"
    shape = tuple(number(e) for e in decl.shape)
    strides = None if decl.strides is None else tuple(number(e) for e in decl.strides)
    made = ir.TensorDecl("", decl.dtype, shape, decl.layout, strides, ir.VarRef(base), frame.stmt_span)
    behind.append(ir.DeclareTensor(frame.stmt_span, made))
    return TensorValue(made)


def _received_struct(
    frame: Frame,
    form: StructValue,
    take: Callable[[bool], ir.Var | ir.TileVar],
    behind: list[ir.Stmt],
    node: ast.Call,
) -> Value:
    kind = form.var.type
    count = form.var.count if form.at is None else 0
    made = ir.StructVar("", kind, count, frame.span(node))
    for number in range(max(count, 1)):
        values: list[tuple[str, tuple[ir.Expr, ...]]] = []
        for field, _, length in kind.fields:
            results = [take(False) for _ in range(max(length, 1))]
            for result in results:
                result.name = field
            values.append((field, tuple(ir.VarRef(r) for r in results if isinstance(r, ir.Var))))
        if number == 0:
            behind.append(ir.StructDeclare(frame.stmt_span, made, tuple(values)))
            continue
        at = ir.Const(number, INT64)
        for (field, exprs), (_, _, length) in zip(values, kind.fields, strict=True):
            for i, expr in enumerate(exprs):
                index = ir.Const(i, INT64) if length else None
                behind.append(ir.StructWrite(frame.stmt_span, made, field, expr, at, index))
    return StructValue(made)


def is_pure(function: ir.FunctionIR) -> bool:
    """Whether a function only computes: a call of it may stand inside an expression."""
    allowed = (ir.Assign, ir.If, ir.For, ir.While, ir.Break, ir.Continue, ir.Return)
    for stmt in ir.walk(function.body):
        if not isinstance(stmt, allowed):
            return False
        for item in nodes_of(stmt):
            if isinstance(item, ir.ElementRead | ir.ValidExtent | ir.StructRead):
                return False
    return True
