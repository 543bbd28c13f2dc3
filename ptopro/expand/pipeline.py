"""Stage 1, part A: from a serial kernel and one number to an explicit preload pipeline.

In: a kernel with `pipeline=`, and its typed IR.  Out: the kernel's text with the pipeline written out and `pipeline=`
gone, and the plan of each loop.  The text is then read and lowered again, and part B writes its locks.

    pipeline_loops      find the loops, check their shape
    pipeline_analysis   what stages and the statements around them do (values, picks, accesses)
    pipeline_channels   choose the flags
    sync_graph          prove them, drop what is implied
    pipeline_context    what travels with a task
    pipeline_text       write it
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from ptopro.diagnostics import Sink, make
from ptopro.expand.edits import EditSet, Output, join_pieces
from ptopro.expand.model import ExpandOptions
from ptopro.expand.names import OWN_IMPORT, bound_in, is_shadowed, report_collision
from ptopro.expand.pipeline_analysis import LoopFacts, analyse_loop, settle_cursors
from ptopro.expand.pipeline_between import Written, check_between
from ptopro.expand.pipeline_buffers import BufferTable
from ptopro.expand.pipeline_channels import choose_channels
from ptopro.expand.pipeline_context import find_context
from ptopro.expand.pipeline_decorator import remove_pipeline
from ptopro.expand.pipeline_ids import EventIds
from ptopro.expand.pipeline_loops import LoopShape, find_loops
from ptopro.expand.pipeline_model import Channel, Core, PipelinePlan
from ptopro.expand.pipeline_reuse import reuse_channels
from ptopro.expand.pipeline_slots import Picks
from ptopro.expand.pipeline_surroundings import (
    check_conditions,
    check_structs,
    check_tensors,
    check_tracked,
    conflicts,
)
from ptopro.expand.pipeline_text import LoopWriter
from ptopro.expand.sources import SourceFile, SourceFiles
from ptopro.expand.sync_graph import prove
from ptopro.frontend.kernels import KernelSource
from ptopro.language.enums import PipeType
from ptopro.lowering import ir


@dataclass(frozen=True, slots=True)
class LoopReport:
    """A written loop, for `--explain`.

    redundant: flags that were left out; operations: scalar operations that a beat costs beyond the author's, by core.
    """

    plan: PipelinePlan
    redundant: tuple[Channel, ...]
    operations: dict[Core, int]


@dataclass(frozen=True, slots=True)
class Pipelined:
    """The text with the pipeline written out."""

    output: Output
    reports: tuple[LoopReport, ...]


def write_pipeline(kernel: KernelSource, lowered: ir.KernelIR, options: ExpandOptions, sink: Sink) -> Pipelined | None:
    """Write out the pipeline loops of a kernel; None when something is wrong with them."""
    files = SourceFiles(kernel.module)
    file = files.main
    loops = find_loops(kernel, lowered, file.index, sink)
    preloads = _preloads(kernel, options, len(loops), sink) if loops else []
    if sink.has_errors or not loops:
        return None
    edits = EditSet(file.source, file.index)
    alias = _language(kernel, file, edits)
    common = _Kernel(kernel, lowered, file, edits, alias, sink)
    reports: list[LoopReport] = []
    written: list[Written] = []
    for number, (shape, preload) in enumerate(zip(loops, preloads, strict=True)):
        report = _write_loop(common, number, shape, preload)
        if report is not None:
            reports.append(report)
            written.append(Written(report.plan, file.index.span(shape.root)))
    check_between(written, lowered, sink)
    if sink.has_errors:
        return None
    remove_pipeline(kernel, edits, sink)
    if sink.has_errors:
        return None
    output = join_pieces(edits.pieces())
    _check_names(kernel, file, output.text, sink)
    return None if sink.has_errors else Pipelined(output, tuple(reports))


@dataclass(slots=True, eq=False)
class _Kernel:
    """What all loops of a kernel share."""

    kernel: KernelSource
    lowered: ir.KernelIR
    file: SourceFile
    edits: EditSet
    alias: str
    sink: Sink

    @property
    def locked(self) -> bool:
        return self.kernel.options.auto_mutex


def _write_loop(common: _Kernel, number: int, shape: LoopShape, preload: int) -> LoopReport | None:
    """Analyse, prove and write one loop."""
    sink, file = common.sink, common.file
    facts = _facts(common, shape, preload)
    if facts is None:
        return None
    buffers = facts.table.buffers
    ids = EventIds(common.lowered)
    channels = choose_channels(facts.stages, buffers, common.locked, ids, sink)
    texts = [tuple(file.source.slice(file.index.span(c)) for c in site.conditions) for site in shape.sites]
    check_conditions(facts, channels, texts, sink)
    check_structs(facts, sink)
    check_tensors(facts, sink)
    if sink.has_errors:
        return None
    channels += reuse_channels(facts.stages, buffers, preload, common.locked, ids, sink)
    if sink.has_errors:
        return None
    plan = _plan(common.kernel, file, number, facts, channels)
    result = prove(plan)
    sink.extend((*result.problems, *result.notes))
    if sink.has_errors:
        return None
    if preload and plan.depth == 1:
        sink.add(make("PTO1451", plan.loop, preload=preload))
    kept = [c for c in channels if c not in result.redundant]
    picks = Picks(shape, file.index, file.source)
    context = find_context(facts, file.index, file.source, picks, common.alias, sink)
    chains = _chains(kept, facts, ids, sink)
    if sink.has_errors:
        return None
    suffix = f"_{number}" if number else ""
    writer = LoopWriter(facts, kept, context, picks, common.edits, common.alias, suffix, chains)
    writer.write()
    return LoopReport(replace(plan, channels=tuple(kept)), result.redundant, writer.work)


def _facts(common: _Kernel, shape: LoopShape, preload: int) -> LoopFacts | None:
    """The facts of a loop, with its nest cut where statements of an outer loop need the delayed stages to finish."""
    sink, index = common.sink, common.file.index
    while True:
        facts = analyse_loop(shape, common.lowered, index, BufferTable(), preload, sink)
        if facts is None:
            return None
        settle_cursors(facts)
        check_tracked(facts, sink)
        found = conflicts(facts)
        last = len(shape.nest) - 1
        for conflict in found:
            names: dict[str, Any] = {
                "operation": conflict.access.operation,
                "buffer": conflict.buffer.name,
                "stage": conflict.stage.name,
            }
            sink.add(make("PTO1448" if conflict.level == last else "PTO1461", conflict.access.span, **names))
        if not found or sink.has_errors:
            return None if sink.has_errors else facts
        shape.nest = shape.nest[max(c.level for c in found) + 1 :]


def _chains(
    channels: Sequence[Channel], facts: LoopFacts, ids: EventIds, sink: Sink
) -> dict[tuple[Channel, PipeType, PipeType], int]:
    """Local events for the pipes that no lock ties to the pipe of a cross-core flag."""
    found: dict[tuple[Channel, PipeType, PipeType], int] = {}
    for channel in channels:
        ends = [(channel.waiter, channel.wait_pipe, pipe) for pipe in channel.wait_chain]
        ends += [(channel.setter, pipe, channel.set_pipe) for pipe in channel.set_chain]
        for stage, one, two in ends:
            event = ids.chain(facts.stages[stage], facts.table.buffers[channel.buffer], one, two, sink)
            if event is not None:
                found[channel, one, two] = event
    return found


def _plan(
    kernel: KernelSource, file: SourceFile, number: int, facts: LoopFacts, channels: Sequence[Channel]
) -> PipelinePlan:
    return PipelinePlan(
        number,
        kernel.name,
        facts.preload,
        tuple(facts.stages),
        tuple(facts.table.buffers),
        tuple(channels),
        file.index.span(facts.shape.node),
        nested=len(facts.shape.nest) > 1,
        locked=kernel.options.auto_mutex,
    )


def _preloads(kernel: KernelSource, options: ExpandOptions, loops: int, sink: Sink) -> list[int]:
    """One preload for each loop."""
    config = kernel.options.pipeline
    assert config is not None
    given = options.preload if options.preload is not None else config.preload
    span = kernel.options.spans.get("pipeline", kernel.decorator_span)
    numbers = [given] * loops if isinstance(given, int) else list(given)
    if len(numbers) != loops:
        sink.add(make("PTO1402", span, have=len(numbers), loops=loops))
        return []
    for value in numbers:
        if value < 0:
            sink.add(make("PTO1401", span, value=value))
            return []
    if config.sync_only and options.preload is None:
        return [0] * loops
    return numbers


def _language(kernel: KernelSource, file: SourceFile, edits: EditSet) -> str:
    """How the kernel can name the language module."""
    from ptopro.expand.helper_texts import import_language

    if file.alias is not None and not is_shadowed(file.alias, kernel.node, file.index):
        return file.alias
    import_language(edits)
    return OWN_IMPORT


def _check_names(kernel: KernelSource, file: SourceFile, text: str, sink: Sink) -> None:
    """A name of the author that the expansion introduces too is in its way."""
    import re

    written = set(re.findall(r"\b_pl_\w+", text))
    before = {name for name in bound_in(kernel.node) if name.startswith("_pl_")}
    for name in sorted(before & written):
        if len(re.findall(rf"\b{name}\b", text)) > len(re.findall(rf"\b{name}\b", kernel.module.text)):
            report_collision(name, kernel.node, file.index, sink)
