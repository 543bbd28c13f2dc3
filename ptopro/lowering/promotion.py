"""Types of scalar arithmetic, in one table.

    operator                    operands              result (and the type it is computed in)
    + - * // % ** min max       int, int              the wider; at equal width the unsigned one
    + - * // % min max          float, float          FP32: the scalar unit has no arithmetic on FP16 and BF16
    + - * // % min max          int, float            FP32
    **                          int, int              as above; the exponent is not negative
    /                           any, any              FP32
    & | ^ << >>                 int, int              the wider; a shift has the type of its left operand
    & | ^                       BOOL, BOOL            BOOL
    == != < <= > >=             any, any              BOOL, computed in the promoted type
    and or not                  any                   BOOL
    - + ~                       int / float           its own type, FP32 for floats; BOOL counts as INT64

BOOL counts as INT64 in arithmetic.  A bare literal adapts: an int literal next to an int takes that int's type where
it fits; a float literal is FP32.  (The language's own rule gives INT32 op UINT32 the type of its left operand; here
the result does not depend on the order.)
"""

from __future__ import annotations

from ptopro.language.dtypes import BOOL, FP32, INT64, UINT64, DType

ARITHMETIC = ("+", "-", "*", "//", "%", "**", "min", "max")
COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")
BITWISE = ("&", "|", "^")
SHIFTS = ("<<", ">>")
_SCALAR_FLOATS = ("DT_FP16", "DT_BF16", "DT_FP32")


def is_number(dtype: DType) -> bool:
    """Whether the scalar unit computes with values of this type (4- and 8-bit floats only travel)."""
    return dtype == BOOL or (dtype.is_int and dtype.bits >= 8) or dtype.name in _SCALAR_FLOATS


def common_type(left: DType, right: DType) -> DType:
    """The type in which `left` and `right` meet in arithmetic.  Both must be numbers."""
    left = INT64 if left == BOOL else left
    right = INT64 if right == BOOL else right
    if not (left.is_int and right.is_int):
        return FP32
    if left.bits != right.bits:
        return left if left.bits > right.bits else right
    return left if left.kind == "uint" else right


def result_type(op: str, left: DType, right: DType) -> tuple[DType, DType] | None:
    """(result, type it is computed in) of a binary operator, None when the operands do not fit it."""
    if not (is_number(left) and is_number(right)):
        return None
    if op in ("and", "or"):
        return BOOL, BOOL
    if op in COMPARISONS:
        common = BOOL if left == right == BOOL else common_type(left, right)
        return BOOL, common
    if op == "/":
        return FP32, FP32
    if op in BITWISE and left == right == BOOL:
        return BOOL, BOOL
    common = common_type(left, right)
    if op in BITWISE:
        return (common, common) if common.is_int else None
    if op in SHIFTS:
        if not common.is_int:
            return None
        own = INT64 if left == BOOL else left
        return own, own
    if op == "**" and not common.is_int:
        return None
    return common, common


def merged_type(left: DType, right: DType) -> DType | None:
    """The type of a variable that is one or the other, depending on the path; None when there is none."""
    if left == right:
        return left
    if not (is_number(left) and is_number(right)):
        return None
    return common_type(left, right)


def unary_type(op: str, operand: DType) -> DType | None:
    """The result type of - + ~ not."""
    if not is_number(operand):
        return None
    if op == "not":
        return BOOL
    if op == "~":
        return INT64 if operand == BOOL else (operand if operand.is_int else None)
    if operand == BOOL:
        return INT64
    return FP32 if operand.is_float else operand


def integer_range(dtype: DType) -> tuple[int, int]:
    """The smallest and largest value of an integer type."""
    if dtype == BOOL:
        return 0, 1
    if dtype.kind == "uint":
        return 0, (1 << dtype.bits) - 1
    return -(1 << (dtype.bits - 1)), (1 << (dtype.bits - 1)) - 1


def literal_type(value: int | float | bool) -> DType | None:
    """The type of a bare number: BOOL, INT64 (UINT64 where only that holds it), FP32; None when nothing holds it."""
    if isinstance(value, bool):
        return BOOL
    if isinstance(value, float):
        return FP32
    for dtype in (INT64, UINT64):
        low, high = integer_range(dtype)
        if low <= value <= high:
            return dtype
    return None


def adapted_literal(value: int | float | bool, other: DType) -> DType | None:
    """The type of a bare literal beside an operand of type `other`."""
    if isinstance(value, int) and not isinstance(value, bool) and other.is_int:
        low, high = integer_range(other)
        if low <= value <= high:
            return other
    return literal_type(value)
