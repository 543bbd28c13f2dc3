"""Which bytes accesses share: lanes, and the lock keys that order the pipes of one core.

In: a PipelinePlan.  Out: for each (buffer, slot, window) the lanes it covers.  A lane is a set of bytes that every
access either covers completely or not at all, so two accesses conflict exactly when they have a lane in common.  Only
memory that more than one stage touches has lanes: within one stage the locks of the core keep the order of the program.
"""

from __future__ import annotations

from dataclasses import dataclass

from ptopro.expand.pipeline_model import Access, Buffer, PipelinePlan

Window = tuple[int, int] | None
Place = tuple[int, int, Window]  # buffer, slot, window


@dataclass(frozen=True, slots=True)
class Lanes:
    """of[place]: the lanes of a place, empty where no other stage touches it; keys[buffer][slot]: its lock keys.

    Lock keys are the declared ids.  Slots that overlap under different ids get a key for each such pair instead: that
    is what merging the ids of overlapping tiles guarantees.
    """

    of: dict[Place, tuple[int, ...]]
    keys: tuple[tuple[tuple[object, ...], ...], ...]


def lanes_of(plan: PipelinePlan) -> Lanes:
    """Lanes and lock keys of every buffer of a plan."""
    stages: list[set[int]] = [set() for _ in plan.buffers]
    windows: list[set[Window]] = [set() for _ in plan.buffers]
    for stage in plan.stages:
        for access in stage.accesses:
            stages[access.buffer].add(stage.index)
            windows[access.buffer].add(access.window)
    by_memory: dict[str, list[int]] = {}
    for index, buffer in enumerate(plan.buffers):
        if stages[index]:
            by_memory.setdefault(buffer.memory, []).append(index)
    lanes: dict[Place, list[int]] = {}
    keys: list[list[list[object]]] = [[list(_ids(b, s)) for s in range(b.slots)] for b in plan.buffers]
    count = 0
    for members in by_memory.values():
        for region in _regions(plan, members):
            _merge_keys(plan, region, keys)
            if len(set().union(*(stages[b] for b in region))) > 1:
                count = _cut(plan, region, windows, lanes, count)
    return Lanes(
        {place: tuple(found) for place, found in lanes.items()},
        tuple(tuple(tuple(slot) for slot in buffer) for buffer in keys),
    )


def place_of(access: Access, slot: int) -> Place:
    return access.buffer, slot, access.window


def _ids(buffer: Buffer, slot: int) -> tuple[int, ...]:
    return buffer.locks[slot] if slot < len(buffer.locks) else ()


def _regions(plan: PipelinePlan, members: list[int]) -> list[list[int]]:
    """Buffers of one memory in sets that overlap, directly or through others."""
    spans = []
    for index in members:
        ranges = plan.buffers[index].ranges
        if ranges:
            spans += [(first, behind, index) for first, behind in ranges]
    found: list[list[int]] = [[index] for index in members if not plan.buffers[index].ranges]
    home = {index: index for index in members}

    def root(index: int) -> int:
        while home[index] != index:
            index = home[index]
        return index

    spans.sort()
    reach, last = -1, -1
    for first, behind, index in spans:
        if first < reach:
            home[root(index)] = root(last)
        if behind > reach:
            reach, last = behind, index
    together: dict[int, list[int]] = {}
    for index in members:
        if plan.buffers[index].ranges:
            together.setdefault(root(index), []).append(index)
    return found + list(together.values())


def _merge_keys(plan: PipelinePlan, region: list[int], keys: list[list[list[object]]]) -> None:
    """Give overlapping slots with different ids a key for each pair, in place of ids that merging may rename."""
    if len(region) < 2:
        return
    pairs: dict[tuple[int, int], list[object]] = {}
    slots = [(b, s) for b in region for s in range(plan.buffers[b].slots)]
    for i, (b, s) in enumerate(slots):
        first, behind = plan.buffers[b].ranges[s]
        for c, u in slots[i + 1 :]:
            low, high = plan.buffers[c].ranges[u]
            ids = _ids(plan.buffers[b], s), _ids(plan.buffers[c], u)
            if first < high and low < behind and ids[0] != ids[1] and any(ids):
                key = ("overlap", b, s, c, u)
                pairs.setdefault((b, s), []).append(key)
                pairs.setdefault((c, u), []).append(key)
    for (b, s), found in pairs.items():
        keys[b][s] = [("slot", b, s), *found]


def _cut(
    plan: PipelinePlan, region: list[int], windows: list[set[Window]], lanes: dict[Place, list[int]], count: int
) -> int:
    """Cut a region into lanes; returns the number of lanes so far."""
    pieces: list[tuple[int, int, Place]] = []
    for index in region:
        buffer = plan.buffers[index]
        for slot in range(buffer.slots):
            first, behind = buffer.ranges[slot] if buffer.ranges else (0, 1)
            for window in windows[index]:
                if window is None or not buffer.ranges:
                    pieces.append((first, behind, (index, slot, window)))
                else:
                    low, high = first + window[0], min(first + window[1], behind)
                    if low < high:
                        pieces.append((low, high, (index, slot, window)))
    bounds = sorted({bound for low, high, _ in pieces for bound in (low, high)})
    pieces.sort(key=lambda piece: piece[0])
    numbers: dict[tuple[Place, ...], int] = {}
    live: list[tuple[int, int, Place]] = []
    upcoming = 0
    for bound in bounds[:-1]:
        live = [piece for piece in live if piece[1] > bound]
        while upcoming < len(pieces) and pieces[upcoming][0] == bound:
            live.append(pieces[upcoming])
            upcoming += 1
        covering = tuple(piece[2] for piece in live)
        if covering and covering not in numbers:
            numbers[covering] = count
            for place in covering:
                lanes.setdefault(place, []).append(count)
            count += 1
    return count
