"""exp, log, sqrt, rsqrt, recip: error in units in the last place against double precision, and the special values."""

from __future__ import annotations

import numpy as np
import pytest
from bodies import Bodies, Tile

REFERENCE = {"Exp": np.exp, "Log": np.log, "Sqrt": np.sqrt, "Rsqrt": lambda x: 1 / np.sqrt(x), "Recip": lambda x: 1 / x}
#: The bound that math.hpp states.
ULP = {"Exp": 0.96, "Log": 0.85, "Sqrt": 0.5, "Rsqrt": 1.5, "Recip": 0.5}


def apply(bodies: Bodies, op: str, values: np.ndarray, dtype: str = "Float") -> np.ndarray:
    """The instruction over a vector of any length, one tile after the other."""
    width = 32768
    out = []
    for start in range(0, values.size, width):
        part = np.resize(values[start : start + width], width).reshape(32, 1024)
        src, dst = Tile("Vec", dtype, 32, 1024), Tile("Vec", dtype, 32, 1024, addr=1 << 18)
        bodies.write(src, part)
        bodies.run(op, [dst, src])
        out.append(bodies.read(dst).ravel())
    return np.concatenate(out)[: values.size]


def error_in_ulp(got: np.ndarray, exact: np.ndarray) -> np.ndarray:
    _, exponent = np.frexp(exact)
    unit = np.ldexp(1.0, np.maximum(exponent, -125) - 24)
    return np.abs(got.astype(np.float64) - exact) / unit


@pytest.mark.parametrize("op", REFERENCE)
def test_error_over_all_magnitudes(bodies, op):
    rng = np.random.default_rng(1)
    bits = rng.integers(0, 0x7F800000, 1_000_000).astype(np.uint32)
    values = np.concatenate([bits.view(np.float32), np.exp2(rng.uniform(-3, 3, 200_000)).astype(np.float32)])
    if op in ("Exp", "Recip"):
        values = np.concatenate([values, -values])
    if op == "Exp":
        values = np.concatenate([values, rng.uniform(-104, 89, 1_000_000).astype(np.float32)])
    values = values[values != 0]
    with np.errstate(all="ignore"):
        exact = REFERENCE[op](values.astype(np.float64))
    got = apply(bodies, op, values)
    finite = np.abs(exact) < np.finfo(np.float32).max
    assert error_in_ulp(got[finite], exact[finite]).max() <= ULP[op] + 1e-6
    with np.errstate(over="ignore"):
        np.testing.assert_array_equal(got[~finite], exact[~finite].astype(np.float32))


@pytest.mark.parametrize("op", REFERENCE)
def test_special_values(bodies, op):
    values = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, -1.0, 1.0, 1e-45, 88.72284, -103.97], np.float32)
    with np.errstate(all="ignore"):
        expected = REFERENCE[op](values.astype(np.float64)).astype(np.float32)
    got = apply(bodies, op, values)
    np.testing.assert_array_equal(np.isnan(got), np.isnan(expected))
    exact = ~np.isnan(expected) & ((expected == 0) | np.isinf(expected) | (np.abs(values) <= 1))
    with np.errstate(all="ignore"):
        np.testing.assert_allclose(got[exact], expected[exact], rtol=2e-7)


@pytest.mark.parametrize("op", REFERENCE)
def test_half_is_computed_in_float_and_rounded_once(bodies, op):
    values = np.arange(1 << 16, dtype=np.uint32).astype(np.uint16).view(np.float16)
    in_float = apply(bodies, op, values.astype(np.float32))
    with np.errstate(all="ignore"):
        expected = in_float.astype(np.float16)
    np.testing.assert_array_equal(apply(bodies, op, values, "Half"), expected)
