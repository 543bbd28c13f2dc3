"""How many slots a buffer would need: the plan again with more slots, tried until the graph is satisfied."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace

from ptopro.expand.pipeline_model import Access, Buffer, Channel, PipelinePlan, SlotRule, Stage

FAR = 1 << 40  # addresses that no kernel has: a grown buffer overlaps nothing
NEW_IDS = 1 << 16  # lock and event ids that no kernel has


def aliases(plan: PipelinePlan, buffer: int) -> frozenset[int]:
    """The buffers that name exactly the same slots, the buffer itself among them (a row and a column view, say)."""
    wanted = plan.buffers[buffer]
    same = {
        index
        for index, other in enumerate(plan.buffers)
        if wanted.ranges and other.memory == wanted.memory and other.ranges == wanted.ranges
    }
    return frozenset(same | {buffer})


def grown(plan: PipelinePlan, buffers: Collection[int], slots: int) -> PipelinePlan:
    """The plan in which these buffers have `slots` slots, their channels as many ids and credits."""
    old = {index: plan.buffers[index].slots for index in buffers}
    return replace(
        plan,
        buffers=tuple(_grow(b, min(aliases(plan, i)), slots) if i in old else b for i, b in enumerate(plan.buffers)),
        channels=tuple(
            _widen(c, old[c.buffer], slots, number) if c.buffer in old else c for number, c in enumerate(plan.channels)
        ),
        stages=tuple(_turn(stage, old, slots) for stage in plan.stages),
    )


def needed_slots(
    plan: PipelinePlan, buffers: Collection[int], good: Callable[[PipelinePlan], bool], most: int
) -> int | None:
    """The least slot count up to `most` with which `good` holds; None when none does.

    A plan that is good stays so with more slots.
    """
    low = max(plan.buffers[index].slots for index in buffers)  # not good
    high = most
    if high <= low or not good(grown(plan, buffers, high)):
        return None
    while high - low > 1:
        middle = (low + high) // 2
        if good(grown(plan, buffers, middle)):
            high = middle
        else:
            low = middle
    return high


def _grow(buffer: Buffer, region: int, slots: int) -> Buffer:
    if not buffer.ranges:
        return buffer
    size = max(behind - first for first, behind in buffer.ranges)
    start = FAR * (region + 1)
    ranges = tuple((start + i * size, start + (i + 1) * size) for i in range(slots))
    first_lock = NEW_IDS + buffer.locks[0][0] * NEW_IDS if buffer.locks and buffer.locks[0] else 0
    locks = tuple((first_lock + i,) for i in range(slots)) if first_lock else buffer.locks
    return replace(buffer, ranges=ranges, locks=locks)


def _widen(channel: Channel, old: int, slots: int, number: int) -> Channel:
    ids = channel.ids
    if len(ids) == old:
        ids = tuple(NEW_IDS + number * NEW_IDS + i for i in range(slots))
    credits = slots if channel.credits == old else channel.credits
    return replace(channel, ids=ids, credits=credits, slots=slots)


def _turn(stage: Stage, old: dict[int, int], slots: int) -> Stage:
    def turned(rule: SlotRule, before: int) -> SlotRule:
        return replace(rule, modulus=slots) if rule.modulus == before and rule.kind in ("task", "outer") else rule

    if not any(a.buffer in old for a in stage.accesses):
        return stage

    def all_turned(accesses: tuple[Access, ...]) -> tuple[Access, ...]:
        return tuple(replace(a, rule=turned(a.rule, old[a.buffer])) if a.buffer in old else a for a in accesses)

    return replace(stage, accesses=all_turned(stage.accesses), joints=all_turned(stage.joints))
