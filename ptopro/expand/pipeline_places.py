"""Places in a rewritten text, back to places in the author's.

In: a diagnostic whose spans lie in the text with the pipeline written out.  Out: the same with the author's lines;
where a line is generated, the author's line that it was generated for.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ptopro.diagnostics import Diagnostic, Span
from ptopro.expand.source_text import SourceText


class Places:
    def __init__(self, path: str, before: str, after: str, line_map: Sequence[tuple[str, int]]) -> None:
        self._path = path
        self._before = SourceText(path, before)
        self._after = SourceText(path, after)
        self._lines = line_map

    def back(self, diagnostic: Diagnostic) -> Diagnostic:
        """The diagnostic with the author's places."""
        labels = tuple(replace(label, span=self._span(label.span)) for label in diagnostic.labels)
        span = self._span(diagnostic.span) if diagnostic.span is not None else None
        return replace(diagnostic, span=span, labels=labels)

    def _span(self, span: Span) -> Span:
        if span.file != self._path or not 1 <= span.line <= len(self._lines):
            return span
        first = self._lines[span.line - 1][1]
        last = self._lines[min(span.end_line, len(self._lines)) - 1][1]
        if self._text(self._before, first) == self._text(self._after, span.line):
            return replace(span, line=first, end_line=max(first, last))
        text = self._text(self._before, first)
        col = len(text) - len(text.lstrip()) + 1
        return Span(span.file, first, col, first, max(col + 1, len(text.rstrip()) + 1))

    def _text(self, source: SourceText, line: int) -> str:
        start = source.starts[line - 1]
        return source.text[start : source.line_end(start)]
