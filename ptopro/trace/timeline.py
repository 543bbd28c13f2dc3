"""The timeline as plain data: rows of bars, and arrows between them.

In: the events of a trace.  Out: a `Timeline`.  A row is a pipe of a core; what is in flight together stands in lanes of
its own, so bars of one lane never overlap.  An arrow goes from the work that a set or a release followed to the work
that waited for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ptopro.simulator.machine import Event
from ptopro.trace.events import HANDED_OVER, Row, rows, waited, works
from ptopro.trace.summary import producer


@dataclass(frozen=True, slots=True)
class Bar:
    """wait: the pipe stood still; else it worked.  event: its index."""

    event: int
    start: float
    end: float
    lane: int
    wait: bool


@dataclass(frozen=True, slots=True)
class Track:
    """bars by start."""

    row: Row
    lanes: int
    bars: tuple[Bar, ...]


@dataclass(frozen=True, slots=True)
class Arrow:
    """source and target: indices of events that have bars.  cause: flag, lock, cross_core ..."""

    source: int
    target: int
    cause: str


@dataclass(frozen=True, slots=True)
class Timeline:
    cycles: float
    tracks: tuple[Track, ...]
    arrows: tuple[Arrow, ...]


def timeline(events: Sequence[Event], cycles: float) -> Timeline:
    by_row = rows(events)
    tracks = tuple(_track(events, row, indices) for row, indices in by_row.items())
    return Timeline(cycles, tracks, tuple(_arrows(events, by_row.values())))


def _track(events: Sequence[Event], row: Row, indices: Sequence[int]) -> Track:
    """Work and waits of a row, each in the first lane that is free when it starts."""
    spans = []
    for index in indices:
        event = events[index]
        if works(event):
            spans.append((event.start, event.end, index, False))
        elif waited(event) > 0:
            spans.append((event.start, event.end, index, True))
    ends: list[float] = []
    bars = []
    for start, end, index, wait in sorted(spans):
        lane = next((i for i, free in enumerate(ends) if free <= start), len(ends))
        if lane == len(ends):
            ends.append(0.0)
        ends[lane] = end
        bars.append(Bar(index, start, end, lane, wait))
    return Track(row, max(1, len(ends)), tuple(bars))


def _arrows(events: Sequence[Event], all_rows: Iterable[Sequence[int]]) -> list[Arrow]:
    found = []
    for indices in all_rows:
        following: int | None = None
        for index in reversed(indices):
            event = events[index]
            if works(event):
                following = index
            if event.cause not in HANDED_OVER or waited(event) <= 0:
                continue
            source = producer(events, event)
            if source is None or following is None or source == following or not works(events[source]):
                continue
            if events[source].end <= events[following].end:
                found.append(Arrow(source, following, event.cause))
    return sorted(found, key=lambda arrow: (arrow.target, arrow.source))
