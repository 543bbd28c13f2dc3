"""Which texts of a helper function are needed: one for all its specialisations, or clones where they disagree.

In: the lock needs of every specialisation (a "copy" lowered for one set of tiles and one core).  Out: classes of
specialisations that can share a text.  Two can when, for each statement that both contain, they lock the same operands
on the same pipe (locking a tile that needs no lock there is harmless; a tensor or a tile of another pipe is not), write
the same ids into declarations, and call the same texts.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from ptopro.expand.mutex_accesses import FunctionAccesses
from ptopro.expand.syntax_index import Place

Lock = tuple[str, str]  # pipe, argument of mutex_lock


@dataclass(frozen=True, slots=True, eq=False)
class Signature:
    """What one or more specialisations ask of the text.

    locks: by statement; tiles: pipe of every operand text that is a tile, locked or not; literals: mutex_ids by call of
    a declaration; callees: name by call.
    """

    locks: Mapping[ast.stmt, frozenset[Lock]]
    tiles: Mapping[tuple[ast.stmt, str], str]
    visited: frozenset[ast.stmt]
    literals: Mapping[Place, str | None]
    callees: Mapping[Place, str]

    def agrees_with(self, other: Signature) -> bool:
        """Whether one text can serve both."""
        for mine, theirs in ((self, other), (other, self)):
            for statement, locks in mine.locks.items():
                if statement not in theirs.visited:
                    continue
                for pipe, argument in locks - theirs.locks.get(statement, frozenset()):
                    text = argument.removeprefix("tile=")
                    if text == argument or theirs.tiles.get((statement, text)) != pipe:
                        return False
        for place in self.literals.keys() & other.literals.keys():
            if self.literals[place] != other.literals[place]:
                return False
        return all(self.callees[place] == other.callees[place] for place in self.callees.keys() & other.callees.keys())


@dataclass(slots=True, eq=False)
class CopyClass:
    """Specialisations of a function that share a text; name: what the text is called in the output."""

    node: ast.FunctionDef | None
    path: str
    members: list[FunctionAccesses] = field(default_factory=list)
    name: str = ""


def classes(
    copies: Sequence[FunctionAccesses], signature: Callable[[Sequence[FunctionAccesses]], Signature]
) -> list[list[FunctionAccesses]]:
    """Partition specialisations, in order; the first class is the first specialisation's."""
    found: list[list[FunctionAccesses]] = []
    for copy in copies:
        own = signature([copy])
        for members in found:
            shared = signature(members)
            if own.agrees_with(shared) and _adds_nothing(signature([*members, copy]), own, shared):
                members.append(copy)
                break
        else:
            found.append([copy])
    return found


def _adds_nothing(joint: Signature, one: Signature, two: Signature) -> bool:
    """Whether the joint text locks nothing that neither asked for (ids by number, since tiles now may coincide)."""
    return all(
        locks <= one.locks.get(statement, frozenset()) | two.locks.get(statement, frozenset())
        for statement, locks in joint.locks.items()
    )
