"""`pl.TileType(...)`: the type of a tile, as data.  What a chip allows is checked where the tile is made."""

from __future__ import annotations

import enum
import operator
from typing import TypeVar

from ptopro.language.dtypes import DType
from ptopro.language.enums import CompactMode, MemorySpace, TensorLayout, TilePad
from ptopro.language.surface.errors import UsageError, usage_error
from ptopro.language.tiles import TileSpec

E = TypeVar("E", bound=enum.Enum)


def TileType(
    shape: object,
    dtype: object,
    target_memory: object = MemorySpace.Vec,
    valid_shape: object = None,
    layout: object = None,
    fractal: object = None,
    pad: object = None,
    compact: object = None,
) -> TileSpec:
    """The type of a tile: shape and valid_shape in elements, fractal in bytes.  It allocates nothing.

    valid_shape: the part that holds data; -1 (or None) leaves an extent to pl.set_validshape.  Raises UsageError for a
    field of the wrong type.
    """
    if not isinstance(dtype, DType):
        raise _bad("dtype", dtype, "pl.DT_FP16 and the like")
    if not isinstance(target_memory, MemorySpace):
        raise _bad("target_memory", target_memory, "a member of pl.MemorySpace")
    if layout is not None and not isinstance(layout, TensorLayout):
        raise _bad("layout", layout, "a member of pl.TensorLayout, such as pl.NZ")
    if fractal is not None and (not isinstance(fractal, int) or isinstance(fractal, bool)):
        raise _bad("fractal", fractal, "a number of bytes")
    rows, cols = _pair("shape", shape, 1)
    valid = (-1, -1) if valid_shape is None else _pair("valid_shape", valid_shape, -1)
    return TileSpec(
        shape=(rows, cols),
        dtype=dtype,
        memory=target_memory,
        valid_shape=valid,
        layout=layout,
        fractal=fractal,
        pad=_numbered("pad", pad, TilePad),
        compact=_numbered("compact", compact, CompactMode),
        runtime_valid=valid_shape is not None and -1 in valid,
    )


def _pair(field: str, value: object, least: int) -> tuple[int, int]:
    numbers: list[int] = []
    if isinstance(value, (list, tuple)) and len(value) == 2:
        for item in value:
            try:
                numbers.append(operator.index(item))
            except TypeError:
                break
    if len(numbers) != 2 or min(numbers) < least:
        wanted = "two positive integers" if least == 1 else "two integers, -1 where set at run time, or None"
        raise _bad(field, value, wanted)
    return numbers[0], numbers[1]


def _numbered(field: str, value: object, kind: type[E]) -> E:
    """An enumeration that may also be given as a number; None is its first member."""
    members = list(kind)
    if value is None:
        return members[0]
    if isinstance(value, kind):
        return value
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < len(members):
        return members[value]
    names = ", ".join(f"{m.value} ({m.name})" for m in members)
    raise _bad(field, value, f"pl.{kind.__name__} or {names}")


def _bad(field: str, value: object, allowed: str) -> UsageError:
    return usage_error("PTO1246", f"{field}=", field=field, actual=repr(value), allowed=allowed)
