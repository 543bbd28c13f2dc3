"""Text of compile-time values: str, repr, format, f-strings and `str.format`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ptopro.diagnostics.span import Span
from ptopro.frontend.failures import PYTHON_ERRORS, Failed, failed
from ptopro.frontend.operators import check_specification, inner_opaque
from ptopro.frontend.values import (
    ClassKind,
    InstanceValue,
    IntMember,
    Opaque,
    StrMember,
    Value,
    type_name,
)

if TYPE_CHECKING:
    from ptopro.frontend.evaluator import Evaluator

SIMPLE = (int, float, complex, str, bytes, bool, type(None))


def text_of(ev: Evaluator, value: Value, span: Span, *, quoted: bool = False) -> Value:
    """`str(value)`, or `repr(value)` when quoted; an Opaque when part of the value is unknown."""
    unknown = inner_opaque(ev, value)
    if unknown is not None:
        return unknown
    if isinstance(value, InstanceValue):
        for name in ("__repr__",) if quoted else ("__str__", "__repr__"):
            found, method = value.cls.lookup(name)
            if found:
                return ev.call_value(method, [value], {}, span)
        if value.cls.kind is not ClassKind.DATACLASS:
            return ev.unknown(f"the text of a {type_name(value)} depends on the run of Python", span)
    elif not isinstance(value, (*SIMPLE, list, tuple, dict, set, frozenset, range)):
        return ev.unknown(f"the text of a {type_name(value)} depends on the run of Python", span)
    if isinstance(value, (set, frozenset)) and len(value) > 1:
        return ev.unknown("the order of a set depends on the run of Python", span)
    if isinstance(value, IntMember):
        return f"<{value.cls.name}.{value.name}: {int(value)}>" if quoted else str(int(value))
    ev.weigh(value)
    ev.budget.text(len(value) if isinstance(value, str) else 64)
    try:
        return repr(value) if quoted else str(value)
    except PYTHON_ERRORS as error:
        raise failed(error, span) from None


def format_value(ev: Evaluator, value: Value, specification: str, span: Span) -> Value:
    """`format(value, specification)`."""
    if isinstance(value, Opaque):
        return value
    if not specification:
        return text_of(ev, value, span)
    check_specification(specification, span)
    if isinstance(value, (IntMember, StrMember)):
        value = int(value) if isinstance(value, IntMember) else str(value)
    if not isinstance(value, SIMPLE):
        raise Failed("TypeError", f"{type_name(value)} takes no format specification", span)
    ev.budget.text(10_000 if isinstance(value, (int, float)) else len(value) if isinstance(value, (str, bytes)) else 8)
    try:
        return format(value, specification)
    except PYTHON_ERRORS as error:
        raise failed(error, span) from None


def field_parts(name: str) -> tuple[int | str, list[tuple[bool, int | str]]]:
    """The parts of a replacement field such as `0.shape[1]`: (argument, [(is an attribute, name or index)])."""
    first, *rest = re.split(r"(?=[.\[])", name)
    parts: list[tuple[bool, int | str]] = []
    for part in rest:
        key = part[1:].removesuffix("]")
        parts.append((True, key) if part[0] == "." else (False, int(key) if key.isdecimal() else key))
    return int(first) if first.isdecimal() else first, parts


def format_string(ev: Evaluator, template: str, args: list[Value], kwargs: dict[str, Value], span: Span) -> Value:
    """`template.format(*args, **kwargs)`."""
    import string

    from ptopro.frontend.attributes import get_attribute
    from ptopro.frontend.subscripts import get_item

    class Formatter(string.Formatter):
        """Looks fields up among compile-time values only."""

        unknown: Opaque | None = None

        def get_field(self, field_name: str, args: Value, kwargs: Value) -> Value:
            first, rest = field_parts(field_name)
            value = self.get_value(first, args, kwargs)
            for is_attribute, key in rest:
                value = get_attribute(ev, value, str(key), span) if is_attribute else get_item(ev, value, key, span)
            return value, first

        def convert_field(self, value: Value, conversion: str | None) -> Value:
            return value if conversion is None else text_of(ev, value, span, quoted=conversion != "s")

        def format_field(self, value: Value, format_spec: str) -> str:
            text = format_value(ev, value, format_spec, span)
            if isinstance(text, Opaque):
                self.unknown = text
                return ""
            ev.budget.text(len(text))
            return str(text)

    formatter = Formatter()
    try:
        text = formatter.vformat(template, args, kwargs)
    except PYTHON_ERRORS as error:
        raise failed(error, span) from None
    return formatter.unknown if formatter.unknown is not None else text
