"""Conversions of registers: element types, reinterpretation, rounding, packing, order of lanes."""

from __future__ import annotations

from ptopro.language import dtypes as dt
from ptopro.language.enums import CastLayout, IndexOrder, PackPart, SaturateMode, VFRoundMode
from ptopro.language.operations.model import Form, Gives, Kind, Operation
from ptopro.language.operations.parts import FLOATS, HALF_SINGLE, INTS, attr, member, number
from ptopro.language.operations.rules.conversions_of_registers import check_astype, check_width_step
from ptopro.language.operations.rules.registers import same_kind
from ptopro.language.operations.vf_parts import (
    mask,
    mode,
    register,
    register_operation,
    register_or_mask,
)

_ADVANCED = "advanced_computation"
_NAMED = Gives((Kind.REGISTER,), named=True)
_PAIR = Gives((Kind.REGISTER, Kind.REGISTER), follows="src0")
PACKED = {
    dt.INT16: (dt.UINT8,), dt.UINT16: (dt.UINT8,), dt.INT32: (dt.UINT16,), dt.UINT32: (dt.UINT16,),
    dt.INT64: (dt.UINT32,), dt.UINT64: (dt.UINT32,),
}  # fmt: skip
UNPACKED = {
    dt.INT8: (dt.INT16,), dt.UINT8: (dt.UINT16,), dt.INT16: (dt.INT32,), dt.UINT16: (dt.UINT32,),
    dt.INT32: (dt.INT64,), dt.UINT32: (dt.UINT64,),
}  # fmt: skip

OPERATIONS: tuple[Operation, ...] = (
    register_operation(
        "astype",
        (
            register("src"),
            mask(),
            attr("dtype", None, keyword=False),
            member("layout", CastLayout, CastLayout.ZERO),
            member("round_mode", VFRoundMode, None),
            member("saturate", SaturateMode, SaturateMode.OFF),
            mode(keyword=True),
        ),
        "src converted to dtype; where widths differ, `layout` says which part of each wide lane the narrow one is.",
        "@vf_astype",
        gives=_NAMED,
        check=check_astype,
        constraints=("the mask counts lanes of src", "dtype differs from the type of src"),
        source="type_conversion",
    ),
    register_operation(
        "bit_cast",
        (register("src"), attr("dtype", None)),
        "The bits of src as lanes of another type; no instruction.",
        "{dst} = {src.as_dst}",
        gives=_NAMED,
        source="type_conversion",
    ),
    register_operation(
        "truncate",
        (register("src"), mask(), mode(), member("round_mode", VFRoundMode, VFRoundMode.CAST_TRUNC)),
        "Active lanes: src rounded to a whole number (towards zero), still a float.",
        "vtrc({dst}, {src}, {round_mode}, {mask}, {mode})",
        dtypes={"src": FLOATS},
        source="type_conversion",
    ),
    register_operation(
        "interleave",
        (register_or_mask("src0"), register_or_mask("src1")),
        "The lanes of src0 and src1 in turn: first those of the lower halves, then those of the upper halves.",
        Form(("src0=mask",), ("pintlv_{dtype.width}({dst0}, {dst1}, {src0}, {src1})",)),
        "vintlv({dst0}, {dst1}, {src0.as_dst}, {src1.as_dst})",
        gives=_PAIR,
        check=same_kind("src0", "src1"),
        source=_ADVANCED,
    ),
    register_operation(
        "de_interleave",
        (register_or_mask("src0"), register_or_mask("src1")),
        "The even lanes of src0 followed by src1, and the odd ones.",
        Form(("src0=mask",), ("pdintlv_{dtype.width}({dst0}, {dst1}, {src0}, {src1})",)),
        "vdintlv({dst0}, {dst1}, {src0.as_dst}, {src1.as_dst})",
        gives=_PAIR,
        check=same_kind("src0", "src1"),
        source=_ADVANCED,
    ),
    register_operation(
        "pack",
        (register_or_mask("src"), attr("dtype", None), member("part", PackPart, PackPart.LOWER)),
        "The low half of every lane, side by side in the lower or upper half of the result; of a mask its even bits.",
        Form(("src=mask",), ("ppack({dst}, {src}, {part})",)),
        "@vf_pack",
        gives=Gives((Kind.REGISTER,), follows="src", named=True),
        check=check_width_step(PACKED),
        source=_ADVANCED,
    ),
    register_operation(
        "unpack",
        (register_or_mask("src"), attr("dtype", None), member("part", PackPart, PackPart.LOWER)),
        "The lanes of the lower or upper half of src, each twice as wide; of a mask, each bit followed by 0.",
        Form(("src=mask",), ("punpack({dst}, {src}, {part})",)),
        "@vf_unpack",
        gives=Gives((Kind.REGISTER,), follows="src", named=True),
        check=check_width_step(UNPACKED),
        source=_ADVANCED,
    ),
    register_operation(
        "arange",
        (number("start"), attr("dtype", None), member("index_order", IndexOrder, IndexOrder.INCREASE_ORDER)),
        "start, start + 1, ... in the lanes; DECREASE_ORDER counts down to start.",
        "@vf_arange",
        gives=Gives((Kind.REGISTER,), named=True),
        dtypes={"dtype": (*INTS, *HALF_SINGLE)},
        source="sorting_and_indexing",
    ),
)
