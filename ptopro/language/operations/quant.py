"""Quantisation with one scale for each row."""

from __future__ import annotations

from ptopro.language import dtypes as dt
from ptopro.language.enums import PipeType, QuantMode
from ptopro.language.operations.model import Form, Operation
from ptopro.language.operations.parts import member, optional, out, page, src
from ptopro.language.operations.rules.conversions import check_dequant, check_quant

_SINGLE = (dt.FP32,)

OPERATIONS: tuple[Operation, ...] = (
    Operation(
        name="quant",
        group="quant",
        operands=(
            out(),
            src(),
            src("scale"),
            member("mode", QuantMode, QuantMode.SYM),
            optional(src("offset"), keyword=True),
        ),
        pipe=PipeType.V,
        summary="SYM: out = int8(round(src * scale)); ASYM: out = uint8(round(src * scale) + offset), saturated.",
        forms=(
            Form(("mode=ASYM",), ("TQUANT<QuantType::INT8_ASYM>({out}, {src}, {scale}, {offset})",)),
            Form((), ("TQUANT<QuantType::INT8_SYM>({out}, {src}, {scale})",)),
        ),
        check=check_quant,
        dtypes={"out": (dt.INT8, dt.UINT8), "src": _SINGLE, "scale": _SINGLE, "offset": _SINGLE},
        constraints=("scale and offset are [rows, 1]", "ASYM needs offset and a UINT8 out; SYM an INT8 out"),
        core="vector",
        source=page("quantization/quant"),
    ),
    Operation(
        name="dequant",
        group="quant",
        operands=(out(), src(), src("scale"), src("offset")),
        pipe=PipeType.V,
        summary="out = (src - offset) * scale, scale and offset one for each row.",
        forms=(Form((), ("TDEQUANT({out}, {src}, {scale}, {offset})",)),),
        check=check_dequant,
        dtypes={"out": _SINGLE, "src": (dt.INT8, dt.INT16), "scale": _SINGLE, "offset": _SINGLE},
        constraints=("scale and offset are [rows, 1]",),
        core="vector",
        source=page("quantization/dequant"),
    ),
)
