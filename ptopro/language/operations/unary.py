"""One input, one output, element by element."""

from __future__ import annotations

from ptopro.language import dtypes as dt
from ptopro.language.dtypes import DType
from ptopro.language.enums import PipeType
from ptopro.language.operations.model import Form, Operation
from ptopro.language.operations.parts import HALF_SINGLE, WIDE, out, src, vector_page
from ptopro.language.operations.rules.shapes import all_of, same_dtype, same_shape

_SAME = all_of(same_dtype("out", "src"), same_shape("out", "src"))


def _unary(name: str, meaning: str, dtypes: tuple[DType, ...], *constraints: str, page: str = "") -> Operation:
    return Operation(
        name=name,
        group="unary",
        operands=(out(), src()),
        pipe=PipeType.V,
        summary=f"out = {meaning}.",
        forms=(Form((), (f"T{name.upper()}({{out}}, {{src}})",)),),
        check=_SAME,
        dtypes={"out": dtypes, "src": dtypes},
        constraints=("one element type, one shape", "out may be src", *constraints),
        core="vector",
        source=vector_page(page or f"elementwise/{name}"),
    )


OPERATIONS: tuple[Operation, ...] = (
    _unary("neg", "-src", WIDE),
    _unary("abs", "|src|", (*HALF_SINGLE, dt.INT8, dt.INT16, dt.INT32)),
    _unary("exp", "e ** src", HALF_SINGLE, page="math_functions/exp"),
    _unary("log", "ln(src)", HALF_SINGLE, "src > 0"),
    _unary("sqrt", "sqrt(src)", HALF_SINGLE, "src >= 0"),
    _unary("rsqrt", "1 / sqrt(src)", HALF_SINGLE, "src > 0", page="math_functions/rsqrt"),
    _unary("recip", "1 / src", HALF_SINGLE, "src is not 0", page="math_functions/recip"),
    _unary("relu", "max(src, 0)", (*HALF_SINGLE, dt.INT32)),
)
