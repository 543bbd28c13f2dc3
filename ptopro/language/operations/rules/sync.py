"""Rules of sync operations: ids, pipes, workspaces.

The limits are those of hardware.py: event ids 0 to 15 for each pair of pipes, 0 to 15 between cores, 32 locks.
"""

from __future__ import annotations

from collections.abc import Iterator

from ptopro.language.enums import CrossCoreSyncMode, PipeType, SyncAllMode
from ptopro.language.hardware import CROSS_CORE_EVENT_ID_MAX, EVENT_ID_MAX, MUTEX_ID_MAX, UNICAST_EVENT_ID_MAX
from ptopro.language.operations.model import Operation, Problem, Views
from ptopro.language.operations.rules.common import constant, problem


def _in_range(operation: Operation, views: Views, name: str, high: int) -> Iterator[Problem]:
    value = constant(views.get(name))
    if value is not None and (isinstance(value, (bool, float)) or not 0 <= value <= high):
        yield problem("PTO1232", operation, name, actual=value, low=0, high=high)


def check_flag(operation: Operation, views: Views) -> Iterator[Problem]:
    """sync_src and sync_dst: two different pipes, an id that exists."""
    yield from _in_range(operation, views, "event_id", EVENT_ID_MAX)
    first, second = views.get("set_pipe"), views.get("wait_pipe")
    if first is not None and first is second:
        pipe = first.name if isinstance(first, PipeType) else str(first)
        yield problem("PTO1233", operation, "wait_pipe", pipe=pipe)
    for name in ("set_pipe", "wait_pipe"):
        if views.get(name) is PipeType.ALL:
            yield problem("PTO1212", operation, name, actual="PipeType.ALL", allowed="MTE1, MTE2, MTE3, M, V, S, FIX")


def check_cross_core(operation: Operation, views: Views) -> Iterator[Problem]:
    unicast = views.get("sync_mode") is CrossCoreSyncMode.UNICAST_BLOCK
    yield from _in_range(operation, views, "event_id", UNICAST_EVENT_ID_MAX if unicast else CROSS_CORE_EVENT_ID_MAX)


def check_mutex(operation: Operation, views: Views) -> Iterator[Problem]:
    """mutex_id or tile, not both."""
    yield from _in_range(operation, views, "mutex_id", MUTEX_ID_MAX)
    by_id, by_tile = views.get("mutex_id") is not None, views.get("tile") is not None
    if by_id and by_tile:
        yield problem("PTO1219", operation, "tile", other="mutex_id=", why="one of the two says which lock is meant")
    elif not by_id and not by_tile:
        yield problem("PTO1231", operation, "mutex_id", needed="mutex_id= or tile=", because="a lock is named by it")


def check_sync_all(operation: Operation, views: Views) -> Iterator[Problem]:
    soft = views.get("mode", SyncAllMode.HARD) is SyncAllMode.SOFT
    given = views.get("workspaces") is not None
    if soft and not given:
        yield problem("PTO1231", operation, "workspaces", needed="workspaces", because="mode is SOFT")
    elif given and not soft:
        yield problem("PTO1219", operation, "workspaces", other="mode HARD", why="the hardware barrier needs no memory")
