"""Calls of the language that have a value at compile time: TileType, PipelineConfig, decorators with options ...

What the arguments may be is said once, by the importable surface of the language; its errors are shown at the argument
in the kernel's text.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from ptopro.diagnostics.build import make
from ptopro.diagnostics.span import Span
from ptopro.frontend.builtins import BUILTINS
from ptopro.frontend.failures import Failed
from ptopro.frontend.operators import inner_opaque
from ptopro.frontend.suggestions import did_you_mean
from ptopro.frontend.values import FunctionValue, KernelDecorator, Opaque, PipelineConfig, TilingKeyField, Value

if TYPE_CHECKING:
    from ptopro.frontend.evaluator import Evaluator

Spans = Mapping[str, Span]


def call_language(
    ev: Evaluator, name: str, args: list[Value], kwargs: dict[str, Value], span: Span, spans: Spans
) -> Value:
    """The value of `pl.<name>(...)`; unknown for operations, which only a kernel performs."""
    from ptopro.frontend.decorators import DECORATORS

    if name in DECORATORS:
        return _decorator(ev, name, args, kwargs, span, spans)
    rule = CALLS.get(name)
    if rule is None:
        return ev.unknown(f"pl.{name}(...) has a value inside a kernel only", span)
    return rule(ev, args, kwargs, span, spans)


def _decorator(
    ev: Evaluator, name: str, args: list[Value], kwargs: dict[str, Value], span: Span, spans: Spans
) -> Value:
    """`pl.jit(...)` makes a decorator; `pl.jit(f, ...)` decorates at once."""
    made = KernelDecorator(name, kwargs, dict(spans), span)
    if not args:
        return made
    from ptopro.frontend.decorators import decorate

    if len(args) == 1 and isinstance(args[0], FunctionValue):
        return decorate(ev, made, args[0], span)
    if isinstance(args[0], Opaque):
        return args[0]
    problem = f"options are given by keyword, as in @pl.{name}(auto_mutex=True)"
    raise Failed("TypeError", problem, span, make("PTO1020", span, decorator=name))


# --------------------------------------------------------------------------------------------------------------------
# Constructors


def checked(construct: Callable[[], Value], span: Span, spans: Spans | None = None) -> Value:
    """What the surface makes of the arguments; its UsageError becomes a Failed at the argument that it names."""
    from ptopro.language.surface.errors import UsageError

    try:
        return construct()
    except UsageError as error:
        diagnostic = error.diagnostics[0]
        at = next((place for name, place in (spans or {}).items() if f"`{name}`" in diagnostic.message), span)
        raise Failed("TypeError", diagnostic.message, at, replace(diagnostic, span=at)) from None


def arguments(
    what: str, names: tuple[str, ...], args: list[Value], kwargs: dict[str, Value], span: Span, spans: Spans
) -> dict[str, Value]:
    """Arguments by parameter name.  Raises Failed with a diagnostic for those that do not fit."""
    if len(args) > len(names):
        raise _problem(what, f"it takes at most {len(names)} arguments", span)
    given = dict(zip(names, args, strict=False))
    for key, value in kwargs.items():
        if key not in names:
            hint = did_you_mean(key, names) or "parameters: " + ", ".join(names)
            raise _problem(what, f"there is no parameter '{key}'", spans.get(key, span), hint)
        if key in given:
            raise _problem(what, f"parameter '{key}' is given twice", spans.get(key, span))
        given[key] = value
    return given


def _problem(what: str, problem: str, span: Span, hint: str = "") -> Failed:
    diagnostic = make("PTO1106", span, what=what, problem=problem, hint=hint)
    return Failed("TypeError", f"{what}: {problem}", span, diagnostic)


TILE_TYPE = ("shape", "dtype", "target_memory", "valid_shape", "layout", "fractal", "pad", "compact")
PIPELINE_CONFIG = ("preload", "sync_only")
TILING_KEY_FIELD = ("bits", "values")


def _constructor(
    what: str, names: tuple[str, ...], required: int, surface: Callable[[], Callable[..., Value]]
) -> Callable[..., Value]:
    """The rule of a constructor: arguments bound by name, unknown ones passed on, then the surface's own checks."""

    def call(ev: Evaluator, args: list[Value], kwargs: dict[str, Value], span: Span, spans: Spans) -> Value:
        given = arguments(what, names, args, kwargs, span, spans)
        for name in names[:required]:
            if name not in given:
                raise _problem(what, f"'{name}' is missing", span)
        for value in given.values():
            unknown = inner_opaque(ev, value)
            if unknown is not None:
                return unknown
        return checked(lambda: surface()(**given), span, spans)

    return call


def _tile_type() -> Callable[..., Value]:
    from ptopro.language.surface.tile_type import TileType

    return TileType


def _pipeline_config() -> Callable[..., Value]:
    return PipelineConfig


def _tiling_key_field() -> Callable[..., Value]:
    return TilingKeyField


def _constexpr(ev: Evaluator, args: list[Value], kwargs: dict[str, Value], span: Span, spans: Spans) -> Value:
    (value,) = args
    return value


def _builtin(name: str) -> Callable[..., Value]:
    def call(ev: Evaluator, args: list[Value], kwargs: dict[str, Value], span: Span, spans: Spans) -> Value:
        return BUILTINS[name].call(ev, args, kwargs, span)

    return call


_PIPELINE = _constructor("pl.pipeline.PipelineConfig", PIPELINE_CONFIG, 0, _pipeline_config)
CALLS: dict[str, Callable[..., Value]] = {
    "TileType": _constructor("pl.TileType", TILE_TYPE, 2, _tile_type),
    "PipelineConfig": _PIPELINE,
    "pipeline.PipelineConfig": _PIPELINE,
    "TilingKeyField": _constructor("TilingKeyField", TILING_KEY_FIELD, 2, _tiling_key_field),
    "constexpr": _constexpr,
    "min": _builtin("min"),
    "max": _builtin("max"),
    "range": _builtin("range"),
}
