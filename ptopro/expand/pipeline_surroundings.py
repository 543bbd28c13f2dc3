"""Statements of the loops that are no stage: may the tasks stream through them?

In: what the statements around the stages touch, and the delayed stages.  A stage of delay d runs behind the statements
of the next d tasks, so the two must not meet in any slot:

    for qi in ...:
        pl.expands(total, 0.0)          the delayed stages of the round before still add to total: drain in every round
        for ki in ...:
            pl.expands(work, 0.0)       a delayed stage uses work: an error, nothing can be drained here
            ...stages...
"""

from __future__ import annotations

from dataclasses import dataclass

from ptopro.diagnostics import Sink, Span, make
from ptopro.expand.pipeline_analysis import LoopFacts, Surrounding
from ptopro.expand.pipeline_model import Access, Buffer, Channel, SlotRule, Stage
from ptopro.expand.pipeline_reuse import slot_by_slot
from ptopro.lowering.values import StructValue


@dataclass(frozen=True, slots=True)
class Conflict:
    """A statement and a delayed stage that would meet in the wrong order.  level: the loop whose body it stands in."""

    level: int
    access: Access
    buffer: Buffer
    stage: Stage


def check_tracked(facts: LoopFacts, sink: Sink) -> None:
    """Cross-core buffers are used by stages only."""
    for around in facts.around:
        seen: set[int] = set()
        for access in around.body.accesses:
            buffer = facts.table.buffers[access.buffer]
            if buffer.crosses and access.buffer not in seen:
                seen.add(access.buffer)
                sink.add(make("PTO1434", access.span, buffer=buffer.name, what=f"this {access.operation}"))
        for number, steps in around.body.advances.items():
            buffer = facts.table.buffers[number]
            if buffer.crosses and steps != 0 and number not in seen:
                sink.add(make("PTO1434", _place(around), buffer=buffer.name, what="a statement"))


def _place(around: Surrounding) -> Span | None:
    return next((s.span for s in around.stmts), None)


def conflicts(facts: LoopFacts) -> list[Conflict]:
    """Statements that would run on the wrong side of a delayed stage; those of the innermost loops last."""
    found: list[Conflict] = []
    for around in sorted(facts.around, key=lambda s: s.level):
        for number, access in enumerate(around.body.accesses):
            for stage in facts.stages:
                if stage.core == around.core and stage.delay:
                    other = _meeting(facts, around, number, access, stage)
                    if other is not None:
                        found.append(Conflict(around.level, access, facts.table.buffers[access.buffer], stage))
                        break
    return found


def _meeting(facts: LoopFacts, around: Surrounding, number: int, access: Access, stage: Stage) -> Access | None:
    """An access of the stage that must not change places with this one."""
    body = facts.bodies[stage.index]
    last = len(facts.shape.nest) - 1
    shifts = range(stage.delay) if around.behind else range(1, stage.delay + 1)
    for position, other in enumerate(stage.accesses):
        needed = (access.writes and position in body.exposed) or (other.writes and number in around.body.exposed)
        if not needed or not _same_bytes(facts, access, other):
            continue
        kind = "task" if around.level == last else "outer"
        if any(_may_meet(access.rule, other.rule, kind, shift, facts, access, other) for shift in shifts):
            return other
    return None


def _same_bytes(facts: LoopFacts, one: Access, two: Access) -> bool:
    if one.buffer == two.buffer:
        return True
    return facts.table.buffers[one.buffer].overlaps(facts.table.buffers[two.buffer])


def _may_meet(
    one: SlotRule, two: SlotRule, kind: str, shift: int, facts: LoopFacts, first: Access, second: Access
) -> bool:
    """Whether a slot picked `shift` rounds (tasks) later can be the one of the stage."""
    a, b = facts.table.buffers[first.buffer], facts.table.buffers[second.buffer]
    if a.slots == 1 and b.slots == 1:
        return True
    if one.kind == two.kind == "constant":
        return first.buffer != second.buffer or one.offset == two.offset
    same = one.kind == two.kind == kind and (one.scale, one.modulus, one.counter) == (
        two.scale,
        two.modulus,
        two.counter,
    )
    if not same or (first.buffer != second.buffer and not slot_by_slot(a, b)):
        return True
    return (one.scale * shift + one.offset - two.offset) % one.modulus == 0


def check_structs(facts: LoopFacts, sink: Sink) -> None:
    """A struct that a stage writes is that stage's own, or used by stages that run for the same task."""
    for number, body in enumerate(facts.bodies):
        stage = facts.stages[number]
        for var in body.struct_writes:
            users = [
                other
                for other, site in zip(facts.stages, facts.shape.sites, strict=True)
                if other.core == stage.core
                and any(isinstance(v, StructValue) and v.var is var for _, v in site.noted.arguments.values())
            ]
            apart = any(user.delay != stage.delay for user in users)
            outside = any(var in around.body.struct_writes for around in facts.around if around.core == stage.core)
            if apart or (outside and stage.delay):
                sink.add(make("PTO1449", stage.span, stage=stage.name, name=var.name))


def check_tensors(facts: LoopFacts, sink: Sink) -> None:
    """Tensors that one stage stores and another one loads."""
    for number, buffer in enumerate(facts.table.buffers):
        if buffer.memory != "DDR":
            continue
        writers = [s for s in facts.stages if any(a.writes for a in s.touching(number))]
        readers = [s for s in facts.stages if any(a.reads for a in s.touching(number))]
        for writer in writers:
            for reader in readers:
                if writer.index != reader.index:
                    span = next(a.span for a in reader.touching(number) if a.reads)
                    sink.add(make("PTO1462", span, writer=writer.name, reader=reader.name, tensor=buffer.name))
                    break


def check_conditions(facts: LoopFacts, channels: list[Channel], texts: list[tuple[str, ...]], sink: Sink) -> None:
    """Both sides of a buffer with several slots are skipped for the same tasks."""
    for channel in channels:
        buffer = facts.table.buffers[channel.buffer]
        one, two = texts[channel.setter], texts[channel.waiter]
        if one != two and buffer.slots > 1:
            number = channel.setter if one else channel.waiter
            other = channel.waiter if one else channel.setter
            site = facts.shape.sites[number]
            why = f"{facts.stages[other].name} is not under the same one, and would take another slot of {buffer.name}"
            sink.add(make("PTO1416", site.noted.span, stage=site.name, why=why))
            return
