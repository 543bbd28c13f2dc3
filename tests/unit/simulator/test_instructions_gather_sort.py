"""Gather, scatter, histogram, sorting and quantisation against numpy."""

from __future__ import annotations

import numpy as np
import pytest
from bodies import DTYPES, Tile

WIDTHS = [("UInt8", "UInt16"), ("Half", "Int16"), ("BFloat16", "UInt32"), ("Float", "Int32"), ("Int64", "UInt32")]


def data(dtype: str, rows: int, cols: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, 120, (rows, cols)).astype(DTYPES[dtype])


@pytest.mark.parametrize(("dtype", "index_dtype"), WIDTHS)
def test_gather_by_index(bodies, dtype, index_dtype):
    values = data(dtype, 16, 64)
    index = np.random.default_rng(1).integers(0, 16 * 64, (8, 32)).astype(DTYPES[index_dtype])
    src, indices = Tile("Vec", dtype, 16, 64, addr=32768), Tile("Vec", index_dtype, 8, 32, addr=65536)
    dst = Tile("Vec", dtype, 8, 32, valid=(7, 21))
    bodies.write(src, values)
    bodies.write(indices, index)
    bodies.run("Gather", [dst, src, indices, indices])
    np.testing.assert_array_equal(bodies.read(dst), values.ravel()[index[:7, :21]])


@pytest.mark.parametrize(("dtype", "index_dtype"), WIDTHS)
def test_scatter_by_index_into_zeros(bodies, dtype, index_dtype):
    values = data(dtype, 8, 32)
    index = np.random.default_rng(2).permutation(8 * 64)[: 8 * 32].reshape(8, 32).astype(DTYPES[index_dtype])
    src, indices = Tile("Vec", dtype, 8, 32, valid=(7, 29), addr=32768), Tile("Vec", index_dtype, 8, 32, addr=65536)
    dst = Tile("Vec", dtype, 8, 64)
    bodies.write(src, values)
    bodies.write(indices, index)
    bodies.run("Scatter", [dst, src, indices])
    expected = np.zeros(8 * 64, DTYPES[dtype])
    expected[index[:7, :29].ravel()] = values[:7, :29].ravel()
    np.testing.assert_array_equal(bodies.read(dst).ravel(), expected)


@pytest.mark.parametrize("dtype", ["UInt8", "Half", "Float"])
def test_gather_of_blocks(bodies, dtype):
    values = data(dtype, 16, 64)
    block = 32 // values.dtype.itemsize
    blocks = np.random.default_rng(3).integers(0, 16 * 64 // block, (4, 64 // block))
    src, offsets = Tile("Vec", dtype, 16, 64, addr=32768), Tile("Vec", "UInt32", 4, max(64 // block, 8), addr=65536)
    dst = Tile("Vec", dtype, 4, 64)
    bodies.write(src, values)
    bodies.write(offsets, (blocks * 32).astype(np.uint32))
    bodies.run("GatherB", [dst, src, offsets])
    expected = values.ravel().reshape(-1, block)[blocks].reshape(4, 64)
    np.testing.assert_array_equal(bodies.read(dst), expected)


@pytest.mark.parametrize("dtype", ["UInt8", "Half", "Float", "Int64"])
@pytest.mark.parametrize("pattern", range(1, 8))
def test_gather_by_pattern(bodies, dtype, pattern):
    values = data(dtype, 8, 64)
    start, step = {1: (0, 2), 2: (1, 2), 3: (0, 4), 4: (1, 4), 5: (2, 4), 6: (3, 4), 7: (0, 1)}[pattern]
    expected = values[:, start::step]
    src, dst = Tile("Vec", dtype, 8, 64, addr=32768), Tile("Vec", dtype, 8, expected.shape[1])
    bodies.write(src, values)
    bodies.run("GatherMask", [dst, src], reverse=pattern)
    np.testing.assert_array_equal(bodies.read(dst), expected)


@pytest.mark.parametrize("dtype", ["Int32", "UInt16", "Float", "Half"])
@pytest.mark.parametrize("mode", [4, 0])
def test_gather_by_comparison(bodies, dtype, mode):
    values = data(dtype, 8, 64)
    limits = np.random.default_rng(4).integers(20, 100, (8, 1)).astype(np.uint32)
    src, limit = Tile("Vec", dtype, 8, 64, valid=(8, 61), addr=32768), Tile("Vec", "UInt32", 8, 1, "DN", addr=65536)
    count, dst = Tile("Vec", "UInt32", 8, 1, "DN", addr=98304), Tile("Vec", "Int32", 8, 64)
    bodies.write(src, values)
    bodies.write(limit, limits)
    bodies.run("GatherCmp", [dst, src, limit, count, limit], compare=mode, scalar=1000, scalar_dtype="Int32")
    got, counts = bodies.read(dst), bodies.read(count)
    for r in range(8):
        row = values[r, :61].astype(np.float64)
        found = np.flatnonzero(row > limits[r, 0] if mode == 4 else row == limits[r, 0])
        assert counts[r, 0] == found.size * 4  # in bytes
        np.testing.assert_array_equal(got[r, : found.size], found + 1000)


@pytest.mark.parametrize(
    ("dtype", "byte"), [("UInt16", 1), ("UInt16", 0), ("UInt32", 3), ("UInt32", 2), ("UInt32", 1), ("UInt32", 0)]
)
def test_histogram(bodies, dtype, byte):
    rng = np.random.default_rng(5)
    size = np.dtype(DTYPES[dtype]).itemsize
    # Few different high bytes, so that the filters let something through.
    raw = rng.integers(0, 256, (6, 200, size), dtype=np.uint8)
    raw[..., 1:] %= 3
    values = np.ascontiguousarray(raw).view(DTYPES[dtype])[..., 0]
    src, dst = Tile("Vec", dtype, 6, 208, valid=(6, 200), addr=32768), Tile("Vec", "UInt32", 6, 256)
    bodies.write(src, values)
    if dtype == "UInt16":
        wanted = rng.integers(0, 3, (6, 1), dtype=np.uint8)
        index = Tile("Vec", "UInt8", 32, 1, "DN", valid=(6, 1), addr=65536)
        bodies.write(index, wanted)
        keep = raw[..., 1] == wanted if byte == 0 else np.ones((6, 200), bool)
    else:
        wanted = rng.integers(0, 3, 3, dtype=np.uint8)
        index = Tile("Vec", "UInt8", 3, 224, addr=65536)
        bodies.write(index, np.repeat(wanted[:, None], 224, axis=1))
        keep = np.ones((6, 200), bool)
        for level in range(3 - byte):
            keep &= raw[..., 3 - level] == wanted[level]
    bodies.run("Histogram", [dst, src, index], reverse=byte)
    expected = np.stack([np.bincount(raw[r, keep[r], byte], minlength=256).cumsum() for r in range(6)])
    np.testing.assert_array_equal(bodies.read(dst), expected)


def records(values: np.ndarray, index: np.ndarray) -> np.ndarray:
    """Value and index as 8-byte records, as bytes."""
    out = np.zeros((values.size, 8), np.uint8)
    out[:, : values.dtype.itemsize] = values.reshape(-1, 1).view(np.uint8)
    out[:, 4:] = index.astype(np.uint32).reshape(-1, 1).view(np.uint8)
    return out


def descending(values: np.ndarray, index: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    order = np.argsort(-values.astype(np.float64), kind="stable")
    return values[order], index[order]


@pytest.mark.parametrize(("dtype", "factor"), [("Float", 2), ("Half", 4)])
@pytest.mark.parametrize("cols", [64, 45])
@pytest.mark.parametrize("one_row", [False, True])
def test_sort_groups_of_32(bodies, dtype, factor, cols, one_row):
    rng = np.random.default_rng(6)
    values = rng.integers(-20, 20, (3, 64)).astype(DTYPES[dtype])
    index = rng.integers(0, 1 << 32, (1 if one_row else 3, 64), dtype=np.uint64).astype(np.uint32)
    src, indices = (
        Tile("Vec", dtype, 3, 64, valid=(3, cols), addr=32768),
        Tile("Vec", "UInt32", index.shape[0], 64, addr=65536),
    )
    dst = Tile("Vec", dtype, 3, 64 * factor)
    bodies.write(src, values)
    bodies.write(indices, index)
    bodies.run("Sort32", [dst, src, indices])
    got = bodies.memories["Vec"][: 3 * 64 * 8].reshape(3, 64, 8)
    for r in range(3):
        for start in range(0, cols, 32):
            end = min(start + 32, cols)
            expected = records(*descending(values[r, start:end], index[0 if one_row else r, start:end]))
            np.testing.assert_array_equal(got[r, start:end], expected)


def sorted_list(dtype: str, size: int, seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    values = rng.integers(-50, 50, size).astype(DTYPES[dtype])
    return records(*descending(values, rng.integers(0, 1000, size)))


def merged(dtype: str, lists: list[np.ndarray]) -> np.ndarray:
    every = np.concatenate(lists)
    size = np.dtype(DTYPES[dtype]).itemsize
    keys = np.ascontiguousarray(every[:, :size]).view(DTYPES[dtype])[:, 0].astype(np.float64)
    return every[np.argsort(-keys, kind="stable")]


@pytest.mark.parametrize(("dtype", "factor"), [("Float", 2), ("Half", 4)])
def test_merge_of_four_runs(bodies, dtype, factor):
    lists = [sorted_list(dtype, 32, seed) for seed in range(8)]
    src, dst = Tile("Vec", dtype, 1, 256 * factor, addr=32768), Tile("Vec", dtype, 1, 256 * factor)
    bodies.memories["Vec"][32768 : 32768 + 2048] = np.concatenate(lists).ravel()
    bodies.run("MrgSort", [dst, src], scalar=32 * factor, scalar_dtype="UInt32")
    expected = np.concatenate([merged(dtype, lists[:4]), merged(dtype, lists[4:])])
    np.testing.assert_array_equal(bodies.memories["Vec"][:2048].reshape(256, 8), expected)


@pytest.mark.parametrize(("dtype", "factor"), [("Float", 2), ("Half", 4)])
@pytest.mark.parametrize("sizes", [(32, 64), (16, 8, 40), (32, 8, 24, 16)])
def test_merge_of_lists(bodies, dtype, factor, sizes):
    lists = [sorted_list(dtype, size, seed) for seed, size in enumerate(sizes)]
    tiles = []
    for place, part in enumerate(lists):
        addr = 32768 + 8192 * place
        bodies.memories["Vec"][addr : addr + part.size] = part.ravel()
        tiles.append(Tile("Vec", dtype, 1, len(part) * factor, addr=addr))
    total = sum(sizes)
    dst, scratch = Tile("Vec", dtype, 1, total * factor), Tile("Vec", dtype, 1, total * factor, addr=16384)
    bodies.run("MrgSortList", [dst, scratch, *tiles])
    expected = merged(dtype, lists)
    np.testing.assert_array_equal(bodies.memories["Vec"][: total * 8].reshape(total, 8), expected)
    bodies.__post_init__()
    for tile, part in zip(tiles, lists, strict=True):
        bodies.memories["Vec"][tile.addr : tile.addr + part.size] = part.ravel()
    bodies.run("MrgSortList", [dst, scratch, *tiles], reverse=1)
    got = bodies.memories["Vec"][: total * 8].reshape(total, 8)
    taken = int(np.flatnonzero((got != 0xFF).any(axis=1))[-1]) + 1
    np.testing.assert_array_equal(got[:taken], expected[:taken])
    assert taken < total, "the merge stops when a list is exhausted"
    assert any((expected[:taken] == part[-1]).all(axis=1).any() for part in lists)


@pytest.mark.parametrize(("dtype", "with_offset"), [("Int8", False), ("UInt8", True)])
def test_quantisation_per_row(bodies, dtype, with_offset):
    values = np.random.default_rng(7).normal(0, 40, (16, 64)).astype(np.float32)
    scales, offsets = np.linspace(0.5, 4, 16, dtype=np.float32)[:, None], np.arange(16, dtype=np.float32)[:, None] * 10
    src, dst = Tile("Vec", "Float", 16, 64, valid=(13, 43), addr=32768), Tile("Vec", dtype, 16, 64, valid=(13, 43))
    scale, offset = Tile("Vec", "Float", 16, 1, "DN", addr=65536), Tile("Vec", "Float", 16, 1, "DN", addr=66560)
    for tile, part in ((src, values), (scale, scales), (offset, offsets)):
        bodies.write(tile, part)
    bodies.run("Quant", [dst, src, scale, offset] if with_offset else [dst, src, scale])
    limits = np.iinfo(DTYPES[dtype])
    exact = np.rint(values * scales) + (offsets if with_offset else 0)
    np.testing.assert_array_equal(
        bodies.read(dst), np.clip(exact, limits.min, limits.max).astype(DTYPES[dtype])[:13, :43]
    )


@pytest.mark.parametrize("dtype", ["Int8", "Int16"])
def test_dequantisation_per_row(bodies, dtype):
    codes = np.random.default_rng(8).integers(-128, 128, (16, 64)).astype(DTYPES[dtype])
    scales, offsets = np.linspace(0.01, 4, 16, dtype=np.float32)[:, None], np.arange(16, dtype=np.float32)[:, None]
    src, dst = Tile("Vec", dtype, 16, 64, addr=32768), Tile("Vec", "Float", 16, 64, valid=(13, 43))
    scale, offset = Tile("Vec", "Float", 16, 1, "DN", addr=65536), Tile("Vec", "Float", 16, 1, "DN", addr=66560)
    for tile, part in ((src, codes), (scale, scales), (offset, offsets)):
        bodies.write(tile, part)
    bodies.run("Dequant", [dst, src, scale, offset])
    np.testing.assert_array_equal(bodies.read(dst), ((codes.astype(np.float32) - offsets) * scales)[:13, :43])


def test_every_instruction_has_a_body(bodies_library):
    from bodies import OPCODES

    synchronisation = {
        "SetFlag",
        "WaitFlag",
        "GetBuf",
        "RlsBuf",
        "PipeBarrier",
        "SetIntraBlock",
        "WaitIntraBlock",
        "FftsSync",
        "WaitFlagDev",
        "SyncAll",
        "Count",
    }
    missing = {name for name, number in OPCODES.items() if not bodies_library.has_body(number)}
    assert missing == synchronisation
