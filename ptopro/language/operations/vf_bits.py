"""Bits of registers and masks: logic, shifts, comparisons into masks, selection, compaction."""

from __future__ import annotations

from ptopro.language import dtypes as dt
from ptopro.language.enums import SqueezeMode
from ptopro.language.operations.model import Form, Gives, Kind, Operand, Operation, Role
from ptopro.language.operations.parts import HALF_SINGLE, INTS, INTS_8_32, attr, member
from ptopro.language.operations.rules.registers import all_rules, number_fits, same_kind, same_lanes, shift_lanes
from ptopro.language.operations.vf_parts import (
    ARITHMETIC,
    BITS,
    MASK,
    PLAIN_8_32,
    mask,
    mode,
    register,
    register_operation,
    register_or_mask,
    register_or_number,
)

_LOGIC = "logical_computation"
_COMPARE = "comparison_and_selection"
_EITHER = Gives((Kind.REGISTER,), follows="src0")


def _logic(name: str, word: str, meaning: str) -> Operation:
    return register_operation(
        name,
        (register_or_mask("src0"), register_or_mask("src1"), mask(), mode()),
        f"Active lanes: {meaning}; of two masks, bit by bit.",
        Form(("src0=mask",), (f"p{word}({{dst}}, {{src0}}, {{src1}}, {{mask}})",)),
        f"v{word}({{dst}}, {{src0}}, {{src1}}, {{mask}}, {{mode}})",
        gives=_EITHER,
        dtypes={"src0": BITS, "src1": BITS},
        check=all_rules(same_kind("src0", "src1"), same_lanes("src0", "src1")),
        source=_LOGIC,
    )


def _shift(name: str, word: str, meaning: str) -> Operation:
    return register_operation(
        name,
        (register("src"), Operand("shift", Role.IN, Kind.REGISTER | Kind.SCALAR), mask(), mode()),
        f"Active lanes: src shifted {meaning}, by a scalar or by the lanes of a register.",
        Form(("shift=register",), (f"{word}({{dst}}, {{src}}, {{shift.signed}}, {{mask}}, {{mode}})",)),
        f"{word}s({{dst}}, {{src}}, {{shift.int16}}, {{mask}}, {{mode}})",
        dtypes={"src": INTS},
        check=shift_lanes("shift", "src"),
        source=_LOGIC,
    )


def _comparison(name: str, meaning: str) -> Operation:
    return register_operation(
        name,
        (register("a"), register_or_number("b", "a"), mask(), attr("cmp_dtype", None)),
        f"A mask of the active lanes in which {meaning}.",
        Form(("b=register",), (f"vcmp_{name}({{dst}}, {{a.compared}}, {{b.compared}}, {{mask}})",)),
        f"vcmps_{name}({{dst}}, {{a}}, {{b}}, {{mask}})",
        gives=MASK,
        dtypes={"a": ARITHMETIC},
        check=number_fits("b", "a"),
        source=_COMPARE,
    )


OPERATIONS: tuple[Operation, ...] = (
    _logic("and_", "and", "bitwise and"),
    _logic("or_", "or", "bitwise or"),
    _logic("xor", "xor", "bitwise exclusive or"),
    register_operation(
        "not_",
        (register_or_mask("src"), mask(), mode()),
        "Active lanes: bitwise complement; of a mask, of the bits that the other mask selects.",
        Form(("src=mask",), ("pnot({dst}, {src}, {mask})",)),
        "vnot({dst}, {src}, {mask}, {mode})",
        gives=Gives((Kind.REGISTER,), follows="src"),
        dtypes={"src": (dt.BOOL, *INTS, *HALF_SINGLE)},
        source=_LOGIC,
    ),
    _shift("shift_left", "vshl", "left"),
    _shift("shift_right", "vshr", "right, arithmetically where it is signed"),
    _comparison("eq", "a == b"),
    _comparison("ne", "a != b"),
    _comparison("lt", "a < b"),
    _comparison("gt", "a > b"),
    _comparison("le", "a <= b"),
    _comparison("ge", "a >= b"),
    register_operation(
        "select",
        (register_or_mask("src_true"), register_or_mask("src_false"), mask(), mode(merging=True)),
        "src_true where the mask is set, src_false elsewhere; of two masks, bit by bit.",
        Form(("src_true=mask",), ("psel({dst}, {src_true}, {src_false}, {mask})",)),
        "vsel({dst}, {src_true.as_dst}, {src_false.as_dst}, {mask})",
        gives=Gives((Kind.REGISTER,), follows="src_true"),
        dtypes={"src_true": (dt.BOOL, *PLAIN_8_32), "src_false": (dt.BOOL, *PLAIN_8_32)},
        check=same_kind("src_true", "src_false"),
        source=_COMPARE,
    ),
    register_operation(
        "squeeze",
        (register("src"), mask(), member("gather_mode", SqueezeMode, SqueezeMode.NO_STORE_REG)),
        "The active lanes moved together at the low end, 0 behind them.",
        "vsqz({dst}, {src.as_dst}, {mask}, {gather_mode})",
        dtypes={"src": (*INTS_8_32, *HALF_SINGLE)},
        constraints=("with STORE_REG the number of bytes goes to the AR register, for store_unalign",),
        source=_COMPARE,
    ),
    register_operation(
        "unsqueeze",
        (mask(),),
        "How many lanes below each lane are active (the last lane does not count).",
        "vusqz({dst}, {mask})",
        gives=Gives((Kind.REGISTER,), named=True),
        source="advanced_computation",
    ),
    register_operation(
        "move",
        (register_or_mask("src"), mask(default=None), mode(merging=True)),
        "The lanes of src; with a mask those that are active, the others keep what the result held.",
        Form(("src=mask", "mask"), ("pmov({dst}, {src}, {mask})",)),
        Form(("src=mask",), ("pmov({dst}, {src})",)),
        Form(("mask",), ("vmov({dst}, {src}, {mask}, MODE_MERGING)",)),
        "vmov({dst}, {src})",
        gives=Gives((Kind.REGISTER,), follows="src"),
        dtypes={"src": (dt.BOOL, *PLAIN_8_32)},
        source="data_movement",
    ),
)
