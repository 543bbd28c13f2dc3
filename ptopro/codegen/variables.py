"""Variables in C++: declared where scopes.py says, assigned, bound to tiles, given what a call returns."""

from __future__ import annotations

from ptopro.codegen.context import FunctionContext, pointer_type
from ptopro.codegen.expressions import POSTFIX, SUM, Text, assigned, render
from ptopro.codegen.scopes import Region
from ptopro.codegen.tile_ids import id_names, ids, needs_ids, uses_tile, variable_ids
from ptopro.codegen.tiles import assign_view, cpp_spec, declare_view, form_of, tile, type_name
from ptopro.codegen.traverse import Variable
from ptopro.language.tiles import TileSpec
from ptopro.lowering import ir


def declare_ahead(ctx: FunctionContext, var: Variable) -> None:
    """A variable whose first assignment lies deeper, or is not certain to come first."""
    name = ctx.local(var)
    match var:
        case ir.Var():
            if var.pointer:
                ctx.out.write(f"{pointer_type(var.dtype)} {name} = nullptr;")
            else:
                ctx.out.write(f"{var.dtype.c} {name} = {_zero(var)};")
        case ir.TileVar():
            if uses_tile(ctx, var):
                ctx.out.write(f"{ctx.half.types.name(_object_spec(ctx, var))}* {name} = nullptr;")
            _declare_ids(ctx, var)
        case ir.StructVar():
            count = f"[{var.count}]" if var.count else ""
            ctx.out.write(f"{ctx.half.struct_name(var.type)} {name}{count} = {{}};")


def _zero(var: ir.Var) -> str:
    if var.dtype.name == "DT_BOOL":
        return "false"
    return "0" if var.dtype.is_int else f"{var.dtype.c}(0.0f)" if var.dtype.name != "DT_FP32" else "0.0f"


def _object_spec(ctx: FunctionContext, var: ir.TileVar) -> TileSpec:
    for stmt in ir.walk(ctx.places.block_of(ctx.region(var))):
        if isinstance(stmt, ir.BindTile) and stmt.var is var and isinstance(stmt.tile, ir.SubView):
            return cpp_spec(stmt.tile)
    return var.spec


def _declare_ids(ctx: FunctionContext, var: ir.TileVar) -> None:
    if needs_ids(ctx, var):
        for name in id_names(ctx, var):
            ctx.out.write(f"int64_t {name} = 0;")


def _declares(ctx: FunctionContext, var: Variable) -> Region | None:
    """The region of a variable when the statement at hand is its declaration."""
    region = ctx.region(var)
    here = region.kind == "assignment" and region.scope == ctx.scope and region.first == ctx.index
    return region if here else None


def assign(ctx: FunctionContext, stmt: ir.Assign) -> None:
    var = stmt.var
    value = render(stmt.value, ctx) if var.pointer else assigned(stmt.value, var.dtype, ctx)
    _store(ctx, var, value)


def _store(ctx: FunctionContext, var: ir.Var, value: Text) -> None:
    place = _declares(ctx, var)
    name = ctx.variable(var)
    if place is None:
        ctx.out.write(_compound(name, value))
    elif var.pointer:
        ctx.out.write(f"{pointer_type(var.dtype)} {name} = {value.text};")
    else:
        constant = "const " if place.writes == 1 else ""
        ctx.out.write(f"{constant}{var.dtype.c} {name} = {value.text};")


def _compound(name: str, value: Text) -> str:
    """`x += y;` for `x = x + y`."""
    for sign in "+-*":
        head = f"{name} {sign} "
        if value.text.startswith(head) and value.level == (SUM if sign in "+-" else SUM + 1):
            rest = value.text[len(head) :]
            if rest.replace("_", "").isalnum():
                return f"{name} {sign}= {rest};"
    return f"{name} = {value.text};"


def struct_declare(ctx: FunctionContext, stmt: ir.StructDeclare) -> None:
    var = stmt.var
    kind, name = ctx.half.struct_name(var.type), ctx.struct_name(var)
    parts: list[str] = []
    fields = {field: (dtype, length) for field, dtype, length in var.type.fields}
    for field, values in stmt.values:
        dtype, length = fields[field]
        texts = [assigned(value, dtype, ctx).text for value in values]
        parts.append(f"{{{', '.join(texts)}}}" if length else texts[0])
    value = f"{{{', '.join(parts)}}}"
    declares = _declares(ctx, var) is not None
    if var.count:
        if declares:
            ctx.out.write(f"{kind} {name}[{var.count}] = {{}};")
        item = ctx.temporary("item")
        ctx.out.write(f"for ({kind}& {item} : {name}) {item} = {value};")
    elif declares:
        ctx.out.write(f"{kind} {name} = {value};")
    else:
        ctx.out.write(f"{name} = {kind}{value};")


def struct_write(ctx: FunctionContext, stmt: ir.StructWrite) -> None:
    dtype = next(dtype for name, dtype, _ in stmt.var.type.fields if name == stmt.field)
    place = ctx.struct_place(stmt.var, stmt.field, stmt.at, stmt.index)
    ctx.out.write(f"{place} = {assigned(stmt.value, dtype, ctx).text};")


def bind_tile(ctx: FunctionContext, stmt: ir.BindTile) -> None:
    var, form = stmt.var, form_of(ctx, stmt.var)
    name = ctx.local(var)
    if form == "reference":
        if uses_tile(ctx, var):
            ctx.out.write(f"auto& {name} = {tile(ctx, stmt.tile)};")
        _bind_ids(ctx, stmt, "const int64_t ")
        return
    if form == "view" and isinstance(stmt.tile, ir.SubView):
        if uses_tile(ctx, var):
            declare_view(ctx, name, stmt.tile)
        _bind_ids(ctx, stmt, "const int64_t ")
        return
    place = _declares(ctx, var)
    if uses_tile(ctx, var):
        target = _place_for(ctx, name, stmt.tile)
        kind = f"{ctx.half.types.name(_object_spec(ctx, var))}* " if place is not None else ""
        ctx.out.write(f"{kind}{name} = {target};")
    _bind_ids(ctx, stmt, "int64_t " if place is not None else "")


def _place_for(ctx: FunctionContext, name: str, node: ir.TileExpr) -> str:
    """The address of the tile that a pointer is set to; a view gets an object of its own."""
    if isinstance(node, ir.SubView):
        view = ctx.temporary(f"{name}_view")
        spec = cpp_spec(node)
        ctx.views.append(f"{type_name(ctx, node)} {view}({spec.shape[0]}, {spec.shape[1]});")
        assign_view(ctx, view, node)
        return f"&{view}"
    text = tile(ctx, node)
    if text.startswith("*"):
        return text[1:]
    return f"&({text})" if " ? " in text else f"&{text}"


def _bind_ids(ctx: FunctionContext, stmt: ir.BindTile, kind: str) -> None:
    var = stmt.var
    if not needs_ids(ctx, var):
        return
    texts = [item.text for item in ids(ctx, stmt.tile)]
    names = id_names(ctx, var)
    if [item.text for item in variable_ids(ctx, var)] != list(names):
        return  # known numbers
    for name, text in zip(names, texts, strict=True):
        ctx.out.write(f"{kind}{name} = {text};")


def receive(ctx: FunctionContext, var: ir.Var | ir.TileVar, texts: list[str]) -> None:
    """Give a variable what a call returned: its text, and those of its lock ids."""
    if isinstance(var, ir.Var):
        if ctx.region(var).reads or ctx.region(var).writes > 1:
            _store(ctx, var, Text(texts[0], POSTFIX, var.dtype))
        elif len(texts[0].split("(")) > 1:
            ctx.out.write(f"{texts[0]};")
        return
    place, name = _declares(ctx, var), ctx.local(var)
    kind = "int64_t " if place is not None else ""
    if form_of(ctx, var) == "reference":
        kind = "const int64_t "
        if uses_tile(ctx, var):
            ctx.out.write(f"auto& {name} = *{texts[0]};")
    elif place is not None:
        ctx.out.write(f"{ctx.half.types.name(var.spec)}* {name} = {texts[0]};")
    else:
        ctx.out.write(f"{name} = {texts[0]};")
    if needs_ids(ctx, var):
        for id_name, text in zip(id_names(ctx, var), texts[1:], strict=True):
            ctx.out.write(f"{kind}{id_name} = {text};")
