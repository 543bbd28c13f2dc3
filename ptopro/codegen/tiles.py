"""Tiles in C++: declarations, references, views, lock ids.

A declared tile is an object at an address; a group of several slots is an array with a cursor.  A tile variable is

    auto& cur = k_l1[k_l1_cursor];           bound once: a reference
    MatHalf64x64* cur = &a;                  bound again later: a pointer
    MatHalf64x64 cur(rows, 64);              bound once to a view: a tile of its own over the same bytes

and when locks ask for its ids they travel beside it: `const int64_t cur_id = k_l1_ids[k_l1_cursor];`.
"""

from __future__ import annotations

from ptopro.codegen.context import FunctionContext
from ptopro.codegen.expressions import EQUAL, POSTFIX, TERNARY, Text, as_test, assigned, render
from ptopro.codegen.offsets import constant, plus, times
from ptopro.codegen.types import dynamic, is_boxed, layout_of
from ptopro.diagnostics import DiagnosticError, Span, make
from ptopro.language.dtypes import INT64, UINT32
from ptopro.language.enums import TensorLayout
from ptopro.language.tiles import TileSpec
from ptopro.lowering import ir


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


def _is_static(node: ir.TileExpr) -> bool:
    """Whether it is known at compile time which bytes are meant."""
    if isinstance(node, ir.SubView):
        offsets_known = isinstance(node.row, ir.Const) and isinstance(node.col, ir.Const)
        return offsets_known and _is_static(node.base)
    return ir.static_slot(node) is not None


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
        return constant(_boxed_offset(spec, row, col, span))
    if layout is TensorLayout.DN:
        elements = plus(times(col, rows), row)
    else:
        elements = plus(times(row, cols), col)
    if bits >= 8:
        return times(elements, bits // 8)
    if isinstance(elements, ir.Const):
        return constant(int(elements.value) * bits // 8)
    return ir.Binary("//", elements, constant(8 // bits), INT64, INT64, nonnegative=True)


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
