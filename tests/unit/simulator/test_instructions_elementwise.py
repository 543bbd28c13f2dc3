"""Elementwise instructions against numpy over data types, layouts and odd valid shapes."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest
from bodies import DTYPES, Tile
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

INTEGERS = ["Int8", "Int16", "Int32", "Int64", "UInt8", "UInt16", "UInt32", "UInt64"]
FLOATS = ["Half", "BFloat16", "Float"]
NARROW = ("Half", "BFloat16")


def data(dtype: str, rows: int, cols: int, seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    kind = np.dtype(DTYPES[dtype])
    if dtype in FLOATS:
        return rng.normal(0, 8, (rows, cols)).astype(kind)
    limits = np.iinfo(kind)
    return rng.integers(limits.min, limits.max, (rows, cols), dtype=kind, endpoint=True)


def in_float(function, *operands: np.ndarray) -> np.ndarray:
    """Narrow floats compute in float and are rounded once; all else in its own type."""
    kind = operands[0].dtype
    with np.errstate(all="ignore"):
        if kind in (np.float16, ml_dtypes.bfloat16):
            return np.asarray(function(*[operand.astype(np.float32) for operand in operands])).astype(kind)
        return np.asarray(function(*operands)).astype(kind)


def divide(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    if a.dtype.kind not in "iu":
        return a / b
    quotient = np.abs(a.astype(object)) // np.where(b == 0, 1, np.abs(b.astype(object)))
    signed = np.where((a < 0) != (b < 0), -quotient, quotient)
    wrapped = np.array([int(value) for value in signed.ravel()], dtype=object).reshape(a.shape)
    bits = a.dtype.itemsize * 8
    unsigned = np.array([int(value) % (1 << bits) for value in wrapped.ravel()], dtype=f"u{a.dtype.itemsize}")
    result = unsigned.reshape(a.shape).view(a.dtype)
    return np.where(b == 0, np.array(-1).astype(a.dtype), result)


def remainder(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    if a.dtype.kind in "iu":
        return np.where(b == 0, a, np.remainder(a, np.where(b == 0, 1, b)))
    r = np.fmod(a, b)
    return np.where((r != 0) & ((r < 0) != (b < 0)), r + b, r)


BINARY = {
    "Add": np.add,
    "Sub": np.subtract,
    "Mul": np.multiply,
    "Div": divide,
    "Rem": remainder,
    "Max": np.maximum,
    "Min": np.minimum,
}
BITWISE = {"And": np.bitwise_and, "Or": np.bitwise_or, "Xor": np.bitwise_xor}


def run_binary(
    bodies, op: str, dtype: str, a: np.ndarray, b: np.ndarray, layout: str = "ND", valid=None, scalar=None, **modifiers
):
    """Runs an operation on padded tiles; the elements outside the valid region must stay as they were."""
    rows, cols = a.shape
    tiles = [Tile("Vec", dtype, rows, cols, layout, valid, 65536 * i) for i in range(3)]
    bodies.write(tiles[1], a)
    bodies.write(tiles[2], b)
    if scalar is None:
        bodies.run(op, tiles, **modifiers)
    else:
        floating = dtype in FLOATS
        bodies.run(op, tiles[:2], scalar=scalar, scalar_dtype="Float" if floating else "Int64", **modifiers)
    whole = bodies.read(tiles[0], rows, cols)
    outside = np.ones((rows, cols), bool)
    outside[: tiles[0].vrows, : tiles[0].vcols] = False
    assert (np.ascontiguousarray(whole[outside]).view(np.uint8) == 0xFF).all()
    return bodies.read(tiles[0])


@pytest.mark.parametrize("dtype", INTEGERS + FLOATS)
@pytest.mark.parametrize("op", BINARY)
def test_two_tiles(bodies, op, dtype):
    a, b = data(dtype, 16, 64, 1), data(dtype, 16, 64, 2)
    for layout, valid in (("ND", None), ("ND", (13, 37)), ("DN", (16, 1)), ("NZ", (15, 33))):
        rows, cols = valid or a.shape
        got = run_binary(bodies, op, dtype, a, b, layout, valid)
        np.testing.assert_array_equal(got, in_float(BINARY[op], a[:rows, :cols], b[:rows, :cols]))
        bodies.__post_init__()


@pytest.mark.parametrize("dtype", INTEGERS)
@pytest.mark.parametrize("op", BITWISE)
def test_bits_of_two_tiles(bodies, op, dtype):
    a, b = data(dtype, 8, 64, 1), data(dtype, 8, 64, 2)
    np.testing.assert_array_equal(run_binary(bodies, op, dtype, a, b), BITWISE[op](a, b))
    np.testing.assert_array_equal(
        run_binary(bodies, op + "S", dtype, a, b, scalar=5), BITWISE[op](a, np.array(5, a.dtype))
    )


@pytest.mark.parametrize("dtype", INTEGERS)
def test_shifts(bodies, dtype):
    a = data(dtype, 8, 64, 1)
    bits = a.dtype.itemsize * 8
    count = np.random.default_rng(3).integers(0, bits, a.shape).astype(a.dtype)
    np.testing.assert_array_equal(run_binary(bodies, "Shl", dtype, a, count), np.left_shift(a, count))
    np.testing.assert_array_equal(run_binary(bodies, "Shr", dtype, a, count), np.right_shift(a, count))
    np.testing.assert_array_equal(
        run_binary(bodies, "ShlS", dtype, a, count, scalar=3), np.left_shift(a, np.array(3, a.dtype))
    )
    np.testing.assert_array_equal(
        run_binary(bodies, "ShrS", dtype, a, count, scalar=3), np.right_shift(a, np.array(3, a.dtype))
    )


@pytest.mark.parametrize("dtype", ["Int8", "Int16", "Int32", "UInt8", "Int64", *FLOATS])
@pytest.mark.parametrize("op", BINARY)
@pytest.mark.parametrize("reverse", [0, 1])
def test_tile_and_scalar(bodies, op, dtype, reverse):
    a = data(dtype, 16, 48, 1)
    scalar = 1.7 if dtype in FLOATS else 7
    operand = np.full_like(a, np.float32(scalar) if dtype in FLOATS else scalar)
    expected = in_float(BINARY[op], operand, a) if reverse else in_float(BINARY[op], a, operand)
    got = run_binary(bodies, op + "S", dtype, a, a, valid=(9, 41), scalar=float(np.float32(scalar)), reverse=reverse)
    np.testing.assert_array_equal(got, expected[:9, :41])


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    op=st.sampled_from(list(BINARY)),
    dtype=st.sampled_from(INTEGERS + FLOATS),
    rows=st.integers(1, 16),
    cols=st.integers(1, 64),
    in_place=st.sampled_from([0, 1, 2]),
    seed=st.integers(0, 99),
)
def test_any_valid_shape_and_in_place(bodies, op, dtype, rows, cols, in_place, seed):
    bodies.__post_init__()
    a, b = data(dtype, 16, 64, seed), data(dtype, 16, 64, seed + 1)
    tiles = [Tile("Vec", dtype, 16, 64, valid=(rows, cols), addr=32768 * i) for i in range(3)]
    bodies.write(tiles[1], a)
    bodies.write(tiles[2], b)
    dst = tiles[in_place]
    bodies.run(op, [dst, *tiles[1:]])
    np.testing.assert_array_equal(bodies.read(dst), in_float(BINARY[op], a[:rows, :cols], b[:rows, :cols]))


@pytest.mark.parametrize("op", ["Max", "Min"])
def test_max_and_min_keep_nan(bodies, op):
    a = np.array([[np.nan, 1, np.nan, 0.0, -0.0, np.inf, 2, 3]], np.float32)
    b = np.array([[1, np.nan, np.nan, -0.0, 0.0, 1, -np.inf, 3]], np.float32)
    got = run_binary(bodies, op, "Float", a, b)
    np.testing.assert_array_equal(got, BINARY[op](a, b))


@pytest.mark.parametrize("dtype", ["Int16", "Int32", *FLOATS])
@pytest.mark.parametrize("op", ["AddC", "SubC", "AddSC", "SubSC"])
def test_three_operands(bodies, op, dtype):
    a, b, c = (data(dtype, 8, 48, seed) for seed in (1, 2, 3))
    tiles = [Tile("Vec", dtype, 8, 48, valid=(7, 35), addr=32768 * i) for i in range(4)]
    for tile, values in zip(tiles[1:], (a, b, c), strict=True):
        bodies.write(tile, values)
    first = np.add if op.startswith("Add") else np.subtract
    if op.endswith("SC"):
        scalar = np.float32(1.5) if dtype in FLOATS else 3
        bodies.run(
            op,
            [tiles[0], tiles[1], tiles[3]],
            scalar=float(scalar),
            scalar_dtype="Float" if dtype in FLOATS else "Int32",
        )
        b = np.full_like(a, scalar)
    else:
        bodies.run(op, tiles)
    expected = in_float(lambda x, y, z: first(x, y) + z, a, b, c)
    np.testing.assert_array_equal(bodies.read(tiles[0]), expected[:7, :35])


@pytest.mark.parametrize(("source", "target"), [("Half", "Half"), ("Float", "Float"), ("Half", "Float")])
def test_axpy(bodies, source, target):
    x, y = data(source, 8, 32, 1), data(target, 8, 32, 2)
    dst, src = Tile("Vec", target, 8, 32), Tile("Vec", source, 8, 32, addr=8192)
    bodies.write(dst, y)
    bodies.write(src, x)
    bodies.run("Axpy", [dst, src], scalar=0.5)
    expected = (x.astype(np.float32) * np.float32(0.5) + y.astype(np.float32)).astype(y.dtype)
    np.testing.assert_array_equal(bodies.read(dst), expected)


def test_leaky_relu(bodies):
    a = data("Float", 4, 32)
    got = run_binary(bodies, "LRelu", "Float", a, a, scalar=float(np.float32(0.1)))
    np.testing.assert_array_equal(got, np.where(a > 0, a, a * np.float32(0.1)))


@pytest.mark.parametrize("dtype", ["Int8", "UInt16", "Int32", "Half", "BFloat16", "Float"])
@pytest.mark.parametrize("op", ["PartAdd", "PartMul", "PartMax", "PartMin"])
@pytest.mark.parametrize(
    ("first", "second"), [((12, 40), (7, 25)), ((7, 40), (12, 40)), ((12, 25), (12, 40)), ((12, 40), (12, 40))]
)
def test_partial_operands(bodies, op, dtype, first, second):
    a, b = data(dtype, 16, 64, 1), data(dtype, 16, 64, 2)
    dst = Tile("Vec", dtype, 16, 64, valid=(12, 40))
    left, right = (
        Tile("Vec", dtype, 16, 64, valid=first, addr=32768),
        Tile("Vec", dtype, 16, 64, valid=second, addr=65536),
    )
    bodies.write(left, a)
    bodies.write(right, b)
    bodies.run(op, [dst, left, right])
    r, c = np.meshgrid(np.arange(12), np.arange(40), indexing="ij")
    in_first, in_second = (r < first[0]) & (c < first[1]), (r < second[0]) & (c < second[1])
    both = in_float(BINARY[op[4:]], a[:12, :40], b[:12, :40])
    expected = np.where(in_first & in_second, both, np.where(in_first, a[:12, :40], b[:12, :40]))
    np.testing.assert_array_equal(bodies.read(dst), expected)


UNARY = {"Neg": np.negative, "Abs": np.abs, "Relu": lambda x: np.where(x < 0, np.zeros_like(x), x)}


@pytest.mark.parametrize("dtype", ["Int8", "Int16", "Int32", "Int64", *FLOATS])
@pytest.mark.parametrize("op", UNARY)
def test_one_tile(bodies, op, dtype):
    a = data(dtype, 16, 48)
    if dtype not in FLOATS:
        a[0, 0] = np.iinfo(a.dtype).min
    dst, src = Tile("Vec", dtype, 16, 48, valid=(11, 29)), Tile("Vec", dtype, 16, 48, addr=32768)
    bodies.write(src, a)
    bodies.run(op, [dst, src])
    np.testing.assert_array_equal(bodies.read(dst), in_float(UNARY[op], a)[:11, :29])


@pytest.mark.parametrize("dtype", ["Int8", "UInt16", "Int32", "UInt64"])
def test_complement(bodies, dtype):
    a = data(dtype, 4, 64)
    dst, src = Tile("Vec", dtype, 4, 64), Tile("Vec", dtype, 4, 64, addr=8192)
    bodies.write(src, a)
    bodies.run("Not", [dst, src])
    np.testing.assert_array_equal(bodies.read(dst), ~a)
