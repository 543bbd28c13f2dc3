"""Where something stands in a source file."""

from __future__ import annotations

import ast
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Span:
    """A range of a file: 1-based lines, 1-based columns in characters, end exclusive."""

    file: str
    line: int
    col: int
    end_line: int
    end_col: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.col}"


def span_of(node: ast.AST, file: str, lines: list[str]) -> Span:
    """The span of a syntax node; `lines` are the file's lines, since ast counts columns in UTF-8 bytes."""
    line = getattr(node, "lineno", 1)
    col = getattr(node, "col_offset", 0)
    end_line = getattr(node, "end_lineno", None) or line
    end_col = getattr(node, "end_col_offset", None)
    if end_col is None:
        end_col = col + 1
    return Span(file, line, _chars(lines, line, col) + 1, end_line, _chars(lines, end_line, end_col) + 1)


def _chars(lines: list[str], line: int, byte_col: int) -> int:
    """The number of characters in the first `byte_col` UTF-8 bytes of a line."""
    if not 1 <= line <= len(lines):
        return byte_col
    text = lines[line - 1]
    if text.isascii():
        return byte_col
    return len(text.encode()[:byte_col].decode(errors="ignore"))
