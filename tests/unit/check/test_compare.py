"""Bits and tolerances."""

import ml_dtypes
import numpy as np
import pytest

from ptopro.check.compare import bit_differences, reference_differences


def test_equal_bits_of_every_kind():
    for dtype in (np.float32, np.int8, ml_dtypes.bfloat16, np.bool_):
        a = np.arange(6).reshape(2, 3).astype(dtype)
        assert bit_differences({"a": a}, {"a": a.copy()}) == []


def test_the_first_difference_in_row_major_order():
    a = np.zeros((3, 4), np.float32)
    b = a.copy()
    b[2, 1], b[1, 3] = 1, 2
    (found,) = bit_differences({"a": a}, {"a": b})
    assert (found.index, found.count, found.total, found.left, found.right) == ((1, 3), 2, 12, "0", "2")


def test_zeros_of_different_sign_and_nans_of_different_payload_differ():
    a = np.array([0.0, np.nan], np.float32)
    b = np.array([-0.0, np.nan], np.float32)
    b.view(np.uint32)[1] ^= 1
    (found,) = bit_differences({"a": a}, {"a": b})
    assert found.count == 2


def test_the_reference_within_a_tolerance():
    a = np.array([1.0, 100.0, np.inf, np.nan], np.float32)
    near = np.array([1.0 + 1e-6, 100.0 + 5e-4, np.inf, np.nan])
    assert reference_differences({"a": a}, {"a": near}, None) == []
    (found,) = reference_differences({"a": a}, {"a": near}, 1e-7)
    assert (found.index, found.count) == ((0,), 2)


@pytest.mark.parametrize("wrong", [np.nan, np.inf])
def test_what_is_not_a_number_is_no_tolerance(wrong):
    a = np.array([wrong], np.float32)
    assert reference_differences({"a": a}, {"a": np.zeros(1)}, 1e9)


def test_integers_must_be_equal():
    a = np.array([1, 2], np.int32)
    assert reference_differences({"a": a}, {"a": a}, None) == []
    assert reference_differences({"a": a}, {"a": a + 1}, None)
