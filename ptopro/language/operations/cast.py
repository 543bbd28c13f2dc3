"""Conversions of element types, alone and fused with arithmetic."""

from __future__ import annotations

from ptopro.language.dtypes import DType
from ptopro.language.enums import PipeType, RoundMode
from ptopro.language.operations.model import Form, Operation
from ptopro.language.operations.parts import (
    HALF_SINGLE,
    STORAGE,
    WIDE,
    attr,
    inout,
    member,
    out,
    src,
    vector_page,
)
from ptopro.language.operations.rules.conversions import check_cast, check_target_type
from ptopro.language.operations.rules.shapes import all_of, same_dtype, same_shape

_MODE = member("mode", RoundMode, RoundMode.CAST_ROUND)


def _fused(name: str, meaning: str, steps: tuple[str, ...], dtypes: tuple[DType, ...]) -> Operation:
    return Operation(
        name=name,
        group="cast",
        operands=(out(), inout("lhs"), src("rhs"), attr("target_type"), _MODE),
        pipe=PipeType.V,
        summary=f"out = cast({meaning}); lhs is overwritten.",
        forms=(Form((), (*steps, "TCVT({out}, {lhs}, {mode})")),),
        check=all_of(same_dtype("lhs", "rhs"), same_shape("out", "lhs", "rhs"), check_target_type, check_cast("lhs")),
        dtypes={"lhs": dtypes, "rhs": dtypes},
        constraints=("target_type is the element type of out", "one shape"),
        core="vector",
        source=vector_page(f"fused_vector_computation/{name}"),
    )


OPERATIONS: tuple[Operation, ...] = (
    Operation(
        name="cast",
        group="cast",
        operands=(out(), src(), _MODE),
        pipe=PipeType.V,
        summary="out = src converted to the element type of out.",
        forms=(Form((), ("TCVT({out}, {src}, {mode})",)),),
        check=all_of(same_shape("out", "src"), check_cast("src")),
        dtypes={"out": STORAGE, "src": STORAGE},
        constraints=("one shape", "CAST_ODD only from FP32 to FP16"),
        core="vector",
        source=vector_page("type_conversion/cast"),
    ),
    _fused(
        "add_relu_cast",
        "max(0, lhs + rhs)",
        ("TADD({lhs}, {lhs}, {rhs})", "TRELU({lhs}, {lhs})"),
        HALF_SINGLE,
    ),
    _fused(
        "sub_relu_cast",
        "max(0, lhs - rhs)",
        ("TSUB({lhs}, {lhs}, {rhs})", "TRELU({lhs}, {lhs})"),
        HALF_SINGLE,
    ),
    _fused("mul_cast", "lhs * rhs", ("TMUL({lhs}, {lhs}, {rhs})",), WIDE),
)
