"""Buffers over the same bytes: who may write when, and the flags that this takes.

In: the stages and buffers of a loop.  Out: "reuse" channels.  The users of a slot's bytes are put on the time line of
the expanded loop (beat, then order of the stages); they must take turns, and from the last user of one buffer to the
writer of the next a flag is needed where the two run on different cores.

    x: stages 0 -> 1, z: stages 2 -> 3 over the same two slots, preload 1
    slot 0:  x of task 0 (beat 0)   z of task 0 (beat 1)   x of task 2 (beat 2)   z of task 2 (beat 3) ...
    needed:  z's consumer, task 0 -> x's producer, task 2
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ptopro.diagnostics import Sink, make
from ptopro.expand.pipeline_model import Access, Buffer, Channel, Stage

if TYPE_CHECKING:
    from ptopro.expand.pipeline_ids import EventIds

Position = tuple[int, int, int]  # beat, stage, operation


@dataclass(frozen=True, slots=True)
class _Use:
    """The time for which one task holds a slot's bytes through one buffer."""

    buffer: int
    task: int
    start: Position
    end: Position


def reuse_channels(
    stages: Sequence[Stage], buffers: Sequence[Buffer], preload: int, locked: bool, ids: EventIds, sink: Sink
) -> list[Channel]:
    """The flags between buffers that share bytes, at least one of them a cross-core buffer."""
    found: dict[tuple[int, int, int, int], Channel] = {}
    used = [n for n in range(len(buffers)) if any(s.touching(n) for s in stages)]
    for first in used:
        for second in used:
            one, two = buffers[first], buffers[second]
            if first >= second or not one.overlaps(two) or not (one.crosses or two.crosses):
                continue
            if is_part_of(first, second, stages, buffers) or is_part_of(second, first, stages, buffers):
                continue  # the local one belongs to a stage that holds the slot anyway
            if not slot_by_slot(one, two):
                problem = f"not slot by slot ({one.slots} and {two.slots} slots)"
                fix = "give both the same number of slots at the same addresses, or separate addresses"
                sink.add(make("PTO1437", two.span, first=one.name, second=two.name, problem=problem, fix=fix))
                continue
            for channel in _pair(first, second, stages, buffers, preload, locked, ids, sink):
                found.setdefault((channel.buffer, channel.setter, channel.waiter, channel.credits), channel)
    return list(found.values())


def is_part_of(local: int, crossing: int, stages: Sequence[Stage], buffers: Sequence[Buffer]) -> bool:
    """Whether a core's own buffer is used only by stages that hold the overlapping cross-core buffer themselves."""
    return (
        not buffers[local].crosses
        and buffers[crossing].crosses
        and all(s.touching(crossing) for s in stages if s.touching(local))
    )


def _pair(
    first: int,
    second: int,
    stages: Sequence[Stage],
    buffers: Sequence[Buffer],
    preload: int,
    locked: bool,
    ids: EventIds,
    sink: Sink,
) -> list[Channel]:
    """The flags of two buffers over the same slots."""
    slots = buffers[first].slots
    depth = max(s.delay for s in stages) + 1
    middle = depth + 2 * slots
    uses: list[_Use] = []
    for number in (first, second):
        for task in range(middle + depth + 3 * slots):
            rule_slot = (task + _offset(number, stages)) % slots
            if rule_slot == 0:
                uses.append(_use(number, task, stages))
    uses.sort(key=lambda u: u.start)
    found: list[Channel] = []
    for before, after in itertools.pairwise(uses):
        names: dict[str, Any] = {"first": buffers[before.buffer].name, "second": buffers[after.buffer].name}
        names["preload"] = preload
        if after.start <= before.end:
            problem = f"task {after.task} would need the bytes before task {before.task} is done with them"
            sink.add(make("PTO1431", buffers[second].span, problem=problem, **names))
            return []
        if before.buffer == after.buffer or not middle <= after.start[0] < middle + 2 * slots:
            continue
        ahead = after.task - before.task
        producer = min((s for s in stages if s.touching(after.buffer)), key=lambda s: s.index)
        others = [s for s in stages if s.touching(before.buffer) and s.core != producer.core]
        if not others:
            continue
        last = max(others, key=lambda s: s.index)
        if ahead < 0 or (ahead == 0 and last.index > producer.index):
            problem = f"{producer.name} of task t would have to wait for {last.name} of task t + {-ahead}"
            sink.add(make("PTO1431", buffers[second].span, problem=problem, **names))
            return []
        channel = _channel(before, after, last, producer, ahead, slots, buffers, locked, ids, sink)
        if channel is not None and channel not in found:
            found.append(channel)
    return found


def _channel(
    before: _Use,
    after: _Use,
    last: Stage,
    producer: Stage,
    ahead: int,
    slots: int,
    buffers: Sequence[Buffer],
    locked: bool,
    ids: EventIds,
    sink: Sink,
) -> Channel | None:
    from ptopro.expand.pipeline_channels import first_pipe, last_pipe

    set_pipe, set_chain = last_pipe(last.touching(before.buffer), buffers[before.buffer], locked)
    wait_pipe, wait_chain = first_pipe(producer.touching(after.buffer), buffers[after.buffer], locked)
    key = (before.buffer, after.buffer, last.index, producer.index)
    purpose = f"{buffers[after.buffer].name} over {buffers[before.buffer].name}"
    taken = ids.take(producer.core, slots if ahead % slots == 0 else 1, key, purpose, buffers[after.buffer].span, sink)
    if taken is None:
        return None
    return Channel(
        before.buffer, "reuse", last.index, producer.index, last.core, set_pipe, producer.core, wait_pipe,
        taken, slots, ahead, set_chain, wait_chain,
    )  # fmt: skip


def _offset(number: int, stages: Sequence[Stage]) -> int:
    """The slot of task 0."""
    for stage in stages:
        for access in stage.touching(number):
            return access.rule.offset if access.rule.kind == "task" else 0
    return 0


def _use(number: int, task: int, stages: Sequence[Stage]) -> _Use:
    places: list[tuple[Position, Access]] = [
        ((task + s.delay, s.index, a.order), a) for s in stages for a in s.touching(number)
    ]
    positions = [position for position, _ in places]
    return _Use(number, task, min(positions), max(positions))


def slot_by_slot(one: Buffer, two: Buffer) -> bool:
    """Whether slot i of one shares bytes with slot i of the other only."""
    if len(one.ranges) != len(two.ranges):
        return False
    return not any(
        a < d and c < b for i, (a, b) in enumerate(one.ranges) for j, (c, d) in enumerate(two.ranges) if i != j
    )
