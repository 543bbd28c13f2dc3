"""Rules over shapes and element types of vector operations: equal, reduced, broadcast, transposed, partial."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ptopro.language.enums import MemorySpace
from ptopro.language.operations.model import CheckRule, Operation, Problem, Views
from ptopro.language.operations.rules.common import agree, extents, problem, shape_text, tile, upper, wanted_text
from ptopro.language.tiles import TileSpec

Axis = Callable[[Views], int]


def all_of(*rules: CheckRule) -> CheckRule:
    """Every rule, one after the other."""

    def check(operation: Operation, views: Views) -> Iterator[Problem]:
        for rule in rules:
            yield from rule(operation, views)

    return check


def same_dtype(first: str, *others: str) -> CheckRule:
    """The tiles have one element type; operands that are not tiles are left out."""

    def check(operation: Operation, views: Views) -> Iterator[Problem]:
        reference = tile(views, first)
        if reference is None:
            return
        for name in others:
            spec = tile(views, name)
            if spec is not None and spec.dtype is not reference.dtype:
                yield problem(
                    "PTO1203",
                    operation,
                    name,
                    actual=spec.dtype.name,
                    other=first,
                    expected=reference.dtype.name,
                )

    return check


def same_shape(first: str, *others: str) -> CheckRule:
    """The tiles work on one shape."""

    def check(operation: Operation, views: Views) -> Iterator[Problem]:
        reference = tile(views, first)
        if reference is None:
            return
        for name in others:
            spec = tile(views, name)
            if spec is not None and not _equal(reference, spec):
                yield problem(
                    "PTO1204",
                    operation,
                    name,
                    actual=shape_text(spec),
                    other=first,
                    expected=shape_text(reference),
                )

    return check


def _equal(left: TileSpec, right: TileSpec) -> bool:
    return agree(left, 0, right, 0) and agree(left, 1, right, 1)


def reduces(out: str, src: str, axis: Axis) -> CheckRule:
    """out is one column (axis 0: a value for each row) or one row (axis 1) of src."""

    def check(operation: Operation, views: Views) -> Iterator[Problem]:
        yield from _reduced(operation, views, out, src, axis(views))

    return check


def _reduced(operation: Operation, views: Views, out: str, src: str, axis: int) -> Iterator[Problem]:
    result, source = tile(views, out), tile(views, src)
    if result is None or source is None:
        return
    kept, gone = (0, 1) if axis == 0 else (1, 0)
    length = extents(result)[gone]
    wrong = length is not None and length != 1 and result.shape[gone] != 1
    if wrong or not _covers(result, kept, source, kept):
        rows, cols = (extents(source)[0], 1) if axis == 0 else (1, extents(source)[1])
        yield problem(
            "PTO1208",
            operation,
            out,
            actual=shape_text(result),
            expected=wanted_text(rows, cols),
            source=shape_text(source),
            axis="row" if axis == 0 else "column",
        )


def _covers(result: TileSpec, result_axis: int, source: TileSpec, source_axis: int) -> bool:
    """Whether the result has room for one value for each line of the source."""
    need, room = extents(source)[source_axis], upper(result, result_axis)
    return need is None or room is None or need <= room


def check_minmax(operation: Operation, views: Views) -> Iterator[Problem]:
    """maximum and minimum: element by element, or a reduction with rhs as scratch."""
    dim = views.get("dim")
    if dim is None:
        yield from same_dtype("out", "lhs", "rhs")(operation, views)
        yield from same_shape("out", "lhs", "rhs")(operation, views)
        return
    if tile(views, "rhs") is None:
        yield problem("PTO1231", operation, "rhs", needed="a scratch tile", because="dim= is given")
        return
    yield from same_dtype("out", "lhs")(operation, views)
    yield from _reduced(operation, views, "out", "lhs", 0 if dim == 0 else 1)


def broadcasts(src: str, line: str, axis: Axis) -> CheckRule:
    """line holds one value for each row (axis 0) or for each column (axis 1) of src."""

    def check(operation: Operation, views: Views) -> Iterator[Problem]:
        source, values = tile(views, src), tile(views, line)
        if source is None or values is None:
            return
        along = axis(views)
        rows: int | None = 1
        cols: int | None = 1
        if along == 0:
            # One column, or a row-major tile that spends 32 bytes on each row.
            width = values.shape[1]
            narrow = width in (1, -1) or width * values.dtype.bytes == 32 or extents(values)[1] in (None, 1)
            good = narrow and _covers(values, 0, source, 0)
            rows = extents(source)[0]
        else:
            good = extents(values)[0] in (None, 1) or values.shape[0] == 1
            good = good and _covers(values, 1, source, 1)
            cols = extents(source)[1]
        if not good:
            yield problem(
                "PTO1209",
                operation,
                line,
                actual=shape_text(values),
                expected=wanted_text(rows, cols),
                source=shape_text(source),
                axis="row" if along == 0 else "column",
            )

    return check


def expands_line(out: str, src: str, axis: Axis) -> CheckRule:
    """src has a line long enough to be repeated over out."""

    def check(operation: Operation, views: Views) -> Iterator[Problem]:
        result, source = tile(views, out), tile(views, src)
        if result is None or source is None:
            return
        along = axis(views)
        if not _covers(source, along, result, along):
            rows, cols = (extents(result)[0], 1) if along == 0 else (1, extents(result)[1])
            yield problem(
                "PTO1209",
                operation,
                src,
                actual=shape_text(source),
                expected=wanted_text(rows, cols),
                source=shape_text(result),
                axis="row" if along == 0 else "column",
            )

    return check


def check_shift(operation: Operation, views: Views) -> Iterator[Problem]:
    """Shifts: one type, one shape."""
    yield from same_dtype("out", "lhs", "rhs")(operation, views)
    yield from same_shape("out", "lhs", "rhs")(operation, views)


def check_transpose(operation: Operation, views: Views) -> Iterator[Problem]:
    """out has the swapped shape; rows of both are multiples of 32 bytes."""
    result, source = tile(views, "out"), tile(views, "src")
    if result is None or source is None:
        return
    if not (agree(result, 0, source, 1) and agree(result, 1, source, 0)):
        yield problem(
            "PTO1210",
            operation,
            "out",
            actual=shape_text(result),
            expected=wanted_text(extents(source)[1], extents(source)[0]),
            source=shape_text(source),
        )


def check_partial(operation: Operation, views: Views) -> Iterator[Problem]:
    """One input has the extents of out, the other is not larger."""
    result = tile(views, "out")
    sources = [(name, spec) for name in ("src0", "src1") if (spec := tile(views, name)) is not None]
    if result is None or result.memory is not MemorySpace.Vec or len(sources) != 2:
        return
    if any(_equal(result, spec) for _, spec in sources):
        for name, spec in sources:
            if not (_inside(spec, 0, result) and _inside(spec, 1, result)):
                yield _partial_problem(operation, name, spec, result)
    else:
        name, spec = sources[0]
        yield _partial_problem(operation, name, spec, result)


def _inside(spec: TileSpec, axis: int, result: TileSpec) -> bool:
    extent, limit = extents(spec)[axis], upper(result, axis)
    return extent is None or limit is None or extent <= limit


def _partial_problem(operation: Operation, name: str, spec: TileSpec, result: TileSpec) -> Problem:
    return problem("PTO1204", operation, name, actual=shape_text(spec), other="out", expected=shape_text(result))
