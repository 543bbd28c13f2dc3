"""Loads and stores of registers between UB and the register file: aligned, strided in blocks, gathered.

In: an operation with its pointer, offset, distribution and strides.  Out: `vlds`, `vld`, `vsldb`, `plds` ... with the
width of the lanes in their words.  Offsets are in elements of the pointer that is written.
"""

from __future__ import annotations

from ptopro.codegen.context import FunctionContext
from ptopro.codegen.expressions import render
from ptopro.codegen.vector_operands import (
    cursor,
    elements,
    integer,
    lanes_of,
    moved_as,
    place,
    plain_pointer,
    register_name,
    seen_as,
    width_word,
)
from ptopro.language import dtypes as dt
from ptopro.language.dtypes import DType
from ptopro.language.enums import DataCopyMode, LoadDist, StoreDist
from ptopro.language.operations.model import Kind
from ptopro.lowering import ir, vf_ir

_PLAIN_LOADS = (LoadDist.NORM, LoadDist.BLK)
_BY_WIDTH_LOADS = (LoadDist.BRC, LoadDist.US, LoadDist.DS, LoadDist.UNPK, LoadDist.E2B)


def moves_cursor(stmt: vf_ir.RegisterOp) -> tuple[vf_ir.UbAddress, str] | None:
    """The address whose cursor an operation uses, and for what ("load" or "store"); None when it uses none."""
    address = next((use.value for use in stmt.operands if isinstance(use.value, vf_ir.UbAddress)), None)
    if address is None:
        return None
    name, post = stmt.operation.name, stmt.get("post_update") is True
    if name in ("vf.load_align", "vf.load_unalign", "vf.load"):
        strided = name != "vf.load_align" and stmt.get("stride") is not None
        return (address, "load") if post or strided else None
    if name == "vf.store" or (name == "vf.store_unalign" and (post or stmt.get("stride") is None)):
        return address, "store"
    return (address, "store") if name in ("vf.store_align", "vf.store_unalign_post") and post else None


def _address(stmt: vf_ir.RegisterOp, name: str) -> vf_ir.UbAddress:
    value = stmt.get(name)
    assert isinstance(value, vf_ir.UbAddress)
    return value


def _copies_blocks(stmt: vf_ir.RegisterOp) -> bool:
    return stmt.get("data_copy_mode") in (DataCopyMode.DATA_BLOCK_COPY, DataCopyMode.DATA_BLOCK_LOAD)


def _strides(ctx: FunctionContext, stmt: vf_ir.RegisterOp, *, repeats: bool) -> str:
    """`(block << 16u) | (repeat & 0xFFFFU)`, in blocks of 32 bytes."""
    parts: list[str] = []
    for name in ("block_stride", "repeat_stride"):
        value = stmt.get(name)
        if isinstance(value, ir.Const) and not value.name:
            value = int(value.value)
        if isinstance(value, int):
            parts.append(str(value))
        elif value is None:
            parts.append("1" if name == "block_stride" else "0")
        else:
            parts.append(f"static_cast<uint32_t>({render(value, ctx).text})")  # type: ignore[arg-type]
    text = f"({parts[0]} << 16u)"
    return f"{text} | ({parts[1]} & 0xFFFFU)" if repeats else text


# ---- loads ----------------------------------------------------------------------------------------------------------


def load(ctx: FunctionContext, stmt: vf_ir.RegisterOp) -> None:
    """vf.load_align."""
    address, offset = _address(stmt, "src"), stmt.get("offset")
    post = stmt.get("post_update") is True
    first = stmt.registers[0]
    if first.kind is Kind.MASK:
        _load_mask(ctx, stmt, address, offset, post)
        return
    assert first.dtype is not None
    moved = moved_as(first.dtype)
    results = ", ".join(seen_as(ctx, register, _lanes_moved(register.dtype or moved)) for register in stmt.registers)
    if _copies_blocks(stmt):
        assert isinstance(offset, vf_ir.Register)
        pointer = cursor(ctx, address, "load", moved) if post else plain_pointer(ctx, address, moved)
        tail = ", POST_UPDATE" if post else ""
        strides = _strides(ctx, stmt, repeats=post)
        ctx.out.write(f"vsldb({results}, {pointer}, {strides}, {register_name(ctx, offset)}{tail});")
        return
    dist = _load_word(stmt.get("dist"), first.dtype, len(stmt.registers))
    if isinstance(offset, vf_ir.Register):
        pointer = plain_pointer(ctx, address, moved)
        ctx.out.write(f"vld({results}, {pointer}, {register_name(ctx, offset)}, {dist});")
        return
    number = offset if offset is not None else None
    if post:
        step = render(elements(number, address.pointer.dtype, moved), ctx).text  # type: ignore[arg-type]
        ctx.out.write(f"vlds({results}, {cursor(ctx, address, 'load', moved)}, {step}, {dist}, POST_UPDATE);")
        return
    pointer, at = place(ctx, address, number, moved)  # type: ignore[arg-type]
    ctx.out.write(f"vlds({results}, {pointer}, {at}, {dist});")


def _lanes_moved(dtype: DType) -> DType:
    """The lanes of a register as a load or store sees them: bytes for 4-bit elements and HF8."""
    return dt.UINT8 if dtype.bits < 8 or dtype == dt.HF8 else dtype


def _load_word(dist: object, dtype: DType, count: int) -> str:
    """The distribution with its width: that of the lanes where the author leaves it open."""
    if count == 2 and not (isinstance(dist, LoadDist) and dist.name.startswith("DINTLV")):
        return f"DINTLV_{width_word(dtype).upper()}"
    if dist is None or dist in _PLAIN_LOADS:
        return "NORM" if dist is None else dist.name
    if dist is LoadDist.UNPK4:
        return "UNPK4_B8"
    assert isinstance(dist, LoadDist)
    return f"{dist.name}_{width_word(dtype).upper()}" if dist in _BY_WIDTH_LOADS else dist.name


def _load_mask(
    ctx: FunctionContext, stmt: vf_ir.RegisterOp, address: vf_ir.UbAddress, offset: object, post: bool
) -> None:
    """32 bytes of mask bits (US: 16 bytes, DS: 64), through a pointer to words."""
    name = register_name(ctx, stmt.registers[0])
    dist = getattr(stmt.get("dist"), "name", "NORM").partition("_")[0]
    if isinstance(offset, vf_ir.Register):
        pointer = plain_pointer(ctx, address, dt.UINT32)
        ctx.out.write(f"pld({name}, {pointer}, {register_name(ctx, offset)}, {dist});")
    elif post:
        step = render(elements(offset, address.pointer.dtype, dt.UINT32), ctx).text  # type: ignore[arg-type]
        ctx.out.write(f"plds({name}, {cursor(ctx, address, 'load', dt.UINT32)}, {step}, {dist}, POST_UPDATE);")
    else:
        pointer, at = place(ctx, address, offset, dt.UINT32)  # type: ignore[arg-type]
        ctx.out.write(f"plds({name}, {pointer}, {at}, {dist});")


# ---- stores ---------------------------------------------------------------------------------------------------------


def store(ctx: FunctionContext, stmt: vf_ir.RegisterOp) -> None:
    """vf.store_align."""
    address, offset = _address(stmt, "dst"), stmt.get("offset")
    post = stmt.get("post_update") is True
    source = stmt.get("src")
    dtype = lanes_of(source)
    assert isinstance(source, vf_ir.Register | vf_ir.RegisterAs)
    if dtype is None:
        _store_mask(ctx, stmt, address, offset, post)
        return
    mask = register_name(ctx, stmt.get("mask"))  # type: ignore[arg-type]
    moved = moved_as(dtype)
    text = seen_as(ctx, source, _lanes_moved(dtype))
    second = stmt.get("src1")
    if isinstance(second, vf_ir.Register | vf_ir.RegisterAs):
        _store_pair(ctx, stmt, (source, second), dtype, mask)
        return
    if _copies_blocks(stmt):
        pointer = cursor(ctx, address, "store", moved) if post else plain_pointer(ctx, address, moved)
        tail = ", POST_UPDATE" if post else ""
        ctx.out.write(f"vsstb({text}, {pointer}, {_strides(ctx, stmt, repeats=True)}, {mask}{tail});")
        return
    dist = _store_word(stmt.get("dist"), dtype)
    if isinstance(offset, vf_ir.Register):
        pointer = plain_pointer(ctx, address, moved)
        ctx.out.write(f"vst({text}, {pointer}, {register_name(ctx, offset)}, {dist}, {mask});")
    elif post:
        step = render(elements(offset, address.pointer.dtype, moved), ctx).text  # type: ignore[arg-type]
        ctx.out.write(f"vsts({text}, {cursor(ctx, address, 'store', moved)}, {step}, {dist}, {mask}, POST_UPDATE);")
    else:
        pointer, at = place(ctx, address, offset, moved)  # type: ignore[arg-type]
        ctx.out.write(f"vsts({text}, {pointer}, {at}, {dist}, {mask});")


def _store_pair(
    ctx: FunctionContext,
    stmt: vf_ir.RegisterOp,
    pair: tuple[vf_ir.Register | vf_ir.RegisterAs, vf_ir.Register | vf_ir.RegisterAs],
    dtype: DType,
    mask: str,
) -> None:
    """Two registers whose lanes are stored in turn, as integers of their width."""
    forced = stmt.get("dist") is StoreDist.INTLV_B32
    lanes = dt.UINT32 if forced else integer(dtype.bits, signed=dtype.kind == "int")
    first, second = (seen_as(ctx, item, lanes) for item in pair)
    offset = stmt.get("offset")
    pointer, at = place(ctx, _address(stmt, "dst"), offset, lanes)  # type: ignore[arg-type]
    if at != "0":  # the instruction stores at its pointer
        pointer, at = f"{pointer} + {at}" if at.isalnum() else f"{pointer} + ({at})", "0"
    ctx.out.write(f"vsts({first}, {second}, {pointer}, {at}, INTLV_{width_word(lanes).upper()}, {mask});")


def _store_word(dist: object, dtype: DType) -> str:
    """The distribution with its width."""
    width = width_word(dtype).upper()
    match dist:
        case None | StoreDist.NORM:
            return f"NORM_{width}"
        case StoreDist.FIRST_ELEMENT:
            return f"ONEPT_{width}"
        case StoreDist.PACK:
            return f"PK_B{max(16, dtype.bits)}"
        case StoreDist.PACK4:
            return "PK4_B32"
        case StoreDist():
            return dist.name
        case _:
            return str(dist)


def _store_mask(
    ctx: FunctionContext, stmt: vf_ir.RegisterOp, address: vf_ir.UbAddress, offset: object, post: bool
) -> None:
    """32 bytes of mask bits (PACK: 16 bytes, every other bit)."""
    source = stmt.get("src")
    assert isinstance(source, vf_ir.Register)
    name = register_name(ctx, source)
    dist = "PK" if stmt.get("dist") is StoreDist.PACK else "NORM"
    if isinstance(offset, vf_ir.Register):
        ctx.out.write(f"pst({name}, {plain_pointer(ctx, address, dt.UINT32)}, {register_name(ctx, offset)}, {dist});")
    elif post:
        step = render(elements(offset, address.pointer.dtype, dt.UINT32), ctx).text  # type: ignore[arg-type]
        ctx.out.write(f"psts({name}, {cursor(ctx, address, 'store', dt.UINT32)}, {step}, {dist}, POST_UPDATE);")
    else:
        pointer, at = place(ctx, address, offset, dt.UINT32)  # type: ignore[arg-type]
        ctx.out.write(f"psts({name}, {pointer}, {at}, {dist});")


# ---- by index -------------------------------------------------------------------------------------------------------


def gather(ctx: FunctionContext, stmt: vf_ir.RegisterOp) -> None:
    """vf.gather from a tile."""
    address, index = _address(stmt, "src"), stmt.get("indices")
    assert isinstance(index, vf_ir.Register | vf_ir.RegisterAs) and index.dtype is not None
    mask = stmt.get("mask")
    assert isinstance(mask, vf_ir.Register)
    result = stmt.registers[0]
    source = address.pointer.dtype
    if stmt.get("data_copy_mode") not in (None, DataCopyMode.NORM):
        lanes = result.dtype or source
        pointer = plain_pointer(ctx, address, lanes)
        indices = seen_as(ctx, index, dt.UINT32)
        text = f"vgatherb({register_name(ctx, result)}, {pointer}, {indices}, {register_name(ctx, mask)});"
        ctx.out.write(text)
        return
    moved = integer(source.bits, signed=source.bits > 8 or source.kind == "int")
    wide = integer(max(16, source.bits), signed=moved.kind == "int")
    name = "vgather2_bc" if source.bits == 16 and index.dtype.bits == 32 else "vgather2"
    indices = seen_as(ctx, index, integer(index.dtype.bits, signed=False))
    pointer = plain_pointer(ctx, address, moved)
    ctx.out.write(f"{name}({seen_as(ctx, result, wide)}, {pointer}, {indices}, {register_name(ctx, mask)});")


def scatter(ctx: FunctionContext, stmt: vf_ir.RegisterOp) -> None:
    address, index, source = _address(stmt, "base_ptr"), stmt.get("index"), stmt.get("src")
    assert isinstance(index, vf_ir.Register | vf_ir.RegisterAs) and index.dtype is not None
    assert isinstance(source, vf_ir.Register | vf_ir.RegisterAs) and source.dtype is not None
    mask = stmt.get("mask")
    assert isinstance(mask, vf_ir.Register)
    pointer = plain_pointer(ctx, address, source.dtype)
    indices = seen_as(ctx, index, integer(index.dtype.bits, signed=False))
    text = seen_as(ctx, source, source.dtype)
    ctx.out.write(f"vscatter({text}, {pointer}, {indices}, {register_name(ctx, mask)});")
