"""`ptopro build`: compile kernels for the simulator, or release them as an operator's binaries."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import click

from ptopro.build import layout
from ptopro.build.files import write_if_changed
from ptopro.cli import generation
from ptopro.cli.generation import GeneratedKernel
from ptopro.cli.graphs import GraphOptions, build_graph
from ptopro.cli.launch_values import launch_options
from ptopro.cli.options import Session, kernel_command, preload_option
from ptopro.diagnostics import DiagnosticError, make


@dataclass(frozen=True, slots=True)
class FolderKernel:
    """A kernel's files as they lie in its folder, perhaps edited by hand."""

    kernel: str
    files: dict[str, str]
    folder: Path


@click.command(name="build")
@click.option("--coalesce/--no-coalesce", default=None, help="Leave out unlock/lock pairs on one pipe [yes].")
@preload_option
@launch_options
@click.option("--serial", is_flag=True, help="Build for the serial mode: one instruction at a time.")
@click.option("-j", "--jobs", type=click.IntRange(1), metavar="N", help="Run N compilers at a time [all cores].")
@click.option(
    "--emit", type=click.Choice(("ninja", "make")), help="Write the build graph for that engine; run nothing."
)
@click.option("--launcher", type=click.Choice(("ccache", "distcc", "icecc")), help="Run the compiler through this.")
@click.option("--release", "released", is_flag=True, help="Build an operator: every valid key, see below.")
@click.option("--op", "operator", metavar="NAME", help="The operator's name [the kernel's].")
@click.option("--op-type", metavar="NAME", help="What the framework calls its type [MyOp for my_op].")
@click.option(
    "--toolchain", type=click.Choice(("auto", "sim", "bisheng")), default="auto", help="For which target [auto]."
)
@click.option("--dry-run", is_flag=True, help="Print the commands of a release for the device; write nothing.")
@click.option("-M", "--depfile", is_flag=True, default=None, help="Of a release: also <op>.d and <op>.stamp, for make.")
@click.option("--block-dim", type=click.IntRange(1), metavar="N", help="Blocks of a launch [all cores of the chip].")
@click.option("--workspace", type=click.IntRange(0), default=0, metavar="BYTES", help="Workspace of a launch [0].")
@kernel_command
def command(
    session: Session,
    serial: bool,
    jobs: int | None,
    emit: str | None,
    launcher: str | None,
    released: bool,
    operator: str | None,
    op_type: str | None,
    toolchain: str,
    dry_run: bool,
    block_dim: int | None,
    workspace: int,
) -> None:
    """Compile kernels with the host's C++ compiler against the simulator: <kernel>.so.

    FILE is a kernel file, which is expanded and generated first, or a folder that `ptopro codegen` wrote, whose
    kernel.cpp is compiled as it is.  The compiles are a graph that ninja runs: only what changed is compiled, one
    kernel that fails does not stop the others, an interrupted build goes on where it was.

    \b
    With --release the valid keys of a kernel, for each choice of element types, become an operator:
      <build dir>/<op>/kernel_meta/<op>_mix_aic_<key>.o, <op>_mix_aiv_<key>.o   the halves of each key
      <build dir>/<op>/kernel_meta/<op>.o, <op>.json   all of them linked; what they are, with checksums
      <build dir>/<op>/host/                           headers for the host's tiling code
    The objects are the simulator's (`ptopro run <op>.json` launches them), or the device's where ASCEND_HOME_PATH
    names a toolkit with bisheng; --toolchain decides otherwise.
    """
    options = GraphOptions(jobs or os.cpu_count() or 1, emit, launcher or "")
    if released:
        from ptopro.cli.release import ReleaseOptions, release

        wanted = ReleaseOptions(operator or "", op_type or "", toolchain, dry_run, block_dim, workspace)
        release(session, wanted, options)
        return
    if operator or op_type or dry_run:
        raise click.UsageError("--op, --op-type and --dry-run are for --release")
    sources = [name for name in session.files if not (Path(name) / "kernel.cpp").exists()]
    kernels = []
    depends: list[str] = []
    for path, found in _generated(session, sources, serial):
        depends += [path, *(each for kernel in found for each in kernel.depends)]
        kernels += [FolderKernel(kernel.kernel, kernel.files, _write(session, path, kernel)) for kernel in found]
    _compile(session, session.build_dir, kernels, options, depends)
    for name in session.files:
        if name not in sources:
            _compile(session, Path(name), [_from_folder(Path(name))], options, [])


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
    from ptopro.cli.kernels import read_files, variant_in

    for file in read_files(replace(session, files=tuple(fresh))):
        before = session.reporter.shown
        made = generate(session, file, serial=serial)
        kernels = [generation.from_codegen(each, variant_in(session, file, each.kernel)) for each in made]
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
    folder = layout.kernel_folder(session.build_dir, path, kernel.kernel, kernel.variant)
    for name, text in kernel.files.items():
        changed = write_if_changed(folder / name, text)
        if not name.startswith("."):
            session.reporter.wrote(folder / name, changed)
    layout.write_map(folder, {"kernel.cpp": kernel.line_map})
    return folder


def _compile(
    session: Session, root: Path, kernels: Sequence[FolderKernel], options: GraphOptions, depends: Sequence[str]
) -> None:
    """Compile kernels whose folders lie below `root`."""
    if not kernels:
        return
    from ptopro.build import compile_edges
    from ptopro.build.compile_commands import NAME, compile_commands

    tool = compile_edges.tools(options.launcher)
    edges = []
    results = []
    logs: dict[str, Any] = {}
    for kernel in kernels:
        write_if_changed(kernel.folder / NAME, compile_commands(kernel.folder, tool.compiler, _halves(kernel)))
        compile_edges.write_sources(kernel.folder, kernel.files, layout.read_map(kernel.folder, "kernel.cpp"))
        place = os.path.relpath(kernel.folder, root)
        own = compile_edges.library_edges(tool, place, kernel.kernel, kernel.files, f"kernel {kernel.kernel}")
        edges += own
        results.append(own[-1].output)
        logs.update({edge.output: (kernel.kernel, kernel.folder / "compiler.log") for edge in own})
    with session.reporter.timed("compile"):
        build_graph(session, root, edges, results, options, logs, depends)


def _halves(kernel: FolderKernel) -> tuple[str, ...]:
    return layout.read_halves(kernel.folder)


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
    return FolderKernel(name, files, folder)
