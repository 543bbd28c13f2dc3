"""The event graph of a cross-core pipeline: does the expanded loop compute what the serial loop computes?

In: a PipelinePlan.  Out: a GraphResult with errors, notes and the channels that could be left out.

The plan is unrolled for enough tasks to reach and leave the steady state (depth + 3 * the most slots: every edge looks
the same from one task to the next, so more tasks show nothing new), for 0 to depth + 1 tasks, and, where slots or
conditions follow an outer loop, for two rounds and for rounds of one task.  Each run must have no cycle, keep every
dependency of the serial loop, and balance its flags.

    sync_graph_lanes     which bytes accesses share
    sync_graph_unroll    nodes and edges of one run
    sync_graph_order     topological order, happens-before
    sync_graph_flow      what must happen before what
    sync_graph_flags     flags as counters
    sync_graph_slots     how many slots would do
    sync_graph_deadlock, sync_graph_report     findings in the kernel's words
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from ptopro.diagnostics import Diagnostic, Severity, make
from ptopro.expand.pipeline_model import Channel, GraphResult, PipelinePlan
from ptopro.expand.sync_graph_deadlock import deadlock
from ptopro.expand.sync_graph_flags import flag_faults, unequal_flags
from ptopro.expand.sync_graph_flow import Needs, Violation, needs_of
from ptopro.expand.sync_graph_lanes import Lanes, lanes_of
from ptopro.expand.sync_graph_order import NONE, Order, closure, topological
from ptopro.expand.sync_graph_report import Reporter
from ptopro.expand.sync_graph_unroll import Graph, Rounds, StageTemplate, templates, unroll
from ptopro.language.enums import PipeType

# The order of findings: two writes in no order are not told where an overwrite says it better.
KINDS = ("read", "slot", "overwrite", "order")


def prove(plan: PipelinePlan) -> GraphResult:
    """Everything the event graph says about a plan."""
    outside = tuple(_no_such_slots(plan))
    if outside:
        return GraphResult(outside, (), ())
    lanes = lanes_of(plan)
    stages = templates(plan, lanes)
    runs: list[_Run] = []
    found: list[Diagnostic] = []
    for rounds in all_rounds(plan, lanes):
        run = _Run.of(plan, lanes, stages, rounds)
        found += run.findings()
        runs.append(run)
        if any(d.severity is Severity.ERROR for d in found):
            break
    problems = tuple(d for d in found if d.severity is Severity.ERROR)
    notes = [d for d in found if d.severity is not Severity.ERROR]
    if not problems:
        notes += _short_rounds(plan, lanes, stages)
        notes += _stalls(plan)
    return GraphResult(problems, tuple(dict.fromkeys(notes)), () if problems else redundant_channels(plan, runs))


def _no_such_slots(plan: PipelinePlan) -> Iterator[Diagnostic]:
    """Slots numbered by tasks (`g[task % 4]`) that a group does not have, each group once."""
    told = set()
    for access in (access for stage in plan.stages for access in stage.accesses):
        buffer, highest = plan.buffers[access.buffer], access.rule.highest()
        if highest >= buffer.slots and buffer.ranges and access.buffer not in told:
            told.add(access.buffer)
            yield make("PTO1357", access.span, name=buffer.name, index=highest, depth=buffer.slots)


def longest(plan: PipelinePlan) -> Rounds:
    """A run that reaches the steady state and leaves it, in one round."""
    return Rounds((plan.depth + 3 * max((b.slots for b in plan.buffers), default=1),))


def _follows_rounds(plan: PipelinePlan, lanes: Lanes) -> bool:
    """Whether anything depends on where rounds of an outer loop begin.

    Memory of one stage does not, since its conditional operations carry no order, unless two pipes take turns on a slot
    that is picked per round.
    """
    if plan.drains or any(o.per_round for template in templates(plan, lanes) for o in template.operations):
        return True
    shared = {place[0] for place in lanes.of}
    pipes: dict[int, set[PipeType]] = {}
    for stage in plan.stages:
        for access in stage.accesses:
            if access.rule.kind == "outer":
                if access.buffer in shared:
                    return True
                if not access.conditional and plan.buffers[access.buffer].slots > 1:
                    pipes.setdefault(access.buffer, set()).add(access.pipe)
    return any(len(found) > 1 for found in pipes.values())


def all_rounds(plan: PipelinePlan, lanes: Lanes) -> Iterator[Rounds]:
    """The runs to prove, the one most likely to show a fault first."""
    whole = longest(plan)
    yield whole
    if _follows_rounds(plan, lanes):
        half = (whole.total + 1) // 2
        yield Rounds((half, half))
        yield Rounds((1,) * whole.total)
    for tasks in range(plan.depth + 2):
        yield Rounds((tasks,))


@dataclass(slots=True)
class _Run:
    """One unrolled run: its graph, and unless it is blocked its order and needs."""

    graph: Graph
    lanes: Lanes
    stages: tuple[StageTemplate, ...]
    sequence: list[int] | None
    needs: Needs | None = None

    @classmethod
    def of(cls, plan: PipelinePlan, lanes: Lanes, stages: tuple[StageTemplate, ...], rounds: Rounds) -> _Run:
        graph = unroll(plan, lanes, stages, rounds)
        sequence = topological(graph)
        needs = needs_of(graph, lanes, stages) if sequence is not None else None
        return cls(graph, lanes, stages, sequence, needs)

    def order(self, without: frozenset[int] = NONE) -> Order:
        assert self.sequence is not None, "a blocked run has no order"
        return closure(self.graph, self.sequence, without)

    def findings(self) -> Iterator[Diagnostic]:
        reporter = Reporter(self.graph, self.lanes, lambda grown, buffers: is_right(grown, self.graph.rounds, buffers))
        for fault in unequal_flags(self.graph):
            yield from filter(None, [reporter.flag(fault)])
        if self.sequence is None or self.needs is None:
            yield deadlock(self.graph, lambda grown: moves(grown, self.graph.rounds))
            return
        order = self.order()
        for fault in flag_faults(self.graph, order):
            yield from filter(None, [reporter.flag(fault)])
        found = sorted(self.needs.violations(order), key=lambda v: KINDS.index(v.kind))
        for violation in found:
            yield from filter(None, [reporter.violation(violation)])


def moves(plan: PipelinePlan, rounds: Rounds) -> bool:
    """Whether a plan has no cycle, for at least as many tasks as its own slots need."""
    lanes = lanes_of(plan)
    run = Rounds((max(rounds.total, longest(plan).total),)) if len(rounds.tasks) == 1 else rounds
    return topological(unroll(plan, lanes, templates(plan, lanes), run)) is not None


def is_right(plan: PipelinePlan, rounds: Rounds, buffers: Collection[int]) -> bool:
    """Whether one run of a plan has no error as far as these buffers are concerned."""
    lanes = lanes_of(plan)
    stages = templates(plan, lanes)
    long = Rounds((max(rounds.total, longest(plan).total),)) if len(rounds.tasks) == 1 else rounds
    run = _Run.of(plan, lanes, stages, long)
    if run.sequence is None or run.needs is None:
        return False
    pairs = map(Reporter(run.graph, lanes, lambda *_: False).pair, run.needs.violations(run.order()))
    return not any(pair and {pair.first.buffer, pair.second.buffer} & set(buffers) for pair in pairs)


def redundant_channels(plan: PipelinePlan, runs: list[_Run]) -> tuple[Channel, ...]:
    """Channels that can be left out, all of them together, with every proof still standing.

    Credits first: they cost ids and hold the producer back.  What the other flags imply is left out.
    """
    if not plan.channels or not plan.locked:
        return ()
    allowed = [set(run.needs.violations(run.order())) for run in runs if run.needs is not None]
    without: frozenset[int] = NONE
    rank = {"reuse": 0, "bwd": 1, "fwd": 2}
    for index, _ in sorted(enumerate(plan.channels), key=lambda item: rank[item[1].direction]):
        trial = without | {index}
        if all(_stands(run, trial, open_) for run, open_ in zip(runs, allowed, strict=True)):
            without = trial
    return tuple(channel for index, channel in enumerate(plan.channels) if index in without)


def _stands(run: _Run, without: frozenset[int], allowed: set[Violation]) -> bool:
    """Whether a run without these channels leaves nothing open that was not open before."""
    assert run.needs is not None
    order = run.order(without)
    if any(violation not in allowed for violation in run.needs.violations(order)):
        return False
    return next(flag_faults(run.graph, order, without), None) is None


def _short_rounds(plan: PipelinePlan, lanes: Lanes, stages: tuple[StageTemplate, ...]) -> Iterator[Diagnostic]:
    """Slots picked per round last long enough only if every round holds a task: say where that matters."""
    shared = {place[0] for place in lanes.of}
    outer = {
        a.buffer
        for s in plan.stages
        for a in s.accesses
        if a.rule.kind == "outer" and a.buffer in shared and plan.buffers[a.buffer].slots > 1
    }
    for buffer in sorted(outer):
        slots = plan.buffers[buffer].slots
        run = _Run.of(plan, lanes, stages, Rounds((1,) * longest(plan).total, step=slots))
        if run.needs is None:
            continue
        reporter = Reporter(run.graph, lanes, _never)
        for violation in run.needs.violations(run.order()):
            pair = reporter.pair(violation)
            if pair is not None and pair.first.buffer == buffer and pair.first.rule.kind == "outer":
                yield make(
                    "PTO1491",
                    plan.buffers[buffer].span or pair.first.span,
                    buffer=plan.buffers[buffer].name,
                    slots=slots,
                    reader=plan.stages[pair.first.stage].name,
                )
                break


def _never(_plan: PipelinePlan, _grown: Collection[int]) -> bool:
    """More slots do not help."""
    return False


def _stalls(plan: PipelinePlan) -> Iterator[Diagnostic]:
    """Buffers with fewer slots than beats between producer and consumer, plus one."""
    if not plan.preload:
        return
    beats = beat_numbers(plan)
    said = set()
    for channel in plan.channels:
        if channel.direction == "reuse":
            continue
        ends = (channel.setter, channel.waiter) if channel.direction == "fwd" else (channel.waiter, channel.setter)
        producer, consumer = ends
        distance = beats[consumer] - beats[producer]
        buffer = plan.buffers[channel.buffer]
        if buffer.slots >= distance + 1 or (channel.buffer, ends) in said:
            continue
        said.add((channel.buffer, ends))
        yield make(
            "PTO1489",
            buffer.span or plan.loop,
            buffer=buffer.name,
            have=buffer.slots,
            slots="slot" if buffer.slots == 1 else "slots",
            producer=plan.stages[producer].name,
            consumer=plan.stages[consumer].name,
            beats=f"{distance} beat" if distance == 1 else f"{distance} beats",
            needed=distance + 1,
        )


def beat_numbers(plan: PipelinePlan) -> list[int]:
    """For each stage how many beats it runs behind the first one when both cores are fully busy.

    The first stage of the second core runs one beat behind the stage before it; each further stage of a core `preload`
    beats behind the core's previous one.
    """
    numbers: list[int] = []
    last: dict[str, tuple[int, int]] = {}  # core -> beat number and delay of its latest stage
    for stage in plan.stages:
        if stage.core in last:
            beat, delay = last[stage.core]
            number = beat + stage.delay - delay
        else:
            number = numbers[-1] + 1 if numbers else 0
        last[stage.core] = (number, stage.delay)
        numbers.append(number)
    return numbers
