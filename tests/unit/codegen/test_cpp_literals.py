"""Numbers keep every bit on their way into C++ text."""

from __future__ import annotations

import math
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ptopro.codegen.literals import float32, integer, number
from ptopro.language.dtypes import BF16, BOOL, FP16, FP32, INT8, UINT64


def bits(value: float) -> bytes:
    return struct.pack("<f", value)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1e-8, "1e-8f"),
        (3.0e38, "3e38f"),
        (0.1, "0.1f"),
        (64.0, "64.0f"),
        (-0.0, "-0.0f"),
        (16777217.0, "16777216.0f"),
        (2.5, "2.5f"),
        (math.inf, "__builtin_inff()"),
        (-math.inf, "-__builtin_inff()"),
        (1e39, "__builtin_inff()"),
        (math.nan, '__builtin_nanf("")'),
    ],
)
def test_floats_are_short_and_exact(value: float, text: str) -> None:
    assert float32(value) == text


@given(st.floats(width=32, allow_nan=False, allow_infinity=False))
def test_float_text_reads_back_to_the_same_bits(value: float) -> None:
    text = float32(value)
    assert text.endswith("f") and ("." in text or "e" in text)
    assert bits(float(text[:-1])) == bits(value)


@given(st.floats(width=32, allow_nan=False, allow_infinity=False))
def test_float_text_is_never_longer_than_nine_digits(value: float) -> None:
    digits = float32(value).lstrip("-").partition("e")[0].rstrip("f").replace(".", "").strip("0")
    assert len(digits) <= 9


def test_integers_without_a_plain_spelling() -> None:
    assert integer(-(2**63)) == "INT64_MIN"
    assert integer(-(2**31)) == "-2147483648"
    assert integer(2**64 - 1) == "18446744073709551615U"


def test_other_types_name_themselves() -> None:
    assert number(0.5, FP16) == "half(0.5f)"
    assert number(-math.inf, BF16) == "bfloat16_t(-__builtin_inff())"
    assert number(True, BOOL) == "true"
    assert number(-3, INT8) == "-3"
    assert number(7, UINT64) == "7"
    assert number(7, FP32) == "7.0f"
