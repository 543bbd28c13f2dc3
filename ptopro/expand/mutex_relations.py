"""How the lock ids of two accesses relate: never in common, the same, or not known before the program runs.

A pair of one id must not nest, so two tiles that may or may not carry the same id cannot both be locked by name.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable

from ptopro.expand.mutex_accesses import Touch
from ptopro.expand.mutex_cursors import STATIC, Slot
from ptopro.expand.mutex_overlap import IdTable
from ptopro.lowering import ir


class Relation(enum.Enum):
    DISJOINT = "no id in common"
    COVERS = "the first holds every id of the second"
    COVERED = "the second holds every id of the first"
    UNKNOWN = "decided at run time, or partly in common"


class Relations:
    """Questions about touches under a final table of ids."""

    def __init__(self, table: IdTable) -> None:
        self.table = table
        self._ids: dict[frozenset[Slot], frozenset[int]] = {}

    def ids(self, touch: Touch) -> frozenset[int]:
        """Every id that the touched slot may carry."""
        found = self._ids.get(touch.slots)
        if found is None:
            found = frozenset(number for origin, slot in touch.slots for number in self.table.of(origin, slot))
            self._ids[touch.slots] = found
        return found

    def needs_lock(self, touch: Touch, core: str) -> bool:
        """Whether a lock of this tile orders anything on the core."""
        contended = self.table.contended
        return not touch.unit_flag and any(contended(core, number, touch.memory) for number in self.ids(touch))

    def certain(self, touch: Touch) -> frozenset[int] | None:
        """The touched slot's ids where they are known at compile time."""
        if touch.position is not None and touch.position[1] == STATIC:
            return frozenset(self.table.of(touch.position[0], touch.position[2]))
        sets = {frozenset(self.table.of(origin, slot)) for origin, slot in touch.slots}
        return sets.pop() if len(sets) == 1 else None

    def of(self, a: Touch, b: Touch, moment: bool) -> Relation:
        """The relation of two touches; moment: their cursor positions can be compared (one passage over both)."""
        if not self.ids(a) & self.ids(b):
            return Relation.DISJOINT
        first, second = self.certain(a), self.certain(b)
        if first is not None and second is not None:
            if not first & second:
                return Relation.DISJOINT
            if second <= first:
                return Relation.COVERS
            return Relation.COVERED if first <= second else Relation.UNKNOWN
        if moment and a.position is not None and b.position is not None and a.position[:2] == b.position[:2]:
            return self._same_group(a.position[0], b.position[2] - a.position[2])
        return Relation.UNKNOWN

    def _same_group(self, group: ir.Origin, distance: int) -> Relation:
        """Two slots of one group, `distance` apart, wherever the cursor stands."""
        depth = group.depth if isinstance(group, ir.GroupDecl) else 1
        if distance % depth == 0:
            return Relation.COVERS
        ids = [frozenset(self.table.of(group, slot)) for slot in range(depth)]
        if all(not ids[slot] & ids[(slot + distance) % depth] for slot in range(depth)):
            return Relation.DISJOINT
        return Relation.UNKNOWN

    def same_slot(self, a: Touch, b: Touch, moment: bool) -> bool:
        """Whether two touches certainly mean the same tile."""
        if len(a.slots) == 1 and a.slots == b.slots:
            return True
        return moment and a.position is not None and a.position == b.position


def combine(relations: Iterable[Relation]) -> Relation:
    """One relation for several circumstances: what holds in all of them."""
    found = set(relations)
    return found.pop() if len(found) == 1 else (Relation.DISJOINT if not found else Relation.UNKNOWN)
