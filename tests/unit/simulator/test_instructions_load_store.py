"""Load and store against numpy slices: layouts, valid shapes, strides, padding, fixpipe and atomics."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest
from bodies import DTYPES, Tile, Window, window_2d
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

STORED = ["Int8", "UInt16", "Half", "BFloat16", "Float", "Int64", "Float8E4M3"]


def matrix(dtype: str, rows: int, cols: int, seed: int = 0) -> np.ndarray:
    """Random bits as elements: any bit pattern must survive a transfer."""
    kind = np.dtype(DTYPES[dtype])
    raw = np.random.default_rng(seed).integers(0, 256, rows * cols * kind.itemsize, dtype=np.uint8)
    return raw.view(kind).reshape(rows, cols)


def same_bits(got: np.ndarray, expected: np.ndarray) -> None:
    unsigned = f"u{expected.dtype.itemsize}"
    np.testing.assert_array_equal(
        np.ascontiguousarray(got).view(unsigned), np.ascontiguousarray(expected).view(unsigned)
    )


@pytest.mark.parametrize("dtype", STORED)
@pytest.mark.parametrize("valid", [(16, 64), (13, 37), (1, 1)])
def test_load_row_major(bodies, dtype, valid):
    source = matrix(dtype, 40, 90)
    tile = Tile("Vec", dtype, 16, 64, valid=valid, addr=256)
    bodies.run("Load", [tile], window_2d(source, dtype, *valid, origin=(3, 5)))
    same_bits(bodies.read(tile), source[3 : 3 + valid[0], 5 : 5 + valid[1]])
    outside = bodies.read(tile, 16, 64)[:, valid[1] :]
    assert (np.ascontiguousarray(outside).view(np.uint8) == 0xFF).all()


@pytest.mark.parametrize("dtype", ["Int8", "Half", "Float"])
@pytest.mark.parametrize("layout", ["ND", "DN", "NZ", "ZN"])
@pytest.mark.parametrize("order", ["ND", "DN"])
def test_load_into_every_layout_plain_and_transposed(bodies, dtype, layout, order):
    rows, cols, valid = 64, 64, (50, 39)
    tile = Tile("Mat", dtype, rows, cols, layout, valid=valid)
    if order == "ND":
        source = matrix(dtype, 70, 80)
        window = window_2d(source, dtype, *valid, origin=(2, 7))
        expected = source[2 : 2 + valid[0], 7 : 7 + valid[1]]
    else:  # tile rows walk the last axis of the tensor
        source = matrix(dtype, 80, 70)
        window = Window(source, (1, 1, 1, *valid), (0, 0, 0, 1, 70), dtype, 1, (7 * 70 + 2) * source.dtype.itemsize)
        expected = source.T[2 : 2 + valid[0], 7 : 7 + valid[1]]
    bodies.run("Load", [tile], window, cube=True)
    same_bits(bodies.read(tile), expected)


def test_load_fills_the_last_fractal_line_with_zeros(bodies):
    source = matrix("Half", 20, 20)
    nz = Tile("Mat", "Half", 32, 64, "NZ", valid=(20, 20))
    bodies.run("Load", [nz], window_2d(source, "Half", 20, 20), cube=True)
    assert (bodies.read(nz, 20, 32)[:, 20:] == 0).all()
    assert np.isnan(bodies.read(nz, 32, 32)[20:, :]).all(), "rows beyond the valid ones are not touched"
    zn = Tile("Mat", "Half", 32, 64, "ZN", valid=(20, 20), addr=65536)
    bodies.run("Load", [zn], Window(source, (1, 1, 1, 20, 20), (0, 0, 0, 1, 20), "Half", 1), cube=True)
    assert (bodies.read(zn, 32, 20)[20:, :] == 0).all()


@pytest.mark.parametrize("pad", [1, 2, 3])
@pytest.mark.parametrize(
    ("dtype", "values"), [("Float", [0, np.inf, -np.inf]), ("Int16", [0, 32767, -32768]), ("UInt8", [0, 255, 0])]
)
def test_load_pads_a_row_to_its_block(bodies, pad, dtype, values):
    source = matrix(dtype, 4, 32)
    tile = Tile("Vec", dtype, 4, 96, valid=(4, 21), pad=pad)
    bodies.run("Load", [tile], window_2d(source, dtype, 4, 21))
    block = 32 // np.dtype(DTYPES[dtype]).itemsize
    end = -(-21 // block) * block
    got = bodies.read(tile, 4, 96)
    same_bits(got[:, :21], source[:, :21])
    assert (got[:, 21:end] == values[pad - 1]).all()
    assert (np.ascontiguousarray(got[:, end:]).view(np.uint8) == 0xFF).all()


def test_load_stacks_leading_axes_along_the_rows(bodies):
    source = np.arange(2 * 3 * 5 * 8, dtype=np.float32).reshape(2, 3, 5, 8)
    window = Window(source, (1, 2, 3, 5, 8), (240, 120, 40, 8, 1), "Float")
    tile = Tile("Vec", "Float", 30, 8)
    bodies.run("Load", [tile], window)
    np.testing.assert_array_equal(bodies.read(tile), source.reshape(30, 8))


@pytest.mark.parametrize("dtype", ["Int8", "Half", "Float"])
def test_nz_in_global_memory(bodies, dtype):
    line = 32 // np.dtype(DTYPES[dtype]).itemsize
    rows, cols = 48, 4 * line
    plain = matrix(dtype, rows, cols)
    fractals = np.ascontiguousarray(plain.reshape(3, 16, 4, line).transpose(2, 0, 1, 3))
    window = Window(fractals, (1, 4, 3, 16, line), (0, rows * line, 16 * line, line, 1), dtype, 2)
    tile = Tile("Mat", dtype, rows, cols, "NZ")
    bodies.run("Load", [tile], window, cube=True)
    same_bits(bodies.read(tile), plain)
    vec = Tile("Vec", dtype, rows, cols)
    bodies.write(vec, plain)
    out = np.zeros_like(fractals)
    bodies.run("Store", [vec], Window(out, window.shape, window.stride, dtype, 2))
    same_bits(out, fractals)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    dtype=st.sampled_from(["Int8", "Half", "Float"]),
    layouts=st.lists(st.sampled_from(["ND", "NZ", "ZN", "DN"]), min_size=1, max_size=3),
    rows=st.integers(1, 64),
    cols=st.integers(1, 64),
    seed=st.integers(0, 1000),
)
def test_layout_round_trip(bodies, dtype, layouts, rows, cols, seed):
    """Load, move through any chain of layouts, store: the same bytes come out, and only there."""
    source = matrix(dtype, rows + 2, cols + 3, seed)
    tile = Tile("Vec", dtype, 64, 64, valid=(rows, cols))
    bodies.run("Load", [tile], window_2d(source, dtype, rows, cols, origin=(1, 2)))
    for step, layout in enumerate(layouts, 1):
        # Fractals that are packed to the valid rows are declared so.
        target = Tile("Vec", dtype, 64, 64, layout, (rows, cols), 32768 * step, compact=int(layout in ("NZ", "ZN")))
        bodies.run("Move", [target, tile])
        tile = target
    out = np.full_like(matrix(dtype, rows + 2, cols + 3), 0)
    bodies.run("Store", [tile], window_2d(out, dtype, rows, cols, origin=(1, 2)))
    expected = np.zeros_like(source)
    expected[1 : 1 + rows, 2 : 2 + cols] = source[1 : 1 + rows, 2 : 2 + cols]
    same_bits(out, expected)


def acc_tile(rows: int, cols: int, dtype: str = "Float", **fields) -> Tile:
    return Tile("Acc", dtype, rows, cols, "NZ", fractal=1024, **fields)


@pytest.mark.parametrize(
    ("dtype", "kind"), [("Float", np.float32), ("Half", np.float16), ("BFloat16", ml_dtypes.bfloat16)]
)
@pytest.mark.parametrize("valid", [(48, 64), (33, 17)])
@pytest.mark.parametrize("relu", [0, 1])
def test_store_of_an_accumulator(bodies, dtype, kind, valid, relu):
    values = np.random.default_rng(4).normal(0, 100, (48, 64)).astype(np.float32)
    tile = acc_tile(48, 64, valid=valid)
    bodies.write(acc_tile(48, 64), values)
    out = np.full((50, 70), 7, kind)
    bodies.run("Store", [tile], window_2d(out, dtype, *valid, origin=(1, 3)), cube=True, relu=relu)
    part = values[: valid[0], : valid[1]]
    expected = np.full((50, 70), 7, kind)
    expected[1 : 1 + valid[0], 3 : 3 + valid[1]] = (np.maximum(part, 0) if relu else part).astype(kind)
    same_bits(out, expected)


def test_store_of_a_compact_accumulator_uses_the_valid_rows_as_pitch(bodies):
    values = np.random.default_rng(4).normal(0, 1, (33, 64)).astype(np.float32)
    packed = acc_tile(48, 64, valid=(33, 64))
    bodies.write(acc_tile(128, 64, valid=(33, 64), compact=1), values)
    out = np.zeros((33, 64), np.float32)
    bodies.run("Store", [acc_tile(128, 64, valid=(33, 64), compact=1)], window_2d(out, "Float", 33, 64), cube=True)
    np.testing.assert_array_equal(out, values)
    bodies.run("Store", [packed], window_2d(out, "Float", 33, 64), cube=True)
    np.testing.assert_array_equal(out, values)


def scale_word(scale: float, offset: int = 0) -> int:
    return int(np.float32(scale).view(np.uint32)) | (offset & 0x1FF) << 37 | 1 << 46


def factor(scale: float) -> np.float32:
    """A scale as the fixpipe reads it: 10 bits of mantissa."""
    return (np.float32(scale).view(np.uint32) & np.uint32(0xFFFFE000)).view(np.float32)


@pytest.mark.parametrize(
    ("source", "target", "kind"),
    [
        ("Float", "Int8", np.int8),
        ("Int32", "Int8", np.int8),
        ("Int32", "Half", np.float16),
        ("Float", "UInt8", np.uint8),
    ],
)
def test_store_with_a_scale(bodies, source, target, kind):
    rng = np.random.default_rng(5)
    values = rng.normal(0, 300, (32, 32)).astype(np.float32)
    values = values.round().astype(np.int32) if source == "Int32" else values
    tile = acc_tile(32, 32, source)
    bodies.write(tile, values)
    out = np.zeros((32, 32), kind)
    bodies.run("Store", [tile], window_2d(out, target, 32, 32), cube=True, scale=scale_word(0.37, 3))
    product = values.astype(np.float32) * factor(0.37)
    if kind == np.float16:
        expected = product.astype(np.float16)
    else:
        limits = np.iinfo(kind)
        expected = np.clip(np.rint(product) + 3, limits.min, limits.max).astype(kind)
    np.testing.assert_array_equal(out, expected)


def test_store_with_a_scale_per_column(bodies):
    values = np.random.default_rng(6).normal(0, 50, (32, 48)).astype(np.float32)
    scales = np.linspace(0.1, 2, 48).astype(np.float32)
    tile, words = acc_tile(32, 48), Tile("Scaling", "UInt64", 1, 48)
    bodies.write(tile, values)
    bodies.write(words, np.array([[scale_word(float(scale)) for scale in scales]], np.uint64))
    out = np.zeros((32, 48), np.int8)
    bodies.run("StoreFp", [tile, words], window_2d(out, "Int8", 32, 48), cube=True)
    factors = np.array([factor(scale) for scale in scales])
    assert not np.array_equal(factors, scales)
    np.testing.assert_array_equal(out, np.clip(np.rint(values * factors), -128, 127).astype(np.int8))


@pytest.mark.parametrize(
    ("dtype", "kind"),
    [
        ("Float", np.float32),
        ("Half", np.float16),
        ("BFloat16", ml_dtypes.bfloat16),
        ("Int32", np.int32),
        ("Int8", np.int8),
    ],
)
@pytest.mark.parametrize("atomic", [1, 2, 3])
def test_atomic_store(bodies, dtype, kind, atomic):
    rng = np.random.default_rng(7)
    old = rng.integers(-50, 50, (20, 40)).astype(kind)
    new = rng.integers(-50, 50, (16, 32)).astype(kind)
    tile = Tile("Vec", dtype, 16, 32)
    bodies.write(tile, new)
    out = old.copy()
    bodies.run("Store", [tile], window_2d(out, dtype, 16, 32, origin=(2, 3)), atomic=atomic)
    expected = old.copy()
    part = expected[2:18, 3:35]
    combine = {1: np.add, 2: np.maximum, 3: np.minimum}[atomic]
    part[:] = combine(part.astype(np.float32), new.astype(np.float32)).astype(kind)
    np.testing.assert_array_equal(out, expected)


def test_atomic_store_of_an_accumulator(bodies):
    values = np.random.default_rng(8).normal(0, 1, (16, 32)).astype(np.float32)
    tile = acc_tile(16, 32)
    bodies.write(tile, values)
    out = np.ones((16, 32), np.float16)
    bodies.run("Store", [tile], window_2d(out, "Half", 16, 32), cube=True, atomic=1)
    expected = (np.float32(1) + values.astype(np.float16).astype(np.float32)).astype(np.float16)
    np.testing.assert_array_equal(out, expected)


@pytest.mark.parametrize("layout", [4, 5, 6])
def test_mx_scale_of_the_left_operand(bodies, layout):
    scales = np.random.default_rng(9).integers(0, 255, (32, 8), dtype=np.uint8)
    pairs = scales.reshape(32, 4, 2)
    if layout == 4:  # [M, K/64, 2]
        source, shape, stride = np.ascontiguousarray(pairs), (1, 1, 32, 4, 2), (0, 0, 8, 2, 1)
    elif layout == 5:  # [K/64, M, 2]
        source = np.ascontiguousarray(pairs.transpose(1, 0, 2))
        shape, stride = (1, 1, 4, 32, 2), (0, 0, 64, 2, 1)
    else:  # fractals [M/16, K/64, 16, 2]
        source = np.ascontiguousarray(pairs.reshape(2, 16, 4, 2).transpose(0, 2, 1, 3))
        shape, stride = (1, 2, 4, 16, 2), (0, 128, 32, 2, 1)
    tile = Tile("Mat", "Float8E8M0", 32, 8, "ZZ", fractal=32)
    bodies.run("Load", [tile], Window(source, shape, stride, "Float8E8M0", layout), cube=True)
    np.testing.assert_array_equal(bodies.read(tile), scales)


@pytest.mark.parametrize("layout", [7, 8, 9])
def test_mx_scale_of_the_right_operand(bodies, layout):
    scales = np.random.default_rng(9).integers(0, 255, (8, 32), dtype=np.uint8)
    pairs = scales.reshape(4, 2, 32)  # [K/64, 2, N]
    if layout == 7:  # [K/64, N, 2]
        source = np.ascontiguousarray(pairs.transpose(0, 2, 1))
        shape, stride = (1, 1, 4, 32, 2), (0, 0, 64, 2, 1)
    elif layout == 8:  # [N, K/64, 2]
        source = np.ascontiguousarray(pairs.transpose(2, 0, 1))
        shape, stride = (1, 1, 32, 4, 2), (0, 0, 8, 2, 1)
    else:  # fractals [N/16, K/64, 16, 2]
        source = np.ascontiguousarray(pairs.reshape(4, 2, 2, 16).transpose(2, 0, 3, 1))
        shape, stride = (1, 2, 4, 16, 2), (0, 128, 32, 2, 1)
    tile = Tile("Mat", "Float8E8M0", 8, 32, "NN", fractal=32)
    bodies.run("Load", [tile], Window(source, shape, stride, "Float8E8M0", layout), cube=True)
    np.testing.assert_array_equal(bodies.read(tile), scales)


def test_load_of_four_bit_elements(bodies):
    codes = np.random.default_rng(10).integers(0, 16, (32, 64), dtype=np.uint8)
    packed = np.ascontiguousarray(codes[:, 0::2] | codes[:, 1::2] << 4)
    window = Window(packed, (1, 1, 1, 32, 64), (0, 0, 0, 64, 1), "Float4E2M1")
    tile = Tile("Mat", "Float4E2M1", 32, 128, "NZ", valid=(32, 64))
    bodies.run("Load", [tile], window, cube=True)
    np.testing.assert_array_equal(bodies.read(tile), codes)
