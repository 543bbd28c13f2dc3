"""TileType as data: what `pl.TileType(...)` describes, with the chip's defaults applied later by `resolve`."""

from __future__ import annotations

from dataclasses import field

from ptopro.language.dtypes import DType
from ptopro.language.enums import CompactMode, MemorySpace, TensorLayout, TilePad
from ptopro.records import record


@record
class TileSpec:
    """A tile's type.  shape and valid_shape in elements; a valid extent of -1 is set at run time.

    layout None means "not given": `ptopro.language.layouts` knows the default of each memory on each chip.
    runtime_valid: the author said that the valid shape is set at run time (`valid_shape=[-1, -1]`), so that tiles of
    different physical shapes may well agree; it does not make two types different.

    The rules of operations are also given TileSpecs for views (`tile[r0:r1, c0:c1]`): shape is then the extent of the
    view, -1 where it is known only at run time.
    """

    shape: tuple[int, int]
    dtype: DType
    memory: MemorySpace = MemorySpace.Vec
    valid_shape: tuple[int, int] = (-1, -1)
    layout: TensorLayout | None = None
    fractal: int | None = None
    pad: TilePad = TilePad.null
    compact: CompactMode = CompactMode.null
    runtime_valid: bool = field(default=False, compare=False)

    @property
    def target_memory(self) -> MemorySpace:
        """The language's own name of `memory`."""
        return self.memory

    @property
    def size_bytes(self) -> int:
        """Bytes that one slot occupies: the layout's footprint is the physical shape."""
        return self.shape[0] * self.shape[1] * self.dtype.bits // 8
