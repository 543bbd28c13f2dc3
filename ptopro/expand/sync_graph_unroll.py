"""A pipeline plan unrolled into nodes: what both cores issue, in their program order, for a given number of tasks.

In: a PipelinePlan, its lanes, and how many tasks each round of the loop around the pipeline loop holds.  Out: a `Graph`
whose nodes are operations, sets and waits, with the edges that the hardware guarantees:

* pipe order.  V, M, FIX and S finish an operation before the next one starts; MTE1, MTE2 and MTE3 start transfers in
  order, but the end of a transfer is known only to a set, a lock or another pipe that waited for it.  S issues for
  every pipe, so what follows an operation of S in the program follows it in time;
* locks: an operation waits for the earlier holders of its locks on other pipes of its core.  The unit flag is one more
  lock;
* local flags that chain further pipes to a cross-core set or wait;
* cross-core flags: the k-th wait of a (receiver, id) follows the k-th set.

Operations that a run-time condition guards must not carry order for others (they may not run), but can block: they join
as `weak` edges.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from ptopro.expand.pipeline_model import Access, Channel, PipelinePlan, SlotRule, Stage
from ptopro.expand.sync_graph_lanes import Lanes
from ptopro.language.enums import PipeType

TRANSFERS = (PipeType.MTE1, PipeType.MTE2, PipeType.MTE3)
OPERATION, SET, WAIT, CHAIN = range(4)  # CHAIN: a local flag that joins one more pipe to a set or a wait


@dataclass(frozen=True, slots=True)
class Operation:
    """One operation of a stage: the accesses that share a program order.

    tracked: it touches memory that another stage touches too.  per_round: it happens in the first task of a round, and
    that matters.  What only one stage touches may as well happen in every task, for that blocks more and orders
    nothing; so may reads of cross-core buffers, which flags protect in every task.  joint: it stands for the last
    operation of whichever arm of a branch runs: it waits for what that one waits for in either arm.
    """

    order: int
    pipe: PipeType
    accesses: tuple[Access, ...]
    conditional: bool
    path: tuple[tuple[int, int], ...]
    first_of_round: bool
    tracked: bool
    per_round: bool
    joint: bool = False


@dataclass(slots=True)
class StageTemplate:
    """A stage as the unrolling repeats it."""

    stage: Stage
    operations: tuple[Operation, ...]
    waits: tuple[int, ...]  # channels
    sets: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Rounds:
    """tasks[o]: tasks of round o of the loop around.

    step: by how much a counter of rounds moves from one round with tasks to the next.
    """

    tasks: tuple[int, ...]
    step: int = 1

    @property
    def total(self) -> int:
        return sum(self.tasks)


@dataclass(slots=True)
class Graph:
    """Nodes are numbered in program order of the cube core, then of the vector core; all lists are by node.

    prev: node before on its pipe, -1: none.  issue: the last node of S before it.  bits/drained: nodes that are
    complete when the node starts, because of its place in its pipe; drained holds only if the flag it sets is written
    out.  joins: nodes whose completion it waits for; weak: the same for conditional ones; inner: those of them that run
    whenever it does.  flag: the set that a wait follows, -1: none.  together: of a conditional operation, those before
    it that run only if it does.  done: nodes that are complete when this one is released.  channel: of a set or wait,
    else -1.
    """

    plan: PipelinePlan
    rounds: Rounds
    cores: list[str] = field(default_factory=list)
    pipes: list[PipeType] = field(default_factory=list)
    kinds: list[int] = field(default_factory=list)
    stages: list[int] = field(default_factory=list)  # -1: before or after the loop
    tasks: list[int] = field(default_factory=list)
    operations: list[Operation | None] = field(default_factory=list)
    conditional: list[bool] = field(default_factory=list)
    prev: list[int] = field(default_factory=list)
    issue: list[int] = field(default_factory=list)
    bits: list[int] = field(default_factory=list)
    drained: list[int] = field(default_factory=list)
    joins: list[list[int]] = field(default_factory=list)
    weak: list[list[int]] = field(default_factory=list)
    inner: dict[int, list[int]] = field(default_factory=dict)
    done: list[int] = field(default_factory=list)
    together: list[int] = field(default_factory=list)
    channel: list[int] = field(default_factory=list)
    flag: list[int] = field(default_factory=list)
    program: dict[str, list[int]] = field(default_factory=dict)
    sets: dict[tuple[str, int], list[int]] = field(default_factory=dict)  # by (receiver, event id)
    waits: dict[tuple[str, int], list[int]] = field(default_factory=dict)
    places: dict[tuple[int, int, int], tuple[int | None, ...]] = field(
        default_factory=dict
    )  # (stage, task, order): slots
    node_of: dict[tuple[int, int, int], int] = field(default_factory=dict)


def templates(plan: PipelinePlan, lanes: Lanes) -> tuple[StageTemplate, ...]:
    """What repeats with every task, worked out once."""
    shared = {place[0] for place in lanes.of}
    found = []
    for stage in plan.stages:
        by_order: dict[int, list[Access]] = {}
        joints = {access.order for access in stage.joints}
        for access in (*stage.accesses, *stage.joints):
            by_order.setdefault(access.order, []).append(access)
        operations = tuple(
            Operation(
                order,
                accesses[0].pipe,
                tuple(accesses),
                stage.predicated or any(a.conditional for a in accesses),
                min((a.path for a in accesses), key=len),
                all(a.first_of_round for a in accesses) and not stage.predicated,
                order not in joints and any(a.buffer in shared for a in accesses),
                not stage.predicated and all(a.first_of_round for a in accesses) and _per_round(plan, accesses, shared),
                order in joints,
            )
            for order, accesses in sorted(by_order.items())
        )
        waits = tuple(i for i, c in enumerate(plan.channels) if c.waiter == stage.index)
        sets = tuple(i for i, c in enumerate(plan.channels) if c.setter == stage.index)
        found.append(StageTemplate(stage, operations, waits, sets))
    return tuple(found)


def _per_round(plan: PipelinePlan, accesses: Sequence[Access], shared: set[int]) -> bool:
    return any(a.buffer in shared and (a.writes or not plan.buffers[a.buffer].crosses) for a in accesses)


def unroll(plan: PipelinePlan, lanes: Lanes, stages: Sequence[StageTemplate], rounds: Rounds) -> Graph:
    """The graph of a whole run: credits, every beat, drain, closing waits."""
    graph = Graph(plan, rounds)
    for core in ("cube", "vector"):
        _Core(graph, lanes, core, [t for t in stages if t.stage.core == core]).run()
    for receiver, waits in graph.waits.items():
        for wait, source in zip(waits, graph.sets.get(receiver, ()), strict=False):
            graph.flag[wait] = source
    return graph


def round_of(rounds: Rounds) -> list[tuple[int, bool]]:
    """For each task the number of its round (counted in the counter's steps), and whether it is the round's first."""
    return [(index * rounds.step, i == 0) for index, tasks in enumerate(rounds.tasks) for i in range(tasks)]


def slot_of(rule: SlotRule, slots: int, task: int, outer: int, cursor: int | None) -> int | None:
    """The slot a rule means; None: any.  cursor: where the group's cursor stands when the run starts."""
    match rule.kind:
        case "constant":
            return rule.offset % slots
        case "task":
            return (rule.scale * task + rule.offset) % rule.modulus
        case "outer":
            return (rule.scale * outer + rule.offset) % rule.modulus
        case "cursor":
            return None if cursor is None else (cursor + rule.offset) % slots
        case _:
            return None


class Cursors:
    """The cursors of one core's groups, moved by its stages in the order they run."""

    def __init__(self, plan: PipelinePlan, core: str) -> None:
        self.at: dict[int, int | None] = {i: b.slots - 1 for i, b in enumerate(plan.buffers)}
        for stage in plan.stages:
            if stage.core == core:
                for buffer, steps in stage.advances:
                    if steps is None or stage.predicated:
                        self.at[buffer] = None

    def after(self, stage: Stage) -> None:
        for buffer, steps in stage.advances:
            at = self.at[buffer]
            if at is not None and steps is not None:
                self.at[buffer] = at + steps


class _Core:
    """Issues the program of one core."""

    def __init__(self, graph: Graph, lanes: Lanes, core: str, stages: list[StageTemplate]) -> None:
        self.graph = graph
        self.plan = graph.plan
        self.lanes = lanes
        self.core = core
        self.stages = stages
        self.program: list[int] = []
        self.last: dict[PipeType, int] = {}
        self.flying: dict[PipeType, int] = {}  # transfers issued so far, as bits
        self.issued_by = -1  # last node of S
        self.sure: dict[object, dict[PipeType, int]] = {}  # lock key -> last unconditional holder on each pipe
        self.run_paths: list[tuple[int, tuple[tuple[int, int], ...]]] = []  # operations of the current run
        self.maybe: dict[object, dict[PipeType, list[int]]] = {}  # conditional holders after it
        self.cursors = Cursors(graph.plan, core)
        self.rounds = round_of(graph.rounds)
        graph.program[core] = self.program

    def run(self) -> None:
        for index, channel in enumerate(self.plan.channels):
            if channel.set_core == self.core:
                for i in range(channel.credits):
                    self.set_flag(index, channel, i, -1, -1)
        delays = max((t.stage.delay for t in self.stages), default=0)
        if self.plan.drains:
            first = 0
            for tasks in self.graph.rounds.tasks:
                self.beats(first, tasks, delays)
                first += tasks
        else:
            self.beats(0, self.graph.rounds.total, delays)
        for index, channel in enumerate(self.plan.channels):
            if channel.wait_core == self.core:
                for i in range(channel.credits):
                    self.wait_flag(index, channel, i, -1, -1)

    def beats(self, first: int, tasks: int, delays: int) -> None:
        for beat in range(tasks + delays if tasks else 0):
            for template in self.stages:
                task = beat - template.stage.delay
                if 0 <= task < tasks:
                    self.stage(template, first + task)

    def stage(self, template: StageTemplate, task: int) -> None:
        stage = template.stage
        channels = self.plan.channels
        for index in template.waits:
            self.wait_flag(index, channels[index], task, stage.index, task)
        outer, first = self.rounds[task]
        self.run_paths = []
        for operation in template.operations:
            if first or not operation.per_round:
                self.operate(operation, stage.index, task, outer)
        self.cursors.after(stage)
        for index in template.sets:
            self.set_flag(index, channels[index], task, stage.index, task)

    # ----------------------------------------------------------------------------------------------------------------

    def node(self, pipe: PipeType, kind: int, stage: int, task: int) -> int:
        graph = self.graph
        node = len(graph.cores)
        prev = self.last.get(pipe, -1)
        graph.cores.append(self.core)
        graph.pipes.append(pipe)
        graph.kinds.append(kind)
        graph.stages.append(stage)
        graph.tasks.append(task)
        graph.prev.append(prev)
        graph.issue.append(self.issued_by)
        overlaps = pipe in TRANSFERS and prev >= 0 and graph.kinds[prev] == OPERATION
        graph.bits.append(0 if prev < 0 or overlaps else 1 << prev)
        graph.joins.append([])
        graph.weak.append([])
        graph.flag.append(-1)
        self.last[pipe] = node
        if pipe is PipeType.S:
            self.issued_by = node
        self.program.append(node)
        return node

    def operate(self, operation: Operation, stage: int, task: int, outer: int) -> None:
        graph, buffers = self.graph, self.plan.buffers
        pipe = operation.pipe
        node = self.node(pipe, OPERATION, stage, task)
        conditional = operation.conditional or operation.first_of_round
        graph.operations.append(operation)
        graph.conditional.append(conditional)
        graph.together.append(self.together(node, operation.path) if conditional else 0)
        graph.channel.append(-1)
        graph.drained.append(0)
        bit = 1 << node
        if pipe in TRANSFERS:
            self.flying[pipe] = bit = self.flying.get(pipe, 0) | bit
        graph.done.append(bit)
        slots = []
        keys: set[object] = set()
        for access in operation.accesses:
            buffer = access.buffer
            slot = slot_of(access.rule, buffers[buffer].slots, task, outer, self.cursors.at[buffer])
            slots.append(slot)
            if slot is not None:
                if access.ordered_by_unit:
                    keys.add(("unit", buffer, slot))
                elif self.plan.locked:
                    keys.update(self.lanes.keys[buffer][slot])
        if operation.tracked:
            where = (stage, task, operation.order)
            graph.places[where] = tuple(slots)
            graph.node_of[where] = node
        for key in keys:
            self.lock(key, pipe, node, conditional, operation.joint)
        inner = graph.inner.get(node)
        if inner:  # of those, the ones that it follows: on its own pipe, or through a lock
            graph.inner[node] = [n for n in inner if graph.pipes[n] is pipe or n in graph.weak[node]]

    def together(self, node: int, path: tuple[tuple[int, int], ...]) -> int:
        """The operations of this run that need this one to run; those that this one needs go to `inner`."""
        found = 0
        inner = []
        for earlier, other in self.run_paths:
            if other[: len(path)] == path:
                found |= 1 << earlier
            if path[: len(other)] == other:
                inner.append(earlier)
        self.run_paths.append((node, path))
        if inner:
            self.graph.inner[node] = inner
        return found

    def lock(self, key: object, pipe: PipeType, node: int, conditional: bool, joint: bool) -> None:
        holders = self.sure.setdefault(key, {})
        for other, holder in holders.items():
            if other is not pipe:
                self.graph.joins[node].append(holder)
        guarded = self.maybe.get(key)
        if guarded and not joint:  # what one arm holds on other pipes may come behind its last operation here
            for other, found in guarded.items():
                if other is not pipe:
                    self.graph.weak[node] += found
        if conditional:
            self.maybe.setdefault(key, {}).setdefault(pipe, []).append(node)
        else:
            holders[pipe] = node
            if guarded:
                guarded.pop(pipe, None)

    def set_flag(self, index: int, channel: Channel, number: int, stage: int, task: int) -> None:
        graph = self.graph
        others = [pipe for pipe in channel.set_chain if pipe is not channel.set_pipe]
        chained = [self.flag_node(pipe, CHAIN, index, stage, task, drains=True) for pipe in others]
        node = self.flag_node(channel.set_pipe, SET, index, stage, task, drains=True)
        graph.joins[node] += chained
        event = channel.ids[number % len(channel.ids)]
        graph.sets.setdefault((channel.wait_core, event), []).append(node)

    def wait_flag(self, index: int, channel: Channel, number: int, stage: int, task: int) -> None:
        graph = self.graph
        node = self.flag_node(channel.wait_pipe, WAIT, index, stage, task)
        event = channel.ids[number % len(channel.ids)]
        graph.waits.setdefault((channel.wait_core, event), []).append(node)
        for pipe in channel.wait_chain:
            if pipe is not channel.wait_pipe:
                graph.joins[self.flag_node(pipe, CHAIN, index, stage, task)].append(node)

    def flag_node(self, pipe: PipeType, kind: int, channel: int, stage: int, task: int, drains: bool = False) -> int:
        graph = self.graph
        node = self.node(pipe, kind, stage, task)
        graph.operations.append(None)
        graph.conditional.append(False)
        graph.together.append(0)
        graph.channel.append(channel)
        graph.done.append(1 << node)
        graph.drained.append(self.flying.get(pipe, 0) if drains else 0)
        return node
