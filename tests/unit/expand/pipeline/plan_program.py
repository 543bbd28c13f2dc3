"""A PipelinePlan as the instructions of two cores, and as the serial loop: what the tests run on the paper machine.

Written from the description of the pipeline, without the event graph: beats, tasks, credits, waits before a stage and sets
behind it, locks around each operation.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Hashable, Iterator, Sequence
from itertools import accumulate

from machine import Cell, Instruction, Issuer
from plans import BRANCH

from ptopro.expand.pipeline_model import Access, Channel, PipelinePlan, Stage

GRAIN = 256  # bytes of a cell
Condition = Callable[[int, int, object], bool]  # (stage, task, branch) -> whether it is taken; branch "call": the stage


def always(stage: int, task: int, branch: object) -> bool:
    return True


def sometimes(seed: int) -> Condition:
    """Each condition holds in half of the runs of its stage."""
    return lambda stage, task, branch: random.Random(f"{seed} {stage} {task} {branch}").random() < 0.5


class _Slots:
    """Which slot each access means, as the cursors of one core move."""

    def __init__(self, plan: PipelinePlan, rounds: Sequence[int]) -> None:
        self.plan = plan
        self.moved = [b.slots - 1 for b in plan.buffers]
        starts = [0, *accumulate(rounds)]
        self.round = [index for index, tasks in enumerate(rounds) for _ in range(tasks)]
        self.first = {start for start, tasks in zip(starts, rounds, strict=False) if tasks}

    def slot(self, access: Access, task: int) -> int:
        rule, slots = access.rule, self.plan.buffers[access.buffer].slots
        number = {
            "constant": rule.offset,
            "task": rule.scale * task + rule.offset,
            "outer": rule.scale * self.round[task] + rule.offset,
            "cursor": self.moved[access.buffer] + rule.offset,
            "unknown": hash((access.stage, access.order, task, "any")),
        }[rule.kind]
        return number % slots % (rule.modulus if rule.kind in ("task", "outer") else slots)

    def after(self, stage: Stage) -> None:
        for buffer, steps in stage.advances:
            self.moved[buffer] += steps or 0

    def operations(self, stage: Stage, task: int, condition: Condition) -> Iterator[tuple[Instruction, list[Hashable]]]:
        """Each operation of a run, with its locks."""
        runs = not stage.predicated or condition(stage.index, task, "call")
        for order in sorted({a.order for a in stage.accesses}) if runs else ():
            accesses = [a for a in stage.accesses if a.order == order]
            first_only = all(a.first_of_round for a in accesses)
            if first_only and task not in self.first:
                continue
            if not first_only and not all(taken(condition, stage, task, step) for a in accesses for step in a.path):
                continue
            cells: dict[str, dict[Cell, None]] = {"reads": {}, "writes": {}, "partly": {}}
            locks: list[Hashable] = []
            for access in accesses:
                slot = self.slot(access, task)
                touched = dict.fromkeys(cells_of(self.plan, access, slot))
                if access.reads:
                    cells["reads"].update(touched)
                if access.writes:
                    cells["partly" if access.partial else "writes"].update(touched)
                locks += locks_of(self.plan, access, slot)
            key = (stage.core, stage.index, task, order)
            found = {name: tuple(touched) for name, touched in cells.items()}
            yield Instruction("operate", accesses[0].pipe.name, key, **found), locks  # type: ignore[arg-type]
        self.after(stage)


def taken(condition: Condition, stage: Stage, task: int, step: tuple[int, int]) -> bool:
    """Whether a run takes this arm of a branch."""
    branch, arm = step
    return condition(stage.index, task, branch) == bool(arm) if branch == BRANCH else condition(stage.index, task, step)


def cells_of(plan: PipelinePlan, access: Access, slot: int) -> list[Cell]:
    buffer = plan.buffers[access.buffer]
    if not buffer.ranges:
        return [(buffer.memory, buffer.name)]
    first, behind = buffer.ranges[slot]
    if access.window is not None:
        first, behind = first + access.window[0], min(first + access.window[1], behind)
    return [(buffer.memory, grain) for grain in range(first // GRAIN, -(-behind // GRAIN))]


def locks_of(plan: PipelinePlan, access: Access, slot: int) -> list[Hashable]:
    """The locks of a slot: its ids, and one for each slot of another buffer that it overlaps under other ids."""
    if access.ordered_by_unit:
        return [("unit", access.buffer, slot)]
    if not plan.locked:
        return []
    buffer = plan.buffers[access.buffer]
    own = buffer.locks[slot] if buffer.locks else ()
    found: list[Hashable] = list(own)
    for index, other in enumerate(plan.buffers):
        if index == access.buffer or other.memory != buffer.memory or not buffer.ranges:
            continue
        for number, (low, high) in enumerate(other.ranges):
            ids = other.locks[number] if other.locks else ()
            first, behind = buffer.ranges[slot]
            if first < high and low < behind and ids != own and (ids or own):
                found.append(("overlap", frozenset(((access.buffer, slot), (index, number)))))
    return found


def programs(plan: PipelinePlan, rounds: Sequence[int], condition: Condition = always) -> dict[str, list[Instruction]]:
    """What both cores issue."""
    issuers = {}
    for core in ("cube", "vector"):
        issuer = Issuer(core)
        slots = _Slots(plan, rounds)
        stages = [s for s in plan.stages if s.core == core]
        for number, channel in enumerate(plan.channels):
            for i in range(channel.credits if channel.set_core == core else 0):
                _set(issuer, number, channel, i)
        groups = list(rounds) if plan.drains else [sum(rounds)]
        first = 0
        for tasks in groups:
            for beat in range(tasks + max((s.delay for s in stages), default=0)):
                for stage in stages:
                    task = beat - stage.delay
                    if 0 <= task < tasks:
                        _stage(issuer, plan, slots, stage, first + task, condition)
            first += tasks
        for number, channel in enumerate(plan.channels):
            for i in range(channel.credits if channel.wait_core == core else 0):
                _wait(issuer, number, channel, i)
        issuers[core] = issuer.program
    return issuers


def _stage(issuer: Issuer, plan: PipelinePlan, slots: _Slots, stage: Stage, task: int, condition: Condition) -> None:
    for number, channel in enumerate(plan.channels):
        if channel.waiter == stage.index:
            _wait(issuer, number, channel, task)
    for operation, locks in slots.operations(stage, task, condition):
        issuer.operate(operation, locks)
    for number, channel in enumerate(plan.channels):
        if channel.setter == stage.index:
            _set(issuer, number, channel, task)


def _set(issuer: Issuer, number: int, channel: Channel, task: int) -> None:
    for pipe in channel.set_chain:
        if pipe is not channel.set_pipe:
            flag = ("chain", issuer.core, number, "set", pipe.name)
            issuer.add("local_set", pipe.name, flag=flag)
            issuer.add("local_wait", channel.set_pipe.name, flag=flag)
    issuer.add("set", channel.set_pipe.name, flag=(channel.wait_core, channel.ids[task % len(channel.ids)]))


def _wait(issuer: Issuer, number: int, channel: Channel, task: int) -> None:
    issuer.add("wait", channel.wait_pipe.name, flag=(channel.wait_core, channel.ids[task % len(channel.ids)]))
    for pipe in channel.wait_chain:
        if pipe is not channel.wait_pipe:
            flag = ("chain", issuer.core, number, "wait", pipe.name)
            issuer.add("local_set", channel.wait_pipe.name, flag=flag)
            issuer.add("local_wait", pipe.name, flag=flag)


def serial_operations(
    plan: PipelinePlan, rounds: Sequence[int], condition: Condition = always
) -> Iterator[Instruction]:
    """The author's loop: task after task, stage after stage."""
    slots = {core: _Slots(plan, rounds) for core in ("cube", "vector")}
    for task in range(sum(rounds)):
        for stage in plan.stages:
            for operation, _ in slots[stage.core].operations(stage, task, condition):
                yield operation
