"""Numbers of the interpreter as IR expressions: constants, conversions, operators with folding.

In: values and the node they come from.  Out: expressions whose types follow `promotion`.
"""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ptopro.frontend.evaluator import NotConstant
from ptopro.frontend.scope import Scope
from ptopro.language.dtypes import BOOL, FP32, INT64, DType
from ptopro.lowering import ir
from ptopro.lowering.promotion import (
    BITWISE,
    COMPARISONS,
    SHIFTS,
    integer_range,
    literal_type,
    operand_type,
    result_type,
    unary_type,
    with_literal,
)
from ptopro.lowering.values import UNKNOWN, Known, Pointer, Scalar, Unknown, Value, kind_name

if TYPE_CHECKING:
    from ptopro.lowering.context import Frame

FP32_MAX = 3.4028234663852886e38
_FOLD: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv, "//": operator.floordiv,
    "%": operator.mod, "**": operator.pow, "&": operator.and_, "|": operator.or_, "^": operator.xor,
    "<<": operator.lshift, ">>": operator.rshift, "min": min, "max": max, "==": operator.eq, "!=": operator.ne,
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip
BINARY_NAMES: dict[type[ast.operator], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%", ast.Pow: "**",
    ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^", ast.LShift: "<<", ast.RShift: ">>", ast.MatMult: "@",
}  # fmt: skip
COMPARE_NAMES: dict[type[ast.cmpop], str] = {
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
}  # fmt: skip


def known_type(value: Known) -> DType:
    """The type of a compile-time number."""
    return value.dtype or literal_type(value.value) or INT64


def constant(frame: Frame, value: Known, where: ast.AST, dtype: DType | None = None) -> ir.Const:
    """The constant of a compile-time number, as `dtype` where one is given; reports a number that does not fit."""
    number = value.value
    wanted = dtype or value.dtype or literal_type(number)
    if wanted is None or not fits(number, wanted):
        frame.report("PTO1250", where, value=number, dtype=wanted or INT64)
        number, wanted = 0, wanted or INT64
    plain = float(number) if wanted.is_float else bool(number) if wanted == BOOL else int(number)
    return ir.Const(plain, wanted, value.name, frame.span(where))


def fits(number: int | float | bool, dtype: DType) -> bool:
    """Whether a number can be held by an element type (a float may lose digits, not its magnitude)."""
    if dtype.is_float:
        try:
            return not math.isfinite(float(number)) or abs(float(number)) <= FP32_MAX
        except OverflowError:
            return False
    if isinstance(number, float):
        return False
    low, high = integer_range(dtype)
    return low <= number <= high


def expression(frame: Frame, value: Value, where: ast.AST) -> ir.Expr | None:
    """The number as an expression, None (and a report) when the value is no number."""
    if isinstance(value, Scalar | Pointer):
        return value.expr
    if isinstance(value, Known) and value.is_number:
        return constant(frame, value, where)
    if not isinstance(value, Unknown):
        frame.report("PTO1251", where, found=kind_name(value), text=frame.text(where))
    return None


def integer(frame: Frame, value: Value, where: ast.AST, what: str) -> ir.Expr | None:
    """The value as an integer expression; `what` names it in the report of anything else."""
    expr = expression(frame, value, where)
    if expr is not None and not (expr.dtype.is_int or expr.dtype == BOOL):
        frame.report("PTO1252", where, what=what, dtype=expr.dtype)
        return None
    return expr


def converted(frame: Frame, value: Known | Scalar, dtype: DType) -> ir.Expr:
    """A number as `dtype`, which is known to hold it (see `promotion.merged_type`)."""
    if isinstance(value, Known):
        number = value.value
        plain = float(number) if dtype.is_float else bool(number) if dtype == BOOL else int(number)
        return ir.Const(plain, dtype, value.name if known_type(value) == dtype else "", frame.stmt_span)
    return value.expr if value.dtype == dtype else ir.Cast(value.expr, dtype, value.expr.span)


def cast(frame: Frame, value: Value, dtype: DType, where: ast.AST) -> Value:
    """`value` converted to a number type as C++ converts it: floats to ints towards zero."""
    if isinstance(value, Known) and value.is_number:
        number = value.value
        if dtype == BOOL:
            return Known(bool(number))
        try:
            plain = float(number) if dtype.is_float else int(number)
        except (OverflowError, ValueError):
            frame.report("PTO1250", where, value=number, dtype=dtype)
            return UNKNOWN
        if not fits(plain, dtype):
            frame.report("PTO1250", where, value=plain, dtype=dtype)
            return UNKNOWN
        return Known(plain, dtype=dtype)
    expr = expression(frame, value, where)
    if expr is None:
        return UNKNOWN
    return Scalar(expr) if expr.dtype == dtype else Scalar(ir.Cast(expr, dtype, frame.span(where)))


def binary(frame: Frame, op: str, left: Value, right: Value, node: ast.AST) -> Value:
    """`left op right` for values that are numbers, or compile-time values of any type."""
    if isinstance(left, Unknown) or isinstance(right, Unknown):
        return UNKNOWN
    if isinstance(left, Known) and isinstance(right, Known):
        return _fold(frame, op, left, right, node)
    a, b = _pair(frame, op, left, right, node)
    if a is None or b is None:
        return UNKNOWN
    types = result_type(op, a.dtype, b.dtype)
    if types is None:
        frame.report("PTO1253", node, op=op, left=a.dtype, right=b.dtype)
        return UNKNOWN
    if op in ("//", "%", "/") and isinstance(b, ir.Const) and b.value == 0 and types[1].is_int:
        frame.report("PTO1254", node)
        return UNKNOWN
    for value in (left, right):
        if isinstance(value, Known) and value.dtype is None:
            types = with_literal(op, types, literal_type(value.value))
    same = _identity(op, a, b, types[0])
    return Scalar(same or ir.Binary(op, a, b, types[0], types[1], span=frame.span(node)))


def _identity(op: str, left: ir.Expr, right: ir.Expr, dtype: DType) -> ir.Expr | None:
    """The operand that an integer operation leaves as it is: x + 0, x - 0, x * 1, x // 1."""
    if not dtype.is_int:
        return None
    for kept, other, ops in ((left, right, {"+": 0, "-": 0, "*": 1, "//": 1}), (right, left, {"+": 0, "*": 1})):
        if isinstance(other, ir.Const) and not other.name and ops.get(op) == other.value and kept.dtype == dtype:
            return kept
    return None


def convert(expr: ir.Expr, dtype: DType) -> ir.Expr:
    """The expression as another number type."""
    if expr.dtype == dtype:
        return expr
    if isinstance(expr, ir.Const) and fits(expr.value, dtype):
        return ir.Const(float(expr.value) if dtype.is_float else int(expr.value), dtype, expr.name, expr.span)
    if (
        isinstance(expr, ir.Cast)
        and expr.operand.dtype == dtype
        and expr.dtype.is_int
        and expr.dtype.bits >= dtype.bits
    ):
        return expr.operand
    return ir.Cast(expr, dtype, expr.span)


def _pair(frame: Frame, op: str, left: Value, right: Value, node: ast.AST) -> tuple[ir.Expr | None, ir.Expr | None]:
    """Both operands as expressions; a bare literal has the type that its operator and the other side give it."""
    first, second = _sides(node)
    if isinstance(left, Known) and left.is_number and isinstance(right, Scalar):
        return constant(frame, left, first, left.dtype or operand_type(op, left.value, right.dtype)), right.expr
    if isinstance(right, Known) and right.is_number and isinstance(left, Scalar):
        return left.expr, constant(frame, right, second, right.dtype or operand_type(op, right.value, left.dtype))
    return expression(frame, left, first), expression(frame, right, second)


def _sides(node: ast.AST) -> tuple[ast.AST, ast.AST]:
    """The nodes of the two operands, for carets."""
    match node:
        case ast.BinOp():
            return node.left, node.right
        case ast.Compare(comparators=[right]):
            return node.left, right
        case ast.AugAssign():
            return node.target, node.value
        case _:
            return node, node


def _fold(frame: Frame, op: str, left: Known, right: Known, node: ast.AST) -> Value:
    if left.is_number and right.is_number:
        if op in ("<<", "**") and isinstance(right.value, int) and right.value > 4096:
            frame.report("PTO1250", node, value=f"{left.value} {op} {right.value}", dtype=INT64)
            return UNKNOWN
        try:
            result = _FOLD[op](left.value, right.value)
        except ZeroDivisionError:
            frame.report("PTO1254", node)
            return UNKNOWN
        except (ArithmeticError, TypeError, ValueError):
            frame.report("PTO1253", node, op=op, left=kind_name(left), right=kind_name(right))
            return UNKNOWN
        return _typed(frame, op, left, right, result, node)
    names = {"left": left.value, "right": right.value}
    scope = Scope(frame.module, None, names)
    sides = ast.Name("left", ast.Load()), ast.Name("right", ast.Load())
    tree: ast.expr
    if op in COMPARISONS:
        kind = next(k for k, name in COMPARE_NAMES.items() if name == op)
        tree = ast.Compare(sides[0], [kind()], [sides[1]])
    elif op in ("min", "max"):
        frame.report("PTO1253", node, op=op, left=kind_name(left), right=kind_name(right))
        return UNKNOWN
    else:
        tree = ast.BinOp(sides[0], next(k for k, name in BINARY_NAMES.items() if name == op)(), sides[1])
    try:
        return Known(frame.module.evaluator.expression(ast.copy_location(tree, node), scope))
    except NotConstant as error:
        frame.refuse(error, node, "this expression")
        return UNKNOWN


def _typed(frame: Frame, op: str, left: Known, right: Known, result: Any, node: ast.AST) -> Value:
    """The folded number, with the type that `pl.const` operands give it."""
    if isinstance(result, complex):
        frame.report("PTO1253", node, op=op, left=kind_name(left), right=kind_name(right))
        return UNKNOWN
    if (left.dtype is None and right.dtype is None) or isinstance(result, bool):
        return Known(result)
    first, second = left.dtype, right.dtype
    if first is None and second is not None:
        first = operand_type(op, left.value, second)
    if second is None and first is not None:
        second = operand_type(op, right.value, first)
    types = result_type(op, first or INT64, second or INT64)
    if types is None:
        frame.report("PTO1253", node, op=op, left=first, right=second)
        return UNKNOWN
    if not fits(result, types[0]):
        frame.report("PTO1250", node, value=result, dtype=types[0])
        return UNKNOWN
    return Known(float(result) if types[0].is_float else result, dtype=types[0])


def unary(frame: Frame, op: str, operand: Value, node: ast.AST) -> Value:
    """- + ~ on a number."""
    if isinstance(operand, Unknown):
        return UNKNOWN
    if isinstance(operand, Known) and operand.is_number and not (op == "~" and isinstance(operand.value, float)):
        plain = int(operand.value) if isinstance(operand.value, bool) else operand.value
        number = -plain if op == "-" else ~plain if op == "~" else plain
        return Known(number, dtype=operand.dtype)
    expr = expression(frame, operand, node)
    if expr is None:
        return UNKNOWN
    dtype = unary_type(op, expr.dtype)
    if dtype is None:
        frame.report("PTO1253", node, op=op, left=expr.dtype, right=expr.dtype)
        return UNKNOWN
    if op == "+":
        return Scalar(expr) if expr.dtype == dtype else Scalar(ir.Cast(expr, dtype, frame.span(node)))
    return Scalar(ir.Unary(op, expr, dtype, frame.span(node)))


def truth(frame: Frame, value: Value, node: ast.AST) -> bool | ir.Expr | None:
    """The value as a condition: True or False when it is known, else a BOOL expression; None after a report."""
    if isinstance(value, Unknown):
        return None
    if isinstance(value, Known):
        return known_truth(frame, value, node)
    if isinstance(value, Pointer):
        return ir.Unary("not", ir.IsNull(value.expr, BOOL, frame.span(node)), BOOL, frame.span(node))
    if not isinstance(value, Scalar):
        frame.report("PTO1255", node, found=kind_name(value))
        return None
    if value.dtype == BOOL:
        return value.expr
    zero = ir.Const(0.0 if value.dtype.is_float else 0, FP32 if value.dtype.is_float else value.dtype)
    return ir.Binary("!=", value.expr, zero, BOOL, zero.dtype, span=frame.span(node))


def known_truth(frame: Frame, value: Known, node: ast.AST) -> bool | None:
    """`bool(value)` at compile time."""
    if value.is_number or value.value is None or isinstance(value.value, str):
        return bool(value.value)
    scope = Scope(frame.module, None, {"value": value.value})
    tree = ast.UnaryOp(ast.Not(), ast.copy_location(ast.Name("value", ast.Load()), node))
    try:
        return not frame.module.evaluator.expression(ast.copy_location(tree, node), scope)
    except NotConstant as error:
        frame.refuse(error, node, "this condition")
        return None


__all__ = [
    "BINARY_NAMES", "BITWISE", "COMPARE_NAMES", "SHIFTS", "binary", "cast", "constant", "converted", "expression",
    "fits", "integer", "known_truth", "known_type", "truth", "unary",
]  # fmt: skip
