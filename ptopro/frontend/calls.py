"""Calls of every kind of value that can be called."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from ptopro.diagnostics.span import Span
from ptopro.frontend.failures import PYTHON_ERRORS, Failed, failed
from ptopro.frontend.functions import call_user_function
from ptopro.frontend.values import (
    BoundMethod,
    BuiltinValue,
    ClassValue,
    FunctionValue,
    InstanceValue,
    KernelDecorator,
    LanguageName,
    MethodWrapper,
    Opaque,
    PartialValue,
    Value,
    type_name,
)

if TYPE_CHECKING:
    from ptopro.frontend.evaluator import Evaluator


def call_value(
    ev: Evaluator,
    callee: Value,
    args: list[Value],
    kwargs: dict[str, Value],
    span: Span,
    spans: Mapping[str, Span] | None = None,
) -> Value:
    """`callee(*args, **kwargs)`.  span: the call; spans: the values of keywords, where the call is in the text."""
    ev.budget.step()
    if isinstance(callee, Opaque):
        ev.unknowns += 1
        return callee
    if isinstance(callee, BuiltinValue):
        try:
            return callee.call(ev, args, kwargs, span)
        except PYTHON_ERRORS as error:
            if isinstance(error, ValueError) and "unpack" in str(error):  # of the list of arguments
                raise Failed("TypeError", f"{callee.name}() does not take {len(args)} arguments", span) from None
            raise failed(error, span) from None
    if isinstance(callee, FunctionValue):
        return call_user_function(ev, callee, args, kwargs, span)
    if isinstance(callee, BoundMethod):
        return call_value(ev, callee.function, [callee.instance, *args], kwargs, span)
    if isinstance(callee, MethodWrapper):
        return call_value(ev, callee.function, args, kwargs, span)
    if isinstance(callee, PartialValue):
        merged = {**callee.kwargs, **kwargs}
        return call_value(ev, callee.function, [*callee.args, *args], merged, span, spans)
    if isinstance(callee, ClassValue):
        from ptopro.frontend.classes import instantiate

        return instantiate(ev, callee, args, kwargs, span)
    if isinstance(callee, LanguageName):
        from ptopro.frontend.language_calls import call_language

        return call_language(ev, callee.name, args, kwargs, span, spans or {})
    if isinstance(callee, KernelDecorator):
        from ptopro.frontend.decorators import decorate

        if len(args) != 1 or kwargs:
            raise Failed("TypeError", f"pl.{callee.name}(...) decorates one function", span)
        return decorate(ev, callee, args[0], span)
    if isinstance(callee, type):  # an enum of the language: MemorySpace(1)
        try:
            return callee(*args, **kwargs)
        except PYTHON_ERRORS as error:
            raise failed(error, span) from None
    if isinstance(callee, InstanceValue):
        found, method = callee.cls.lookup("__call__")
        if found:
            return call_value(ev, method, [callee, *args], kwargs, span)
    from ptopro.frontend.kernels import KernelSource

    if isinstance(callee, KernelSource):
        return ev.unknown(f"kernel '{callee.name}' is launched here", span)
    raise Failed("TypeError", f"{type_name(callee)} is not callable", span)
