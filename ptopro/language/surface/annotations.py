"""Types of kernel parameters as Python sees them: pl.Tensor[[64, pl.DYNAMIC], pl.DT_FP16], pl.Ptr[...] and so on."""

from __future__ import annotations

import enum
import operator
from dataclasses import dataclass
from types import EllipsisType
from typing import SupportsIndex

from ptopro.language.dtypes import DType
from ptopro.language.enums import TensorLayout
from ptopro.language.surface.errors import UsageError, usage_error


class Dimension(enum.Enum):
    """How a tensor dimension gets its size."""

    DYNAMIC = "run time"
    STATIC = "read at launch and compiled in"

    def __repr__(self) -> str:
        return f"pl.{self.name}"


DYNAMIC = Dimension.DYNAMIC
STATIC = Dimension.STATIC

Dim = int | Dimension | EllipsisType


@dataclass(frozen=True, slots=True)
class MemRef:
    """An explicit place in memory, for annotations: space, address in bytes, size in bytes."""

    memory_space: object = None
    addr: object = None
    size: object = None
    id: object = None


@dataclass(frozen=True, slots=True)
class TensorType:
    """`pl.Tensor[dims, dtype, layout]`.  A trailing ... stands for any number of STATIC dimensions."""

    dims: tuple[Dim, ...]
    dtype: DType
    layout: TensorLayout = TensorLayout.ND
    memref: MemRef | None = None


@dataclass(frozen=True, slots=True)
class PtrType:
    """`pl.Ptr[dtype]`."""

    dtype: DType


@dataclass(frozen=True, slots=True)
class TileAnnotation:
    """`pl.Tile[[rows, columns], dtype]`."""

    shape: tuple[int, int]
    dtype: DType
    memref: MemRef | None = None


@dataclass(frozen=True, slots=True)
class ScalarType:
    """`pl.Scalar[dtype]`, the same as the bare `dtype`."""

    dtype: DType


class Tensor:
    """A tensor in global memory: annotate a parameter with `pl.Tensor[[rows, columns], dtype]`."""

    def __new__(cls, *args: object, **kwargs: object) -> Tensor:
        raise usage_error("PTO1245", "Tensor(", annotation="Tensor", reason="it annotates and is not called")

    def __class_getitem__(cls, item: object) -> TensorType:
        parts = item if isinstance(item, tuple) else (item,)
        if len(parts) < 2 or not isinstance(parts[0], (list, tuple)):
            raise _bad("Tensor", "a list of dimensions and an element type are needed")
        if len(parts) > 4:
            raise _bad("Tensor", f"{len(parts)} items are too many")
        layout, memref = TensorLayout.ND, None
        for extra in parts[2:]:
            if isinstance(extra, TensorLayout):
                layout = extra
            elif isinstance(extra, MemRef):
                memref = extra
            elif extra is not None:
                raise _bad("Tensor", f"{extra!r} is no layout")
        return TensorType(_dims(parts[0]), _dtype("Tensor", parts[1]), layout, memref)


class Tile:
    """A tile: annotate a helper's parameter with `pl.Tile[[rows, columns], dtype]`."""

    def __new__(cls, *args: object, **kwargs: object) -> Tile:
        raise usage_error("PTO1245", "Tile(", annotation="Tile", reason="tiles are made by pl.make_tile")

    def __class_getitem__(cls, item: object) -> TileAnnotation:
        parts = item if isinstance(item, tuple) else (item,)
        if len(parts) not in (2, 3) or not isinstance(parts[0], (list, tuple)) or len(parts[0]) != 2:
            raise _bad("Tile", "two extents and an element type are needed")
        rows, cols = _dims(parts[0])
        memref = parts[2] if len(parts) == 3 else None
        if not isinstance(rows, int) or not isinstance(cols, int):
            raise _bad("Tile", "the extents are positive integers")
        if memref is not None and not isinstance(memref, MemRef):
            raise _bad("Tile", f"{memref!r} is no pl.MemRef")
        return TileAnnotation((rows, cols), _dtype("Tile", parts[1]), memref)


class Ptr:
    """A pointer into global memory: annotate a parameter with `pl.Ptr[dtype]`."""

    def __new__(cls, *args: object, **kwargs: object) -> Ptr:
        raise usage_error("PTO1245", "Ptr(", annotation="Ptr", reason="pointers are made by pl.make_ptr")

    def __class_getitem__(cls, item: object) -> PtrType:
        return PtrType(_dtype("Ptr", item))


class Scalar:
    """A scalar: `pl.Scalar[dtype]`, or just the element type."""

    def __new__(cls, *args: object, **kwargs: object) -> Scalar:
        raise usage_error("PTO1245", "Scalar(", annotation="Scalar", reason="constants are made by pl.const")

    def __class_getitem__(cls, item: object) -> ScalarType:
        return ScalarType(_dtype("Scalar", item))


def _bad(annotation: str, reason: str) -> UsageError:
    return usage_error("PTO1245", f"{annotation}[", annotation=annotation, reason=reason)


def _dtype(annotation: str, value: object) -> DType:
    if not isinstance(value, DType):
        raise _bad(annotation, f"{value!r} is no element type such as pl.DT_FP16")
    return value


def _dims(values: list[object] | tuple[object, ...]) -> tuple[Dim, ...]:
    dims: list[Dim] = []
    for place, value in enumerate(values):
        if isinstance(value, Dimension):
            dims.append(value)
        elif isinstance(value, EllipsisType):
            if place != len(values) - 1:
                raise _bad("Tensor", "... can only be the last dimension")
            dims.append(value)
        else:
            dims.append(_extent(value))
    return tuple(dims)


def _extent(value: object) -> int:
    """A positive integer, numpy's included; bools are none."""
    number = 0
    if isinstance(value, SupportsIndex) and not isinstance(value, bool):
        number = operator.index(value)
    if number < 1:
        raise _bad("Tensor", f"{value!r} is no dimension: positive integers, pl.DYNAMIC, pl.STATIC or a trailing ...")
    return int(number)
