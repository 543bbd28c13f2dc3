"""Operators on compile-time values: the results of Python, with the size of the result checked first."""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from ptopro.diagnostics.span import Span
from ptopro.frontend.budget import weigh
from ptopro.frontend.failures import PYTHON_ERRORS, Abandoned, Failed, failed
from ptopro.frontend.values import (
    ClassValue,
    EnumMember,
    InstanceValue,
    IteratorValue,
    ModuleValue,
    Opaque,
    TypeValue,
    Value,
    type_name,
)

if TYPE_CHECKING:
    from ptopro.frontend.evaluator import Evaluator

# syntax node -> (spelling, operation, name of the method and of the reflected method)
BINARY: dict[type[ast.operator], tuple[str, Callable[[Value, Value], Value], str, str]] = {
    ast.Add: ("+", operator.add, "__add__", "__radd__"),
    ast.Sub: ("-", operator.sub, "__sub__", "__rsub__"),
    ast.Mult: ("*", operator.mul, "__mul__", "__rmul__"),
    ast.Div: ("/", operator.truediv, "__truediv__", "__rtruediv__"),
    ast.FloorDiv: ("//", operator.floordiv, "__floordiv__", "__rfloordiv__"),
    ast.Mod: ("%", operator.mod, "__mod__", "__rmod__"),
    ast.Pow: ("**", operator.pow, "__pow__", "__rpow__"),
    ast.LShift: ("<<", operator.lshift, "__lshift__", "__rlshift__"),
    ast.RShift: (">>", operator.rshift, "__rshift__", "__rrshift__"),
    ast.BitAnd: ("&", operator.and_, "__and__", "__rand__"),
    ast.BitOr: ("|", operator.or_, "__or__", "__ror__"),
    ast.BitXor: ("^", operator.xor, "__xor__", "__rxor__"),
    ast.MatMult: ("@", operator.matmul, "__matmul__", "__rmatmul__"),
}
UNARY: dict[type[ast.unaryop], tuple[str, Callable[[Value], Value], str]] = {
    ast.UAdd: ("+", operator.pos, "__pos__"),
    ast.USub: ("-", operator.neg, "__neg__"),
    ast.Invert: ("~", operator.invert, "__invert__"),
}
COMPARE: dict[type[ast.cmpop], tuple[str, Callable[[Value, Value], Value], str]] = {
    ast.Eq: ("==", operator.eq, "__eq__"),
    ast.NotEq: ("!=", operator.ne, "__ne__"),
    ast.Lt: ("<", operator.lt, "__lt__"),
    ast.LtE: ("<=", operator.le, "__le__"),
    ast.Gt: (">", operator.gt, "__gt__"),
    ast.GtE: (">=", operator.ge, "__ge__"),
}
NUMBERS = (int, float, complex)
SEQUENCES = (str, bytes, list, tuple)
PLAIN = (*NUMBERS, *SEQUENCES, dict, set, frozenset)


def binary(ev: Evaluator, op: type[ast.operator], left: Value, right: Value, span: Span) -> Value:
    """`left op right`."""
    if isinstance(left, Opaque):
        return left
    if isinstance(right, Opaque):
        return right
    symbol, function, method, reflected = BINARY[op]
    if isinstance(left, InstanceValue) or isinstance(right, InstanceValue):
        return _by_method(ev, symbol, left, right, method, reflected, span)
    if not (isinstance(left, PLAIN) and isinstance(right, PLAIN)):
        if op is ast.BitOr and all(isinstance(v, (TypeValue, ClassValue, type(None))) for v in (left, right)):
            return Opaque("it is a type, not a value", span)  # `int | None` in an annotation
        raise Failed("TypeError", f"cannot compute {type_name(left)} {symbol} {type_name(right)}", span)
    _check_size(ev, op, left, right, span)
    try:
        return function(left, right)
    except PYTHON_ERRORS as error:
        raise failed(error, span) from None


def _by_method(ev: Evaluator, symbol: str, left: Value, right: Value, method: str, reflected: str, span: Span) -> Value:
    for owner, other, name in ((left, right, method), (right, left, reflected)):
        if isinstance(owner, InstanceValue):
            found, function = owner.cls.lookup(name)
            if found:
                return ev.call_value(function, [owner, other], {}, span)
    raise Failed("TypeError", f"cannot compute {type_name(left)} {symbol} {type_name(right)}", span)


def _check_size(ev: Evaluator, op: type[ast.operator], left: Value, right: Value, span: Span) -> None:
    """Refuse results that would be too large, before they are made."""
    budget = ev.budget
    if isinstance(left, int) and isinstance(right, int):
        if op is ast.Mult:
            budget.bits(left.bit_length() + right.bit_length())
        elif op is ast.LShift and right > 0:
            budget.bits(left.bit_length() + right if left else 0)
        elif op is ast.Pow and right > 0 and left not in (-1, 0, 1):
            budget.bits(left.bit_length() * right)
        return
    if op is ast.Mult:
        for many, count in ((left, right), (right, left)):
            if isinstance(many, SEQUENCES) and isinstance(count, int):
                _pay(ev, many, len(many) * max(count, 0))
    elif op is ast.Add and isinstance(left, SEQUENCES) and isinstance(right, SEQUENCES):
        _pay(ev, left, len(left) + len(right))
    elif op is ast.Mod and isinstance(left, (str, bytes)):
        check_percent(left if isinstance(left, str) else left.decode("latin-1"), span)
        ev.weigh(right)
        budget.text(len(left) + 1000)
    elif isinstance(left, (dict, set, frozenset)) and isinstance(right, (dict, set, frozenset)):
        budget.allocate(len(left) + len(right))


def _pay(ev: Evaluator, kind: Value, length: int) -> None:
    if isinstance(kind, (str, bytes)):
        ev.budget.text(length)
    else:
        ev.budget.allocate(length)


def check_percent(text: str, span: Span | None) -> None:
    """Refuse `%` formats with a width or precision that would make a huge string."""
    for match in re.finditer(r"%(?:\([^)]*\))?([-+ #0-9.*]*)", text):
        if "*" in match[1] or re.search(r"\d{4}", match[1]):
            raise Abandoned(Opaque("the format's width or precision is too large or not given as a number", span))


def check_specification(specification: str, span: Span | None) -> None:
    """Refuse a format specification with a huge width or precision."""
    if re.search(r"\d{4}", specification):
        raise Abandoned(Opaque("the format's width or precision is too large", span))


def unary(ev: Evaluator, op: type[ast.unaryop], operand: Value, span: Span) -> Value:
    """`op operand`."""
    if op is ast.Not:
        truth = ev.truth(operand, span)
        return truth if isinstance(truth, Opaque) else not truth
    if isinstance(operand, Opaque):
        return operand
    symbol, function, method = UNARY[op]
    if isinstance(operand, InstanceValue):
        found, user = operand.cls.lookup(method)
        if found:
            return ev.call_value(user, [operand], {}, span)
    if not isinstance(operand, NUMBERS):
        raise Failed("TypeError", f"cannot compute {symbol}{type_name(operand)}", span)
    try:
        return function(operand)
    except PYTHON_ERRORS as error:
        raise failed(error, span) from None


def compare(ev: Evaluator, op: type[ast.cmpop], left: Value, right: Value, span: Span) -> Value:
    """`left op right` for one comparison of a chain."""
    if op is ast.Is or op is ast.IsNot:
        return _identity(op, left, right)
    if op is ast.In or op is ast.NotIn:
        found = contains(ev, right, left, span)
        return found if op is ast.In or isinstance(found, Opaque) else not found
    if isinstance(left, Opaque):
        return left
    if isinstance(right, Opaque):
        return right
    symbol, function, method = COMPARE[op]
    for owner, other in ((left, right), (right, left)):
        if isinstance(owner, InstanceValue):
            found, user = owner.cls.lookup(method if owner is left else _reflected(method))
            if found:
                return ev.call_value(user, [owner, other], {}, span)
    if isinstance(left, (str, bytes)) and len(left) > 1024:
        ev.budget.step(len(left) // 256)
    unknown = inner_opaque(ev, left) or inner_opaque(ev, right)
    if unknown is not None:
        return op is ast.NotEq if op in (ast.Eq, ast.NotEq) and differ(left, right) else unknown
    if op not in (ast.Eq, ast.NotEq) and not (isinstance(left, PLAIN) and isinstance(right, PLAIN)):
        if isinstance(left, InstanceValue) and left.cls.ordered and isinstance(right, InstanceValue):
            return function(left.key(), right.key())
        raise Failed("TypeError", f"cannot compare {type_name(left)} {symbol} {type_name(right)}", span)
    try:
        return function(left, right)
    except PYTHON_ERRORS as error:
        raise failed(error, span) from None


def _reflected(method: str) -> str:
    swaps = {"__lt__": "__gt__", "__gt__": "__lt__", "__le__": "__ge__", "__ge__": "__le__"}
    return swaps.get(method, method)


def _identity(op: type[ast.cmpop], left: Value, right: Value) -> Value:
    if isinstance(left, Opaque):
        return left
    if isinstance(right, Opaque):
        return right
    same = left is right
    if not same and isinstance(left, NUMBERS) and type(left) is type(right):
        same = left == right  # small numbers are one object in Python too; nobody tells them apart by `is`
    return same if op is ast.Is else not same


def contains(ev: Evaluator, container: Value, item: Value, span: Span) -> Value:
    """`item in container`."""
    if isinstance(container, Opaque):
        return container
    if isinstance(item, Opaque):
        return item
    if isinstance(container, ClassValue):
        return item in container.members
    if isinstance(container, type):  # an enum of the language
        return isinstance(item, container)
    if isinstance(container, range):
        if isinstance(item, int):
            return item in container
        ev.budget.step(len(container))
    elif isinstance(container, IteratorValue):
        container = ev.items(container, span)
    elif isinstance(container, InstanceValue):
        found, user = container.cls.lookup("__contains__")
        if found:
            return ev.call_value(user, [container, item], {}, span)
    elif not isinstance(container, (str, bytes, list, tuple, dict, set, frozenset)):
        raise Failed("TypeError", f"{type_name(container)} is not iterable", span)
    if isinstance(container, (list, tuple, set, frozenset)):
        unknown = inner_opaque(ev, container) or inner_opaque(ev, item)
        if unknown is not None:
            return False if all(differ(item, other) for other in container) else unknown
    elif isinstance(container, (str, bytes)):
        ev.budget.step(len(container) // 32)
    ev.weigh(item)
    try:
        return item in container
    except PYTHON_ERRORS as error:
        raise failed(error, span) from None


def differ(left: Value, right: Value) -> bool:
    """Whether two values are unequal whatever the unknown parts of them are."""
    if isinstance(left, (tuple, list)) and type(left) is type(right):
        return len(left) != len(right) or any(map(differ, left, right))
    return isinstance(left, (*NUMBERS, str)) and isinstance(right, (*NUMBERS, str)) and left != right


def inner_opaque(ev: Evaluator, value: Value) -> Opaque | None:
    """The first unknown value inside a container, all levels; pays for the walk."""
    if isinstance(value, Opaque):
        return value
    if not isinstance(value, (list, tuple, dict, set, frozenset, InstanceValue)):
        return None
    weigh(value, ev.budget)
    todo: list[Value] = [value]
    while todo:
        item = todo.pop()
        if isinstance(item, Opaque):
            return item
        if isinstance(item, (list, tuple, set, frozenset)):
            todo.extend(item)
        elif isinstance(item, dict):
            todo.extend(item.values())
        elif isinstance(item, InstanceValue):
            todo.extend(item.attributes.values())
    return None


def truth(ev: Evaluator, value: Value, span: Span) -> Value:
    """`bool(value)`: True, False or the Opaque itself."""
    if isinstance(value, Opaque):
        return value
    if isinstance(value, InstanceValue):
        for name in ("__bool__", "__len__"):
            found, user = value.cls.lookup(name)
            if found:
                result = ev.call_value(user, [value], {}, span)
                return result if isinstance(result, Opaque) else bool(result)
        return True
    if isinstance(value, (EnumMember, ModuleValue, ClassValue)):
        return True
    try:
        return bool(value)
    except PYTHON_ERRORS as error:
        raise failed(error, span) from None
