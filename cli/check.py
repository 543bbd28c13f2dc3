"""`ptopro check`: run kernels in every form with every check, and compare."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ptopro.build import layout
from ptopro.check.request import SCHEDULES
from ptopro.cli.kernels import KernelFile, read_files
from ptopro.cli.options import Session, kernel_command, preload_option
from ptopro.cli.output import wants_color
from ptopro.cli.requests import Requests, input_options, target_for

if TYPE_CHECKING:
    from ptopro.check.cases import Case
    from ptopro.check.kernel_check import Result
    from ptopro.check.request import Request
    from ptopro.frontend.kernels import KernelSource


@click.command(name="check")
@input_options
@click.option("--reference", metavar="MODULE:FUNCTION", help="Compare with what this function computes.")
@click.option("--tolerance", type=float, metavar="X", help="Relative and absolute, for --reference [by type].")
@click.option("--schedule", type=click.Choice(SCHEDULES), help="In which orders ready pipes go on [fixed].")
@click.option("--runs", type=click.IntRange(1), metavar="N", help="Random orders of --schedule adversarial [4].")
@preload_option
@click.option(
    "--memory",
    type=click.Choice(("text", "svg")),
    is_flag=False,
    flag_value="text",
    help="Show what lies where on the chip: printed, or with =svg as memory.svg; run nothing.",
)
@click.option("--replay", metavar="DIR", type=click.Path(path_type=Path), help="Run a saved case again.")
@kernel_command(files_required=False)
def command(session: Session, memory: str | None, replay: Path | None, **flags: Any) -> None:
    """Check kernels: static diagnostics, then serial, sync-only and expanded runs that must agree bit for bit.

    \b
    Every run is checked for races, deadlocks, leaks, bounds and undefined data.  Findings exit with 4 and are saved
    with their inputs as <build dir>/<file stem>/<kernel>/cases/<n>/.
    Shapes that a kernel leaves open come from --shape, [tool.ptopro.check] or --inputs.
    """
    if (replay is None) == (not session.files):
        raise click.UsageError("give a FILE, or a case with --replay")
    if replay is not None:
        _replay(session, replay)
        return
    requests = Requests(**flags)
    for file in read_files(session):
        for kernel in file.kernels:
            if memory is not None:
                _show_memory(session, kernel, requests.of(kernel.name), memory)
            else:
                _check(session, file, kernel, requests.of(kernel.name))


def _check(session: Session, file: KernelFile, kernel: KernelSource, request: Request) -> None:
    """Check one kernel, show what was found, keep it as a case."""
    from ptopro.check.cases import save_case

    result = _run(session, kernel, request)
    if result is not None and result.findings and result.inputs is not None:
        folder = layout.kernel_folder(session.build_dir, file.path, kernel.name)
        case = save_case(folder, _case(session, file, result), result, ["ptopro", *sys.argv[1:]])
        if session.reporter.format == "text":
            print(f"  case     {case}: ptopro check --replay {case}")


def _case(session: Session, file: KernelFile, result: Result) -> Case:
    from ptopro.check.cases import Case

    launch = session.launch
    return Case(
        file.path, result.name, session.arch, session.preload, result.request, dict(launch.key), dict(launch.dtypes)
    )


def _run(session: Session, kernel: KernelSource, request: Request) -> Result | None:
    from ptopro.check.kernel_check import check_kernel
    from ptopro.check.report import report_object, report_text

    target = target_for(session, kernel, request)
    if target is None:
        return None
    with session.reporter.timed("check"):
        result = check_kernel(kernel, request, target, session.build_dir, preload=session.preload)
    session.reporter.show([*result.static, *result.findings])
    if session.reporter.format == "json":
        print(json.dumps({"check": report_object(result)}))
    elif session.reporter.format == "text" and not session.reporter.quiet:
        sys.stderr.flush()
        print(report_text(result), end="", flush=True)
    return result


def _replay(session: Session, folder: Path) -> None:
    from dataclasses import replace

    from ptopro.check.cases import load_case

    case = load_case(folder)
    launch = replace(session.launch, key=tuple(case.key.items()), dtypes=tuple(case.dtypes.items()))
    session = replace(
        session, files=(case.file,), kernels=(case.kernel,), arch=case.arch, preload=case.preload, launch=launch
    )
    for file in read_files(session):
        for kernel in file.kernels:
            _run(session, kernel, case.request)


def _show_memory(session: Session, kernel: KernelSource, request: Request, form: str) -> None:
    """Print the memory map, or write it as memory.svg into the kernel's folder."""
    from ptopro.build.files import write_if_changed
    from ptopro.check.builds import read_kernel
    from ptopro.check.memory_map import memory_map
    from ptopro.diagnostics import Sink

    target = target_for(session, kernel, request)
    if target is None:
        return
    sink = Sink()
    found = read_kernel(kernel, target, sink)
    session.reporter.show(sink.diagnostics)
    if found is None:
        return
    if form == "svg":
        from ptopro.check.memory_svg import memory_svg

        path = layout.kernel_folder(session.build_dir, kernel.module.path, kernel.name) / "memory.svg"
        session.reporter.wrote(path, write_if_changed(path, memory_svg(memory_map(found.lowered))))
        return
    from ptopro.check.memory_text import memory_text

    print(memory_text(memory_map(found.lowered), color=wants_color(sys.stdout)), end="")
