"""What a kernel is lowered for: the chip, and everything that a launch fixes at compile time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ptopro.language.dtypes import DType


@dataclass(frozen=True, slots=True)
class Target:
    """A chip and the compile-time values of one launch.

    static_dims: parameter name -> all dims of the argument, for `pl.STATIC` and a trailing `...`; key: tiling-key field
    -> value; dtypes: variable of the decorator's `datatype=` -> element type; serial: each half also passes the
    boundaries of the other half's sections (turn markers of a serial build).
    """

    chip: str = "a5"
    static_dims: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    key: Mapping[str, int] = field(default_factory=dict)
    dtypes: Mapping[str, DType] = field(default_factory=dict)
    serial: bool = False
