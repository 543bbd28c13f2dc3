"""Scalar expressions as C++ text, with parentheses only where the grammar (or a reader) needs them.

`PRINTERS` says how each kind of IR node is written.  A printed expression (`Text`) knows its precedence and its C++
type, so that operands are converted exactly where C++'s own promotions would not give the type that the language
computes in.  What stands for a variable, a tile or a tensor is asked of a `Scope`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from ptopro.codegen.literals import INT32_MAX, INT32_MIN, number
from ptopro.language.dtypes import BF16, BOOL, FP16, FP32, INT32, INT64, UINT32, UINT64, DType
from ptopro.lowering import ir, simt_ir

# Precedence, higher binds tighter.
TERNARY, OR, AND, BIT_OR, BIT_XOR, BIT_AND, EQUAL, ORDER, SHIFT, SUM, PRODUCT, PREFIX, POSTFIX = range(13)

_BINARY: dict[str, tuple[str, int]] = {
    "or": ("||", OR), "and": ("&&", AND), "|": ("|", BIT_OR), "^": ("^", BIT_XOR), "&": ("&", BIT_AND),
    "==": ("==", EQUAL), "!=": ("!=", EQUAL), "<": ("<", ORDER), "<=": ("<=", ORDER), ">": (">", ORDER),
    ">=": (">=", ORDER), "<<": ("<<", SHIFT), ">>": (">>", SHIFT), "+": ("+", SUM), "-": ("-", SUM),
    "*": ("*", PRODUCT), "/": ("/", PRODUCT), "//": ("/", PRODUCT), "%": ("%", PRODUCT),
}  # fmt: skip
_COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")
_NEGATED = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
_HELPERS = {"//": "floor_div", "%": "floor_mod", "**": "int_pow", "min": "min_of", "max": "max_of"}
# Operators whose mixing compilers warn about although the grammar is clear.
_CONFUSING = {
    OR: (AND,),
    BIT_OR: (BIT_AND, BIT_XOR, SUM, SHIFT, EQUAL, ORDER),
    BIT_XOR: (BIT_AND, SUM, SHIFT, EQUAL, ORDER),
    BIT_AND: (SUM, SHIFT, EQUAL, ORDER),
    EQUAL: (EQUAL, ORDER),
    ORDER: (ORDER,),
    SHIFT: (SUM,),
}
_SMALL_INT = DType("int literal", 0, "literal", "int", "")  # takes on whatever integer type it meets


@dataclass(frozen=True, slots=True)
class Text:
    """C++ text of an expression.  dtype: the type C++ gives it."""

    text: str
    level: int
    dtype: DType

    def at(self, level: int) -> str:
        """The text as an operand of something that binds at `level`."""
        return f"({self.text})" if self.level < level else self.text


class Scope(Protocol):
    """What an expression needs to know about the function it stands in."""

    def variable(self, var: ir.Var) -> str: ...

    def constant(self, const: ir.Const) -> str | None: ...

    def helper(self, name: str) -> str: ...

    def system(self, value: ir.SystemValue) -> Text: ...

    def valid_extent(self, node: ir.ValidExtent) -> Text: ...

    def element(self, node: ir.ElementRead) -> Text: ...

    def array(self, node: ir.ArrayRead) -> Text: ...

    def struct_field(self, node: ir.StructRead) -> Text: ...

    def tiling_field(self, node: ir.TilingRead) -> Text: ...

    def pointer(self, node: ir.PointerOf) -> Text: ...

    def call(self, node: ir.Call) -> Text: ...

    def thread_math(self, node: simt_ir.ThreadMath) -> Text: ...


def render(node: ir.Expr, scope: Scope) -> Text:
    """The C++ text of an expression."""
    return PRINTERS[type(node)](node, scope)


def text_of(node: ir.Expr, scope: Scope, level: int = TERNARY) -> str:
    """The C++ text of an expression as an operand that binds at `level`."""
    return render(node, scope).at(level)


def converted(node: ir.Expr, dtype: DType, scope: Scope) -> Text:
    """An expression as a value of `dtype`, with a cast only where C++ would not give that type."""
    if isinstance(node, ir.Const) and scope.constant(node) is None and node.dtype is not dtype:
        value = node.value
        if not dtype.is_int or float(value).is_integer():
            return _const(ir.Const(value, dtype), scope)
    printed = render(node, scope)
    if _same(printed.dtype, dtype):
        return printed
    return cast(printed, dtype)


def assigned(node: ir.Expr, dtype: DType, scope: Scope) -> Text:
    """An expression where C++ itself converts to `dtype` (assignment, bounds): widening an integer needs no cast."""
    printed = render(node, scope)
    if printed.dtype.kind == dtype.kind and printed.dtype.is_int and printed.dtype.bits <= dtype.bits:
        return printed
    return converted(node, dtype, scope)


def cast(printed: Text, dtype: DType) -> Text:
    """`static_cast<T>(x)`; to bool as a comparison with zero."""
    if dtype is BOOL:
        return Text(f"{printed.at(EQUAL + 1)} != 0", EQUAL, BOOL)
    return Text(f"static_cast<{dtype.c}>({printed.text})", POSTFIX, dtype)


def _same(given: DType, wanted: DType) -> bool:
    """Whether text of one type can stand for the other as it is."""
    return given is wanted or (given is _SMALL_INT and wanted.is_int)


def _const(node: ir.Const, scope: Scope) -> Text:
    name = scope.constant(node)
    if name is not None:
        return Text(name, POSTFIX, node.dtype)
    text = number(node.value, node.dtype)
    level = PREFIX if text.startswith("-") else POSTFIX
    if node.dtype.is_int and INT32_MIN <= node.value <= INT32_MAX:
        return Text(text, level, _SMALL_INT)
    return Text(text, level, node.dtype)


def _variable(node: ir.VarRef, scope: Scope) -> Text:
    return Text(scope.variable(node.var), POSTFIX, node.dtype)


def _unary(node: ir.Unary, scope: Scope) -> Text:
    operand = node.operand
    if node.op == "not":
        if isinstance(operand, ir.Binary) and operand.op in _NEGATED and not operand.common.is_float:
            return _compare(operand, _NEGATED[operand.op], scope)
        if isinstance(operand, ir.Unary) and operand.op == "not":
            return as_test(operand.operand, scope)
        return Text(f"!{as_test(operand, scope).at(PREFIX)}", PREFIX, BOOL)
    printed = converted(operand, node.dtype, scope)
    if printed.text.startswith(node.op):
        printed = Text(printed.text, TERNARY, printed.dtype)
    return Text(f"{node.op}{printed.at(PREFIX)}", PREFIX, printed.dtype)


def as_test(node: ir.Expr, scope: Scope) -> Text:
    """An expression where C++ wants a bool."""
    printed = render(node, scope)
    return printed if printed.dtype is BOOL else cast(printed, BOOL)


def _binary(node: ir.Binary, scope: Scope) -> Text:
    if node.op in ("and", "or"):
        sign, level = _BINARY[node.op]
        left, right = as_test(node.left, scope), as_test(node.right, scope)
        return Text(f"{_side(left, level)} {sign} {_side(right, level, right=True)}", level, BOOL)
    if node.op in _COMPARISONS:
        return _compare(node, node.op, scope)
    helper = _HELPERS.get(node.op)
    if helper is not None and not _plain_division(node):
        return _helper(node, helper, scope)
    return _arithmetic(node, scope)


def _plain_division(node: ir.Binary) -> bool:
    """Whether C++'s / or % means what Python's // or % does: no operand can be negative."""
    return node.op in ("//", "%") and (node.common.kind == "uint" or (node.nonnegative and node.common.is_int))


def _helper(node: ir.Binary, helper: str, scope: Scope) -> Text:
    left, right = render(node.left, scope), render(node.right, scope)
    name = scope.helper(helper)
    if node.op == "**":
        base = converted(node.left, node.common, scope)
        return Text(f"{name}<{node.common.c}>({base.text}, {right.text})", POSTFIX, node.common)
    return Text(f"{name}<{node.common.c}>({left.text}, {right.text})", POSTFIX, node.common)


def _compare(node: ir.Binary, op: str, scope: Scope) -> Text:
    sign, level = _BINARY[op]
    if isinstance(node.left, ir.Const) and isinstance(node.right, ir.Const):
        left, right = render(node.left, scope), render(node.right, scope)
    else:
        left, right = _operands(node, scope)
    return Text(f"{_side(left, level)} {sign} {_side(right, level, right=True)}", level, BOOL)


def _arithmetic(node: ir.Binary, scope: Scope) -> Text:
    sign, level = _BINARY[node.op]
    if node.op in ("<<", ">>"):
        left, right = converted(node.left, node.common, scope), render(node.right, scope)
        if left.dtype is _SMALL_INT:  # the shifted value decides the type
            left = cast(left, node.common)
        return Text(f"{_side(left, level)} {sign} {_side(right, level, right=True)}", level, node.common)
    left, right = _operands(node, scope)
    both_literal = left.dtype is _SMALL_INT and right.dtype is _SMALL_INT
    if both_literal and node.common is not INT32:
        left = cast(left, node.common)
    text = f"{_side(left, level)} {sign} {_side(right, level, right=True)}"
    wider = node.common is INT32 and INT64 in (left.dtype, right.dtype)
    return Text(text, level, INT64 if wider else node.common)


def _operands(node: ir.Binary, scope: Scope) -> tuple[Text, Text]:
    """Both operands, converted as far as C++'s usual conversions would not reach the type the language computes in."""
    common = node.common
    left, right = render(node.left, scope), render(node.right, scope)
    reached = usual(left.dtype, right.dtype)
    wider = reached is INT64 and common is INT32  # the same numbers, and no overflow
    if (reached is common or wider) and not _sign_mix(left.dtype, right.dtype):
        return left, right
    if left.dtype is _SMALL_INT and right.dtype is _SMALL_INT:
        return left, right
    if common is INT64 and reached is INT32 and _SMALL_INT in (left.dtype, right.dtype):
        return _wide_literal(left), _wide_literal(right)
    if common.is_int and usual(common, right.dtype) is common and not _sign_mix(common, right.dtype):
        return converted(node.left, common, scope), right
    return converted(node.left, common, scope), converted(node.right, common, scope)


def _wide_literal(operand: Text) -> Text:
    """A bare literal as one of 64 bits, which makes C++ compute in 64 bits; so too what consists of literals."""
    if operand.dtype is not _SMALL_INT:
        return operand
    if operand.text.removeprefix("-").isdigit():
        return Text(f"{operand.text}LL", operand.level, INT64)
    return cast(operand, INT64)


def usual(left: DType, right: DType) -> DType | None:
    """The type of `left + right` in C++, None where it is none that the language knows."""
    if _SMALL_INT in (left, right):
        other = right if left is _SMALL_INT else left
        if other is _SMALL_INT or other is BOOL or other.bits < 32:
            return INT32 if other in (_SMALL_INT, BOOL) or other.is_int else None
        return other
    if left.is_float or right.is_float:
        narrow = any(t in (FP16, BF16) or t.kind.startswith("fp") for t in (left, right))
        return None if narrow else FP32
    if left.kind == "scale" or right.kind == "scale":
        return None
    bits = max(32, left.bits, right.bits)
    unsigned = any(t.kind == "uint" and t.bits == bits for t in (left, right))
    return (UINT64 if unsigned else INT64) if bits == 64 else (UINT32 if unsigned else INT32)


def _sign_mix(left: DType, right: DType) -> bool:
    """A signed and an unsigned operand: conversion is written out, compilers warn otherwise."""
    kinds = {t.kind for t in (left, right) if t.bits >= 32}
    return kinds >= {"int", "uint"}


def _side(operand: Text, level: int, *, right: bool = False) -> str:
    """An operand of a binary operator; operators are left associative."""
    if operand.level in _CONFUSING.get(level, ()):
        return f"({operand.text})"
    return operand.at(level + 1 if right else level)


def _choose(node: ir.Choose, scope: Scope) -> Text:
    test = as_test(node.test, scope).at(TERNARY + 1)
    then, other = render(node.then, scope), render(node.other, scope)
    dtype = usual(then.dtype, other.dtype)
    if then.dtype is other.dtype:
        dtype = then.dtype
    elif dtype is None or not node.dtype.is_int or _sign_mix(then.dtype, other.dtype):
        then, other = converted(node.then, node.dtype, scope), converted(node.other, node.dtype, scope)
        dtype = node.dtype
    return Text(f"{test} ? {then.at(TERNARY + 1)} : {other.at(TERNARY)}", TERNARY, dtype)


def _cast(node: ir.Cast, scope: Scope) -> Text:
    if isinstance(node.operand, ir.Const) and not (node.dtype.is_int and node.operand.dtype.is_float):
        return converted(node.operand, node.dtype, scope)
    printed = render(node.operand, scope)
    if printed.dtype is node.dtype:
        return printed
    return cast(printed, node.dtype)


def _is_null(node: ir.IsNull, scope: Scope) -> Text:
    return Text(f"{text_of(node.pointer, scope, EQUAL + 1)} == nullptr", EQUAL, BOOL)


Printer = Callable[..., Text]
PRINTERS: dict[type, Printer] = {
    ir.Const: _const,
    ir.VarRef: _variable,
    ir.Unary: _unary,
    ir.Binary: _binary,
    ir.Choose: _choose,
    ir.Cast: _cast,
    ir.IsNull: _is_null,
    ir.SystemValue: lambda node, scope: scope.system(node),
    ir.ValidExtent: lambda node, scope: scope.valid_extent(node),
    ir.ElementRead: lambda node, scope: scope.element(node),
    ir.ArrayRead: lambda node, scope: scope.array(node),
    ir.StructRead: lambda node, scope: scope.struct_field(node),
    ir.TilingRead: lambda node, scope: scope.tiling_field(node),
    ir.PointerOf: lambda node, scope: scope.pointer(node),
    ir.Call: lambda node, scope: scope.call(node),
    simt_ir.ThreadMath: lambda node, scope: scope.thread_math(node),
}

NEEDS: dict[str, tuple[str, ...]] = {  # helpers that a helper calls
    "floor_mod": ("floor_div",),
    "pass_release": ("wait_release",),
    "wait_releases": ("wait_release",),
}
