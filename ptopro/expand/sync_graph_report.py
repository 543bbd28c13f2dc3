"""The findings of the event graph in the words of the kernel: stages, tasks, buffers, slot counts.

In: a Graph with what its checks found.  Out: Diagnostics (catalogue PTO1480 to PTO1491).
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass

from ptopro.diagnostics import Diagnostic, Label, make
from ptopro.expand.pipeline_model import Access, Buffer, PipelinePlan
from ptopro.expand.sync_graph_flags import FlagFault
from ptopro.expand.sync_graph_flow import Violation
from ptopro.expand.sync_graph_lanes import Lanes
from ptopro.expand.sync_graph_slots import aliases, needed_slots
from ptopro.expand.sync_graph_unroll import SET, TRANSFERS, Graph, round_of

Proof = Callable[[PipelinePlan, Collection[int]], bool]


@dataclass(frozen=True, slots=True)
class Pair:
    """The two accesses that a violation is about, each with its slot."""

    first: Access
    first_slot: int | None
    second: Access
    second_slot: int | None


class Reporter:
    """Turns findings about one graph into diagnostics.

    grows_well: whether a plan with more slots is right, as far as these buffers are concerned.
    """

    def __init__(self, graph: Graph, lanes: Lanes, grows_well: Proof) -> None:
        self.graph = graph
        self.plan = graph.plan
        self.lanes = lanes
        self.grows_well = grows_well
        self.reported: set[tuple[object, ...]] = set()

    def violation(self, found: Violation) -> Diagnostic | None:
        """One diagnostic for each kind, buffer and pair of stages; None for what was said or is not for the graph."""
        pair = self.pair(found)
        if pair is None:
            return None
        graph = self.graph
        first, second = found.first, found.second
        same_core = graph.cores[first] == graph.cores[second]
        in_program_order = same_core and first < second and found.kind != "slot"
        if in_program_order and graph.pipes[first] is graph.pipes[second] and graph.pipes[first] in TRANSFERS:
            return None  # two transfers of one pipe: a barrier, which locks insert
        kind = "pipes" if in_program_order else found.kind
        if found.kind != "slot" and self.unsure(pair, first, second):
            kind = "unsure"
        key: tuple[object, ...] = (kind, same_core, pair.first.buffer, pair.second.buffer, pair.first.stage)
        key = (*key, pair.second.stage)
        if kind in ("unsure", "pipes"):  # which of the two comes first does not matter
            key = ("unproved", *sorted({(a.buffer, a.stage) for a in (pair.first, pair.second)}))
        ends = frozenset(((pair.first.buffer, pair.first.stage), (pair.second.buffer, pair.second.stage)))
        if key in self.reported or (kind == "order" and ("overwritten", ends) in self.reported):
            return None
        self.reported |= {key, ("overwritten", ends)} if kind == "overwrite" else {key}
        match kind:
            case "unsure":
                return self.unproved(pair, self.reason(pair))
            case "pipes":
                return self.unproved(pair, "and no lock orders their pipes")
            case "slot":
                return self.other_slot(found, pair)
            case "overwrite" if same_core:
                return self.ring(pair)
            case "overwrite":
                return self.overwrite(found, pair)
            case "read":
                return self.early_read(found, pair, same_core)
            case _:
                return self.two_writes(found, pair)

    def pair(self, found: Violation) -> Pair | None:
        """The accesses of the two operations that share bytes and of which one writes."""
        best: Pair | None = None
        for access, slot in self.accesses(found.first):
            for other, other_slot in self.accesses(found.second):
                if not (access.writes or other.writes):
                    continue
                if found.kind == "slot":
                    if access.buffer == other.buffer and access.writes and other.reads:
                        return Pair(access, slot, other, other_slot)
                    continue
                if self.touched(access, slot) & self.touched(other, other_slot):
                    candidate = Pair(access, slot, other, other_slot)
                    wanted = {"read": access.writes and other.reads, "overwrite": access.reads and other.writes}
                    if wanted.get(found.kind, access.writes and other.writes):
                        return candidate
                    best = best or candidate
        return best

    def accesses(self, node: int) -> list[tuple[Access, int | None]]:
        graph = self.graph
        operation = graph.operations[node]
        if operation is None:
            return []
        slots = graph.places[graph.stages[node], graph.tasks[node], operation.order]
        return list(zip(operation.accesses, slots, strict=True))

    def touched(self, access: Access, slot: int | None) -> set[int]:
        slots = range(self.plan.buffers[access.buffer].slots) if slot is None else (slot,)
        return {lane for s in slots for lane in self.lanes.of.get((access.buffer, s, access.window), ())}

    def unsure(self, pair: Pair, first: int, second: int) -> bool:
        """Whether the two may in truth not touch the same bytes."""
        for access, slot in ((pair.first, pair.first_slot), (pair.second, pair.second_slot)):
            if slot is None or self.plan.buffers[access.buffer].memory == "DDR":
                return True
        # `if ...: write` of a slot that is picked per round: most likely once per round, but that is not known.
        outer = round_of(self.graph.rounds)
        same_round = outer[self.graph.tasks[first]][0] == outer[self.graph.tasks[second]][0]
        writes = pair.second
        return same_round and writes.conditional and not writes.first_of_round and writes.rule.kind == "outer"

    def reason(self, pair: Pair) -> str:
        if self.plan.buffers[pair.second.buffer].memory == "DDR":
            return "and the regions of a tensor are not compared"
        if pair.first_slot is None or pair.second_slot is None:
            return "and which slot is not known"
        return "which is written under a condition"

    # ----------------------------------------------------------------------------------------------------------------

    def name(self, access: Access) -> str:
        return self.plan.stages[access.stage].name

    def buffer(self, access: Access) -> Buffer:
        return self.plan.buffers[access.buffer]

    def enough(self, access: Access) -> int | None:
        """Slots that would make the plan right, as far as this buffer is concerned."""
        most = self.buffer(access).slots + self.plan.depth + 2
        buffers = aliases(self.plan, access.buffer)
        return needed_slots(self.plan, buffers, lambda plan: self.grows_well(plan, buffers), most)

    def labels(self, pair: Pair, first: str, second: str) -> list[Label]:
        found = []
        for access, text in ((pair.first, first), (pair.second, second)):
            if access.span is not None:
                found.append(Label(access.span, text))
        return found

    def ring(self, pair: Pair) -> Diagnostic:
        reader, writer = pair.first, pair.second
        buffer = self.buffer(reader)
        distance = abs(self.plan.stages[reader.stage].delay - self.plan.stages[writer.stage].delay)
        have = reader.rule.modulus if reader.rule.kind in ("task", "outer") else buffer.slots
        rotates = reader.rule.kind != "constant"
        needed = (self.enough(reader) if rotates else None) or distance + 1
        if rotates:
            fix = f"give {buffer.name} {needed} slots, each with a lock id, or lower preload"
        else:
            have = 1
            fix = f"give {buffer.name} {needed} slots and choose one by a task counter, or lower preload"
        return make(
            "PTO1481",
            reader.span or buffer.span,
            labels=self.labels(pair, "", "overwritten here, for a later task")[1:],
            reader=self.name(reader),
            writer=self.name(writer),
            buffer=buffer.name,
            distance=_tasks(distance),
            needed=needed,
            have=have,
            fix=fix,
        )

    def overwrite(self, found: Violation, pair: Pair) -> Diagnostic:
        reader, writer = pair.first, pair.second
        buffer = self.buffer(writer)
        enough = self.enough(writer) if reader.buffer == writer.buffer else None
        fixes = []
        if not buffer.bwd_ids:
            fixes.append(f"declare bwd_ids for {buffer.name}")
        if enough:
            fixes.append(f"give {buffer.name} {enough} slots")
        if reader.buffer != writer.buffer:
            fixes.append(f"give {buffer.name} and {self.buffer(reader).name} bytes of their own")
        return make(
            "PTO1482",
            writer.span or buffer.span,
            labels=self.labels(pair, "still to be read here", "")[:1],
            writer=self.name(writer),
            reader=self.name(reader),
            buffer=buffer.name,
            later=self.graph.tasks[found.second],
            task=self.graph.tasks[found.first],
            slot=pair.second_slot,
            fix=", or ".join(fixes) or f"use {buffer.name} on one pipe of {self.name(reader)}",
        )

    def early_read(self, found: Violation, pair: Pair, same_core: bool) -> Diagnostic:
        writer, reader = pair.first, pair.second
        buffer = self.buffer(reader)
        if same_core:
            ahead = abs(self.plan.stages[reader.stage].delay - self.plan.stages[writer.stage].delay)
            fix = f"{self.name(reader)} runs {_tasks(ahead)} ahead: use preload=0, or compute it in one stage"
        elif not buffer.fwd_ids:
            fix = f"declare fwd_ids for {buffer.name}"
        else:
            fix = f"hand the data on through a group that {self.name(writer)} writes and {self.name(reader)} reads"
        return make(
            "PTO1483",
            reader.span or buffer.span,
            labels=self.labels(pair, "written here", "")[:1],
            writer=self.name(writer),
            reader=self.name(reader),
            buffer=buffer.name,
            earlier=self.graph.tasks[found.first],
            task=self.graph.tasks[found.second],
            fix=fix,
        )

    def two_writes(self, found: Violation, pair: Pair) -> Diagnostic:
        buffer = self.buffer(pair.second)
        fix = f"give {buffer.name} fwd_ids and bwd_ids" if not (buffer.fwd_ids and buffer.bwd_ids) else "lower preload"
        return make(
            "PTO1484",
            pair.second.span or buffer.span,
            labels=self.labels(pair, "the other write", "")[:1],
            first=self.name(pair.first),
            second=self.name(pair.second),
            buffer=buffer.name,
            earlier=self.graph.tasks[found.first],
            task=self.graph.tasks[found.second],
            fix=fix,
        )

    def other_slot(self, found: Violation, pair: Pair) -> Diagnostic:
        buffer = self.buffer(pair.second)
        return make(
            "PTO1485",
            pair.second.span or buffer.span,
            labels=self.labels(pair, "written here", "")[:1],
            reader=self.name(pair.second),
            writer=self.name(pair.first),
            buffer=buffer.name,
            slot=pair.second_slot,
            other=pair.first_slot,
            slots=buffer.slots,
            earlier=self.graph.tasks[found.first],
            task=self.graph.tasks[found.second],
        )

    def unproved(self, pair: Pair, reason: str) -> Diagnostic:
        buffer = self.buffer(pair.second)
        if "lock" in reason:
            fix = f"give {buffer.name} mutex_ids and let ptopro write the locks (auto_mutex=True), or check the kernel"
        else:
            fix = "hand the data over in a group whose slot follows from the task, or check the kernel"
        return make(
            "PTO1490",
            pair.second.span or buffer.span,
            labels=self.labels(pair, "the other access", "")[:1],
            first=self.name(pair.first),
            second=self.name(pair.second),
            buffer=buffer.name,
            reason=reason,
            fix=fix,
        )

    # ----------------------------------------------------------------------------------------------------------------

    def flag(self, fault: FlagFault) -> Diagnostic | None:
        key = (fault.kind, fault.core, fault.event)
        if key in self.reported:
            return None
        self.reported.add(key)
        graph = self.graph
        channel = self.plan.channels[graph.channel[fault.nodes[0]]]
        span = self.plan.buffers[channel.buffer].span or self.plan.loop
        if fault.kind == "unequal":
            tasks = self.graph.rounds.total
            return make(
                "PTO1486",
                span,
                event=fault.event,
                core=fault.core,
                sets=fault.sets,
                waits=fault.waits,
                where=f" for {_tasks(tasks)}",
            )
        if fault.kind == "pending":
            return make("PTO1487", span, event=fault.event, core=fault.core, pending=fault.sets)
        return make(
            "PTO1488",
            span,
            event=fault.event,
            core=fault.core,
            action="set" if graph.kinds[fault.nodes[0]] == SET else "waited for",
            pipes=" and ".join(sorted({graph.pipes[node].name for node in fault.nodes})),
        )


def _tasks(count: int) -> str:
    return f"{count} task" if count == 1 else f"{count} tasks"
