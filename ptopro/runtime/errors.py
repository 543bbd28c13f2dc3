"""The exceptions that a host program can meet when it launches a kernel.

Each carries diagnostics.  The classes below `ParserError` are also served to host programs under the names that the
language's own package uses, so `pytest.raises(ParserSyntaxError)` in a file written for the NPU means what it says.

    DiagnosticError
      KernelError      the kernel cannot be transpiled; also a ParserError of the kind its first code says
      LaunchError      arguments or subscripts that do not fit; also a ValueError
        LaunchTypeError  ... of the wrong type; also a TypeError
      SimulatorError   the run was ended: deadlock, access out of bounds, trap; also a RuntimeError
"""

from __future__ import annotations

from collections.abc import Iterable

from ptopro.diagnostics import Diagnostic, DiagnosticError, Severity, Span


class PyptoError(Exception):
    """Root of the language package's own exceptions."""


class ParserError(PyptoError):
    """A kernel that is not understood.  Fields of the first diagnostic: message, span, hint, note."""

    message: str = ""
    span: object = None
    hint: str | None = None
    note: str | None = None


class ParserSyntaxError(ParserError):
    pass


class ParserTypeError(ParserError):
    pass


class FinalRejectionError(ParserTypeError):
    pass


class UndefinedVariableError(ParserError):
    pass


class SSAViolationError(ParserError):
    pass


class UnsupportedFeatureError(ParserError):
    pass


class InvalidOperationError(ParserError):
    pass


class ScopeIsolationError(ParserError):
    pass


class PyptoValueError(PyptoError, ValueError):
    pass


class KernelError(DiagnosticError, ParserSyntaxError):
    """A kernel that cannot be transpiled or built.

    The language's own package reports what its parser does not expect as a syntax error, so every KernelError is one
    too, beside the kind that its code says.
    """

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        super().__init__(diagnostics)
        first = _first_error(self.diagnostics)
        self.message = first.message
        self.span = _span_fields(first.span)
        self.hint = first.help or None
        self.note = "\n".join(first.notes) or None

    def __str__(self) -> str:
        return "\n".join(_plain(diagnostic) for diagnostic in self.diagnostics)


class KernelTypeError(KernelError, ParserTypeError):
    """12xx: types and shapes."""


class KernelNameError(KernelError, UndefinedVariableError):
    """11xx: names and constants."""


class KernelFeatureError(KernelError, UnsupportedFeatureError):
    """10xx: syntax and unsupported Python."""


class KernelOperationError(KernelError, InvalidOperationError):
    """13xx to 16xx: memory, pipeline, synchronisation, tiling."""


class LaunchError(DiagnosticError, PyptoValueError):
    """A launch that does not fit the kernel; nothing has run."""

    def __str__(self) -> str:
        return "\n".join(_plain(diagnostic) for diagnostic in self.diagnostics)


class LaunchTypeError(LaunchError, TypeError):
    """A launch with something of the wrong type; nothing has run."""


class SimulatorError(DiagnosticError, RuntimeError):
    """A run that was ended; the outputs hold whatever had been stored by then."""

    def __str__(self) -> str:
        return "\n".join(_plain(diagnostic) for diagnostic in self.diagnostics)


_KINDS: dict[str, type[KernelError]] = {
    "10": KernelFeatureError,
    "11": KernelNameError,
    "12": KernelTypeError,
    "13": KernelOperationError,
    "14": KernelOperationError,
    "15": KernelOperationError,
    "16": KernelOperationError,
}


def kernel_error(diagnostics: Iterable[Diagnostic]) -> KernelError:
    """The exception for a kernel's diagnostics, of the kind that the first error's code says."""
    found = tuple(diagnostics)
    return _KINDS.get(_first_error(found).code[3:5], KernelError)(found)


class _Position:
    """A span under the names that the language's package gives its fields."""

    def __init__(self, span: Span) -> None:
        self.filename = span.file
        self.line = self.begin_line = span.line
        self.column = self.begin_column = span.col
        self.end_line = span.end_line
        self.end_column = span.end_col

    def __str__(self) -> str:
        return f"{self.filename}:{self.line}:{self.column}"


def _span_fields(span: Span | None) -> _Position | None:
    return None if span is None else _Position(span)


def _first_error(diagnostics: tuple[Diagnostic, ...]) -> Diagnostic:
    return next((d for d in diagnostics if d.severity is Severity.ERROR), diagnostics[0])


def _plain(diagnostic: Diagnostic) -> str:
    """A diagnostic in an exception's text: position, code, message and what to do."""
    place = f"{diagnostic.span}: " if diagnostic.span else ""
    lines = [f"{place}{diagnostic.code}: {diagnostic.message}", *(f"  note: {note}" for note in diagnostic.notes)]
    if diagnostic.help:
        lines.append(f"  help: {diagnostic.help}")
    return "\n".join(lines)
