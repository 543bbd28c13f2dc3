"""Types of scalar arithmetic, in one table.

    operator                    operands              result (and the type it is computed in)
    + - * // % ** min max       int, int              the wider; at equal width the unsigned one
    + - * // % min max          float, float          FP32: the scalar unit has no arithmetic on FP16 and BF16
    + - * // % min max          int, float            FP32
    **                          int, int              as above; the exponent is not negative
    /                           any, any              FP32
    & | ^                       int, int              the wider
    << >>                       int, int              that of the left operand
    & | ^                       BOOL, BOOL            BOOL
    == != < <= > >=             any, any              BOOL, computed in the promoted type
    and or not                  any                   BOOL
    - + ~                       int / float           its own type, FP32 for floats; BOOL counts as INT64

BOOL counts as INT64 in arithmetic.  A bare int literal is INT64 and makes its partner INT64, a shifted one too (`n <<
20` of an INT32 is INT64); a float literal is FP32.  Where the result is no larger than the operands (// % min max & |
^ >> and comparisons) the literal is computed with in its partner's type where it fits: the same number with fewer
conversions. (The language's own rule gives INT32 op UINT32 the type of its left operand; here the result does not
depend on the order.)
"""

from __future__ import annotations

from ptopro.language.dtypes import BOOL, FP32, INT64, UINT64, DType

ARITHMETIC = ("+", "-", "*", "//", "%", "**", "min", "max")
COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")
BITWISE = ("&", "|", "^")
SHIFTS = ("<<", ">>")
_GROWING = ("+", "-", "*", "**", "<<")  # the result may be larger than both operands
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
    """The type in which a bare literal stands beside an operand of type `other` that it does not change."""
    if isinstance(value, int) and not isinstance(value, bool) and other.is_int:
        low, high = integer_range(other)
        if low <= value <= high:
            return other
    return literal_type(value)


def operand_type(op: str, value: int | float | bool, other: DType) -> DType | None:
    """The type in which a bare literal is computed with in `literal op other` or `other op literal`."""
    grows = op in _GROWING or (op == "//" and value < 0)
    return literal_type(value) if grows else adapted_literal(value, other)


def with_literal(op: str, types: tuple[DType, DType], literal: DType | None) -> tuple[DType, DType]:
    """`result_type` of an operation with a bare literal of type `literal`: an integer result is as wide as that."""
    result, common = types
    if op in COMPARISONS or literal is None or not (result.is_int and literal.is_int) or result.bits >= literal.bits:
        return types
    return literal, literal if op in _GROWING else common
