"""The evaluator of compile time: what a name, an expression or a call of a kernel file is worth.

Nothing of the file is executed: the syntax tree is interpreted, on the values of `values`, within the bounds of
`budget`.  The rules stand in `expressions`, `statements`, `calls`, `classes` and `attributes`; this module holds what
they share and the interface that lowering uses.
"""

from __future__ import annotations

import ast
import enum
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from ptopro.diagnostics.build import make
from ptopro.diagnostics.core import Diagnostic, Label, Sink
from ptopro.diagnostics.span import Span
from ptopro.frontend import operators
from ptopro.frontend.attributes import get_attribute
from ptopro.frontend.budget import Budget, weigh
from ptopro.frontend.calls import call_value
from ptopro.frontend.expressions import EXPRESSIONS
from ptopro.frontend.failures import PYTHON_ERRORS, Abandoned, Failed, failed
from ptopro.frontend.scope import MISSING, NotConstant, RunTimeName, Scope
from ptopro.frontend.values import (
    ClassKind,
    ClassValue,
    FunctionValue,
    InstanceValue,
    IteratorValue,
    Opaque,
    Value,
    type_name,
)

if TYPE_CHECKING:
    from ptopro.frontend.kernels import KernelSource
    from ptopro.frontend.loader import Loader
    from ptopro.frontend.source import SourceModule

__all__ = ["MISSING", "Evaluator", "NotConstant", "RunTimeName", "Scope", "not_constant_diagnostic"]


class Evaluator:
    """Evaluates expressions, statements and calls of kernel files.

    sink: where diagnostics of the file go; loader: finds imported sibling files; module: the file that is evaluated;
    kernels: those made so far.
    """

    def __init__(self, sink: Sink, loader: Loader | None, module: SourceModule) -> None:
        self.sink = sink
        self.loader = loader
        self.module = module
        self.budget = Budget()
        self.kernels: list[KernelSource] = []
        self.later: list[Callable[[], None]] = []  # what waits until the whole file has been evaluated
        self.deferring: str | None = None  # why kernels met now have no values for their closures
        self.callers: list[str] = []  # names of the functions being called, outermost first
        self.unknowns = 0  # how many unknown values have been met, to tell whether a block may have raised

    # ----------------------------------------------------------------------------------------------------------------
    # For lowering

    def expression(self, node: ast.expr, scope: Scope) -> Value:
        """The value of an expression.

        Raises NotConstant when it is unknown, fails, or needs a run-time value (then a RunTimeName).
        """
        try:
            value = self._bounded(lambda: self.evaluate(node, scope), lambda: scope.module.span(node))
        except RunTimeName as error:
            error.span = error.span or scope.module.span(node)
            raise
        return value

    def call_value(self, callee: Value, args: Sequence[Value], kwargs: Mapping[str, Value], span: Span) -> Value:
        """Call any value from within an evaluation; may return an Opaque and raise Failed and Abandoned."""
        return call_value(self, callee, list(args), dict(kwargs), span)

    def call(
        self,
        callee: Value,
        args: Sequence[Value],
        kwargs: Mapping[str, Value] | None = None,
        span: Span | None = None,
    ) -> Value:
        """Call a compile-time value: a class, a builtin, a pure function, a constructor of the language.

        Raises NotConstant.
        """
        at = span or Span("", 1, 1, 1, 1)
        return self._bounded(lambda: self.call_value(callee, args, kwargs or {}, at), lambda: at)

    def call_function(
        self,
        function: FunctionValue,
        args: Sequence[Value],
        kwargs: Mapping[str, Value] | None = None,
        span: Span | None = None,
    ) -> Value:
        """Call a function of the kernel file on compile-time values.  Raises NotConstant."""
        return self.call(function, args, kwargs, span or function.module.span(function.node))

    def attribute(self, value: Value, name: str, span: Span) -> Value:
        """`value.name`.  Raises NotConstant."""
        return self._bounded(lambda: get_attribute(self, value, name, span), lambda: span)

    def iterate(self, value: Value, span: Span) -> list[Value]:
        """The items of an iterable value.  Raises NotConstant."""
        items: list[Value] = self._bounded(lambda: self.items(value, span), lambda: span)
        return items

    def compare(self, op: type[ast.cmpop], left: Value, right: Value, span: Span) -> Value:
        """`left op right`.  Raises NotConstant."""
        return self._bounded(lambda: operators.compare(self, op, left, right, span), lambda: span)

    def _bounded(self, compute: Callable[[], Value], span: Callable[[], Span]) -> Value:
        """Run a computation within a fresh budget and turn every way of having no value into NotConstant."""
        self.budget.reset()
        try:
            value = compute()
        except Failed as error:
            raise NotConstant(span(), error.reason, error.span, error.diagnostic) from None
        except Abandoned as error:
            value = error.opaque
        except PYTHON_ERRORS as error:
            raise NotConstant(span(), failed(error, None).reason) from None
        if isinstance(value, Opaque):
            raise NotConstant(span(), value.reason, value.span, value.diagnostic)
        return value

    # ----------------------------------------------------------------------------------------------------------------
    # For the modules of the evaluator

    def evaluate(self, node: ast.expr, scope: Scope) -> Value:
        """The value of an expression, Opaque when unknown.  Raises Failed, Abandoned, RunTimeName."""
        budget = self.budget
        budget.steps -= 1
        if budget.steps < 0:
            budget.step(0)
        rule = EXPRESSIONS.get(type(node))
        if rule is None:
            raise Abandoned(self.unknown(f"{type(node).__name__} is not evaluated", scope.module.span(node)))
        return rule(self, node, scope)

    def truth(self, value: Value, span: Span) -> Value:
        """`bool(value)`: True, False, or the Opaque itself."""
        return operators.truth(self, value, span)

    def items(self, value: Value, span: Span) -> list[Value]:
        """All items of an iterable, paid for one by one.  Raises Abandoned for an unknown one."""
        found: list[Value] = []
        for item in self.iterator(value, span):
            found.append(item)
            if len(found) % 1024 == 0:
                self.budget.allocate(1024)
        self.budget.allocate(len(found) % 1024)
        return found

    def iterator(self, value: Value, span: Span) -> Iterator[Value]:
        """Iterate over a value; every item is a step."""
        if isinstance(value, Opaque):
            raise Abandoned(value)
        if isinstance(value, IteratorValue):
            source: Iterator[Value] = value.iterator
        elif isinstance(value, (list, tuple, dict, set, frozenset, str, bytes, range)):
            source = iter(value)
        elif isinstance(value, enum.EnumMeta):  # an enum of the language
            source = iter(list(value))
        elif isinstance(value, ClassValue) and value.kind is ClassKind.ENUM:
            source = iter(value.members)
        elif isinstance(value, InstanceValue):
            found, method = value.cls.lookup("__iter__")
            if not found:
                raise Failed("TypeError", f"{type_name(value)} is not iterable", span)
            yield from self.iterator(self.call_value(method, [value], {}, span), span)
            return
        else:
            raise Failed("TypeError", f"{type_name(value)} is not iterable", span)
        try:
            for item in source:
                self.budget.step()
                yield item
        except RuntimeError as error:  # a container that changes while it is iterated over
            raise failed(error, span) from None

    def weigh(self, value: Value) -> None:
        """Pay for comparing, hashing or printing a value."""
        if isinstance(value, (list, tuple, dict, set, frozenset, InstanceValue)):
            weigh(value, self.budget)

    def hashable(self, key: Value, span: Span) -> Value:
        """A value that is about to become a key of a dict or a member of a set."""
        if isinstance(key, Opaque):
            raise Abandoned(key)
        self.weigh(key)
        parts: list[Value] = [key]
        while parts:
            part = parts.pop()
            if isinstance(part, tuple):
                parts.extend(part)
            elif isinstance(part, int) and part.bit_length() > 60:  # all multiples of 2**61-1 have one hash
                raise Abandoned(Opaque("the key holds too large an integer", span))
        try:
            hash(key)
        except PYTHON_ERRORS as error:
            raise failed(error, span) from None
        return key

    def unknown(self, reason: str, span: Span | None, diagnostic: Diagnostic | None = None) -> Opaque:
        """A new unknown value."""
        self.unknowns += 1
        return Opaque(reason, span, diagnostic)


def not_constant_diagnostic(error: NotConstant, what: str) -> Diagnostic:
    """The diagnostic of a NotConstant where `what` (such as "the tile's shape") has to be known at compile time."""
    if error.diagnostic is not None:
        return error.diagnostic
    labels = []
    if error.origin is not None and error.origin != error.span:
        labels.append(Label(error.origin, "it becomes unknown here"))
    return make("PTO1102", error.span, labels=labels, what=what, reason=error.reason)
