"""Show diagnostics to people: position, source line with a caret, notes, what to do.

In: diagnostics, and a function that gives the lines of a file.  Out: text such as

    error[PTO1310]: x_ub needs 262144 bytes at 0x0, but Vec has 253952
      --> kernel.py:12:12
       |
    12 |     x_ub = pl.make_tile_group(type=tile, addrs=0, mutex_ids=[0, 1])
       |            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ ends at 0x40000
       = help: ...
"""

from __future__ import annotations

import functools
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from ptopro.diagnostics.core import Diagnostic, Severity
from ptopro.diagnostics.span import Span

SourceLines = Callable[[str], Sequence[str]]

_TAB = 4


@functools.cache
def lines_of_file(file: str) -> Sequence[str]:
    """The lines of a file, none when it cannot be read."""
    try:
        return Path(file).read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return ()


@dataclass(frozen=True, slots=True)
class Palette:
    """ANSI codes round the parts of a rendering; all empty for plain text."""

    error: str = ""
    warning: str = ""
    note: str = ""
    rule: str = ""
    strong: str = ""
    end: str = ""


PLAIN = Palette()
COLORS = Palette("\x1b[1;31m", "\x1b[1;33m", "\x1b[1;36m", "\x1b[1;34m", "\x1b[1m", "\x1b[0m")


@dataclass(frozen=True, slots=True)
class _Mark:
    span: Span
    text: str
    primary: bool


def render(diagnostics: Iterable[Diagnostic], lines_of: SourceLines = lines_of_file, palette: Palette = PLAIN) -> str:
    """All diagnostics, a blank line between them, with a final newline unless there are none."""
    parts = ["\n".join(_one(diagnostic, lines_of, palette)) for diagnostic in diagnostics]
    return "\n\n".join(parts) + "\n" if parts else ""


def _one(diagnostic: Diagnostic, lines_of: SourceLines, palette: Palette) -> list[str]:
    tint = {Severity.ERROR: palette.error, Severity.WARNING: palette.warning}.get(diagnostic.severity, palette.note)
    head = f"{tint}{diagnostic.severity.value}[{diagnostic.code}]{palette.end}"
    out = [f"{head}{palette.strong}: {diagnostic.message}{palette.end}"]
    marks = [_Mark(label.span, label.text, False) for label in diagnostic.labels]
    if diagnostic.span is not None:
        marks.insert(0, _Mark(diagnostic.span, diagnostic.primary, True))
    width = max((len(str(mark.span.line)) for mark in marks), default=1)
    files = list(dict.fromkeys(mark.span.file for mark in marks))
    for index, file in enumerate(files):
        here = [mark for mark in marks if mark.span.file == file]
        out += _file(here, lines_of(file), "-->" if index == 0 else ":::", width, tint, palette)
    gutter = f"{' ' * width} {palette.rule}={palette.end}"
    out += [f"{gutter} {palette.strong}note{palette.end}: {_indented(note, width)}" for note in diagnostic.notes]
    if diagnostic.help:
        out.append(f"{gutter} {palette.strong}help{palette.end}: {_indented(diagnostic.help, width)}")
    return out


def _file(marks: list[_Mark], lines: Sequence[str], arrow: str, width: int, tint: str, palette: Palette) -> list[str]:
    """The marked lines of one file; the first mark gives the position."""
    bar = f"{palette.rule}|{palette.end}"
    out = [f"{' ' * width}{palette.rule}{arrow}{palette.end} {marks[0].span}"]
    shown = sorted({mark.span.line for mark in marks if 0 < mark.span.line <= len(lines)})
    if shown:
        out.append(f"{' ' * width} {bar}")
    previous = None
    for number in shown:
        if previous is not None and number > previous + 1:
            out.append(f"{palette.rule}...{palette.end}")
        previous = number
        text = lines[number - 1]
        out.append(f"{palette.rule}{number:>{width}}{palette.end} {bar} {text.expandtabs(_TAB)}".rstrip())
        for mark in sorted((m for m in marks if m.span.line == number), key=lambda m: (not m.primary, m.span.col)):
            out.append(f"{' ' * width} {bar} {_underline(mark, text, tint, palette)}".rstrip())
    return out


def _underline(mark: _Mark, text: str, tint: str, palette: Palette) -> str:
    """Carets (dashes for a label) under the span, to the end of the line when it goes on, and its text."""
    start = mark.span.col - 1
    stop = mark.span.end_col - 1 if mark.span.end_line == mark.span.line else len(text.rstrip())
    before = _columns(text[:start])
    count = max(1, _columns(text[:stop]) - before)
    color = tint if mark.primary else palette.rule
    sign = "^" if mark.primary else "-"
    return f"{' ' * before}{color}{sign * count}{' ' + mark.text if mark.text else ''}{palette.end}"


def _columns(text: str) -> int:
    """Terminal columns of a text: tabs are expanded, wide characters take two."""
    expanded = text.expandtabs(_TAB)
    if expanded.isascii():
        return len(expanded)
    wide = sum(unicodedata.east_asian_width(char) in "WF" for char in expanded)
    return len(expanded) + wide - sum(unicodedata.combining(char) > 0 for char in expanded)


def _indented(text: str, width: int) -> str:
    """Further lines of a note under its first one."""
    return text.replace("\n", "\n" + " " * (width + 9))
