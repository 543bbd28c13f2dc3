"""Legal, free C++ names for what the kernel names, as close to the author's as C++ allows.

A name keeps its spelling unless it is reserved or taken: `half` -> `half_`, `a__b` -> `a_b`, a second `x` of the same
scope -> `x_2`.  Scopes are paths (see scopes.py): two names clash when one's scope holds the other's.
"""

from __future__ import annotations

import re

from ptopro.codegen.reserved import ANYWHERE, AT_FILE_SCOPE

Path = tuple[tuple[int, int], ...]


def legal(name: str, *, file_scope: bool = False) -> str:
    """The author's name as a C++ identifier that means nothing else."""
    text = "".join(c if c.isascii() else f"u{ord(c):04x}" for c in name)
    text = re.sub("[^0-9A-Za-z]+|_{2,}", "_", text)  # a member of a tuple is called `stats.total`
    if re.match("_[A-Z]", text) or (file_scope and text.startswith("_")):
        text = text[1:]
    if not text or text[0].isdigit():
        text = f"v{text}"
    reserved = text in ANYWHERE or (file_scope and text in AT_FILE_SCOPE)
    return f"{text}_" if reserved else text


class Names:
    """The names of one region: a file, or a function inside it."""

    def __init__(self, outer: Names | None = None) -> None:
        self.outer = outer
        self.taken: dict[str, list[Path]] = {}

    def give(self, wanted: str, scopes: tuple[Path, ...] = ((),)) -> str:
        """A free legal name for something that is declared in `scopes`; it is taken from now on."""
        base = legal(wanted, file_scope=self.outer is None)
        name, count = base, 1
        while self._clashes(name, scopes):
            count += 1
            name = f"{base.rstrip('_')}_{count}"
        self.taken.setdefault(name, []).extend(scopes)
        return name

    def _clashes(self, name: str, scopes: tuple[Path, ...]) -> bool:
        if self.outer is not None and name in self.outer.taken:
            return True
        return any(_nested(a, b) for a in self.taken.get(name, ()) for b in scopes)


def _nested(a: Path, b: Path) -> bool:
    """Whether one scope is, or lies in, the other."""
    shorter = min(len(a), len(b))
    return a[:shorter] == b[:shorter]
