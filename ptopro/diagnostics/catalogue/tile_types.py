"""PTO1228-1230 and PTO1300-1349: tile types on a chip, memories, layouts, addresses."""

from __future__ import annotations

from ptopro.diagnostics.catalogue.entry import Entry
from ptopro.diagnostics.core import Severity

TYPE_ENTRIES: tuple[Entry, ...] = (
    Entry(
        code="PTO1228",
        title="lines of a tile are not whole blocks",
        message="a {line} of a {shape} tile of {dtype} takes {bytes} bytes: it must be a multiple of 32",
        primary="{line}s of {bytes} bytes",
        explain="UB and L1 are accessed in blocks of 32 bytes, so each row of a row-major tile (each column of a"
        " DN tile) fills whole blocks. What a partial block should not hold is said by the valid shape,"
        " which may be any size.",
        wrong="t = pl.TileType(shape=[16, 7], dtype=pl.DT_FP16)",
        right="t = pl.TileType(shape=[16, 16], dtype=pl.DT_FP16, valid_shape=[16, 7])",
        help="round the physical shape up and put the real extent into valid_shape",
    ),
    Entry(
        code="PTO1229",
        title="shape of a tile",
        message="{actual} is no shape of a tile: two positive numbers are needed",
        explain="Tiles have two axes with sizes known at compile time.",
        wrong="t = pl.TileType(shape=[0, 64], dtype=pl.DT_FP16)",
        right="t = pl.TileType(shape=[16, 64], dtype=pl.DT_FP16)",
    ),
    Entry(
        code="PTO1230",
        title="valid shape larger than the tile",
        message="valid_shape {actual} does not fit into shape {shape} on axis {axis}",
        explain="The valid region is a part of the tile. -1 leaves an extent to pl.set_validshape.",
        wrong="t = pl.TileType(shape=[32, 64], dtype=pl.DT_FP16, valid_shape=[64, 64])",
        right="t = pl.TileType(shape=[64, 64], dtype=pl.DT_FP16, valid_shape=[32, 64])",
    ),
)

ENTRIES: tuple[Entry, ...] = (
    Entry(
        code="PTO1300",
        title="a tile in the wrong memory",
        message="`{operand}` of pl.{operation} lies in {actual}; it must lie in {allowed}",
        primary="in {actual}",
        explain="Each unit works on its own memories: the vector unit on Vec (UB), the cube on Left, Right and"
        " Acc, loads fill Vec and Mat (L1). pl.move copies from one to another.",
        wrong="pl.matmul(acc, a_l1, b_l1)     # both in Mat",
        right="pl.move(a_l0, a_l1)\npl.move(b_l0, b_l1)\npl.matmul(acc, a_l0, b_l0)",
        help="bring it to {allowed} with pl.move, or give the TileType target_memory=pl.MemorySpace...",
    ),
    Entry(
        code="PTO1301",
        title="no path between these memories",
        message="pl.{operation} cannot copy from {source} to {target}",
        primary="in {target}",
        explain="Paths of move: Mat to Left, Right, Bias, Scaling, ScaleLeft and ScaleRight; Acc to Vec; Vec to"
        " Vec and Mat.",
        wrong="pl.move(vec_tile, left_tile)",
        right="pl.move(vec_tile, acc_tile, acc_to_vec_mode=pl.AccToVecMode.SingleModeVec0)",
        help="from {source} the paths lead to {allowed}",
    ),
    Entry(
        code="PTO1302",
        title="a layout that the memory does not take",
        message="a tile in {memory} cannot have layout {layout} {where}",
        primary="{layout}",
        explain="The cube reads fixed layouts: on Ascend 950 Left is NZ and Right ZN, Acc NZ; on Atlas A2/A3 Left"
        " may be ZZ. Mat takes NZ and ZN, ND for 64-bit integers, ZZ and NN for FP8E8M0 scales. Vec takes"
        " any.",
        wrong="left = pl.TileType(shape=[64, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Left, layout=pl.ZZ)",
        right="left = pl.TileType(shape=[64, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Left)",
        help="allowed: {allowed}",
    ),
    Entry(
        code="PTO1303",
        title="a memory that the chip does not have",
        message="{chip} has no {memory} memory for tiles",
        explain="MX scales (ScaleLeft, ScaleRight) exist on Ascend 950 only; global memory (DDR) holds tensors,"
        " not tiles.",
        wrong="t = pl.TileType(shape=[16, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.DDR)",
        right="t = pl.TileType(shape=[16, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Vec)",
        help="it has {allowed}",
    ),
    Entry(
        code="PTO1304",
        title="a misaligned address",
        message="{what} starts at {addr}: addresses in {memory} are multiples of {alignment}",
        primary="{addr}",
        explain="Alignment in bytes: Vec and Mat 32, Left and Right 512, Acc 64, scale memories 32. A group that"
        " is given one address lays its slots end to end, so the size of a slot must be a multiple as"
        " well.",
        wrong="pl.make_tile(t, addr=0x14)",
        right="pl.make_tile(t, addr=0x20)",
        help="move it to the next multiple of {alignment}, or give each slot its own address",
    ),
    Entry(
        code="PTO1305",
        title="more than the memory holds",
        message="{depth} x {size} = {total} bytes from {start} end at {end}, beyond the {capacity} bytes of"
        " {memory} on {chip}",
        primary="ends at {end}, {memory} has {capacity} bytes",
        explain="Sizes in bytes on Ascend 950: Vec 253952 (248 KB), Mat 524288, Left and Right 65536, Acc 262144,"
        " Bias 4096, Scaling 6144. Each buffer of a double buffer counts.",
        wrong="t = pl.TileType(shape=[128, 256], dtype=pl.DT_FP32)     # 128 KB\n"
        "g = pl.make_tile_group(type=t, addrs=0x0000, mutex_ids=[0, 1])",
        right="t = pl.TileType(shape=[64, 256], dtype=pl.DT_FP32)      # 64 KB\n"
        "g = pl.make_tile_group(type=t, addrs=0x0000, mutex_ids=[0, 1])",
        help="make the tile smaller, use fewer slots, or start lower (the tiles span {spread} bytes)",
    ),
    Entry(
        code="PTO1306",
        title="a negative address",
        message="{what} starts at {addr}: addresses are not negative",
        explain="Addresses count bytes from the start of the memory.",
        wrong="pl.make_tile(t, addr=-32)",
        right="pl.make_tile(t, addr=0)",
    ),
    Entry(
        code="PTO1307",
        title="size smaller than the tile",
        message="size={size} is less than the {needed} bytes of a {shape} tile",
        explain="size says how many bytes are reserved for the tile; the instruction uses as many as the shape has.",
        wrong="pl.make_tile(pl.TileType(shape=[64, 64], dtype=pl.DT_FP16), addr=0, size=4096)",
        right="pl.make_tile(pl.TileType(shape=[64, 64], dtype=pl.DT_FP16), addr=0, size=8192)",
        help="leave size out, or write {needed}",
        severity=Severity.WARNING,
    ),
    Entry(
        code="PTO1308",
        title="scales at the wrong address",
        message="the {memory} tile is at {addr}; the scales of the data at {data} must be at {expected}",
        explain="The cube finds the scales of a Left or Right tile at the data's address >> 4.",
        wrong="left at 0x1000, its ScaleLeft tile at 0x0",
        right="left at 0x1000, its ScaleLeft tile at 0x100",
    ),
    Entry(
        code="PTO1310",
        title="a tile that does not fill its fractals",
        message="a {shape} tile of {dtype} in layout {layout} does not fill whole fractals of {block}",
        primary="not a multiple of {block}",
        explain="Boxed layouts (NZ, ZN, ZZ, NN) consist of fractals of 16 rows of 32 bytes; Acc holds 16 x 16."
        " Rows and columns of the physical shape are whole fractals; what is less is said by valid_shape.",
        wrong="left = pl.TileType(shape=[30, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Left)",
        right="left = pl.TileType(shape=[32, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Left,"
        " valid_shape=[30, 64])",
        help="round the shape up to whole fractals and set valid_shape",
    ),
    Entry(
        code="PTO1311",
        title="an element type that tiles cannot have",
        message="tiles of {actual} do not exist",
        explain="The type has no representation in the device's memory of its own.",
        wrong="t = pl.TileType(shape=[16, 64], dtype=pl.DT_INT4)",
        right="t = pl.TileType(shape=[16, 64], dtype=pl.DT_INT8)",
    ),
)
