"""Two inputs, one output, element by element: tile with tile, or tile with scalar."""

from __future__ import annotations

from ptopro.language.dtypes import DType
from ptopro.language.enums import PipeType
from ptopro.language.operations.model import Form, Operation, Role
from ptopro.language.operations.parts import (
    ARITHMETIC,
    DIM_OR_NONE,
    HALF_SINGLE,
    INTS,
    INTS_8_32,
    INTS_16_64,
    WIDE,
    number,
    out,
    scratch,
    src,
    tile_or_number,
    vector_page,
)
from ptopro.language.operations.rules.shapes import (
    all_of,
    check_minmax,
    check_shift,
    same_dtype,
    same_shape,
)

_SAME = all_of(same_dtype("out", "lhs", "rhs"), same_shape("out", "lhs", "rhs"))
_SAME_SCALAR = all_of(same_dtype("out", "tile"), same_shape("out", "tile"))
_DOC = ("one element type, one shape; no broadcast", "out may be an input")


def _page(name: str) -> str:
    return vector_page(f"elementwise/{name}")


def _both(
    name: str, instruction: str, sign: str, dtypes: tuple[DType, ...], *constraints: str, exported: bool = True
) -> Operation:
    """An operation whose rhs is a tile or a scalar."""
    return Operation(
        name=name,
        group="elementwise",
        operands=(out(), src("lhs"), tile_or_number("rhs", "out")),
        pipe=PipeType.V,
        summary=f"out = lhs {sign} rhs; rhs is a tile or a scalar.",
        forms=(
            Form(("rhs=tile",), (f"{instruction}({{out}}, {{lhs}}, {{rhs}})",)),
            Form(("rhs=scalar",), (f"{instruction}S({{out}}, {{lhs}}, {{rhs}})",)),
        ),
        check=_SAME,
        dtypes={"out": dtypes, "lhs": dtypes},
        constraints=(*_DOC, *constraints),
        core="vector",
        exported=exported,
        source=_page(name),
    )


def _minmax(name: str, word: str) -> Operation:
    """maximum and minimum: element by element, or along an axis with rhs as scratch."""
    up = word.upper()
    return Operation(
        name=name,
        group="elementwise",
        operands=(out(), src("lhs"), tile_or_number("rhs", "out"), DIM_OR_NONE),
        pipe=PipeType.V,
        summary=f"out = {word}(lhs, rhs); with dim, the {word} of lhs along an axis (0: of each row), rhs is scratch.",
        forms=(
            Form(("!dim", "rhs=tile"), (f"T{up}({{out}}, {{lhs}}, {{rhs}})",)),
            Form(("!dim", "rhs=scalar"), (f"T{up}S({{out}}, {{lhs}}, {{rhs}})",)),
            Form(("dim=0",), (f"TROW{up}({{out}}, {{lhs}}, {{rhs}})",), roles={"rhs": Role.SCRATCH}),
            Form(("dim",), (f"TCOL{up}({{out}}, {{lhs}})",), roles={"rhs": Role.SCRATCH}),
        ),
        check=check_minmax,
        dtypes={"out": ARITHMETIC, "lhs": ARITHMETIC},
        constraints=(
            *_DOC,
            "dim=0: out is [rows, 1], layout DN; dim=1: out is [1, columns]",
            "dim=1 does not touch rhs",
        ),
        core="vector",
        source=_page(name),
    )


def _tiles_only(
    name: str, instruction: str, sign: str, dtypes: tuple[DType, ...], *constraints: str, exported: bool = True
) -> Operation:
    return Operation(
        name=name,
        group="elementwise",
        operands=(out(), src("lhs"), src("rhs")),
        pipe=PipeType.V,
        summary=f"out = lhs {sign} rhs, tiles only.",
        forms=(Form((), (f"{instruction}({{out}}, {{lhs}}, {{rhs}})",)),),
        check=check_shift if sign in ("<<", ">>") else _SAME,
        dtypes={"out": dtypes, "lhs": dtypes, "rhs": dtypes},
        constraints=constraints,
        core="vector",
        exported=exported,
        source=_page(name) if exported else "",
    )


def _with_scalar(name: str, instruction: str, sign: str, dtypes: tuple[DType, ...], page: str) -> Operation:
    """The tile-scalar spelling of an operation, reachable by name but not exported."""
    return Operation(
        name=name,
        group="elementwise",
        operands=(out(), src("tile"), number("scalar", "out")),
        pipe=PipeType.V,
        summary=f"out = tile {sign} scalar.",
        forms=(Form((), (f"{instruction}({{out}}, {{tile}}, {{scalar}})",)),),
        check=_SAME_SCALAR,
        dtypes={"out": dtypes, "tile": dtypes},
        core="vector",
        exported=False,
        source=_page(page) if page else "",
    )


OPERATIONS: tuple[Operation, ...] = (
    _both("add", "TADD", "+", ARITHMETIC),
    _both("sub", "TSUB", "-", ARITHMETIC),
    _both("mul", "TMUL", "*", WIDE),
    _both("div", "TDIV", "/", (*INTS_16_64, *HALF_SINGLE), "the divisor is not 0"),
    _both("and_", "TAND", "&", INTS_8_32),
    _minmax("maximum", "max"),
    _minmax("minimum", "min"),
    _tiles_only("shl", "TSHL", "<<", INTS, "0 <= rhs < bits of the element"),
    _tiles_only("shr", "TSHR", ">>", INTS, "0 <= rhs < bits of the element", "signed elements keep their sign"),
    Operation(
        name="xor",
        group="elementwise",
        operands=(out(), src("lhs"), src("rhs"), scratch("tmp")),
        pipe=PipeType.V,
        summary="out = lhs ^ rhs; tmp is scratch of the same type.",
        forms=(Form((), ("TXOR({out}, {lhs}, {rhs}, {tmp})",)),),
        check=all_of(same_dtype("out", "lhs", "rhs", "tmp"), same_shape("out", "lhs", "rhs")),
        dtypes={"out": INTS_8_32},
        constraints=("tmp shares no bytes with the others",),
        core="vector",
        source=_page("xor"),
    ),
    _tiles_only("rem", "TREM", "%", (*INTS_16_64, *HALF_SINGLE), exported=False),
    _with_scalar("adds", "TADDS", "+", ARITHMETIC, "add"),
    _with_scalar("subs", "TSUBS", "-", ARITHMETIC, "sub"),
    _with_scalar("muls", "TMULS", "*", WIDE, "mul"),
    _with_scalar("divs", "TDIVS", "/", (*INTS_16_64, *HALF_SINGLE), "div"),
    _with_scalar("rems", "TREMS", "%", (*INTS_16_64, *HALF_SINGLE), ""),
    _with_scalar("ands", "TANDS", "&", INTS_8_32, "and_"),
    _with_scalar("ors", "TORS", "|", INTS_8_32, ""),
    _with_scalar("shls", "TSHLS", "<<", INTS, "shl"),
    _with_scalar("shrs", "TSHRS", ">>", INTS, "shr"),
    _with_scalar("maxs", "TMAXS", "max", ARITHMETIC, "maximum"),
    _with_scalar("mins", "TMINS", "min", ARITHMETIC, "minimum"),
    Operation(
        name="xors",
        group="elementwise",
        operands=(out(), src("tile"), number("scalar", "out"), scratch("tmp")),
        pipe=PipeType.V,
        summary="out = tile ^ scalar; tmp is scratch of the same type.",
        forms=(Form((), ("TXORS({out}, {tile}, {scalar}, {tmp})",)),),
        check=all_of(same_dtype("out", "tile", "tmp"), same_shape("out", "tile")),
        dtypes={"out": INTS_8_32},
        core="vector",
        exported=False,
        source=_page("xor"),
    ),
)
