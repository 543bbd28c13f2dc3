"""Errors that the language raises in a running Python program: a diagnostic that is also Python's own error type."""

from __future__ import annotations

import linecache
import sys
from typing import Any

from ptopro.diagnostics import DiagnosticError, Span, make


class OutsideKernelError(DiagnosticError, RuntimeError):
    """An operation was called by Python instead of being read from a kernel's source."""


class UsageError(DiagnosticError, TypeError, ValueError):
    """A decorator, annotation or type was given something that it does not take: a wrong type or a wrong value."""


class UsageAttributeError(AttributeError):
    """`pl.xyz` does not exist."""


def caller_span(text: str = "") -> Span | None:
    """Where the user's program called into the language: the first frame outside it.

    text: what the caret belongs under, looked for from that line on (a decorator's options span several lines).
    """
    frame = sys._getframe(1)
    while frame is not None and frame.f_globals.get("__name__", "").startswith("ptopro.language"):
        frame = frame.f_back  # type: ignore[assignment]
    if frame is None:
        return None
    file, first = frame.f_code.co_filename, frame.f_lineno
    for line in range(first, first + 20):
        source = linecache.getline(file, line)
        column = source.find(text) if text else len(source) - len(source.lstrip())
        if source and column >= 0:
            width = len(text) or len(source.strip())
            return Span(file, line, column + 1, line, column + 1 + width)
    return Span(file, first, 1, first, 2)


def usage_error(code: str, at: str = "", **facts: Any) -> UsageError:
    """A UsageError of one diagnostic, placed at the caller's line."""
    return UsageError([make(code, caller_span(at), **facts)])


def outside_kernel(name: str) -> OutsideKernelError:
    return OutsideKernelError([make("PTO1242", caller_span(f"{name.rpartition('.')[2]}("), name=name)])
