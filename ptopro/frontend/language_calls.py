"""Calls of the language that have a value at compile time: TileType, PipelineConfig, decorators with options ..."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from ptopro.diagnostics.build import make
from ptopro.diagnostics.span import Span
from ptopro.frontend.builtins import BUILTINS
from ptopro.frontend.failures import Failed
from ptopro.frontend.operators import inner_opaque
from ptopro.frontend.suggestions import did_you_mean
from ptopro.frontend.values import (
    FunctionValue,
    KernelDecorator,
    Opaque,
    PipelineConfig,
    TilingKeyField,
    Value,
    type_name,
)
from ptopro.language.dtypes import DType
from ptopro.language.enums import CompactMode, MemorySpace, TensorLayout, TilePad
from ptopro.language.tiles import TileSpec

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

TILE_TYPE = ("shape", "dtype", "target_memory", "valid_shape", "layout", "fractal", "pad", "compact")
PIPELINE_CONFIG = ("preload", "sync_only")


def _arguments(
    what: str, names: tuple[str, ...], args: list[Value], kwargs: dict[str, Value], span: Span, spans: Spans
) -> dict[str, Value]:
    """Arguments by parameter name.  Raises Failed with a diagnostic for those that do not fit."""
    if len(args) > len(names):
        raise _problem(what, f"it takes at most {len(names)} arguments", span)
    given = dict(zip(names, args, strict=False))
    for key, value in kwargs.items():
        if key not in names:
            hint = did_you_mean(key, names)
            raise _problem(what, f"there is no parameter '{key}'" + (f", {hint}" if hint else ""), spans.get(key, span))
        if key in given:
            raise _problem(what, f"parameter '{key}' is given twice", spans.get(key, span))
        given[key] = value
    return given


def _problem(what: str, problem: str, span: Span) -> Failed:
    return Failed("TypeError", f"{what}: {problem}", span, make("PTO1106", span, what=what, problem=problem))


def tile_type(ev: Evaluator, args: list[Value], kwargs: dict[str, Value], span: Span, spans: Spans) -> Value:
    """`pl.TileType(...)`: a TileSpec.  What layouts and sizes a chip allows is checked where tiles are made."""
    what = "pl.TileType"
    given = _arguments(what, TILE_TYPE, args, kwargs, span, spans)
    for value in given.values():
        unknown = inner_opaque(ev, value)
        if unknown is not None:
            return unknown

    def at(name: str) -> Span:
        return spans.get(name, span)

    for name in ("shape", "dtype"):
        if name not in given:
            raise _problem(what, f"'{name}' is missing", span)
    shape = _extents(what, "shape", given["shape"], at("shape"), dynamic=False)
    valid = given.get("valid_shape")
    valid_shape = (-1, -1) if valid is None else _extents(what, "valid_shape", valid, at("valid_shape"), dynamic=True)
    fractal = given.get("fractal")
    if fractal is not None and (not isinstance(fractal, int) or isinstance(fractal, bool)):
        raise _problem(what, f"'fractal' must be a number of bytes, not {type_name(fractal)}", at("fractal"))
    dtype = _member(what, "dtype", given["dtype"], DType, at("dtype"))
    memory = given.get("target_memory", MemorySpace.Vec)
    memory = _member(what, "target_memory", memory, MemorySpace, at("target_memory"))
    layout = given.get("layout")
    if layout is not None:
        layout = _member(what, "layout", layout, TensorLayout, at("layout"))
    pad = _numbered(what, "pad", given.get("pad"), TilePad, at("pad"))
    compact = _numbered(what, "compact", given.get("compact"), CompactMode, at("compact"))
    return TileSpec(shape, dtype, memory, valid_shape, layout, fractal, pad, compact)


def _extents(what: str, name: str, value: Value, span: Span, *, dynamic: bool) -> tuple[int, int]:
    """Two extents; dynamic: -1 and None say that they are set at run time."""
    if not isinstance(value, (list, tuple)) or len(value) != 2:
        raise _problem(what, f"'{name}' must be two integers, rows and columns", span)
    found: list[int] = []
    for extent in value:
        if dynamic and extent is None:
            extent = -1
        if not isinstance(extent, int) or isinstance(extent, bool):
            raise _problem(what, f"'{name}' must be two integers, but one is {type_name(extent)}", span)
        if extent < 1 and not (dynamic and extent in (-1, 0)):
            raise _problem(what, f"'{name}' must be positive, but one extent is {extent}", span)
        found.append(int(extent))
    return found[0], found[1]


def _member(what: str, name: str, value: Value, kind: type, span: Span) -> Value:
    if not isinstance(value, kind):
        wanted = "an element type such as pl.DT_FP32" if kind is DType else f"a member of pl.{kind.__name__}"
        raise _problem(what, f"'{name}' must be {wanted}, not {type_name(value)}", span)
    return value


def _numbered(what: str, name: str, value: Value, kind: Callable[[int], Value], span: Span) -> Value:
    """An enum member that may also be written as its number."""
    if value is None:
        return kind(0)
    if isinstance(value, int) and not isinstance(value, bool):
        try:
            return kind(value)
        except ValueError:
            raise _problem(what, f"'{name}' has no value {value}", span) from None
    return _member(what, name, value, kind, span)  # type: ignore[arg-type]


def pipeline_config(ev: Evaluator, args: list[Value], kwargs: dict[str, Value], span: Span, spans: Spans) -> Value:
    """`pl.pipeline.PipelineConfig(preload=2, sync_only=False)`."""
    what = "pl.pipeline.PipelineConfig"
    given = _arguments(what, PIPELINE_CONFIG, args, kwargs, span, spans)
    for value in given.values():
        unknown = inner_opaque(ev, value)
        if unknown is not None:
            return unknown
    preload = given.get("preload", 2)
    if isinstance(preload, (list, tuple)):
        preload = tuple(preload)
    numbers = preload if isinstance(preload, tuple) else (preload,)
    if not numbers or not all(isinstance(n, int) and not isinstance(n, bool) and n >= 0 for n in numbers):
        raise _problem(what, "'preload' must be a count of tasks, or one for each stage", spans.get("preload", span))
    sync_only = given.get("sync_only", False)
    if not isinstance(sync_only, bool):
        raise _problem(what, "'sync_only' must be True or False", spans.get("sync_only", span))
    return PipelineConfig(preload, sync_only)


def _tiling_key_field(ev: Evaluator, args: list[Value], kwargs: dict[str, Value], span: Span, spans: Spans) -> Value:
    given = _arguments("TilingKeyField", ("bits", "values"), args, kwargs, span, spans)
    return TilingKeyField(given.get("bits"), given.get("values"))


def _constexpr(ev: Evaluator, args: list[Value], kwargs: dict[str, Value], span: Span, spans: Spans) -> Value:
    (value,) = args
    return value


def _builtin(name: str) -> Callable[..., Value]:
    def call(ev: Evaluator, args: list[Value], kwargs: dict[str, Value], span: Span, spans: Spans) -> Value:
        return BUILTINS[name].call(ev, args, kwargs, span)

    return call


CALLS: dict[str, Callable[..., Value]] = {
    "TileType": tile_type,
    "PipelineConfig": pipeline_config,
    "pipeline.PipelineConfig": pipeline_config,
    "TilingKeyField": _tiling_key_field,
    "constexpr": _constexpr,
    "min": _builtin("min"),
    "max": _builtin("max"),
    "range": _builtin("range"),
}
