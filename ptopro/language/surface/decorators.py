"""The decorators of the language: kernels become launchable objects, other functions are marked and stay functions."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Mapping
from types import FunctionType
from typing import Any, TypeVar

from ptopro.language.surface import options as known
from ptopro.language.surface.errors import usage_error
from ptopro.language.surface.marks import mark

F = TypeVar("F", bound=Callable[..., object])


def jit(target: object = None, /, **options: object) -> Any:
    """@pl.jit or @pl.jit(option=...): a kernel that is launched with kernel[block_dim](...).

    Options: arch, auto_mutex, name, pipeline, tiling_key, datatype, compile_timeout.
    """
    return _kernel("jit", known.JIT, target, options, launchable=True)


def kernel(target: object = None, /, **options: object) -> Any:
    """@pl.kernel: a kernel that is only transpiled, not launched."""
    return _kernel("kernel", known.KERNEL, target, options, launchable=False)


def _kernel(
    decorator: str,
    accepted: Mapping[str, known.Option],
    target: object,
    given: Mapping[str, object],
    *,
    launchable: bool,
) -> Any:
    settings = known.checked(decorator, accepted, given)

    def decorate(function: object) -> Any:
        if not isinstance(function, FunctionType):
            raise usage_error(
                "PTO1243",
                f"@pl.{decorator}",
                option="function",
                owner=f"@pl.{decorator}",
                actual=repr(function),
                allowed="a Python function",
            )
        from ptopro.runtime.kernel import JitKernel

        _capture(function)
        return JitKernel(function, launchable=launchable, **settings)

    return decorate if target is None else decorate(target)


def _capture(function: FunctionType) -> None:
    """Remember the locals of the function that defines a kernel.

    A kernel defined inside a function sees its names as they are now, also those that only its annotations use and
    Python therefore does not put into the closure.
    """
    frame = sys._getframe(1)
    while frame is not None and frame.f_globals.get("__name__", "").startswith("ptopro.language"):
        frame = frame.f_back  # type: ignore[assignment]
    if frame is not None and frame.f_locals is not frame.f_globals:
        function.ptopro_captured = dict(frame.f_locals)  # type: ignore[attr-defined]


def _marking(
    decorator: str,
    kind: str,
    accepted: Mapping[str, known.Option],
    target: F | None,
    given: Mapping[str, object],
) -> Any:
    settings = known.checked(decorator, accepted, given)

    def decorate(function: F) -> F:
        return mark(function, kind, **settings)

    return decorate if target is None else decorate(target)


def vector_function(target: F | None = None, /, **options: object) -> Any:
    """@pl.vector_function: register code.  With mode="simt", max_threads=N: a SIMT function."""
    kind = "simt" if options.get("mode") == "simt" else "vector_function"
    return _marking("vector_function", kind, known.VECTOR_FUNCTION, target, options)


def simt_function(target: F | None = None, /, **options: object) -> Any:
    """@pl.simt.function(max_threads=N): a SIMT function that pl.simt.launch runs; without max_threads, its helper."""
    return _marking("simt.function", "simt", known.SIMT_FUNCTION, target, options)


def function(target: F | None = None, /, **options: object) -> Any:
    """@pl.function: a function of a @pl.program."""
    return _marking("function", "function", known.FUNCTION, target, options)


def program(target: type | None = None, /, **options: object) -> Any:
    """@pl.program: a class of @pl.function methods."""
    return _marking("program", "program", known.PROGRAM, target, options)


def inline(target: F) -> F:
    """Deprecated: helpers need no decorator."""
    warnings.warn("pl.inline does nothing: helper functions need no decorator", DeprecationWarning, stacklevel=2)
    return mark(target, "inline")
