"""The evaluator of compile time: what a name, an expression or a call of a kernel file is worth, without running it."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence

from ptopro.diagnostics.core import Diagnostic
from ptopro.diagnostics.span import Span
from ptopro.frontend.scope import NotConstant, RunTimeName, Scope
from ptopro.frontend.values import FunctionValue, Value

__all__ = ["Evaluator", "NotConstant", "RunTimeName", "Scope"]


class Evaluator:
    """Evaluates expressions and calls of kernel files within bounds of steps and memory."""

    def expression(self, node: ast.expr, scope: Scope) -> Value:
        """The value of an expression.  Raises NotConstant when it is unknown, fails, or needs a run-time value."""
        raise NotImplementedError

    def call_function(
        self,
        function: FunctionValue,
        args: Sequence[Value],
        kwargs: Mapping[str, Value] | None = None,
        span: Span | None = None,
    ) -> Value:
        """Call a function of the kernel file on compile-time values.  Raises NotConstant."""
        raise NotImplementedError

    def attribute(self, value: Value, name: str, span: Span) -> Value:
        """`value.name` for a compile-time value.  Raises NotConstant."""
        raise NotImplementedError

    def call_value(
        self, callee: Value, args: Sequence[Value], kwargs: Mapping[str, Value], span: Span
    ) -> Value:
        """Call any compile-time value: a class, a builtin, a constructor of the language.  Raises NotConstant."""
        raise NotImplementedError


def not_constant_diagnostic(error: NotConstant, what: str) -> Diagnostic:
    """The diagnostic of a NotConstant where `what` (such as "the tile's shape") has to be known at compile time."""
    raise NotImplementedError
