"""One line for each diagnostic, as compilers print them and editors match them: `file:line:col: error: text [CODE]`."""

from __future__ import annotations

from collections.abc import Sequence

from ptopro.diagnostics.core import Diagnostic


def render_short(diagnostics: Sequence[Diagnostic]) -> str:
    return "\n".join(_line(diagnostic) for diagnostic in diagnostics)


def _line(diagnostic: Diagnostic) -> str:
    place = f"{diagnostic.span}: " if diagnostic.span else ""
    message = " ".join(diagnostic.message.split())
    return f"{place}{diagnostic.severity.value}: {message} [{diagnostic.code}]"
