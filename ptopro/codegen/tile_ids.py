"""The lock ids of tiles: numbers where they are known, else a slot's entry in a table, or variables that travel along.

const int64_t cur_id = k_l1_ids[k_l1_cursor];
"""

from __future__ import annotations

from dataclasses import dataclass

from ptopro.codegen.context import FunctionContext
from ptopro.codegen.expressions import TERNARY, as_test
from ptopro.codegen.tiles import binding, form_of, slot
from ptopro.codegen.traverse import is_tile, nodes, reads
from ptopro.lowering import ir


@dataclass(frozen=True, slots=True)
class Id:
    """A lock id in C++: its text, and every number it can be."""

    text: str
    values: frozenset[int]


def ids(ctx: FunctionContext, node: ir.TileExpr) -> tuple[Id, ...]:
    """The lock ids of the slot that a tile expression refers to now."""
    match node:
        case ir.TileRef():
            return tuple(Id(str(number), frozenset((number,))) for number in numbers(ctx, node.decl.ids))
        case ir.SlotRef():
            return _slot_ids(ctx, node)
        case ir.SubView():
            return ids(ctx, node.base)
        case ir.ChooseTile():
            test = as_test(node.test, ctx).at(TERNARY + 1)
            both = zip(ids(ctx, node.then), ids(ctx, node.other), strict=True)
            return tuple(a if a == b else Id(f"{test} ? {a.text} : {b.text}", a.values | b.values) for a, b in both)
        case ir.TileVarRef():
            return variable_ids(ctx, node.var)


def variable_ids(ctx: FunctionContext, var: ir.TileVar) -> tuple[Id, ...]:
    """The ids of a tile variable: numbers where they are known, else the variables that travel with it."""
    bound = binding(ctx, var) if form_of(ctx, var) != "pointer" and var not in ctx.parameters else None
    known = ids(ctx, bound) if bound is not None and ir.static_slot(bound) is not None else ()
    if known:
        return known
    columns = id_columns(ctx, var)
    names = id_names(ctx, var)
    return tuple(Id(name, values) for name, values in zip(names, columns, strict=True))


def numbers(ctx: FunctionContext, given: tuple[int, ...]) -> tuple[int, ...]:
    """Lock ids as the C++ of this half numbers them."""
    return tuple(ctx.half.lock_number(number) for number in given)


def id_columns(ctx: FunctionContext, var: ir.TileVar) -> list[frozenset[int]]:
    """For each lock id of a tile variable, every number it can be."""
    columns: list[frozenset[int]] = []
    for position in range(var.id_count):
        values: set[int] = set()
        for origin in var.origins:
            rows = origin.ids if isinstance(origin, ir.GroupDecl) else (origin.ids,)
            values.update(row[position] for row in rows if len(row) > position)
        columns.append(frozenset(numbers(ctx, tuple(values))))
    return columns


def id_names(ctx: FunctionContext, var: ir.TileVar) -> tuple[str, ...]:
    """`cur_id`, and `cur_id_2` where a slot has several ids."""
    base = ctx.local(var)
    return tuple(ctx.name_of(("id", var, n), f"{base}_id") for n in range(var.id_count))


def needs_ids(ctx: FunctionContext, var: ir.TileVar) -> bool:
    """Whether the block of a variable's declaration asks for its ids: in a lock, or to hand them on."""
    served = ctx.places.block_of(ctx.region(var))
    return var.id_count > 0 and any(_asks_ids(stmt, var) for stmt in ir.walk(served))


def _asks_ids(stmt: ir.Stmt, var: ir.TileVar) -> bool:
    roots: list[ir.TileExpr] = []
    match stmt:
        case ir.Lock():
            roots = [stmt.tile] if stmt.tile is not None else []
        case ir.BindTile():
            roots = [stmt.tile]
        case ir.Return():
            roots = [value for value in stmt.values if is_tile(value)]  # type: ignore[misc]
        case _:
            for node in reads(stmt):
                if isinstance(node, ir.Call):
                    roots += [arg for arg in node.args if is_tile(arg)]  # type: ignore[misc]
            if isinstance(stmt, ir.CallStmt):
                pairs = zip(stmt.function.params, stmt.args, strict=True)
                roots += [arg for param, arg in pairs if isinstance(param, ir.TileVar) and param.id_count]  # type: ignore[misc]
    return any(isinstance(node, ir.TileVarRef) and node.var is var for root in roots for node in nodes(root))


def uses_tile(ctx: FunctionContext, var: ir.TileVar) -> bool:
    """Whether that block uses the tile itself, and not only the ids of its slot."""
    for stmt in ir.walk(ctx.places.block_of(ctx.region(var))):
        if not isinstance(stmt, ir.Lock) and any(
            isinstance(node, ir.TileVarRef) and node.var is var for node in reads(stmt)
        ):
            return True
    return False


def _slot_ids(ctx: FunctionContext, node: ir.SlotRef) -> tuple[Id, ...]:
    group = node.group
    if not group.ids:
        return ()
    width = len(group.ids[0])
    index = slot(ctx, node) if group.depth > 1 else "0"
    result: list[Id] = []
    for position in range(width):
        values = [numbers(ctx, row)[position] for row in group.ids]
        if index.isdigit():
            result.append(Id(str(values[int(index)]), frozenset((values[int(index)],))))
        elif len(set(values)) == 1:
            result.append(Id(str(values[0]), frozenset(values)))
        else:
            row = f"{ctx.id_table(group)}[{index}]"
            result.append(Id(row if width == 1 else f"{row}[{position}]", frozenset(values)))
    return tuple(result)
