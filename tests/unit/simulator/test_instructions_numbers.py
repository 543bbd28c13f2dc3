"""Conversions of numbers.hpp against numpy, ml_dtypes and, for HiFloat8, the format's definition."""

from __future__ import annotations

import ctypes

import ml_dtypes
import numpy as np
import pytest

TYPES = {
    "half": (0, np.float16, 16),
    "bfloat16": (1, ml_dtypes.bfloat16, 16),
    "e4m3": (2, ml_dtypes.float8_e4m3fn, 8),
    "e5m2": (3, ml_dtypes.float8_e5m2, 8),
    "e8m0": (5, ml_dtypes.float8_e8m0fnu, 8),
    "e2m1": (6, ml_dtypes.float4_e2m1fn, 4),
}


def encode(library: ctypes.CDLL, which: int, values: np.ndarray, round: int = 1, saturate: int = 0) -> np.ndarray:
    values = np.ascontiguousarray(values, np.float32)
    codes = np.zeros(values.size, np.uint32)
    n = ctypes.c_int64(values.size)
    library.encode_floats(
        which, values.ctypes.data_as(ctypes.c_void_p), codes.ctypes.data_as(ctypes.c_void_p), n, round, saturate
    )
    return codes


def decode(library: ctypes.CDLL, which: int, codes: np.ndarray) -> np.ndarray:
    codes = np.ascontiguousarray(codes, np.uint32)
    values = np.zeros(codes.size, np.float32)
    n = ctypes.c_int64(codes.size)
    library.decode_floats(which, codes.ctypes.data_as(ctypes.c_void_p), values.ctypes.data_as(ctypes.c_void_p), n)
    return values


def all_kinds_of_floats(count: int = 200_000) -> np.ndarray:
    rng = np.random.default_rng(1)
    bits = rng.integers(0, 1 << 32, count, dtype=np.uint64).astype(np.uint32)
    near_one = rng.normal(0, 4, count).astype(np.float32)
    corners = np.array([0, -0.0, np.inf, -np.inf, 65504, 65519.99, 65520, 448, 464, 465, 57344, 61440], np.float32)
    return np.concatenate([bits.view(np.float32), near_one, near_one * 1e-6, corners])


@pytest.mark.parametrize("name", TYPES)
def test_codes_decode_to_the_values_of_the_format(bodies_library, name):
    which, dtype, bits = TYPES[name]
    codes = np.arange(1 << bits, dtype=np.uint32)
    raw = codes.astype(np.uint16 if bits == 16 else np.uint8).view(dtype)
    np.testing.assert_array_equal(decode(bodies_library, which, codes), raw.astype(np.float32))


@pytest.mark.parametrize("name", ["half", "bfloat16", "e4m3", "e5m2"])
def test_rounding_to_nearest_even(bodies_library, name):
    which, dtype, bits = TYPES[name]
    values = all_kinds_of_floats()
    with np.errstate(all="ignore"):
        expected = values.astype(dtype)
    codes = encode(bodies_library, which, values).astype(np.uint16 if bits == 16 else np.uint8)
    ours = codes.view(dtype)
    numbers = ~np.isnan(values)
    np.testing.assert_array_equal(codes[numbers], expected.view(codes.dtype)[numbers])
    assert np.isnan(ours[~numbers].astype(np.float32)).all()


@pytest.mark.parametrize("name", ["half", "bfloat16", "e4m3", "e5m2", "e2m1"])
@pytest.mark.parametrize("round", [2, 3, 4, 5, 6])
def test_directed_rounding_picks_the_right_neighbour(bodies_library, name, round):
    which, _, bits = TYPES[name]
    table = decode(bodies_library, which, np.arange(1 << bits, dtype=np.uint32)).astype(np.float64)
    table = np.unique(table[np.isfinite(table)])
    rng = np.random.default_rng(2)
    limit = table.max()
    values = np.concatenate(
        [
            rng.uniform(-1, 1, 4000) * limit,
            rng.uniform(-1, 1, 4000) * 1e-3,
            table[:500],
            (table[1:] + table[:-1])[:500] / 2,
        ]
    )
    values = values.astype(np.float32)
    values = values[np.abs(values) <= limit]
    got = decode(bodies_library, which, encode(bodies_library, which, values, round)).astype(np.float64)
    exact = values.astype(np.float64)
    low = table[np.searchsorted(table, exact, side="right") - 1]
    high = table[np.searchsorted(table, exact, side="left")]
    if round == 2:
        away = np.where(exact >= 0, high, low)
        expected = np.where(exact - low < high - exact, low, np.where(exact - low > high - exact, high, away))
    elif round == 3:
        expected = low
    elif round == 4:
        expected = high
    elif round == 5:
        expected = np.where(exact >= 0, low, high)
    else:
        codes = encode(bodies_library, which, low.astype(np.float32))
        expected = np.where(low == high, low, np.where(codes & 1, low, high))
        zero_low = (low == 0) & (high > 0)  # the odd neighbour of zero is the smallest number
        expected = np.where(zero_low, high, expected)
    np.testing.assert_array_equal(got, expected)


def test_saturation_clamps_to_the_largest_number(bodies_library):
    values = np.array([1e30, -1e30, np.inf, -np.inf], np.float32)
    for which, limit in ((0, 65504), (2, 448), (3, 57344), (4, 32768), (6, 6)):
        got = decode(bodies_library, which, encode(bodies_library, which, values, 1, 1))
        np.testing.assert_array_equal(got, np.array([limit, -limit, limit, -limit], np.float32))


def hifloat8_value(code: int) -> float:
    """HiFloat8 from its definition: sign, prefix ("dot") code, exponent in sign and magnitude, digits."""
    sign = -1.0 if code & 0x80 else 1.0
    bits = f"{code & 0x7F:07b}"
    if bits == "0000000":
        return np.nan if code & 0x80 else 0.0
    if bits == "1101111":
        return sign * np.inf
    for prefix, width in (("11", 4), ("10", 3), ("01", 2), ("001", 1), ("0001", 0)):
        if bits.startswith(prefix):
            rest = bits[len(prefix) :]
            digits = rest[width:]
            exponent = 0
            if width:
                exponent = int("1" + rest[1:width], 2) * (-1 if rest[0] == "1" else 1)
            return sign * 2.0**exponent * (1 + int(digits, 2) / 2 ** len(digits))
    return sign * 2.0 ** (int(bits[4:], 2) - 23)


def test_hifloat8_decodes_by_its_definition(bodies_library):
    codes = np.arange(256, dtype=np.uint32)
    expected = np.array([hifloat8_value(int(code)) for code in codes], np.float32)
    np.testing.assert_array_equal(decode(bodies_library, 4, codes), expected)


def test_hifloat8_rounds_to_nearest_ties_away(bodies_library):
    table = np.array(sorted(hifloat8_value(code) for code in range(0x80) if code != 0x6F))
    rng = np.random.default_rng(3)
    values = np.concatenate([np.exp2(rng.uniform(-26, 14.9, 5000)), (table[1:] + table[:-1]) / 2, table]).astype(
        np.float32
    )
    got = decode(bodies_library, 4, encode(bodies_library, 4, values, 2))
    high = np.minimum(np.searchsorted(table, values), table.size - 1)
    low = np.maximum(high - 1, 0)
    expected = np.where(table[high] - values <= values - table[low], table[high], table[low])
    np.testing.assert_array_equal(got, np.where(values == 0, 0, expected))


def test_e1m2_is_a_fixed_point_grid(bodies_library):
    expected = np.concatenate([np.arange(8) / 4, -np.arange(8) / 4])
    np.testing.assert_array_equal(decode(bodies_library, 7, np.arange(16)), expected.astype(np.float32))


def test_the_value_type_half_uses_the_same_conversion(bodies_library):
    values = all_kinds_of_floats(50_000)
    bits = np.zeros(values.size, np.uint16)
    back = np.zeros(values.size, np.float32)
    pointers = [array.ctypes.data_as(ctypes.c_void_p) for array in (values, bits, back)]
    bodies_library.round_trip_half(*pointers, ctypes.c_int64(values.size))
    np.testing.assert_array_equal(bits, encode(bodies_library, 0, values))
    np.testing.assert_array_equal(back, decode(bodies_library, 0, bits))
