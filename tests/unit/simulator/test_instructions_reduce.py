"""Reductions and broadcasts against numpy, with the order of summation that the bodies promise."""

from __future__ import annotations

import numpy as np
import pytest
from bodies import DTYPES, Tile

FLOATS = ("Half", "BFloat16", "Float")


def data(dtype: str, rows: int, cols: int, seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    if dtype in FLOATS:
        return rng.normal(0, 2, (rows, cols)).astype(DTYPES[dtype])
    limits = np.iinfo(DTYPES[dtype])
    return rng.integers(limits.min, limits.max, (rows, cols), dtype=DTYPES[dtype], endpoint=True)


def ascending(function, values: np.ndarray, axis: int) -> np.ndarray:
    """A reduction in ascending order, in float for floats, rounded to the type at the end."""
    kind = values.dtype
    work = np.moveaxis(values if kind.kind in "iu" else values.astype(np.float32), axis, 0)
    total = work[0].copy()
    with np.errstate(over="ignore"):
        for item in work[1:]:
            total = function(total, item)
        return total.astype(kind)


REDUCTIONS = {"Sum": np.add, "Prod": np.multiply, "Max": np.maximum, "Min": np.minimum}


@pytest.mark.parametrize("dtype", ["Int8", "Int16", "Int32", "Int64", "UInt16", "UInt64", *FLOATS])
@pytest.mark.parametrize("op", REDUCTIONS)
@pytest.mark.parametrize("valid", [(24, 64), (21, 37), (1, 1), (9, 3)])
def test_rows_and_columns(bodies, op, dtype, valid):
    values = data(dtype, 24, 64)
    src = Tile("Vec", dtype, 24, 64, valid=valid)
    bodies.write(src, values)
    part = values[: valid[0], : valid[1]]
    column = Tile("Vec", dtype, 32, 1, "DN", valid=(valid[0], 1), addr=65536)
    bodies.run("Row" + op, [column, src, src])
    np.testing.assert_array_equal(bodies.read(column)[:, 0], ascending(REDUCTIONS[op], part, 1))
    row = Tile("Vec", dtype, 1, 64, valid=(1, valid[1]), addr=98304)
    bodies.run("Col" + op, [row, src])
    np.testing.assert_array_equal(bodies.read(row)[0], ascending(REDUCTIONS[op], part, 0))


def test_nan_wins_in_max_and_min(bodies):
    values = np.ones((8, 64), np.float32)
    values[3, 40] = np.nan
    src, column = Tile("Vec", "Float", 8, 64), Tile("Vec", "Float", 8, 1, "DN", addr=8192)
    bodies.write(src, values)
    for op in ("RowMax", "RowMin"):
        bodies.run(op, [column, src, src])
        np.testing.assert_array_equal(np.isnan(bodies.read(column)[:, 0]), np.arange(8) == 3)


def test_the_source_may_be_in_any_layout(bodies):
    values = data("Half", 32, 32)
    for layout in ("DN", "NZ"):
        src, column = Tile("Vec", "Half", 32, 32, layout), Tile("Vec", "Half", 32, 1, "DN", addr=8192)
        bodies.write(src, values)
        bodies.run("RowSum", [column, src, src])
        np.testing.assert_array_equal(bodies.read(column)[:, 0], ascending(np.add, values, 1))


@pytest.mark.parametrize("dtype", ["Int8", "UInt16", "Int32", *FLOATS])
@pytest.mark.parametrize("best", ["Max", "Min"])
def test_arguments(bodies, best, dtype):
    values = (data(dtype, 16, 48).astype(np.float64) / 10).round().astype(DTYPES[dtype])  # many ties
    src = Tile("Vec", dtype, 16, 48, valid=(13, 35))
    bodies.write(src, values)
    part = values[:13, :35].astype(np.float64)
    find = np.argmax if best == "Max" else np.argmin
    column, row = (
        Tile("Vec", "Int32", 16, 1, "DN", valid=(13, 1), addr=65536),
        Tile("Vec", "UInt32", 1, 48, valid=(1, 35), addr=98304),
    )
    bodies.run("RowArg" + best, [column, src, src])
    bodies.run("ColArg" + best, [row, src, src])
    np.testing.assert_array_equal(bodies.read(column)[:, 0], find(part, axis=1))
    np.testing.assert_array_equal(bodies.read(row)[0], find(part, axis=0))


OPERATIONS = {
    "Add": np.add,
    "Sub": np.subtract,
    "Mul": np.multiply,
    "Max": np.maximum,
    "Min": np.minimum,
    "Div": np.divide,
}


def combine(op: str, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    kind = a.dtype
    with np.errstate(all="ignore"):
        if kind.kind in "iu":
            return OPERATIONS[op](a, b).astype(kind)
        return OPERATIONS[op](a.astype(np.float32), b.astype(np.float32)).astype(kind)


def operations_for(dtype: str) -> list[str]:
    return [op for op in OPERATIONS if op != "Div" or dtype in FLOATS]


@pytest.mark.parametrize("dtype", ["Int8", "Int16", "Int32", *FLOATS])
@pytest.mark.parametrize("swapped", [False, True])
def test_a_column_along_the_rows(bodies, dtype, swapped):
    values, column = data(dtype, 16, 64, 1), data(dtype, 16, 1, 2)
    full = Tile("Vec", dtype, 16, 64, valid=(13, 37), addr=16384)
    narrow = Tile("Vec", dtype, 32, 1, "DN", valid=(13, 1), addr=32768)
    dst = Tile("Vec", dtype, 16, 64, valid=(13, 37))
    bodies.write(full, values)
    bodies.write(narrow, column)
    for op in operations_for(dtype):
        bodies.run("RowExpand" + op, [dst, narrow, full] if swapped else [dst, full, narrow])
        first, second = (
            (np.broadcast_to(column, values.shape), values)
            if swapped
            else (values, np.broadcast_to(column, values.shape))
        )
        np.testing.assert_array_equal(bodies.read(dst), combine(op, first, second)[:13, :37])


@pytest.mark.parametrize("dtype", ["Half", "Float", "Int8"])
def test_a_block_of_32_bytes_repeats_along_the_row(bodies, dtype):
    width = 32 // np.dtype(DTYPES[dtype]).itemsize
    values, block = data(dtype, 8, 64, 1), data(dtype, 8, width, 2)
    full, narrow = Tile("Vec", dtype, 8, 64, addr=8192), Tile("Vec", dtype, 8, width, addr=16384)
    dst = Tile("Vec", dtype, 8, 64)
    bodies.write(full, values)
    bodies.write(narrow, block)
    bodies.run("RowExpandSub", [dst, full, narrow])
    np.testing.assert_array_equal(bodies.read(dst), combine("Sub", values, np.tile(block, 64 // width)))


@pytest.mark.parametrize("dtype", ["Int8", "Int16", "Int32", *FLOATS])
def test_a_row_along_the_columns(bodies, dtype):
    values, row = data(dtype, 16, 64, 1), data(dtype, 1, 64, 2)
    full, narrow = (
        Tile("Vec", dtype, 16, 64, valid=(13, 37), addr=16384),
        Tile("Vec", dtype, 1, 64, valid=(1, 37), addr=32768),
    )
    dst = Tile("Vec", dtype, 16, 64, valid=(13, 37))
    bodies.write(full, values)
    bodies.write(narrow, row)
    for op in operations_for(dtype):
        bodies.run("ColExpand" + op, [dst, full, narrow])
        np.testing.assert_array_equal(
            bodies.read(dst), combine(op, values, np.broadcast_to(row, values.shape))[:13, :37]
        )


@pytest.mark.parametrize("dtype", ["UInt8", "Half", "Float", "Int64"])
def test_plain_broadcasts(bodies, dtype):
    column, row = data(dtype, 16, 1), data(dtype, 1, 64)
    dst = Tile("Vec", dtype, 16, 64, valid=(9, 41))
    narrow_column, narrow_row = Tile("Vec", dtype, 32, 1, "DN", addr=16384), Tile("Vec", dtype, 1, 64, addr=32768)
    bodies.write(narrow_column, column)
    bodies.write(narrow_row, row)
    bodies.run("RowExpand", [dst, narrow_column])
    np.testing.assert_array_equal(bodies.read(dst), np.broadcast_to(column, (16, 64))[:9, :41])
    bodies.run("ColExpand", [dst, narrow_row])
    np.testing.assert_array_equal(bodies.read(dst), np.broadcast_to(row, (16, 64))[:9, :41])


@pytest.mark.parametrize("dtype", ["Half", "Float"])
def test_exp_of_a_difference(bodies, dtype):
    """Softmax's inner step: exactly exp of the difference that a subtraction in float gives."""
    values = data(dtype, 16, 64)
    maximum = values.max(axis=1, keepdims=True)
    full, narrow = Tile("Vec", dtype, 16, 64, addr=16384), Tile("Vec", dtype, 16, 1, "DN", addr=32768)
    bodies.write(full, values)
    bodies.write(narrow, maximum)
    dst = Tile("Vec", dtype, 16, 64)
    bodies.run("RowExpandExpDif", [dst, full, narrow])
    difference = values.astype(np.float32) - maximum.astype(np.float32)
    step, exponential = Tile("Vec", "Float", 16, 64, addr=65536), Tile("Vec", "Float", 16, 64, addr=98304)
    bodies.write(step, difference)
    bodies.run("Exp", [exponential, step])
    np.testing.assert_array_equal(bodies.read(dst), bodies.read(exponential).astype(values.dtype))
    row = Tile("Vec", dtype, 1, 64, addr=131072)
    bodies.write(row, values[:1])
    bodies.run("ColExpandExpDif", [dst, full, row])
    expected = np.exp(values.astype(np.float64) - values[:1].astype(np.float64))
    np.testing.assert_allclose(
        bodies.read(dst).astype(np.float64), expected, rtol=2e-3 if dtype == "Half" else 1e-6, atol=1e-6
    )
