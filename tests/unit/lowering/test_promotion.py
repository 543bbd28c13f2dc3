"""The table of types: results do not depend on the order of operands, and mean what the docstring says."""

from __future__ import annotations

import itertools

import pytest

from ptopro.language.dtypes import BF16, BOOL, FP8E4M3FN, FP16, FP32, INT8, INT32, INT64, UINT8, UINT32, UINT64, DType
from ptopro.lowering.promotion import (
    ARITHMETIC,
    adapted_literal,
    common_type,
    integer_range,
    literal_type,
    merged_type,
    operand_type,
    result_type,
    unary_type,
    with_literal,
)

NUMBERS = (BOOL, INT8, INT32, INT64, UINT8, UINT32, UINT64, FP16, BF16, FP32)


@pytest.mark.parametrize(
    ("left", "right", "common"),
    [
        (INT8, INT32, INT32),
        (INT32, INT64, INT64),
        (INT32, UINT32, UINT32),
        (INT64, UINT32, INT64),
        (BOOL, INT8, INT64),
        (BOOL, BOOL, INT64),
        (INT32, FP32, FP32),
        (INT64, FP16, FP32),
        (FP16, FP16, FP32),
        (BF16, FP32, FP32),
    ],
)
def test_common_types(left: DType, right: DType, common: DType) -> None:
    assert common_type(left, right) == common_type(right, left) == common


def test_arithmetic_does_not_depend_on_the_order() -> None:
    for op, (left, right) in itertools.product(ARITHMETIC, itertools.combinations(NUMBERS, 2)):
        assert result_type(op, left, right) == result_type(op, right, left)


def test_operators() -> None:
    assert result_type("/", INT32, INT32) == (FP32, FP32)
    assert result_type("//", INT32, INT64) == (INT64, INT64)
    assert result_type("<", INT32, FP32) == (BOOL, FP32)
    assert result_type("==", BOOL, BOOL) == (BOOL, BOOL)
    assert result_type("&", BOOL, BOOL) == (BOOL, BOOL)
    assert result_type("&", BOOL, INT32) == (INT64, INT64)
    assert result_type("<<", INT8, INT64) == (INT8, INT8)
    assert result_type("|", INT32, FP32) is None
    assert result_type("**", INT32, FP32) is None
    assert result_type("+", INT32, FP8E4M3FN) is None
    assert result_type("and", FP32, INT8) == (BOOL, BOOL)


def test_unary_operators() -> None:
    assert [unary_type("-", t) for t in (BOOL, INT8, FP16)] == [INT64, INT8, FP32]
    assert [unary_type("not", t) for t in (INT8, FP32)] == [BOOL, BOOL]
    assert [unary_type("~", t) for t in (INT32, FP32)] == [INT32, None]


def test_paths_that_meet() -> None:
    assert merged_type(FP16, FP16) == FP16
    assert merged_type(INT32, FP16) == FP32
    assert merged_type(INT32, INT64) == INT64
    assert merged_type(BOOL, BOOL) == BOOL
    assert merged_type(INT32, FP8E4M3FN) is None


def test_literals() -> None:
    assert [literal_type(v) for v in (True, 1, 1.0, 1 << 63, 1 << 64)] == [BOOL, INT64, FP32, UINT64, None]
    assert [adapted_literal(v, INT8) for v in (127, 128, 1.5)] == [INT8, INT64, FP32]
    assert integer_range(UINT8) == (0, 255) and integer_range(INT32) == (-(1 << 31), (1 << 31) - 1)


def test_a_bare_literal_makes_the_result_as_wide_as_itself() -> None:
    def types(op: str, value: int, other: DType) -> tuple[DType, DType] | None:
        literal = operand_type(op, value, other)
        assert literal is not None
        found = result_type(op, literal, other)
        return found and with_literal(op, found, literal_type(value))

    assert types("*", 3, INT32) == types("<<", 3, INT32) == (INT64, INT64)
    assert types("-", 3, UINT32) == (INT64, INT64)  # 3 - an unsigned number may be negative
    assert types("//", 3, INT32) == types("max", 3, INT32) == (INT64, INT32)  # no larger than the operands
    assert types("//", -1, INT32) == (INT64, INT64)
    assert types("<", 3, INT32) == (BOOL, INT32)
    assert types("*", 3, UINT64) == (UINT64, UINT64)
    assert types("*", 3, FP32) == (FP32, FP32)
