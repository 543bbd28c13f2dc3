"""Masks, special registers and barriers of vector functions."""

from __future__ import annotations

from ptopro.language import dtypes as dt
from ptopro.language.enums import MaskPattern, MaskWidth, MemBarMode
from ptopro.language.operations.model import REQUIRED, Gives, Kind, Operation
from ptopro.language.operations.parts import attr, member, number
from ptopro.language.operations.rules.registers import in_range
from ptopro.language.operations.vf_parts import MASK, count, register, register_operation

_MASKS = "mask_operations"
_MOVES = "data_movement"

OPERATIONS: tuple[Operation, ...] = (
    register_operation(
        "create_mask",
        (member("pattern", MaskPattern, MaskPattern.ALL, keyword=False), attr("dtype", dt.FP32, keyword=False)),
        "A mask of the lanes that the pattern names, for lanes as wide as dtype.",
        "@vf_create_mask",
        gives=MASK,
        source=_MASKS,
    ),
    register_operation(
        "update_mask",
        (number("scalar"), attr("dtype", dt.FP32, keyword=False)),
        "A mask of the first `scalar` lanes (all when there are no more).",
        "@vf_update_mask",
        gives=MASK,
        source=_MASKS,
    ),
    register_operation(
        "get_mask_spr",
        (member("width", MaskWidth, MaskWidth.B32, keyword=False),),
        "The mask that pl.set_vec_mask has left, for lanes of 32 or 16 bits.",
        "{dst} = movp_{width.word}()",
        gives=MASK,
        source=_MOVES,
    ),
    register_operation(
        "mask_gen_with_reg_tensor",
        (register("src"), attr("offset", 0, keyword=False)),
        "The mask whose bits are chunk number `offset` of src (8 bytes of 32-bit lanes, 16 bytes of 16-bit lanes).",
        "movvp({dst}, {src.unsigned}, {offset})",
        gives=MASK,
        dtypes={"src": (dt.INT16, dt.UINT16, dt.FP16, dt.BF16, dt.INT32, dt.UINT32, dt.FP32)},
        check=in_range("offset", 0, 31),
        source=_MASKS,
    ),
    register_operation(
        "create_addr_reg",
        (
            count("index0", REQUIRED),
            count("stride0", REQUIRED),
            *(count(f"{word}{n}") for n in (1, 2, 3) for word in ("index", "stride")),
            attr("dtype", dt.FP32),
        ),
        "An offset in elements: the sum of index * stride over the surrounding loops, the outermost first.",
        "@vf_create_addr_reg",
        gives=Gives((Kind.ADDRESS,)),
        constraints=("the indices are the counters of the surrounding loops, which start at 0 and step by 1",),
        source=_MOVES,
    ),
    register_operation(
        "clear_spr",
        (),
        "Sets the AR register (bytes that squeeze has kept) to 0.",
        "sprclr(SPR_AR)",
        gives=None,
        source=_MOVES,
    ),
    register_operation(
        "mem_bar",
        (member("mode", MemBarMode, MemBarMode.VST_VLD, keyword=False),),
        "Accesses of the first kind that stand before come before those of the second kind that follow.",
        "mem_bar({mode})",
        gives=None,
        source=_MOVES,
    ),
)
