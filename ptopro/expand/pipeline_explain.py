"""`ptopro expand --explain`: what was decided about each pipeline loop, as text.

In: the reports of the written loops.  Out: for each loop the schedule (beats x cores), the flags with their pipes and
ids, those that other order implies, the bytes of each buffer, and what a beat costs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ptopro.expand.pipeline import LoopReport
from ptopro.expand.pipeline_model import Channel, PipelinePlan

CORES = ("cube", "vector")


def explain(reports: Sequence[LoopReport]) -> str:
    """The text for all loops of a kernel."""
    return "\n".join(line for report in reports for line in _loop(report))


def _loop(report: LoopReport) -> Iterator[str]:
    plan = report.plan
    where = f" at {plan.loop.file}:{plan.loop.line}" if plan.loop is not None else ""
    yield f"{plan.kernel}: pipeline loop {plan.index}{where}, preload {plan.preload}"
    yield ""
    yield "  stages"
    for stage in plan.stages:
        yield f"    s{stage.index} {stage.name}, {stage.core} core, delay {stage.delay}"
    yield ""
    yield "  schedule (s2 t0: stage 2 works on task 0)"
    yield from ("    " + line for line in _schedule(plan))
    yield ""
    yield "  flags"
    rows = [_flag(plan, channel) for channel in plan.channels]
    yield from ("    " + line for line in _table(rows) or ["none"])
    if report.redundant:
        yield "  left out, since other flags and the order of the pipes imply them"
        yield from ("    " + line for line in _table([_flag(plan, channel) for channel in report.redundant]))
    yield ""
    yield "  on-chip memory"
    yield from ("    " + line for line in _table(list(_memory(plan))))
    yield ""
    costs = ", ".join(f"{count} on the {core} core" for core, count in report.operations.items())
    yield f"  scalar operations that a beat costs: {costs}"
    yield ""


def _schedule(plan: PipelinePlan) -> list[str]:
    """The beats until all stages are at work, one more, and the drain."""
    steady = plan.depth + 1
    rows = [["beat", *CORES]]
    for beat in range(steady):
        rows.append([str(beat), *(_cell(plan, core, beat, None) for core in CORES)])
    if plan.drain_beats:
        rows.append(["...", "", ""])
        for number in range(plan.drain_beats):
            rows.append([f"n+{number}" if number else "n", *(_cell(plan, core, number, "n") for core in CORES)])
    return _table(rows)


def _cell(plan: PipelinePlan, core: str, beat: int, last: str | None) -> str:
    """What a core does in a beat; in the drain beat 0 is the first one without a new task."""
    parts = []
    for stage in plan.stages:
        task = beat - stage.delay
        if stage.core != core or (last is None and task < 0) or (last is not None and task >= 0):
            continue
        parts.append(f"s{stage.index} t{task}" if last is None else f"s{stage.index} t{last}{task}")
    return ", ".join(parts) or "-"


def _flag(plan: PipelinePlan, channel: Channel) -> list[str]:
    ids = ", ".join(map(str, channel.ids))
    stages = plan.stages
    return [
        channel.direction,
        plan.buffers[channel.buffer].name,
        f"{stages[channel.setter].name} ({channel.set_pipe.name})",
        "->",
        f"{stages[channel.waiter].name} ({channel.wait_pipe.name})",
        f"{'event' if len(channel.ids) == 1 else 'events'} {ids} of the {channel.wait_core} core",
        f"{channel.credits} credits" if channel.credits else "",
    ]


def _memory(plan: PipelinePlan) -> Iterator[list[str]]:
    yield ["buffer", "memory", "slots", "bytes", "from"]
    tiles = sorted((b.memory, min(low for low, _ in b.ranges), b.name, b) for b in plan.buffers if b.ranges)
    for memory, first, name, buffer in tiles:
        size = sum(high - low for low, high in buffer.ranges)
        yield [name, memory, str(buffer.slots), str(size), f"0x{first:x}"]


def _table(rows: Sequence[Sequence[str]]) -> list[str]:
    """Rows in aligned columns."""
    if not rows:
        return []
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
