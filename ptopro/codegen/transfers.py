"""load and store: TLOAD, TSTORE, TSTORE_FP with their modifiers."""

from __future__ import annotations

from ptopro.codegen.context import FunctionContext
from ptopro.codegen.expressions import BIT_OR, Text, render
from ptopro.codegen.tensors import Access, access_of, aim
from ptopro.codegen.tiles import tile, type_name
from ptopro.codegen.traverse import is_tile
from ptopro.language.dtypes import FP32, INT8, INT64, UINT64, DType
from ptopro.language.enums import AtomicType
from ptopro.lowering import ir

INT8_RESULT = 46  # the bit of the fixpipe's scale word that asks for an int8 result


def _access(stmt: ir.Operate) -> Access:
    access = access_of(stmt)
    assert access is not None
    return access


def load(ctx: FunctionContext, stmt: ir.Operate) -> None:
    access = _access(stmt)
    name = aim(ctx, access)
    ctx.out.write(f"TLOAD({tile(ctx, access.tile)}, {name});")


def store(ctx: FunctionContext, stmt: ir.Operate) -> None:
    access = _access(stmt)
    scale, phase, relu, atomic = (stmt.get(key) for key in ("scale", "phase", "relu_pre_mode", "atomic"))
    name = aim(ctx, access)
    source = tile(ctx, access.tile)
    if is_tile(scale):
        ctx.out.write(f"TSTORE_FP({name}, {source}, {tile(ctx, scale)});")  # type: ignore[arg-type]
        return
    adds = atomic is AtomicType.AtomicAdd
    arguments = [name, source]
    if scale is not None:
        arguments.append(scale_word(ctx, scale, access.window.tensor.dtype))
    template: list[str] = []
    if phase is not None:
        template.append(f"STPhase::{phase.name}")  # type: ignore[attr-defined]
    if template or adds or relu is not None:
        template += [type_name(ctx, access.tile), f"decltype({name})"]
    if adds or relu is not None:
        template.append(f"AtomicType::{'AtomicAdd' if adds else 'AtomicNone'}")
    if relu is not None:
        template.append("ReluPreMode::NormalRelu")
    ctx.out.write(f"TSTORE{_template(template)}({', '.join(arguments)});")


def store_fp(ctx: FunctionContext, stmt: ir.Operate) -> None:
    access = _access(stmt)
    name = aim(ctx, access)
    ctx.out.write(f"TSTORE_FP({name}, {tile(ctx, access.tile)}, {tile(ctx, stmt.get('fp_tile'))});")  # type: ignore[arg-type]


def _template(arguments: list[str]) -> str:
    return f"<{', '.join(arguments)}>" if arguments else ""


def scale_word(ctx: FunctionContext, scale: object, target: DType) -> str:
    """The fixpipe's scale word: the bits of a float, or an integer that holds them already."""
    node: ir.Expr = scale  # type: ignore[assignment]
    printed = render(node, ctx)
    if printed.dtype is FP32:
        ctx.half.helpers.add("float_bits")
        word = Text(f"float_bits({printed.text})", BIT_OR + 5, UINT64)
    elif printed.dtype in (INT64, UINT64):
        word = Text(f"static_cast<uint64_t>({printed.text})", BIT_OR + 5, UINT64)
    else:
        word = Text(f"static_cast<uint64_t>(static_cast<uint32_t>({printed.text}))", BIT_OR + 5, UINT64)
    if target is INT8:
        return f"{word.text} | uint64_t{{1}} << {INT8_RESULT}"
    return word.text
