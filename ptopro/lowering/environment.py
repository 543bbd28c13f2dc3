"""Names and what they hold where control flow meets.

In: the states at the ends of several paths (`Edge`s).  Out: one environment; where the paths disagree, statements are
added to their ends so that one variable holds the value on all of them.  This is what SSA does with phi functions; here
variables stay mutable, as in the author's text.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from ptopro.diagnostics.span import Span
from ptopro.language.dtypes import DType
from ptopro.lowering import ir, vf_ir
from ptopro.lowering.promotion import merged_type
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
    TupleValue,
    UbValue,
    Unknown,
    Unset,
    Value,
    kind_name,
)

if TYPE_CHECKING:
    from ptopro.lowering.context import Frame


@dataclass(frozen=True, slots=True)
class Binding:
    """What a name holds.

    stored: the IR variable that already holds a compile-time value or a static tile; span: where it was assigned;
    doubt: the path that leaves the name unassigned, where a use is only warned of.
    """

    value: Value
    stored: ir.Var | ir.TileVar | None = None
    span: Span | None = None
    doubt: Unset | None = None


Environment = dict[str, Binding]


@dataclass(slots=True)
class Edge:
    """The end of a path: its names, and the block whose end it is.  ended: control does not get there."""

    env: Environment
    block: list[ir.Stmt]
    ended: bool = False

    def append(self, stmt: ir.Stmt) -> None:
        """Add a statement at the end of the path, before the jump that ends it."""
        if self.block and isinstance(self.block[-1], ir.Break | ir.Continue | ir.Return):
            self.block.insert(len(self.block) - 1, stmt)
        else:
            self.block.append(stmt)


def merge(frame: Frame, edges: Sequence[Edge], span: Span, absent: Sequence[str]) -> Environment:
    """The environment where the paths of `edges` meet.

    absent: for each edge, what a message says of a path that does not assign a name ("when this condition is false").
    """
    if len(edges) == 1:
        return dict(edges[0].env)
    names: dict[str, None] = {}
    for edge in edges:
        names.update(dict.fromkeys(edge.env))
    result: Environment = {}
    for name in names:
        bindings = [edge.env.get(name) for edge in edges]
        first = bindings[0]
        if first is not None and all(other is first for other in bindings):
            result[name] = first
            continue
        missing = next((i for i, binding in enumerate(bindings) if binding is None), None)
        if missing is not None:
            at = next(b.span for b in bindings if b is not None)
            result[name] = Binding(Unset(absent[missing], span), span=at)
            continue
        found = [b for b in bindings if b is not None]
        form = join(frame, name, [b.value for b in found], span)
        stored = [store(frame, edge, form, b, span) for edge, b in zip(edges, found, strict=True)]
        common = stored[0] if all(s is stored[0] for s in stored) else None
        doubt = next((b.doubt for b in found if b.doubt), None)
        result[name] = Binding(form, common, next((b.span for b in found if b.span), None), doubt)
    return result


def draft(block: list[ir.Stmt]) -> ir.Block:
    """A block under construction inside a statement: paths that end in it may still get statements.

    It stays a list until the function is complete (`functions.complete` makes it a tuple).
    """
    return cast("ir.Block", block)


def join(frame: Frame, name: str, values: Sequence[Value], span: Span, *, run_time: bool = False) -> Value:
    """The form in which a name holds any of `values`: a static value when they are the same, else variables.

    run_time: numbers go into a variable even when all are the same constant (names that a loop assigns).
    """
    for value in values:
        if isinstance(value, Unknown):
            return UNKNOWN
        if isinstance(value, Unset | Conflict):
            return value
    present = [v for v in values if not (isinstance(v, Known) and v.value is None)]
    if not present:
        return values[0]
    first = present[0]
    if all((isinstance(v, Known) and v.is_number) or isinstance(v, Scalar) for v in present):
        return _join_numbers(frame, name, present, run_time and len(present) == len(values), span)
    if all(isinstance(v, Known) for v in present) and all(_same(first, v) for v in present):
        return first
    if all(isinstance(v, Known) and not _is_sequence(v) for v in present):
        pass  # strings, types, enumeration members: they cannot vary
    elif all(isinstance(v, Pointer) for v in present):
        dtypes = {v.dtype for v in present if isinstance(v, Pointer)}
        if len(dtypes) == 1:
            return Pointer(ir.VarRef(frame.variable(name, dtypes.pop(), pointer=True)))
        return Conflict("it points to elements of different types", span)
    elif all(isinstance(v, TileValue) for v in present):
        return _join_tiles(frame, name, [v for v in present if isinstance(v, TileValue)], span)
    elif all(isinstance(v, RegisterValue) for v in present):
        from ptopro.lowering.vector_registers import join_registers

        return join_registers(frame, name, [v for v in present if isinstance(v, RegisterValue)], span)
    elif any(isinstance(v, UbValue) for v in present) and all(isinstance(v, UbValue | TileValue) for v in present):
        from ptopro.lowering.vector_registers import join_pointers, ub_value

        return join_pointers(frame, name, [p for v in present if (p := ub_value(frame, v)) is not None], span)
    elif all(isinstance(v, TensorValue | TensorChoice) for v in present) and not all(_same(first, v) for v in present):
        from ptopro.lowering.chosen_tensors import join_tensors

        return join_tensors(frame, name, [v for v in present if isinstance(v, TensorValue | TensorChoice)], span)
    elif all(isinstance(v, TupleValue) or _is_sequence(v) for v in present):
        return _join_tuples(frame, name, [as_tuple(v) for v in present], span, run_time)
    elif all(type(v) is type(first) for v in present):
        if all(_same(first, v) for v in present):
            return first
        return Conflict(f"it is {kind_name(first)} that differs from path to path", span)
    kinds = list(dict.fromkeys(kind_name(v) for v in present))
    if len(kinds) == 1:
        return Conflict(f"it is {kinds[0]} that differs from path to path", span)
    return Conflict(f"it is {' or '.join(kinds)}, depending on the path", span)


def _join_numbers(frame: Frame, name: str, values: Sequence[Value], run_time: bool, span: Span) -> Value:
    first = values[0]
    if not run_time and all(_same(first, v) for v in values):
        return first
    dtype = number_type(first)
    for value in values[1:]:
        other = merged_type(dtype, number_type(value))
        if other is None:
            return Conflict(f"it is of type {dtype!r} or {number_type(value)!r}, depending on the path", span)
        dtype = other
    return Scalar(ir.VarRef(frame.variable(name, dtype)))


def number_type(value: Value) -> DType:
    from ptopro.lowering.scalars import known_type

    if isinstance(value, Scalar):
        return value.dtype
    assert isinstance(value, Known)
    return known_type(value)


def _join_tiles(frame: Frame, name: str, values: Sequence[TileValue], span: Span) -> Value:
    first = values[0]
    if all(_same(first, v) for v in values):
        return first
    spec = ir.spec_of(first.expr)
    count = id_count(first.expr)
    for value in values[1:]:
        if ir.spec_of(value.expr) != spec:
            return Conflict("it is a tile of different types, depending on the path", span)
        if id_count(value.expr) != count:
            return Conflict("it is a tile with different numbers of mutex ids, depending on the path", span)
    var = frame.tile_variable(name, spec, count)
    return TileValue(ir.TileVarRef(var), extent=first.extent if len({v.extent for v in values}) == 1 else (-1, -1))


def _is_sequence(value: Value) -> bool:
    return isinstance(value, Known) and isinstance(value.value, tuple | list)


def as_tuple(value: Value) -> TupleValue:
    """A tuple or list with its members as values."""
    if isinstance(value, TupleValue):
        return value
    assert isinstance(value, Known)
    return TupleValue(tuple(Known(item) for item in value.value))


def _join_tuples(frame: Frame, name: str, values: Sequence[TupleValue], span: Span, run_time: bool) -> Value:
    first = values[0]
    if any(len(v.items) != len(first.items) or v.names != first.names for v in values):
        return Conflict("it is a tuple of different lengths, depending on the path", span)
    items: list[Value] = []
    for i in range(len(first.items)):
        item = join(frame, leaf_name(name, first, i), [v.items[i] for v in values], span, run_time=run_time)
        if isinstance(item, Unset | Conflict):
            return item
        items.append(item)
    return TupleValue(tuple(items), first.names)


def leaf_name(name: str, value: TupleValue, index: int) -> str:
    """The key of the variable for one member of a tuple called `name`: no Python name, so it meets no other."""
    return f"{name} {value.names[index] if value.names else index}"


def store(frame: Frame, edge: Edge, form: Value, binding: Binding, span: Span) -> ir.Var | ir.TileVar | None:
    """Make the variables of `form` hold the binding's value at the end of a path; what then holds a static value."""
    from ptopro.lowering.scalars import converted

    value = binding.value
    match form, value:
        case Scalar(expr=ir.VarRef(var=var)), Known() | Scalar():
            if isinstance(value, Known) and value.value is None:
                return var
            if binding.stored is not var and not (isinstance(value, Scalar) and _reads(value.expr, var)):
                edge.append(ir.Assign(span, var, converted(frame, value, var.dtype)))
            return var
        case Pointer(expr=ir.VarRef(var=var)), Pointer():
            if not _reads(value.expr, var):
                edge.append(ir.Assign(span, var, value.expr))
            return var
        case TileValue(expr=ir.TileVarRef(var=tile_var)), TileValue():
            tile_var.origins |= ir.origins_of(value.expr)
            if binding.stored is not tile_var and not (
                isinstance(value.expr, ir.TileVarRef) and value.expr.var is tile_var
            ):
                edge.append(ir.BindTile(span, tile_var, value.expr))
            return tile_var
        case RegisterValue(register=mine), RegisterValue(register=given):
            if given is not mine and form is not value:
                edge.append(vf_ir.CopyRegister(span, mine, given))
            return None
        case UbValue(pointer=target), UbValue() | TileValue():
            from ptopro.lowering.vector_registers import ub_value

            place = ub_value(frame, value)
            if place is not None and form is not value and (place.pointer is not target or place.offset is not None):
                edge.append(vf_ir.MovePointer(span, target, vf_ir.UbAddress(place.pointer, place.offset)))
            return None
        case TensorChoice(), TensorValue() | TensorChoice():
            from ptopro.lowering.chosen_tensors import store_tensor

            store_tensor(edge, form, value, span)
            return None
        case TupleValue(), TupleValue() | Known():
            for part, item in zip(form.items, as_tuple(value).items, strict=True):
                store(frame, edge, part, Binding(item), span)
            return None
        case _:
            return binding.stored


def _reads(expr: ir.Expr, var: ir.Var) -> bool:
    return isinstance(expr, ir.VarRef) and expr.var is var


def id_count(tile: ir.TileExpr) -> int:
    """How many lock ids the slot of a tile has."""
    match tile:
        case ir.TileRef():
            return len(tile.decl.ids)
        case ir.SlotRef():
            return len(tile.group.ids[0]) if tile.group.ids else 0
        case ir.TileVarRef():
            return tile.var.id_count
        case ir.SubView():
            return id_count(tile.base)
        case ir.ChooseTile():
            return id_count(tile.then)


def same_values(values: Iterable[Value]) -> bool:
    """Whether all are one static value."""
    items = list(values)
    return all(_same(items[0], other) for other in items[1:])


def _same(left: Value, right: Value) -> bool:
    """Whether two values are one at compile time."""
    if left is right:
        return True
    match left, right:
        case Known(), Known():
            if type(left.value) is not type(right.value) or left.dtype != right.dtype:
                return False
            if isinstance(left.value, float):  # 0.0 and -0.0 differ, nan is nan
                return bool(left.value.hex() == right.value.hex())
            try:
                return bool(left.value == right.value)
            except (TypeError, RecursionError):
                return False
        case Scalar(), Scalar():
            return isinstance(left.expr, ir.VarRef) and _reads(right.expr, left.expr.var)
        case Pointer(), Pointer():
            return isinstance(left.expr, ir.VarRef) and _reads(right.expr, left.expr.var)
        case TileValue(), TileValue():
            return left.extent == right.extent and _same_tile(left.expr, right.expr)
        case RegisterValue(), RegisterValue():
            return left.register is right.register and left.seen_as == right.seen_as
        case UbValue(), UbValue():
            return left.pointer is right.pointer and left.offset is None and right.offset is None
        case GroupValue(), GroupValue():
            return left.decl is right.decl
        case TensorValue(), TensorValue():
            return left.decl is right.decl
        case TensorChoice(), TensorChoice():
            from ptopro.lowering.chosen_tensors import same_choice

            return same_choice(left, right)
        case StructValue(), StructValue():
            return left.var is right.var and left.at is None and right.at is None
        case TupleValue(), TupleValue():
            return (
                left.names == right.names
                and len(left.items) == len(right.items)
                and all(map(_same, left.items, right.items))
            )
        case _:
            return False


def _same_tile(left: ir.TileExpr, right: ir.TileExpr) -> bool:
    match left, right:
        case ir.TileRef(), ir.TileRef():
            return left.decl is right.decl
        case ir.SlotRef(), ir.SlotRef():
            return left.group is right.group and isinstance(left.index, int) and left.index == right.index
        case ir.TileVarRef(), ir.TileVarRef():
            return left.var is right.var
        case _:
            return False
