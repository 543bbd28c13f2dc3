"""Lines of C++ with the source line each comes from: indentation, wrapping at 120 columns, trailing comments.

The layout is the one that clang-format gives with the repository's configuration, so that generated text and text that
went through a formatter are the same: two spaces, long argument lists filled and aligned behind the bracket, trailing
comments of neighbouring lines in one column.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ptopro.codegen.options import Place

WIDTH = 120
DECLARATION_LINES = 3  # lines that breaking behind the bracket of a declaration must save


@dataclass(slots=True)
class Line:
    """One line of C++.  source: where it comes from; comment: text of its trailing comment, without slashes."""

    text: str
    source: Place | None = None
    comment: str = ""


class Writer:
    """Collects the lines of a function or of a group of declarations."""

    def __init__(self, depth: int = 0) -> None:
        self.lines: list[Line] = []
        self.depth = depth
        self._source: Place | None = None
        self._pending = ""

    def begin(self, source: Place | None, comment: str = "") -> None:
        """The lines that follow belong to `source`; the first of them carries the comment."""
        self._source = source
        self._pending = comment

    @property
    def source(self) -> Place | None:
        return self._source

    def write(self, text: str) -> None:
        """One statement, or the head or foot of a block; wrapped where it is too long."""
        comment, self._pending = self._pending, ""
        lines = wrap(text, 2 * self.depth)
        if comment and (len(lines) > 1 or not self._room(lines[0], comment)):
            self.note(comment)
            comment = ""
        self.lines.append(Line(lines[0], self._source, comment))
        self.lines.extend(Line(line, self._source) for line in lines[1:])

    def note(self, text: str) -> None:
        """A comment on a line of its own, or several where it is long."""
        margin = f"{'  ' * self.depth}// "
        line = margin
        for word in text.split(" "):
            if len(line) + len(word) > WIDTH and line != margin:
                self.lines.append(Line(line.rstrip(), self._source))
                line = margin
            line += f"{word} "
        self.lines.append(Line(line.rstrip(), self._source))

    def blank(self) -> None:
        """An empty line, never two and never after an opening brace."""
        if self.lines and self.lines[-1].text and not self.lines[-1].text.endswith("{"):
            self.lines.append(Line("", None))

    def open(self, head: str) -> None:
        self.write(f"{head} {{")
        self.depth += 1

    def otherwise(self, head: str) -> None:
        """`} else {` or `} else if (...) {`."""
        self.depth -= 1
        self.write(f"}} {head} {{")
        self.depth += 1

    def close(self, tail: str = "") -> None:
        self.depth -= 1
        while self.lines and not self.lines[-1].text:
            self.lines.pop()
        self.write("}" + tail)

    def function(self, head: str, statement: str) -> None:
        """A function of one statement, on one line where it fits."""
        whole = f"{head} {{ {statement} }}"
        if len(whole) <= WIDTH:
            self.write(whole)
            return
        self.open(head)
        self.write(statement)
        self.close()

    @staticmethod
    def _room(line: str, comment: str) -> bool:
        return len(line) + len("  // ") + len(comment) <= WIDTH


def aligned(lines: Sequence[Line]) -> list[tuple[str, Place | None]]:
    """The final text of the lines: the trailing comments of each run of neighbours start in one column."""
    result: list[tuple[str, Place | None]] = []
    start = 0
    while start < len(lines):
        end = start + 1
        if lines[start].comment:
            end = _run(lines, start)
            column = max(len(line.text) for line in lines[start:end]) + 2
            for line in lines[start:end]:
                result.append((f"{line.text.ljust(column)}// {line.comment}", line.source))
        else:
            result.append((lines[start].text, lines[start].source))
        start = end
    return result


def _run(lines: Sequence[Line], start: int) -> int:
    """The end of a run of commented lines whose comments fit into one column."""
    widest, longest = 0, 0
    end = start
    while end < len(lines) and lines[end].comment:
        widest = max(widest, len(lines[end].text))
        longest = max(longest, len(lines[end].comment))
        if widest + len("  // ") + longest > WIDTH:
            break
        end += 1
    return max(end, start + 1)


def wrap(text: str, indent: int) -> list[str]:
    """A line of code as one or several lines of at most WIDTH columns."""
    margin = " " * indent
    if indent + len(text) <= WIDTH:
        return [margin + text]
    equals = text.find(" = ")
    first_open = text.find("(")
    if equals > 0 and (first_open < 0 or equals < first_open) and indent + 4 + len(text) - equals - 3 <= WIDTH:
        return [margin + text[: equals + 2], f"{margin}    {text[equals + 3 :]}"]
    return _filled(text, indent)


def _filled(text: str, indent: int) -> list[str]:
    """Break at the separators of the outermost bracket that has some: aligned behind it, or four columns further in,
    where that saves a line (three in the head of a function) or the other does not fit."""
    opening = _bracket(text)
    if opening < 0:
        line = " " * indent + text
        if text.startswith(("if (", "} else if (", "while (")):
            start = indent + text.index("(") + 1
            return _broken_sum(line, start, start)
        return _broken_sum(line, indent, indent + 4)
    head, pieces = " " * indent + text[: opening + 1], _pieces(text[opening + 1 :])
    behind = _fill([head], pieces, indent + opening + 1)
    below = [head, *_fill([" " * (indent + 4)], pieces, indent + 4)]
    worth = DECLARATION_LINES if text.endswith("{") else 1
    too_wide = any(len(line) > WIDTH for line in behind)
    return below if too_wide or len(behind) - len(below) >= worth else behind


def _fill(lines: list[str], pieces: list[str], column: int) -> list[str]:
    """The pieces after the last of the lines, as many on each line as fit."""
    fresh = True
    for piece in pieces:
        candidate = lines[-1] + ("" if fresh else " ") + piece
        if len(candidate) <= WIDTH:
            lines[-1] = candidate
        elif column + len(piece) > WIDTH:
            start = len(candidate) - len(piece)
            lines[-1:] = _broken_sum(candidate, start, start + 4)
        elif fresh:
            lines[-1] = candidate
        else:
            lines.append(" " * column + piece)
        fresh = False
    return lines


def _broken_sum(line: str, start: int, column: int) -> list[str]:
    """A line that is too long, broken behind a binary operator of the expression that begins at `start`."""
    room = line[: WIDTH + 1]
    at = max(_last_operator(room, start, sign) for sign in (" + ", " - ", " && ", " || ", " | "))
    if at < 0:
        return [line]
    rest = " " * column + line[at:].lstrip()
    return [line[:at].rstrip(), *(_broken_sum(rest, column, column) if len(rest) > WIDTH else [rest])]


def _last_operator(text: str, start: int, sign: str) -> int:
    """Behind the last operator of the outermost level, -1 when there is none."""
    found, depth = -1, 0
    for index in range(start, len(text)):
        if text[index] in "([{":
            depth += 1
        elif text[index] in ")]}":
            depth -= 1
        elif depth <= 0 and text.startswith(sign, index):
            found = index + len(sign)
    return found


def _bracket(text: str) -> int:
    """The first opening bracket that holds a separator at its own level; of template arguments only where need be."""
    for kinds in ("([{", "<"):
        for index, char in enumerate(text):
            operator = char == "<" and " " in text[index - 1 : index + 2]
            if char in kinds and not operator and len(_pieces(text[index + 1 :])) > 1:
                return index
    return -1


def _pieces(text: str) -> list[str]:
    """The parts of a bracket, each with its `,` or `;`; the last one with everything behind the bracket."""
    depth, start = 0, 0
    pieces: list[str] = []
    quoted = False
    for index, char in enumerate(text):
        if char == '"' and text[index - 1 : index] != "\\":
            quoted = not quoted
        if quoted:
            continue
        if char in "([{" or (char == "<" and text[index - 1 : index].isalnum()):
            depth += 1
        elif char in ")]}" or (char == ">" and text[index - 1 : index] not in ("-", " ", "=")):
            depth -= 1
            if depth < 0:
                break
        elif char in ",;" and depth == 0 and text[index + 1 : index + 2] == " ":
            pieces.append(text[start : index + 1])
            start = index + 2
    pieces.append(text[start:])
    return pieces
