"""Diagnostics for people, in the manner of rustc.

error[PTO1204]: `rhs` of pl.add is [64, 64], `out` asks for [32, 64]
  --> kernel.py:14:28
   |
 9 |     big = pl.make_tile(t64, addr=0x2000)
   |           ------------------------------ declared here
...
14 |         pl.add(out, small, big)
   |                            ^^^ [64, 64]
   |
   = help: give the tiles one shape, or take a view of the larger one
   = more: ptopro explain PTO1204
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass

from ptopro.diagnostics.core import Diagnostic, Severity
from ptopro.diagnostics.render.columns import expand
from ptopro.diagnostics.render.sources import Sources
from ptopro.diagnostics.span import Span

_COLORS = {Severity.ERROR: "1;31", Severity.WARNING: "1;33", Severity.NOTE: "1;36"}
_FRAME = "1;34"
_BOLD = "1"


@dataclass(frozen=True, slots=True)
class _Mark:
    """A range of a file that is underlined."""

    span: Span
    text: str
    primary: bool


class _Painter:
    """ANSI colours, or none."""

    def __init__(self, color: bool) -> None:
        self._color = color

    def __call__(self, text: str, style: str) -> str:
        return f"\x1b[{style}m{text}\x1b[0m" if self._color and text else text


def render_text(diagnostics: Sequence[Diagnostic], sources: Sources, *, color: bool = False, width: int = 100) -> str:
    """All diagnostics, a blank line between them, and a line that counts them when there are several."""
    paint = _Painter(color)
    blocks = [_block(diagnostic, sources, paint, width) for diagnostic in diagnostics]
    if len(diagnostics) > 1:
        blocks.append(_summary(diagnostics, paint))
    return "\n\n".join(blocks)


def _summary(diagnostics: Sequence[Diagnostic], paint: _Painter) -> str:
    counts = []
    for severity in Severity:
        count = sum(d.severity is severity for d in diagnostics)
        if count:
            counts.append(f"{count} {severity.value}{'s' if count > 1 else ''}")
    return paint(", ".join(counts), _BOLD)


def _block(diagnostic: Diagnostic, sources: Sources, paint: _Painter, width: int) -> str:
    style = _COLORS[diagnostic.severity]
    head = f"{diagnostic.severity.value}[{diagnostic.code}]"
    lines = [paint(head, style) + paint(f": {diagnostic.message}", _BOLD)]
    marks = _marks(diagnostic)
    numbers = [number for mark in marks for number in (mark.span.line, mark.span.end_line)]
    gutter = max((len(str(number)) for number in numbers), default=1)
    for place, (file, group) in enumerate(_by_file(marks)):
        first = next((mark for mark in group if mark.primary), group[0])
        arrow = "-->" if place == 0 else ":::"
        lines.append(f"{' ' * gutter}{paint(arrow, _FRAME)} {file}:{first.span.line}:{first.span.col}")
        lines += _snippet(group, sources, paint, gutter, style)
    lines += _tail(diagnostic, paint, gutter, width)
    return "\n".join(lines)


def _marks(diagnostic: Diagnostic) -> list[_Mark]:
    marks = [_Mark(diagnostic.span, diagnostic.primary, True)] if diagnostic.span else []
    return marks + [_Mark(label.span, label.text, False) for label in diagnostic.labels]


def _by_file(marks: list[_Mark]) -> list[tuple[str, list[_Mark]]]:
    groups: dict[str, list[_Mark]] = {}
    for mark in marks:
        groups.setdefault(mark.span.file, []).append(mark)
    return list(groups.items())


def _snippet(marks: list[_Mark], sources: Sources, paint: _Painter, gutter: int, style: str) -> list[str]:
    """The source lines of a file's marks, each with what is underlined in it."""
    bar = paint("|", _FRAME)
    wanted = sorted({line for mark in marks for line in _shown_lines(mark.span)})
    lines: list[str] = []
    previous = 0
    for number in wanted:
        source = sources.line(marks[0].span.file, number)
        if source is None:
            continue
        if not lines:
            lines.append(f"{' ' * gutter} {bar}")
        elif number > previous + 1:
            lines.append(paint("...", _FRAME))
        previous = number
        shown, _ = expand(source, 1)
        lines.append(f"{paint(f'{number:>{gutter}}', _FRAME)} {bar} {shown}".rstrip())
        for mark in sorted((m for m in marks if _touches(m.span, number)), key=lambda m: (not m.primary, m.span.col)):
            lines.append(f"{' ' * gutter} {bar} {_underline(mark, source, number, paint, style)}")
    return lines


def _shown_lines(span: Span) -> tuple[int, ...]:
    """The lines of a range that are shown: the first and the last of a long one."""
    if span.end_line - span.line <= 2:
        return tuple(range(span.line, span.end_line + 1))
    return (span.line, span.end_line)


def _touches(span: Span, number: int) -> bool:
    return span.line <= number <= span.end_line and number in _shown_lines(span)


def _underline(mark: _Mark, source: str, number: int, paint: _Painter, style: str) -> str:
    span = mark.span
    indent = len(source) - len(source.lstrip())
    start = span.col if number == span.line else indent + 1
    end = span.end_col if number == span.end_line else len(source) + 1
    _, first = expand(source, start)
    _, last = expand(source, max(end, start + 1))
    symbol, look = ("^", style) if mark.primary else ("-", _FRAME)
    line = symbol * max(1, last - first)
    text = f" {mark.text}" if mark.text and number == span.end_line else ""
    return " " * first + paint(line + text, look)


def _tail(diagnostic: Diagnostic, paint: _Painter, gutter: int, width: int) -> list[str]:
    """Notes, help, and where to read more."""
    entries = [("note", note) for note in diagnostic.notes]
    if diagnostic.help:
        entries.append(("help", diagnostic.help))
    entries.append(("more", f"ptopro explain {diagnostic.code}"))
    pad = " " * gutter
    lines = [f"{pad} {paint('|', _FRAME)}"] if diagnostic.span else []
    for word, text in entries:
        head = f"{pad} {paint('=', _FRAME)} {paint(word, _BOLD)}: "
        indent = " " * (gutter + 3 + len(word) + 2)
        lines += _wrapped(text, head, indent, width)
    return lines


def _wrapped(text: str, head: str, indent: str, width: int) -> list[str]:
    """A text of several lines, each wrapped."""
    pieces: list[str] = []
    for line in text.split("\n"):
        pieces += textwrap.wrap(line, max(20, width - len(indent)), break_long_words=False, break_on_hyphens=False) or [
            ""
        ]
    return [f"{head if place == 0 else indent}{piece}".rstrip() for place, piece in enumerate(pieces)]
