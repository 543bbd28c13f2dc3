"""How evaluation ends without a value, inside the evaluator.

`Failed` is an exception of the evaluated program: its own try statements can catch it.  `Abandoned` says that the
evaluator cannot follow the program any further; nothing in the program catches it.
"""

from __future__ import annotations

from ptopro.diagnostics.core import Diagnostic
from ptopro.diagnostics.span import Span
from ptopro.frontend.values import Opaque, Value


class Failed(Exception):
    """The evaluated program raises.  kind: name of the exception class; value: the exception, where it is a value."""

    def __init__(
        self,
        kind: str,
        message: str,
        span: Span | None = None,
        diagnostic: Diagnostic | None = None,
        value: Value = None,
    ) -> None:
        super().__init__(f"{kind}: {message}")
        self.kind = kind
        self.message = message
        self.span = span
        self.diagnostic = diagnostic
        self.value = value

    @property
    def reason(self) -> str:
        """What happened, as a phrase."""
        return f"{self.kind}: {self.message}" if self.message else self.kind


class Abandoned(Exception):
    """What the program does from here on depends on an unknown value, or is beyond the evaluator's bounds."""

    def __init__(self, opaque: Opaque) -> None:
        super().__init__(opaque.reason)
        self.opaque = opaque


# What real Python operations on compile-time values may raise.
PYTHON_ERRORS = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    NameError,
    RuntimeError,  # RecursionError too
    TypeError,
    ValueError,
    StopIteration,
    MemoryError,
    BufferError,
)


def failed(error: BaseException, span: Span | None) -> Failed:
    """The Failed of a real Python exception."""
    if isinstance(error, RecursionError):
        return Failed("RecursionError", "nested too deeply", span)
    if isinstance(error, KeyError) and error.args:
        return Failed("KeyError", repr(error.args[0])[:200], span)
    return Failed(type(error).__name__, str(error)[:200], span)
