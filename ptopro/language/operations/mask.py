"""The vector mask registers; tile operations set the mask themselves."""

from __future__ import annotations

from ptopro.language.enums import PipeType
from ptopro.language.operations.model import Form, Operand, Operation
from ptopro.language.operations.parts import number, vector_page


def _mask(name: str, operands: tuple[Operand, ...], summary: str, cpp: str) -> Operation:
    return Operation(
        name=name,
        group="mask",
        operands=operands,
        pipe=PipeType.S,
        summary=summary,
        forms=(Form((), (cpp,)),),
        core="vector",
        source=vector_page(f"vector_mask/{name}"),
    )


OPERATIONS: tuple[Operation, ...] = (
    _mask("set_mask_count", (), "The mask register holds an element count.", "set_mask_count()"),
    _mask("set_mask_norm", (), "The mask register holds one bit for each lane (the default).", "set_mask_norm()"),
    _mask(
        "set_vec_mask",
        (number("mask_high"), number("mask_low")),
        "Write the 128-bit mask; in count mode mask_low is the count.",
        "set_vector_mask((uint64_t)({mask_high}), (uint64_t)({mask_low}))",
    ),
    _mask("reset_mask", (), "All lanes active.", "set_vector_mask(-1, -1)"),
)
