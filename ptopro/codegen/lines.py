"""From written lines to the text of a file: source marks through the template, the line map.

Lines of functions carry their place through the template as a mark at their end; `resolve` takes the marks off again.
"""

from __future__ import annotations

from collections.abc import Sequence

from ptopro.codegen.options import LineMap, Place
from ptopro.codegen.writer import Line, aligned

_MARK = "\x1f"


class Marks:
    """Text whose lines remember where they come from."""

    def __init__(self) -> None:
        self._places: list[Place] = []
        self._index: dict[Place, int] = {}

    def marked(self, lines: Sequence[Line]) -> str:
        """The lines as text, each with the mark of its place."""
        return "\n".join(text if place is None else f"{text}{self._mark(place)}" for text, place in aligned(lines))

    def _mark(self, place: Place) -> str:
        if place not in self._index:
            self._index[place] = len(self._places)
            self._places.append(place)
        return f"{_MARK}{self._index[place]}"

    def resolve(self, rendered: str, file: str) -> tuple[str, LineMap]:
        """The text of the file without marks, and its line map; no blank lines in pairs, behind `#if`, at the end."""
        lines: list[str] = []
        mapped: list[tuple[int, Place]] = []
        for raw in rendered.splitlines():
            text, _, mark = raw.partition(_MARK)
            text = text.rstrip()
            if not text and (not lines or not lines[-1] or lines[-1].startswith("#if")):
                continue
            lines.append(text)
            if mark:
                mapped.append((len(lines), self._places[int(mark)]))
        return "\n".join(lines).rstrip() + "\n", LineMap(file, tuple(mapped))


def compact(rendered: str) -> str:
    """Rendered text without blank lines in pairs, behind `#if` and at the end."""
    return Marks().resolve(rendered, "")[0]
