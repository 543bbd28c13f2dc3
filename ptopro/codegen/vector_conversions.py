"""Register operations whose C++ depends on element types: constants into registers, masks, conversions, packing."""

from __future__ import annotations

from ptopro.codegen.context import FunctionContext
from ptopro.codegen.expressions import converted, render
from ptopro.codegen.offsets import plus, times
from ptopro.codegen.vector_operands import (
    integer,
    lane_type,
    lanes_of,
    register_name,
    register_text,
    scalar_text,
    seen_as,
    width_word,
    word,
)
from ptopro.language import dtypes as dt
from ptopro.language.dtypes import DType
from ptopro.language.enums import (
    CastLayout,
    DuplicatePos,
    IndexOrder,
    MaskPattern,
    MergeMode,
    PackPart,
    SaturateMode,
    VFRoundMode,
)
from ptopro.language.operations.rules.conversions_of_registers import CONVERSIONS, FAMILIES, rounding, saturates
from ptopro.lowering import ir, vf_ir

_PATTERN_LANES = {
    MaskPattern.VL1: 1, MaskPattern.VL2: 2, MaskPattern.VL3: 3, MaskPattern.VL4: 4, MaskPattern.VL8: 8,
    MaskPattern.VL16: 16, MaskPattern.VL32: 32, MaskPattern.VL64: 64, MaskPattern.VL128: 128,
}  # fmt: skip
_WIDE_LANES = 32  # 64-bit lanes of a register
_INT4_NAMES = {dt.FP16: "vcvt_s42f16", dt.BF16: "vcvt_s42bf16", dt.INT16: "vcvt_s42s16"}


def _register(stmt: vf_ir.RegisterOp, name: str) -> vf_ir.Register | vf_ir.RegisterAs:
    value = stmt.get(name)
    assert isinstance(value, vf_ir.Register | vf_ir.RegisterAs)
    return value


def _mask(ctx: FunctionContext, stmt: vf_ir.RegisterOp) -> str:
    mask = stmt.get("mask")
    assert isinstance(mask, vf_ir.Register)
    return register_name(ctx, mask)


def _temporary(ctx: FunctionContext, wanted: str, kind: str) -> str:
    name = ctx.temporary(wanted)
    ctx.out.write(f"{kind} {name};")
    return name


# ---- constants ------------------------------------------------------------------------------------------------------


def full(ctx: FunctionContext, stmt: vf_ir.RegisterOp) -> None:
    """vf.full: a number, or one lane of a register, in all lanes."""
    result, value = stmt.registers[0], stmt.get("scalar_or_src")
    dtype = result.dtype or dt.FP32
    name, mask = register_name(ctx, result), stmt.get("mask")
    mode = word(stmt.get("mode") or MergeMode.ZEROING)  # type: ignore[arg-type]
    if isinstance(value, vf_ir.Register | vf_ir.RegisterAs):
        lanes = _mask(ctx, stmt) if mask is not None else f"pset_{width_word(dtype)}(PAT_ALL)"
        position = word(stmt.get("pos") or DuplicatePos.LOWEST)  # type: ignore[arg-type]
        source = register_text(ctx, value, dtype).as_dst
        ctx.out.write(f"vdup({name}, {source}, {lanes}, {position}, {mode});")
        return
    number = scalar_text(ctx, value, dtype)  # type: ignore[arg-type]
    if mask is None:
        ctx.out.write(f"vbr({name}, {number});")
    else:
        ctx.out.write(f"vdup({name}, {number}, {_mask(ctx, stmt)}, {mode});")


def arange(ctx: FunctionContext, stmt: vf_ir.RegisterOp) -> None:
    """vf.arange; 64-bit lanes are made of 32-bit ones and their signs."""
    result = stmt.registers[0]
    dtype = result.dtype or dt.INT32
    order = stmt.get("index_order") or IndexOrder.INCREASE_ORDER
    assert isinstance(order, IndexOrder)
    start = stmt.get("start")
    lanes = integer(dtype.bits, signed=True) if dtype.is_int else dtype
    name = seen_as(ctx, result, lanes)
    if dtype.bits < 64:
        ctx.out.write(f"vci({name}, {scalar_text(ctx, start, lanes)}, {word(order)});")  # type: ignore[arg-type]
        return
    low = _temporary(ctx, "low", "RegTensor<int32_t>")
    high = _temporary(ctx, "high", "RegTensor<int32_t>")
    rest = _temporary(ctx, "rest", "RegTensor<int32_t>")
    every = "pset_b32(PAT_ALL)"
    ctx.out.write(f"vci({low}, 0, INC_ORDER);")
    if order is IndexOrder.DECREASE_ORDER:
        ctx.out.write(f"vneg({low}, {low}, {every}, MODE_ZEROING);")
    ctx.out.write(f"vshrs({high}, {low}, 31, {every}, MODE_ZEROING);")
    ctx.out.write(f"vintlv({seen_as(ctx, result, dt.INT32)}, {rest}, {low}, {high});")
    ctx.out.write(f"vadds({name}, {name}, {scalar_text(ctx, start, lanes)}, {every}, MODE_ZEROING);")  # type: ignore[arg-type]


# ---- masks ----------------------------------------------------------------------------------------------------------


def create_mask(ctx: FunctionContext, stmt: vf_ir.RegisterOp) -> None:
    """vf.create_mask; a mask of 64-bit lanes has both 32-bit halves of each lane."""
    name = register_name(ctx, stmt.registers[0])
    pattern, dtype = stmt.get("pattern") or MaskPattern.ALL, stmt.get("dtype") or dt.FP32
    assert isinstance(pattern, MaskPattern) and isinstance(dtype, DType)
    if dtype.bits < 64 or pattern in (MaskPattern.ALL, MaskPattern.ALLF, MaskPattern.H, MaskPattern.Q):
        ctx.out.write(f"{name} = pset_{width_word(dtype)}({word(pattern)});")
        return
    lanes = _PATTERN_LANES.get(pattern)
    doubled = next((item for item, count in _PATTERN_LANES.items() if lanes and count == 2 * lanes), None)
    if lanes is not None and (lanes >= _WIDE_LANES or doubled is not None):
        wide = MaskPattern.ALL if lanes >= _WIDE_LANES or doubled is None else doubled
        ctx.out.write(f"{name} = pset_b32({word(wide)});")
        return
    rest = _temporary(ctx, "rest", "MaskReg")
    ctx.out.write(f"{name} = pset_b32({word(pattern)});")
    ctx.out.write(f"pintlv_b32({name}, {rest}, {name}, {name});")


def update_mask(ctx: FunctionContext, stmt: vf_ir.RegisterOp) -> None:
    """vf.update_mask: the instruction counts a variable down, which the author does not see."""
    name = register_name(ctx, stmt.registers[0])
    dtype = stmt.get("dtype") or dt.FP32
    assert isinstance(dtype, DType)
    value: ir.Expr = stmt.get("scalar")  # type: ignore[assignment]
    if dtype.bits == 64:
        value = times(value, 2)
    left = ctx.temporary(f"{name}_left")
    ctx.out.write(f"uint32_t {left} = {converted(value, dt.UINT32, ctx).text};")
    ctx.out.write(f"{name} = plt_{width_word(dtype)}({left}, POST_UPDATE);")


def create_address(ctx: FunctionContext, stmt: vf_ir.RegisterOp) -> None:
    """vf.create_addr_reg: the strides; the simulator is also told the offset that they come to."""
    dtype = stmt.get("dtype") or dt.FP32
    assert isinstance(dtype, DType)
    factor = 2 if dtype.bits == 64 else 1
    strides: list[str] = []
    total: ir.Expr | None = None
    for n in range(4):
        index, stride = stmt.get(f"index{n}"), stmt.get(f"stride{n}")
        if index is None or stride is None:
            break
        wide = times(stride, factor)  # type: ignore[arg-type]
        strides.append(render(wide, ctx).text)
        step = times(index, wide)  # type: ignore[arg-type]
        total = step if total is None else plus(total, step)
    assert total is not None
    register = stmt.registers[0]
    name = register_name(ctx, register)
    assert ctx.registers is not None
    kind = "AddrReg " if register in ctx.registers.single_addresses else ""
    ctx.out.write(f"{kind}{name} = vag_{width_word(dtype)}({', '.join(strides)});")
    ctx.helper("address_offset")
    ctx.out.write(f"PTOPRO_AT({name}, {render(total, ctx).text});")


# ---- conversions ----------------------------------------------------------------------------------------------------


def convert(ctx: FunctionContext, stmt: vf_ir.RegisterOp) -> None:
    """vf.astype: the words that the pair of types takes, in the order of its family."""
    source, result = _register(stmt, "src"), stmt.registers[0]
    from_type, to_type = source.dtype, result.dtype
    assert from_type is not None and to_type is not None
    family = CONVERSIONS[from_type, to_type]
    rounds, saturated, parts = FAMILIES[family]
    given_round, given_sat = stmt.get("round_mode"), stmt.get("saturate") or SaturateMode.OFF
    layout = stmt.get("layout") or CastLayout.ZERO
    assert isinstance(layout, CastLayout) and isinstance(given_sat, SaturateMode)
    words: list[str] = []
    if rounds:
        mode = given_round if isinstance(given_round, VFRoundMode) else None
        words.append(word(rounding(from_type, to_type, mode)))
    if saturated:
        words.append("RS_ENABLE" if saturates(family, given_sat) else "RS_DISABLE")
    if parts == 2:
        words.append(("PART_EVEN", "PART_ODD")[layout.value])
    elif parts == 4:
        words.append(f"PART_P{layout.value}")
    words.append(word(stmt.get("mode") or MergeMode.ZEROING))  # type: ignore[arg-type]
    name = {"from_int4": _INT4_NAMES.get(to_type, "vcvt"), "to_int4": "vcvt_f162s4"}.get(family, "vcvt")
    operands = [register_name(ctx, result), register_text(ctx, source, None), _mask(ctx, stmt), *words]
    ctx.out.write(f"{name}({', '.join(operands)});")


def pack(ctx: FunctionContext, stmt: vf_ir.RegisterOp) -> None:
    """vf.pack: the low halves side by side; 64-bit lanes as pairs of 32-bit ones."""
    source, result = _register(stmt, "src"), stmt.registers[0]
    part = stmt.get("part") or PackPart.LOWER
    assert isinstance(part, PackPart)
    dtype = lanes_of(source)
    assert dtype is not None and result.dtype is not None
    if dtype.bits < 64:
        text = register_text(ctx, source, None)
        ctx.out.write(f"vpack({register_name(ctx, result)}, {text}, {word(part)}, MODE_UNKNOWN);")
        return
    kind = lane_type(result.dtype)
    zero, rest = _temporary(ctx, "zero", kind), _temporary(ctx, "rest", kind)
    halves = seen_as(ctx, source, result.dtype)
    first, second = (halves, zero) if part is PackPart.LOWER else (zero, halves)
    ctx.out.write(f"vbr({zero}, 0);")
    ctx.out.write(f"vdintlv({register_name(ctx, result)}, {rest}, {first}, {second});")


def unpack(ctx: FunctionContext, stmt: vf_ir.RegisterOp) -> None:
    """vf.unpack: lanes twice as wide; 64-bit ones are pairs of the lane and its sign."""
    source, result = _register(stmt, "src"), stmt.registers[0]
    part = stmt.get("part") or PackPart.LOWER
    assert isinstance(part, PackPart)
    dtype = lanes_of(source)
    assert dtype is not None and result.dtype is not None
    text = register_text(ctx, source, None)
    if result.dtype.bits < 64:
        ctx.out.write(f"vunpack({register_name(ctx, result)}, {text}, {word(part)});")
        return
    kind = lane_type(dtype)
    high, rest = _temporary(ctx, "high", kind), _temporary(ctx, "rest", kind)
    if dtype.kind == "int":
        ctx.out.write(f"vshrs({high}, {text}, 31, pset_b32(PAT_ALL), MODE_ZEROING);")
    else:
        ctx.out.write(f"vbr({high}, 0);")
    target = seen_as(ctx, result, dtype)
    first, second = (target, rest) if part is PackPart.LOWER else (rest, target)
    ctx.out.write(f"vintlv({first}, {second}, {text}, {high});")
