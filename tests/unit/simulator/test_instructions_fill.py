"""Filling, padding, transposition, reinterpretation, comparison masks and selection."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest
from bodies import DTYPES, Tile

TYPES = ["Int8", "UInt8", "Int16", "UInt32", "Int64", "Half", "BFloat16", "Float"]


def data(dtype: str, rows: int, cols: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, 100, (rows, cols)).astype(DTYPES[dtype])


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize(("memory", "layout"), [("Vec", "ND"), ("Vec", "DN"), ("Mat", "NZ")])
def test_one_value(bodies, dtype, memory, layout):
    dst = Tile(memory, dtype, 32, 64, layout, valid=(13, 37))
    scalar, kind = (2.5, "Float") if dtype in ("Half", "BFloat16", "Float") else (-3 if dtype[0] == "I" else 3, "Int64")
    bodies.run("ExpandS", [dst], cube=memory == "Mat", scalar=scalar, scalar_dtype=kind)
    assert (bodies.read(dst) == np.array(scalar).astype(DTYPES[dtype])).all()
    rest = bodies.read(dst, 32, 64)[13:]
    assert (np.ascontiguousarray(rest).view(np.uint8) == 0xFF).all()


@pytest.mark.parametrize("dtype", ["Int16", "UInt16", "Int32", "UInt32"])
@pytest.mark.parametrize("descending", [0, 1])
def test_index_ramp_of_row_0(bodies, dtype, descending):
    dst = Tile("Vec", dtype, 2, 64, valid=(2, 41))
    bodies.run("FillIndex", [dst], scalar=100, scalar_dtype=dtype, reverse=descending)
    expected = 100 + np.arange(41) * (-1 if descending else 1)
    np.testing.assert_array_equal(bodies.read(dst)[0], expected.astype(DTYPES[dtype]))
    assert (bodies.read(dst)[1] == np.array(-1).astype(DTYPES[dtype])).all()


PADS = {
    "Int8": (127, -128),
    "UInt16": (65535, 0),
    "Int32": (2147483647, -2147483648),
    "Half": (np.inf, -np.inf),
    "BFloat16": (np.inf, -np.inf),
    "Float": (np.inf, -np.inf),
}


@pytest.mark.parametrize("op", ["FillPad", "FillPadExpand", "FillPadInplace"])
@pytest.mark.parametrize("pad", [1, 2, 3])
@pytest.mark.parametrize("dtype", PADS)
def test_padding(bodies, op, pad, dtype):
    values = data(dtype, 16, 64)
    src = Tile("Vec", dtype, 16, 64, valid=(11, 37), addr=0 if op == "FillPadInplace" else 32768)
    rows, cols = (24, 96) if op == "FillPadExpand" else (16, 64)
    dst = Tile("Vec", dtype, rows, cols, pad=pad)
    bodies.write(src, values)
    bodies.run(op, [dst, src])
    expected = np.full((rows, cols), 0 if pad == 1 else PADS[dtype][pad - 2]).astype(DTYPES[dtype])
    expected[:11, :37] = values[:11, :37]
    np.testing.assert_array_equal(bodies.read(dst), expected)


def test_padding_of_fractals_with_zeros(bodies):
    values = data("Half", 32, 64)
    src, dst = Tile("Mat", "Half", 32, 64, "NZ", valid=(20, 33)), Tile("Mat", "Half", 32, 64, "NZ", pad=1)
    bodies.write(src, values)
    bodies.run("FillPadInplace", [dst, src], cube=True)
    expected = np.zeros((32, 64), np.float16)
    expected[:20, :33] = values[:20, :33]
    np.testing.assert_array_equal(bodies.read(dst), expected)


@pytest.mark.parametrize("dtype", ["Int8", "Half", "Float"])
@pytest.mark.parametrize("valid", [(32, 64), (17, 41)])
def test_transposition(bodies, dtype, valid):
    values = data(dtype, 32, 64)
    src, dst = Tile("Vec", dtype, 32, 64, valid=valid, addr=32768), Tile("Vec", dtype, 64, 32, valid=valid[::-1])
    bodies.write(src, values)
    bodies.run("Transpose", [dst, src, src])
    np.testing.assert_array_equal(bodies.read(dst), values[: valid[0], : valid[1]].T)


def test_reshape_keeps_the_bytes(bodies):
    values = data("Half", 8, 64)
    src, dst = Tile("Vec", "Half", 8, 64, addr=8192), Tile("Vec", "Half", 16, 32)
    bodies.write(src, values)
    bodies.run("Reshape", [dst, src])
    np.testing.assert_array_equal(bodies.read(dst), values.reshape(16, 32))


COMPARISONS = [np.equal, np.not_equal, np.less, np.less_equal, np.greater, np.greater_equal]


def bits_of(mask: np.ndarray) -> np.ndarray:
    return np.packbits(mask, axis=1, bitorder="little")


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("mode", range(6))
@pytest.mark.parametrize("mask_cols", [32, 64])
def test_comparison_masks(bodies, dtype, mode, mask_cols):
    """One mask row per data row, at the pitch of the mask tile."""
    a, b = data(dtype, 16, 64, 1) // np.array(20, DTYPES[dtype]), data(dtype, 16, 64, 2) // np.array(20, DTYPES[dtype])
    left, right = Tile("Vec", dtype, 16, 64, valid=(13, 43), addr=32768), Tile("Vec", dtype, 16, 64, addr=65536)
    mask = Tile("Vec", "UInt8", 16, mask_cols)
    bodies.write(left, a)
    bodies.write(right, b)
    bodies.run("Cmp", [mask, left, right], compare=mode)
    expected = bits_of(COMPARISONS[mode](a, b)[:13, :43])
    np.testing.assert_array_equal(bodies.read(mask, 13, expected.shape[1]), expected)
    floating = dtype in ("Half", "BFloat16", "Float")
    bodies.run("CmpS", [mask, left], compare=mode, scalar=2, scalar_dtype="Float" if floating else "Int32")
    expected = bits_of(COMPARISONS[mode](a, np.array(2, a.dtype))[:13, :43])
    np.testing.assert_array_equal(bodies.read(mask, 13, expected.shape[1]), expected)


def test_nan_compares_unequal(bodies):
    values = np.array([[np.nan, 1, np.nan, 2, 3, 4, 5, 6]], np.float32)
    left, mask = Tile("Vec", "Float", 1, 8, addr=64), Tile("Vec", "UInt8", 1, 32)
    bodies.write(left, values)
    for mode, expected in ((0, 0b11111010), (1, 0b00000101)):
        bodies.run("Cmp", [mask, left, left], compare=mode)
        assert bodies.read(mask, 1, 1)[0, 0] == expected


@pytest.mark.parametrize("dtype", TYPES)
def test_selection(bodies, dtype):
    a, b = data(dtype, 16, 64, 1), data(dtype, 16, 64, 2)
    choice = np.random.default_rng(3).integers(0, 2, (16, 64)).astype(bool)
    left, right = Tile("Vec", dtype, 16, 64, addr=32768), Tile("Vec", dtype, 16, 64, addr=65536)
    mask, dst = Tile("Vec", "UInt8", 16, 32, addr=98304), Tile("Vec", dtype, 16, 64, valid=(13, 43))
    bodies.write(left, a)
    bodies.write(right, b)
    bodies.write(mask, bits_of(choice))
    bodies.run("Sel", [dst, mask, left, right, right])
    np.testing.assert_array_equal(bodies.read(dst), np.where(choice, a, b)[:13, :43])
    floating = a.dtype in (np.float16, np.float32, ml_dtypes.bfloat16)
    bodies.run("SelS", [dst, mask, left, right], scalar=9, scalar_dtype="Float" if floating else "Int32")
    np.testing.assert_array_equal(bodies.read(dst), np.where(choice, a, np.array(9, a.dtype))[:13, :43])


def test_compare_then_select_is_relu(bodies):
    values = np.random.default_rng(4).normal(0, 1, (32, 64)).astype(np.float16)
    src, dst = Tile("Vec", "Half", 32, 64, addr=32768), Tile("Vec", "Half", 32, 64)
    mask = Tile("Vec", "UInt8", 32, 32, addr=65536)
    bodies.write(src, values)
    bodies.run("CmpS", [mask, src], compare=4, scalar=0)
    bodies.run("SelS", [dst, mask, src, src], scalar=0)
    np.testing.assert_array_equal(bodies.read(dst), np.maximum(values, 0))
