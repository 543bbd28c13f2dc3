"""`pl.Tensor[[dims], dtype, layout]`, `pl.Ptr[dtype]` and the other subscripted names of the language."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptopro.diagnostics.span import Span
from ptopro.frontend.language_calls import checked
from ptopro.frontend.operators import inner_opaque
from ptopro.frontend.values import Dim, PtrAnnotation, TensorAnnotation, TileAnnotation, Value

if TYPE_CHECKING:
    from ptopro.frontend.evaluator import Evaluator


def annotation(ev: Evaluator, name: str, index: Value, span: Span) -> Value:
    """The value of `pl.<name>[index]`.  Raises Failed with a diagnostic when the items do not fit."""
    from ptopro.language.surface import annotations as surface

    unknown = inner_opaque(ev, index)
    if unknown is not None:
        return unknown
    if name == "Tensor":
        tensor = checked(lambda: surface.Tensor.__class_getitem__(index), span)
        rest = bool(tensor.dims) and tensor.dims[-1] is Ellipsis
        dims: tuple[int | Dim, ...] = tensor.dims[:-1] if rest else tensor.dims
        return TensorAnnotation(dims, tensor.dtype, tensor.layout, rest)
    if name == "Ptr":
        return PtrAnnotation(checked(lambda: surface.Ptr.__class_getitem__(index), span).dtype)
    if name == "Scalar":
        return checked(lambda: surface.Scalar.__class_getitem__(index), span).dtype
    if name == "Tile":
        tile = checked(lambda: surface.Tile.__class_getitem__(index), span)
        return TileAnnotation(tile.shape, tile.dtype)
    return ev.unknown(f"pl.{name}[...] has no value at compile time", span)
