"""Operations of vector functions as C++: the form that the operands select, rendered, or an emitter of its own.

`EMITTERS` holds what a form names with "@vf_": operations whose words depend on element types and on each other.
"""

from __future__ import annotations

from collections.abc import Callable

from ptopro.codegen import vector_conversions, vector_memory, vector_unaligned
from ptopro.codegen.context import FunctionContext
from ptopro.codegen.vector_operands import (
    lanes_of,
    register_name,
    register_text,
    scalar_text,
    seen_as,
    views_of,
    word_text,
)
from ptopro.diagnostics import DiagnosticError, make
from ptopro.language.dtypes import DType
from ptopro.language.operations.model import Kind
from ptopro.lowering import vf_ir


def register_operation(ctx: FunctionContext, stmt: vf_ir.RegisterOp) -> None:
    """One operation."""
    form = stmt.operation.form_for(views_of(stmt))
    if form.cpp[0].startswith("@vf_"):
        emitter = EMITTERS.get(form.cpp[0].removeprefix("@vf_"))
        if emitter is None:
            reason = "this version has no C++ for it"
            raise DiagnosticError([make("PTO1391", stmt.span, name=stmt.operation.name, reason=reason)])
        emitter(ctx, stmt)
        return
    texts = _operand_texts(ctx, stmt)
    texts.update(_result_texts(ctx, stmt, form.cpp))
    for template in form.cpp:
        ctx.out.write(f"{template.format(**texts)};")


def _operand_texts(ctx: FunctionContext, stmt: vf_ir.RegisterOp) -> dict[str, object]:
    """Each operand by name; those that were not given by their defaults."""
    result = stmt.registers[0].dtype if stmt.registers else None
    compared = stmt.get("cmp_dtype")
    texts: dict[str, object] = {}
    for operand in stmt.operation.operands:
        value = stmt.get(operand.name)
        if value is None:
            texts[operand.name] = word_text(None if operand.required else operand.default)
        elif isinstance(value, vf_ir.Register | vf_ir.RegisterAs):
            cast = compared if isinstance(compared, DType) else None
            texts[operand.name] = register_text(ctx, value, result, cast)
        elif hasattr(value, "dtype"):
            texts[operand.name] = scalar_text(ctx, value, lanes_of(stmt.get(operand.like)) if operand.like else None)  # type: ignore[arg-type]
        else:
            texts[operand.name] = word_text(value)
    return texts


def _result_texts(ctx: FunctionContext, stmt: vf_ir.RegisterOp, templates: tuple[str, ...]) -> dict[str, object]:
    """The results: `dst`, or `dst0` and `dst1`.

    Where the author gave a result another element type than the instruction computes in, its bits are taken so.
    """
    computed = _computed_in(stmt, templates)
    texts: dict[str, object] = {}
    for i, register in enumerate(stmt.registers):
        text: object = register_name(ctx, register)
        if computed is not None and register.kind is Kind.REGISTER:
            text = seen_as(ctx, register, computed)
        name = "dst" if len(stmt.registers) == 1 else f"dst{i}"
        if name == "dst" and "{dst." in "".join(templates):
            text = register_text(ctx, register, None)
        texts[name] = text
    return texts


def _computed_in(stmt: vf_ir.RegisterOp, templates: tuple[str, ...]) -> DType | None:
    """The element type of an instruction whose registers are all of one: that of its first source."""
    gives = stmt.operation.gives
    if gives is None or gives.dtype is not None or gives.named or ".as_dst" in "".join(templates):
        return None
    sources = [use.value for use in stmt.operands]
    found = (lanes_of(value) for value in sources)
    return next((dtype for dtype in found if dtype is not None), None)


def copy_register(ctx: FunctionContext, stmt: vf_ir.CopyRegister) -> None:
    source, target = stmt.source, stmt.target
    text = register_name(ctx, source) if target.dtype is None else seen_as(ctx, source, target.dtype)
    ctx.out.write(f"{register_name(ctx, target)} = {text};")


Emitter = Callable[[FunctionContext, vf_ir.RegisterOp], None]
EMITTERS: dict[str, Emitter] = {
    "load_align": vector_memory.load,
    "store_align": vector_memory.store,
    "gather": vector_memory.gather,
    "scatter": vector_memory.scatter,
    "load": vector_unaligned.load,
    "load_unalign_pre": vector_unaligned.prime,
    "load_unalign": vector_unaligned.load_next,
    "store": vector_unaligned.store,
    "store_unalign": vector_unaligned.store_next,
    "store_unalign_post": vector_unaligned.flush,
    "declared": lambda ctx, stmt: None,
    "full": vector_conversions.full,
    "arange": vector_conversions.arange,
    "create_mask": vector_conversions.create_mask,
    "update_mask": vector_conversions.update_mask,
    "create_addr_reg": vector_conversions.create_address,
    "astype": vector_conversions.convert,
    "pack": vector_conversions.pack,
    "unpack": vector_conversions.unpack,
}
