"""Where characters land on a terminal: tabs, wide and combining characters."""

from __future__ import annotations

import unicodedata

TAB = 4


def cell_width(char: str) -> int:
    """Terminal cells of one character: 2 for wide ones, 0 for combining and invisible ones."""
    if char.isascii():
        return 1
    if unicodedata.combining(char) or unicodedata.category(char) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in ("W", "F") else 1


def text_width(text: str) -> int:
    return sum(cell_width(char) for char in text)


def expand(line: str, column: int) -> tuple[str, int]:
    """The line as it is shown (tabs as spaces, control characters made visible) and the cell of a 1-based column."""
    shown: list[str] = []
    cell = 0
    at = None
    for index, char in enumerate(line):
        if index == column - 1:
            at = cell
        if char == "\t":
            step = TAB - cell % TAB
            shown.append(" " * step)
            cell += step
        else:
            visible = char if char.isprintable() or cell_width(char) == 0 else "\N{REPLACEMENT CHARACTER}"
            shown.append(visible)
            cell += cell_width(visible)
    if at is None:
        at = cell + max(0, column - 1 - len(line))
    return "".join(shown), at
