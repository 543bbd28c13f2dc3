"""A tensor chosen at run time is the one that Python would choose; parts of tensors are what numpy makes of them."""

from __future__ import annotations

import chosen_kernels
import numpy as np
import pytest

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_the_chosen_tensor_is_read_and_written(n: int) -> None:
    x = np.arange(16 * 64, dtype=np.float32).reshape(16, 64)
    arrays = (x, -x[:8].copy() if n <= 3 else -x, np.zeros((16, 128), np.float32))
    expected = [array.copy() for array in arrays]
    source = expected[0 if n > 3 else 1].copy()
    expected[2 if n % 2 == 0 else 0 if n == 3 else 1][: len(source), :64] = source + 1
    for i, array in enumerate(expected):
        array[0, 0] = 100 + i
    expected[0][1, 0], expected[1][1, 0] = 7, 8
    chosen_kernels.chosen(*arrays, n)
    for got, wanted in zip(arrays, expected, strict=True):
        np.testing.assert_array_equal(got, wanted)


@pytest.mark.parametrize("n", [0, 3])
def test_parts_of_tensors(n: int) -> None:
    x = np.arange(4 * 16 * 128, dtype=np.float32).reshape(4, 16, 128)
    y = np.zeros((16, 64), np.float32)
    chosen_kernels.parts(x, y, n)
    expected = x[n, :, 64:].copy()
    expected[0, 0] = x[n, -1, 65] + x[1:, 2][0, 5] + 8
    np.testing.assert_array_equal(y, expected)
