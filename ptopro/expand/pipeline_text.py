"""Write a pipeline loop out: credits, flags, records, delayed stages, the drain.

In: what the analysis decided about one loop.  Out: edits of the kernel's text.  The author's statements stay where they
are; what is added around a stage call (here of delay 2):

    with pl.section_cube():
        if _pl_task >= 2:  # compute_pv's task _pl_task - 2 exists
            pl.system.wait_cross_core(...)  # fwd: p_l1 ready from compute_p
            compute_pv(_pl_ring[(_pl_task + 1) % 3].ki, ...)
            pl.system.set_cross_core(...)  # bwd: p_l1 free for compute_p
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from ptopro.expand.edits import EditSet, Piece
from ptopro.expand.pipeline_analysis import CORES, LoopFacts
from ptopro.expand.pipeline_context import Context, Replaced, initial_value
from ptopro.expand.pipeline_loops import StageSite
from ptopro.expand.pipeline_model import Channel, Core
from ptopro.expand.pipeline_numbers import Shift, scalar_operations
from ptopro.expand.pipeline_slots import Picks
from ptopro.expand.pipeline_values import Linear
from ptopro.language.enums import PipeType


@dataclass(slots=True, eq=False)
class LoopWriter:
    """Writes one loop.  suffix: "" for the first loop of the kernel, "_1" for the second ...

    chains: the event id of each local flag, by (channel, from pipe, to pipe).
    """

    facts: LoopFacts
    channels: Sequence[Channel]
    context: Context
    picks: Picks
    edits: EditSet
    alias: str
    suffix: str
    chains: dict[tuple[Channel, PipeType, PipeType], int] = field(default_factory=dict)
    work: dict[Core, int] = field(default_factory=lambda: dict.fromkeys(CORES, 0))  # scalar operations per beat
    unit: str = "    "

    def __post_init__(self) -> None:
        start = self.edits.source.range(self.edits.index.span(self.facts.shape.node))[0]
        self.unit = self.edits.source.indent_unit(self.edits.source.indent_at(start))

    # ----------------------------------------------------------------------------------------------------------------
    # Names

    @property
    def task(self) -> str:
        return f"_pl_task{self.suffix}"

    @property
    def ring(self) -> str:
        return f"_pl_ring{self.suffix}"

    @property
    def beat(self) -> str:
        return f"_pl_beat{self.suffix}"

    def struct_ring(self, name: str) -> str:
        return f"_pl_{name}{self.suffix}"

    def buffer(self, channel: Channel) -> str:
        return self.facts.table.buffers[channel.buffer].name

    def ids_list(self, channel: Channel) -> str:
        return f"_pl_{channel.direction}_{self.buffer(channel)}_{channel.waiter}{self.suffix}"

    @property
    def counts(self) -> bool:
        """Whether the task's number is needed."""
        depth = self.facts.depth
        return depth > 1 or any(len(c.ids) > 1 for c in self.channels)

    # ----------------------------------------------------------------------------------------------------------------
    # The whole loop

    def write(self) -> None:
        shape, edits = self.facts.shape, self.edits
        self.insert_above(shape.root, self.prelude())
        for number, site in enumerate(shape.sites):
            self.write_stage(number, site)
        for statement, lines in self.picks.lines.items():
            edits.after(statement, lines)
        if self.counts:
            line = f"{self.task} = {self.task} + 1  # the next task's number"
            edits.after(shape.sites[-1].statement, [line])
            for core in CORES:
                self.count(core, [line])
        self.insert_below(shape.root, self.coda())

    def prelude(self) -> list[str]:
        """What stands before the outermost loop."""
        facts, lines = self.facts, []
        depth = facts.depth
        if self.context.fields:
            initial = "".join(f", {f.name}={f.initial}" for f in self.context.fields.values())
            text = f'{self.ring} = {self.alias}.struct_array({depth}, "_PlTask{self.suffix}"{initial})'
            lines.append(f"{text}  # what travels with a task")
        for name in dict.fromkeys(ring.name for ring in self.context.structs.values()):
            ring = next(r for r in self.context.structs.values() if r.name == name)
            initial = "".join(f", {f}={initial_value(dtype, self.alias)}" for f, dtype in ring.fields)
            text = f'{self.struct_ring(name)} = {self.alias}.struct_array({depth}, "_Pl_{name}{self.suffix}"{initial})'
            lines.append(f"{text}  # {name} of each task")
        lines += [f"{name} = {start}{note}" for name, (start, note) in self.picks.tracked.items()]
        for channel in self.channels:
            if not _is_run(channel.ids):
                lines.append(f"{self.ids_list(channel)} = {list(channel.ids)}  # {self.purpose(channel)}")
        if self.counts:
            lines.append(f"{self.task} = 0  # number of the next task")
        return lines + self.credits("set")

    def coda(self) -> list[str]:
        """What stands behind the outermost loop: the drain, and the credits that are left."""
        lines: list[str] = []
        beats = self.facts.depth - 1
        if beats:
            lines.append(f"for _pl_drain{self.suffix} in {self.alias}.range(0, {beats}):  # finish the delayed stages")
            lines.append(f"{self.unit}{self.beat} = {self.task} + _pl_drain{self.suffix}  # as if tasks went on")
            for number, site in enumerate(self.facts.shape.sites):
                if self.facts.stages[number].delay:
                    lines += self.drain_stage(number, site)
        return lines + self.credits("wait")

    def credits(self, which: str) -> list[str]:
        """The sets before the first task, or the waits behind the last, that say that slots are free."""
        lines: list[str] = []
        for core in CORES:
            own = [c for c in self.channels if c.credits and (c.set_core if which == "set" else c.wait_core) == core]
            if not own:
                continue
            lines.append(f"with {self.alias}.section_{core}():")
            for channel in own:
                for n in range(channel.credits):
                    number = channel.ids[n % len(channel.ids)]
                    pipe = channel.set_pipe if which == "set" else channel.wait_pipe
                    what = "is free" if which == "set" else "has been given back"
                    note = f"  # {channel.direction}: {self.buffer(channel)} slot {n} {what}"
                    lines.append(self.unit + self.flag(which, pipe, str(number)) + note)
        return lines

    # ----------------------------------------------------------------------------------------------------------------
    # One stage

    def write_stage(self, number: int, site: StageSite) -> None:
        """Flags, guard and arguments of a stage in the loop."""
        if site.conditions:
            self.rewrite_stage(number, site)
            return
        delay = self.facts.stages[number].delay
        shift = Shift(self.task, delay)
        call = self.call_edits(number, shift)
        before, after = self.around(number, shift)
        before[:0] = self.snapshot(number, shift)
        shared = shift.shared([*before, *after, *(text for _, text in call)], self.suffix)
        before = [*shared.lines, *map(shared.put, before)]
        after = [shared.put(line) for line in after]
        if delay:
            guard = f"if {self.task} >= {delay}:  # {site.name} runs task {self.task} - {delay}"
            before = [guard, *(self.unit + line for line in before)]
            after = [self.unit + line for line in after]
            start = self.edits.source.range(self.edits.index.span(site.expression))[0]
            self.edits.replace_range(start, start, self.unit)
        for node, text in call:
            self.edits.replace(node, shared.put(text))
        self.edits.before(site.expression, before)
        self.edits.after(site.expression, after)
        self.count(site.core, [*before, *after, *(shared.put(text) for _, text in call)])

    def count(self, core: Core, lines: Iterable[str]) -> None:
        """Add up the scalar operations that generated lines cost in every beat."""
        self.work[core] += sum(scalar_operations(line) for line in lines)

    def rewrite_stage(self, number: int, site: StageSite) -> None:
        """A stage under a run-time condition: the flags stand outside of the condition."""
        edits = self.edits
        start, end = edits.source.range(edits.index.span(site.statement))
        indent = edits.source.indent_at(start)
        newline = edits.source.newline_at(start)
        lines = [f"with {self.alias}.section_{site.core}():"]
        shift = Shift(self.task, self.facts.stages[number].delay)
        lines += [self.unit + line for line in self.guarded(number, site, shift, snapshot=True)]
        self.count(site.core, lines[1:])
        edits.replace_range(start, end, (newline + indent).join(lines))

    def guarded(
        self, number: int, site: StageSite, shift: Shift, existing: str = "", *, snapshot: bool = False
    ) -> list[str]:
        """All lines of a stage's section, as new text."""
        before, after = self.around(number, shift)
        if snapshot:
            before[:0] = self.snapshot(number, shift)
        texts = dict(self.call_edits(number, shift))
        call = [self.replaced_text(site.expression, texts)]
        for condition in reversed(site.conditions):
            test = self.replaced_text(condition, texts)
            call = [f"if {test}:  # the flags do not depend on it", *(self.unit + line for line in call)]
        shared = shift.shared([*before, *call, *after], self.suffix)
        lines = [*shared.lines, *map(shared.put, (*before, *call, *after))]
        if shift.delay:
            guard = existing or f"{shift.beat} >= {shift.delay}"
            head = f"if {guard}:  # {site.name} runs task {shift.beat} - {shift.delay}"
            return [head, *(self.unit + line for line in lines)]
        return lines

    def drain_stage(self, number: int, site: StageSite) -> list[str]:
        """A delayed stage in a beat of the drain."""
        delay = self.facts.stages[number].delay
        guard = f"{self.beat} >= {delay}"
        if delay < self.facts.depth - 1:
            guard = f"_pl_drain{self.suffix} < {delay} and {guard}"
        lines = [f"with {self.alias}.section_{site.core}():"]
        lines += [self.unit + line for line in self.guarded(number, site, Shift(self.beat, delay), guard)]
        return [self.unit + line for line in lines]

    def snapshot(self, number: int, shift: Shift) -> list[str]:
        """Write the record of this beat's task: in the first section of each core."""
        site = self.facts.shape.sites[number]
        if any(other.core == site.core for other in self.facts.shape.sites[:number]):
            return []
        depth = self.facts.depth
        lines = []
        for each in self.context.fields.values():
            if site.core in each.cores:
                record = f"{self.ring}[{shift.modulo(depth)}]"
                lines.append(f"{record}.{each.name} = {each.source}  # for the delayed stages")
        for ring in self.context.structs.values():
            if ring.core == site.core:
                for name, _ in ring.fields:
                    copy = f"{self.struct_ring(ring.name)}[{shift.modulo(depth)}].{name} = {ring.name}.{name}"
                    lines.append(f"{copy}  # for the delayed stages")
        return lines

    def around(self, number: int, shift: Shift) -> tuple[list[str], list[str]]:
        """The waits before a stage call, and the sets behind it."""
        waits, sets = [], []
        for channel in self.channels:
            if channel.waiter == number:
                event = self.event(channel, shift)
                waits.append(f"{self.flag('wait', channel.wait_pipe, event)}  # {self.purpose(channel)}")
                waits += self.chain(channel, channel.wait_chain, outward=True)
        for channel in self.channels:
            if channel.setter == number:
                event = self.event(channel, shift)
                sets += self.chain(channel, channel.set_chain, outward=False)
                sets.append(f"{self.flag('set', channel.set_pipe, event)}  # {self.purpose(channel)}")
        return waits, sets

    def chain(self, channel: Channel, pipes: Iterable[PipeType], *, outward: bool) -> list[str]:
        """Local flags between the pipe of a cross-core flag and other pipes that use the slot."""
        lines = []
        for pipe in pipes:
            one, two = (channel.wait_pipe, pipe) if outward else (pipe, channel.set_pipe)
            number = self.chains[channel, one, two]
            arguments = ", ".join(
                (
                    f"set_pipe={self.alias}.PipeType.{one.name}",
                    f"wait_pipe={self.alias}.PipeType.{two.name}",
                    f"event_id={number}",
                )
            )
            note = f"  # {two.name} too uses {self.buffer(channel)}" if outward else f"  # {one.name} is done too"
            lines += [f"{self.alias}.system.sync_{end}({arguments}){note}" for end in ("src", "dst")]
        return lines

    def purpose(self, channel: Channel) -> str:
        stages = self.facts.stages
        setter, waiter = stages[channel.setter].name, stages[channel.waiter].name
        what = "ready" if channel.direction == "fwd" else "free"
        return f"{channel.direction}: {self.buffer(channel)} {what}, {setter} -> {waiter}"

    def event(self, channel: Channel, shift: Shift) -> str:
        """The event id of a stage's task."""
        count = len(channel.ids)
        if count == 1:
            return str(channel.ids[0])
        at = shift.modulo(count)
        if _is_run(channel.ids):
            return f"{channel.ids[0]} + {at}" if channel.ids[0] else at
        return f"{self.ids_list(channel)}[{at}]"

    def flag(self, which: str, pipe: PipeType, event: str) -> str:
        return f"{self.alias}.system.{which}_cross_core(pipe={self.alias}.PipeType.{pipe.name}, event_id={event})"

    # ----------------------------------------------------------------------------------------------------------------
    # Arguments

    def call_edits(self, number: int, shift: Shift) -> list[tuple[ast.expr, str]]:
        return [(r.node, self.argument(r, shift)) for r in self.context.replaced.get(number, ())]

    def argument(self, replaced: Replaced, shift: Shift) -> str:
        """The text that stands for a piece of an argument, for the task of a delayed stage."""
        record = f"[{shift.modulo(self.facts.depth)}]"
        match replaced.kind:
            case "field":
                return f"{self.ring}{record}.{replaced.text}"
            case "struct":
                return f"{self.struct_ring(replaced.text)}{record}"
            case "slot" if isinstance(replaced.value, str):
                return f"{replaced.text}[{self.ring}{record}.{replaced.value}]"
            case "slot":
                assert isinstance(replaced.value, Linear)
                return f"{replaced.text}[{shift.linear(replaced.value)}]"
        assert isinstance(replaced.value, Linear)
        text = shift.linear(replaced.value)
        whole = self.is_whole_argument(replaced.node)
        return text if whole or text.isidentifier() or text.isdigit() else f"({text})"

    def is_whole_argument(self, node: ast.expr) -> bool:
        parent = self.edits.index.parents.get(node)
        return isinstance(parent, ast.Call | ast.keyword) and node is not getattr(parent, "func", None)

    def replaced_text(self, node: ast.AST, texts: dict[ast.expr, str]) -> str:
        """The text of a node with some of its parts replaced."""
        source, index = self.edits.source, self.edits.index
        start, end = source.range(index.span(node))
        found, at = "", start
        for inner, text in sorted(texts.items(), key=lambda item: source.range(index.span(item[0]))):
            low, high = source.range(index.span(inner))
            if start <= low and high <= end:
                found += source.text[at:low] + text
                at = high
        return found + source.text[at:end]

    # ----------------------------------------------------------------------------------------------------------------
    # Places

    def insert_above(self, node: ast.stmt, lines: Sequence[str]) -> None:
        """Insert lines before a statement and the comments that stand right above it."""
        source = self.edits.source
        start = source.range(self.edits.index.span(node))[0]
        indent, newline = source.indent_at(start), source.newline_at(start)
        at = source.line_start(start)
        while at > 0:
            above = source.line_start(at - 1)
            if not source.text[above:at].lstrip().startswith("#"):
                break
            at = above
        self.insert(at, [f"{indent}{line}{newline}" for line in lines], source.line_of(start))

    def insert_below(self, node: ast.stmt, lines: Sequence[str]) -> None:
        """Insert lines behind a compound statement and the comments that end its body."""
        source = self.edits.source
        start, end = source.range(self.edits.index.span(node))
        indent, newline = source.indent_at(start), source.newline_at(start)
        at = source.logical_line_end(end)
        ahead = at
        while ahead < len(source.text):
            stop = source.line_end(ahead)
            line = source.text[ahead:stop]
            inside = line.lstrip().startswith("#") and len(source.indent_at(ahead)) > len(indent)
            if not inside and line.strip():
                break
            if inside:
                at = stop
            ahead = stop
        texts = [f"{indent}{line}{newline}" for line in lines]
        if texts and at == len(source.text) and source.text[-1:] not in "\r\n":
            texts[0] = newline + texts[0]
            texts[-1] = texts[-1].removesuffix(newline)
        self.insert(at, texts, source.line_of(start))

    def insert(self, at: int, texts: Sequence[str], line: int) -> None:
        if texts:
            self.edits.insert_pieces(at, [Piece("".join(texts), self.edits.source.path, line)])


def _is_run(ids: Sequence[int]) -> bool:
    """Whether ids follow each other, so that they can be computed."""
    return tuple(ids) == tuple(range(ids[0], ids[0] + len(ids)))
