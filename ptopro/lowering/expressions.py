"""Expressions: constants, names, operators, conditions, tuples.

One function for each kind of syntax node; each yields a `Value`.  Comparisons, attributes, subscripts and calls have
modules of their own; whatever has no rule is evaluated at compile time by the front end.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from ptopro.diagnostics import Label
from ptopro.frontend.scope import MISSING
from ptopro.frontend.values import LanguageName
from ptopro.language.dtypes import BOOL, INT64, DType
from ptopro.lowering import ir, scalars
from ptopro.lowering.environment import Binding, Edge, draft, id_count, join, merge, number_type
from ptopro.lowering.promotion import adapted_literal, merged_type
from ptopro.lowering.traversal import nodes_of
from ptopro.lowering.values import (
    UNKNOWN,
    Conflict,
    GroupValue,
    Known,
    Pointer,
    RegisterValue,
    Scalar,
    StructValue,
    TensorChoice,
    TensorValue,
    TileValue,
    TilingArray,
    TupleValue,
    UbValue,
    Unknown,
    Unset,
    Value,
    kind_name,
)

if TYPE_CHECKING:
    from ptopro.lowering.context import Frame

_CHOICE = "chosen "  # no Python name: it cannot meet an author's


def constant(frame: Frame, node: ast.Constant) -> Value:
    return Known(node.value)


def name(frame: Frame, node: ast.Name) -> Value:
    binding = frame.env.get(node.id)
    if binding is None:
        if frame.sites[node.id] and node.id not in frame.env:
            frame.report(
                "PTO1151", node, name=node.id, reason="it is assigned further down, or on no path that leads here"
            )
            return UNKNOWN
        if node.id == "vf" and frame.registers is not None and frame.scope.lookup("vf") is MISSING:
            return Known(LanguageName("vf"))  # known in vector functions without an import
        found = frame.evaluate(node)
        if isinstance(found, Known) and _is_named(found.value):
            return Known(found.value, node.id)
        return found
    value = binding.value
    if isinstance(value, Unset):
        labels = [Label(value.span, f"not assigned {value.path}")]
        if binding.span is not None:
            labels.append(Label(binding.span, "assigned here"))
        frame.report("PTO1152", node, name=node.id, path=value.path, labels=labels)
        frame.env[node.id] = Binding(UNKNOWN)
        return UNKNOWN
    if isinstance(value, Conflict):
        frame.report(
            "PTO1153", node, name=node.id, reason=value.reason, labels=[Label(value.span, "the paths meet here")]
        )
        frame.env[node.id] = Binding(UNKNOWN)
        return UNKNOWN
    if binding.doubt is not None and node.id not in frame.warned:
        frame.warned.add(node.id)
        frame.report("PTO1154", node, name=node.id, path=binding.doubt.path, labels=[Label(binding.doubt.span, "here")])
    if isinstance(value, TileValue) and not value.pure:
        return TileValue(value.expr, True, value.extent)
    return value


def _is_named(value: object) -> bool:
    """Whether C++ keeps the name of such a constant."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def ordered(frame: Frame, nodes: Sequence[ast.expr]) -> list[Value]:
    """The values of expressions that Python evaluates from left to right.

    Where a later one needs statements of its own, values that these may change are kept in variables before them.
    """
    values: list[Value] = []
    for node in nodes:
        mark = len(frame.block)
        value = frame.value(node)
        if len(frame.block) > mark and values:
            added = frame.block[mark:]
            del frame.block[mark:]
            values = [_kept(frame, earlier, added) for earlier in values]
            frame.block.extend(added)
        values.append(value)
    return values


def _kept(frame: Frame, value: Value, added: Sequence[ir.Stmt]) -> Value:
    """`value` as it is before the statements of `added`."""
    moved = {stmt.group for stmt in added if isinstance(stmt, ir.Advance)}
    only_cursors = len(moved) > 0 and all(isinstance(stmt, ir.Advance) for stmt in added)
    match value:
        case Scalar() | Pointer():
            if only_cursors and not _touches(value.expr, moved):
                return value
            kept = frame.keep(value.expr, "value", pointer=isinstance(value, Pointer))
            return type(value)(kept)
        case TileValue() if not _is_fixed_tile(value.expr):
            if only_cursors and not _touches(value.expr, moved):
                return value
            origins = ir.origins_of(value.expr)
            name = next(iter(origins)).name if len(origins) == 1 else "tile"
            var = ir.TileVar(name, ir.spec_of(value.expr), origins, id_count(value.expr), frame.stmt_span)
            frame.emit(ir.BindTile(frame.stmt_span, var, value.expr))
            return TileValue(ir.TileVarRef(var), value.pure, value.extent)
        case TupleValue():
            return TupleValue(tuple(_kept(frame, item, added) for item in value.items), value.names)
        case _:
            return value


def _is_fixed_tile(expr: ir.TileExpr) -> bool:
    """Whether a tile expression means the same tile later on."""
    return isinstance(expr, ir.TileRef | ir.TileVarRef) or (
        isinstance(expr, ir.SlotRef) and isinstance(expr.index, int)
    )


def _touches(expr: ir.Expr | ir.TileExpr, groups: set[ir.GroupDecl]) -> bool:
    """Whether an expression reads the cursor of one of these groups."""
    return any(isinstance(n, ir.SlotRef) and n.group in groups for n in nodes_of(expr))


def binary(frame: Frame, node: ast.BinOp) -> Value:
    left, right = ordered(frame, (node.left, node.right))
    return operate(frame, node.op, left, right, node)


def operate(frame: Frame, op: ast.operator, left: Value, right: Value, node: ast.AST) -> Value:
    """`left op right`, for operators and augmented assignments."""
    symbol = scalars.BINARY_NAMES[type(op)]
    if isinstance(left, Pointer | TensorValue) and symbol in ("+", "-"):
        from ptopro.lowering.tensors import advance

        return advance(frame, left, right, node, negative=symbol == "-")
    if isinstance(left, TupleValue) or isinstance(right, TupleValue):
        return _concatenated(frame, symbol, left, right, node)
    if frame.registers is not None and isinstance(left, TileValue | UbValue) and symbol in ("+", "-"):
        from ptopro.lowering.vector_registers import offset_pointer, ub_value

        if isinstance(right, Unknown):
            return UNKNOWN
        pointer = ub_value(frame, left)
        assert pointer is not None
        return offset_pointer(frame, pointer, right, node, negative=symbol == "-")
    if frame.registers is not None and symbol == "+" and isinstance(right, TileValue | UbValue):
        return operate(frame, op, right, left, node)
    for side in (left, right):
        if isinstance(side, RegisterValue):
            frame.report("PTO1076", node, op=symbol)
            return UNKNOWN
        if isinstance(side, TileValue):
            frame.report("PTO1256", node, op=symbol)
            return UNKNOWN
    return scalars.binary(frame, symbol, left, right, node)


def _concatenated(frame: Frame, symbol: str, left: Value, right: Value, node: ast.AST) -> Value:
    if symbol == "+":
        a, b = members(left), members(right)
        if a is not None and b is not None:
            return TupleValue((*a, *b))
    if symbol == "*" and isinstance(right, Known) and isinstance(right.value, int):
        return TupleValue((members(left) or ()) * max(right.value, 0))
    if not isinstance(left, Unknown) and not isinstance(right, Unknown):
        frame.report("PTO1253", node, op=symbol, left=kind_name(left), right=kind_name(right))
    return UNKNOWN


def members(value: Value) -> tuple[Value, ...] | None:
    """The members of a tuple, list, tile group, struct array or array of the tiling data; None for anything else."""
    match value:
        case TupleValue():
            return value.items
        case Known(value=tuple() | list() as items):
            return tuple(Known(item) for item in items)
        case GroupValue():
            return tuple(TileValue(ir.SlotRef(value.decl, i)) for i in range(value.decl.depth))
        case StructValue(at=None) if value.var.count:
            return tuple(StructValue(value.var, ir.Const(i, INT64)) for i in range(value.var.count))
        case TilingArray():
            indices = (ir.Const(i, INT64) for i in range(value.length))
            return tuple(Scalar(ir.TilingRead(value.field, value.dtype, i)) for i in indices)
        case _:
            return None


def unary(frame: Frame, node: ast.UnaryOp) -> Value:
    operand = frame.value(node.operand)
    if isinstance(node.op, ast.Not):
        test = scalars.truth(frame, operand, node.operand)
        if test is None:
            return UNKNOWN
        if isinstance(test, bool):
            return Known(not test)
        return Scalar(ir.Unary("not", test, BOOL, frame.span(node)))
    symbol = {ast.USub: "-", ast.UAdd: "+", ast.Invert: "~"}[type(node.op)]
    return scalars.unary(frame, symbol, operand, node)


def boolean(frame: Frame, node: ast.BoolOp) -> Value:
    """`and`, `or`: what follows a decided operand is not lowered; run-time operands are evaluated only when needed."""
    stop_at = isinstance(node.op, ast.Or)
    op = "or" if stop_at else "and"
    so_far: ir.Expr | None = None
    last: Value = Known(not stop_at)
    for operand in node.values:
        if so_far is None:
            last = frame.value(operand)
            test = scalars.truth(frame, last, operand)
            if test is None:
                return UNKNOWN
            if isinstance(test, bool):
                if test == stop_at:
                    return last
                continue
            so_far = test
            continue
        edge, test = _conditional_test(frame, operand)
        if test is None:
            return UNKNOWN
        if not edge.block:
            if isinstance(test, bool):
                if test == stop_at:
                    return Known(stop_at)
                continue
            so_far = ir.Binary(op, so_far, test, BOOL, BOOL, span=frame.span(node))
            continue
        if isinstance(test, bool):
            test = ir.Const(test, BOOL)
        var = ir.Var("condition", BOOL, frame.stmt_span)
        frame.emit(ir.Assign(frame.stmt_span, var, so_far))
        edge.block.append(ir.Assign(frame.stmt_span, var, test))
        guard: ir.Expr = ir.VarRef(var)
        if stop_at:
            guard = ir.Unary("not", guard, BOOL)
        skipped = Edge(dict(frame.env), [])
        frame.env = merge(frame, (edge, skipped), frame.span(operand), ("when it is evaluated", "when it is skipped"))
        frame.emit(ir.If(frame.stmt_span, guard, draft(edge.block), draft(skipped.block)))
        so_far = ir.VarRef(var)
    return last if so_far is None else Scalar(so_far)


def _conditional_test(frame: Frame, operand: ast.expr) -> tuple[Edge, bool | ir.Expr | None]:
    """An operand that is not always evaluated: the statements it needs, and its truth."""
    found: list[bool | ir.Expr | None] = []
    edge = frame.inner(frame.env, lambda: found.append(scalars.truth(frame, frame.value(operand), operand)))
    return edge, found[0]


def conditional(frame: Frame, node: ast.IfExp) -> Value:
    test = scalars.truth(frame, frame.value(node.test), node.test)
    if test is None:
        return UNKNOWN
    if isinstance(test, bool):
        return frame.value(node.body if test else node.orelse)
    values: list[Value] = []

    def branch(part: ast.expr) -> Callable[[], None]:
        def lower() -> None:
            values.append(frame.value(part))
            frame.env[_CHOICE] = Binding(values[-1])

        return lower

    edges = (frame.inner(frame.env, branch(node.body)), frame.inner(frame.env, branch(node.orelse)))
    if any(isinstance(v, Unknown) for v in values):
        return UNKNOWN
    if not edges[0].block and not edges[1].block:
        simple = choose(frame, test, values[0], values[1], node)
        if simple is not None:
            return simple
    env = merge(frame, edges, frame.span(node), ("when the condition holds", "when the condition does not hold"))
    chosen = env.pop(_CHOICE)
    frame.env = env
    if isinstance(chosen.value, Conflict):
        frame.report("PTO1153", node, name=frame.text(node), reason=chosen.value.reason)
        return UNKNOWN
    frame.emit(ir.If(frame.stmt_span, test, draft(edges[0].block), draft(edges[1].block)))
    value = chosen.value
    for var in frame.take_choice(_CHOICE):  # the next conditional expression has variables of its own
        frame.fixed.add(var)
    return value


def choose(frame: Frame, test: ir.Expr, then: Value, other: Value, node: ast.AST) -> Value | None:
    """The conditional expression over two values that need no statements; None where statements are needed."""
    span = frame.span(node)
    if isinstance(then, TileValue) and isinstance(other, TileValue):
        merged = join(frame, _CHOICE, [then, other], span)
        if isinstance(merged, TileValue) and then.extent == other.extent:
            return TileValue(ir.ChooseTile(test, then.expr, other.expr, span), then.pure and other.pure, then.extent)
        return None
    if isinstance(then, Pointer) and isinstance(other, Pointer) and then.dtype == other.dtype:
        return Pointer(ir.Choose(test, then.expr, other.expr, then.dtype, span))
    if isinstance(then, TensorValue | TensorChoice) and isinstance(other, TensorValue | TensorChoice):
        from ptopro.lowering.chosen_tensors import chosen

        return chosen(test, then, other, span)
    numbers = [v for v in (then, other) if isinstance(v, Scalar) or (isinstance(v, Known) and v.is_number)]
    if len(numbers) < 2:
        return None
    first, second = numbers
    dtype = merged_type(_choice_type(first, second), _choice_type(second, first))
    if dtype is None:
        return None
    assert isinstance(first, Known | Scalar) and isinstance(second, Known | Scalar)
    return Scalar(
        ir.Choose(test, scalars.converted(frame, first, dtype), scalars.converted(frame, second, dtype), dtype, span)
    )


def _choice_type(value: Value, other: Value) -> DType:
    """The type of one arm; a bare literal takes that of the other arm where it fits."""
    if isinstance(value, Known) and value.dtype is None and isinstance(other, Scalar):
        return adapted_literal(value.value, other.dtype) or number_type(value)
    return number_type(value)


def sequence(frame: Frame, node: ast.Tuple | ast.List) -> Value:
    """A tuple or list; a compile-time value when all members are (and none is a constant that C++ calls by name)."""
    items: list[Value] = []
    values = ordered(frame, [e.value if isinstance(e, ast.Starred) else e for e in node.elts])
    for element, value in zip(node.elts, values, strict=True):
        if not isinstance(element, ast.Starred):
            items.append(value)
            continue
        inner = members(value)
        if inner is None:
            if not isinstance(value, Unknown):
                frame.report("PTO1258", element, found=kind_name(value))
            return UNKNOWN
        items.extend(inner)
    if any(isinstance(item, Unknown) for item in items):
        return UNKNOWN
    plain = [item.value for item in items if isinstance(item, Known) and item.dtype is None and not item.name]
    if len(plain) == len(items):
        return Known(plain if isinstance(node, ast.List) else tuple(plain))
    return TupleValue(tuple(items))


def walrus(frame: Frame, node: ast.NamedExpr) -> Value:
    from ptopro.lowering.assignment import bind

    value = frame.value(node.value)
    bind(frame, node.target.id, value, node)
    return name(frame, ast.copy_location(ast.Name(node.target.id, ast.Load()), node))
