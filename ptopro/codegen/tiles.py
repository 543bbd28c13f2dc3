"""Tiles in C++: declarations, references, views, lock ids.

A declared tile is an object at an address; a group of several slots is an array with a cursor.  A tile variable is

    auto& cur = k_l1[k_l1_cursor];           bound once: a reference
    MatHalf64x64* cur = &a;                  bound again later: a pointer
    MatHalf64x64 cur(rows, 64);              bound once to a view: a tile of its own over the same bytes

and when locks ask for its ids they travel beside it: `const int64_t cur_id = k_l1_ids[k_l1_cursor];`.
"""

from __future__ import annotations

from dataclasses import dataclass

from ptopro.codegen.context import FunctionContext
from ptopro.codegen.expressions import EQUAL, POSTFIX, TERNARY, Text, as_test, assigned, render
from ptopro.codegen.types import MEMORY_NAMES, constructor, dynamic, is_boxed, layout_of
from ptopro.codegen.writer import Line, Writer
from ptopro.diagnostics import DiagnosticError, Span, make
from ptopro.language.dtypes import INT64, UINT32
from ptopro.language.enums import TensorLayout
from ptopro.language.tiles import TileSpec
from ptopro.lowering import ir


@dataclass(frozen=True, slots=True)
class Id:
    """A lock id in C++: its text, and every number it can be."""

    text: str
    values: frozenset[int]


def form_of(ctx: FunctionContext, var: ir.TileVar) -> str:
    """How a tile variable is declared: reference, view or pointer."""
    region = ctx.region(var)
    if region.kind == "outside":
        return "pointer" if region.writes else "reference"
    if region.writes == 1 and region.kind == "assignment":
        return "view" if isinstance(binding(ctx, var), ir.SubView) else "reference"
    return "pointer"


def binding(ctx: FunctionContext, var: ir.TileVar) -> ir.TileExpr | None:
    """What a tile variable that is bound once is bound to; None when a call returns it."""
    for stmt in ir.walk(ctx.places.block_of(ctx.region(var))):
        if isinstance(stmt, ir.BindTile) and stmt.var is var:
            return stmt.tile
    return None


def tile(ctx: FunctionContext, node: ir.TileExpr) -> str:
    """The tile as an lvalue: `a`, `k_l1[k_l1_cursor]`, `*cur`, `n > 3 ? a : b`."""
    match node:
        case ir.TileRef():
            return ctx.tile_name(node.decl)
        case ir.SlotRef():
            name = ctx.tile_name(node.group)
            return name if node.group.depth == 1 else f"{name}[{slot(ctx, node)}]"
        case ir.TileVarRef():
            name = ctx.local(node.var)
            return f"*{name}" if form_of(ctx, node.var) == "pointer" else name
        case ir.SubView():
            return _temporary_view(ctx, node)
        case ir.ChooseTile():
            test = as_test(node.test, ctx).at(TERNARY + 1)
            return f"{test} ? {tile(ctx, node.then)} : {tile(ctx, node.other)}"


def member(text: str) -> str:
    """The text of a tile in front of a member: `cur->`, `a.`."""
    if text.startswith("*"):
        return f"{text[1:]}->"
    return f"({text})." if " ? " in text else f"{text}."


def type_name(ctx: FunctionContext, node: ir.TileExpr) -> str:
    """The C++ type of a tile expression."""
    return ctx.half.types.name(cpp_spec(node))


def cpp_spec(node: ir.TileExpr) -> TileSpec:
    """The type of the C++ object: a view has a valid shape of its own."""
    if isinstance(node, ir.SubView):
        return dynamic(ir.spec_of(node))
    return ir.spec_of(node)


def slot(ctx: FunctionContext, node: ir.SlotRef) -> str:
    """The index of a slot of a group of several."""
    depth = node.group.depth
    if isinstance(node.index, int):
        return str(node.index)
    if isinstance(node.index, str):
        if not ctx.half.is_advanced(node.group):
            return str(depth - 1 if node.index == "current" else depth - 2)
        cursor = ctx.cursor_name(node.group)
        return cursor if node.index == "current" else f"({cursor} + {depth - 1}) % {depth}"
    return render(node.index, ctx).text


def valid_extent(ctx: FunctionContext, node: ir.TileExpr, axis: int) -> Text:
    """The valid rows (axis 0) or columns (axis 1) of a tile, a number where the type fixes it."""
    if isinstance(node, ir.SubView):
        return render(node.rows if axis == 0 else node.cols, ctx)
    fixed = ir.spec_of(node).valid_shape[axis]
    if fixed >= 0:
        return Text(str(fixed), POSTFIX, INT64)
    return Text(f"{member(tile(ctx, node))}{('GetValidRow', 'GetValidCol')[axis]}()", POSTFIX, UINT32)


def ids(ctx: FunctionContext, node: ir.TileExpr) -> tuple[Id, ...]:
    """The lock ids of the slot that a tile expression refers to now."""
    match node:
        case ir.TileRef():
            return tuple(Id(str(number), frozenset((number,))) for number in node.decl.ids)
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
    columns = id_columns(var)
    names = id_names(ctx, var)
    return tuple(Id(name, values) for name, values in zip(names, columns, strict=True))


def id_columns(var: ir.TileVar) -> list[frozenset[int]]:
    """For each lock id of a tile variable, every number it can be."""
    columns: list[frozenset[int]] = []
    for position in range(var.id_count):
        values: set[int] = set()
        for origin in var.origins:
            rows = origin.ids if isinstance(origin, ir.GroupDecl) else (origin.ids,)
            values.update(row[position] for row in rows if len(row) > position)
        columns.append(frozenset(values))
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
    from ptopro.codegen.traverse import is_tile, nodes, reads

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
                roots += [arg for arg in stmt.args if is_tile(arg)]  # type: ignore[misc]
    return any(isinstance(node, ir.TileVarRef) and node.var is var for root in roots for node in nodes(root))


def uses_tile(ctx: FunctionContext, var: ir.TileVar) -> bool:
    """Whether that block uses the tile itself, and not only the ids of its slot."""
    from ptopro.codegen.traverse import reads

    for stmt in ir.walk(ctx.places.block_of(ctx.region(var))):
        if not isinstance(stmt, ir.Lock) and any(
            isinstance(node, ir.TileVarRef) and node.var is var for node in reads(stmt)
        ):
            return True
    return False


def _is_static(node: ir.TileExpr) -> bool:
    """Whether it is known at compile time which bytes are meant."""
    if isinstance(node, ir.SubView):
        offsets_known = isinstance(node.row, ir.Const) and isinstance(node.col, ir.Const)
        return offsets_known and _is_static(node.base)
    return ir.static_slot(node) is not None


def _slot_ids(ctx: FunctionContext, node: ir.SlotRef) -> tuple[Id, ...]:
    group = node.group
    if not group.ids:
        return ()
    width = len(group.ids[0])
    index = slot(ctx, node) if group.depth > 1 else "0"
    result: list[Id] = []
    for position in range(width):
        values = [row[position] for row in group.ids]
        if index.isdigit():
            result.append(Id(str(values[int(index)]), frozenset((values[int(index)],))))
        elif len(set(values)) == 1:
            result.append(Id(str(values[0]), frozenset(values)))
        else:
            row = f"{ctx.id_table(group)}[{index}]"
            result.append(Id(row if width == 1 else f"{row}[{position}]", frozenset(values)))
    return tuple(result)


# ---- views -----------------------------------------------------------------------------------------------------------


def _temporary_view(ctx: FunctionContext, node: ir.SubView) -> str:
    """A view that an operation uses directly: declared ahead of the operation."""
    extents = tuple(assigned(part, INT64, ctx).text for part in (node.rows, node.cols))
    key = (type_name(ctx, node), *extents, address(ctx, node))
    if key not in ctx.statement_views:
        ctx.statement_views[key] = ctx.temporary(f"{_base_name(node)}_view")
        declare_view(ctx, ctx.statement_views[key], node)
    return ctx.statement_views[key]


def _base_name(node: ir.TileExpr) -> str:
    match node:
        case ir.TileRef():
            return node.decl.name
        case ir.SlotRef():
            return node.group.name
        case ir.TileVarRef():
            return node.var.name
        case ir.SubView():
            return _base_name(node.base)
        case ir.ChooseTile():
            return _base_name(node.then)


def declare_view(ctx: FunctionContext, name: str, node: ir.SubView) -> None:
    """`VecHalf64x64 top(8, 64); TASSIGN(top, 0x4000);`: the parent's physical type from another address on."""
    rows, cols = (assigned(part, INT64, ctx).text for part in (node.rows, node.cols))
    ctx.out.write(f"{type_name(ctx, node)} {name}({rows}, {cols});")
    ctx.out.write(f"TASSIGN({name}, {address(ctx, node)});")


def assign_view(ctx: FunctionContext, name: str, node: ir.SubView) -> None:
    """Move a view that already has a name to another part of a tile."""
    rows, cols = (assigned(part, INT64, ctx).text for part in (node.rows, node.cols))
    ctx.out.write(f"{name}.SetValidShape({rows}, {cols});")
    ctx.out.write(f"TASSIGN({name}, {address(ctx, node)});")


def address(ctx: FunctionContext, node: ir.TileExpr) -> str:
    """The byte address of a tile expression: a number where everything is known."""
    fixed, terms = _address_parts(ctx, node)
    if not terms:
        return f"0x{fixed:x}"
    return " + ".join([*terms, f"0x{fixed:x}"] if fixed else terms)


def _address_parts(ctx: FunctionContext, node: ir.TileExpr) -> tuple[int, list[str]]:
    """Bytes known at compile time, and the run-time summands."""
    if isinstance(node, ir.SubView):
        fixed, terms = _address_parts(ctx, node.base)
        offset = view_offset(ir.spec_of(node), node.row, node.col, node.span)
        if isinstance(offset, ir.Const):
            return fixed + int(offset.value), terms
        return fixed, [*terms, render(offset, ctx).at(EQUAL + 1)]
    if isinstance(node, ir.TileVarRef):
        known_binding = form_of(ctx, node.var) != "pointer" and node.var not in ctx.parameters
        bound = binding(ctx, node.var) if known_binding else None
        if bound is not None and _is_static(bound):
            return _address_parts(ctx, bound)
    known = ir.static_slot(node)
    if known is not None and not isinstance(node, ir.TileVarRef):
        origin, index = known
        return (origin.addrs[index] if isinstance(origin, ir.GroupDecl) else origin.addr), []
    return 0, [f"reinterpret_cast<uint64_t>({member(tile(ctx, node))}data())"]


def view_offset(spec: TileSpec, row: ir.Expr, col: ir.Expr, span: Span | None) -> ir.Expr:
    """Bytes from a tile's start to the element (row, col).

    Boxed layouts are cut only between fractals, so their offsets must be constants: whole fractals apart.
    """
    layout, bits = layout_of(spec), spec.dtype.bits
    rows, cols = spec.shape
    if is_boxed(spec):
        return _constant(_boxed_offset(spec, row, col, span))
    if layout is TensorLayout.DN:
        elements = plus(times(col, rows), row)
    else:
        elements = plus(times(row, cols), col)
    if bits >= 8:
        return times(elements, bits // 8)
    if isinstance(elements, ir.Const):
        return _constant(int(elements.value) * bits // 8)
    return ir.Binary("//", elements, _constant(8 // bits), INT64, INT64, nonnegative=True)


def _boxed_offset(spec: TileSpec, row: ir.Expr, col: ir.Expr, span: Span | None) -> int:
    long = 16 if spec.fractal == 1024 else 2 if spec.fractal == 32 else 256 // spec.dtype.bits
    layout = layout_of(spec)
    inner_rows_first = layout in (TensorLayout.NZ, TensorLayout.ZZ)
    box = (16, long) if inner_rows_first else (long, 16)
    if not isinstance(row, ir.Const) or not isinstance(col, ir.Const):
        raise DiagnosticError([make("PTO1390", span, layout=layout.name, rows=box[0], cols=box[1])])
    at = (int(row.value), int(col.value))
    if at[0] % box[0] or at[1] % box[1]:
        raise DiagnosticError([make("PTO1390", span, layout=layout.name, rows=box[0], cols=box[1])])
    down, across = at[0] // box[0], at[1] // box[1]
    if layout in (TensorLayout.NZ, TensorLayout.NN):  # fractals of a column lie together
        boxes = across * (spec.shape[0] // box[0]) + down
    else:
        boxes = down * (spec.shape[1] // box[1]) + across
    return boxes * box[0] * box[1] * spec.dtype.bits // 8


def _constant(value: int) -> ir.Const:
    return ir.Const(value, INT64)


def times(node: ir.Expr, factor: int | ir.Expr) -> ir.Expr:
    """node * factor in 64 bits, folded where it is a number."""
    right = _constant(factor) if isinstance(factor, int) else factor
    for this, other in ((node, right), (right, node)):
        if isinstance(this, ir.Const) and not this.name:
            if this.value == 0:
                return _constant(0)
            if this.value == 1:
                return other
    if isinstance(node, ir.Const) and isinstance(right, ir.Const):
        return _constant(int(node.value) * int(right.value))
    if isinstance(right, ir.Binary) and right.op == "*":  # a * (b * c) reads better as a * b * c
        return times(times(node, right.left), right.right)
    return ir.Binary("*", node, right, INT64, INT64)


def plus(left: ir.Expr, right: ir.Expr) -> ir.Expr:
    """left + right in 64 bits, folded where one is a number."""
    if isinstance(left, ir.Const) and left.value == 0:
        return right
    if isinstance(right, ir.Const) and right.value == 0:
        return left
    if isinstance(left, ir.Const) and isinstance(right, ir.Const):
        return _constant(int(left.value) + int(right.value))
    return ir.Binary("+", left, right, INT64, INT64)


# ---- declarations ----------------------------------------------------------------------------------------------------


def declarations(ctx: FunctionContext) -> list[Line]:
    """The tiles that a function declares, grouped by memory, each with its bytes."""
    out = Writer(depth=1)
    by_memory: dict[object, list[ir.TileDecl | ir.GroupDecl]] = {}
    for decl in ctx.needed.tiles:
        by_memory.setdefault(decl.spec.memory, []).append(decl)
    for memory in sorted(by_memory, key=lambda space: space.value):  # type: ignore[attr-defined]
        out.note(MEMORY_NAMES.get(memory, memory.name))  # type: ignore[call-overload, attr-defined]
        for decl in by_memory[memory]:
            _declare(ctx, out, decl)
    for group in ctx.needed.cursors:
        out.write(f"int {ctx.cursor_name(group)} = {group.depth - 1};")
    for group in ctx.needed.id_tables:
        out.write(_id_table(ctx, group))
    return out.lines


def _declare(ctx: FunctionContext, out: Writer, decl: ir.TileDecl | ir.GroupDecl) -> None:
    name, type_text = ctx.name_of(decl, decl.name), ctx.half.types.name(decl.spec)
    arguments = constructor(decl.spec)
    addresses = decl.addrs if isinstance(decl, ir.GroupDecl) else (decl.addr,)
    size = decl.size or decl.spec.size_bytes
    if len(addresses) == 1:
        out.begin(None, _range(addresses[0], size))
        out.write(f"{type_text} {name}({arguments});" if arguments else f"{type_text} {name};")
        out.write(f"TASSIGN({name}, 0x{addresses[0]:x});")
        return
    value = f"{{{arguments}}}" if "," in arguments else f"{type_text}({arguments})"
    values = ", ".join([value] * len(addresses))
    out.begin(None, ", ".join(_range(addr, size) for addr in addresses))
    depth = len(addresses)
    out.write(f"{type_text} {name}[{depth}] = {{{values}}};" if arguments else f"{type_text} {name}[{depth}];")
    for index, addr in enumerate(addresses):
        out.write(f"TASSIGN({name}[{index}], 0x{addr:x});")


def _range(addr: int, size: int) -> str:
    return f"0x{addr:05x}..0x{addr + size - 1:05x}"


def _id_table(ctx: FunctionContext, group: ir.GroupDecl) -> str:
    width = len(group.ids[0])
    name = ctx.id_table(group)
    if width == 1:
        return f"constexpr int64_t {name}[{group.depth}] = {{{', '.join(str(row[0]) for row in group.ids)}}};"
    rows = ", ".join("{" + ", ".join(str(number) for number in row) + "}" for row in group.ids)
    return f"constexpr int64_t {name}[{group.depth}][{width}] = {{{rows}}};"
