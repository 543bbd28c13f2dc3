"""The edges of a build graph that compile C++ for the simulator.

In: generated files of a kernel and where they lie.  Out: the edges to its library.  What is compiled is a copy that
names the lines of the kernel file (`#line`), in `.compile/` of the kernel's folder.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ptopro.build import commands
from ptopro.build.files import write_if_changed
from ptopro.build.graph import OUTPUT, Edge
from ptopro.build.line_directives import LineMap, with_line_directives
from ptopro.build.prelude import precompiled
from ptopro.build.simulator import runtime_library
from ptopro.build.toolchain import Compiler, find_compiler
from ptopro.diagnostics import DiagnosticError, make

COMPILE = ".compile"
LAUNCHERS = ("ccache", "distcc", "icecc")
# These send what they compile to other machines, whose processors may be others.
_REMOTE = ("distcc", "icecc")


@dataclass(frozen=True, slots=True)
class Tools:
    """What the commands of a graph start with.  flags: of every translation unit; prelude: see build/prelude.py."""

    compiler: Compiler
    flags: tuple[str, ...]
    launcher: str = ""
    prelude: Path | None = None

    @property
    def command(self) -> tuple[str, ...]:
        limit = os.environ.get("PTOPRO_COMPILE_TIMEOUT", "")
        stop = ("timeout", limit) if limit and shutil.which("timeout") else ()
        return (*stop, *((self.launcher,) if self.launcher else ()), *self.compiler.command)


def tools(launcher: str = "", *, portable: bool = False) -> Tools:
    """The compiler of this machine behind a launcher.  portable: see `commands.portable_flags`.

    Raises DiagnosticError PTO1701, PTO1702 no compiler, PTO1715 no launcher.
    """
    compiler = find_compiler()
    if launcher and shutil.which(launcher) is None:
        raise DiagnosticError([make("PTO1715", launcher=launcher)])
    chosen = commands.portable_flags if portable or launcher in _REMOTE else commands.kernel_flags
    flags = chosen(compiler)
    prelude = None if launcher else precompiled(compiler, flags)
    return Tools(compiler, flags, launcher, prelude)


def write_sources(folder: Path, files: Mapping[str, str], line_map: LineMap) -> None:
    """Put what is compiled into the folder's `.compile`: the C++ files, kernel.cpp with its line directives."""
    for name, text in files.items():
        if name.endswith(".cpp"):
            lined = with_line_directives(text, line_map) if name == "kernel.cpp" and line_map else text
            write_if_changed(folder / COMPILE / name, lined)


def inside(folder: str, name: str) -> str:
    """A file of a folder, in the one form that ninja knows a path by."""
    return name if folder in ("", ".") else f"{folder}/{name}"


def object_edge(
    tool: Tools,
    folder: str,
    source: str,
    output: str,
    label: str,
    definitions: Sequence[str] = (),
    headers: Sequence[str] = (),
) -> Edge:
    """Compile `.compile/<source>` of a kernel's folder (relative to where the graph runs)."""
    work = inside(folder, COMPILE)
    name = f"{work}/{source}"
    # The depfile of one object of several that a source makes.
    depfile = f"{work}/{output.rpartition('/')[2]}.d"
    command = (
        *tool.command,
        *tool.flags,
        *(("-include", str(tool.prelude)) if tool.prelude is not None else ()),
        *(f"-D{each}" for each in definitions),
        *("-I", folder or ".", "-I", str(commands.include_dir())),
        *("-MMD", "-MF", depfile, "-MT", output),
        *("-c", name, "-o", OUTPUT),
    )
    needs = (f"{work}/kernel.cpp", *(inside(folder, header) for header in headers))
    return Edge(output, (name,), command, label, needs, depfile, tool.compiler.identity)


def library_edges(tool: Tools, folder: str, kernel: str, files: Mapping[str, str], label: str) -> list[Edge]:
    """The object and the shared library of a kernel whose sources `write_sources` has written."""
    headers = [name for name in files if name.endswith((".h", ".hpp"))]
    unit = inside(folder, f"{COMPILE}/launcher.o")
    runtime = runtime_library(tool.compiler)
    link = (*tool.compiler.command, "-shared", unit, "-o", OUTPUT, str(runtime), f"-Wl,-rpath,{runtime.parent}")
    return [
        object_edge(tool, folder, "launcher.cpp", unit, label, headers=headers),
        Edge(inside(folder, f"{kernel}.so"), (unit,), link, f"{label}, link", version=tool.compiler.identity),
    ]
