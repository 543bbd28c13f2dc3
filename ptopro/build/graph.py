"""A build as a graph: which command makes which file of what, in the words of ninja and of make.

In: `Edge`s.  Out: the text of a build.ninja or of a Makefile.  ptopro schedules nothing itself: an engine runs the
edges, N at a time, again only where something changed.  A command writes beside its output and renames, so nothing
half-written is ever seen; an output that comes out equal keeps its time, so what depends on it is not made again.

Paths are relative to the folder that the engine runs in, so that results do not depend on where that folder lies.
"""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass

OUTPUT = "\0output"  # in a command: the file to write


@dataclass(frozen=True, slots=True)
class Edge:
    """One step.  inputs: what the command reads by name; implicit: what else it depends on.

    depfile: where the command, a compiler, writes which headers it read; label: what the step is, for people;
    version: which program runs, where that is more than its name.
    """

    output: str
    inputs: tuple[str, ...]
    command: tuple[str, ...]
    label: str
    implicit: tuple[str, ...] = ()
    depfile: str = ""
    version: str = ""


@dataclass(frozen=True, slots=True)
class Regenerate:
    """How the graph itself is made again when a source file changes.  sources: files, absolute."""

    command: tuple[str, ...]
    directory: str
    sources: tuple[str, ...]


def part_of(output: str) -> str:
    """Where an output is written until it is whole: a hidden file in its folder."""
    folder, slash, name = output.rpartition("/")
    return f"{folder}{slash}.{name}.part"


def shell(edge: Edge) -> str:
    """The edge's command for /bin/sh."""
    part, output = shlex.quote(part_of(edge.output)), shlex.quote(edge.output)
    command = " ".join(part if word == OUTPUT else shlex.quote(word) for word in edge.command)
    keep = f"if cmp -s {part} {output}; then rm -f {part}; else mv -f {part} {output}; fi"
    note = f" # {edge.version}" if edge.version else ""
    return f"{command} && {{ {keep}; }} || {{ code=$?; rm -f {part}; exit $code; }}{note}"


def ninja_text(edges: Sequence[Edge], *, state: str = "", regenerate: Regenerate | None = None) -> str:
    """build.ninja.  state: the folder of ninja's own log."""
    lines = ["# Written by ptopro.", "ninja_required_version = 1.5"]
    if state:
        lines.append(f"builddir = {_ninja_word(state)}")
    for rule, extra in (("step", ()), ("compile", ("  depfile = $dep", "  deps = gcc"))):
        lines += ["", f"rule {rule}", "  command = $cmd", "  description = $label", *extra, "  restat = 1"]
    for edge in edges:
        implicit = "".join(f" {_ninja_path(name)}" for name in edge.implicit)
        inputs = "".join(f" {_ninja_path(name)}" for name in edge.inputs)
        rule = "compile" if edge.depfile else "step"
        lines += ["", f"build {_ninja_path(edge.output)}: {rule}{inputs}{' |' + implicit if implicit else ''}"]
        lines += [f"  cmd = {_ninja_word(shell(edge))}", f"  label = {_ninja_word(edge.label)}"]
        if edge.depfile:
            lines.append(f"  dep = {_ninja_word(edge.depfile)}")
    if regenerate is not None:
        sources = "".join(f" {_ninja_path(name)}" for name in regenerate.sources)
        lines += ["", "rule regenerate", f"  command = {_ninja_word(_regenerating(regenerate))}", "  generator = 1"]
        lines += ["  description = reading the kernel file again", "", f"build build.ninja: regenerate |{sources}"]
        # A source file that is gone must not stop ninja before ptopro can say what is missing.
        lines += ["", f"build{sources}: phony"]
    return "\n".join([*lines, ""])


def make_text(edges: Sequence[Edge], *, name: str, regenerate: Regenerate | None = None) -> str:
    """A Makefile fragment: the first target builds everything.  name: the fragment's own path."""
    outputs = [_make_path(edge.output) for edge in edges]
    prefix = name.removesuffix(".mk").replace("/", "_")
    lines = ["# Written by ptopro.", f"{prefix}_outputs := {' '.join(outputs)}"]
    lines += [f".PHONY: {prefix}", f"{prefix}: $({prefix}_outputs)"]
    for edge, output in zip(edges, outputs, strict=True):
        needs = " ".join(_make_path(each) for each in (*edge.inputs, *edge.implicit))
        lines += ["", f"{output}: {needs}", f"\t@mkdir -p {shlex.quote(_folder(edge.output))}"]
        lines += [f"\t@echo {shlex.quote(edge.label).replace('$', '$$')}", f"\t@{shell(edge).replace('$', '$$')}"]
        # An output that came out equal would be made again each time.
        lines.append(f"\t@touch {shlex.quote(edge.output).replace('$', '$$')}")
    if regenerate is not None:
        sources = " ".join(_make_path(each) for each in regenerate.sources)
        lines += ["", f"{_make_path(name)}: {sources}", f"\t@{_regenerating(regenerate).replace('$', '$$')}"]
        lines += [f"\t@touch {shlex.quote(name)}", *(f"{_make_path(each)}:" for each in regenerate.sources)]
    depfiles = [_make_path(edge.depfile) for edge in edges if edge.depfile]
    if depfiles:
        lines += ["", f"-include {' '.join(depfiles)}"]
    return "\n".join([*lines, ""])


def _regenerating(regenerate: Regenerate) -> str:
    return f"cd {shlex.quote(regenerate.directory)} && {shlex.join(regenerate.command)}"


def _folder(path: str) -> str:
    return path.rpartition("/")[0] or "."


def _ninja_word(text: str) -> str:
    """A value of a variable: only $ and line ends are special."""
    return text.replace("$", "$$").replace("\n", " ")


def _ninja_path(path: str) -> str:
    return path.replace("$", "$$").replace(" ", "$ ").replace(":", "$:")


def _make_path(path: str) -> str:
    return path.replace("$", "$$").replace("#", "\\#").replace(" ", "\\ ")
