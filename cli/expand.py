"""`ptopro expand`: write each kernel's synchronisation out."""

from __future__ import annotations

import difflib
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from ptopro.build import layout
from ptopro.build.files import write_if_changed
from ptopro.cli.depfile import depfile_text
from ptopro.cli.kernels import STDIN, KernelFile, folder_in, read_files
from ptopro.cli.launch_values import check_names, launch_options, target_of
from ptopro.cli.options import Session, kernel_command, one_result, preload_option
from ptopro.diagnostics import Sink, make

if TYPE_CHECKING:
    from ptopro.expand import Expansion


@click.command(name="expand")
@click.option("--diff", is_flag=True, help="Print what is added as a unified diff; write nothing.")
@click.option("--stdout", "to_stdout", is_flag=True, help="Print the expanded file; write nothing.")
@click.option("--check", is_flag=True, help="Fail if a file on disk is not what would be written; write nothing.")
@click.option("--mutex", type=click.Choice(("explicit", "auto")), help="Write locks out, or leave auto_mutex on.")
@click.option("--coalesce/--no-coalesce", default=None, help="Leave out unlock/lock pairs on one pipe [yes].")
@preload_option
@launch_options
@click.option("--explain", is_flag=True, help="Print each pipeline's schedule, flags and memory; write nothing.")
@click.option("-M", "--depfile", is_flag=True, default=None, help="Also write <kernel>.d for make.")
@kernel_command
def command(session: Session, diff: bool, to_stdout: bool, check: bool, explain: bool) -> None:
    """Write what the device's framework adds to kernels, as Python: pipeline_generated.py.

    FILE is a kernel file, or - for standard input.  Each kernel goes to <build dir>/<file stem>/<kernel>/.
    """
    for file in read_files(session):
        if to_stdout:
            one_result(session, [kernel.name for kernel in file.kernels], "--stdout")
        for expansion in expansions(session, file):
            if explain:
                sys.stdout.write(explanation(expansion))
            elif diff:
                sys.stdout.write(unified_diff(file, expansion))
            elif to_stdout:
                sys.stdout.write(expansion.text)
            elif check:
                check_file(
                    session, folder_of(session, file, expansion) / layout.EXPANDED, expansion.text, "expand", file
                )
            else:
                write(session, file, expansion)


def explanation(expansion: Expansion) -> str:
    """What was decided about the pipelines of a kernel."""
    from ptopro.expand.pipeline_explain import explain

    if not expansion.pipelines:
        return f"{expansion.kernel}: no pipeline\n"
    return explain(expansion.pipelines) + "\n"


def expansions(session: Session, file: KernelFile) -> list[Expansion]:
    """Lower and expand the kernels of a file; what is wrong is shown."""
    from ptopro.expand import ExpandOptions
    from ptopro.expand.driver import expand_source

    mutex: Literal["auto", "explicit"] = "auto" if session.mutex == "auto" else "explicit"
    options = ExpandOptions(mutex=mutex, coalesce=session.coalesce, preload=session.preload)
    check_names(session, file.kernels, file.path)
    found = []
    for kernel in file.kernels:
        target = target_of(session, kernel)
        if target is None:
            continue
        sink = Sink()
        with session.reporter.timed("expand"):
            expansion = expand_source(kernel, options, sink, target)
        session.reporter.show(sink.diagnostics)
        if expansion is not None:
            found.append(expansion)
    return found


def folder_of(session: Session, file: KernelFile, expansion: Expansion) -> Path:
    return folder_in(session, file, expansion.kernel)


def write(session: Session, file: KernelFile, expansion: Expansion) -> None:
    """Write the expanded file, its line map, and the depfile when asked for."""
    folder = folder_of(session, file, expansion)
    target = folder / layout.EXPANDED
    session.reporter.wrote(target, write_if_changed(target, expansion.text))
    layout.write_map(folder, {layout.EXPANDED: list(enumerate(expansion.line_map, 1))})
    if session.depfile:
        path = folder / f"{expansion.kernel}.d"
        sources = [] if file.path == STDIN else [file.path]
        text = depfile_text(target, [*sources, *expansion.depends])
        session.reporter.wrote(path, write_if_changed(path, text))


def unified_diff(file: KernelFile, expansion: Expansion) -> str:
    """The kernel file against its expansion."""
    lines = difflib.unified_diff(
        file.text.splitlines(keepends=True),
        expansion.text.splitlines(keepends=True),
        file.path,
        f"{layout.stem_of(file.path)}/{expansion.kernel}/{layout.EXPANDED}",
    )
    return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)


def check_file(session: Session, path: Path, text: str, stage: str, file: KernelFile) -> None:
    """Report a generated file that is missing or not what would be written now."""
    try:
        state = "" if path.read_bytes() == text.encode() else "the source has changed since"
    except OSError:
        state = "it is not there"
    if state:
        session.reporter.show([make("PTO1908", path=path, command=stage, state=state, source=file.path)])
