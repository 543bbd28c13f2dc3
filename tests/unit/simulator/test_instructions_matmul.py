"""The matrix unit against a plain triple loop in ascending k: bit for bit."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest
from bodies import DTYPES, Tile
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st


def acc_tile(rows: int, cols: int, dtype: str = "Float", **fields) -> Tile:
    return Tile("Acc", dtype, rows, cols, "NZ", fractal=1024, **fields)


def ascending(a: np.ndarray, b: np.ndarray, start: np.ndarray | float = 0) -> np.ndarray:
    """start + a @ b with one rounding per product and per sum."""
    kind = np.int32 if a.dtype == np.int8 else np.float32
    a, b = a.astype(kind), b.astype(kind)
    total = np.zeros((a.shape[0], b.shape[1]), kind) + np.asarray(start, kind)
    for k in range(a.shape[1]):
        total = total + a[:, k : k + 1] * b[k : k + 1, :]
    return total


def operands(bodies, dtype: str, m: int, k: int, n: int, seed: int = 0, kind_b: str | None = None):
    """Random operands in L0A and L0B, packed as the moves leave them; the tiles are the smallest that hold them."""
    rng = np.random.default_rng(seed)
    dtype_b = kind_b or dtype
    if dtype == "Int8":
        a, b = rng.integers(-128, 128, (m, k)).astype(np.int8), rng.integers(-128, 128, (k, n)).astype(np.int8)
    else:
        a, b = rng.normal(0, 1, (m, k)).astype(DTYPES[dtype]), rng.normal(0, 1, (k, n)).astype(DTYPES[dtype_b])
    line = 32 // a.dtype.itemsize
    rows, depth, cols = -(-m // 16) * 16, -(-k // line) * line, -(-n // 16) * 16
    left = Tile("Left", dtype, rows, depth, "NZ", valid=(m, k))
    right = Tile("Right", dtype_b, depth, cols, "ZN", valid=(k, n))
    bodies.write(left, a)
    bodies.write(right, b)
    acc = acc_tile(rows, cols, "Int32" if dtype == "Int8" else "Float", valid=(m, n))
    return a, b, left, right, acc


@pytest.mark.parametrize("dtype", ["Half", "BFloat16", "Float", "Int8", "Float8E4M3", "Float8E5M2"])
@pytest.mark.parametrize(("m", "k", "n"), [(16, 16, 16), (128, 64, 96), (33, 50, 17), (1, 5, 3)])
def test_matmul(bodies, dtype, m, k, n):
    a, b, left, right, acc = operands(bodies, dtype, m, k, n)
    before = bodies.read(acc, acc.rows, acc.cols).copy()
    bodies.run("Matmul", [acc, left, right], cube=True)
    np.testing.assert_array_equal(bodies.read(acc), ascending(a, b))
    after = bodies.read(acc, acc.rows, acc.cols)
    outside = np.ones(after.shape, bool)
    outside[:m, :n] = False
    np.testing.assert_array_equal(after[outside].view(np.uint32), before[outside].view(np.uint32))


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    dtype=st.sampled_from(["Half", "Float", "Int8"]),
    m=st.integers(1, 70),
    k=st.integers(1, 70),
    n=st.integers(1, 70),
    seed=st.integers(0, 99),
)
def test_matmul_of_any_shape(bodies, dtype, m, k, n, seed):
    a, b, left, right, acc = operands(bodies, dtype, m, k, n, seed)
    bodies.run("Matmul", [acc, left, right], cube=True)
    np.testing.assert_array_equal(bodies.read(acc), ascending(a, b))


@pytest.mark.parametrize("dtype", ["Half", "Int8"])
def test_accumulation_continues_the_sum(bodies, dtype):
    """Two instructions over halves of k give the bits of one over the whole."""
    a, b, left, right, acc = operands(bodies, dtype, 32, 64, 48)
    bodies.run("Matmul", [acc, left, right], cube=True)
    whole = bodies.read(acc).copy()
    for part in range(2):
        half_a, half_b = a[:, part * 32 : part * 32 + 32], b[part * 32 : part * 32 + 32]
        left = Tile("Left", dtype, 32, 32, "NZ")
        right = Tile("Right", dtype, 32, 48, "ZN")
        bodies.write(left, half_a)
        bodies.write(right, half_b)
        tiles = [acc, left, right] if part == 0 else [acc, acc, left, right]
        bodies.run("Matmul" if part == 0 else "MatmulAcc", tiles, cube=True)
    np.testing.assert_array_equal(bodies.read(acc), whole)


def test_bias_starts_the_sum(bodies):
    a, b, left, right, acc = operands(bodies, "Half", 40, 32, 33)
    values = np.random.default_rng(1).normal(0, 1, (1, 33)).astype(np.float32)
    bias = Tile("Bias", "Float", 1, 64, valid=(1, 33))
    bodies.write(bias, values)
    bodies.run("MatmulBias", [acc, left, right, bias], cube=True)
    np.testing.assert_array_equal(bodies.read(acc), ascending(a, b, values))


def test_mixed_eight_bit_floats(bodies):
    a, b, left, right, acc = operands(bodies, "Float8E4M3", 32, 64, 32, kind_b="Float8E5M2")
    bodies.run("Matmul", [acc, left, right], cube=True)
    np.testing.assert_array_equal(bodies.read(acc), ascending(a, b))


@pytest.mark.parametrize("op", ["Gemv", "GemvAcc", "GemvBias"])
def test_vector_times_matrix(bodies, op):
    rng = np.random.default_rng(2)
    a, b = rng.normal(0, 1, (1, 64)).astype(np.float16), rng.normal(0, 1, (64, 48)).astype(np.float16)
    left, right = Tile("Left", "Half", 1, 64, "NZ"), Tile("Right", "Half", 64, 48, "ZN")
    acc = acc_tile(16, 48, valid=(1, 48))
    start = rng.normal(0, 1, (1, 48)).astype(np.float32)
    bodies.write(left, a)
    bodies.write(right, b)
    bodies.write(acc, start)
    bias = Tile("Bias", "Float", 1, 48)
    bodies.write(bias, start)
    tiles = {"Gemv": [acc, left, right], "GemvAcc": [acc, acc, left, right], "GemvBias": [acc, left, right, bias]}[op]
    bodies.run(op, tiles, cube=True)
    np.testing.assert_array_equal(bodies.read(acc), ascending(a, b, 0 if op == "Gemv" else start))


def test_an_operand_that_is_not_packed_is_read_wrongly(bodies):
    """The unit knows m and n, not the tile: 72 valid rows of a 128-row tile need the compact mode, as on the device."""
    rng = np.random.default_rng(3)
    a, b = rng.normal(0, 1, (72, 64)).astype(np.float16), rng.normal(0, 1, (64, 16)).astype(np.float16)
    right = Tile("Right", "Half", 64, 16, "ZN")
    bodies.write(right, b)
    acc = acc_tile(128, 16, valid=(72, 16), compact=1)
    results = []
    for compact in (0, 1):
        source = Tile("Mat", "Half", 128, 64, "NZ", valid=(72, 64))
        left = Tile("Left", "Half", 128, 64, "NZ", valid=(72, 64), compact=compact)
        bodies.write(source, np.zeros((128, 64)))
        bodies.write(source, a)
        bodies.run("Move", [left, source], cube=True)
        bodies.run("Matmul", [acc, left, right], cube=True)
        results.append(bodies.read(acc).copy())
    np.testing.assert_array_equal(results[1], ascending(a, b))
    assert not np.array_equal(results[0], results[1])


@pytest.mark.parametrize("accumulate", [False, True])
@pytest.mark.parametrize("kinds", [("Float8E4M3", "Float8E5M2"), ("Float4E2M1", "Float4E2M1")])
def test_mx_matmul(bodies, accumulate, kinds):
    m, k, n = 32, 128, 48
    rng = np.random.default_rng(4)
    four_bits = kinds[0].startswith("Float4")
    if four_bits:
        codes_a, codes_b = rng.integers(0, 16, (m, k)), rng.integers(0, 16, (k, n))
        table = np.arange(16, dtype=np.uint8).view(ml_dtypes.float4_e2m1fn).astype(np.float32)
        a, b = table[codes_a], table[codes_b]
    else:
        codes_a = rng.normal(0, 1, (m, k)).astype(ml_dtypes.float8_e4m3fn)
        codes_b = rng.normal(0, 1, (k, n)).astype(ml_dtypes.float8_e5m2)
        a, b = codes_a.astype(np.float32), codes_b.astype(np.float32)
    scale_a, scale_b = rng.integers(120, 135, (m, k // 32)), rng.integers(120, 135, (k // 32, n))
    left, right = Tile("Left", kinds[0], m, k, "NZ", addr=1024), Tile("Right", kinds[1], k, n, "ZN", addr=2048)
    left_scale = Tile("ScaleLeft", "Float8E8M0", m, k // 32, "ZZ", fractal=32, addr=64)
    right_scale = Tile("ScaleRight", "Float8E8M0", k // 32, n, "NN", fractal=32, addr=128)
    for tile, values in ((left, codes_a), (right, codes_b), (left_scale, scale_a), (right_scale, scale_b)):
        bodies.write(tile, values)
    acc = acc_tile(m, n)
    start = rng.normal(0, 1, (m, n)).astype(np.float32)
    bodies.write(acc, start)
    tiles = [acc, *([acc] if accumulate else []), left, left_scale, right, right_scale]
    bodies.run("MatmulMxAcc" if accumulate else "MatmulMx", tiles, cube=True)
    scaled_a = a * np.repeat(np.exp2(scale_a - 127.0), 32, axis=1).astype(np.float32)
    scaled_b = b * np.repeat(np.exp2(scale_b - 127.0), 32, axis=0).astype(np.float32)
    np.testing.assert_array_equal(bodies.read(acc), ascending(scaled_a, scaled_b, start if accumulate else 0))


@pytest.mark.parametrize(("left_code", "right_code"), [(0, 254), (254, 0), (254, 127), (239, 255), (255, 3)])
def test_mx_scales_at_the_ends_of_their_range(bodies, left_code, right_code):
    """The two factors of a group are applied to the product: neither operand leaves the range of FP32 by itself."""
    m, k, n = 16, 64, 16
    codes = np.full((m, k), 300.0).astype(ml_dtypes.float8_e5m2)
    left, right = Tile("Left", "Float8E5M2", m, k, "NZ"), Tile("Right", "Float8E5M2", k, n, "ZN")
    left_scale = Tile("ScaleLeft", "Float8E8M0", m, k // 32, "ZZ", fractal=32)
    right_scale = Tile("ScaleRight", "Float8E8M0", k // 32, n, "NN", fractal=32)
    bodies.write(left, codes)
    bodies.write(right, np.ones((k, n)).astype(ml_dtypes.float8_e5m2))
    bodies.write(left_scale, np.full((m, k // 32), left_code))
    bodies.write(right_scale, np.full((k // 32, n), right_code))
    acc = acc_tile(m, n)
    bodies.run("MatmulMx", [acc, left, left_scale, right, right_scale], cube=True)
    each = codes.astype(np.float64)[0, 0] * 2.0 ** (left_code + right_code - 254)
    expected = np.nan if 255 in (left_code, right_code) else each * k if each < 2.0**128 else np.inf
    np.testing.assert_array_equal(bodies.read(acc), np.full((m, n), expected, np.float32))
