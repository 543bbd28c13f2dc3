"""Compare results: bit for bit between runs, within a tolerance with a reference.

In: arrays by parameter name.  Out: `Difference`s, one for each array that differs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from ptopro.check.inputs import Array

# Relative and absolute error that a result of an element type may have against a reference in higher precision.
TOLERANCES = {"float32": 1e-5, "float16": 2e-3, "bfloat16": 2e-2}
OTHER_FLOATS = 0.15  # fp8


@dataclass(frozen=True, slots=True)
class Difference:
    """The first element that differs, in row-major order; worst: the largest absolute error, None for bits."""

    tensor: str
    count: int
    total: int
    index: tuple[int, ...]
    left: str
    right: str
    worst: float | None = None

    @property
    def where(self) -> str:
        return f"[{', '.join(map(str, self.index))}]"


def bit_differences(left: Mapping[str, Array], right: Mapping[str, Array]) -> list[Difference]:
    """Arrays of the same names whose bytes differ; NaNs of different payload differ too."""
    return [
        _difference(name, left[name], right[name], unequal)
        for name in left
        if (unequal := _unequal_bits(left[name], right[name])).any()
    ]


def reference_differences(
    outputs: Mapping[str, Array], wanted: Mapping[str, Array], tolerance: float | None
) -> list[Difference]:
    """Arrays that are further from the reference than |wanted| * tolerance + tolerance."""
    import numpy as np

    found = []
    for name, expected in wanted.items():
        actual = outputs[name]
        limit = tolerance_of(actual) if tolerance is None else tolerance
        a, e = actual.astype(np.float64), np.broadcast_to(np.asarray(expected, np.float64), actual.shape)
        with np.errstate(invalid="ignore"):
            error = np.abs(a - e)
            wrong = ~((error <= limit * np.abs(e) + limit) | (a == e) | (np.isnan(a) & np.isnan(e)))
        if wrong.any():
            finite = error[wrong & np.isfinite(error)]
            worst = float(finite.max()) if finite.size else float("inf")
            found.append(_difference(name, actual, e, wrong, worst))
    return found


def tolerance_of(array: Array) -> float:
    """Integers and truth values must be equal."""
    name = array.dtype.name
    if name in TOLERANCES:
        return TOLERANCES[name]
    return 0.0 if array.dtype.kind in "iub" else OTHER_FLOATS


def _unequal_bits(left: Array, right: Array) -> npt.NDArray[np.bool_]:
    import numpy as np

    size = left.dtype.itemsize
    a, b = (np.ascontiguousarray(x).reshape(-1).view(np.uint8).reshape(-1, size) for x in (left, right))
    unequal: npt.NDArray[np.bool_] = (a != b).any(axis=1).reshape(left.shape)
    return unequal


def _difference(
    name: str, left: Array, right: Array, unequal: npt.NDArray[np.bool_], worst: float | None = None
) -> Difference:
    import numpy as np

    flat = int(np.flatnonzero(unequal)[0])
    index = tuple(int(i) for i in np.unravel_index(flat, left.shape))
    return Difference(
        name, int(unequal.sum()), int(unequal.size), index, _shown(left[index]), _shown(right[index]), worst
    )


def _shown(value: object) -> str:
    """A number with enough digits to tell it from its neighbours."""
    dtype = getattr(value, "dtype", None)
    return f"{float(value):.9g}" if dtype is None or dtype.kind not in "iub" else str(value)  # type: ignore[arg-type]
