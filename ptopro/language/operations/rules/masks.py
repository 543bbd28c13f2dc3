"""Rules of comparisons and selection: the mask holds one bit for each element."""

from __future__ import annotations

from collections.abc import Iterator

from ptopro.language.operations.model import CheckRule, Operation, Problem, Views
from ptopro.language.operations.rules.common import extents, problem, shape_text, tile, upper
from ptopro.language.operations.rules.shapes import same_dtype, same_shape
from ptopro.language.tiles import TileSpec


def _mask_fits(operation: Operation, name: str, mask: TileSpec, data: TileSpec) -> Iterator[Problem]:
    """Eight elements of a row share a byte of the mask's row; a mask of the data's own shape has room as well."""
    rows, cols = extents(data)
    have_rows, have_cols = upper(mask, 0), upper(mask, 1)
    if rows is None or cols is None or have_rows is None or have_cols is None:
        return
    if rows * ((cols + 7) // 8) > have_rows * have_cols:
        yield problem(
            "PTO1225", operation, name, actual=shape_text(mask), data=shape_text(data), needed=(cols + 7) // 8
        )


def check_compare(operation: Operation, views: Views) -> Iterator[Problem]:
    yield from same_dtype("lhs", "rhs")(operation, views)
    yield from same_shape("lhs", "rhs")(operation, views)
    mask, data = tile(views, "out"), tile(views, "lhs")
    if mask is not None and data is not None:
        yield from _mask_fits(operation, "out", mask, data)


def check_select(first: str, second: str) -> CheckRule:
    def check(operation: Operation, views: Views) -> Iterator[Problem]:
        yield from same_dtype("out", first, second)(operation, views)
        yield from same_shape("out", first, second)(operation, views)
        mask, data = tile(views, "mask"), tile(views, "out")
        if mask is not None and data is not None:
            yield from _mask_fits(operation, "mask", mask, data)

    return check
