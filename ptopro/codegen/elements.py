"""Single elements that the scalar unit reads and writes: `tile.GetValue(i)`, `x[i]`."""

from __future__ import annotations

from ptopro.codegen.context import FunctionContext
from ptopro.codegen.expressions import POSTFIX, Text, assigned, render
from ptopro.codegen.tiles import member, tile
from ptopro.language.dtypes import INT64, DType
from ptopro.lowering import ir


def element(ctx: FunctionContext, container: ir.TileExpr | ir.TensorDecl, offset: ir.Expr, dtype: DType) -> Text:
    """The value of an element at a linear offset."""
    if isinstance(container, ir.TensorDecl):
        return Text(f"{ctx.tensor_pointer(container)}[{render(offset, ctx).text}]", POSTFIX, dtype)
    return Text(f"{member(tile(ctx, container))}GetValue({render(offset, ctx).text})", POSTFIX, dtype)


def set_element(ctx: FunctionContext, stmt: ir.Operate) -> None:
    """setval: `tile.SetValue(i, v)`, `x[i] = v`."""
    container, offset, value = stmt.get("container"), stmt.get("offset"), stmt.get("value")
    dtype = container.dtype if isinstance(container, ir.TensorDecl) else ir.spec_of(container).dtype  # type: ignore[arg-type]
    at = assigned(offset, INT64, ctx).text  # type: ignore[arg-type]
    new = assigned(value, dtype, ctx).text  # type: ignore[arg-type]
    if isinstance(container, ir.TensorDecl):
        ctx.out.write(f"{ctx.tensor_pointer(container)}[{at}] = {new};")
    else:
        ctx.out.write(f"{member(tile(ctx, container))}SetValue({at}, {new});")  # type: ignore[arg-type]
