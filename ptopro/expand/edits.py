"""Edits of a source text: lines before and after a statement, and replaced expressions; the rest stays byte-equal.

In: a `SourceText` and its `SyntaxIndex`.  Out: the new text in pieces, each of which knows the line it comes from.
Lines that hold several statements, and one-line suites, are split where a line must be inserted inside them:

    if n > 0: pl.add(c, a, b); pl.mul(d, c, b)        if n > 0:
                                                           <before add>
                                                           pl.add(c, a, b)
                                                           <after add>
                                                           pl.mul(d, c, b)
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from ptopro.expand.source_text import SourceText
from ptopro.expand.syntax_index import SyntaxIndex, is_elif


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of output text.  line: where its first character comes from; moves: each line of it is the next one."""

    text: str
    file: str
    line: int
    moves: bool = False


@dataclass(frozen=True, slots=True)
class _Edit:
    """Replace text[start:end].  rank orders insertions at one offset."""

    start: int
    end: int
    rank: tuple[int, ...]
    pieces: tuple[Piece, ...]


@dataclass(slots=True)
class _Lines:
    before: list[str] = field(default_factory=list)
    after: list[str] = field(default_factory=list)
    inside: list[str] = field(default_factory=list)  # first lines of a loop's body


class EditSet:
    """The edits of one text, or of one function in it.  Applied in source order; they must not overlap."""

    def __init__(self, source: SourceText, index: SyntaxIndex) -> None:
        self.source = source
        self.index = index
        self._lines: dict[ast.stmt, _Lines] = {}
        self._edits: list[_Edit] = []

    @property
    def empty(self) -> bool:
        return not self._edits and not self._lines

    # ----------------------------------------------------------------------------------------------------------------
    # What callers ask for

    def before(self, statement: ast.stmt, lines: Iterable[str]) -> None:
        """Insert lines (without indentation and line end) before a statement."""
        self._lines.setdefault(statement, _Lines()).before.extend(lines)

    def after(self, statement: ast.stmt, lines: Iterable[str]) -> None:
        """Insert lines after a statement."""
        self._lines.setdefault(statement, _Lines()).after.extend(lines)

    def replace(self, node: ast.AST, text: str) -> None:
        """Replace an expression."""
        start, end = self.source.range(self.index.span(node))
        self.replace_range(start, end, text)

    def is_replaced(self, node: ast.AST) -> bool:
        """Whether an expression has a new text already."""
        start, end = self.source.range(self.index.span(node))
        return any((edit.start, edit.end) == (start, end) for edit in self._edits)

    def replace_range(self, start: int, end: int, text: str) -> None:
        self._edits.append(_Edit(start, end, (), (self._piece(text, start),)))

    def insert_pieces(self, offset: int, pieces: Sequence[Piece]) -> None:
        """Insert ready text (whole lines) at an offset, behind other insertions there."""
        self._edits.append(_Edit(offset, offset, (2, 0), tuple(pieces)))

    # ----------------------------------------------------------------------------------------------------------------
    # Result

    def pieces(self, start: int = 0, end: int | None = None) -> list[Piece]:
        """The edited text between two offsets of the original."""
        source = self.source
        stop = len(source.text) if end is None else end
        edits = sorted(
            (e for e in [*self._edits, *self._line_edits()] if start <= e.start and e.end <= stop),
            key=lambda e: (e.start, e.end, e.rank),
        )
        found: list[Piece] = []
        at = start
        for edit in edits:
            if edit.start < at:
                raise RuntimeError(f"internal error: edits overlap at line {source.line_of(edit.start)}")
            if at < edit.start:
                found.append(Piece(source.text[at : edit.start], source.path, source.line_of(at), moves=True))
            found.extend(edit.pieces)
            at = edit.end
        if at < stop:
            found.append(Piece(source.text[at:stop], source.path, source.line_of(at), moves=True))
        return found

    def _piece(self, text: str, offset: int) -> Piece:
        return Piece(text, self.source.path, self.source.line_of(offset))

    def _line_edits(self) -> list[_Edit]:
        edits: list[_Edit] = []
        split: dict[int, tuple[int, str, list[str], int]] = {}
        for statement, lines in self._lines.items():
            edits.extend(self._around(statement, lines, split))
        for start, (end, indent, between, anchor) in split.items():
            newline = self.source.newline_at(start)
            text = newline + "".join(f"{indent}{line}{newline}" for line in between) + indent
            edits.append(_Edit(start, end, (), (self._piece(text, anchor),)))
        return edits

    def _around(
        self, statement: ast.stmt, lines: _Lines, split: dict[int, tuple[int, str, list[str], int]]
    ) -> list[_Edit]:
        """Edits for the lines around one statement; boundaries on shared lines are collected in `split`."""
        source = self.source
        suite = self.index.suites[statement].statements
        at = self.index.positions[statement]
        starts = [source.range(self.index.span(_head(s)))[0] for s in suite[at : at + 2]]
        start, end = starts[0], source.range(self.index.span(statement))[1]
        first = source.range(self.index.span(_head(suite[0])))[0]
        colon = source.suite_colon(first)
        indent = source.indent_at(first if colon is None else colon)
        if colon is not None:
            indent += source.indent_unit(indent)
            split.setdefault(colon, (first, indent, [], first))
        edits: list[_Edit] = []
        if lines.before:
            previous = source.range(self.index.span(suite[at - 1]))[1] if at else None
            if at == 0 and colon is not None:
                split[colon][2].extend(lines.before)
            elif previous is not None and source.is_shared(previous, start):
                split.setdefault(previous, (start, indent, [], start))[2].extend(lines.before)
            else:
                edits.append(self._whole_lines(source.line_start(start), start, indent, lines.before, (1, 0)))
        if lines.after:
            if at + 1 < len(suite) and source.is_shared(end, starts[1]):
                boundary = split.setdefault(end, (starts[1], indent, [], starts[1]))
                boundary[2][:0] = lines.after
            else:
                rank = (0, -sum(1 for _ in self.index.enclosing(statement)))
                edits.append(self._whole_lines(source.logical_line_end(end), start, indent, lines.after, rank))
        return edits

    def _whole_lines(self, offset: int, anchor: int, indent: str, lines: Sequence[str], rank: tuple[int, ...]) -> _Edit:
        newline = self.source.newline_at(anchor)
        text = "".join(f"{indent}{line}{newline}" for line in lines)
        unfinished = offset > 0 and offset == len(self.source.text) and self.source.text[offset - 1] not in "\r\n"
        if unfinished:  # the file's last line has no line end: nor will ours
            text = newline + text.removesuffix(newline)
        return _Edit(offset, offset, rank, (self._piece(text, anchor),))


def _head(statement: ast.stmt) -> ast.AST:
    """Where a statement's text starts: at its first decorator, if it has one."""
    decorators = getattr(statement, "decorator_list", None)
    return decorators[0] if decorators else statement


def statement_is_elif(edits: EditSet, statement: ast.stmt) -> bool:
    start, _ = edits.source.range(edits.index.span(statement))
    return is_elif(statement, edits.index.suites[statement], edits.source.text[start : start + 4])


@dataclass(frozen=True, slots=True)
class Output:
    """A finished text and, for each of its lines, the file and line it comes from."""

    text: str
    line_map: tuple[tuple[str, int], ...]


def join_pieces(pieces: Iterable[Piece]) -> Output:
    """Concatenate pieces; a line belongs to the first piece that contributes to it."""
    texts: list[str] = []
    origins: list[tuple[str, int]] = []
    fresh = True  # the next character starts a line
    for piece in pieces:
        if not piece.text:
            continue
        texts.append(piece.text)
        parts = SourceText("", piece.text).starts
        for number, start in enumerate(parts):
            if start >= len(piece.text):
                break
            if number > 0 or fresh:
                origins.append((piece.file, piece.line + number if piece.moves else piece.line))
        fresh = piece.text[-1] in "\r\n"
    return Output("".join(texts), tuple(origins))
