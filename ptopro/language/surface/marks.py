"""Marks on functions: what a decorator of the language said about them.

A marked function stays the function that it was; `ptopro_kind` and `ptopro_options` say what it is in a kernel.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from ptopro.language.surface.errors import usage_error

F = TypeVar("F", bound=Callable[..., object])


def mark(fn: F, kind: str, **options: object) -> F:
    """The function, marked.  Raises UsageError when it is none."""
    if not callable(fn):
        raise usage_error(
            "PTO1243", "@", option="function", owner=f"@pl.{kind}", actual=repr(fn), allowed="a Python function"
        )
    fn.ptopro_kind = kind  # type: ignore[attr-defined]
    fn.ptopro_options = options  # type: ignore[attr-defined]
    return fn


def kind_of(fn: object) -> str:
    """The kind of a marked function, empty for a plain one."""
    return str(getattr(fn, "ptopro_kind", ""))
