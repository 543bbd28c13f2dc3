"""Microscaled matrix products agree with numpy, however the scales lie in global memory."""

from __future__ import annotations

import ml_dtypes
import mx_kernels
import numpy as np
import pytest
from mx_kernels import K, M, N

pytestmark = pytest.mark.slow


def operands(m: int, k: int, n: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """a, b and the codes of their scales, [m, k / 32] and [k / 32, n]."""
    rng = np.random.default_rng(7)
    a, b = (rng.normal(0, 1, shape).astype(np.float32) for shape in ((m, k), (k, n)))
    return a, b, *(rng.integers(120, 135, shape, np.uint8) for shape in ((m, k // 32), (k // 32, n)))


def scaled_product(a: np.ndarray, b: np.ndarray, scale_a: np.ndarray, scale_b: np.ndarray) -> np.ndarray:
    left = a.astype(np.float64) * np.repeat(2.0 ** (scale_a - 127.0), 32, axis=1)
    return left @ (b.astype(np.float64) * np.repeat(2.0 ** (scale_b - 127.0), 32, axis=0))


@pytest.mark.parametrize("exchanged", [False, True])
def test_fp8_with_scales_in_pairs(exchanged: bool) -> None:
    a, b, scale_a, scale_b = operands(M, K, N)
    kinds = (ml_dtypes.float8_e5m2, ml_dtypes.float8_e4m3fn)
    a, b = a.astype(kinds[not exchanged]), b.astype(kinds[exchanged])
    in_pairs_a, in_pairs_b = scale_a.reshape(M, -1, 2), scale_b.reshape(-1, 2, N).transpose(0, 2, 1)
    kernel = mx_kernels.fp8
    if exchanged:
        in_pairs_a, in_pairs_b = in_pairs_a.transpose(1, 0, 2), in_pairs_b.transpose(1, 0, 2)
        kernel = mx_kernels.fp8_exchanged
    out = np.zeros((M, N), np.float32)
    kernel(out, a, b, np.ascontiguousarray(in_pairs_a), np.ascontiguousarray(in_pairs_b))
    np.testing.assert_allclose(out, scaled_product(a, b, scale_a, scale_b), rtol=1e-4, atol=1e-2)


def test_fp4_with_two_elements_in_a_byte() -> None:
    a, b, scale_a, scale_b = operands(64, 64, 64)
    codes = [x.astype(ml_dtypes.float4_e2m1fn) for x in (a, b)]
    packed = [c.view(np.uint8)[:, 0::2] | c.view(np.uint8)[:, 1::2] << 4 for c in codes]
    out = np.zeros((64, 64), np.float32)
    in_pairs_b = np.ascontiguousarray(scale_b.reshape(1, 2, 64).transpose(0, 2, 1))
    mx_kernels.fp4(out, *packed, scale_a.reshape(64, 1, 2), in_pairs_b)
    np.testing.assert_allclose(out, scaled_product(*codes, scale_a, scale_b), rtol=1e-5)
