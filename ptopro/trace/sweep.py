"""The same kernel for several settings: `preload=0..4`, or the numbers that its file names at module level.

In: texts such as `preload=0..4` and `TILE=64,128`, and what a trace needs.  Out: a `Point` for each combination, run in
processes of their own, and one table of them.
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeAlias

from ptopro.check.request import Request
from ptopro.diagnostics import DiagnosticError, Sink, make
from ptopro.lowering.target import Target

PRELOAD = "preload"
Value: TypeAlias = "int | float"


@dataclass(frozen=True, slots=True)
class Axis:
    name: str
    values: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Job:
    """Everything that one process needs.  values: by axis; build_dir: the point's own."""

    path: str
    text: str
    kernel: str
    target: Target
    request: Request
    build_dir: Path
    values: Mapping[str, Value]
    preload: int | tuple[int, ...] | None = None
    costs: Mapping[str, float] | None = None
    threads: int = 0


@dataclass(frozen=True, slots=True)
class Point:
    """What came of a job.  failure: why it has no numbers, empty when it has."""

    values: Mapping[str, Value]
    cycles: float = 0.0
    bound: float = 0.0
    steady: float | None = None
    busiest: str = ""
    used: Mapping[str, int] | None = None
    failure: str = ""


def parse_axes(texts: Sequence[str]) -> list[Axis]:
    """`NAME=1,2,3` or `NAME=0..4` (both ends included).  Raises DiagnosticError PTO1869."""
    found: list[Axis] = []
    for text in texts:
        name, equals, values = text.partition("=")
        name = name.strip()
        if not equals or not name.isidentifier() or any(axis.name == name for axis in found):
            raise _impossible(text, "write NAME=0..4 or NAME=1,2,3, each name once")
        try:
            found.append(Axis(name, tuple(_values(values))))
        except ValueError:
            raise _impossible(text, "the values are numbers: 0..4, or 1,2,3") from None
    return found


def jobs(axes: Sequence[Axis], job: Job) -> list[Job]:
    """One job for each combination, the last axis fastest.  Raises DiagnosticError PTO1869."""
    found = []
    for values in itertools.product(*(axis.values for axis in axes)):
        point = dict(zip((axis.name for axis in axes), values, strict=True))
        constants = {name: value for name, value in point.items() if name != PRELOAD}
        found.append(
            replace(
                job,
                values=point,
                text=with_constants(job.text, constants),
                build_dir=job.build_dir / "sweep" / "_".join(f"{name}{value}" for name, value in point.items()),
                preload=int(point[PRELOAD]) if PRELOAD in point else job.preload,
            )
        )
    return found


def run_all(work: Sequence[Job], processes: int, done: Callable[[], None]) -> list[Point]:
    """The points in the order of the jobs; `done` is called after each."""
    if processes <= 1 or len(work) <= 1:
        found = []
        for job in work:
            found.append(run_point(job))
            done()
        return found
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor

    # Not forked: the machine may have threads.
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(min(processes, len(work)), mp_context=context) as pool:
        futures = [pool.submit(run_point, replace(job, threads=1)) for job in work]
        for future in futures:
            future.add_done_callback(lambda _: done())
        return [future.result() for future in futures]


def run_point(job: Job) -> Point:
    """Trace the kernel of one job.  What is wrong with it becomes the point's failure."""
    from ptopro.frontend.source import load_module
    from ptopro.trace.kernel_trace import trace_kernel

    sink = Sink()
    try:
        module = load_module(job.path, job.text, sink=sink)
        source = next((kernel for kernel in module.kernels if kernel.name == job.kernel), None)
        if source is None or sink.has_errors:
            return Point(job.values, failure=_first(sink))
        traced = trace_kernel(
            source,
            job.request,
            job.target,
            job.build_dir,
            sink,
            preload=job.preload,
            costs=job.costs,
            threads=job.threads,
        )
    except DiagnosticError as error:
        sink.extend(error.diagnostics)
        traced = None
    if traced is None:
        return Point(job.values, failure=_first(sink))
    if traced.findings:
        return Point(job.values, failure=f"{traced.findings[0].code}: {traced.findings[0].message}")
    summary = traced.summary
    return Point(
        job.values,
        summary.cycles,
        summary.bound,
        summary.steady,
        summary.busiest.place if summary.busiest is not None else "",
        {memory.name: memory.used for memory in traced.memories.memories},
    )


def with_constants(text: str, values: Mapping[str, Value]) -> str:
    """The file with other numbers for names of its module.  Raises DiagnosticError PTO1869."""
    lines = text.splitlines(keepends=True)
    for name, value in values.items():
        node = _assignment(text, name)
        first, last = node.lineno - 1, (node.end_lineno or node.lineno) - 1
        head = lines[first].encode()[: node.col_offset].decode()
        tail = lines[last].encode()[node.end_col_offset or 0 :].decode()
        # As many lines as before, so that every other line keeps its number.
        number = repr(value) if first == last else f"({value!r}" + "\n" * (last - first) + ")"
        lines[first : last + 1] = (head + number + tail).splitlines(keepends=True)
        text = "".join(lines)
    return text


def sweep_table(points: Sequence[Point]) -> str:
    """One line for each point; speed-up against the first that ran."""
    names = list(points[0].values) if points else []
    base = next((point.cycles for point in points if not point.failure), 0.0)
    head = [*names, "cycles", "bound", "ratio", "steady", "speed-up", "busiest pipe"]
    rows = []
    for point in points:
        settings = [str(point.values[name]) for name in names]
        if point.failure:
            rows.append([*settings, point.failure])
            continue
        rows.append(
            [
                *settings,
                f"{point.cycles:.0f}",
                f"{point.bound:.0f}",
                f"{point.cycles / point.bound:.2f}" if point.bound else "-",
                f"{point.steady:.2f}" if point.steady is not None else "-",
                f"{base / point.cycles:.2f}" if point.cycles else "-",
                point.busiest,
            ]
        )
    full = [row for row in rows if len(row) == len(head)]
    widths = [max(len(row[i]) for row in [head, *full]) for i in range(len(head))]
    for i, _ in enumerate(names):
        widths[i] = max(widths[i], *(len(row[i]) for row in rows))
    lines = ["  ".join(word.rjust(width) for word, width in zip(head[:-1], widths, strict=False)) + f"  {head[-1]}"]
    for row in rows:
        right = len(head) - 1 if len(row) == len(head) else len(names)
        cells = [word.rjust(width) for word, width in zip(row[:right], widths, strict=False)]
        lines.append("  ".join([*cells, *row[right:]]))
    return "\n".join(lines) + "\n"


def _assignment(text: str, name: str) -> ast.expr:
    """The expression that the module gives the name, where it is one number."""
    found: list[ast.expr] = []
    for node in ast.parse(text).body:
        if isinstance(node, ast.Assign) and any(isinstance(t, ast.Name) and t.id == name for t in node.targets):
            found.append(node.value)
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.target.id == name:
            found += [node.value] if node.value is not None else []
    if len(found) != 1:
        how = "gives it more than one value" if found else "has no such name at module level"
        raise _impossible(name, f"the kernel's file {how}")
    if isinstance(found[0], (ast.List, ast.Tuple, ast.Dict, ast.Set, ast.JoinedStr)) or (
        isinstance(found[0], ast.Constant) and not isinstance(found[0].value, (int, float))
    ):
        raise _impossible(name, "its value in the kernel's file is no number")
    return found[0]


def _values(text: str) -> list[Value]:
    if ".." in text:
        low, _, high = text.partition("..")
        found: list[Value] = list(range(int(low), int(high) + 1))
    else:
        found = [_number(part) for part in text.split(",")]
    if not found:
        raise ValueError
    return found


def _number(text: str) -> Value:
    try:
        return int(text, 0)
    except ValueError:
        return float(text)


def _first(sink: Sink) -> str:
    from ptopro.diagnostics import Severity

    errors = [found for found in sink.diagnostics if found.severity is Severity.ERROR]
    return f"{errors[0].code}: {errors[0].message}" if errors else "it cannot be generated"


def _impossible(text: str, reason: str) -> DiagnosticError:
    return DiagnosticError([make("PTO1869", text=text, reason=reason)])
