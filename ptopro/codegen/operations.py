"""Operations of the table as C++: the form that the operands select, rendered; or an emitter of its own.

`EMITTERS` holds what a form names with "@": operations that need more than one template.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Callable

from ptopro.codegen import debug, elements, mailbox, moves, sync, transfers
from ptopro.codegen.context import FunctionContext
from ptopro.codegen.expressions import Text, converted, render
from ptopro.codegen.locks import pipe_name
from ptopro.codegen.tiles import member, tile, type_name
from ptopro.codegen.traverse import is_expression, is_tile
from ptopro.diagnostics import DiagnosticError, make
from ptopro.language.dtypes import DType
from ptopro.language.enums import PipeType
from ptopro.language.operations.model import OperandView, ScalarView, TensorView, Views
from ptopro.lowering import ir


class OperandText(str):
    """An operand in a form's template: `{out}`, `{out.type}`, `{out.ctype}`, `{out}.Member()`."""

    type: str = ""
    ctype: str = ""
    member: str = ""


def operate(ctx: FunctionContext, stmt: ir.Operate) -> None:
    """One operation."""
    form = stmt.operation.form_for(views_of(stmt))
    if form.cpp[0].startswith("@"):
        emitter = EMITTERS.get(form.cpp[0][1:])
        if emitter is None:
            reason = "this version has no C++ for it"
            raise DiagnosticError([make("PTO1391", stmt.span, name=stmt.operation.name, reason=reason)])
        emitter(ctx, stmt)
        return
    texts = {use.name: operand_text(ctx, stmt, use) for use in stmt.operands}
    for operand in stmt.operation.operands:
        if operand.name not in texts and not operand.required:
            texts[operand.name] = attribute_text(operand.default)
    for template in form.cpp:
        template = re.sub(r"\{(\w+)\}\.", r"{\1.member}", template)
        ctx.out.write(f"{template.format(**texts)};")


def views_of(stmt: ir.Operate) -> Views:
    """The operands as the operation's rules see them."""
    return {use.name: view_of(use.value) for use in stmt.operands if use.value is not None}


def view_of(value: object) -> OperandView:
    """What a rule may know of an operand."""
    if is_tile(value):
        return ir.spec_of(value)  # type: ignore[arg-type]
    match value:
        case ir.GroupDecl():
            return value.spec
        case ir.TensorDecl():
            dims = tuple(int(d.value) if isinstance(d, ir.Const) else None for d in value.shape)
            return TensorView(value.dtype, dims, value.layout.name)
        case ir.Const():
            return ScalarView(value.dtype, value.value)
        case ir.PointerOf():
            return ScalarView(value.dtype, pointer=True)
        case ir.VarRef():
            return ScalarView(value.dtype, pointer=value.var.pointer)
    if is_expression(value):
        return ScalarView(value.dtype)  # type: ignore[attr-defined]
    return value


def operand_text(ctx: FunctionContext, stmt: ir.Operate, use: ir.OperandUse) -> object:
    """An operand as templates write it; a list of texts for a list."""
    value = use.value
    if is_tile(value):
        return _tile_text(ctx, value)  # type: ignore[arg-type]
    if isinstance(value, tuple):
        return [scalar_text(ctx, item).text if is_expression(item) else attribute_text(item) for item in value]
    if is_expression(value):
        wanted = _element_type(stmt, use.name)
        printed = scalar_text(ctx, value) if wanted is None else converted(value, wanted, ctx)  # type: ignore[arg-type]
        return printed.text
    return attribute_text(value)


def _tile_text(ctx: FunctionContext, value: ir.TileExpr) -> OperandText:
    lvalue = tile(ctx, value)
    text = OperandText(lvalue)
    text.type = type_name(ctx, value)
    text.ctype = ir.spec_of(value).dtype.c
    text.member = member(lvalue)
    return text


def scalar_text(ctx: FunctionContext, value: object) -> Text:
    return render(value, ctx)  # type: ignore[arg-type]


def _element_type(stmt: ir.Operate, name: str) -> DType | None:
    """The type that a scalar operand is converted to: that of the tile it works on."""
    like = next((operand.like for operand in stmt.operation.operands if operand.name == name), "")
    target = stmt.get(like) if like else None
    if is_tile(target):
        return ir.spec_of(target).dtype  # type: ignore[arg-type]
    return target.dtype if isinstance(target, ir.TensorDecl) else None


def attribute_text(value: object) -> str:
    """A compile-time attribute: `RoundMode::CAST_RINT`, `PIPE_V`, `true`, `3`, `float`."""
    if isinstance(value, PipeType):
        return pipe_name(value)
    if isinstance(value, enum.Enum):
        return f"{type(value).__name__}::{value.name}"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, DType):
        return value.c
    return str(value)


Emitter = Callable[[FunctionContext, ir.Operate], None]
EMITTERS: dict[str, Emitter] = {
    "load": transfers.load,
    "load_tile": transfers.load,
    "store": transfers.store,
    "store_tile": transfers.store,
    "store_fp": transfers.store_fp,
    "move": moves.move,
    "fillpad": moves.fillpad,
    "mrgsort2": moves.merge_sort,
    "set_validshape": moves.set_valid_shape,
    "set_stride": moves.set_stride,
    "setval": elements.set_element,
    "sync_src": sync.set_flag,
    "sync_dst": sync.wait_flag,
    "set_cross_core": sync.set_cross_core,
    "wait_cross_core": sync.wait_cross_core,
    "sync_all": sync.sync_all,
    "dcci": sync.clean_cache,
    "printf": debug.print_scalars,
    "pto_assert": debug.check,
    "trap": debug.trap,
    "dump_data": debug.dump,
    "ssbuf_store": mailbox.store,
    "ssbuf_load": mailbox.load,
}
