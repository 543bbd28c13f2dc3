"""Loops over compile-time values with `break`, `continue` and `else`, as in Python."""

from __future__ import annotations

import itertools

import jump_kernels
import numpy as np
import pytest

pytestmark = pytest.mark.slow


def expected(n: int, m: int) -> list[int]:
    total = 0
    last = -1
    for i in range(5):
        if i == n:
            break
        if i == m:
            continue
        total = total + i * 10 + 1
        last = i
        if total > 45:
            if m > 2:
                break
            continue
        total = total + 1
    else:
        total = total + 1000
    found = [total, last]
    for i in (1, 2, 3):
        for j in (1, 2):
            if j == n:
                continue
            if i * j == m:
                break
            total = total + i * j
        if i == n:
            break
        if i == m:
            continue
        total = total * 2
    return [*found, total]


def test_rounds_end_where_python_ends_them() -> None:
    for n, m in itertools.product(range(-1, 6), repeat=2):
        out = np.zeros(16, np.int64)
        jump_kernels.jumps(out, n, m)
        assert out[:3].tolist() == expected(n, m), (n, m)
