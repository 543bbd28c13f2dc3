"""The decorators of the language: kernels become launchable objects, other functions are marked and stay functions."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterator, Mapping
from inspect import CO_VARARGS, CO_VARKEYWORDS
from types import CellType, CodeType, FunctionType, ModuleType
from typing import Any, TypeVar

from ptopro.language.surface import options as known
from ptopro.language.surface.errors import usage_error
from ptopro.language.surface.marks import mark
from ptopro.language.surface.tiling import TilingKeyField, datatype_problem, schema_problem

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
        from ptopro.runtime.kernel import JitKernel

        if isinstance(function, JitKernel):  # one decorator over another: the outer options count
            return JitKernel(function.function, **{**function.options, **settings, "launchable": launchable})
        if not isinstance(function, FunctionType):
            raise usage_error(
                "PTO1243",
                f"@pl.{decorator}",
                option="function",
                owner=f"@pl.{decorator}",
                actual=repr(function),
                allowed="a Python function",
            )
        if _is_host_function(function):
            _warn(decorator, function)
            return function
        _capture(function)
        _check_instances(function, settings)
        return JitKernel(function, launchable=launchable, **settings)

    return decorate if target is None else decorate(target)


def _check_instances(function: FunctionType, settings: Mapping[str, object]) -> None:
    """Refuse a tiling key or a dtype map that no launch could use.  Raises UsageError PTO1600, PTO1604."""
    cls: Any = settings.get("tiling_key")
    datatype: Any = settings.get("datatype") or {}
    if cls is None and not datatype:
        return
    code = function.__code__
    parameters = dict.fromkeys(code.co_varnames[: code.co_argcount + code.co_kwonlyargcount], "a parameter")
    seen = {**function.__globals__, **_closure(function)}
    taken = {**dict.fromkeys(seen, "something that the kernel sees"), **parameters}
    if cls is not None:
        fields = {name: value for name, value in vars(cls).items() if isinstance(value, TilingKeyField)}
        problem = schema_problem(fields, taken, callable(getattr(cls, "is_valid", len)))
        if problem:
            raise usage_error("PTO1600", "tiling_key=", cls=cls.__name__, problem=problem)
        parameters.update(dict.fromkeys(fields, "a field of the tiling key"))
    problem = datatype_problem(datatype, parameters)
    if problem:
        raise usage_error("PTO1604", "datatype=", problem=problem)


def _is_host_function(function: FunctionType) -> bool:
    """Whether a decorated function reaches no data and names nothing of the language: a program's test, say."""
    code = function.__code__
    if code.co_argcount or code.co_kwonlyargcount or code.co_flags & (CO_VARARGS | CO_VARKEYWORDS):
        return False
    visible = {**function.__globals__, **_closure(function)}
    return not any(_is_language(visible[name]) for name in _names(code) if name in visible)


def _closure(function: FunctionType) -> dict[str, object]:
    cells = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
    return {name: cell.cell_contents for name, cell in cells if cell != CellType()}


def _names(code: CodeType) -> Iterator[str]:
    """The outer names that a function and those inside it use."""
    yield from code.co_names
    yield from code.co_freevars
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)


def _is_language(value: object) -> bool:
    if isinstance(value, ModuleType):
        return value.__name__ in ("ptopro.language", "pypto_pro.language")
    return str(getattr(value, "__module__", "")).startswith("ptopro.language")


def _warn(decorator: str, function: FunctionType) -> None:
    from ptopro.diagnostics import make

    diagnostic = make("PTO1028", None, name=function.__name__)
    warnings.warn_explicit(
        f"{diagnostic.code}: {diagnostic.message}; @pl.{decorator} does nothing here",
        UserWarning,
        function.__code__.co_filename,
        function.__code__.co_firstlineno,
    )


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
