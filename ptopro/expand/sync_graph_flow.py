"""What must happen before what so that every stage reads the data it would read in the serial loop.

In: a Graph and its lanes.  Out: `Needs`, found by running the author's serial loop on paper: for each read the writes
whose data it sees, back to the last write that certainly covers the lane (the *cover*; without one, to the beginning).
Then

* each of these writes is complete before the read starts;
* any other write of the same bytes is complete before the cover starts, or starts after the read is complete.

So memory that a stage fills before it reads it may be used in any order, and everything else is a ring that must be
deep enough.  Pairs inside one stage are left out: the core runs them in the author's order, and locks keep it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from ptopro.expand.pipeline_model import Access
from ptopro.expand.sync_graph_lanes import Lanes, Place
from ptopro.expand.sync_graph_order import Order
from ptopro.expand.sync_graph_unroll import Cursors, Graph, StageTemplate, round_of, slot_of

Path = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Violation:
    """Something that the graph does not order.

    read: `second` may read before `first` has written.  overwrite: `second` may overwrite what `first` still has to
    read.  order: `first` and `second` write in no certain order, and `reader` needs the second.  slot: `second` reads
    another slot than `first` wrote.
    """

    kind: str
    first: int
    second: int
    reader: int = -1


@dataclass(slots=True)
class Needs:
    """ahead[n]: writes that must be complete when n starts, as bits.  apart: (write, read, cover), cover -1: none.

    elsewhere: reads of another slot than was written.  reads: nodes that read.  when: where in the serial loop a node
    stands.
    """

    ahead: dict[int, int] = field(default_factory=dict)
    apart: list[tuple[int, int, int]] = field(default_factory=list)
    elsewhere: list[Violation] = field(default_factory=list)
    reads: set[int] = field(default_factory=set)
    when: dict[int, int] = field(default_factory=dict)

    def violations(self, order: Order) -> Iterator[Violation]:
        """What an order leaves open."""
        yield from self.elsewhere
        before = order.before
        for node, mask in self.ahead.items():
            missing = mask & ~before[node]
            while missing:
                first = (missing & -missing).bit_length() - 1
                missing &= missing - 1
                yield Violation("read" if node in self.reads else "order", first, node)
        for write, read, cover in self.apart:
            if before[write] >> read & 1 or (cover >= 0 and before[cover] >> write & 1):
                continue
            if cover >= 0 and self.when[write] < self.when[cover]:
                yield Violation("order", write, cover, read)
            else:
                yield Violation("overwrite", read, write)


@dataclass(frozen=True, slots=True)
class _Write:
    node: int
    stage: int
    place: Place | None
    covers: bool
    task: int
    path: Path | None  # where it stands in its run; None: it does not cover even there

    def covers_for(self, stage: int, task: int, path: Path) -> bool:
        """Whether a read of this run sees nothing older than this write."""
        inside = self.path is not None and self.stage == stage and self.task == task
        return self.covers or (inside and self.path == path[: len(self.path or ())])


def needs_of(graph: Graph, lanes: Lanes, stages: Sequence[StageTemplate]) -> Needs:
    """The needs of one unrolled run."""
    return _Flow(graph, lanes).run(stages)


class _Flow:
    def __init__(self, graph: Graph, lanes: Lanes) -> None:
        self.graph = graph
        self.lanes = lanes
        self.needs = Needs()
        self.history: dict[int, list[_Write]] = {}  # lane -> writes in serial order
        self.placed: dict[int, list[_Write]] = {}  # lane -> writes to it as the cores run
        self.seen: list[tuple[int, int, tuple[int, ...], set[int], int, int]] = []
        self.anywhere: dict[tuple[int, object], tuple[int, ...]] = {}
        self.elsewhere: set[Violation] = set()
        self.linked: set[tuple[int, int]] = set()  # (lane, write): ordered after the writes before it

    def run(self, stages: Sequence[StageTemplate]) -> Needs:
        graph = self.graph
        cursors = {core: Cursors(graph.plan, core) for core in ("cube", "vector")}
        rounds = round_of(graph.rounds)
        tracked = [(t.stage, [o for o in t.operations if o.tracked], cursors[t.stage.core]) for t in stages]
        for task, (outer, first) in enumerate(rounds):
            for stage, operations, cursor in tracked:
                for operation in operations:
                    if operation.per_round and not first:
                        continue
                    where = (stage.index, task, operation.order)
                    node = graph.node_of[where]
                    self.needs.when[node] = len(self.needs.when)
                    self.operation(node, stage.index, operation.accesses, graph.places[where], task, outer, cursor)
                cursor.after(stage)
        self.keep_apart()
        self.needs.elsewhere = sorted(self.elsewhere, key=lambda v: (v.first, v.second))
        return self.needs

    def operation(
        self,
        node: int,
        stage: int,
        accesses: tuple[Access, ...],
        slots: tuple[int | None, ...],
        task: int,
        outer: int,
        cursor: Cursors,
    ) -> None:
        plan = self.graph.plan
        found = []
        for access, slot in zip(accesses, slots, strict=True):
            placed = self.covered(access, slot)
            serial = placed
            if access.rule.kind == "cursor" and placed:
                at = cursor.at[access.buffer]
                serial = self.covered(access, slot_of(access.rule, plan.buffers[access.buffer].slots, task, outer, at))
            if placed or serial:
                found.append((access, slot, placed, serial))
        for access, slot, placed, serial in found:
            if access.reads:
                self.read(node, stage, task, access, slot, placed, serial)
        for access, slot, placed, serial in found:
            if access.writes:
                self.write(node, stage, task, access, slot, placed, serial)

    def covered(self, access: Access, slot: int | None) -> tuple[int, ...]:
        """The lanes that an access touches, or may touch where its slot is not known."""
        if slot is not None:
            return self.lanes.of.get((access.buffer, slot, access.window), ())
        key = (access.buffer, access.window)
        if key not in self.anywhere:
            slots = range(self.graph.plan.buffers[access.buffer].slots)
            lanes = {lane for s in slots for lane in self.lanes.of.get((access.buffer, s, access.window), ())}
            self.anywhere[key] = tuple(sorted(lanes))
        return self.anywhere[key]

    def read(
        self,
        node: int,
        stage: int,
        task: int,
        access: Access,
        slot: int | None,
        placed: tuple[int, ...],
        serial: tuple[int, ...],
    ) -> None:
        needs = self.needs
        needs.reads.add(node)
        ahead = needs.ahead.get(node, 0)
        for lane in serial:
            sources: set[int] = set()
            cover, cover_stage = -1, -1
            history = self.history.get(lane, [])
            for number in range(len(history) - 1, -1, -1):
                write = history[number]
                sources.add(write.node)
                if write.stage != stage:
                    ahead |= 1 << write.node
                if placed is not serial and write.place is not None and slot is not None:
                    found = self.lanes.of.get(write.place, ())
                    if not set(found) & set(placed):
                        self.elsewhere.add(Violation("slot", write.node, node))
                if write.covers_for(stage, task, access.path):
                    cover, cover_stage = write.node, write.stage
                    break
                self.link(lane, number)
            self.seen.append((node, stage, (lane,) if placed is serial else placed, sources, cover, cover_stage))
        if ahead:
            needs.ahead[node] = needs.ahead.get(node, 0) | ahead

    def link(self, lane: int, number: int) -> None:
        """Two writes that one read may see keep their order."""
        history = self.history[lane]
        write = history[number]
        if (lane, write.node) in self.linked:
            return
        self.linked.add((lane, write.node))
        ahead = 0
        for earlier in reversed(history[:number]):
            if earlier.stage != write.stage:
                ahead |= 1 << earlier.node
            if earlier.covers:
                break
        if ahead:
            self.needs.ahead[write.node] = self.needs.ahead.get(write.node, 0) | ahead

    def write(
        self,
        node: int,
        stage: int,
        task: int,
        access: Access,
        slot: int | None,
        placed: tuple[int, ...],
        serial: tuple[int, ...],
    ) -> None:
        whole = slot is not None and not access.partial
        certain = not access.conditional or access.first_of_round
        place = None if slot is None else (access.buffer, slot, access.window)
        covers = whole and certain and not self.graph.plan.stages[stage].predicated
        entry = _Write(node, stage, place, covers, task, access.path if whole else None)
        for lane in serial:
            self.history.setdefault(lane, []).append(entry)
        for lane in placed:
            self.placed.setdefault(lane, []).append(entry)

    def keep_apart(self) -> None:
        """Every other write of a lane stays away from the span between a cover and its reads."""
        when = self.needs.when
        found: dict[tuple[int, int, int], None] = {}
        for node, stage, lanes, sources, cover, cover_stage in self.seen:
            now = when[node]
            since = when[cover] if cover >= 0 else -1
            for lane in lanes:
                for write in self.placed.get(lane, ()):
                    if write.node in sources or write.node == node:
                        continue
                    at = when[write.node]
                    if at > now:
                        if write.stage == stage:
                            continue
                    elif cover >= 0 and at < since and write.stage == cover_stage:
                        continue
                    found[write.node, node, cover] = None
        self.needs.apart = list(found)
