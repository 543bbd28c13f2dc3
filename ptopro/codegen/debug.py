"""Looking into a running kernel: printf, assert, trap, dumps; each says where it stands in the kernel."""

from __future__ import annotations

import json
import re

from ptopro.codegen.context import FunctionContext
from ptopro.codegen.expressions import as_test, cast, render
from ptopro.codegen.tiles import tile
from ptopro.codegen.traverse import is_expression, is_tile
from ptopro.language.dtypes import BOOL, FP32
from ptopro.lowering import ir

_CONVERSION = re.compile(r"%(?P<flags>[-+ #0]*\d*(?:\.\d+)?)(?P<kind>[diuxfp%])")


def print_scalars(ctx: FunctionContext, stmt: ir.Operate) -> None:
    """pl.printf: `cce::printf` with the length modifiers that the argument types need."""
    place = f"[{_place(ctx, stmt)}] " if stmt.get("loc") is True else ""
    _print(ctx, stmt, place, str(stmt.get("format_str") or ""))


def check(ctx: FunctionContext, stmt: ir.Operate) -> None:
    """pl.pto_assert: says which condition is false, then the author's message; the kernel goes on."""
    condition: ir.Expr = stmt.get("condition")  # type: ignore[assignment]
    test = ir.Unary("not", condition, BOOL, condition.span)
    source = next((use.source for use in stmt.operands if use.name == "condition"), None)
    text = " ".join(source.text.split()) if source is not None else as_test(condition, ctx).text
    ctx.out.open(f"if ({as_test(test, ctx).text})")
    message = f"{_place(ctx, stmt)}: assertion failed: {text}\n".replace("%", "%%")
    ctx.out.write(f"cce::printf({_quoted(message)});")
    if stmt.get("format_str"):
        _print(ctx, stmt, "", str(stmt.get("format_str")))
    ctx.out.close()


def trap(ctx: FunctionContext, stmt: ir.Operate) -> None:
    ctx.out.write(f"cce::printf({_quoted(f'{_place(ctx, stmt)}: trap' + chr(10))});")
    ctx.out.write("trap();")


def dump(ctx: FunctionContext, stmt: ir.Operate) -> None:
    """pl.dump_data of a whole Vec tile: TPRINT."""
    data = stmt.get("data")
    if stmt.get("loc") is True:
        ctx.out.write(f"cce::printf({_quoted(f'[{_place(ctx, stmt)}]' + chr(10))});")
    if is_tile(data):
        ctx.out.write(f"TPRINT({tile(ctx, data)});")  # type: ignore[arg-type]


def _place(ctx: FunctionContext, stmt: ir.Operate) -> str:
    path, line = ctx.half.options.locate(stmt.span)
    return f"{path.rpartition('/')[2]}:{line}"


def _print(ctx: FunctionContext, stmt: ir.Operate, head: str, text: str) -> None:
    given = stmt.get("args")
    args = [arg for arg in given if is_expression(arg)] if isinstance(given, tuple) else []
    printed: list[str] = []
    remaining = iter(args)

    def conversion(match: re.Match[str]) -> str:
        if match["kind"] == "%":
            return "%%"
        arg: ir.Expr = next(remaining)
        spelled, value = _argument(ctx, arg, match["kind"])
        printed.append(value)
        return f"%{match['flags']}{spelled}"

    format_text = _CONVERSION.sub(conversion, text)
    ctx.out.write(f"cce::printf({', '.join([_quoted(head.replace('%', '%%') + format_text), *printed])});")


def _argument(ctx: FunctionContext, arg: ir.Expr, kind: str) -> tuple[str, str]:
    """The conversion and the value as C's variable arguments take them."""
    value = render(arg, ctx)
    if kind == "p":
        return "p", f"reinterpret_cast<const void*>({value.text})"
    if kind == "f":
        return "f", value.text if value.dtype is FP32 else cast(value, FP32).text
    wide, narrow = ("unsigned long long", "unsigned") if kind in "ux" else ("long long", "int")
    if arg.dtype.bits == 64:
        return f"ll{kind}", f"static_cast<{wide}>({value.text})"
    return kind, value.text if isinstance(arg, ir.Const) else f"static_cast<{narrow}>({value.text})"


def _quoted(text: str) -> str:
    """A C string literal."""
    return json.dumps(text, ensure_ascii=False)
