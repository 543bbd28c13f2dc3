"""Loads and stores of registers: aligned, unaligned, strided blocks, gathered; and constants into registers.

Offsets count elements of the tile.  With post_update=True the access takes place at a cursor of the pointer, which
then moves on.
"""

from __future__ import annotations

from ptopro.language import dtypes as dt
from ptopro.language.dtypes import DType
from ptopro.language.enums import DataCopyMode, DuplicatePos, LoadDist, StoreDist
from ptopro.language.operations.model import Form, Gives, Kind, Operand, Operation, Role, Views
from ptopro.language.operations.parts import attr, member
from ptopro.language.operations.rules.registers import check_load, check_store, lanes, pointer
from ptopro.language.operations.vf_parts import (
    POST_UPDATE,
    REGISTER,
    REGISTERS,
    count,
    mask,
    mode,
    register,
    register_operation,
    register_or_mask,
    source,
    target,
    unalign,
)

_MOVES = "data_movement"
_OFFSET = Operand(
    "offset", Role.SCALAR, Kind.SCALAR | Kind.OFFSETS | Kind.ADDRESS | Kind.MASK, None
)  # a mask: of the blocks that are copied


def _gathered(views: Views) -> DType | None:
    """What a gather yields: bytes come as 16-bit lanes."""
    base = pointer(views, "src")
    if base is None:
        return lanes(views, "src")
    if base.dtype.bits == 8:
        return dt.UINT16 if base.dtype.kind != "int" else dt.INT16
    return base.dtype


OPERATIONS: tuple[Operation, ...] = (
    register_operation(
        "full",
        (
            Operand("scalar_or_src", Role.IN, Kind.SCALAR | Kind.REGISTER),
            mask(default=None),
            attr("dtype", None, keyword=False),
            mode(merging=True),
            member("pos", DuplicatePos, None),
        ),
        "A number, or the lowest (or highest) lane of a register, in every active lane.",
        "@vf_full",
        source=_MOVES,
    ),
    register_operation(
        "load_align",
        (
            source("src"),
            _OFFSET,
            attr("dtype", None, keyword=False),
            member("dist", LoadDist, None),
            member("data_copy_mode", DataCopyMode, DataCopyMode.NORM),
            attr("block_stride", None),
            attr("repeat_stride", None),
            attr("post_update", False, choices=(True, False)),
        ),
        "A register from an aligned address; `dist` spreads, repeats or thins out the elements.",
        "@vf_load_align",
        gives=Gives((Kind.REGISTER,)),
        dtypes={"src": (*REGISTERS, dt.BOOL)},
        check=check_load,
        source=_MOVES,
    ),
    register_operation(
        "store_align",
        (
            target("dst"),
            register_or_mask("src"),
            Operand("args", Role.IN, Kind.REGISTER | Kind.MASK | Kind.SCALAR | Kind.ADDRESS, variadic=True),
            Operand("src1", Role.IN, Kind.REGISTER, None, keyword_only=True),
            Operand("mask", Role.IN, Kind.MASK, None, keyword_only=True),
            Operand("offset", Role.SCALAR, Kind.SCALAR | Kind.ADDRESS | Kind.OFFSETS, None, keyword_only=True),
            member("dist", StoreDist, None),
            member("data_copy_mode", DataCopyMode, DataCopyMode.NORM),
            Operand("block_stride", Role.SCALAR, Kind.SCALAR, None, keyword_only=True),
            Operand("repeat_stride", Role.SCALAR, Kind.SCALAR, None, keyword_only=True),
            attr("post_update", False, choices=(True, False)),
        ),
        "The active lanes of a register (of two in turn with INTLV), or a mask, to an aligned address.",
        "@vf_store_align",
        gives=None,
        check=check_store,
        source=_MOVES,
    ),
    register_operation(
        "load_unalign_init",
        (),
        "The carry buffer that unaligned loads need.",
        "@vf_declared",
        gives=Gives((Kind.UNALIGN,)),
        source=_MOVES,
    ),
    register_operation(
        "unalign_reg_for_store",
        (),
        "The carry buffer that unaligned stores need.",
        "@vf_declared",
        gives=Gives((Kind.UNALIGN,)),
        source=_MOVES,
    ),
    register_operation(
        "load_unalign_pre",
        (unalign("ureg"), source("src_ptr")),
        "Fills the carry buffer with the block that the address lies in.",
        "@vf_load_unalign_pre",
        gives=None,
        source=_MOVES,
    ),
    register_operation(
        "load_unalign",
        (unalign("ureg"), source("src_ptr"), count("stride"), POST_UPDATE),
        "A register from any address; with stride the cursor moves on by as many elements.",
        "@vf_load_unalign",
        gives=REGISTER,
        source=_MOVES,
    ),
    register_operation(
        "load",
        (source("src_ptr"), count("stride"), POST_UPDATE, count("repeat_stride"), count("count")),
        "A register from any address, without a carry buffer of the author's.",
        "@vf_load",
        gives=REGISTER,
        source=_MOVES,
    ),
    register_operation(
        "store_unalign",
        (
            target("dst_ptr"),
            register_or_mask("src"),
            unalign("align_reg"),
            count("stride"),
            POST_UPDATE,
        ),
        "Appends `stride` elements (without it: what the AR register says) at the cursor.",
        "@vf_store_unalign",
        gives=None,
        source=_MOVES,
    ),
    register_operation(
        "store_unalign_post",
        (target("dst_ptr"), unalign("align_reg"), count("stride"), POST_UPDATE),
        "Writes what the carry buffer still holds.",
        "@vf_store_unalign_post",
        gives=None,
        source=_MOVES,
    ),
    register_operation(
        "store",
        (target("dst_ptr"), register("src"), count("count"), POST_UPDATE, count("repeat_stride")),
        "The first `count` lanes at any address, where the cursor moves on behind them.",
        "@vf_store",
        gives=None,
        source=_MOVES,
    ),
    register_operation(
        "gather",
        (
            Operand("src", Role.IN, Kind.TILE | Kind.REGISTER),
            register("indices"),
            mask(default=None),
            member("data_copy_mode", DataCopyMode, DataCopyMode.NORM),
        ),
        "Lane i: element indices[i] of a tile, or lane indices[i] of a register.",
        Form(("src=register",), ("vselr({dst.unsigned}, {src.unsigned}, {indices.unsigned})",)),
        "@vf_gather",
        gives=Gives((Kind.REGISTER,), dtype=_gathered),
        source=_MOVES,
    ),
    register_operation(
        "scatter",
        (target("base_ptr"), register("src"), register("index"), mask()),
        "Element index[i] of the tile becomes lane i, for the active lanes.",
        "@vf_scatter",
        gives=None,
        source=_MOVES,
    ),
)
