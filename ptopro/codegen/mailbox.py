"""`pl.ssbuf_store` and `pl.ssbuf_load`: a struct to the scalar mailbox of the block and back, word by word."""

from __future__ import annotations

from ptopro.codegen.context import FunctionContext
from ptopro.codegen.expressions import converted
from ptopro.language.dtypes import INT64
from ptopro.lowering import ir


def store(ctx: FunctionContext, stmt: ir.Operate) -> None:
    _copy(ctx, stmt, "mailbox_store")


def load(ctx: FunctionContext, stmt: ir.Operate) -> None:
    _copy(ctx, stmt, "mailbox_load")


def _copy(ctx: FunctionContext, stmt: ir.Operate, function: str) -> None:
    var, offset = stmt.get("struct_var"), stmt.get("offset")
    assert isinstance(var, ir.StructVar)
    ctx.half.helpers.add("mailbox")
    place = converted(offset, INT64, ctx).text  # type: ignore[arg-type]
    ctx.out.write(f"{function}({ctx.struct_name(var)}, {place});")
