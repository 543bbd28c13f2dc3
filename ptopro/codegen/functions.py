"""Helper functions: what they take, what they return, how they are called.

A helper is a C++ function of its own, one for each specialisation.  Beside its parameters it takes what it uses of its
caller - tiles and groups by reference, cursors by reference, pointers of tensors, scalars by value - under the names
that these have in the helper.  A tile that it returns comes back as a pointer, its lock ids beside it; several results
come back in a struct.
"""

from __future__ import annotations

from ptopro.codegen.context import Capture, FunctionContext, FunctionInfo, HalfContext, pointer_type
from ptopro.codegen.expressions import assigned, render
from ptopro.codegen.flag_locks import flags_word
from ptopro.codegen.tensors import kept_variable
from ptopro.codegen.tile_ids import id_names, ids, needs_ids, uses_tile
from ptopro.codegen.tiles import tile
from ptopro.codegen.traverse import is_tile
from ptopro.lowering import ir


def result_fields(half: HalfContext, function: ir.FunctionIR) -> tuple[str, ...]:
    """Declarations of what a function returns, in order: `int64_t first`, `VecHalf64x64* second`."""
    words = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")
    fields: list[str] = []
    for number, item in enumerate(function.result):
        name = words[number] if number < len(words) else f"value{number + 1}"
        if isinstance(item, ir.TileVar):
            fields.append(f"{half.types.name(item.spec)}* {name}")
            fields += [f"int64_t {name}_id{'' if n == 0 else f'_{n + 1}'}" for n in range(item.id_count)]
        else:
            fields.append(f"{item.c} {name}")
    return tuple(fields)


def field_name(declaration: str) -> str:
    return declaration.rpartition(" ")[2]


def describe(ctx: FunctionContext, name: str) -> FunctionInfo:
    """The interface of a helper whose body has just been written."""
    half, function = ctx.half, ctx.function
    fields = result_fields(half, function)
    result = "void"
    if len(fields) == 1:
        result = fields[0].rpartition(" ")[0]
        fields = ()
    elif fields:
        result = half.names.give(f"{_camel(name)}Result")
        half.result_structs.append((result, fields))
    return FunctionInfo(function, name, tuple(ctx.needed.captures), result, fields)


def _camel(name: str) -> str:
    return "".join(part[:1].upper() + part[1:] for part in name.split("_"))


def parameter_list(ctx: FunctionContext) -> list[str]:
    """The C++ parameters of a helper: its own, then what it uses of its caller."""
    parameters: list[str] = []
    for var in ctx.function.params:
        parameters += _parameter(ctx, var)
    return parameters + [_captured(ctx, capture) for capture in ctx.needed.captures]


def _parameter(ctx: FunctionContext, var: ir.Var | ir.TileVar) -> list[str]:
    if isinstance(var, ir.Var):
        unused = "" if var in ctx.needed.parameters else "[[maybe_unused]] "
        kind = pointer_type(var.dtype) if var.pointer else var.dtype.c
        return [f"{unused}{kind} {ctx.local(var)}"]
    unused = "" if uses_tile(ctx, var) else "[[maybe_unused]] "
    name = ctx.local(var)
    if ctx.region(var).writes:
        name = ctx.name_of(("given", var), f"{name}_given")
    result = [f"{unused}{ctx.half.types.name(var.spec)}& {name}"]
    ids_unused = "" if needs_ids(ctx, var) else "[[maybe_unused]] "
    return result + [f"{ids_unused}int64_t {id_name}" for id_name in id_names(ctx, var)]


def _captured(ctx: FunctionContext, capture: Capture) -> str:
    item = capture.item
    match capture.kind:
        case "tile":
            return f"{ctx.half.types.name(item.spec)}& {ctx.name_of(item, '')}"  # type: ignore[attr-defined]
        case "group":
            return f"{ctx.half.types.name(item.spec)} (&{ctx.name_of(item, '')})[{item.depth}]"  # type: ignore[attr-defined]
        case "cursor":
            return f"int& {ctx.cursor_name(item)}"  # type: ignore[arg-type]
        case "pointer":
            return f"{pointer_type(item.dtype)} {ctx.name_of(item, '')}"  # type: ignore[attr-defined]
        case "extent":
            return f"int64_t {kept_variable(ctx, item, capture.axis).name}"  # type: ignore[arg-type]
        case "scalar":
            kind = pointer_type(item.dtype) if item.pointer else item.dtype.c  # type: ignore[attr-defined]
            return f"{kind} {ctx.local(item)}"  # type: ignore[arg-type]
        case "struct":
            return _struct_reference(ctx, item)  # type: ignore[arg-type]
        case "flags":
            return f"uint32_t& {flags_word(ctx, item)}"  # type: ignore[arg-type]
        case _:
            return f"const {ctx.half.tiling_type}& {ctx.tiling_name()}"


def _struct_reference(ctx: FunctionContext, var: ir.StructVar) -> str:
    kind, name = ctx.half.struct_name(var.type), ctx.local(var)
    return f"{kind} (&{name})[{var.count}]" if var.count else f"{kind}& {name}"


def argument_of(ctx: FunctionContext, capture: Capture) -> str:
    """What a caller passes for something that its callee uses of it."""
    item = capture.item
    match capture.kind:
        case "tile" | "group":
            return ctx.tile_name(item)  # type: ignore[arg-type]
        case "cursor":
            return ctx.cursor_name(item)  # type: ignore[arg-type]
        case "pointer":
            return ctx.tensor_pointer(item)  # type: ignore[arg-type]
        case "extent":
            if not ctx.owns(item):  # type: ignore[arg-type]
                ctx.capture("extent", item, capture.axis)
            return kept_variable(ctx, item, capture.axis).name  # type: ignore[arg-type]
        case "scalar":
            return ctx.variable(item)  # type: ignore[arg-type]
        case "struct":
            return ctx.struct_name(item)  # type: ignore[arg-type]
        case "flags":
            return flags_word(ctx, item)  # type: ignore[arg-type]
        case _:
            return ctx.tiling_name()


def call_text(ctx: FunctionContext, function: ir.FunctionIR, args: tuple[ir.Expr | ir.TileExpr, ...]) -> str:
    """`helper(a, b, ...)`."""
    info = ctx.half.functions[id(function)]
    texts: list[str] = []
    for param, arg in zip(function.params, args, strict=True):
        if is_tile(arg):
            texts.append(tile(ctx, arg))  # type: ignore[arg-type]
            if param.id_count:  # type: ignore[union-attr]
                texts += [item.text for item in ids(ctx, arg)]  # type: ignore[arg-type]
        elif param.dtype is arg.dtype:  # type: ignore[union-attr]
            texts.append(render(arg, ctx).text)  # type: ignore[arg-type]
        else:
            texts.append(assigned(arg, param.dtype, ctx).text)  # type: ignore[arg-type, union-attr]
    texts += [argument_of(ctx, capture) for capture in info.captures]
    return f"{info.name}({', '.join(texts)})"


def returned(ctx: FunctionContext, values: tuple[ir.Expr | ir.TileExpr, ...]) -> str:
    """What a helper's `return` gives back."""
    texts: list[str] = []
    for item, value in zip(ctx.function.result, values, strict=True):
        if isinstance(item, ir.TileVar):
            lvalue = tile(ctx, value)  # type: ignore[arg-type]
            texts.append(lvalue[1:] if lvalue.startswith("*") else f"&({lvalue})" if " " in lvalue else f"&{lvalue}")
            texts += [one.text for one in ids(ctx, value)]  # type: ignore[arg-type]
        else:
            texts.append(assigned(value, item, ctx).text)  # type: ignore[arg-type]
    if not texts:
        return "return;"
    return f"return {texts[0]};" if len(texts) == 1 else f"return {{{', '.join(texts)}}};"
