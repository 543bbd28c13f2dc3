"""The numbers of a trace: busy shares, the bound, the longest waits, the critical path, memory in use.

In: the machine's report of a traced run, and the memory map.  Out: a `Summary`.  The bound is what the busiest pipe of
any core works: no schedule of the same instructions can be faster.  MTE and FIX pipes work at the memory rate of their
core, so the memory is in the bound.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ptopro.simulator.machine import Event, Report
from ptopro.trace.critical import Share, Step, critical_path, shares
from ptopro.trace.events import HANDED_OVER, Row, occupied, rows, waited, works

STEADY = (0.25, 0.75)  # the middle part of the busiest pipe's instructions


@dataclass(frozen=True, slots=True)
class Busy:
    """What a pipe of a core did: cycles of work, of waiting, and how many instructions."""

    row: Row
    cycles: float
    waited: float
    instructions: int


@dataclass(frozen=True, slots=True)
class Wait:
    """All waits of one source line on one pipe for one other pipe or core."""

    file: str
    line: int
    core: str
    pipe: str
    cause: str
    source: str  # "vector 0, MTE2, kernel.py:45"
    cycles: float
    count: int


@dataclass(frozen=True, slots=True)
class Summary:
    """cycles: the launch's; bound: the busiest pipe's work; steady: achieved over bound in the middle of the run."""

    cycles: float
    bound: float
    busiest: Row | None
    steady: float | None
    busy: tuple[Busy, ...]
    waits: tuple[Wait, ...]
    path: tuple[Step, ...]
    shares: tuple[Share, ...]

    @property
    def ratio(self) -> float | None:
        """Achieved time over the bound; None when no pipe worked."""
        return self.cycles / self.bound if self.bound else None


def summarise(report: Report) -> Summary:
    events = report.events
    by_row = rows(events)
    works_of = {row: occupied(events, indices) for row, indices in by_row.items()}
    busy = tuple(
        Busy(
            row,
            sum(works_of[row].values()),
            sum(waited(events[i]) for i in indices),
            len(works_of[row]),
        )
        for row, indices in by_row.items()
    )
    busiest = max(busy, key=lambda each: each.cycles, default=None)
    path = critical_path(events)
    return Summary(
        cycles=report.cycles,
        bound=busiest.cycles if busiest is not None else 0.0,
        busiest=busiest.row if busiest is not None else None,
        steady=_steady(events, works_of[busiest.row]) if busiest is not None else None,
        busy=busy,
        waits=tuple(_waits(events)),
        path=tuple(path),
        shares=tuple(shares(events, path)),
    )


def _steady(events: Sequence[Event], work: Mapping[int, float]) -> float | None:
    """Time over work between a quarter and three quarters of a pipe's instructions; None when there are too few."""
    indices = list(work)
    first, last = (int(len(indices) * part) for part in STEADY)
    inside = sum(work[i] for i in indices[first:last])
    if last - first < 2 or not inside:
        return None
    return (events[indices[last]].start - events[indices[first]].start) / inside


def _waits(events: Sequence[Event]) -> list[Wait]:
    """The longest first."""
    sums: dict[tuple[str, int, str, str, str, str], tuple[float, int]] = {}
    for event in events:
        cycles = waited(event)
        if cycles <= 0:
            continue
        key = (event.file, event.line, event.core, event.pipe, event.cause, _source(events, event))
        known, count = sums.get(key, (0.0, 0))
        sums[key] = (known + cycles, count + 1)
    found = [Wait(*key, cycles, count) for key, (cycles, count) in sums.items()]
    return sorted(found, key=lambda wait: (-wait.cycles, wait.file, wait.line, wait.core, wait.pipe))


def _source(events: Sequence[Event], event: Event) -> str:
    """Who it waited for: the work before the set or the release, if there is any."""
    found = producer(events, event)
    if found is None:
        return event.cause.replace("_", " ")
    other = events[found]
    return f"{other.core}, {other.pipe}, line {other.line}, {other.operation}"


def producer(events: Sequence[Event], event: Event) -> int | None:
    """The last working event before what `event` waited for, on the same pipe as that."""
    if event.cause not in HANDED_OVER and event.cause != "completion":
        return None
    at = event.cause_event
    while at is not None and not works(events[at]):
        if events[at].cause not in ("queue", "completion"):
            return at
        at = events[at].cause_event
    return at
