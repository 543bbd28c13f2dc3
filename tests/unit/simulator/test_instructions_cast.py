"""Casts between all element types, under every rounding mode, saturating and not."""

from __future__ import annotations

import numpy as np
import pytest
from bodies import DTYPES, Tile

INTEGERS = ["Int8", "Int16", "Int32", "Int64", "UInt8", "UInt16", "UInt32", "UInt64"]
FLOATS = ["Half", "BFloat16", "Float", "Float8E4M3", "Float8E5M2"]
ROUNDS = {"none": 0, "rint": 1, "away": 2, "floor": 3, "ceil": 4, "trunc": 5}
INTEGRAL = {
    "none": np.rint,
    "rint": np.rint,
    "away": lambda x: np.trunc(x + np.copysign(0.5, x)),
    "floor": np.floor,
    "ceil": np.ceil,
    "trunc": np.trunc,
}


def cast(bodies, src: str, dst: str, values: np.ndarray, round: int = 1, saturate: int = 1) -> np.ndarray:
    rows, cols = values.shape
    source, target = Tile("Vec", src, rows, cols), Tile("Vec", dst, rows, cols, addr=1 << 17)
    bodies.write(source, values)
    bodies.run("Cast", [target, source], round=round, saturate=saturate)
    return bodies.read(target)


def floats(dtype: str, scale: float) -> np.ndarray:
    values = np.random.default_rng(1).normal(0, scale, (16, 64))
    values[0, :8] = [0.5, 1.5, 2.5, -0.5, -1.5, -2.5, 0, 127.5]
    with np.errstate(over="ignore"):
        return values.astype(DTYPES[dtype])


@pytest.mark.parametrize("round", ROUNDS)
@pytest.mark.parametrize("src", FLOATS)
@pytest.mark.parametrize("dst", INTEGERS)
def test_float_to_integer(bodies, src, dst, round):
    values = floats(src, 100)
    limits = np.iinfo(DTYPES[dst])
    exact = INTEGRAL[round](values.astype(np.float64))
    expected = np.clip(exact, limits.min, limits.max).astype(DTYPES[dst])
    np.testing.assert_array_equal(cast(bodies, src, dst, values, ROUNDS[round]), expected)


@pytest.mark.parametrize("dst", INTEGERS)
def test_float_to_integer_at_the_limits(bodies, dst):
    values = np.array([[np.inf, -np.inf, np.nan, 3e38, -3e38, 2147483648.0, -2147483648.0, 9.3e18]], np.float32)
    limits = np.iinfo(DTYPES[dst])
    wide = [limits.max, limits.min, 0, limits.max, limits.min]
    rest = [
        min(max(int(value), limits.min), limits.max) for value in (2147483648, -2147483648, int(np.float32(9.3e18)))
    ]
    np.testing.assert_array_equal(cast(bodies, "Float", dst, values), np.array([wide + rest], DTYPES[dst]))


@pytest.mark.parametrize(("src", "dst"), [("Half", "Int8"), ("Half", "UInt8"), ("Float", "Int16"), ("Half", "Int16")])
def test_float_to_narrow_integer_without_saturation_cuts(bodies, src, dst):
    values = floats(src, 20000)
    in_32_bits = np.clip(np.trunc(values.astype(np.float64)), -(1 << 31), (1 << 31) - 1)
    expected = in_32_bits.astype(np.int32).astype(DTYPES[dst])
    np.testing.assert_array_equal(cast(bodies, src, dst, values, 5, 0), expected)


@pytest.mark.parametrize("src", INTEGERS)
@pytest.mark.parametrize("dst", INTEGERS)
@pytest.mark.parametrize("saturate", [0, 1])
def test_integer_to_integer(bodies, src, dst, saturate):
    source, target = np.iinfo(DTYPES[src]), np.iinfo(DTYPES[dst])
    values = np.random.default_rng(2).integers(source.min, source.max, (8, 64), dtype=DTYPES[src], endpoint=True)
    values[0, :4] = [source.min, source.max, 0, 1]
    expected = values.astype(DTYPES[dst])
    if saturate:
        clamped = [min(max(int(value), target.min), target.max) for value in values.ravel()]
        expected = np.array(clamped, dtype=DTYPES[dst]).reshape(values.shape)
    np.testing.assert_array_equal(cast(bodies, src, dst, values, saturate=saturate), expected)


@pytest.mark.parametrize("src", INTEGERS)
@pytest.mark.parametrize("dst", ["Half", "BFloat16", "Float"])
def test_integer_to_float_rounds_once(bodies, src, dst):
    source = np.iinfo(DTYPES[src])
    values = np.random.default_rng(3).integers(source.min, source.max, (8, 64), dtype=DTYPES[src], endpoint=True)
    values[0] >>= np.minimum(np.arange(64), source.bits - 1).astype(values.dtype)
    got = cast(bodies, src, dst, values, saturate=0).astype(np.float64)
    with np.errstate(over="ignore"):
        nearest = values.astype(DTYPES[dst])
    if dst == "Float" or source.bits <= 16:
        np.testing.assert_array_equal(got, nearest.astype(np.float64))
        return
    # A second rounding could move a value by one step: the result must not be farther away than a neighbour.
    finite = np.isfinite(got)
    step = np.abs(np.nextafter(nearest, np.array(0, nearest.dtype)).astype(np.float64) - nearest.astype(np.float64))
    error = np.abs(
        np.array(
            [
                [int(a) - int(v) for a, v in zip(x, y, strict=True)]
                for x, y in zip(np.where(finite, got, 0), values, strict=True)
            ],
            dtype=float,
        )
    )
    assert (error[finite] <= step[finite] * 1.001).all()


@pytest.mark.parametrize(
    ("round", "expected"), [(1, 16777216), (2, 16777218), (3, 16777216), (4, 16777218), (5, 16777216)]
)
def test_int32_to_float_modes(bodies, round, expected):
    values = np.full((1, 8), 16777217, np.int32)
    np.testing.assert_array_equal(cast(bodies, "Int32", "Float", values, round), np.full((1, 8), expected, np.float32))


@pytest.mark.parametrize("src", [*FLOATS, "Float"])
@pytest.mark.parametrize("dst", ["Half", "BFloat16", "Float8E4M3", "Float8E5M2"])
@pytest.mark.parametrize("saturate", [0, 1])
def test_float_to_float(bodies, src, dst, saturate):
    values = floats(src, 3)
    with np.errstate(over="ignore", invalid="ignore"):
        values[1, :6] = np.array([np.inf, -np.inf, np.nan, 1e30, -1e30, 1e-30]).astype(values.dtype)
        wide = values.astype(np.float32)
        expected = wide.astype(DTYPES[dst])
        if saturate:
            limit = {"Half": 65504, "BFloat16": 3.3895314e38, "Float8E4M3": 448, "Float8E5M2": 57344}[dst]
            expected = np.clip(wide, np.float32(-limit), np.float32(limit)).astype(DTYPES[dst])
    got = cast(bodies, src, dst, values, 1, saturate)
    np.testing.assert_array_equal(got.astype(np.float32), expected.astype(np.float32))


@pytest.mark.parametrize("dst", ["Half", "BFloat16"])
@pytest.mark.parametrize("saturate", [0, 1])
def test_rounding_away_agrees_with_the_scalar_conversion(bodies, bodies_library, dst, saturate):
    """The vector loop of Round::Away against encode<>, over all kinds of floats."""
    from test_instructions_numbers import encode

    bits = np.random.default_rng(4).integers(0, 1 << 32, 32768, dtype=np.uint64).astype(np.uint32)
    ties = np.arange(0x1000, 0x4000_0000, 0x8765_0, dtype=np.uint32)[:1024] & ~np.uint32(0xFFF) | np.uint32(0x1000)
    small = np.random.default_rng(5).uniform(-1e-4, 1e-4, 8192).astype(np.float32)
    values = np.concatenate([bits.view(np.float32)[:23552], ties.view(np.float32), small]).reshape(32, 1024)
    got = cast(bodies, "Float", dst, values, 2, saturate)
    expected = encode(bodies_library, ["Half", "BFloat16"].index(dst), values.ravel(), 2, saturate).astype(np.uint16)
    numbers = ~np.isnan(values.ravel())
    np.testing.assert_array_equal(np.ascontiguousarray(got).view(np.uint16).ravel()[numbers], expected[numbers])


@pytest.mark.parametrize("round", ROUNDS)
def test_float_to_float_rounds_to_integers(bodies, round):
    values = floats("Float", 10)
    expected = values if round == "none" else INTEGRAL[round](values)
    np.testing.assert_array_equal(cast(bodies, "Float", "Float", values, ROUNDS[round]), expected)


def test_bfloat16_and_four_bits(bodies):
    values = np.array([[0, 0.5, 1, 1.5, 2, 3, 4, 6, -0.5, -1, -6, 100, 0.26, 0.74, 5, 2.4]], np.float32)
    codes = cast(bodies, "BFloat16", "Float4E2M1", values.astype(DTYPES["BFloat16"]))
    back = cast(bodies, "Float4E2M1", "BFloat16", codes)
    expected = [0, 0.5, 1, 1.5, 2, 3, 4, 6, -0.5, -1, -6, 6, 0.5, 0.5, 4, 2]
    np.testing.assert_array_equal(back.astype(np.float32), np.array([expected], np.float32))


def test_valid_region_and_layouts(bodies):
    values = floats("Float", 5)
    source = Tile("Vec", "Float", 16, 64, valid=(9, 23))
    target = Tile("Vec", "Half", 16, 64, "NZ", valid=(9, 23), addr=1 << 17)
    bodies.write(source, values)
    bodies.run("Cast", [target, source])
    np.testing.assert_array_equal(bodies.read(target), values[:9, :23].astype(np.float16))
    assert np.isnan(bodies.read(target, 16, 64)[9:]).all()
