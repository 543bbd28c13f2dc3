"""`ptopro build`: compile kernels for the simulator."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

import click

from ptopro.build import layout
from ptopro.build.files import write_if_changed
from ptopro.cli import generation
from ptopro.cli.generation import GeneratedKernel
from ptopro.cli.launch_values import launch_options
from ptopro.cli.options import Session, kernel_command, preload_option
from ptopro.diagnostics import Diagnostic, DiagnosticError, make

Job = Callable[[], "tuple[Path, bool]"]


@dataclass(frozen=True, slots=True)
class FolderKernel:
    """A kernel's files as they lie in its folder, perhaps edited by hand."""

    kernel: str
    files: dict[str, str]


@click.command(name="build")
@click.option("--coalesce/--no-coalesce", default=None, help="Leave out unlock/lock pairs on one pipe [yes].")
@preload_option
@launch_options
@click.option("--serial", is_flag=True, help="Build for the serial mode: one instruction at a time.")
@click.option("-j", "--jobs", type=click.IntRange(1), metavar="N", help="Compile N kernels at a time [all cores].")
@kernel_command
def command(session: Session, serial: bool, jobs: int | None) -> None:
    """Compile kernels with the host's C++ compiler against the simulator: <kernel>.so.

    FILE is a kernel file, which is expanded and generated first, or a folder that `ptopro codegen` wrote, whose
    kernel.cpp is compiled as it is.
    """
    work: list[Job] = []
    sources = []
    for name in session.files:
        if (Path(name) / "kernel.cpp").exists():
            work.append(_compile(_from_folder(Path(name)), Path(name)))
        else:
            sources.append(name)
    for path, kernels in _generated(session, sources, serial):
        for kernel in kernels:
            folder = _write(session, path, kernel)
            work.append(_compile(FolderKernel(kernel.kernel, kernel.files), folder))
    with session.reporter.timed("compile"):
        problems = _all(session, work, jobs or os.cpu_count() or 1)
    session.reporter.show(problems)


def _generated(session: Session, names: Sequence[str], serial: bool) -> list[tuple[str, list[GeneratedKernel]]]:
    """The generated files of each source file: remembered, else from the stages."""
    found: list[tuple[str, list[GeneratedKernel]]] = []
    fresh = []
    for name in names:
        key = _key(session, name, serial)
        known = generation.recall(key) if key and len(names) == 1 else None
        if known is None:
            fresh.append(name)
        else:
            found.append((name, known))
    if not fresh:
        return found
    from ptopro.cli.codegen import generate
    from ptopro.cli.kernels import read_files

    for file in read_files(replace(session, files=tuple(fresh))):
        before = session.reporter.shown
        kernels = [generation.from_codegen(each) for each in generate(session, file, serial=serial)]
        key = _key(session, file.path, serial)
        if key and kernels and session.reporter.shown == before:
            generation.remember(key, kernels)
        found.append((file.path, kernels))
    return found


def _key(session: Session, name: str, serial: bool) -> str:
    """The key of a file's results; empty when the file is none (the stages say what is wrong)."""
    try:
        return generation.key_of(session, name, Path(name).read_bytes(), serial)
    except OSError:
        return ""


def _write(session: Session, path: str, kernel: GeneratedKernel) -> Path:
    """Write a kernel's files; its folder."""
    folder = layout.kernel_folder(session.build_dir, path, kernel.kernel)
    for name, text in kernel.files.items():
        changed = write_if_changed(folder / name, text)
        if not name.startswith("."):
            session.reporter.wrote(folder / name, changed)
    layout.write_map(folder, {"kernel.cpp": kernel.line_map})
    return folder


def _all(session: Session, work: Sequence[Job], jobs: int) -> list[Diagnostic]:
    """Run the compiles; what failed, each once, after all others have finished."""
    problems: dict[Diagnostic, None] = {}
    with ThreadPoolExecutor(min(jobs, len(work)) or 1) as pool:
        for future in [pool.submit(each) for each in work]:
            try:
                session.reporter.wrote(*future.result())
            except DiagnosticError as error:
                problems.update(dict.fromkeys(error.diagnostics))
    return list(problems)


def _compile(kernel: FolderKernel, folder: Path) -> Job:
    """A job that compiles a kernel into its folder; the library's path, and whether it changed."""

    def job() -> tuple[Path, bool]:
        from ptopro.build.compile_commands import NAME, compile_commands
        from ptopro.build.simulator import compile_kernel
        from ptopro.build.toolchain import find_compiler

        write_if_changed(folder / NAME, compile_commands(folder, find_compiler(), layout.read_halves(folder)))
        library = compile_kernel(kernel, folder, line_map=layout.read_map(folder, "kernel.cpp"))
        target = folder / library.name
        return target, write_if_changed(target, library.read_bytes())

    return job


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
