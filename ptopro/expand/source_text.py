"""Positions in a source text: (line, column) to offset, indentation, line ends.

In: a file's text, line ends as in the file.  Lines are what the Python tokenizer calls lines: they end with `\\n`,
`\\r\\n` or a lone `\\r`; a form feed or a Unicode separator does not end one.
"""

from __future__ import annotations

import re
from bisect import bisect_right

from ptopro.diagnostics.span import Span

_LINE_END = re.compile(r"\r\n|\n|\r")
_BLANK = " \t\f"


class SourceText:
    """A text and its lines.  Offsets count characters from 0; lines and columns from 1."""

    def __init__(self, path: str, text: str) -> None:
        self.path = path
        self.text = text
        self.starts = [0, *(match.end() for match in _LINE_END.finditer(text))]
        first = _LINE_END.search(text)
        self._newline = first.group() if first else "\n"

    def offset(self, line: int, col: int) -> int:
        return self.starts[line - 1] + col - 1

    def range(self, span: Span) -> tuple[int, int]:
        """The offsets of a span's first character and of the one behind its last."""
        return self.offset(span.line, span.col), self.offset(span.end_line, span.end_col)

    def slice(self, span: Span) -> str:
        start, end = self.range(span)
        return self.text[start:end]

    def line_of(self, offset: int) -> int:
        """The number of the line that holds the character at `offset`."""
        return bisect_right(self.starts, offset)

    def line_start(self, offset: int) -> int:
        return self.starts[self.line_of(offset) - 1]

    def line_end(self, offset: int) -> int:
        """The offset behind the line end of the line that holds `offset` (the text's length for the last line)."""
        line = self.line_of(offset)
        return self.starts[line] if line < len(self.starts) else len(self.text)

    def newline_at(self, offset: int) -> str:
        """The line end of the line that holds `offset`; the file's first one where it has none."""
        end = self.line_end(offset)
        match = _LINE_END.search(self.text, max(end - 2, self.line_start(offset)), end)
        return match.group() if match else self._newline

    def indent_at(self, offset: int) -> str:
        """The blanks that the line holding `offset` starts with; a form feed starts the count again."""
        start = self.line_start(offset)
        end = start
        while end < len(self.text) and self.text[end] in _BLANK:
            end += 1
        return self.text[start:end].rpartition("\f")[2]

    def logical_line_end(self, offset: int) -> int:
        """Behind the line end of a statement that ends at `offset`, and of lines joined to it by backslashes."""
        end = self.line_end(offset)
        while end < len(self.text) and self.text[offset:end].strip(" \t\f\r\n;") == "\\":
            offset, end = end, self.line_end(end)
        return end

    def is_shared(self, end: int, start: int) -> bool:
        """Whether only `;` stands between a statement's end and the next one's start: both are on one logical line."""
        gap = self.text[end:start].replace("\\\r\n", "").replace("\\\n", "").replace("\\\r", "")
        return gap.strip(_BLANK) == ";"

    def suite_colon(self, start: int) -> int | None:
        """Offset behind the `:` of a one-line suite whose first statement starts at `start`; None in a real block."""
        at = start
        while at > 0:
            if self.text[at - 1] in _BLANK:
                at -= 1
                continue
            joined = re.search(r"\\(\r\n|\n|\r)$", self.text[max(0, at - 3) : at])
            if joined is None:
                break
            at -= len(joined.group())
        return at if at > 0 and self.text[at - 1] == ":" else None

    def indent_unit(self, outer: str) -> str:
        """One more level of indentation than `outer`: a tab where the file indents with tabs, else blanks."""
        if "\t" in outer:
            return "\t"
        widths = {len(match.group(1)) for match in re.finditer(r"(?m)^( +)[^ \t\f\r\n#]", self.text) if match.group(1)}
        if not widths and re.search(r"(?m)^\t", self.text):
            return "\t"
        return " " * min(widths, default=4)
