"""The tiling data of a kernel in C++: a struct in a header of its own, shared by host and kernel.

In: the kernel's tiling dataclass.  Out: `<Class>_tiling.h`.  Fields stand in the order of the dataclass with natural
alignment: int is int64_t, float is float, bool is bool, `T[n]` an array.
"""

from __future__ import annotations

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
    fields = [
        f"{field.dtype.c} {legal(field.name)}{f'[{field.length}]' if field.length else ''};" for field in cls.fields
    ]
    source = kernel.path.rpartition("/")[2]
    text = render_template("tiling.h.j2", cls=cls.name, source=source, name=name, fields=fields)
    return Tiling(name, f"{cls.name}_tiling.h", text)
