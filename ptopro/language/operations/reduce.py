"""Reductions of a tile along an axis (maximum and minimum with dim= stand in elementwise.py)."""

from __future__ import annotations

from ptopro.language import dtypes as dt
from ptopro.language.dtypes import DType
from ptopro.language.enums import PipeType
from ptopro.language.operations.model import Form, Operation, Views
from ptopro.language.operations.parts import (
    ARITHMETIC,
    DIM,
    HALF_SINGLE,
    INTS_8_32,
    out,
    scratch,
    src,
    vector_page,
)
from ptopro.language.operations.rules.shapes import all_of, reduces, same_dtype

ROW_SUM: tuple[DType, ...] = (dt.INT16, dt.INT32, dt.INT64, dt.UINT64, *HALF_SINGLE)
ROW_EXTREME: tuple[DType, ...] = (*INTS_8_32, *HALF_SINGLE)
_INDEX: tuple[DType, ...] = (dt.INT32, dt.UINT32)
_ROW_DOC = "out is [rows, 1], layout DN, of the type of src"
_COL_DOC = "out is [1, columns], of the type of src"


def _axis(views: Views) -> int:
    """0 for the row variant, 1 for the column variant."""
    return 0 if views.get("dim", 0) == 0 else 1


def _row_axis(_views: Views) -> int:
    return 0


def _col_axis(_views: Views) -> int:
    return 1


def _arg(name: str, word: str) -> Operation:
    return Operation(
        name=name,
        group="reduce",
        operands=(out(), src(), scratch(), DIM),
        pipe=PipeType.V,
        summary=f"Index of the {word} along an axis: dim=0 the column of each row, dim=1 the row of each column.",
        forms=(
            Form(("dim=0",), (f"TROW{name.upper()}({{out}}, {{src}}, {{tmp}})",)),
            Form((), (f"TCOL{name.upper()}({{out}}, {{src}}, {{tmp}})",)),
        ),
        check=reduces("out", "src", _axis),
        dtypes={"out": _INDEX, "src": (*INTS_8_32, dt.FP16, dt.BF16, dt.FP32)},
        constraints=("dim=0: out is [rows, 1]; dim=1: out is [1, columns]", "out is INT32 or UINT32"),
        core="vector",
        source=vector_page(f"math_functions/{name}"),
    )


def _hidden(name: str, cpp: str, axis: int, word: str, dtypes: tuple[DType, ...], page: str) -> Operation:
    return Operation(
        name=name,
        group="reduce",
        operands=(out(), src(), scratch()),
        pipe=PipeType.V,
        summary=f"{word} of each {'column' if axis else 'row'}; tmp is scratch.",
        forms=(Form((), (cpp,)),),
        check=all_of(reduces("out", "src", _col_axis if axis else _row_axis), same_dtype("out", "src")),
        dtypes={"out": dtypes, "src": dtypes},
        constraints=(_COL_DOC if axis else _ROW_DOC,),
        core="vector",
        exported=False,
        source=vector_page(f"math_functions/{page}") if page else "",
    )


def _hidden_arg(name: str, axis: int, word: str) -> Operation:
    return Operation(
        name=name,
        group="reduce",
        operands=(out(), src(), scratch()),
        pipe=PipeType.V,
        summary=f"Index of the {word} of each {'column' if axis else 'row'}.",
        forms=(Form((), (f"T{name.replace('_', '').upper()}({{out}}, {{src}}, {{tmp}})",)),),
        check=reduces("out", "src", _col_axis if axis else _row_axis),
        dtypes={"out": _INDEX},
        core="vector",
        exported=False,
        source=vector_page(f"math_functions/{name[4:]}"),
    )


OPERATIONS: tuple[Operation, ...] = (
    Operation(
        name="sum",
        group="reduce",
        operands=(out(), src(), scratch(), DIM),
        pipe=PipeType.V,
        summary="Sum along an axis: dim=0 of each row, dim=1 of each column; tmp is scratch.",
        forms=(
            Form(("dim=0",), ("TROWSUM({out}, {src}, {tmp})",)),
            Form((), ("TCOLSUM({out}, {src}, {tmp}, false)",)),
        ),
        check=all_of(reduces("out", "src", _axis), same_dtype("out", "src")),
        dtypes={"out": ARITHMETIC, "src": ARITHMETIC},
        constraints=(f"dim=0: {_ROW_DOC}", f"dim=1: {_COL_DOC}"),
        core="vector",
        source=vector_page("math_functions/sum"),
    ),
    _arg("argmax", "largest"),
    _arg("argmin", "smallest"),
    _hidden("row_sum", "TROWSUM({out}, {src}, {tmp})", 0, "Sum", ROW_SUM, "sum"),
    _hidden("col_sum", "TCOLSUM({out}, {src}, {tmp}, false)", 1, "Sum", ARITHMETIC, "sum"),
    _hidden("row_max", "TROWMAX({out}, {src}, {tmp})", 0, "Maximum", ROW_EXTREME, ""),
    _hidden("col_max", "TCOLMAX({out}, {src})", 1, "Maximum", ARITHMETIC, ""),
    _hidden("row_min", "TROWMIN({out}, {src}, {tmp})", 0, "Minimum", ROW_EXTREME, ""),
    _hidden("col_min", "TCOLMIN({out}, {src})", 1, "Minimum", ARITHMETIC, ""),
    _hidden("row_prod", "TROWPROD({out}, {src}, {tmp})", 0, "Product", ROW_SUM, ""),
    _hidden("col_prod", "TCOLPROD({out}, {src})", 1, "Product", ARITHMETIC, ""),
    _hidden_arg("row_argmax", 0, "largest"),
    _hidden_arg("row_argmin", 0, "smallest"),
    _hidden_arg("col_argmax", 1, "largest"),
    _hidden_arg("col_argmin", 1, "smallest"),
)
