"""A tile combined with one value for each row (dim=0) or for each column (dim=1)."""

from __future__ import annotations

from ptopro.language import dtypes as dt
from ptopro.language.dtypes import DType
from ptopro.language.enums import PipeType
from ptopro.language.operations.model import Form, Operation, Views
from ptopro.language.operations.parts import DIM, FLOATS, INTS, INTS_8_32, out, src, vector_page
from ptopro.language.operations.rules.shapes import all_of, broadcasts, expands_line, same_dtype, same_shape

_DTYPES: tuple[DType, ...] = (*INTS_8_32, dt.FP16, dt.BF16, dt.FP32)


def _axis(views: Views) -> int:
    return 0 if views.get("dim", 0) == 0 else 1


def _row_axis(_views: Views) -> int:
    return 0


def _col_axis(_views: Views) -> int:
    return 1


def _expand(name: str, sign: str) -> Operation:
    instruction = name.removeprefix("expand_").upper()
    return Operation(
        name=name,
        group="broadcast",
        operands=(out(), src("src"), src("scalar"), DIM),
        pipe=PipeType.V,
        summary=f"out = src {sign} scalar, scalar repeated along each row (dim=0) or each column (dim=1).",
        forms=(
            Form(("dim=0",), (f"TROWEXPAND{instruction}({{out}}, {{src}}, {{scalar}})",)),
            Form((), (f"TCOLEXPAND{instruction}({{out}}, {{src}}, {{scalar}})",)),
        ),
        check=all_of(same_dtype("out", "src", "scalar"), same_shape("out", "src"), broadcasts("src", "scalar", _axis)),
        dtypes={"out": _DTYPES, "src": _DTYPES, "scalar": _DTYPES},
        constraints=(
            "out has the shape of src, and may be src",
            "dim=0: scalar is [rows, 1], layout DN (or row-major with 32 bytes in each row); dim=1: [1, columns]",
        ),
        core="vector",
        source=vector_page(f"math_functions/{name}"),
    )


def _hidden(prefix: str, word: str, sign: str) -> Operation:
    axis = _row_axis if prefix == "row" else _col_axis
    public = word in ("sub", "mul", "div", "max", "min")
    return Operation(
        name=f"{prefix}_expand_{word}",
        group="broadcast",
        operands=(out(), src("src"), src("vec")),
        pipe=PipeType.V,
        summary=f"out = src {sign} vec, vec holding one value for each {'row' if prefix == 'row' else 'column'}.",
        forms=(Form((), (f"T{prefix.upper()}EXPAND{word.upper()}({{out}}, {{src}}, {{vec}})",)),),
        check=all_of(same_dtype("out", "src", "vec"), same_shape("out", "src"), broadcasts("src", "vec", axis)),
        dtypes={"out": _DTYPES, "src": _DTYPES, "vec": _DTYPES},
        core="vector",
        exported=False,
        source=vector_page(f"math_functions/expand_{word}") if public else "",
    )


_WORDS = (
    ("add", "+"),
    ("sub", "-"),
    ("mul", "*"),
    ("div", "/"),
    ("max", "max"),
    ("min", "min"),
    ("expdif", "exp-of-difference"),
)


def _line(prefix: str, meaning: str) -> Operation:
    axis = _row_axis if prefix == "row" else _col_axis
    dtypes = (*INTS, *FLOATS)
    return Operation(
        name=f"{prefix}_expand",
        group="broadcast",
        operands=(out(), src()),
        pipe=PipeType.V,
        summary=meaning,
        forms=(Form((), (f"T{prefix.upper()}EXPAND({{out}}, {{src}})",)),),
        check=all_of(same_dtype("out", "src"), expands_line("out", "src", axis)),
        dtypes={"out": dtypes, "src": dtypes},
        core="vector",
        exported=False,
    )


OPERATIONS: tuple[Operation, ...] = (
    _expand("expand_max", "max"),
    _expand("expand_min", "min"),
    _expand("expand_mul", "*"),
    _expand("expand_sub", "-"),
    _expand("expand_div", "/"),
    _line("row", "Repeat the first element of each row along the row."),
    *(_hidden("row", word, sign) for word, sign in _WORDS),
    _line("col", "Repeat the first row of src down the columns."),
    *(_hidden("col", word, sign) for word, sign in _WORDS),
)
