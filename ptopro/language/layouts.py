"""Where the elements of a tile lie: layouts of each memory on each chip, fractals, bytes and addresses.

In: a TileSpec as the author wrote it.  Out: `resolve` sets layout and fractal; `type_problems` and `address_problems`
say what the hardware would not take.  Rules: the TileType page of the public documentation and PTO-ISA's Tile.
"""

from __future__ import annotations

import enum
from collections.abc import Iterator, Sequence
from dataclasses import replace

from ptopro.language import dtypes as dt
from ptopro.language.dtypes import DType
from ptopro.language.enums import MemorySpace, TensorLayout
from ptopro.language.hardware import (
    ACC_FRACTAL_BYTES,
    ALIGNMENT,
    BLOCK_BYTES,
    FRACTAL_BYTES,
    SCALE_FRACTAL_BYTES,
    Chip,
)
from ptopro.language.operations.model import Problem
from ptopro.language.tiles import TileSpec


class BLayout(enum.Enum):
    """The order of the blocks (of the elements, where there are no blocks)."""

    RowMajor = 0
    ColMajor = 1


class SLayout(enum.Enum):
    """The order of the elements inside a block; NoneBox: there are no blocks."""

    NoneBox = 0
    RowMajor = 1
    ColMajor = 2


_L = TensorLayout
_M = MemorySpace

ORDERS: dict[TensorLayout, tuple[BLayout, SLayout]] = {
    _L.ND: (BLayout.RowMajor, SLayout.NoneBox),
    _L.DN: (BLayout.ColMajor, SLayout.NoneBox),
    _L.NZ: (BLayout.ColMajor, SLayout.RowMajor),
    _L.ZN: (BLayout.RowMajor, SLayout.ColMajor),
    _L.NN: (BLayout.ColMajor, SLayout.ColMajor),
    _L.ZZ: (BLayout.RowMajor, SLayout.RowMajor),
}
BOXED = (_L.NZ, _L.ZN, _L.NN, _L.ZZ)

# The first layout is the default.  None as chip name: every chip.
_ALLOWED: dict[MemorySpace, dict[str | None, tuple[TensorLayout, ...]]] = {
    _M.Vec: {None: (_L.ND, _L.DN, _L.NZ, _L.ZN, _L.NN, _L.ZZ)},
    _M.Mat: {None: (_L.NZ, _L.ZN)},
    _M.Left: {"a5": (_L.NZ,), None: (_L.ZZ, _L.NZ)},
    _M.Right: {None: (_L.ZN,)},
    _M.Acc: {None: (_L.NZ,)},
    _M.Bias: {None: (_L.ND,)},
    _M.Scaling: {None: (_L.ND,)},
    _M.ScaleLeft: {None: (_L.ZZ,)},
    _M.ScaleRight: {None: (_L.NN,)},
}


def allowed_layouts(memory: MemorySpace, dtype: DType, chip: Chip) -> tuple[TensorLayout, ...]:
    """The layouts that a tile of this element type may have there, the default first; empty: no tiles there."""
    by_chip = _ALLOWED.get(memory)
    if by_chip is None:
        return ()
    layouts = by_chip.get(chip.name, by_chip[None])
    if memory is _M.Mat:
        if dtype in (dt.INT64, dt.UINT64):
            layouts += (_L.ND,)
        elif dtype is dt.FP8E8M0:
            layouts += (_L.ZZ, _L.NN)
    return layouts


def default_layout(spec: TileSpec, chip: Chip) -> TensorLayout:
    """The layout of a tile whose author gave none.  A Vec tile of one column stands in one piece: DN."""
    if spec.memory is _M.Vec and spec.shape[1] == 1:
        return _L.DN
    layouts = allowed_layouts(spec.memory, spec.dtype, chip)
    return layouts[0] if layouts else _L.ND


def default_fractal(spec: TileSpec, layout: TensorLayout) -> int:
    """Bytes of a block."""
    if spec.memory is _M.Acc and spec.dtype in (dt.FP32, dt.INT32):
        return ACC_FRACTAL_BYTES
    if spec.memory in (_M.ScaleLeft, _M.ScaleRight):
        return SCALE_FRACTAL_BYTES
    if spec.memory is _M.Mat and spec.dtype is dt.FP8E8M0 and layout in (_L.ZZ, _L.NN):
        return SCALE_FRACTAL_BYTES
    return FRACTAL_BYTES


def resolve(spec: TileSpec, chip: Chip) -> TileSpec:
    """The same type with layout and fractal set.

    A Vec tile of one column is one contiguous column whatever its author wrote: ND and DN are the same bytes, and the
    instructions that take a column want it called DN.
    """
    layout = spec.layout if spec.layout is not None else default_layout(spec, chip)
    if spec.memory is _M.Vec and spec.shape[1] == 1 and layout is _L.ND:
        layout = _L.DN
    fractal = spec.fractal if spec.fractal is not None else default_fractal(spec, layout)
    return replace(spec, layout=layout, fractal=fractal)


def orders(spec: TileSpec) -> tuple[BLayout, SLayout]:
    """Block order and element order of a resolved tile type."""
    if spec.layout is None:
        raise ValueError("orders() wants a resolved tile type")
    return ORDERS[spec.layout]


def block_shape(spec: TileSpec) -> tuple[int, int]:
    """Rows and columns of one block of a resolved type, (1, 1) where there are no blocks."""
    _, inner = orders(spec)
    if inner is SLayout.NoneBox:
        return 1, 1
    if spec.fractal == ACC_FRACTAL_BYTES:
        return 16, 16
    if spec.fractal == SCALE_FRACTAL_BYTES:
        return (16, 2) if inner is SLayout.RowMajor else (2, 16)
    line = BLOCK_BYTES * 8 // spec.dtype.bits
    return (16, line) if inner is SLayout.RowMajor else (line, 16)


def footprint(spec: TileSpec) -> int:
    """Bytes of one tile: the physical shape, rounded up to a byte for 4-bit elements."""
    return (spec.shape[0] * spec.shape[1] * spec.dtype.bits + 7) // 8


def slot_bytes(spec: TileSpec) -> int:
    """The distance of the slots of a group that is given one address.

    As in the language's documentation, 4-bit elements are charged one byte each.
    """
    return spec.shape[0] * spec.shape[1] * spec.dtype.bytes


def slot_addresses(spec: TileSpec, base: int, depth: int) -> tuple[int, ...]:
    """The addresses of a group's slots, laid end to end from base."""
    return tuple(base + i * slot_bytes(spec) for i in range(depth))


def alignment(memory: MemorySpace) -> int:
    """What start addresses in a memory are a multiple of."""
    return ALIGNMENT.get(memory, 1)


def capacity(memory: MemorySpace, chip: Chip) -> int:
    """Bytes of a memory.  KeyError when the chip does not have it."""
    return chip.memory[memory]


def type_problems(spec: TileSpec, chip: Chip) -> Iterator[Problem]:
    """What is wrong with a tile type on a chip.  `operand` of the problems names the TileType field."""
    rows, cols = spec.shape
    if rows <= 0 or cols <= 0:
        yield Problem("PTO1229", "shape", {"actual": [rows, cols]})
        return
    if not spec.dtype.c:
        yield Problem("PTO1311", "dtype", {"actual": spec.dtype.name})
    if chip.capacity(spec.memory) is None:
        available = ", ".join(m.name for m in chip.memory)
        yield Problem("PTO1303", "target_memory", {"memory": spec.memory.name, "chip": chip.name, "allowed": available})
        return
    yield from _valid_problems(spec)
    allowed = allowed_layouts(spec.memory, spec.dtype, chip)
    if spec.layout is not None and spec.layout not in allowed:
        yield Problem(
            "PTO1302",
            "layout",
            {
                "memory": spec.memory.name,
                "layout": spec.layout.name,
                "allowed": ", ".join(layout.name for layout in allowed),
                "where": f"on {chip.name}",
            },
        )
        return
    yield from _grain_problems(resolve(spec, chip))


def _valid_problems(spec: TileSpec) -> Iterator[Problem]:
    for axis in (0, 1):
        valid, extent = spec.valid_shape[axis], spec.shape[axis]
        if valid != -1 and not 0 <= valid <= extent:
            yield Problem(
                "PTO1230",
                "valid_shape",
                {"actual": list(spec.valid_shape), "shape": list(spec.shape), "axis": axis},
            )
            return


def _grain_problems(spec: TileSpec) -> Iterator[Problem]:
    """Lines are whole 32-byte blocks, and boxed tiles are whole fractals (a single row need not fill one)."""
    rows, cols = spec.shape
    outer, inner = orders(spec)
    if inner is SLayout.NoneBox:
        count = cols if outer is BLayout.RowMajor else rows
        bits = count * spec.dtype.bits
        if bits % (BLOCK_BYTES * 8):
            yield Problem(
                "PTO1228",
                "shape",
                {
                    "shape": [rows, cols],
                    "dtype": spec.dtype.name,
                    "line": "row" if outer is BLayout.RowMajor else "column",
                    "bytes": bits / 8 if bits % 8 else bits // 8,
                },
            )
        return
    block_rows, block_cols = block_shape(spec)
    free_rows = spec.memory is _M.Vec or spec.fractal == SCALE_FRACTAL_BYTES or rows == 1
    if cols % block_cols or (not free_rows and rows % block_rows):
        yield Problem(
            "PTO1310",
            "shape",
            {
                "shape": [rows, cols],
                "layout": spec.layout.name if spec.layout else "",
                "dtype": spec.dtype.name,
                "block": [block_rows, block_cols],
            },
        )


def address_problems(
    spec: TileSpec, addrs: Sequence[int], chip: Chip, size: int | None = None, operand: str = "addr"
) -> Iterator[Problem]:
    """What is wrong with the addresses of a tile (one) or of a group's slots (several).

    size: the bytes that the author reserved for a tile, when given.
    """
    limit = chip.capacity(spec.memory)
    if limit is None:
        return  # type_problems says so
    grain = alignment(spec.memory)
    need = footprint(spec)
    if size is not None and size < need:
        yield Problem("PTO1307", "size", {"size": size, "needed": need, "shape": list(spec.shape)})
    for slot, addr in enumerate(addrs):
        where = f"slot {slot}" if len(addrs) > 1 else "the tile"
        if addr < 0:
            yield Problem("PTO1306", operand, {"addr": addr, "what": where})
            return
        if addr % grain:
            yield Problem(
                "PTO1304",
                operand,
                {"addr": f"0x{addr:x}", "what": where, "memory": spec.memory.name, "alignment": grain},
            )
            break
    if addrs and max(addrs) + need > limit:
        spread = max(addrs) + need - min(addrs)
        yield Problem(
            "PTO1305",
            operand,
            {
                "depth": len(addrs),
                "size": need,
                "total": len(addrs) * need,
                "memory": spec.memory.name,
                "start": f"0x{min(addrs):x}",
                "spread": spread,
                "end": max(addrs) + need,
                "capacity": limit,
                "chip": chip.title,
            },
        )


def scale_address_problems(scale: TileSpec, scale_addr: int, data_addr: int, operand: str) -> Iterator[Problem]:
    """The scales of a Left or Right tile lie at the data's address >> 4."""
    if scale.memory in (_M.ScaleLeft, _M.ScaleRight) and scale_addr != data_addr >> 4:
        yield Problem(
            "PTO1308",
            operand,
            {
                "memory": scale.memory.name,
                "addr": f"0x{scale_addr:x}",
                "expected": f"0x{data_addr >> 4:x}",
                "data": f"0x{data_addr:x}",
            },
        )
