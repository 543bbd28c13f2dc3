"""Arithmetic of registers, lane by lane: two registers, one register, a register and a scalar, fused pairs."""

from __future__ import annotations

from ptopro.language import dtypes as dt
from ptopro.language.dtypes import DType
from ptopro.language.enums import CastLayout
from ptopro.language.operations.model import Gives, Kind, Operation
from ptopro.language.operations.parts import FLOATS, HALF_SINGLE, INTS_16_64, WIDE, attr, member, number
from ptopro.language.operations.rules.registers import all_rules, number_fits, same_lanes, single_result
from ptopro.language.operations.vf_parts import (
    ARITHMETIC,
    REGISTER,
    SIGNED,
    UPDATED,
    WORDS,
    mask,
    mode,
    register,
    register_operation,
)

_BASIC = "basic_arithmetic"
_COMPOSITE = "composite_computation"
_DIVISIBLE: tuple[DType, ...] = (*INTS_16_64, dt.INT8, dt.UINT8, *HALF_SINGLE)


def _two(
    name: str,
    instruction: str,
    meaning: str,
    dtypes: tuple[DType, ...],
    *,
    merging: bool = False,
    updates: bool = False,
    source: str = _BASIC,
) -> Operation:
    return register_operation(
        name,
        (register("src0"), register("src1"), mask(), mode(merging=merging)),
        f"Active lanes: {meaning}.",
        f"{instruction}({{dst}}, {{src0}}, {{src1}}, {{mask}}, {{mode}})",
        gives=UPDATED if updates else REGISTER,
        dtypes={"src0": dtypes},
        check=same_lanes("src0", "src1"),
        constraints=("the registers hold one element type",)
        + (("the result's name must hold a register already",) if updates else ()),
        source=source,
    )


def _one(name: str, instruction: str, meaning: str, dtypes: tuple[DType, ...]) -> Operation:
    return register_operation(
        name,
        (register("src"), mask(), mode()),
        f"Active lanes: {meaning}.",
        f"{instruction}({{dst}}, {{src}}, {{mask}}, {{mode}})",
        dtypes={"src": dtypes},
        source=_BASIC,
    )


def _logarithm(name: str, base: str, factor: str) -> Operation:
    from ptopro.language.operations.model import Form

    steps = ("vln({dst}, {src}, {mask}, {mode})", f"vmuls({{dst}}, {{dst}}, {factor}, {{mask}}, {{mode}})")
    return register_operation(
        name,
        (register("src"), mask(), mode()),
        f"Active lanes: logarithm to base {base}.",
        Form((), steps),
        dtypes={"src": HALF_SINGLE},
        source=_BASIC,
    )


def _scalar(
    name: str, instruction: str, meaning: str, dtypes: tuple[DType, ...], *, operand: str = "scalar", text: str = ""
) -> Operation:
    given = text or f"{{{operand}}}"
    return register_operation(
        name,
        (register("src"), number(operand, "src"), mask(), mode()),
        f"Active lanes: {meaning}.",
        f"{instruction}({{dst}}, {{src}}, {given}, {{mask}}, {{mode}})",
        gives=UPDATED if name == "axpy" else REGISTER,
        dtypes={"src": dtypes},
        check=number_fits(operand, "src"),
        source=_COMPOSITE if name == "axpy" else _BASIC,
    )


def _carry(name: str, instruction: str, meaning: str, carry: str) -> Operation:
    return register_operation(
        name,
        (register("src0"), register("src1"), mask(carry), mask(), mode()),
        meaning,
        f"{instruction}({{dst0}}, {{dst1}}, {{src0}}, {{src1}}, {{{carry}}}, {{mask}})",
        gives=Gives((Kind.MASK, Kind.REGISTER)),
        dtypes={"src0": WORDS},
        check=same_lanes("src0", "src1"),
        source=_BASIC,
    )


OPERATIONS: tuple[Operation, ...] = (
    _two("add", "vadd", "src0 + src1 (integers wrap)", ARITHMETIC, merging=True),
    _two("sub", "vsub", "src0 - src1", ARITHMETIC),
    _two("mul", "vmul", "src0 * src1 (low bits)", WIDE),
    _two("div", "vdiv", "src0 / src1 (integers truncate)", _DIVISIBLE),
    _two("max", "vmax", "the larger of src0 and src1", ARITHMETIC, merging=True),
    _two("min", "vmin", "the smaller of src0 and src1", ARITHMETIC, merging=True),
    _two("abs_sub", "vabsdif", "|src0 - src1|", (*HALF_SINGLE, dt.INT64), source=_COMPOSITE),
    _two("mul_add_dst", "vmula", "src0 * src1 + dst, fused", WIDE, updates=True, source=_COMPOSITE),
    _two("mul_dst_add", "vmadd", "dst * src0 + src1, fused", FLOATS, updates=True, source=_COMPOSITE),
    _two("prelu", "vprelu", "src0 where it is >= 0, else src0 * src1", HALF_SINGLE),
    _one("exp", "vexp", "e to the power of src", HALF_SINGLE),
    _one("ln", "vln", "natural logarithm", HALF_SINGLE),
    _one("log", "vln", "natural logarithm", HALF_SINGLE),
    _logarithm("log2", "2", "{src.number:1.4426950408889634}"),
    _logarithm("log10", "10", "{src.number:0.4342944819032518}"),
    _one("sqrt", "vsqrt", "square root", HALF_SINGLE),
    _one("abs", "vabs", "absolute value", SIGNED),
    _one("neg", "vneg", "-src", SIGNED),
    _one("relu", "vrelu", "the larger of src and 0", (dt.INT32, dt.INT64, *HALF_SINGLE)),
    _scalar("adds", "vadds", "src + scalar", ARITHMETIC),
    _scalar("subs", "vadds", "src - scalar", ARITHMETIC, text="{scalar.negated}"),
    _scalar("muls", "vmuls", "src * scalar", ARITHMETIC),
    _scalar("maxs", "vmaxs", "the larger of src and scalar", ARITHMETIC),
    _scalar("mins", "vmins", "the smaller of src and scalar", ARITHMETIC),
    _scalar("leaky_relu", "vlrelu", "src where it is >= 0, else src * alpha", HALF_SINGLE, operand="alpha"),
    _scalar("axpy", "vaxpy", "src * scalar + dst", (*HALF_SINGLE, dt.INT64, dt.UINT64)),
    register_operation(
        "mull",
        (register("src0"), register("src1"), mask(), mode()),
        "Active lanes: the low and the high 32 bits of src0 * src1.",
        "vmull({dst0}, {dst1}, {src0}, {src1}, {mask})",
        gives=Gives((Kind.REGISTER, Kind.REGISTER)),
        dtypes={"src0": WORDS},
        check=same_lanes("src0", "src1"),
        source=_BASIC,
    ),
    _carry("addc", "vaddcs", "Active lanes: (carry, sum) of src0 + src1 + carry_in in 33 bits.", "carry_in"),
    _carry("subc", "vsubcs", "Active lanes: (borrow, difference) of src0 - src1 with borrow_in.", "borrow_in"),
    register_operation(
        "exp_sub",
        (register("src"), register("max_val"), mask(), member("layout", CastLayout, CastLayout.ZERO)),
        "Active lanes: exp(src - max_val) as FP32; of FP16 the even (ZERO) or odd (ONE) lanes.",
        "vexpdif({dst}, {src}, {max_val}, {mask}, {layout.half})",
        gives=Gives((Kind.REGISTER,), dtype=single_result),
        dtypes={"src": HALF_SINGLE},
        check=same_lanes("src", "max_val"),
        source=_COMPOSITE,
    ),
    register_operation(
        "muls_cast",
        (
            register("src"),
            number("scalar", "src"),
            mask(),
            attr("dtype", None, choices=(None, dt.FP16)),
            member("layout", CastLayout, CastLayout.ZERO),
        ),
        "Active lanes: src * scalar as FP16, in the even (ZERO) or odd (ONE) lanes; 0 in the others.",
        "vmulscvt({dst}, {src}, {scalar}, {mask}, {layout.half})",
        gives=Gives((Kind.REGISTER,), named=True),
        dtypes={"src": (dt.FP32,)},
        check=all_rules(number_fits("scalar", "src")),
        source=_COMPOSITE,
    ),
)
