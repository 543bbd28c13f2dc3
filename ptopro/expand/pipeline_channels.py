"""Choose the cross-core flags of a pipeline loop: one channel for each buffer, direction and pair of stages.

In: the stages with their accesses.  Out: `Channel`s; buffers that are not a hand-over from one core to the other are
reported.  For each task and channel there is one set and one wait, because a wait consumes the set:

    fwd   the producer sets behind its last write, the consumer waits before its first access
    bwd   the consumer sets behind its last access, the producer waits before its first access

Where a stage uses the slot on several pipes, the others are chained to that pipe: by the locks where these already put
them in order, else by local flags.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ptopro.diagnostics import Label, Sink, make
from ptopro.expand.pipeline_model import Access, Buffer, Channel, Stage
from ptopro.expand.pipeline_reuse import is_part_of
from ptopro.language.enums import PipeType

if TYPE_CHECKING:
    from ptopro.expand.pipeline_ids import EventIds

ID_COUNT = 16
MEMORIES = ("Vec", "Mat")


def choose_channels(
    stages: Sequence[Stage], buffers: Sequence[Buffer], locked: bool, ids: EventIds, sink: Sink
) -> list[Channel]:
    """The channels of all cross-core buffers that the stages touch."""
    found: list[Channel] = []
    extra: list[tuple[Buffer, Channel]] = []
    for number, buffer in enumerate(buffers):
        users = [s for s in stages if s.touching(number)]
        if not buffer.crosses:
            _check_undeclared(number, buffer, users, sink)
        elif users and _is_handover(buffer, users, sink) and _check_ids(buffer, sink):
            for channel in _channels(number, buffer, users, stages, buffers, locked, sink):
                if channel.ids:
                    found.append(channel)
                else:
                    extra.append((buffer, channel))
    _check_unique(found, buffers, sink)
    ids.declare(found, buffers, sink)
    for buffer, channel in extra:  # further consumers: events that no buffer has
        names = f"{channel.direction} of {buffer.name} between {stages[channel.setter].name} and "
        purpose = names + stages[channel.waiter].name
        key = (channel.direction, channel.buffer, channel.setter, channel.waiter)
        taken = ids.take(channel.wait_core, buffer.slots, key, purpose, buffer.span, sink)
        if taken is not None:
            found.append(replace(channel, ids=taken))
    return found


def _channels(
    number: int,
    buffer: Buffer,
    users: list[Stage],
    stages: Sequence[Stage],
    buffers: Sequence[Buffer],
    locked: bool,
    sink: Sink,
) -> list[Channel]:
    """The channels of one buffer; those of a second and further consumer have no ids yet."""
    producer, *consumers = users
    if not buffer.fwd_ids:
        sink.add(make("PTO1425", buffer.span, buffer=buffer.name, producer=producer.name, consumer=consumers[0].name))
        return []
    rotating = [_check_slots(number, buffer, stage, sink) for stage in users]
    if not all(rotating):
        return []
    inside = [n for n in range(len(buffers)) if n != number and buffers[n].overlaps(buffer)]
    inside = [n for n in inside if is_part_of(n, number, stages, buffers)]
    found: list[Channel] = []
    for place, consumer in enumerate(consumers):
        fwd, bwd = (buffer.fwd_ids, buffer.bwd_ids) if place == 0 else ((), ())
        mine, theirs = (
            tuple(a for a in stage.accesses if a.buffer == number or a.buffer in inside)
            for stage in (producer, consumer)
        )
        overwrites = any(a.writes for a in theirs)
        ready = [a for a in mine if a.writes or overwrites]
        set_pipe, set_chain = last_pipe(ready, buffer, locked)
        wait_pipe, wait_chain = first_pipe(theirs, buffer, locked)
        found.append(
            Channel(
                number, "fwd", producer.index, consumer.index, producer.core, set_pipe, consumer.core, wait_pipe,
                fwd, buffer.slots, 0, set_chain, wait_chain,
            )
        )  # fmt: skip
        if buffer.bwd_ids:
            set_pipe, set_chain = last_pipe(theirs, buffer, locked)
            wait_pipe, wait_chain = first_pipe(mine, buffer, locked)
            found.append(
                Channel(
                    number, "bwd", consumer.index, producer.index, consumer.core, set_pipe, producer.core, wait_pipe,
                    bwd, buffer.slots, buffer.slots, set_chain, wait_chain,
                )
            )  # fmt: skip
    return found


def last_pipe(accesses: Sequence[Access], buffer: Buffer, locked: bool) -> tuple[PipeType, tuple[PipeType, ...]]:
    """The pipe that sets, and those whose work must be done before although no lock sees to it."""
    last = max(accesses, key=lambda a: (a.order, not a.conditional))
    others = tuple(dict.fromkeys(a.pipe for a in accesses if a.pipe is not last.pipe))
    return last.pipe, () if _locks_chain(last, buffer, locked) else others


def first_pipe(accesses: Sequence[Access], buffer: Buffer, locked: bool) -> tuple[PipeType, tuple[PipeType, ...]]:
    """The pipe that waits, and those that must wait for it although no lock sees to it."""
    first = min(accesses, key=lambda a: (a.order, a.conditional))
    others = tuple(dict.fromkeys(a.pipe for a in accesses if a.pipe is not first.pipe))
    return first.pipe, () if _locks_chain(first, buffer, locked) else others


def _locks_chain(end: Access, buffer: Buffer, locked: bool) -> bool:
    """Whether the locks order the other pipes against this access on every path."""
    return locked and bool(buffer.locks) and not end.conditional and not end.ordered_by_unit


# --------------------------------------------------------------------------------------------------------------------
# Checks


def _check_undeclared(number: int, buffer: Buffer, users: list[Stage], sink: Sink) -> None:
    """Memory of one core that stages of both cores touch must be declared as a cross-core buffer."""
    if buffer.memory == "DDR" or len({s.core for s in users}) < 2:
        return
    first, second = users[0], next(s for s in users if s.core != users[0].core)
    sink.add(
        make(
            "PTO1424",
            buffer.span,
            labels=[Label(s.span, f"{s.name} runs on the {s.core} core") for s in (first, second) if s.span],
            buffer=buffer.name,
            producer=first.name,
            consumer=second.name,
        )
    )


def _is_handover(buffer: Buffer, users: list[Stage], sink: Sink) -> bool:
    """Whether one stage produces and stages of the other core consume."""
    names = ", ".join(s.name for s in users)
    if buffer.memory not in MEMORIES:
        sink.add(make("PTO1418", buffer.span, buffer=buffer.name, memory=buffer.memory))
        return False
    if len(users) == 1:
        sink.add(make("PTO1423", buffer.span, buffer=buffer.name, stage=users[0].name))
        return False
    producer, *consumers = users
    if all(s.core == producer.core for s in consumers):
        sink.add(make("PTO1426", buffer.span, buffer=buffer.name, stages=names, core=producer.core))
        return False
    same = [s.name for s in consumers if s.core == producer.core]
    if same:
        sink.add(make("PTO1427", buffer.span, buffer=buffer.name, stages=names, extra=same[0], producer=producer.name))
        return False
    if len(consumers) > 1:
        number = _number(buffer, users)
        writers = [s.name for s in consumers if any(a.writes for a in s.touching(number))]
        if writers:
            sink.add(make("PTO1428", buffer.span, buffer=buffer.name, writer=writers[0], stages=names))
            return False
    return True


def _number(buffer: Buffer, users: list[Stage]) -> int:
    return next(a.buffer for a in users[0].accesses if users[0].touching(a.buffer))


def _check_ids(buffer: Buffer, sink: Sink) -> bool:
    """Ids are 0 to 15, each once."""
    right = True
    for direction, ids in (("fwd", buffer.fwd_ids), ("bwd", buffer.bwd_ids)):
        for number in ids:
            if not 0 <= number < ID_COUNT:
                sink.add(make("PTO1420", buffer.span, buffer=buffer.name, direction=direction, id=number))
                right = False
        twice = sorted({i for i in ids if ids.count(i) > 1})
        if twice:
            own = f"{direction}_ids of {buffer.name}"
            sink.add(make("PTO1422", buffer.span, id=twice[0], first=own, second="the same list", core="receiving"))
            right = False
    return right


def _check_slots(number: int, buffer: Buffer, stage: Stage, sink: Sink) -> bool:
    """Every stage takes slot t % N of the buffer for task t."""
    if buffer.slots == 1:
        return True
    steps = dict(stage.advances).get(number, 0)
    for access in stage.touching(number):
        rule = access.rule
        if rule.kind == "task" and rule.scale == 1 and rule.modulus == buffer.slots:
            continue
        why = {
            "constant": f"always uses slot {rule.offset}",
            "cursor": _cursor_fault(steps),
            "outer": "picks a slot per outer round, not per task",
            "task": "uses a part of the slots" if rule.scale == 1 else f"moves {rule.scale} slots per task",
        }.get(rule.kind, "does not pick one slot per task on every path")
        sink.add(make("PTO1430", access.span or buffer.span, buffer=buffer.name, stage=stage.name, why=why))
        return False
    return True


def _cursor_fault(steps: int | None) -> str:
    if steps is None:
        return "does not pick one slot per task on every path"
    return "moves the group's cursor in more than one stage" if steps else "uses it without g.next()"


def _check_unique(channels: Sequence[Channel], buffers: Sequence[Buffer], sink: Sink) -> None:
    """On each receiving core an event id belongs to one channel."""
    owners: dict[tuple[str, int], Channel] = {}
    for channel in channels:
        for number in channel.ids:
            other = owners.setdefault((channel.wait_core, number), channel)
            if other is channel:
                continue
            one, two = (f"{c.direction}_ids of {buffers[c.buffer].name}" for c in (other, channel))
            span = buffers[other.buffer].span
            sink.add(
                make(
                    "PTO1422",
                    buffers[channel.buffer].span,
                    labels=[Label(span, "taken here")] if span is not None and other.buffer != channel.buffer else [],
                    id=number,
                    first=one,
                    second=two,
                    core=channel.wait_core,
                )
            )
            break
