"""Moves between on-chip memories against the layout model."""

from __future__ import annotations

from dataclasses import replace

import ml_dtypes
import numpy as np
import pytest
from bodies import DTYPES, Tile

KINDS = {"Int8": np.int8, "Half": np.float16, "Float": np.float32, "BFloat16": ml_dtypes.bfloat16}


def numbers(dtype: str, rows: int, cols: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).integers(-100, 100, (rows, cols)).astype(DTYPES[dtype])


def acc_tile(rows: int, cols: int, dtype: str = "Float", **fields) -> Tile:
    return Tile("Acc", dtype, rows, cols, "NZ", fractal=1024, **fields)


@pytest.mark.parametrize("dtype", ["Int8", "Half", "Float"])
@pytest.mark.parametrize("source", ["NZ", "ZN"])
@pytest.mark.parametrize(("memory", "layout"), [("Left", "NZ"), ("Right", "ZN"), ("Left", "ZZ")])
def test_l1_to_operand(bodies, dtype, source, memory, layout):
    values = numbers(dtype, 64, 96)
    src, dst = Tile("Mat", dtype, 64, 96, source, addr=1024), Tile(memory, dtype, 64, 96, layout)
    bodies.write(src, values)
    bodies.run("Move", [dst, src], cube=True)
    np.testing.assert_array_equal(bodies.read(dst), values)


def test_l1_to_a_compact_operand_packs_the_valid_rows(bodies):
    values = numbers("Half", 128, 64)
    src = Tile("Mat", "Half", 128, 64, "NZ", valid=(72, 64))
    bodies.write(src, values)
    left = Tile("Left", "Half", 128, 64, "NZ", valid=(72, 64), compact=1)
    bodies.run("Move", [left, src], cube=True)
    np.testing.assert_array_equal(bodies.read(left), values[:72])
    # Packed to 80 rows: the same as a tile of 80 physical rows.
    np.testing.assert_array_equal(bodies.read(Tile("Left", "Half", 80, 64, "NZ"), 72, 64), values[:72])


@pytest.mark.parametrize(("row", "col"), [(0, 0), (16, 32), (32, 16)])
def test_extract_of_an_operand(bodies, row, col):
    values = numbers("Half", 64, 64)
    src, dst = Tile("Mat", "Half", 64, 64, "NZ"), Tile("Right", "Half", 32, 32, "ZN")
    bodies.write(src, values)
    bodies.run("Extract", [dst, src], cube=True, row=row, col=col)
    np.testing.assert_array_equal(bodies.read(dst), values[row : row + 32, col : col + 32])


def test_extract_stops_at_the_end_of_the_source(bodies):
    values = numbers("Half", 64, 64)
    src, dst = Tile("Mat", "Half", 64, 64, "NZ"), Tile("Left", "Half", 64, 64, "NZ")
    bodies.write(src, values)
    bodies.run("Extract", [dst, src], cube=True, row=48, col=32)
    got = bodies.read(dst, 64, 64)
    np.testing.assert_array_equal(got[:16, :32], values[48:, 32:])
    assert np.isnan(got[16:]).all()


@pytest.mark.parametrize("dtype", ["Half", "BFloat16", "Float"])
def test_bias_is_float_in_the_bias_table(bodies, dtype):
    values = numbers(dtype, 1, 64)
    src, dst = Tile("Mat", dtype, 1, 64), Tile("Bias", "Float", 1, 64)
    bodies.write(src, values)
    bodies.run("Move", [dst, src], cube=True)
    np.testing.assert_array_equal(bodies.read(dst), values.astype(np.float32))


def test_scale_words_and_mx_scales(bodies):
    words = np.random.default_rng(1).integers(0, 1 << 60, (1, 32)).astype(np.uint64)
    src, dst = Tile("Mat", "UInt64", 1, 32), Tile("Scaling", "UInt64", 1, 32)
    bodies.write(src, words)
    bodies.run("Move", [dst, src], cube=True)
    np.testing.assert_array_equal(bodies.read(dst), words)
    scales = np.random.default_rng(2).integers(0, 255, (32, 8)).astype(np.uint8)
    src, dst = (
        Tile("Mat", "Float8E8M0", 32, 8, "ZZ", fractal=32, addr=4096),
        Tile("ScaleLeft", "Float8E8M0", 32, 8, "ZZ", fractal=32),
    )
    bodies.write(src, scales)
    bodies.run("Move", [dst, src], cube=True)
    np.testing.assert_array_equal(bodies.read(dst), scales)


@pytest.mark.parametrize(
    ("dtype", "kind"), [("Float", np.float32), ("Half", np.float16), ("BFloat16", ml_dtypes.bfloat16)]
)
@pytest.mark.parametrize("layout", ["ND", "DN", "NZ"])
@pytest.mark.parametrize("mode", [255, 0, 1])
def test_accumulator_to_one_vector_core(bodies, dtype, kind, layout, mode):
    values = np.random.default_rng(3).normal(0, 10, (64, 64)).astype(np.float32)
    bodies.write(acc_tile(64, 64), values)
    src, dst = acc_tile(64, 64, valid=(50, 40)), Tile("Vec", dtype, 64, 64, layout, valid=(50, 40), addr=512)
    bodies.run("Move", [dst, src], cube=True, acc_to_vec=mode)
    target, other = ("UB1", "UB0") if mode == 1 else ("UB0", "UB1")
    np.testing.assert_array_equal(bodies.read(dst, memory=target), values[:50, :40].astype(kind))
    assert (bodies.memories[other] == 0xFF).all()


@pytest.mark.parametrize("rows", [64, 33, 1])
def test_accumulator_split_by_rows(bodies, rows):
    values = np.random.default_rng(4).normal(0, 10, (rows, 32)).astype(np.float32)
    src = acc_tile(64, 32, valid=(rows, 32), compact=1)
    bodies.write(src, values)
    half = -(-rows // 2)
    dst = Tile("Vec", "Float", 32, 32)
    bodies.run("Move", [dst, src], cube=True, acc_to_vec=2)
    np.testing.assert_array_equal(bodies.read(dst, half, 32, memory="UB0"), values[:half])
    np.testing.assert_array_equal(bodies.read(dst, rows - half, 32, memory="UB1"), values[half:])


@pytest.mark.parametrize("cols", [64, 33, 96, 16])
def test_accumulator_split_by_columns(bodies, cols):
    values = np.random.default_rng(5).normal(0, 10, (16, cols)).astype(np.float32)
    src = acc_tile(16, 96, valid=(16, cols))
    bodies.write(src, values)
    half = -(-cols // 32) * 16
    dst = Tile("Vec", "Half", 16, 64)
    bodies.run("Move", [dst, src], cube=True, acc_to_vec=3)
    first, second = min(half, cols), max(cols - half, 0)
    np.testing.assert_array_equal(bodies.read(dst, 16, first, memory="UB0"), values[:, :first].astype(np.float16))
    np.testing.assert_array_equal(bodies.read(dst, 16, second, memory="UB1"), values[:, half:].astype(np.float16))


def test_extract_and_split(bodies):
    values = np.random.default_rng(8).normal(0, 10, (64, 64)).astype(np.float32)
    bodies.write(acc_tile(64, 64), values)
    # What of the source is valid gives the size; the destination may name what both cores hold together.
    src, dst = acc_tile(64, 64, valid=(64, 32)), Tile("Vec", "Float", 32, 32, valid=(64, 32))
    bodies.run("Extract", [dst, src], cube=True, col=32, acc_to_vec=2)
    dst = replace(dst, valid=(32, 32))
    np.testing.assert_array_equal(bodies.read(dst, memory="UB0"), values[:32, 32:])
    np.testing.assert_array_equal(bodies.read(dst, memory="UB1"), values[32:, 32:])


def test_accumulator_with_relu_and_scale(bodies):
    values = np.random.default_rng(6).normal(0, 10, (16, 32)).astype(np.float32)
    src, dst = acc_tile(16, 32), Tile("Vec", "Half", 16, 32)
    bodies.write(src, values)
    bodies.run("Move", [dst, src], cube=True, relu=1, scale=int(np.float32(0.375).view(np.uint32)))
    expected = (np.maximum(values, 0) * np.float32(0.375)).astype(np.float16)
    np.testing.assert_array_equal(bodies.read(dst, memory="UB0"), expected)


def test_accumulator_windows(bodies):
    values = np.random.default_rng(7).normal(0, 10, (64, 64)).astype(np.float32)
    src, dst = acc_tile(64, 64), Tile("Vec", "Float", 16, 32)
    bodies.write(src, values)
    bodies.run("Extract", [dst, src], cube=True, row=32, col=16)
    np.testing.assert_array_equal(bodies.read(dst, memory="UB0"), values[32:48, 16:48])
    mat = Tile("Mat", "Half", 128, 128, "NZ")
    bodies.run("Insert", [mat, src], cube=True, row=64, col=32)
    np.testing.assert_array_equal(bodies.read(mat, 128, 128)[64:, 32:96], values.astype(np.float16))


@pytest.mark.parametrize("compact", [0, 1, 2])
@pytest.mark.parametrize("dtype", ["Int8", "Half", "Float"])
def test_ub_to_l1_through_fractals(bodies, compact, dtype):
    """ND to NZ in UB, then an insert into the cube core's L1 at an offset."""
    rows, cols = 32, 64
    values = numbers(dtype, rows, cols)
    plain = Tile("Vec", dtype, rows, cols)
    fractals = Tile("Vec", dtype, rows + (compact == 2), cols, "NZ", valid=(rows, cols), addr=65536, compact=compact)
    mat = Tile("Mat", dtype, 128, 128, "NZ", addr=2048)
    bodies.write(plain, values)
    bodies.run("Move", [fractals, plain])
    np.testing.assert_array_equal(bodies.read(fractals), values)
    bodies.run("Insert", [mat, fractals], row=48, col=64)
    got = bodies.read(mat, 128, 128, memory="L1")
    np.testing.assert_array_equal(got[48 : 48 + rows, 64 : 64 + cols], values)
    untouched = np.ones((128, 128), bool)
    untouched[48 : 48 + rows, 64 : 64 + cols] = False
    assert (np.ascontiguousarray(got[untouched]).view(np.uint8) == 0xFF).all()


@pytest.mark.parametrize("dtype", ["Int8", "Half", "Float"])
def test_nz_fractals_laid_into_a_zn_tile_turn_the_matrix(bodies, dtype):
    """The offset counts rows and columns of the source's matrix, which the ZN tile holds transposed."""
    values = numbers(dtype, 96, 32)
    fractals = Tile("Vec", dtype, 96, 32, "NZ")
    mat = Tile("Mat", dtype, 64, 128, "ZN", addr=4096)
    bodies.write(fractals, values)
    bodies.run("Insert", [mat, fractals], row=16, col=32)
    got = bodies.read(mat, 64, 128, memory="L1")
    np.testing.assert_array_equal(got[32:, 16:112], values.T)


def test_move_in_ub_and_to_l1(bodies):
    values = numbers("Half", 32, 32)
    src, copy = Tile("Vec", "Half", 32, 32, valid=(20, 24)), Tile("Vec", "Half", 32, 48, valid=(20, 24), addr=8192)
    bodies.write(src, values)
    bodies.run("Move", [copy, src])
    np.testing.assert_array_equal(bodies.read(copy), values[:20, :24])
    mat = Tile("Mat", "Half", 32, 32, "NZ")
    bodies.run("Move", [mat, src])
    np.testing.assert_array_equal(bodies.read(mat, 20, 24, memory="L1"), values[:20, :24])


@pytest.mark.parametrize(("row", "col"), [(0, 0), (3, 5)])
def test_extract_and_insert_in_ub(bodies, row, col):
    values = numbers("Float", 32, 32)
    big, small = Tile("Vec", "Float", 32, 32), Tile("Vec", "Float", 16, 16, valid=(9, 11), addr=8192)
    bodies.write(big, values)
    bodies.run("Extract", [small, big], row=row, col=col)
    np.testing.assert_array_equal(bodies.read(small), values[row : row + 9, col : col + 11])
    bodies.write(small, -values[:9, :11])
    bodies.run("Insert", [big, small], row=row, col=col)
    values[row : row + 9, col : col + 11] = -values[:9, :11]
    np.testing.assert_array_equal(bodies.read(big), values)
