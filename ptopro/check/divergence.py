"""Where two runs of a kernel part: the first operation that wrote something else, in the order of the first run.

In: two built forms with their schedules, on the same inputs.  Both are run again with a trace that holds a digest of
what each instruction wrote, wherever it lies.  The k-th execution of a line on a core is compared with the k-th
execution in the other run, so that slots, delays and drains make no difference.
"""

from __future__ import annotations

import ast
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from ptopro.check.runs import Schedule, execute
from ptopro.diagnostics import Span

if TYPE_CHECKING:
    from ptopro.check.builds import Built, Kernel
    from ptopro.check.inputs import Inputs
    from ptopro.simulator.machine import Event

Key = tuple[int, str, str, int, str]  # block, core, file, line, operation


@dataclass(frozen=True, slots=True)
class Divergence:
    """stage: the function that holds the line; task: how many runs of it on this core came before; stage "": the
    kernel itself, whose line ran `task` times before."""

    stage: str
    task: int
    block: int
    core: str
    pipe: str
    operation: str
    file: str
    line: int

    @property
    def text(self) -> str:
        where = f"{self.operation} on {self.pipe} of {self.core}, block {self.block}"
        if self.stage:
            return f"first divergence: {self.stage}, task {self.task} ({where}, line {self.line})"
        return f"first divergence: line {self.line}, execution {self.task + 1} ({where})"

    @property
    def span(self) -> Span:
        return Span(self.file, self.line, 1, self.line, 1)


@dataclass(frozen=True, slots=True)
class Run:
    """A form of the kernel and how it runs."""

    built: Built
    schedule: Schedule


def first_divergence(kernel: Kernel, left: Run, right: Run, inputs: Inputs, cores: int) -> Divergence | None:
    """None when every instruction wrote the same (the runs differ in order alone), or when a trace was too long."""
    one, two = (_events(kernel, run, inputs, cores) for run in (left, right))
    other: dict[Key, list[int]] = defaultdict(list)
    for event in two:
        other[_key(event)].append(event.digest)
    seen: Counter[Key] = Counter()
    for number, event in enumerate(one):
        key = _key(event)
        numbers = other.get(key, [])
        if seen[key] >= len(numbers) or numbers[seen[key]] != event.digest:
            return _described(event, one[: number + 1])
        seen[key] += 1
    return None


def _events(kernel: Kernel, run: Run, inputs: Inputs, cores: int) -> Sequence[Event]:
    options = replace(run.schedule.options, checks=(), trace=True, digests=True)
    report = execute(kernel, run.built, inputs, cores, replace(run.schedule, options=options)).report
    return [] if report.events_dropped else [event for event in report.events if event.digest]


def _key(event: Event) -> Key:
    return event.block, event.core, event.file, event.line, event.operation


def _described(event: Event, before: Sequence[Event]) -> Divergence:
    function = _function_at(event.file, event.line)
    mine = [e for e in before if (e.block, e.core, e.file) == (event.block, event.core, event.file)]
    name, task = "", sum(e.line == event.line and e.operation == event.operation for e in mine) - 1
    if function is not None:
        name, task = function.name, _runs(function, mine) - 1
    return Divergence(name, task, event.block, event.core, event.pipe, event.operation, event.file, event.line)


def _runs(function: ast.FunctionDef, events: Iterable[Event]) -> int:
    """How often a function has run: the most executions of a line that every run executes once, where there is one."""
    inside = [e for e in events if function.lineno <= e.line <= (function.end_lineno or function.lineno)]
    steady = {
        line
        for statement in function.body
        if not isinstance(statement, ast.For | ast.While | ast.If | ast.With)
        for line in range(statement.lineno, (statement.end_lineno or statement.lineno) + 1)
    }
    counts = Counter((e.line, e.operation) for e in inside if e.line in steady)
    counts = counts or Counter((e.line, e.operation) for e in inside)
    return max(counts.values(), default=1)


def _function_at(file: str, line: int) -> ast.FunctionDef | None:
    """The function that holds a line, when it is not the kernel."""
    try:
        tree = ast.parse(Path(file).read_text())
    except (OSError, SyntaxError):
        return None
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.lineno <= line <= (node.end_lineno or node.lineno):
            decorators = " ".join(map(ast.unparse, node.decorator_list))
            if "jit" not in decorators and "kernel" not in decorators:
                return node
    return None
