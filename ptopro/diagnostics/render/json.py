"""One JSON object for each diagnostic, one a line.  Lines and columns are 1-based, ends exclusive."""

from __future__ import annotations

import json
from collections.abc import Sequence

from ptopro.diagnostics.core import Diagnostic
from ptopro.diagnostics.span import Span


def render_json(diagnostics: Sequence[Diagnostic]) -> str:
    return "\n".join(json.dumps(as_object(diagnostic), ensure_ascii=False) for diagnostic in diagnostics)


def as_object(diagnostic: Diagnostic) -> dict[str, object]:
    """A diagnostic as plain data."""
    return {
        "code": diagnostic.code,
        "severity": diagnostic.severity.value,
        "message": diagnostic.message,
        "span": _span(diagnostic.span),
        "primary": diagnostic.primary,
        "labels": [{"span": _span(label.span), "text": label.text} for label in diagnostic.labels],
        "notes": list(diagnostic.notes),
        "help": diagnostic.help,
    }


def _span(span: Span | None) -> dict[str, object] | None:
    if span is None:
        return None
    return {
        "file": span.file,
        "line": span.line,
        "col": span.col,
        "end_line": span.end_line,
        "end_col": span.end_col,
    }
