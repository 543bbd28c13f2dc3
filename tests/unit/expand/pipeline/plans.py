"""Short ways to write a PipelinePlan: stages as lists of operations over named buffers.

    PlanText(preload=2).buffer("a", 2, fwd=True, bwd=True).stage("make", "cube", "FIX a=").stage("use", "vector", "V x=a")

An operation is `PIPE out=in,in`: `a=` writes a, `=a` reads it, `a=a,b` reads and writes a.  `name@rule` picks the slot: a
number, `t` or `t+1` (task counter), `o` (round counter), `?` (not known), `>` or nothing (the cursor, which the stage then
moves once), `.` (the cursor as it stands); `[0:512]` behind it are the bytes touched, `~` says that only some of them are.
A leading `?` or `!` makes the operation conditional (under one condition each), `1` the first of its round, `u` leaves its
accumulators to the unit flag.  `y` and `n` are the two arms of one branch, all `y` in front of all `n`.
Delays, channels and pipes of waits and sets follow the rules of the pipeline.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from ptopro.expand.pipeline_model import Access, Buffer, Channel, PipelinePlan, SlotRule, Stage
from ptopro.language.enums import PipeType

SIZE = 1024
BRANCH = 4  # the number of the branch that has two arms
GUARDS = {"?": ((1, 1),), "!": ((2, 1),), "1": ((3, 1),), "y": ((BRANCH, 1),), "n": ((BRANCH, 0),)}
OPERAND = re.compile(r"(?P<name>\w+)(?:@(?P<rule>[^\[~]*))?(?:\[(?P<low>\d+):(?P<high>\d+)\])?(?P<partial>~?)")
OPERATION = re.compile(r"(?P<guard>[?!1uyn]?)(?P<pipe>[A-Z0-9]+)\s+(?P<outs>[^=\s]*)=(?P<ins>\S*)")


@dataclass
class PlanText:
    """Collects buffers and stages; `plan()` puts them together."""

    preload: int = 2
    locked: bool = True
    chained: bool = True  # further pipes are joined to a wait or set by local flags, else by the locks alone
    nested: bool = False
    drains: bool = False
    buffers: list[Buffer] = field(default_factory=list)
    stages: list[Stage] = field(default_factory=list)
    shared: set[str] = field(default_factory=set)
    next_event: int = 0

    def buffer(
        self,
        name: str,
        slots: int = 1,
        memory: str = "Vec",
        *,
        at: int | None = None,
        fwd: bool = False,
        bwd: bool = False,
        shared: bool = False,
        locks: tuple[int, ...] | None = None,
        size: int = SIZE,
    ) -> PlanText:
        """A group of `slots` tiles at `at` (default: free bytes); its lock ids are new unless given; () for none."""
        number = len(self.buffers)
        start = at if at is not None else number << 20
        ranges = () if memory == "DDR" else tuple((start + i * size, start + (i + 1) * size) for i in range(slots))
        ids = tuple(number * 100 + i for i in range(slots)) if locks is None else locks
        held = tuple((ids[i % len(ids)],) for i in range(slots)) if ids and ranges else ()
        count = 1 if shared else slots
        events = []
        for wanted in (fwd, bwd):
            events.append(tuple(range(self.next_event, self.next_event + count)) if wanted else ())
            self.next_event += count if wanted else 0
        self.buffers.append(Buffer(name, memory, ranges, held, events[0], events[1]))
        return self

    def stage(self, name: str, core: str, *operations: str, predicated: bool = False) -> PlanText:
        index = len(self.stages)
        accesses: list[Access] = []
        moved: dict[int, int | None] = {}
        for order, text in enumerate(operations):
            match = OPERATION.fullmatch(text)
            assert match, text
            outs = [t for t in match["outs"].split(",") if t]
            ins = [t for t in match["ins"].split(",") if t]
            for operand in dict.fromkeys(outs + ins):
                what = OPERAND.fullmatch(operand)
                assert what, operand
                buffer = next(i for i, b in enumerate(self.buffers) if b.name == what["name"])
                rule = self.rule(what["rule"] or ">", buffer, moved)
                accesses.append(
                    Access(
                        index,
                        2 * order,
                        PipeType[match["pipe"]],
                        buffer,
                        rule,
                        operand in ins,
                        operand in outs,
                        f"{name}.{order}",
                        conditional=match["guard"] in GUARDS,
                        path=GUARDS.get(match["guard"], ()),
                        first_of_round=match["guard"] == "1",
                        ordered_by_unit=match["guard"] == "u" and self.buffers[buffer].memory == "Acc",
                        window=(int(what["low"]), int(what["high"])) if what["low"] else None,
                        partial=bool(what["partial"]),
                    )
                )
        self.stages.append(
            Stage(
                index, name, core, 0, tuple(accesses), tuple(moved.items()), predicated=predicated,  # type: ignore[arg-type]
                joints=() if predicated else joints_of(accesses),
            )
        )  # fmt: skip
        return self

    def rule(self, text: str, buffer: int, moved: dict[int, int | None]) -> SlotRule:
        slots = self.buffers[buffer].slots
        if text == ">":
            moved[buffer] = 1
            return SlotRule("cursor", 1)
        if text == ".":
            return SlotRule("cursor", moved.get(buffer) or 0)
        if text == "?":
            return SlotRule("unknown")
        if text[0] in "to":
            return SlotRule("task" if text[0] == "t" else "outer", int(text[1:] or 0), 1, slots)
        return SlotRule("constant", int(text))

    def plan(self, without: tuple[str, ...] = ()) -> PipelinePlan:
        """The plan; `without` leaves out channels, as "name.bwd"."""
        delays: dict[str, int] = {}
        stages = []
        for stage in self.stages:
            delay = delays.get(stage.core, -self.preload) + self.preload
            delays[stage.core] = delay
            stages.append(replace(stage, delay=delay))
        plan = PipelinePlan(
            0, "k", self.preload, tuple(stages), tuple(self.buffers), nested=self.nested, drains=self.drains,
            locked=self.locked,
        )  # fmt: skip
        channels = [c for b in range(len(self.buffers)) for c in channels_of(plan, b)]
        if not self.chained:
            channels = [replace(c, set_chain=(), wait_chain=()) for c in channels]
        return replace(
            plan, channels=tuple(c for c in channels if f"{plan.buffers[c.buffer].name}.{c.direction}" not in without)
        )


def joints_of(accesses: list[Access]) -> tuple[Access, ...]:
    """What both arms of the branch hold on a pipe to the end."""
    arms: list[dict[PipeType, list[Access]]] = []
    for arm in (1, 0):
        last: dict[PipeType, list[Access]] = {}
        for access in accesses:
            if access.path == ((BRANCH, arm),):
                same = [a for a in last.get(access.pipe, []) if a.order == access.order]
                last[access.pipe] = [*same, access]
        arms.append(last)
    end = max((a.order for a in accesses if a.path == ((BRANCH, 0),)), default=0)
    found = []
    for pipe, held in arms[0].items():
        slots = {(a.buffer, a.rule) for a in arms[1].get(pipe, []) if a.rule.kind != "unknown"}
        for access in held:
            if (access.buffer, access.rule) in slots:
                joint = replace(access, order=end + 1, reads=False, writes=False, conditional=False, path=())
                found.append(joint)
        if found:
            break  # of one pipe: one operation
    return tuple(found)


def channels_of(plan: PipelinePlan, index: int) -> list[Channel]:
    """The channels of a cross-core buffer: producer is the stage that comes first, chains join its other pipes."""
    buffer = plan.buffers[index]
    users = [s for s in plan.stages if s.touching(index)]
    if not buffer.crosses or len(users) != 2:
        return []
    producer, consumer = users
    writes = pipes(producer, index, last=True, writing=True) or pipes(producer, index, last=True)
    first_writes = pipes(producer, index, last=False)
    reads_first, reads_last = pipes(consumer, index, last=False), pipes(consumer, index, last=True)
    found = []
    if buffer.fwd_ids:
        ends = (producer.index, consumer.index, producer.core, writes[0], consumer.core, reads_first[0])
        found.append(Channel(index, "fwd", *ends, buffer.fwd_ids, buffer.slots, 0, writes[1:], reads_first[1:]))
    if buffer.bwd_ids:
        ends = (consumer.index, producer.index, consumer.core, reads_last[0], producer.core, first_writes[0])
        chains = (reads_last[1:], first_writes[1:])
        found.append(Channel(index, "bwd", *ends, buffer.bwd_ids, buffer.slots, buffer.slots, *chains))
    return found


def pipes(stage: Stage, buffer: int, *, last: bool, writing: bool = False) -> tuple[PipeType, ...]:
    """The pipes on which a stage touches a buffer, the first (or last) in program order in front."""
    accesses = [a for a in stage.touching(buffer) if a.writes or not writing]
    ordered = sorted(accesses, key=lambda a: -a.order if last else a.order)
    return tuple(dict.fromkeys(a.pipe for a in ordered))


def chain(
    preload: int = 2, p_slots: int = 3, p_bwd: bool = False, score_slots: int = 2, ring: int = 0, l0_slots: int = 2
) -> PlanText:
    """Flash attention: C V C V, scores and pv from cube to vector, p back; `ring` slots for the correction."""
    text = PlanText(preload)
    text.buffer("q", 2, "Mat").buffer("k", 2, "Mat").buffer("v", 2, "Mat")
    text.buffer("left", l0_slots, "Left").buffer("right", l0_slots, "Right").buffer("acc", l0_slots, "Acc")
    text.buffer("scores", score_slots, fwd=True, bwd=True)
    text.buffer("p", p_slots, "Mat", fwd=True, bwd=p_bwd)
    text.buffer("pv", score_slots, fwd=True, bwd=True)
    text.buffer("correction", ring or preload + 1).buffer("half").buffer("output").buffer("row_max")
    text.stage(
        "compute_qk", "cube", "1MTE2 q@o=", "MTE2 k=", "MTE1 left=q@o", "MTE1 right=k", "M acc=left,right",
        "FIX scores=acc",
    )  # fmt: skip
    text.stage(
        "compute_p", "vector", "1V row_max@0=", "V scores=scores", "V correction@t=row_max@0", "V row_max@0=row_max@0",
        "V half@0=scores", "MTE3 p=half@0",
    )  # fmt: skip
    text.stage("compute_pv", "cube", "MTE2 v=", "MTE1 left=p", "MTE1 right=v", "M acc=left,right", "FIX pv=acc")
    text.stage(
        "compute_gu", "vector", "?V output@0=pv", "V output@0=output@0,correction@t", "V output@0=output@0,pv",
        "?MTE3 =output@0",
    )  # fmt: skip
    return text


def describe(plan: PipelinePlan) -> str:
    """A plan in a few lines, for failing tests."""
    lines = [f"preload {plan.preload}" + (", drains" if plan.drains else "")]
    for buffer in plan.buffers:
        at = buffer.ranges[0][0] if buffer.ranges else "-"
        flags = f"fwd {buffer.fwd_ids} bwd {buffer.bwd_ids}" if buffer.crosses else ""
        lines.append(f"  {buffer.name}: {buffer.slots} in {buffer.memory} at {at} {flags}")
    for stage in plan.stages:
        lines.append(f"  {stage.name} ({stage.core}, delay {stage.delay}{', predicated' * stage.predicated})")
        for a in stage.accesses:
            rule = f"{a.rule.kind}+{a.rule.offset}%{a.rule.modulus}"
            how = "r" * a.reads + "w" * a.writes + "~" * a.partial
            more = f"{a.window or ''} {a.path or ''} {'first' * a.first_of_round}"
            lines.append(f"    {a.order} {a.pipe.name} {plan.buffers[a.buffer].name} {rule} {how} {more}")
    for c in plan.channels:
        chains = [[p.name for p in chain] for chain in (c.set_chain, c.wait_chain)]
        name = plan.buffers[c.buffer].name
        ends = f"{c.setter} {c.set_pipe.name} -> {c.waiter} {c.wait_pipe.name}"
        lines.append(f"  {name}.{c.direction}: {ends}, ids {c.ids}, credits {c.credits}, chains {chains}")
    return "\n".join(lines)
