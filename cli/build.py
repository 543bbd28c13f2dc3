"""`ptopro build`: compile kernels for the simulator."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import click
from ptopro.cli.codegen import generate, write
from ptopro.cli.kernels import read_files
from ptopro.cli.options import Session, kernel_command

from ptopro.build import layout
from ptopro.diagnostics import Diagnostic, DiagnosticError, make


@dataclass(frozen=True, slots=True)
class FolderKernel:
    """A kernel's files as they lie in its folder, perhaps edited by hand."""

    kernel: str
    files: dict[str, str]


@click.command(name="build")
@click.option("--coalesce/--no-coalesce", default=None, help="Leave out unlock/lock pairs on one pipe [yes].")
@click.option("--serial", is_flag=True, help="Build for the serial mode: one instruction at a time.")
@click.option("-j", "--jobs", type=click.IntRange(1), metavar="N", help="Compile N kernels at a time [all cores].")
@kernel_command
def command(session: Session, serial: bool, jobs: int | None) -> None:
    """Compile kernels with the host's C++ compiler against the simulator: <kernel>.so.

    FILE is a kernel file, which is expanded and generated first, or a folder that `ptopro codegen` wrote, whose
    kernel.cpp is compiled as it is.
    """
    folders = [name for name in session.files if _is_kernel_folder(Path(name))]
    work: list[Callable[[], tuple[Path, bool]]] = []
    for name in folders:
        work.append(_compile(_from_folder(Path(name)), Path(name)))
    names = tuple(name for name in session.files if name not in folders)
    if names:
        from dataclasses import replace

        for file in read_files(replace(session, files=names)):
            for generated in generate(session, file, serial=serial):
                folder = write(session, file, generated)
                work.append(_compile(FolderKernel(generated.kernel, generated.files), folder))
    with session.reporter.timed("compile"):
        problems = _all(session, work, jobs or os.cpu_count() or 1)
    session.reporter.show(problems)


def _all(session: Session, work: Sequence[Callable[[], tuple[Path, bool]]], jobs: int) -> list[Diagnostic]:
    """Run the compiles; what failed, each once, after all others have finished."""
    problems: dict[Diagnostic, None] = {}
    with ThreadPoolExecutor(min(jobs, len(work)) or 1) as pool:
        for future in [pool.submit(each) for each in work]:
            try:
                session.reporter.wrote(*future.result())
            except DiagnosticError as error:
                problems.update(dict.fromkeys(error.diagnostics))
    return list(problems)


def _compile(kernel: FolderKernel, folder: Path) -> Callable[[], tuple[Path, bool]]:
    """A job that compiles a kernel into its folder; the library's path, and whether it changed."""

    def job() -> tuple[Path, bool]:
        from ptopro.build.files import write_if_changed
        from ptopro.build.simulator import compile_kernel

        library = compile_kernel(kernel, folder, line_map=layout.read_map(folder, "kernel.cpp"))
        target = folder / library.name
        return target, write_if_changed(target, library.read_bytes())

    return job


def _is_kernel_folder(path: Path) -> bool:
    return path.is_dir() and (path / "kernel.cpp").exists()


def _from_folder(folder: Path) -> FolderKernel:
    """The files of a folder.  The kernel's name stands in its signature, else the folder is named for it."""
    import json

    try:
        name = str(json.loads((folder / layout.SIGNATURE).read_text())["kernel"])
    except (OSError, ValueError, KeyError):
        name = folder.resolve().name
    files = {path.name: path.read_text() for path in folder.iterdir() if path.suffix in (".cpp", ".h", ".hpp")}
    if "launcher.cpp" not in files:
        raise DiagnosticError([make("PTO1901", path=folder / "launcher.cpp", hint="run `ptopro codegen` again")])
    return FolderKernel(name, files)
