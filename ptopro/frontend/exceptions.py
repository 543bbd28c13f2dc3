"""Exceptions of kernel files: builtin classes as values, what `raise` raises, what `except` catches."""

from __future__ import annotations

import builtins
from typing import TYPE_CHECKING

from ptopro.diagnostics.span import Span
from ptopro.frontend.failures import Failed
from ptopro.frontend.values import ClassValue, InstanceValue, TypeValue, Value

if TYPE_CHECKING:
    from ptopro.frontend.evaluator import Evaluator


def exception_type(name: str) -> TypeValue:
    """A builtin exception class; calling it makes an exception with a message."""
    python = getattr(builtins, name)

    def call(ev: Evaluator, args: list[Value], kwargs: dict[str, Value], span: Span) -> Value:
        message = args[0] if args and isinstance(args[0], str) else ""
        return Failed(name, message, span)

    return TypeValue(name, call, python)


def exception_of(ev: Evaluator, value: Value, span: Span) -> Failed:
    """The Failed that `raise value` raises."""
    if isinstance(value, TypeValue):
        value = value.call(ev, [], {}, span)
    if isinstance(value, ClassValue):
        value = ev.call_value(value, [], {}, span)
    if isinstance(value, Failed):
        return Failed(value.kind, value.message, span)
    if isinstance(value, InstanceValue):
        args = value.attributes.get("args", ())
        message = args[0] if args and isinstance(args[0], str) else ""
        return Failed(value.cls.name, message, span, value=value)
    return Failed("TypeError", "exceptions must derive from BaseException", span)


def exception_matches(error: Failed, kind: Value) -> bool:
    """Whether `except kind` catches the failure."""
    if isinstance(kind, ClassValue):
        return isinstance(error.value, InstanceValue) and error.value.cls.is_subclass_of(kind)
    if not isinstance(kind, TypeValue):
        return False
    if isinstance(error.value, InstanceValue):
        return issubclass(Exception, kind.python) or any(
            isinstance(base, TypeValue) and issubclass(base.python, kind.python) for base in error.value.cls.bases
        )
    raised = getattr(builtins, error.kind, Exception)
    return isinstance(raised, type) and issubclass(raised, kind.python)


def exceptions() -> dict[str, Value]:
    """Every builtin exception class by its name."""
    return {
        name: exception_type(name)
        for name, value in vars(builtins).items()
        if isinstance(value, type) and issubclass(value, BaseException)
    }
