"""Loads and stores of registers at any address, through a carry buffer of 32 bytes.

A stream of loads primes the buffer (`vldas`) and goes on with `vldus`; a stream of stores appends with `vstus` (or as
many bytes as the AR register says, `vstur`) and writes what is left with `vstas` (`vstar`).
"""

from __future__ import annotations

from ptopro.codegen.context import FunctionContext
from ptopro.codegen.expressions import render
from ptopro.codegen.offsets import constant
from ptopro.codegen.vector_memory import moves_cursor
from ptopro.codegen.vector_operands import (
    cursor,
    cursor_name,
    elements,
    integer,
    lanes_of,
    moved_as,
    plain_pointer,
    register_name,
    seen_as,
    unit,
)
from ptopro.language import dtypes as dt
from ptopro.language.dtypes import DType
from ptopro.lowering import ir, vf_ir


def _address(stmt: vf_ir.RegisterOp) -> vf_ir.UbAddress:
    return next(use.value for use in stmt.operands if isinstance(use.value, vf_ir.UbAddress))


def _carry(ctx: FunctionContext, stmt: vf_ir.RegisterOp, name: str) -> str:
    register = stmt.get(name)
    assert isinstance(register, vf_ir.Register)
    return register_name(ctx, register)


def _step(ctx: FunctionContext, stmt: vf_ir.RegisterOp, name: str, dtype: DType, default: int = 0) -> str:
    """A number of lanes of `dtype` as one of the elements that are moved."""
    given = stmt.get(name)
    value: ir.Expr = constant(default) if given is None else given  # type: ignore[assignment]
    return render(elements(value, dtype, moved_as(dtype)), ctx).text


# ---- loads ----------------------------------------------------------------------------------------------------------


def prime(ctx: FunctionContext, stmt: vf_ir.RegisterOp) -> None:
    """vf.load_unalign_pre."""
    address = _address(stmt)
    ctx.out.write(
        f"vldas({_carry(ctx, stmt, 'ureg')}, {plain_pointer(ctx, address, moved_as(address.pointer.dtype))});"
    )


def load_next(ctx: FunctionContext, stmt: vf_ir.RegisterOp) -> None:
    """vf.load_unalign."""
    _load(ctx, stmt, _carry(ctx, stmt, "ureg"))


def load(ctx: FunctionContext, stmt: vf_ir.RegisterOp) -> None:
    """vf.load: a carry buffer for this access alone."""
    dtype = stmt.registers[0].dtype or dt.FP32
    carry = ctx.temporary("carry")
    ctx.out.write(f"UnalignReg {carry};")
    address = _address(stmt)
    moving = moves_cursor(stmt) is not None
    pointer = cursor(ctx, address, "load", moved_as(dtype)) if moving else plain_pointer(ctx, address, moved_as(dtype))
    ctx.out.write(f"vldas({carry}, {pointer});")
    _load(ctx, stmt, carry, pointer)


def _load(ctx: FunctionContext, stmt: vf_ir.RegisterOp, carry: str, pointer: str = "") -> None:
    result = stmt.registers[0]
    dtype = result.dtype or dt.FP32
    address = _address(stmt)
    name = seen_as(ctx, result, dt.UINT8) if dtype.bits < 8 else register_name(ctx, result)
    if moves_cursor(stmt) is None:
        pointer = pointer or plain_pointer(ctx, address, moved_as(dtype))
        ctx.out.write(f"vldus({name}, {carry}, {pointer});")
        return
    pointer = pointer or cursor(ctx, address, "load", moved_as(dtype))
    step = _step(ctx, stmt, "stride", dtype, 2048 // max(8, dtype.bits))
    ctx.out.write(f"vldus({name}, {carry}, {pointer}, {step}, POST_UPDATE);")


# ---- stores ---------------------------------------------------------------------------------------------------------


def _stored(ctx: FunctionContext, stmt: vf_ir.RegisterOp) -> tuple[str, DType]:
    """The register as it is stored, and the elements that the pointer steps in: integers are signed."""
    source = stmt.get("src")
    assert isinstance(source, vf_ir.Register | vf_ir.RegisterAs) and source.dtype is not None
    dtype = source.dtype
    lanes = integer(dtype.bits, signed=True) if dtype.kind == "uint" and dtype.bits < 64 else dtype
    return seen_as(ctx, source, lanes), moved_as(lanes)


def store_next(ctx: FunctionContext, stmt: vf_ir.RegisterOp) -> None:
    """vf.store_unalign."""
    address, carry = _address(stmt), _carry(ctx, stmt, "align_reg")
    source = stmt.get("src")
    dtype = lanes_of(source)
    if dtype is None:
        assert isinstance(source, vf_ir.Register)
        words = integer(max(16, min(32, address.pointer.dtype.bits)), signed=False)
        pointer = cursor(ctx, address, "store", words)
        ctx.out.write(f"pstu({carry}, {register_name(ctx, source)}, {pointer});")
        return
    text, moved = _stored(ctx, stmt)
    if stmt.get("stride") is None:
        ctx.out.write(f"vstur({carry}, {text}, {cursor(ctx, address, 'store', moved)}, POST_UPDATE);")
        return
    step = _step(ctx, stmt, "stride", dtype)
    if moves_cursor(stmt) is None:
        ctx.out.write(f"vstus({carry}, {step}, {text}, {plain_pointer(ctx, address, moved)}, NORM);")
    else:
        ctx.out.write(f"vstus({carry}, {step}, {text}, {cursor(ctx, address, 'store', moved)}, POST_UPDATE);")


def flush(ctx: FunctionContext, stmt: vf_ir.RegisterOp) -> None:
    """vf.store_unalign_post: where the stores before it have left the cursor."""
    address, carry = _address(stmt), _carry(ctx, stmt, "align_reg")
    own = unit(address.pointer.dtype)
    assert ctx.registers is not None
    if address.offset is None and (address.pointer, "store") in ctx.registers.cursors:
        pointer = cursor_name(ctx, address.pointer, "store")
    elif stmt.get("post_update") is True:
        pointer = cursor(ctx, address, "store", own)
    else:
        pointer = plain_pointer(ctx, address, own)
    if stmt.get("stride") is None:
        ctx.out.write(f"vstar({carry}, {pointer});")
        return
    step = _step(ctx, stmt, "stride", address.pointer.dtype)
    word = "POST_UPDATE" if stmt.get("post_update") is True else "NORM"
    ctx.out.write(f"vstas({carry}, {pointer}, {step}, {word});")


def store(ctx: FunctionContext, stmt: vf_ir.RegisterOp) -> None:
    """vf.store: a carry buffer for this access alone; the cursor moves on behind it."""
    source = stmt.get("src")
    dtype = lanes_of(source)
    assert dtype is not None
    text, moved = _stored(ctx, stmt)
    carry = ctx.temporary("carry")
    pointer = cursor(ctx, _address(stmt), "store", moved)
    ctx.out.write(f"UnalignReg {carry};")
    step = _step(ctx, stmt, "count", dtype, 2048 // max(8, dtype.bits))
    ctx.out.write(f"vstus({carry}, {step}, {text}, {pointer}, POST_UPDATE);")
    ctx.out.write(f"vstas({carry}, {pointer}, 0, POST_UPDATE);")
