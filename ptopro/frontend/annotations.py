"""`pl.Tensor[[dims], dtype, layout]`, `pl.Ptr[dtype]` and the other subscripted names of the language."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptopro.diagnostics.build import make
from ptopro.diagnostics.span import Span
from ptopro.frontend.failures import Failed
from ptopro.frontend.values import Dim, Opaque, PtrAnnotation, TensorAnnotation, TileAnnotation, Value, type_name
from ptopro.language.dtypes import DType
from ptopro.language.enums import TensorLayout

if TYPE_CHECKING:
    from ptopro.frontend.evaluator import Evaluator


def annotation(ev: Evaluator, name: str, index: Value, span: Span) -> Value:
    """The value of `pl.<name>[index]`."""
    parts = list(index) if isinstance(index, tuple) else [index]
    if name == "Tensor":
        return _tensor(parts, span)
    for part in parts:
        if isinstance(part, Opaque):
            return part
    if name == "Ptr":
        return PtrAnnotation(_dtype(parts, "pl.Ptr", span))
    if name == "Scalar":
        return _dtype(parts, "pl.Scalar", span)
    if name == "Tile":
        return _tile(parts, span)
    return ev.unknown(f"pl.{name}[...] has no value at compile time", span)


def _problem(span: Span, what: str, problem: str) -> Failed:
    return Failed("TypeError", f"{what}: {problem}", span, make("PTO1022", span, what=what, problem=problem))


def _dtype(parts: list[Value], what: str, span: Span) -> DType:
    if len(parts) != 1 or not isinstance(parts[0], DType):
        raise _problem(span, what, "one element type such as pl.DT_FP32 is expected")
    return parts[0]


def _tensor(parts: list[Value], span: Span) -> Value:
    what = "pl.Tensor"
    if not 2 <= len(parts) <= 4:
        raise _problem(span, what, "a list of dimensions and an element type are expected")
    dims_value, dtype, *rest = parts
    for part in parts:
        if isinstance(part, Opaque):
            return part
    if not isinstance(dims_value, (list, tuple)):
        raise _problem(span, what, f"the dimensions must be a list, not {type_name(dims_value)}")
    if not isinstance(dtype, DType):
        raise _problem(span, what, f"the second item must be an element type, not {type_name(dtype)}")
    dims, trailing, unknown = _dims(list(dims_value), span)
    if unknown is not None:
        return unknown
    layout = TensorLayout.ND
    for item in rest:
        if isinstance(item, TensorLayout):
            layout = item
        elif isinstance(item, (int, str, bool)) or item is None:
            raise _problem(span, what, f"the third item must be a layout such as pl.ND, not {type_name(item)}")
    return TensorAnnotation(dims, dtype, layout, trailing)


def _dims(values: list[Value], span: Span) -> tuple[tuple[int | Dim, ...], bool, Opaque | None]:
    """(dimensions, whether they end with `...`, an unknown dimension)."""
    what = "pl.Tensor"
    trailing = bool(values) and values[-1] is Ellipsis
    dims: list[int | Dim] = []
    for value in values[:-1] if trailing else values:
        if isinstance(value, Opaque):
            return (), False, value
        if value is Ellipsis:
            raise _problem(span, what, "'...' stands for further dimensions and can only be the last one")
        if isinstance(value, Dim):
            dims.append(value)
        elif isinstance(value, int) and not isinstance(value, bool):
            if value < 1:
                raise _problem(span, what, f"a dimension must be positive, not {value}")
            dims.append(int(value))
        else:
            raise _problem(span, what, f"a dimension is an int, pl.DYNAMIC or pl.STATIC, not {type_name(value)}")
    return tuple(dims), trailing, None


def _tile(parts: list[Value], span: Span) -> TileAnnotation:
    shape = tuple(parts[0]) if parts and isinstance(parts[0], (list, tuple)) else ()
    dtype = parts[1] if len(parts) > 1 and isinstance(parts[1], DType) else None
    return TileAnnotation(shape, dtype)
