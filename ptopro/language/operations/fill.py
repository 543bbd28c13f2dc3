"""Filling tiles: constants, indices, padding outside the valid region, transposition."""

from __future__ import annotations

from ptopro.language import dtypes as dt
from ptopro.language.enums import FillPadMode, PipeType
from ptopro.language.operations.model import Form, Operation, Role
from ptopro.language.operations.parts import (
    ARITHMETIC,
    FLOATS,
    INTS_8_32,
    STORAGE,
    VEC_MAT,
    inout,
    member,
    number,
    out,
    src,
    vector_page,
)
from ptopro.language.operations.rules.fills import check_fill_index, check_fillpad
from ptopro.language.operations.rules.shapes import all_of, check_transpose, same_dtype


def _expands(name: str, *, exported: bool) -> Operation:
    return Operation(
        name=name,
        group="fill",
        operands=(out("out", VEC_MAT), number("scalar", "out")),
        pipe=PipeType.V,
        summary="Fill the valid region of a tile with a scalar.",
        forms=(Form((), ("TEXPANDS({out}, {scalar})",)),),
        dtypes={"out": ARITHMETIC},
        exported=exported,
        source=vector_page("math_functions/expands"),
    )


def _fillpad(name: str, mode: FillPadMode) -> Operation:
    return Operation(
        name=name,
        group="fill",
        operands=(
            inout("out", VEC_MAT) if mode is FillPadMode.INPLACE else out("out", VEC_MAT),
            src("src", VEC_MAT),
        ),
        pipe=PipeType.V,
        summary=f"fillpad with mode={mode.name}.",
        forms=(Form((), ("@fillpad",)),),
        check=check_fillpad(mode),
        dtypes={"out": STORAGE, "src": STORAGE},
        exported=False,
        source=vector_page("fillpad"),
    )


OPERATIONS: tuple[Operation, ...] = (
    _expands("expands", exported=True),
    _expands("full", exported=False),
    Operation(
        name="fill_index",
        group="fill",
        operands=(out(), number("start", "out")),
        pipe=PipeType.V,
        summary="out[0, j] = start + j over the valid columns of the first row.",
        forms=(Form((), ("TCI<{out.type}, {out.ctype}, 0>({out}, {start})",)),),
        check=check_fill_index,
        dtypes={"out": (dt.INT32, dt.UINT32, dt.INT16, dt.UINT16)},
        constraints=("only the first row is written",),
        core="vector",
        source="SIMD-API/operation/transpose_and_element_access/fill_index.md",
    ),
    Operation(
        name="fillpad",
        group="fill",
        operands=(out("out", VEC_MAT), src("src", VEC_MAT), member("mode", FillPadMode, FillPadMode.NORMAL)),
        pipe=PipeType.V,
        summary="out = src inside the valid region of src, the pad value of out everywhere else.",
        forms=(
            Form(("mode=INPLACE",), ("@fillpad",), roles={"out": Role.INOUT}),
            Form((), ("@fillpad",)),
        ),
        check=check_fillpad(None),
        dtypes={"out": STORAGE, "src": STORAGE},
        constraints=(
            "the type of out has a pad value that is not null",
            "NORMAL: one shape, two addresses; EXPAND: out is not smaller; INPLACE: one shape, one address",
            "Mat: layout NZ and pad zero",
        ),
        source=vector_page("fillpad"),
    ),
    _fillpad("fillpad_expand", FillPadMode.EXPAND),
    _fillpad("fillpad_inplace", FillPadMode.INPLACE),
    Operation(
        name="transpose",
        group="fill",
        operands=(out(), inout("src")),
        pipe=PipeType.V,
        summary="out[j, i] = src[i, j]; the instruction may use src as scratch.",
        forms=(Form((), ("TTRANS({out}, {src}, {src})",)),),
        check=all_of(same_dtype("out", "src"), check_transpose),
        dtypes={"out": (*INTS_8_32, *FLOATS)},
        constraints=("out has the swapped shape and is not src", "rows of both are multiples of 32 bytes"),
        core="vector",
        source=vector_page("transpose_and_element_access/transpose"),
    ),
)
