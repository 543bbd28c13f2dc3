"""Generated C++ on the simulator computes what Python computes."""

from __future__ import annotations

import cpp_kernels
import numpy as np
import pytest
from cpp_kernels import BIAS, EPS, TABLE, R

pytestmark = pytest.mark.slow


def expected_scalars(n: int, m: int) -> list[int]:
    x = 8  # the first above 7 that is neither 9 nor 10
    many = [0, 1, 4]
    stop = m
    for _ in range(stop):
        stop -= 1
    return [
        (n - 5) // 4,
        (n - 5) % 4,
        BIAS // 4,
        3 + sum(range(n + 4, -1, -1)),
        len(range(10, n, n - 4)),
        min(m * 100, 250),
        (m - 100) // 7,
        (m - 100) % 7,
        TABLE[n % 4],
        x,
        1 if n > 3 else 2 if n > 1 else 3,
        1 if 0 < n < 10 < m else 2,
        n**3,
        min(n, m) + max(n, m) * 10,
        stop,
        ~n & 0xFF | 3 << 4,
        m - (n - 1) - -2,
        (m + 1) * 10 + n + 1,
        many[2] + many[(n + 3) % 3],
        sum(i for i in range(m) if i % 2 == 1),
    ]


@pytest.mark.parametrize(("n", "m"), [(2, 12), (13, 5), (3, 0), (-3, 9), (-2, 1)])
def test_scalars_follow_python(n: int, m: int) -> None:
    out = np.zeros(32, np.int64)
    cpp_kernels.scalars[None, 1](out, n, m)
    assert out[:20].tolist() == expected_scalars(n, m)


@pytest.mark.parametrize("n", [1, 2, 5, 20])
def test_tiles_go_where_the_kernel_says(n: int) -> None:
    x = np.random.default_rng(n).standard_normal((10 * R, 64)).astype(np.float32)
    y = np.zeros_like(x)
    cpp_kernels.tiles[None, 1](x, y, n)
    blocks = [x[i * R : (i + 1) * R].copy() for i in range(10)]
    blocks[0] *= 2
    blocks[1] += np.float32(EPS)
    blocks[2] *= 3
    blocks[3] *= 3
    blocks[4][:8] *= 10
    blocks[4][8:16, :32] += 5
    blocks[5][min(n, 16) :] = 0
    blocks[6] += blocks[7]
    blocks[7] = blocks[6] + blocks[6]
    blocks[8][0, 0] = blocks[8][3, 4] * np.float32(2)
    blocks[9][:] = -np.inf
    for index, block in enumerate(blocks):
        np.testing.assert_array_equal(y[index * R : (index + 1) * R], block, err_msg=f"block {index}")
