"""`ptopro trace`: where the virtual time of kernels goes."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from ptopro.cli.kernels import KernelFile, read_files
from ptopro.cli.options import Session, kernel_command, preload_option
from ptopro.cli.requests import Requests, input_options, target_for

if TYPE_CHECKING:
    from ptopro.check.request import Request
    from ptopro.frontend.kernels import KernelSource
    from ptopro.trace.kernel_trace import Traced
    from ptopro.trace.sweep import Axis


@click.command(name="trace")
@input_options
@preload_option
@click.option("--cost", metavar="FILE.toml", help="Figures of the time model in place of the chip's.")
@click.option("--sweep", multiple=True, metavar="NAME=A,B|A..B", help="One table over preload, or a module constant.")
@click.option(
    "-j", "--jobs", type=click.IntRange(1), metavar="N", help="Run N points of a sweep at a time [all cores]."
)
@kernel_command
def command(session: Session, cost: str | None, sweep: tuple[str, ...], jobs: int | None, **flags: Any) -> None:
    """Show where the time of kernels goes: busy shares, critical path, waits, and the bound, in virtual time.

    \b
    Writes into <build dir>/<file stem>/<kernel>/:
      trace.json               Chrome trace format: open it in ui.perfetto.dev or chrome://tracing
      timeline.html, .svg      self-contained
    Shapes that a kernel leaves open come from --shape, [tool.ptopro.check] or --inputs.
    Virtual times are estimates: orders and shares are the point.
    """
    from ptopro.trace.sweep import parse_axes

    requests = Requests(**flags)
    axes = parse_axes(sweep)
    for file in read_files(session):
        for kernel in file.kernels:
            if axes:
                _sweep(session, file, kernel, requests.of(kernel.name), cost, axes, jobs or os.cpu_count() or 1)
                continue
            _trace(session, file, kernel, requests.of(kernel.name), cost)


def _trace(session: Session, file: KernelFile, kernel: KernelSource, request: Request, cost: str | None) -> None:
    """Trace one kernel: its report, and its files."""
    from ptopro.check.report import cores_text
    from ptopro.diagnostics import Sink
    from ptopro.trace.costs import read_costs
    from ptopro.trace.kernel_trace import trace_kernel
    from ptopro.trace.report import report_object, report_text

    target = target_for(session, kernel, request)
    if target is None:
        return
    sink = Sink()
    with session.reporter.timed("trace"):
        traced = trace_kernel(
            kernel,
            request,
            target,
            session.build_dir,
            sink,
            preload=session.preload,
            costs=read_costs(cost, target.chip) if cost else {},
            cost_origin=cost or "",
        )
    session.reporter.show([*sink.diagnostics, *(traced.findings if traced is not None else ())])
    if traced is None:
        return
    text = report_text(kernel.name, traced.summary, traced.memories, traced.model)
    if session.reporter.format == "json":
        print(json.dumps({"trace": report_object(kernel.name, traced.summary, traced.memories, traced.model)}))
    elif session.reporter.format == "text" and not session.reporter.quiet:
        sys.stderr.flush()
        print(f"inputs: {', '.join(traced.inputs)}; {cores_text(request.cores)}")
        print(text, end="", flush=True)
    with session.reporter.timed("draw"):
        _write(session, kernel, traced, text)


def _sweep(
    session: Session,
    file: KernelFile,
    kernel: KernelSource,
    request: Request,
    cost: str | None,
    axes: Sequence[Axis],
    processes: int,
) -> None:
    """Trace a kernel for every combination of settings; a table."""
    from ptopro.trace.costs import read_costs
    from ptopro.trace.sweep import Job, jobs, run_all, sweep_table

    target = target_for(session, kernel, request)
    if target is None:
        return
    job = Job(
        file.path,
        file.text,
        kernel.name,
        target,
        request,
        session.build_dir,
        {},
        preload=session.preload,
        costs=read_costs(cost, target.chip) if cost else {},
    )
    work = jobs(axes, job)
    with session.reporter.timed("sweep"):
        if sys.stderr.isatty():
            with click.progressbar(length=len(work), label=kernel.name, file=sys.stderr) as bar:
                points = run_all(work, processes, lambda: bar.update(1))
        else:
            points = run_all(work, processes, lambda: None)
    if session.reporter.format == "json":
        rows = [asdict(point) for point in points]
        print(json.dumps({"sweep": {"kernel": kernel.name, "estimate": True, "points": rows}}))
    else:
        print(f"{kernel.name}: cycles are estimates")
        print(sweep_table(points), end="")
    if all(point.failure for point in points):
        session.reporter.exit_code = max(session.reporter.exit_code, 1)


def _write(session: Session, kernel: KernelSource, traced: Traced, report: str) -> None:
    """trace.json, timeline.html, timeline.svg."""
    from ptopro.build.files import write_if_changed
    from ptopro.trace.chrome import chrome_trace
    from ptopro.trace.html import timeline_html
    from ptopro.trace.svg import timeline_svg
    from ptopro.trace.timeline import timeline

    events = traced.report.events
    found = timeline(events, traced.report.cycles)
    title = f"{kernel.name} on {traced.model.chip}"
    for name, text in (
        ("trace.json", chrome_trace(kernel.name, traced.model.chip, events, found)),
        ("timeline.html", timeline_html(title, events, found, report)),
        ("timeline.svg", timeline_svg(title, events, found)),
    ):
        session.reporter.wrote(traced.folder / name, write_if_changed(traced.folder / name, text))
