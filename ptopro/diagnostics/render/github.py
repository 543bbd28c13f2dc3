"""GitHub workflow commands: annotations on the lines of a pull request."""

from __future__ import annotations

from collections.abc import Sequence

from ptopro.diagnostics.core import Diagnostic, Severity

_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "notice"}


def render_github(diagnostics: Sequence[Diagnostic]) -> str:
    return "\n".join(_command(diagnostic) for diagnostic in diagnostics)


def _command(diagnostic: Diagnostic) -> str:
    fields = {"title": diagnostic.code}
    if diagnostic.span:
        span = diagnostic.span
        fields = {"file": span.file, "line": str(span.line), "endLine": str(span.end_line), **fields}
        # Columns belong to one line only.
        if span.line == span.end_line:
            fields["col"] = str(span.col)
            fields["endColumn"] = str(max(span.col, span.end_col - 1))
    text = "\n".join(part for part in (diagnostic.message, *diagnostic.notes, diagnostic.help) if part)
    properties = ",".join(f"{name}={_property(value)}" for name, value in fields.items())
    return f"::{_COMMANDS[diagnostic.severity]} {properties}::{_data(text)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
