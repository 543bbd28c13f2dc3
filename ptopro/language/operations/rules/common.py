"""What the rules share: reading shapes and scalars out of operand views, and building Problems.

A rule takes (operation, views) and yields Problems.  It must hold back where something is known only at run time: an
extent is an int, or None when it cannot be known; None agrees with everything that fits.
"""

from __future__ import annotations

from collections.abc import Sequence

from ptopro.language.dtypes import DType
from ptopro.language.operations.model import Operation, Problem, ScalarView, Views
from ptopro.language.tiles import TileSpec

Extents = tuple[int | None, int | None]


def problem(code: str, operation: Operation, operand: str, /, **facts: object) -> Problem:
    """A Problem with the facts that every text may use: the operation's and the operand's name."""
    return Problem(code, operand, {"operation": operation.name, "operand": operand, **facts})


def tile(views: Views, name: str) -> TileSpec | None:
    """The operand when it is a tile."""
    view = views.get(name)
    return view if isinstance(view, TileSpec) else None


def extents(spec: TileSpec) -> Extents:
    """Rows and columns that an operation works on: the valid shape where it is fixed, else the physical one."""
    return _extent(spec, 0), _extent(spec, 1)


def _extent(spec: TileSpec, axis: int) -> int | None:
    if spec.valid_shape[axis] >= 0:
        return spec.valid_shape[axis]
    if spec.runtime_valid or spec.shape[axis] < 0:
        return None
    return spec.shape[axis]


def upper(spec: TileSpec, axis: int) -> int | None:
    """The most that an extent can be."""
    if spec.valid_shape[axis] >= 0:
        return spec.valid_shape[axis]
    return spec.shape[axis] if spec.shape[axis] >= 0 else None


def agree(left: TileSpec, left_axis: int, right: TileSpec, right_axis: int) -> bool:
    """Whether two extents can be equal."""
    a, b = extents(left)[left_axis], extents(right)[right_axis]
    if a is not None and b is not None:
        return a == b
    if a is not None:
        return _fits(a, upper(right, right_axis))
    if b is not None:
        return _fits(b, upper(left, left_axis))
    return True


def _fits(extent: int, limit: int | None) -> bool:
    return limit is None or extent <= limit


def shape_text(spec: TileSpec) -> str:
    """[rows, columns] as the reader would write them, with the valid shape where it is smaller."""
    text = f"[{_number(spec.shape[0])}, {_number(spec.shape[1])}]"
    if spec.valid_shape != (-1, -1) and spec.valid_shape != spec.shape:
        text += f" (valid [{_number(spec.valid_shape[0])}, {_number(spec.valid_shape[1])}])"
    return text


def _number(value: int) -> str:
    return "?" if value < 0 else str(value)


def wanted_text(rows: int | None, cols: int | None) -> str:
    return f"[{'?' if rows is None else rows}, {'?' if cols is None else cols}]"


def constant(view: object) -> int | float | bool | None:
    """The value of a scalar operand or of a list item when it is known at compile time."""
    if isinstance(view, ScalarView):
        return view.value
    if isinstance(view, (bool, int, float)):
        return view
    return None


def items(view: object) -> Sequence[object] | None:
    """The items of a list operand (offsets, order, shape); None when it is not a list."""
    return view if isinstance(view, (tuple, list)) else None


def dtype_names(dtypes: Sequence[DType]) -> str:
    return ", ".join(d.name.removeprefix("DT_") for d in dtypes)
