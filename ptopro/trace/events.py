"""What the events of a trace mean: which ones synchronise, which ones wait, which ones move or compute.

In: events of the machine.  Out: predicates, and `Row`, the pipe of one core that an event belongs to.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ptopro.simulator import abi
from ptopro.simulator.machine import Event

WAITS = frozenset({"get_buf", "wait_flag", "wait_intra_block", "wait_flag_dev", "pipe_barrier", "SYNCALL"})
SYNCS = WAITS | {"rls_buf", "set_flag", "set_intra_block", "ffts_cross_core_sync"}
# Causes that make one event wait for another pipe or core.
HANDED_OVER = frozenset({"flag", "lock", "cross_core", "unit_flag", "all_cores"})


class Row(NamedTuple):
    """A pipe of a core.  group: blocks of one group follow each other on the same cores."""

    group: int
    core: str
    pipe: str

    @property
    def place(self) -> str:
        return f"{self.core}, {self.pipe}"


def row_of(event: Event) -> Row:
    return Row(event.group, event.core, event.pipe)


def sort_key(row: Row) -> tuple[int, int, int]:
    """Cube before vector cores, pipes in the machine's order."""
    return row.group, abi.CORES.index(row.core), abi.PIPES.index(row.pipe)


def works(event: Event) -> bool:
    """Whether it moves or computes something."""
    return event.operation not in SYNCS


def waited(event: Event) -> float:
    """Cycles that the event kept its pipe waiting for something else than its turn."""
    if works(event):
        return max(0.0, event.start - max(event.ready, event.issued))
    return max(0.0, event.end - event.start) if event.operation in WAITS else 0.0


def rows(events: Sequence[Event]) -> dict[Row, list[int]]:
    """The indices of each row's events in the order of execution, rows sorted."""
    found: dict[Row, list[int]] = {}
    for index, event in enumerate(events):
        found.setdefault(row_of(event), []).append(index)
    return {row: found[row] for row in sorted(found, key=sort_key)}


def occupied(events: Sequence[Event], row: Sequence[int]) -> dict[int, float]:
    """How long each working event of a row keeps its pipe from the next one.

    A transfer in flight lets the pipe go before it ends; how much before is known from what follows it.  The last one
    of a row is taken to be in flight as long as the ones before it.
    """
    found: dict[int, float] = {}
    tail = 0.0
    for index, following in zip(row, [*row[1:], None], strict=True):
        event = events[index]
        if not works(event):
            continue
        if following is not None and events[following].block == event.block:
            found[index] = max(0.0, events[following].ready - event.start)
            tail = max(0.0, event.end - events[following].ready)
        else:
            found[index] = max(0.0, event.end - event.start - tail)
    return found
