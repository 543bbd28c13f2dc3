"""What `ptopro build` does with a build graph: run it with ninja and report, or write it for another engine."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ptopro.build import commands, ninja
from ptopro.build.compiler_output import errors_of, first_line_of, rejection
from ptopro.build.files import write_if_changed
from ptopro.build.graph import Edge, Regenerate, make_text, ninja_text, shell
from ptopro.cli.options import Session
from ptopro.diagnostics import Diagnostic, DiagnosticError, make

NINJA_FILE, MAKE_FILE = "build.ninja", "ptopro.mk"


@dataclass(frozen=True, slots=True)
class GraphOptions:
    """jobs: compilers at a time; emit: the engine that the graph is written for; launcher: ahead of the compiler."""

    jobs: int
    emit: str | None
    launcher: str


def build_graph(
    session: Session,
    root: Path,
    edges: Sequence[Edge],
    results: Sequence[str],
    options: GraphOptions,
    logs: Mapping[str, tuple[str, Path]],
    depends: Sequence[str],
) -> bool:
    """Run the graph in `root`, or write it there.  True when everything is up to date.

    results: outputs to tell of; logs: by output, what its edge builds and where a compiler's words go; depends: the
    files that the graph was made from.
    """
    if options.emit:
        _emit(session, root, edges, options.emit, depends)
        return True
    outcome = ninja.run(root, edges, options.jobs, _progress() if len(edges) > 2 else None)
    problems: dict[Diagnostic, None] = {}
    for failure in outcome.failures:
        problems[_problem(failure, root, logs)] = None
    if outcome.trouble:
        raise DiagnosticError([make("PTO1717", reason=outcome.trouble)])
    failed = {failure.edge.output for failure in outcome.failures}
    for name in results:
        if name not in failed and (root / name).exists():
            session.reporter.wrote(root / name, name in outcome.changed)
    session.reporter.show(problems)
    return outcome.good


def _problem(failure: ninja.Failure, root: Path, logs: Mapping[str, tuple[str, Path]]) -> Diagnostic:
    """The diagnostic of a failed edge; its log holds the command and all it printed."""
    what, log = logs.get(failure.edge.output, (failure.edge.label, root / "build.log"))
    write_if_changed(log, f"$ {shell(failure.edge)}\n{failure.output}")
    if failure.code == ninja.TIMED_OUT and "timeout" in failure.edge.command:
        return make("PTO1713", kernel=what, seconds=float(os.environ["PTOPRO_COMPILE_TIMEOUT"]))
    if "No space left on device" in failure.output:
        return make("PTO1902", path=root / failure.edge.output, reason="No space left on device")
    if failure.edge.depfile or errors_of(failure.output):
        return rejection(what, failure.output, log)
    return make("PTO1716", label=failure.edge.label, first=first_line_of(failure.output), log=log)


def _emit(session: Session, root: Path, edges: Sequence[Edge], engine: str, depends: Sequence[str]) -> None:
    """Write the graph into `root`; it makes itself again when a source file changes."""
    files = tuple(dict.fromkeys(str(Path(name).resolve()) for name in depends if Path(name).is_file()))
    arguments = (*commands.python_module("ptopro"), *_arguments(), "--quiet")
    regenerate = Regenerate(arguments, str(Path.cwd()), files) if files else None
    if engine == "ninja":
        path, text = root / NINJA_FILE, ninja_text(edges, regenerate=regenerate)
    else:
        path, text = root / MAKE_FILE, make_text(edges, name=MAKE_FILE, regenerate=regenerate)
    changed = write_if_changed(path, text)
    os.utime(path)  # an engine takes a graph that is older than its sources for one to be made again
    session.reporter.wrote(path, changed)


def _arguments() -> list[str]:
    """The command line that ptopro was called with."""
    import click

    context = click.get_current_context(silent=True)
    return list(context.find_root().obj or ()) if context is not None else sys.argv[1:]


def _progress() -> ninja.Progress | None:
    """A bar on a terminal."""
    if not sys.stderr.isatty():
        return None

    def show(done: int, total: int, label: str) -> None:
        width = 30
        filled = width * done // max(1, total)
        end = "\n" if done == total else ""
        print(f"\r[{'#' * filled:<{width}}] {done}/{total} {label[:40]:<40}", end=end, file=sys.stderr, flush=True)

    return show
