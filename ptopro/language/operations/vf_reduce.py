"""Reductions of registers and counts of their values."""

from __future__ import annotations

from ptopro.language import dtypes as dt
from ptopro.language.dtypes import DType
from ptopro.language.enums import BinType, HistType, MergeMode
from ptopro.language.operations.model import Form, Gives, Kind, Operation, Views
from ptopro.language.operations.parts import HALF_SINGLE, INTS_16_64, attr, member
from ptopro.language.operations.vf_parts import mask, mode, register, register_operation


def _reduction(name: str, word: str, meaning: str) -> Operation:
    return register_operation(
        name,
        (
            register("src"),
            mask(),
            attr("datablock", False, choices=(True, False)),
            member("merge_mode", MergeMode, MergeMode.ZEROING),
        ),
        f"{meaning}; with datablock=True one result for each 32-byte block, packed in the low lanes.",
        Form(("datablock=true",), (f"vcg{word}({{dst}}, {{src}}, {{mask}}, {{merge_mode}})",)),
        f"vc{word}({{dst}}, {{src}}, {{mask}}, {{merge_mode}})",
        dtypes={"src": (*INTS_16_64, *HALF_SINGLE)},
        source="reduction",
    )


def _counts(views: Views) -> DType:
    return dt.UINT16


OPERATIONS: tuple[Operation, ...] = (
    _reduction("reduce_sum", "add", "Lane 0: the sum of the active lanes"),
    _reduction("reduce_max", "max", "Lane 0: the largest active lane, lane 1: its index"),
    _reduction("reduce_min", "min", "Lane 0: the smallest active lane, lane 1: its index"),
    register_operation(
        "pair_reduce_sum",
        (register("src"), mask(), mode()),
        "The sums of neighbouring lanes, in the lower half of the result.",
        "vcpadd({dst}, {src}, {mask}, {mode})",
        dtypes={"src": HALF_SINGLE},
        source="reduction",
    ),
    register_operation(
        "histograms",
        (
            register("src"),
            mask(),
            member("bin_type", BinType, BinType.BIN0),
            member("hist_type", HistType, HistType.ACCUMULATE),
        ),
        "Adds to lane n how many active bytes of src are n (FREQUENCY), or at most n (ACCUMULATE); BIN1: n + 128.",
        Form(("hist_type=FREQUENCY",), ("dhistv2({dst}, {src.bytes}, {mask}, {bin_type})",)),
        "chistv2({dst}, {src.bytes}, {mask}, {bin_type})",
        gives=Gives((Kind.REGISTER,), dtype=_counts, updates=True),
        constraints=("the result's name must hold a register of DT_UINT16 already",),
        source="sorting_and_indexing",
    ),
)
