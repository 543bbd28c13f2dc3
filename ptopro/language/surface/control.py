"""Loops and sections: read from the kernel's source, refused when Python calls them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager

from ptopro.language.surface.errors import outside_kernel


def range(start: int, stop: int | None = None, step: int = 1) -> Iterator[int]:
    """for i in pl.range(start, stop, step): a loop of the kernel; any integer expressions, negative steps too."""
    raise outside_kernel("range")


def section_vector() -> AbstractContextManager[None]:
    """with pl.section_vector(): statements of the vector cores only."""
    raise outside_kernel("section_vector")


def section_cube() -> AbstractContextManager[None]:
    """with pl.section_cube(): statements of the cube core only."""
    raise outside_kernel("section_cube")


def section_vf() -> AbstractContextManager[None]:
    """with pl.section_vf(): register code inside a vector section."""
    raise outside_kernel("section_vf")
