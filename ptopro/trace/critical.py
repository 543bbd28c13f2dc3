"""The critical path: the longest chain of work and waiting that the end of the launch hangs on.

In: the events of a trace.  Out: `Step`s from the beginning to the end, whose cycles add up to the launch; and their
`Share`s by source line.  The chain is walked backwards from what ended last, each time to what let an event go on.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

from ptopro.simulator.machine import Event
from ptopro.trace.events import works

ISSUE = "issue"


@dataclass(frozen=True, slots=True)
class Step:
    """event: an index, None for the time before anything was issued; cycles: its part of the launch's time."""

    event: int | None
    cycles: float
    what: str


@dataclass(frozen=True, slots=True)
class Share:
    """A line's part of the critical path."""

    file: str
    line: int
    core: str
    pipe: str
    what: str
    cycles: float
    share: float
    count: int


def critical_path(events: Sequence[Event]) -> list[Step]:
    if not events:
        return []
    current: int | None = max(range(len(events)), key=lambda i: events[i].end)
    assert current is not None
    time = events[current].end
    before = _last_of_blocks(events)
    steps: list[Step] = []
    seen: set[int] = set()
    while current is not None and time > 0 and current not in seen:
        seen.add(current)
        event = events[current]
        source = event.cause_event
        if event.cause == ISSUE:
            begin = min(event.start, time)
            steps.append(Step(current, time - begin, event.operation))
            released = (
                events[source].end if source is not None else before.get((event.group, event.block), (0.0, None))[0]
            )
            released = min(released, begin)
            steps.append(Step(current, begin - released, "issue by the scalar unit"))
            time = released
        else:
            begin = event.start if works(event) or source is None else max(event.start, events[source].end)
            begin = min(begin, time)
            steps.append(Step(current, time - begin, event.operation))
            time = begin
        current = source if source is not None else before.get((event.group, event.block), (0.0, None))[1]
        if current is not None and events[current].start > time:
            time = min(time, events[current].end)
    if time > 0:
        steps.append(Step(None, time, "before the first instruction"))
    return [step for step in reversed(steps) if step.cycles > 0]


def _last_of_blocks(events: Sequence[Event]) -> dict[tuple[int, int], tuple[float, int | None]]:
    """For each block, the end and index of what ended last in the block before it on the same cores."""
    ends: dict[int, dict[int, tuple[float, int | None]]] = {}
    for index, event in enumerate(events):
        blocks = ends.setdefault(event.group, {})
        if event.end >= blocks.get(event.block, (-1.0, None))[0]:
            blocks[event.block] = (event.end, index)
    found = {}
    for group, blocks in ends.items():
        ordered = sorted(blocks)
        for earlier, later in itertools.pairwise(ordered):
            found[group, later] = blocks[earlier]
    return found


def shares(events: Sequence[Event], path: Sequence[Step]) -> list[Share]:
    """The path by source line, pipe and operation, the largest first."""
    total = sum(step.cycles for step in path) or 1.0
    sums: dict[tuple[str, int, str, str, str], tuple[float, int]] = {}
    for step in path:
        key = ("", 0, "", "", step.what)
        if step.event is not None:
            event = events[step.event]
            key = (event.file, event.line, event.core, event.pipe, step.what)
        cycles, count = sums.get(key, (0.0, 0))
        sums[key] = (cycles + step.cycles, count + 1)
    found = [Share(*key, cycles, cycles / total, count) for key, (cycles, count) in sums.items()]
    return sorted(found, key=lambda share: (-share.cycles, share.file, share.line, share.core, share.pipe))
