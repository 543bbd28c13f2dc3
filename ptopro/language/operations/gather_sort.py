"""Indexed access, sorting and counting inside UB."""

from __future__ import annotations

from ptopro.language import dtypes as dt
from ptopro.language.enums import PipeType
from ptopro.language.operations.model import Form, Kind, Operand, Operation, Role
from ptopro.language.operations.parts import (
    ARITHMETIC,
    FP8S,
    HALF_SINGLE,
    VEC,
    attr,
    inout,
    optional,
    out,
    scratch,
    src,
    vector_page,
)
from ptopro.language.operations.rules.indexed import (
    check_gather,
    check_gatherb,
    check_gathermask,
    check_histogram,
    check_scatter,
    check_sort32,
)
from ptopro.language.operations.rules.shapes import same_dtype

_DATA = (*ARITHMETIC, *FP8S, dt.HF8)
_INDEX = (dt.INT16, dt.UINT16, dt.INT32, dt.UINT32)
_PATTERNS = ("P0101", "P1010", "P0001", "P0010", "P0100", "P1000", "P1111")


def _compare_form(mode: str, *when: str) -> Form:
    """gather with a threshold: the fourth tile is the result's counts, the fifth the scratch."""
    types = "{out.type}, {src.type}, {idx.type}, {tmp.type}, {cmp_tmp.type}"
    return Form(
        ("cmp_tmp", *when),
        (f"TGATHER<{types}, CmpMode::{mode}>({{out}}, {{src}}, {{idx}}, {{tmp}}, {{cmp_tmp}}, {{offset}})",),
        roles={"tmp": Role.OUT, "cmp_tmp": Role.SCRATCH},
    )


OPERATIONS: tuple[Operation, ...] = (
    Operation(
        name="gather",
        group="gather",
        operands=(
            out(),
            src(),
            Operand("idx", Role.IN, Kind.TILE | Kind.SCALAR, memory=VEC, like="src"),
            scratch(),
            optional(scratch("cmp_tmp")),
            attr("cmp_mode", 0),
            attr("offset", 0),
        ),
        pipe=PipeType.V,
        summary="out[i] = src[idx[i]] over flat indices; with cmp_mode, the indices of elements that pass a threshold.",
        forms=(
            _compare_form("GT", "cmp_mode=4"),
            _compare_form("EQ"),
            Form((), ("TGATHER({out}, {src}, {idx}, {tmp})",)),
        ),
        check=check_gather,
        dtypes={"src": _DATA},
        constraints=(
            "index form: out and src of one type, idx 16 or 32 bits (32 for 64-bit data), tmp like idx",
            "compare form has five tiles: out, src, thresholds, counts, scratch; cmp_mode 4 is greater, else equal",
            "tmp shares no bytes with the others",
        ),
        core="vector",
        source=vector_page("scatter_gather/gather"),
    ),
    Operation(
        name="gatherb",
        group="gather",
        operands=(out(), src(), src("offsets")),
        pipe=PipeType.V,
        summary="Each 32-byte block of out is 32 bytes of src at a byte offset.",
        forms=(Form((), ("TGATHERB({out}, {src}, {offsets})",)),),
        check=check_gatherb,
        dtypes={"offsets": (dt.UINT32,)},
        constraints=("offsets has one column for each 32 bytes of a row",),
        core="vector",
        source=vector_page("scatter_gather/gatherb"),
    ),
    Operation(
        name="gathermask",
        group="gather",
        operands=(out(), src(), attr("pattern_mode", choices=tuple(range(1, 8)))),
        pipe=PipeType.V,
        summary="Keep some columns: 1 the even, 2 the odd, 3..6 every fourth from 0..3, 7 all.",
        forms=tuple(
            Form(
                (f"pattern_mode={i}",),
                (f"TGATHER<{{out.type}}, {{src.type}}, MaskPattern::{pattern}>({{out}}, {{src}})",),
            )
            for i, pattern in enumerate(_PATTERNS, start=1)
        ),
        check=check_gathermask,
        dtypes={"src": _DATA},
        constraints=("out and src have elements of one width",),
        core="vector",
        source=vector_page("scatter_gather/gathermask"),
    ),
    Operation(
        name="scatter",
        group="gather",
        operands=(inout("out"), src(), src("idx")),
        pipe=PipeType.V,
        summary="out[idx[i]] = src[i] over flat indices; the rest of out is kept.",
        forms=(Form((), ("TSCATTER({out}, {src}, {idx})",)),),
        check=check_scatter,
        dtypes={"out": _DATA, "idx": _INDEX},
        constraints=("idx has 16 bits for 8- and 16-bit data, 32 bits for wider data",),
        core="vector",
        source=vector_page("scatter_gather/scatter"),
    ),
    Operation(
        name="sort32",
        group="sort",
        operands=(out("dst"), src(), src("idx"), optional(scratch())),
        pipe=PipeType.V,
        summary="Sort each run of 32 values of a row descending into (value, index) records of 8 bytes.",
        forms=(
            Form(("tmp",), ("TSORT32({dst}, {src}, {idx}, {tmp})",)),
            Form((), ("TSORT32({dst}, {src}, {idx})",)),
        ),
        check=check_sort32,
        dtypes={"dst": HALF_SINGLE, "src": HALF_SINGLE, "idx": (dt.UINT32,)},
        constraints=("dst has 4 columns for each FP16 column of src, 2 for each FP32 column",),
        core="vector",
        source=vector_page("sorting/sort32"),
    ),
    Operation(
        name="mrgsort",
        group="sort",
        operands=(out("dst"), src(), attr("block_len")),
        pipe=PipeType.V,
        summary="Merge every four adjacent descending runs of block_len stored elements.",
        forms=(Form((), ("TMRGSORT({dst}, {src}, {block_len})",)),),
        check=same_dtype("dst", "src"),
        dtypes={"dst": HALF_SINGLE, "src": HALF_SINGLE},
        constraints=("the valid columns are a multiple of 4 * block_len",),
        core="vector",
        source=vector_page("sorting/mrgsort"),
    ),
    Operation(
        name="mrgsort2",
        group="sort",
        operands=(
            src("src0"),
            src("src1"),
            out("dst"),
            scratch(),
            Operand("extra_srcs", Role.IN, Kind.TILE, variadic=True, memory=VEC),
            attr("exhausted", False),
        ),
        pipe=PipeType.V,
        summary="Merge two to four descending lists of (value, index) records; exhausted stops when one ends.",
        forms=(Form((), ("@mrgsort2",)),),
        check=same_dtype("dst", "src0", "src1"),
        dtypes={"dst": HALF_SINGLE, "src0": HALF_SINGLE, "src1": HALF_SINGLE},
        constraints=("two to four sources of one row each",),
        core="vector",
        source=vector_page("sorting/mrgsort2"),
    ),
    Operation(
        name="histogram",
        group="sort",
        operands=(out("dst"), src(), src("idx"), attr("is_msb")),
        pipe=PipeType.V,
        summary="Count for each row how many elements have a high or low byte of at most 0, 1, ..., 255.",
        forms=(
            Form(("is_msb=true", "dtype(src)=UINT16"), ("THISTOGRAM<HistByte::BYTE_1>({dst}, {src}, {idx})",)),
            Form(("is_msb=true",), ("THISTOGRAM<HistByte::BYTE_3>({dst}, {src}, {idx})",)),
            Form((), ("THISTOGRAM<HistByte::BYTE_0>({dst}, {src}, {idx})",)),
        ),
        check=check_histogram,
        dtypes={"dst": (dt.UINT32,), "src": (dt.UINT16, dt.UINT32), "idx": (dt.UINT8,)},
        constraints=("dst has at least 256 columns",),
        core="vector",
        chips=("a5",),
        source=vector_page("scatter_gather/histogram"),
    ),
)
