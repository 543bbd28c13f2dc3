"""Several pipeline loops in one kernel: what one leaves behind for the next.

In: the written loops in source order.  Out: warnings where two loops use the same events or bytes in ways that only a
barrier between them orders.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

from ptopro.diagnostics import Sink, Span, make
from ptopro.expand.pipeline_ids import sync_operations
from ptopro.expand.pipeline_model import Channel, Core, PipelinePlan
from ptopro.lowering import ir


@dataclass(frozen=True, slots=True)
class Written:
    """A written loop: its plan with the flags that were kept, and the outermost loop that tasks stream through."""

    plan: PipelinePlan
    root: Span


def check_between(loops: Sequence[Written], lowered: ir.KernelIR, sink: Sink) -> None:
    """Compare each loop with the next one."""
    barriers = [s.span for _, s in sync_operations(lowered) if s.operation.name == "system.sync_all"]
    for first, second in itertools.pairwise(loops):
        low, high = (first.root.end_line, first.root.end_col), (second.root.line, second.root.col)
        if any(span.file == first.root.file and low <= (span.line, span.col) <= high for span in barriers):
            continue
        _check_events(first.plan, second.plan, sink)
        _check_bytes(first.plan, second.plan, sink)


def _check_events(first: PipelinePlan, second: PipelinePlan, sink: Sink) -> None:
    owners = {(c.wait_core, number): c for c in first.channels for number in c.ids}
    for channel in second.channels:
        for number in channel.ids:
            other = owners.get((channel.wait_core, number))
            if other is not None and _pipes(other) != _pipes(channel):
                sink.add(
                    make(
                        "PTO1464", second.loop, id=number, core=channel.wait_core,
                        first=" to ".join(_pipes(other)), second=" to ".join(_pipes(channel)),
                    )
                )  # fmt: skip
                break


def _pipes(channel: Channel) -> tuple[str, str]:
    return channel.set_pipe.name, channel.wait_pipe.name


def _check_bytes(first: PipelinePlan, second: PipelinePlan, sink: Sink) -> None:
    """Bytes that another core writes first in the second loop than in the first."""
    for one, mine in enumerate(first.buffers):
        core = _owner(first, one)
        for two, theirs in enumerate(second.buffers):
            other = _owner(second, two)
            if mine.ranges and core and other and core != other and mine.overlaps(theirs):
                sink.add(make("PTO1463", second.loop, first=mine.name, second=theirs.name))
                return


def _owner(plan: PipelinePlan, buffer: int) -> Core | None:
    """The core that writes a buffer first."""
    return next((s.core for s in plan.stages if s.touching(buffer)), None)
