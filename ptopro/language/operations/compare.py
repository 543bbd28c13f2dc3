"""Comparisons that yield bit masks, and selection by a mask."""

from __future__ import annotations

from ptopro.language import dtypes as dt
from ptopro.language.enums import PipeType
from ptopro.language.operations.model import Form, Operation
from ptopro.language.operations.parts import (
    ARITHMETIC,
    attr,
    number,
    out,
    scratch,
    src,
    tile_or_number,
    vector_page,
)
from ptopro.language.operations.rules.masks import check_compare, check_select

_MASK = (dt.UINT8,)
_MODES = ("EQ", "NE", "LT", "LE", "GT", "GE")


def _compare(name: str, sign: str) -> Operation:
    mode = f"CmpMode::{name.upper()}"
    return Operation(
        name=name,
        group="compare",
        operands=(out(), src("lhs"), tile_or_number("rhs", "lhs")),
        pipe=PipeType.V,
        summary=f"A bit of out for each element: lhs {sign} rhs; rhs is a tile or a scalar.",
        forms=(
            Form(("rhs=tile",), (f"TCMP({{out}}, {{lhs}}, {{rhs}}, {mode})",)),
            Form(("rhs=scalar",), (f"TCMPS({{out}}, {{lhs}}, {{rhs}}, {mode})",)),
        ),
        check=check_compare,
        dtypes={"out": _MASK, "lhs": ARITHMETIC},
        constraints=("out is UINT8 and holds packed bits; only select reads it",),
        core="vector",
        source=vector_page("comparison/comparison"),
    )


OPERATIONS: tuple[Operation, ...] = (
    _compare("eq", "=="),
    _compare("ne", "!="),
    _compare("lt", "<"),
    _compare("le", "<="),
    _compare("gt", ">"),
    _compare("ge", ">="),
    Operation(
        name="cmp",
        group="compare",
        operands=(out(), src("lhs"), src("rhs"), attr("cmp_mode", choices=tuple(range(6)))),
        pipe=PipeType.V,
        summary="Compare two tiles; cmp_mode 0..5 is EQ, NE, LT, LE, GT, GE.",
        forms=tuple(
            Form((f"cmp_mode={i}",), (f"TCMP({{out}}, {{lhs}}, {{rhs}}, CmpMode::{mode})",))
            for i, mode in enumerate(_MODES)
        ),
        check=check_compare,
        dtypes={"out": _MASK, "lhs": ARITHMETIC},
        core="vector",
        exported=False,
        source=vector_page("comparison/comparison"),
    ),
    Operation(
        name="cmps",
        group="compare",
        operands=(out(), src("lhs"), number("scalar", "lhs"), attr("cmp_mode", choices=tuple(range(6)))),
        pipe=PipeType.V,
        summary="Compare a tile with a scalar; cmp_mode 0..5 is EQ, NE, LT, LE, GT, GE.",
        forms=tuple(
            Form((f"cmp_mode={i}",), (f"TCMPS({{out}}, {{lhs}}, {{scalar}}, CmpMode::{mode})",))
            for i, mode in enumerate(_MODES)
        ),
        check=check_compare,
        dtypes={"out": _MASK, "lhs": ARITHMETIC},
        core="vector",
        exported=False,
        source=vector_page("comparison/comparison"),
    ),
    Operation(
        name="select",
        group="compare",
        operands=(out(), src("mask"), src("lhs"), tile_or_number("rhs", "out"), scratch()),
        pipe=PipeType.V,
        summary="out = lhs where the mask's bit is set, else rhs; tmp is scratch.",
        forms=(
            Form(("rhs=tile",), ("TSEL({out}, {mask}, {lhs}, {rhs}, {tmp})",)),
            Form(("rhs=scalar",), ("TSELS({out}, {mask}, {lhs}, {tmp}, {rhs})",)),
        ),
        check=check_select("lhs", "rhs"),
        dtypes={"out": ARITHMETIC, "mask": _MASK, "lhs": ARITHMETIC},
        constraints=("mask comes from eq, ne, lt, le, gt or ge",),
        core="vector",
        source=vector_page("selection/select"),
    ),
    Operation(
        name="sel",
        group="compare",
        operands=(out(), src("mask"), src("lhs"), src("rhs"), scratch()),
        pipe=PipeType.V,
        summary="select between two tiles.",
        forms=(Form((), ("TSEL({out}, {mask}, {lhs}, {rhs}, {tmp})",)),),
        check=check_select("lhs", "rhs"),
        dtypes={"out": ARITHMETIC, "mask": _MASK},
        core="vector",
        exported=False,
        source=vector_page("selection/select"),
    ),
    Operation(
        name="sels",
        group="compare",
        operands=(
            out(),
            src("mask"),
            src("src"),
            scratch(),
            number("scalar", "out"),
        ),
        pipe=PipeType.V,
        summary="select between a tile and a scalar.",
        forms=(Form((), ("TSELS({out}, {mask}, {src}, {tmp}, {scalar})",)),),
        check=check_select("src", "scalar"),
        dtypes={"out": ARITHMETIC, "mask": _MASK},
        core="vector",
        exported=False,
        source=vector_page("selection/select"),
    ),
)
