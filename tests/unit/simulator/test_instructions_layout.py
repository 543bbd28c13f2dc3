"""Element offsets of layout.hpp against the layout model of the tests."""

from __future__ import annotations

import ctypes

import numpy as np
import pytest
from bodies import Tile

TILES = [
    Tile("Vec", "Half", 32, 48),
    Tile("Vec", "Float", 24, 5, "DN"),
    Tile("Mat", "Half", 48, 32, "NZ"),
    Tile("Mat", "Float", 32, 24, "NZ"),
    Tile("Mat", "Int8", 32, 64, "NZ"),
    Tile("Right", "Half", 48, 32, "ZN"),
    Tile("Right", "Int8", 64, 48, "ZN"),
    Tile("Left", "Half", 32, 32, "ZZ"),
    Tile("Right", "Float", 16, 32, "NN"),
    Tile("Acc", "Float", 48, 64, "NZ", fractal=1024),
    Tile("ScaleLeft", "Float8E8M0", 32, 8, "ZZ", fractal=32),
    Tile("ScaleRight", "Float8E8M0", 8, 48, "NN", fractal=32),
    Tile("Mat", "Float4E2M1", 32, 128, "NZ"),
    Tile("Left", "Half", 64, 32, "NZ", valid=(33, 32), compact=1),
    Tile("Right", "Half", 32, 64, "ZN", valid=(32, 17), compact=1),
    Tile("Vec", "Half", 33, 32, "NZ", valid=(32, 32), compact=2),
]


@pytest.mark.parametrize("tile", TILES, ids=lambda tile: f"{tile.memory}-{tile.dtype}-{tile.layout}-{tile.compact}")
def test_offsets(bodies_library, tile):
    expected = tile.offsets(tile.vrows, tile.vcols)
    fields = np.array(tile.fields(), dtype=np.int64)
    pointer = fields.ctypes.data_as(ctypes.c_void_p)
    for r in range(0, tile.vrows, 3):
        for c in range(tile.vcols):
            got = bodies_library.element_offset(pointer, ctypes.c_int64(r), ctypes.c_int64(c))
            assert got == expected[r, c], (r, c)
    assert len(np.unique(expected)) == expected.size, "two elements share a place"


def test_nz_keeps_32_bytes_of_a_row_together_and_rows_16_apart():
    offsets = Tile("Mat", "Half", 32, 32, "NZ").offsets(32, 32)
    assert list(offsets[0, :16]) == list(range(16))
    assert offsets[1, 0] == 16
    assert offsets[16, 0] == 256
    assert offsets[0, 16] == 32 * 16
