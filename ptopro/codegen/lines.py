"""From written lines to the text of a file: source marks through the template, `#line` directives, the line map.

Lines of functions carry their place through the template as a mark at their end; `resolve` takes the marks off again.
"""

from __future__ import annotations

from collections.abc import Sequence

from ptopro.codegen.options import LineMap, Place
from ptopro.codegen.writer import Line, aligned

_MARK = "\x1f"


def compact(rendered: str) -> str:
    """Rendered text without blank lines in pairs, behind `#if` and at the end."""
    return Marks().resolve(rendered, "", directives=False)[0]


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

    def resolve(self, rendered: str, file: str, *, directives: bool) -> tuple[str, LineMap]:
        """The text of the file without marks, and its line map; blank lines never come in pairs.

        directives: a `#line` wherever the compiler would otherwise think of another place.
        """
        lines: list[str] = []
        mapped: list[tuple[int, Place]] = []
        believed: Place = (file, 1)  # where the compiler thinks the next line stands
        for raw in rendered.splitlines():
            text, _, mark = raw.partition(_MARK)
            text = text.rstrip()
            if not text and (not lines or not lines[-1] or lines[-1].startswith("#if")):
                continue
            place = self._places[int(mark)] if mark else None
            if directives and text:
                wanted = place or (believed if believed[0] != file and text in ("}", "") else (file, len(lines) + 2))
                if place is not None and believed != place:
                    lines.append(f'#line {place[1]} "{_escaped(place[0])}"')
                elif place is None and believed[0] != file and text != "}":
                    lines.append(f'#line {len(lines) + 2} "{file}"')
                    wanted = (file, len(lines) + 1)
                believed = wanted
            if place is not None:
                mapped.append((len(lines) + 1, place))
            lines.append(text)
            believed = (believed[0], believed[1] + 1)
        return "\n".join(lines).rstrip() + "\n", LineMap(file, tuple(mapped))


def _escaped(path: str) -> str:
    return path.replace("\\", "\\\\").replace('"', '\\"')
