"""The tiling data of a kernel in C++: a struct in a header of its own, shared by host and kernel.

In: the kernel's tiling dataclass.  Out: `<Class>_tiling.h`.  Fields stand in the order of the dataclass with natural
alignment: int is int64_t, float is float, bool is bool, `T[n]` an array; `pl.DT_*` the type itself.  The compiler
checks the size and every offset against the layout that launches pack.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from ptopro.codegen.names import Names, legal
from ptopro.codegen.templates import render_template
from ptopro.language.dtypes import DType
from ptopro.lowering import ir


class TilingField(Protocol):
    """length 0: a single value."""

    @property
    def name(self) -> str: ...
    @property
    def dtype(self) -> DType: ...
    @property
    def length(self) -> int: ...


class TilingClass(Protocol):
    """What this module needs of the front end's class."""

    @property
    def name(self) -> str: ...
    @property
    def fields(self) -> tuple[TilingField, ...]: ...


@dataclass(frozen=True, slots=True)
class Tiling:
    """type: the struct's name in C++; header: name of the file; text: what it holds."""

    type: str
    header: str
    text: str


def tiling_of(kernel: ir.KernelIR, names: Names) -> Tiling | None:
    """The tiling struct of a kernel, None when it has no tiling parameter."""
    cls: TilingClass | None = kernel.tiling  # type: ignore[assignment]
    if cls is None:
        return None
    name = names.give(cls.name)
    header, text = header_of(cls, kernel.path.rpartition("/")[2], name)
    return Tiling(name, header, text)


def header_of(cls: TilingClass, source: str, name: str) -> tuple[str, str]:
    """The header's file name and text.  source: the file to name in it; name: the struct's in C++."""
    size, offsets = layout_of(cls.fields)
    fields = [
        {
            "name": legal(field.name),
            "declaration": f"{field.dtype.c} {legal(field.name)}{f'[{field.length}]' if field.length else ''};",
            "offset": offset,
        }
        for field, offset in zip(cls.fields, offsets, strict=True)
    ]
    text = render_template("tiling.h.j2", cls=cls.name, source=source, name=name, fields=fields, size=size)
    return f"{cls.name}_tiling.h", text


def layout_of(fields: Sequence[TilingField]) -> tuple[int, list[int]]:
    """The size of the struct and the offset of each field, as C++ lays it out: each at a multiple of its element."""
    at, widest = 0, 1
    offsets = []
    for field in fields:
        width = field.dtype.bytes
        widest = max(widest, width)
        at += -at % width
        offsets.append(at)
        at += width * max(field.length, 1)
    return at + -at % widest, offsets
