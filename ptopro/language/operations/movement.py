"""Moving data: global memory to tiles and back, tile to tile, and the scalar mailbox between cores."""

from __future__ import annotations

from ptopro.language.enums import AccToVecMode, AtomicType, MemorySpace, PipeType, ReluPreMode, STPhase
from ptopro.language.operations.model import Form, Kind, Operand, Operation, Role, Views, memory_of
from ptopro.language.operations.parts import (
    ACC,
    MAT,
    STORAGE,
    VEC,
    VEC_ACC,
    VEC_MAT,
    attr,
    member,
    number,
    offsets,
    out,
    page,
    src,
    tensor,
    vector_page,
)
from ptopro.language.operations.rules.moves import check_insert, check_move, check_move_fp
from ptopro.language.operations.rules.transfers import check_load, check_store

SCALING = (MemorySpace.Scaling,)
ANY_TILE = (
    MemorySpace.Vec,
    MemorySpace.Mat,
    MemorySpace.Left,
    MemorySpace.Right,
    MemorySpace.Acc,
    MemorySpace.Bias,
    MemorySpace.Scaling,
    MemorySpace.ScaleLeft,
    MemorySpace.ScaleRight,
)
_TO_MTE1 = {
    MemorySpace.Left,
    MemorySpace.Right,
    MemorySpace.Bias,
    MemorySpace.ScaleLeft,
    MemorySpace.ScaleRight,
}


def store_pipe(views: Views) -> PipeType:
    """FIX from Acc, MTE3 from Vec."""
    return PipeType.FIX if memory_of(views.get("src_tile")) is MemorySpace.Acc else PipeType.MTE3


def move_pipe(views: Views) -> PipeType:
    """The pipe of a move by (source, destination) memory."""
    source, target = memory_of(views.get("src_tile")), memory_of(views.get("dst_tile"))
    if source is MemorySpace.Acc:
        return PipeType.FIX
    if source is MemorySpace.Mat:
        if target in _TO_MTE1:
            return PipeType.MTE1
        return PipeType.V if target is MemorySpace.Vec else PipeType.FIX
    if source is MemorySpace.Vec and target is MemorySpace.Mat:
        return PipeType.MTE3
    return PipeType.V


def _scale() -> Operand:
    """A float, a scalar that holds float bits, or a Scaling tile with one word for each column."""
    return Operand("scale", Role.IN, Kind.TILE | Kind.SCALAR, None, keyword_only=True, memory=SCALING)


def _load(name: str, offset_name: str, summary: str) -> Operation:
    return Operation(
        name=name,
        group="movement",
        operands=(
            out("dst_tile", VEC_MAT),
            tensor("src_tensor", Role.IN),
            offsets(offset_name),
            attr("order", None),
        ),
        pipe=PipeType.MTE2,
        summary=summary,
        forms=(Form((), (f"@{name}",)),),
        check=check_load,
        dtypes={"dst_tile": STORAGE, "src_tensor": STORAGE},
        constraints=(
            "a tile element and a tensor element have the same width",
            "one offset for each tensor axis, constants at least 0 and inside the axis",
            "order: two different tensor axes; descending reads the transposed view",
            "FP8E8M0 into a ZZ or NN Mat tile of fractal 32 loads MX scales: the last tensor axis is 2",
        ),
        source=page(f"memory_data_movement/{name}"),
    )


def _store(name: str, offset_name: str, summary: str) -> Operation:
    return Operation(
        name=name,
        group="movement",
        operands=(
            tensor("dst_tensor", Role.OUT),
            src("src_tile", VEC_ACC),
            offsets(offset_name),
            member("relu_pre_mode", ReluPreMode, None),
            _scale(),
            attr("order", None),
            member("atomic", AtomicType, AtomicType.AtomicNone),
            member("phase", STPhase, None),
        ),
        pipe=store_pipe,
        summary=summary,
        forms=(Form((), (f"@{name}",)),),
        check=check_store,
        dtypes={"dst_tensor": STORAGE, "src_tile": STORAGE},
        constraints=(
            "from Vec the element widths are equal",
            "from Acc the tensor may be FP32, INT32, FP16 or BF16; with scale INT8",
            "order ascending",
            "a Scaling tile as scale excludes relu_pre_mode and phase",
        ),
        phase_unlocks_acc=True,
        source=page(f"memory_data_movement/{name}"),
    )


OPERATIONS: tuple[Operation, ...] = (
    _load("load", "offsets", "Copy a block of a tensor into a Vec or Mat tile, at element offsets."),
    _load("load_tile", "tile_offsets", "Copy a block of a tensor into a tile, at offsets counted in tiles."),
    _store("store", "offsets", "Copy a Vec or Acc tile to a tensor, at element offsets."),
    _store("store_tile", "tile_offsets", "Copy a Vec or Acc tile to a tensor, at offsets counted in tiles."),
    Operation(
        name="move",
        group="movement",
        operands=(
            out("dst_tile", ANY_TILE),
            src("src_tile", ANY_TILE),
            offsets("offset", None),
            member("acc_to_vec_mode", AccToVecMode, None),
            member("relu_pre_mode", ReluPreMode, None),
            _scale(),
        ),
        pipe=move_pipe,
        summary="Copy a tile to a tile of another memory or layout; with offset, a part of it.",
        forms=(Form((), ("@move",)),),
        check=check_move,
        dtypes={"dst_tile": STORAGE, "src_tile": STORAGE},
        constraints=(
            "paths: Mat to Left, Right, Bias, Scaling, ScaleLeft, ScaleRight; Acc to Vec; Vec to Vec; Vec to Mat",
            "without offset the shapes are equal, or swapped between NZ and ZN",
            "an offset inside the larger tile; a smaller source is inserted, a larger one extracted from",
            "acc_to_vec_mode only from Acc to Vec; a Scaling tile as scale only with a single-mode move",
        ),
        source=page("memory_data_movement/move"),
    ),
    Operation(
        name="insert",
        group="movement",
        operands=(out("dst_tile", MAT), src("src_tile", VEC), offsets("offset")),
        pipe=PipeType.MTE3,
        summary="Paste a Vec tile into a larger Mat tile at [row, column].",
        forms=(Form((), ("TINSERT({dst_tile}, {src_tile}, {offset[0]}, {offset[1]})",)),),
        check=check_insert,
        dtypes={"dst_tile": STORAGE, "src_tile": STORAGE},
        constraints=("two offsets; the source's valid region fits into the destination from there",),
        source=page("memory_data_movement/insert"),
    ),
    Operation(
        name="ub_copy",
        group="movement",
        operands=(out("dst"), src("src")),
        pipe=PipeType.V,
        summary="Copy a Vec tile to a Vec tile.",
        forms=(Form((), ("TMOV({dst}, {src})",)),),
        dtypes={"dst": STORAGE, "src": STORAGE},
        exported=False,
        source=page("memory_data_movement/move"),
    ),
    Operation(
        name="store_fp",
        group="movement",
        operands=(
            tensor("out", Role.OUT),
            src("tile", ACC),
            src("fp_tile", SCALING),
            offsets("offsets"),
        ),
        pipe=PipeType.FIX,
        summary="store with a Scaling tile: one factor for each column.",
        forms=(Form((), ("@store_fp",)),),
        exported=False,
        source=page("memory_data_movement/store"),
    ),
    Operation(
        name="move_fp",
        group="movement",
        operands=(out("out"), src("src", ACC), src("fp_tile", SCALING)),
        pipe=PipeType.FIX,
        summary="move from Acc to Vec with a Scaling tile: one factor for each column.",
        forms=(Form((), ("TMOV_FP({out}, {src}, {fp_tile})",)),),
        check=check_move_fp,
        exported=False,
        source=page("memory_data_movement/move"),
    ),
    Operation(
        name="reshape",
        group="movement",
        operands=(out("out"), src("src"), offsets("shape")),
        pipe=PipeType.V,
        summary="Read the bytes of a tile as a tile of another shape.",
        forms=(Form((), ("TRESHAPE({out}, {src})",)),),
        exported=False,
        source=vector_page("transpose_and_element_access/index"),
    ),
    Operation(
        name="ssbuf_store",
        group="movement",
        operands=(Operand("struct_var", Role.IN, Kind.STRUCT), number("offset")),
        pipe=PipeType.S,
        summary="Copy a struct to the scalar mailbox of the block, at a byte offset.",
        forms=(Form((), ("@ssbuf_store",)),),
        constraints=("order it with set_cross_core and wait_cross_core",),
        chips=("a5",),
        source=page("memory_data_movement/ssbuf_store"),
    ),
    Operation(
        name="ssbuf_load",
        group="movement",
        operands=(Operand("struct_var", Role.OUT, Kind.STRUCT), number("offset")),
        pipe=PipeType.S,
        summary="Read a struct back from the scalar mailbox of the block, at a byte offset.",
        forms=(Form((), ("@ssbuf_load",)),),
        constraints=("the struct type and the offset are those of the writer",),
        chips=("a5",),
        source=page("memory_data_movement/ssbuf_load"),
    ),
)
