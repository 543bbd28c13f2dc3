"""Two inputs of which one may be only partly valid: combined where both are valid, copied where one is."""

from __future__ import annotations

from ptopro.language.dtypes import DType
from ptopro.language.enums import PipeType
from ptopro.language.operations.model import Form, Operation
from ptopro.language.operations.parts import ARITHMETIC, FLOATS, INTS_8_32, out, src, vector_page
from ptopro.language.operations.rules.shapes import all_of, check_partial, same_dtype


def _partial(name: str, meaning: str, dtypes: tuple[DType, ...]) -> Operation:
    return Operation(
        name=name,
        group="partial",
        operands=(out(), src("src0"), src("src1")),
        pipe=PipeType.V,
        summary=f"out = {meaning} where both inputs are valid, else the one that is.",
        forms=(Form((), (f"T{name.upper()}({{out}}, {{src0}}, {{src1}})",)),),
        check=all_of(same_dtype("out", "src0", "src1"), check_partial),
        dtypes={"out": dtypes, "src0": dtypes, "src1": dtypes},
        constraints=("the valid shape of one input is that of out, the other's is not larger",),
        core="vector",
        source=vector_page(f"fused_vector_computation/{name}"),
    )


OPERATIONS: tuple[Operation, ...] = (
    _partial("partadd", "src0 + src1", ARITHMETIC),
    _partial("partmax", "max(src0, src1)", ARITHMETIC),
    _partial("partmin", "min(src0, src1)", ARITHMETIC),
    _partial("partmul", "src0 * src1", (*INTS_8_32, *FLOATS)),
)
