"""Trace one kernel: build it as it goes to the device, run it once with events, sum up.

In: a `KernelSource`, a `Request`, the cost figures of a user.  Out: a `Traced`, None when the kernel is wrong.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ptopro.check.builds import EXPANDED, Kernel, build, read_kernel
from ptopro.check.inputs import make_inputs
from ptopro.check.kernel_check import with_static_dims
from ptopro.check.memory_map import MemoryMap, memory_map
from ptopro.check.request import Request
from ptopro.check.runs import Schedule, execute
from ptopro.diagnostics import Sink
from ptopro.simulator.machine import LaunchOptions, Report
from ptopro.trace.costs import CostModel, cost_model
from ptopro.trace.summary import Summary, summarise

if TYPE_CHECKING:
    from ptopro.diagnostics import Diagnostic
    from ptopro.frontend.kernels import KernelSource
    from ptopro.lowering.target import Target


@dataclass(frozen=True, slots=True)
class Traced:
    """findings: what ended the run, if anything did; then the events reach only that far."""

    kernel: Kernel
    folder: Path
    report: Report
    summary: Summary
    memories: MemoryMap
    model: CostModel
    inputs: tuple[str, ...]
    findings: tuple[Diagnostic, ...]


def trace_kernel(
    source: KernelSource,
    request: Request,
    target: Target,
    build_dir: Path,
    sink: Sink,
    *,
    preload: int | tuple[int, ...] | None = None,
    costs: Mapping[str, float] | None = None,
    cost_origin: str = "",
    threads: int = 0,
) -> Traced | None:
    """Diagnostics go to the sink.

    Raises DiagnosticError for a request that does not fit the kernel, and when the toolchain fails.
    """
    target = with_static_dims(source, request, target)
    kernel = read_kernel(source, target, sink)
    if kernel is None:
        return None
    inputs = make_inputs(kernel.interface, request, kernel.defaults)
    built = build(kernel, EXPANDED, target, build_dir, sink, preload=preload)
    if built is None or sink.has_errors:
        return None
    model = cost_model(built.library, kernel.lowered.chip, costs or {}, cost_origin)
    options = LaunchOptions(chip=kernel.lowered.chip, trace=True, threads=threads, costs=tuple((costs or {}).items()))
    outcome = execute(kernel, built, inputs, request.cores, Schedule("traced", options))
    return Traced(
        kernel,
        built.folder,
        outcome.report,
        summarise(outcome.report),
        memory_map(kernel.lowered),
        model,
        inputs.notes,
        outcome.findings,
    )
