"""Run a build graph with ninja.

In: edges and the folder they run in.  Out: which outputs were written, and which edges failed with what they printed;
one failed edge does not stop the others.  The graph and ninja's own log lie in the cache, one folder for each build
directory, so a build directory holds results alone; an interrupted build goes on where it was.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ptopro.build import cache
from ptopro.build.files import explain_os_errors, write_if_changed
from ptopro.build.graph import Edge, ninja_text, part_of
from ptopro.diagnostics import DiagnosticError, make

_PROGRESS = re.compile(r"^\[(\d+)/(\d+)\] (.*)$")
_FAILED = re.compile(r"^FAILED: (?:\[code=(\d+)\] )?(.*?) *$")
TIMED_OUT = 124  # what `timeout` ends with
Progress = Callable[[int, int, str], None]


@dataclass(frozen=True, slots=True)
class Failure:
    """An edge that failed and what its command printed."""

    edge: Edge
    output: str
    code: int


@dataclass(slots=True)
class Outcome:
    """What a run of ninja did.  changed: outputs with new content, as paths relative to the folder."""

    changed: list[str] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)
    trouble: str = ""  # what ninja itself complained about
    ran: int = 0

    @property
    def good(self) -> bool:
        return not self.failures and not self.trouble


def program() -> str:
    """The ninja program: the wheel's, else the one on PATH.  Raises DiagnosticError PTO1712."""
    beside = Path(sys.executable).with_name("ninja")  # where the wheel puts it; asking its module takes longer
    if beside.is_file():
        return str(beside)
    try:
        import ninja

        found = Path(ninja.BIN_DIR) / "ninja"
        if found.exists():
            return str(found)
    except ImportError:
        pass
    if named := shutil.which("ninja"):
        return named
    raise DiagnosticError([make("PTO1712")])


def run(folder: Path, edges: Sequence[Edge], jobs: int, progress: Progress | None = None) -> Outcome:
    """Bring the outputs of all edges up to date.

    progress: called with (steps done, steps in all, the step's label).
    Raises DiagnosticError PTO1712, PTO1902, PTO1903, and KeyboardInterrupt after ninja has ended.
    """
    outcome = Outcome()
    if not edges:
        return outcome
    state = cache.cache_root() / "graphs" / cache.digest([str(folder.resolve())])
    with explain_os_errors(state):
        state.mkdir(parents=True, exist_ok=True)
        folder.mkdir(parents=True, exist_ok=True)
    graph = state / "build.ninja"
    with cache.locked(state / ".lock"):
        write_if_changed(graph, ninja_text(edges, state=str(state)))
        with explain_os_errors(folder):
            for edge in edges:  # of a build that was killed
                (folder / part_of(edge.output)).unlink(missing_ok=True)
        before = {edge.output: _stamp(folder / edge.output) for edge in edges}
        command = [program(), "-C", str(folder), "-f", str(graph.resolve()), "-j", str(jobs), "-k", "0"]
        text = _follow(command, outcome, progress)
    outcome.changed += [edge.output for edge in edges if _stamp(folder / edge.output) != before[edge.output]]
    _sort_out(text, edges, outcome)
    return outcome


def _follow(command: Sequence[str], outcome: Outcome, progress: Progress | None) -> list[str]:
    """Run ninja; the lines it printed."""
    environment = {**os.environ, "NINJA_STATUS": "[%f/%t] "}
    lines = []
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", env=environment
    ) as process:
        assert process.stdout is not None
        try:
            for line in process.stdout:
                lines.append(line.rstrip("\n"))
                step = _PROGRESS.match(lines[-1])
                if step is not None:
                    outcome.ran = int(step[1])
                    if progress is not None:
                        progress(int(step[1]), int(step[2]), step[3])
        except BaseException:
            # Ninja got the signal of the terminal too; one that was sent to this process alone is passed on.
            process.terminate()
            raise
    if process.returncode == 0:
        return []
    return lines


def _sort_out(lines: Sequence[str], edges: Sequence[Edge], outcome: Outcome) -> None:
    """Find the failed edges in what a failed ninja printed; what belongs to none is ninja's own trouble."""
    by_output = {edge.output: edge for edge in edges}
    current: list[str] | None = None
    texts: dict[str, list[str]] = {}
    codes: dict[str, int] = {}
    own = []
    skip = False  # the line after FAILED is the command
    for line in lines:
        failed = _FAILED.match(line)
        if failed is not None:
            output = failed[2].replace("\\ ", " ")
            current = texts.setdefault(output, [])
            codes[output] = int(failed[1] or 1)
            skip = True
        elif _PROGRESS.match(line) or line.startswith("ninja: build stopped"):
            current = None
        elif skip:
            skip = False
        elif current is not None:
            current.append(line)
        elif line.startswith(("ninja: error", "ninja: fatal")):
            own.append(line.removeprefix("ninja: "))
    for output, text in texts.items():
        if output in by_output:
            outcome.failures.append(Failure(by_output[output], "\n".join([*text, ""]), codes[output]))
    if lines and not outcome.failures:
        outcome.trouble = "; ".join(own) or "\n".join(lines[-3:])


def _stamp(path: Path) -> tuple[int, int]:
    try:
        status = path.stat()
    except OSError:
        return (0, 0)
    return (status.st_mtime_ns, status.st_ino)
