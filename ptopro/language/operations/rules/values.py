"""Rules of scalars and descriptors: element access, valid shapes, strides, min and max."""

from __future__ import annotations

from collections.abc import Iterator

from ptopro.language.operations.model import Operation, Problem, ScalarView, TensorView, Views
from ptopro.language.operations.rules.common import constant, items, problem, tile
from ptopro.language.tiles import TileSpec


def check_getval(operation: Operation, views: Views) -> Iterator[Problem]:
    """A constant offset lies inside the container."""
    container, offset = views.get("container"), constant(views.get("offset"))
    if offset is None:
        return
    size = _elements(container)
    if offset < 0 or (size is not None and offset >= size):
        high = "" if size is None else size - 1
        yield problem("PTO1215", operation, "offset", axis=0, actual=int(offset), low=0, high=high)


def _elements(container: object) -> int | None:
    """How many elements a tile or a tensor has, None where that is known at run time only."""
    if isinstance(container, TileSpec):
        return container.shape[0] * container.shape[1] if -1 not in container.shape else None
    if isinstance(container, TensorView):
        count = 1
        for dim in container.dims:
            if dim is None:
                return None
            count *= dim
        return count
    return None


def check_pair(operation: Operation, views: Views) -> Iterator[Problem]:
    """Two scalars of one category."""
    lhs, rhs = views.get("lhs"), views.get("rhs")
    if not isinstance(lhs, ScalarView) or not isinstance(rhs, ScalarView):
        return
    if lhs.value is not None or rhs.value is not None:
        return
    if lhs.dtype.is_float != rhs.dtype.is_float:
        yield problem("PTO1238", operation, "rhs", actual=rhs.dtype.name, expected=lhs.dtype.name)


def check_set_validshape(operation: Operation, views: Views) -> Iterator[Problem]:
    spec, values = tile(views, "tile"), items(views.get("shape"))
    if values is None:
        return
    if len(values) != 2:
        yield problem("PTO1214", operation, "shape", actual=len(values), expected=2, what="tile axis")
        return
    for axis, item in enumerate(values):
        value = constant(item)
        if value is None or spec is None or spec.shape[axis] < 0:
            continue
        if not 0 <= value <= spec.shape[axis]:
            yield problem("PTO1215", operation, "shape", axis=axis, actual=int(value), low=0, high=spec.shape[axis])


def check_set_stride(operation: Operation, views: Views) -> Iterator[Problem]:
    values = items(views.get("stride"))
    if values is not None and len(values) != 2:
        yield problem("PTO1214", operation, "stride", actual=len(values), expected=2, what="tile axis")
