"""C++ types of what the IR declares: elements, tiles, tensors, structs."""

from __future__ import annotations

from dataclasses import replace

from ptopro.codegen.names import Names
from ptopro.language.dtypes import DType
from ptopro.language.enums import CompactMode, MemorySpace, TensorLayout, TilePad
from ptopro.language.tiles import TileSpec

# layout -> (order of the fractals or elements, order inside a fractal)
LAYOUTS: dict[TensorLayout, tuple[str, str]] = {
    TensorLayout.ND: ("RowMajor", "NoneBox"),
    TensorLayout.DN: ("ColMajor", "NoneBox"),
    TensorLayout.NZ: ("ColMajor", "RowMajor"),
    TensorLayout.ZN: ("RowMajor", "ColMajor"),
    TensorLayout.ZZ: ("RowMajor", "RowMajor"),
    TensorLayout.NN: ("ColMajor", "ColMajor"),
}
_USUAL = {
    MemorySpace.Vec: TensorLayout.ND,
    MemorySpace.Mat: TensorLayout.NZ,
    MemorySpace.Left: TensorLayout.NZ,
    MemorySpace.Right: TensorLayout.ZN,
    MemorySpace.Acc: TensorLayout.NZ,
    MemorySpace.Scaling: TensorLayout.ND,
    MemorySpace.Bias: TensorLayout.ND,
    MemorySpace.ScaleLeft: TensorLayout.ZZ,
    MemorySpace.ScaleRight: TensorLayout.NN,
}
_WORDS = {
    "DT_FP16": "Half", "DT_BF16": "BFloat16", "DT_FP32": "Float", "DT_BOOL": "Bool", "DT_HF8": "HiFloat8",
    "DT_FP8E4M3FN": "Float8E4M3", "DT_FP8E5M2": "Float8E5M2", "DT_FP8E8M0": "Float8E8M0",
    "DT_FP4E2M1": "Float4E2M1", "DT_FP4E1M2": "Float4E1M2",
}  # fmt: skip
_PADS = {TilePad.null: "Null", TilePad.zero: "Zero", TilePad.max: "Max", TilePad.min: "Min"}
_COMPACT = {CompactMode.null: "Null", CompactMode.normal: "Normal", CompactMode.row_plus_one: "RowPlusOne"}
MEMORY_NAMES = {
    MemorySpace.Vec: "Vec (UB)",
    MemorySpace.Mat: "Mat (L1)",
    MemorySpace.Left: "Left (L0A)",
    MemorySpace.Right: "Right (L0B)",
    MemorySpace.Acc: "Acc (L0C)",
}


def layout_of(spec: TileSpec) -> TensorLayout:
    """The layout a tile has in C++; a Vec tile of one column is column major, since its rows are no 32 bytes."""
    layout = spec.layout or TensorLayout.ND
    if spec.memory is MemorySpace.Vec and spec.shape[1] == 1 and layout is TensorLayout.ND:
        return TensorLayout.DN
    return layout


def is_boxed(spec: TileSpec) -> bool:
    """Whether elements lie in fractals."""
    return LAYOUTS[layout_of(spec)][1] != "NoneBox"


def tile_type(spec: TileSpec) -> str:
    """`Tile<TileType::Vec, float, 64, 128, BLayout::RowMajor, -1, -1, SLayout::NoneBox, 512>`."""
    outer, inner = LAYOUTS[layout_of(spec)]
    parts = [
        f"TileType::{spec.memory.name}",
        spec.dtype.c,
        *(str(n) for n in spec.shape),
        f"BLayout::{outer}",
        *(str(n) for n in spec.valid_shape),
        f"SLayout::{inner}",
        str(spec.fractal or 512),
    ]
    if spec.pad is not TilePad.null or spec.compact is not CompactMode.null:
        parts.append(f"PadValue::{_PADS[spec.pad]}")
    if spec.compact is not CompactMode.null:
        parts.append(f"CompactMode::{_COMPACT[spec.compact]}")
    return f"Tile<{', '.join(parts)}>"


def constructor(spec: TileSpec) -> str:
    """The arguments that set the valid extents that are set at run time, at first the whole tile: "64, 128"."""
    extents = zip(spec.valid_shape, spec.shape, strict=True)
    return ", ".join(str(size) for valid, size in extents if valid < 0)


def dynamic(spec: TileSpec) -> TileSpec:
    """The same tile with its valid shape set at run time (a view)."""
    return replace(spec, valid_shape=(-1, -1))


class TileTypes:
    """The tile types of one half, each under one readable name: `VecHalf64x128`, `MatHalf64x128ZN`."""

    def __init__(self, names: Names) -> None:
        self._names = names
        self._by_text: dict[str, str] = {}

    def name(self, spec: TileSpec) -> str:
        text = tile_type(spec)
        if text not in self._by_text:
            self._by_text[text] = self._names.give(_readable(spec))
        return self._by_text[text]

    @property
    def aliases(self) -> tuple[tuple[str, str], ...]:
        """(name, type) in order of first use."""
        return tuple((name, text) for text, name in self._by_text.items())


def element_word(dtype: DType) -> str:
    """An element type as part of a name: Half, Float, Int8."""
    return _WORDS.get(dtype.name) or dtype.name.removeprefix("DT_").capitalize().replace("Uint", "UInt")


def _readable(spec: TileSpec) -> str:
    name = f"{spec.memory.name}{element_word(spec.dtype)}{spec.shape[0]}x{spec.shape[1]}"
    layout = layout_of(spec)
    if layout is not _USUAL.get(spec.memory, TensorLayout.ND):
        name += layout.name
    if spec.valid_shape != (-1, -1):
        name += "Valid" + "x".join("N" if n < 0 else str(n) for n in spec.valid_shape)
    if spec.pad is not TilePad.null:
        name += f"Pad{_PADS[spec.pad]}"
    return name
