"""The Diagnostic type and how stages collect diagnostics.

A stage reports everything that is wrong, not the first thing: it adds diagnostics to a `Sink` and goes on where it
can.  `Sink.raise_if_errors()` at the end of the stage turns what was collected into one `DiagnosticError`.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable
from dataclasses import dataclass, field

from ptopro.diagnostics.span import Span


class Severity(enum.Enum):
    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Label:
    """A secondary place that a diagnostic points to."""

    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One finding, in the kernel's own terms.

    code: stable, `PTO1203`; message: what is wrong; primary: the text under the caret; help: what to do.
    """

    code: str
    severity: Severity
    message: str
    span: Span | None = None
    primary: str = ""
    labels: tuple[Label, ...] = ()
    notes: tuple[str, ...] = ()
    help: str = ""


class DiagnosticError(Exception):
    """What a stage raises when it cannot produce its result; carries every diagnostic of the stage."""

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        self.diagnostics: tuple[Diagnostic, ...] = tuple(diagnostics)
        super().__init__("\n".join(f"{d.code}: {d.message}" for d in self.diagnostics))


@dataclass(slots=True)
class Sink:
    """Collects the diagnostics of one stage, each once."""

    diagnostics: list[Diagnostic] = field(default_factory=list)

    def add(self, diagnostic: Diagnostic) -> None:
        if diagnostic not in self.diagnostics:
            self.diagnostics.append(diagnostic)

    def extend(self, diagnostics: Iterable[Diagnostic]) -> None:
        for diagnostic in diagnostics:
            self.add(diagnostic)

    @property
    def has_errors(self) -> bool:
        return any(d.severity is Severity.ERROR for d in self.diagnostics)

    def raise_if_errors(self) -> None:
        if self.has_errors:
            raise DiagnosticError(self.diagnostics)
