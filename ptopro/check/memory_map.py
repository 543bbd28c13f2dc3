"""What lies where in the on-chip memories of a core.

In: a `KernelIR`.  Out: a `MemoryMap`: for each memory of each core the tiles with byte ranges and lock ids, what
overlaps, what is free.  Two tiles overlap when they share bytes; tiles of one start address are views of one buffer.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ptopro.language.enums import MemorySpace
from ptopro.language.hardware import CHIPS

if TYPE_CHECKING:
    from ptopro.lowering import ir

CUBE, VECTOR = "cube core", "vector core"


@dataclass(frozen=True, slots=True, order=True)
class Slot:
    """One tile, or one slot of a group.  ids: its lock ids; kind: element type, shape and layout."""

    start: int
    end: int
    name: str
    ids: tuple[int, ...] = ()
    kind: str = ""

    @property
    def bytes(self) -> int:
        return self.end - self.start


@dataclass(frozen=True, slots=True)
class Overlap:
    """Two slots that share bytes.  intended: same start, or a lock id in common, so that they count as one buffer."""

    first: Slot
    second: Slot
    start: int
    end: int
    intended: bool


@dataclass(frozen=True, slots=True)
class Memory:
    """slots by address."""

    core: str
    name: str
    capacity: int
    slots: tuple[Slot, ...]

    @property
    def used(self) -> int:
        """Bytes that some slot covers."""
        return sum(end - start for start, end in self.ranges())

    @property
    def top(self) -> int:
        """The first byte above every slot."""
        return max((slot.end for slot in self.slots), default=0)

    def ranges(self) -> list[tuple[int, int]]:
        """The covered ranges, merged."""
        merged: list[tuple[int, int]] = []
        for slot in self.slots:
            if merged and slot.start <= merged[-1][1]:
                merged[-1] = (merged[-1][0], max(merged[-1][1], slot.end))
            else:
                merged.append((slot.start, slot.end))
        return merged

    def gaps(self) -> list[tuple[int, int]]:
        """The free ranges below the capacity."""
        at, found = 0, []
        for start, end in [*self.ranges(), (self.capacity, self.capacity)]:
            if start > at:
                found.append((at, start))
            at = max(at, end)
        return found

    def overlaps(self) -> list[Overlap]:
        return [
            Overlap(a, b, max(a.start, b.start), min(a.end, b.end), a.start == b.start or bool(set(a.ids) & set(b.ids)))
            for i, a in enumerate(self.slots)
            for b in self.slots[i + 1 :]
            if a.start < b.end and b.start < a.end
        ]


@dataclass(frozen=True, slots=True)
class MemoryMap:
    kernel: str
    chip: str
    memories: tuple[Memory, ...]


def memory_map(lowered: ir.KernelIR) -> MemoryMap:
    """The map of a kernel; memories that it does not use are left out."""
    chip = CHIPS[lowered.chip]
    slots: dict[MemorySpace, set[Slot]] = {}
    for decl in _declared(lowered):
        for slot in _slots(decl):
            slots.setdefault(decl.spec.memory, set()).add(slot)
    memories = [
        Memory(
            VECTOR if space is MemorySpace.Vec else CUBE,
            space.name,
            chip.capacity(space) or 0,
            tuple(sorted(slots[space])),
        )
        for space in chip.memory
        if space in slots
    ]
    memories.sort(key=lambda memory: memory.core)  # stable: the chip's order within a core
    return MemoryMap(lowered.name, lowered.chip, tuple(memories))


def _declared(lowered: ir.KernelIR) -> Iterator[ir.TileDecl | ir.GroupDecl]:
    """Every declaration of the halves and of the functions they call."""
    from ptopro.lowering import ir as IR

    waiting = list(lowered.halves)
    seen: set[int] = set()
    while waiting:
        function = waiting.pop()
        if id(function) in seen:
            continue
        seen.add(id(function))
        for stmt in IR.walk(function.body):
            if isinstance(stmt, (IR.DeclareTile, IR.DeclareGroup)):
                yield stmt.decl
            elif isinstance(stmt, IR.CallStmt):
                waiting.append(stmt.function)


def _slots(decl: ir.TileDecl | ir.GroupDecl) -> Iterator[Slot]:
    from ptopro.lowering import ir as IR

    spec = decl.spec
    layout = spec.layout.name if spec.layout is not None else ""
    kind = f"{spec.dtype.name.removeprefix('DT_')} {spec.shape[0]}x{spec.shape[1]} {layout}".rstrip()
    if isinstance(decl, IR.TileDecl):
        yield Slot(decl.addr, decl.addr + decl.size, decl.name, _known(decl.ids), kind)
        return
    for index, addr in enumerate(decl.addrs):
        name = f"{decl.name}[{index}]" if decl.depth > 1 else decl.name
        yield Slot(addr, addr + decl.size, name, _known(decl.ids[index] if decl.ids else ()), kind)


def _known(ids: tuple[int, ...]) -> tuple[int, ...]:
    """Lock ids without those that expand chooses."""
    return tuple(number for number in ids if number >= 0)
