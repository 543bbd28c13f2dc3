"""Rules of gather, scatter, sort and histogram: index types and how many columns results need."""

from __future__ import annotations

from collections.abc import Iterator

from ptopro.language import dtypes as dt
from ptopro.language.dtypes import DType
from ptopro.language.operations.model import Operation, Problem, Views
from ptopro.language.operations.rules.common import dtype_names, extents, problem, shape_text, tile, upper
from ptopro.language.operations.rules.shapes import same_dtype
from ptopro.language.operations.rules.transfers import width_problem

_SHORT: tuple[DType, ...] = (dt.INT16, dt.UINT16)
_LONG: tuple[DType, ...] = (dt.INT32, dt.UINT32)


def _index_type(operation: Operation, name: str, actual: DType, allowed: tuple[DType, ...]) -> Problem:
    return problem("PTO1226", operation, name, actual=actual.name, allowed=dtype_names(allowed))


def check_gather(operation: Operation, views: Views) -> Iterator[Problem]:
    """The index form has four tiles; five tiles, or cmp_mode, mean the compare form."""
    compare = views.get("cmp_tmp") is not None
    if "cmp_mode" in views and not compare:
        yield problem("PTO1231", operation, "cmp_mode", needed="a fifth tile (scratch)", because="cmp_mode= is given")
        return
    if compare:
        return
    target, source, index = tile(views, "out"), tile(views, "src"), tile(views, "idx")
    if target is not None and source is not None and target.dtype.bits != source.dtype.bits:
        yield width_problem(operation, "out", target.dtype, "src", source.dtype)
    if index is not None and source is not None:
        allowed = _LONG if source.dtype.bits == 64 else (*_SHORT, *_LONG)
        if index.dtype not in allowed:
            yield _index_type(operation, "idx", index.dtype, allowed)


def check_gatherb(operation: Operation, views: Views) -> Iterator[Problem]:
    target, source = tile(views, "out"), tile(views, "src")
    if target is not None and source is not None and target.dtype.bits != source.dtype.bits:
        yield width_problem(operation, "out", target.dtype, "src", source.dtype)


def check_gathermask(operation: Operation, views: Views) -> Iterator[Problem]:
    target, source = tile(views, "out"), tile(views, "src")
    if target is not None and source is not None and target.dtype.bits != source.dtype.bits:
        yield width_problem(operation, "out", target.dtype, "src", source.dtype)


def check_scatter(operation: Operation, views: Views) -> Iterator[Problem]:
    target, index = tile(views, "out"), tile(views, "idx")
    yield from same_dtype("out", "src")(operation, views)
    if target is not None and index is not None:
        allowed = _SHORT if target.dtype.bits <= 16 else _LONG
        if index.dtype not in allowed:
            yield _index_type(operation, "idx", index.dtype, allowed)


def check_sort32(operation: Operation, views: Views) -> Iterator[Problem]:
    """A record has 8 bytes: 4 FP16 or 2 FP32 columns for each sorted value."""
    target, source = tile(views, "dst"), tile(views, "src")
    yield from same_dtype("dst", "src")(operation, views)
    if target is None or source is None:
        return
    factor = 4 if source.dtype is dt.FP16 else 2
    need, room = extents(source)[1], upper(target, 1)
    if need is not None and room is not None and need * factor > room:
        yield problem(
            "PTO1204",
            operation,
            "dst",
            actual=shape_text(target),
            other="8-byte records of src",
            expected=f"[{source.shape[0]}, {need * factor}]",
        )


def check_histogram(operation: Operation, views: Views) -> Iterator[Problem]:
    target = tile(views, "dst")
    room = upper(target, 1) if target is not None else None
    if target is not None and room is not None and room < 256:
        yield problem(
            "PTO1204",
            operation,
            "dst",
            actual=shape_text(target),
            other="the 256 byte values",
            expected=f"[{target.shape[0]}, 256]",
        )
