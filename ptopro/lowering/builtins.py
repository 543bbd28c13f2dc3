"""Python's builtins on values of the kernel: len, min, max, abs, int, float, range, enumerate, zip ...

With compile-time arguments alone the front end computes them.  What is here also takes run-time numbers, tiles, groups.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from ptopro.frontend.evaluator import NotConstant
from ptopro.frontend.values import BuiltinValue
from ptopro.language.dtypes import FP32, INT64, DType
from ptopro.lowering import scalars
from ptopro.lowering.arguments import Given, call_values
from ptopro.lowering.assignment import iterate
from ptopro.lowering.context import plain_value
from ptopro.lowering.expressions import members
from ptopro.lowering.values import (
    UNKNOWN,
    Known,
    RangeValue,
    Scalar,
    StructArrayField,
    TupleValue,
    Unknown,
    Value,
    kind_name,
)

if TYPE_CHECKING:
    from ptopro.lowering.context import Frame

_NOT_PLAIN = plain_value(UNKNOWN)


def call_builtin(frame: Frame, builtin: BuiltinValue, node: ast.Call) -> Value:
    """`builtin(...)`."""
    found = call_values(frame, node)
    if found is None:
        return UNKNOWN
    positional, keywords = found
    everything = [*positional, *keywords.values()]
    if any(isinstance(item.value, Unknown) for item in everything):
        return UNKNOWN
    plain = [plain_value(item.value) for item in everything]
    if not any(value is _NOT_PLAIN for value in plain):
        kwargs = dict(zip(keywords, plain[len(positional) :], strict=True))
        if builtin.name == "print":
            frame.report("PTO1068", node)
            return UNKNOWN
        try:
            args = plain[: len(positional)]
            return Known(frame.module.evaluator.call(builtin, args, kwargs, frame.span(node)))
        except NotConstant as error:
            frame.refuse(error, node, f"'{frame.text(node)}'")
            return UNKNOWN
    rule = _RULES.get(builtin.name)
    if rule is not None and not keywords:
        value = rule(frame, positional, node)
        if value is not None:
            return value
    bad = next(item for item, value in zip(everything, plain, strict=True) if value is _NOT_PLAIN)
    frame.report("PTO1287", bad.node, name=builtin.name, found=kind_name(bad.value))
    return UNKNOWN


Rule = Callable[["Frame", Sequence[Given], ast.Call], Value | None]


def _len(frame: Frame, args: Sequence[Given], node: ast.Call) -> Value | None:
    value = args[0].value
    items = members(value)
    if items is None and isinstance(value, StructArrayField):
        return Known(value.length)
    return None if items is None else Known(len(items))


def _extreme(op: str) -> Rule:
    def rule(frame: Frame, args: Sequence[Given], node: ast.Call) -> Value | None:
        values = [item.value for item in args]
        if len(values) == 1:
            values = list(members(values[0]) or ())
        if not values:
            return None
        result = values[0]
        for value in values[1:]:
            result = scalars.binary(frame, op, result, value, node)
        return result

    return rule


def _abs(frame: Frame, args: Sequence[Given], node: ast.Call) -> Value | None:
    value = args[0].value
    if not isinstance(value, Scalar):
        return None
    negative = scalars.unary(frame, "-", value, node)
    return scalars.binary(frame, "max", value, negative, node)


def _convert(dtype: DType) -> Rule:
    def rule(frame: Frame, args: Sequence[Given], node: ast.Call) -> Value | None:
        if len(args) != 1 or not isinstance(args[0].value, Scalar):
            return None
        value = args[0].value
        if dtype == INT64 and value.dtype.is_int:
            return value
        return scalars.cast(frame, value, dtype, node)

    return rule


def _bool(frame: Frame, args: Sequence[Given], node: ast.Call) -> Value | None:
    test = scalars.truth(frame, args[0].value, node)
    if test is None:
        return UNKNOWN
    return Known(test) if isinstance(test, bool) else Scalar(test)


def _items(frame: Frame, given: Given) -> tuple[Value, ...] | None:
    items = members(given.value)
    if items is None and isinstance(given.value, Known):
        found = iterate(frame, given.value, given.node)
        return None if found is None else tuple(found)
    return items


def _enumerate(frame: Frame, args: Sequence[Given], node: ast.Call) -> Value | None:
    items = _items(frame, args[0])
    start = args[1].value.value if len(args) > 1 and isinstance(args[1].value, Known) else 0
    if items is None:
        return None
    return TupleValue(tuple(TupleValue((Known(start + i), item)) for i, item in enumerate(items)))


def _zip(frame: Frame, args: Sequence[Given], node: ast.Call) -> Value | None:
    columns = [_items(frame, item) for item in args]
    found = [column for column in columns if column is not None]
    if len(found) < len(columns):
        return None
    return TupleValue(tuple(TupleValue(row) for row in zip(*found, strict=False)))


def _reversed(frame: Frame, args: Sequence[Given], node: ast.Call) -> Value | None:
    items = _items(frame, args[0])
    return None if items is None else TupleValue(tuple(reversed(items)))


def _sequence(frame: Frame, args: Sequence[Given], node: ast.Call) -> Value | None:
    items = _items(frame, args[0])
    return None if items is None else TupleValue(items)


def _sum(frame: Frame, args: Sequence[Given], node: ast.Call) -> Value | None:
    items = _items(frame, args[0])
    if items is None:
        return None
    total: Value = args[1].value if len(args) > 1 else Known(0)
    for item in items:
        if isinstance(total, Known) and total.value == 0 and not isinstance(item, Known):
            total = item
        else:
            total = scalars.binary(frame, "+", total, item, node)
    return total


def _range(frame: Frame, args: Sequence[Given], node: ast.Call) -> Value | None:
    """`range` with a run-time bound is a run-time loop, as `pl.range`."""
    values = [item.value for item in args]
    if not 1 <= len(values) <= 3:
        return None
    if len(values) == 1:
        values.insert(0, Known(0))
    nodes = [item.node for item in args]
    if len(args) == 1:
        nodes.insert(0, node)
    return RangeValue(values[0], values[1], values[2] if len(values) > 2 else Known(1), (nodes[0], nodes[1], nodes[-1]))


_RULES: dict[str, Rule] = {
    "len": _len,
    "min": _extreme("min"),
    "max": _extreme("max"),
    "abs": _abs,
    "int": _convert(INT64),
    "float": _convert(FP32),
    "bool": _bool,
    "enumerate": _enumerate,
    "zip": _zip,
    "reversed": _reversed,
    "list": _sequence,
    "tuple": _sequence,
    "sum": _sum,
    "range": _range,
}
