"""Build a Diagnostic from a code, spans and facts; the words stand in the catalogue."""

from __future__ import annotations

from collections.abc import Sequence

from ptopro.diagnostics.catalogue import lookup
from ptopro.diagnostics.core import Diagnostic, Label
from ptopro.diagnostics.span import Span


def make(
    code: str,
    span: Span | None = None,
    *,
    labels: Sequence[Label] = (),
    notes: Sequence[str] = (),
    **facts: object,
) -> Diagnostic:
    """The diagnostic of `code` with the facts put into the catalogue's templates.

    Raises KeyError for an unknown code or a fact that the template asks for and the caller did not give.
    """
    entry = lookup(code)
    return Diagnostic(
        code=code,
        severity=entry.severity,
        message=entry.message.format(**facts),
        span=span,
        primary=entry.primary.format(**facts),
        labels=tuple(labels),
        notes=tuple(notes),
        help=entry.help.format(**facts),
    )
