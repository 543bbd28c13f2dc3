"""Lock ids by memory: which slots share bytes, and the ids that make sharing slots exclude each other.

In: the declarations that each core's operations touch.  Out: the lock ids of every slot after merging, so that any two
slots of one core whose bytes overlap have an id in common, and a note for each pair that had none.

* Slots over identical bytes share the lowest id; a partial overlap adds as few ids as needed, and of those that serve,
  the one that makes the fewest slots wait that share no bytes.
* An id that merging made superfluous (whoever holds it also holds another that all its holders share) is dropped.
* A tile without ids takes the ids of the slots it overlaps; tiles that overlap none stay without: their order is the
  author's.
* All slots of a group, and all tiles that one variable may hold, end with equally many ids.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from ptopro.diagnostics import Diagnostic, Label, Sink, make
from ptopro.diagnostics.span import Span
from ptopro.expand.syntax_index import Place, place_of
from ptopro.lowering import ir

ID_COUNT = 32
Key = tuple[str, Place | None, str, tuple[int, ...], str]
SlotKey = tuple[int, int]  # declaration number, slot number


@dataclass(slots=True, eq=False)
class Declaration:
    """A make_tile or make_tile_group call with its addresses; both halves of a kernel may hold an object of it."""

    number: int
    name: str
    memory: str
    addrs: tuple[int, ...]
    size: int
    given: tuple[tuple[int, ...], ...]  # the author's ids, one tuple for each slot
    call: Span | None
    is_group: bool
    automatic: bool = False  # mutex_ids="auto"
    cores: set[str] = field(default_factory=set)

    @property
    def depth(self) -> int:
        return len(self.addrs)

    def bytes_of(self, slot: int) -> tuple[int, int]:
        return self.addrs[slot], self.addrs[slot] + self.size


class IdTable:
    """The lock ids of every slot, and which of them need a lock on which core."""

    def __init__(self) -> None:
        self.declarations: list[Declaration] = []
        self.ids: dict[SlotKey, list[int]] = {}
        self._keys: dict[Key, Declaration] = {}
        self._of: dict[ir.Origin, Declaration] = {}
        self._pipes: dict[tuple[str, int, str], set[str]] = defaultdict(set)  # by core, id, memory

    def add(self, origin: ir.Origin, core: str) -> Declaration:
        """Note that operations of `core` touch a declaration."""
        found = self._of.get(origin)
        if found is None:
            group = isinstance(origin, ir.GroupDecl)
            addrs = origin.addrs if isinstance(origin, ir.GroupDecl) else (origin.addr,)
            memory = origin.spec.memory.name
            place = place_of(origin.call) if origin.call else None
            key = (origin.call.file if origin.call else "", place, origin.name, addrs, memory)
            found = self._keys.get(key)
            if found is None:
                stated = origin.ids if isinstance(origin, ir.GroupDecl) else (origin.ids,)
                automatic = has_automatic_ids(origin)
                given = ((),) * len(addrs) if automatic or not stated else stated
                found = Declaration(
                    len(self.declarations),
                    origin.name or (f"the tile of line {origin.call.line}" if origin.call else "a tile"),
                    memory,
                    addrs,
                    origin.size or origin.spec.size_bytes,
                    given,
                    origin.call,
                    group,
                    automatic,
                )
                self.declarations.append(found)
                self._keys[key] = found
                for slot, ids in enumerate(given):
                    self.ids[found.number, slot] = list(ids)
            self._of[origin] = found
        found.cores.add(core)
        return found

    def of(self, origin: ir.Origin, slot: int) -> tuple[int, ...]:
        """The ids of a slot."""
        declaration = self._of.get(origin)
        if declaration is None:
            return origin.ids[slot] if isinstance(origin, ir.GroupDecl) and origin.ids else ()
        return tuple(self.ids[declaration.number, slot])

    def final(self, declaration: Declaration) -> tuple[tuple[int, ...], ...]:
        return tuple(tuple(self.ids[declaration.number, slot]) for slot in range(declaration.depth))

    def declaration(self, origin: ir.Origin) -> Declaration | None:
        return self._of.get(origin)

    def use(self, core: str, ids: Iterable[int], pipe: str, memory: str = "") -> None:
        """Note that `pipe` of `core` may touch a slot of a memory with these ids; memory "": a lock written by hand."""
        for number in ids:
            self._pipes[core, number, memory].add(pipe)

    def contended(self, core: str, number: int, memory: str) -> bool:
        """Whether an id orders anything on a core: one pipe needs no lock, and memories have no bytes in common."""
        return len(self._pipes[core, number, memory] | self._pipes[core, number, ""]) > 1


def has_automatic_ids(origin: ir.Origin) -> bool:
    """Whether a declaration says mutex_ids="auto"."""
    return any(ir.AUTO_ID in ids for ids in (origin.ids if isinstance(origin, ir.GroupDecl) else (origin.ids,)))


def merge_ids(
    table: IdTable, meets: Iterable[frozenset[ir.Origin]], written: dict[str, set[int]], sink: Sink
) -> list[Diagnostic]:
    """Give every slot its final ids.  written: ids in hand-written locks, by core.  Out: the notes."""
    merger = _Merger(table, written, sink)
    merger.choose_automatic()
    notes = merger.cover_overlaps()
    merger.drop_superfluous()
    merger.equalise(meets)
    return notes


class _Merger:
    def __init__(self, table: IdTable, written: dict[str, set[int]], sink: Sink) -> None:
        self.table = table
        self.ids = table.ids
        self.written = written
        self.sink = sink
        self.changed: set[SlotKey] = set()
        self.pairs = self._overlaps()
        self.near: dict[SlotKey, set[SlotKey]] = defaultdict(set)
        for a, b in self.pairs:
            self.near[a].add(b)
            self.near[b].add(a)

    def _overlaps(self) -> list[tuple[SlotKey, SlotKey]]:
        """Pairs of slots of one memory that share bytes, both touched on one core."""
        by_memory: dict[str, list[tuple[int, int, SlotKey]]] = defaultdict(list)
        for declaration in self.table.declarations:
            for slot in range(declaration.depth):
                low, high = declaration.bytes_of(slot)
                by_memory[declaration.memory].append((low, high, (declaration.number, slot)))
        pairs: list[tuple[SlotKey, SlotKey]] = []
        for entries in by_memory.values():
            active: list[tuple[int, int, SlotKey]] = []
            for entry in sorted(entries):
                active = [other for other in active if other[1] > entry[0]]
                pairs.extend((min(o[2], entry[2]), max(o[2], entry[2])) for o in active if self._meet(o[2], entry[2]))
                active.append(entry)
        return sorted(pairs)

    def _declaration(self, slot: SlotKey) -> Declaration:
        return self.table.declarations[slot[0]]

    def _meet(self, a: SlotKey, b: SlotKey) -> bool:
        return bool(self._declaration(a).cores & self._declaration(b).cores)

    def _holders(self) -> dict[int, set[SlotKey]]:
        holders: dict[int, set[SlotKey]] = defaultdict(set)
        for slot, ids in self.ids.items():
            for number in ids:
                holders[number].add(slot)
        return holders

    def _free(self, slots: Iterable[SlotKey]) -> int | None:
        """The lowest id that no core of these slots uses."""
        cores: set[str] = set().union(*(self._declaration(slot).cores for slot in slots))
        used = {number for core in cores for number in self.written.get(core, ())}
        for declaration in self.table.declarations:
            if declaration.cores & cores:
                for slot in range(declaration.depth):
                    used.update(self.ids[declaration.number, slot])
        return next((number for number in range(ID_COUNT) if number not in used), None)

    # ----------------------------------------------------------------------------------------------------------------

    def choose_automatic(self) -> None:
        """mutex_ids="auto": the ids of a slot over the same bytes, else the lowest free one."""
        for declaration in self.table.declarations:
            if not declaration.automatic:
                continue
            for slot in range(declaration.depth):
                key = (declaration.number, slot)
                if self.ids[key]:
                    continue
                twin = next(
                    (
                        other
                        for other in sorted(self.near[key])
                        if self.ids[other] and self._bytes(other) == self._bytes(key)
                    ),
                    None,
                )
                number = self._free([key]) if twin is None else self.ids[twin][0]
                self.changed.add(key)
                if number is None:
                    self._out_of_ids(declaration)
                    return
                self.ids[key].append(number)

    def _bytes(self, slot: SlotKey) -> tuple[int, int]:
        return self._declaration(slot).bytes_of(slot[1])

    def _out_of_ids(self, declaration: Declaration) -> None:
        users = [d for d in self.table.declarations if d.cores & declaration.cores and any(self.table.final(d))]
        core = sorted(declaration.cores)[0]
        listing = ", ".join(f"{d.name} {_id_text(self.table.final(d))}" for d in users)
        self.sink.add(
            make(
                "PTO1502",
                declaration.call,
                labels=[Label(d.call, f"{d.name} uses {_id_text(self.table.final(d))}") for d in users if d.call],
                core=core,
                name=declaration.name,
                users=listing,
            )
        )

    # ----------------------------------------------------------------------------------------------------------------

    def cover_overlaps(self) -> list[Diagnostic]:
        """Give every pair of overlapping slots an id in common."""
        notes: dict[tuple[int, int], tuple[int, int]] = {}
        locked = {slot for slot, ids in self.ids.items() if ids}
        for a, b in self.pairs:
            if not {a, b} & locked or set(self.ids[a]) & set(self.ids[b]):
                continue
            one, two = self._declaration(a), self._declaration(b)
            if not (one.automatic or two.automatic):
                low, high = max(self._bytes(a)[0], self._bytes(b)[0]), min(self._bytes(a)[1], self._bytes(b)[1])
                seen = notes.get((one.number, two.number))
                notes[one.number, two.number] = (min(low, seen[0]), max(high, seen[1])) if seen else (low, high)
            self._cover(a, b)
        return [self._note(one, two, *span) for (one, two), span in notes.items()]

    def _cover(self, a: SlotKey, b: SlotKey) -> None:
        holders = self._holders()
        choices: list[tuple[int, int, SlotKey]] = []  # (needless waits, id, the slot that takes it)
        for owner, taker in ((a, b), (b, a)):
            for number in self.ids[owner]:
                needless = sum(
                    1
                    for h in holders[number]
                    if h != taker
                    and h not in self.near[taker]
                    and self._meet(h, taker)
                    and not set(self.ids[h]) & set(self.ids[taker])
                )
                choices.append((needless, number, taker))
        needless, number, taker = min(choices)
        if needless:
            fresh = self._free([a, b])
            if fresh is not None:
                self.ids[a].append(fresh)
                self.ids[b].append(fresh)
                self.changed.update((a, b))
                return
        self.ids[taker].append(number)
        self.changed.update((a, b))

    def _note(self, one: int, two: int, low: int, high: int) -> Diagnostic:
        pair = (self.table.declarations[one], self.table.declarations[two])
        first, second = sorted(pair, key=lambda d: (d.call.line, d.call.col) if d.call else (0, d.number))
        return make(
            "PTO1501",
            second.call,
            labels=[Label(first.call, f"{first.name} lies here")] if first.call else [],
            first=first.name,
            second=second.name,
            low=f"0x{low:04x}",
            high=f"0x{high - 1:04x}",
            memory=first.memory,
        )

    def drop_superfluous(self) -> None:
        """Drop ids of changed slots whose holders all hold another id together anyway."""
        kept = {number for numbers in self.written.values() for number in numbers}
        for number in sorted(self._holders(), reverse=True):
            holders = self._holders()
            mine = holders[number]
            if number in kept or not mine & self.changed:
                continue
            for other, theirs in holders.items():
                if other != number and mine <= theirs:
                    for slot in mine:
                        self.ids[slot].remove(number)
                    break

    # ----------------------------------------------------------------------------------------------------------------

    def equalise(self, meets: Iterable[frozenset[ir.Origin]]) -> None:
        """Pad with further ids: slots of one group, tiles of one variable have equally many."""
        parent = {d.number: d.number for d in self.table.declarations}

        def root(number: int) -> int:
            while parent[number] != number:
                number = parent[number]
            return number

        for origins in meets:
            members = [d.number for o in origins if (d := self.table.declaration(o)) is not None]
            for member in members[1:]:
                parent[root(member)] = root(members[0])
        families: dict[int, list[Declaration]] = defaultdict(list)
        for declaration in self.table.declarations:
            families[root(declaration.number)].append(declaration)
        for family in families.values():
            slots = [(d.number, slot) for d in family for slot in range(d.depth)]
            wanted = max(len(self.ids[slot]) for slot in slots)
            for slot in slots:
                while len(self.ids[slot]) < wanted:
                    self._pad(slot)

    def _pad(self, slot: SlotKey) -> None:
        number = self._free([slot])
        if number is None:  # any id will do: waiting too often is right, too
            number = next(n for n in range(ID_COUNT) if n not in self.ids[slot])
        self.ids[slot].append(number)
        self.changed.add(slot)


def _id_text(ids: tuple[tuple[int, ...], ...]) -> str:
    return "[" + ", ".join(str(i[0]) if len(i) == 1 else str(list(i)) for i in ids) + "]"


def ids_literal(declaration: Declaration, ids: tuple[tuple[int, ...], ...]) -> str:
    """What `mutex_ids=` of a declaration says: one entry for each slot of a group; all ids of a tile."""
    if not declaration.is_group:
        return f"[{', '.join(map(str, ids[0]))}]"
    return "[" + ", ".join(str(i[0]) if len(i) == 1 else f"({', '.join(map(str, i))})" for i in ids) + "]"
