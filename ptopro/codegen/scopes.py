"""Where each variable of a function is declared in C++.

Python variables live for the whole function; in C++ they are declared in the innermost block that holds all their
uses, at their first assignment where that is certain to come first, else ahead of the statement that uses them first.
A variable that a loop carries from one trip to the next is declared outside the loop:

    for i in pl.range(0, n):            int64_t x = 0;
        if i == 0:                      for (int64_t i = 0; i < n; ++i) {
            x = 5                         if (i == 0) {
        y = x + 1                           x = 5;

A scope is a path: for each enclosing statement its index in its block, and which of its blocks.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ptopro.codegen.names import Path
from ptopro.codegen.traverse import Variable, blocks, variables_read, variables_written
from ptopro.lowering import ir

JUMPS = (ir.Break, ir.Continue, ir.Return)


@dataclass(slots=True)
class Placement:
    """How one variable is declared.

    at_assignment: its (one) declaration is its first assignment; else `before` is the statement (by index in scope)
    that the declaration stands ahead of.  writes: how many statements assign it.  loops: private to the loops that
    declare it, in these scopes.
    """

    scope: Path = ()
    before: int = 0
    at_assignment: bool = False
    writes: int = 0
    reads: int = 0
    loops: tuple[Path, ...] = ()


@dataclass(slots=True)
class _Events:
    touches: list[tuple[Path, int]] = field(default_factory=list)  # scope and index of every statement that touches it
    reads: list[Path] = field(default_factory=list)
    headers: list[tuple[Path, int, Path]] = field(default_factory=list)  # loops over it: scope, index, scope of body
    writes: int = 0


class Placements:
    """The declarations of one function."""

    def __init__(self, body: ir.Block, parameters: tuple[Variable, ...]) -> None:
        self.body = body
        self._blocks: dict[Path, ir.Block] = {}
        self._loops: set[Path] = set()  # scopes that are bodies of loops
        self._events: dict[Variable, _Events] = {}
        self._walk(body, ())
        self._parameters = set(parameters)
        self.of: dict[Variable, Placement] = {}
        self.order: list[Variable] = []
        for var, events in self._events.items():
            self.order.append(var)
            self.of[var] = self._place(var, events)
        self._ahead: dict[tuple[Path, int], list[Variable]] = {}
        for var in self.order:
            where = self.of[var]
            if not where.at_assignment and not where.loops and var not in self._parameters:
                self._ahead.setdefault((where.scope, where.before), []).append(var)

    def ahead_of(self, scope: Path, index: int) -> list[Variable]:
        """The variables to be declared ahead of statement `index` of a scope."""
        return self._ahead.get((scope, index), [])

    def in_loop(self, scope: Path) -> bool:
        """Whether a scope is, or lies in, the body of a loop."""
        return any(scope[:length] in self._loops for length in range(1, len(scope) + 1))

    def writes_inside(self, scope: Path) -> set[Variable]:
        """The variables that statements of a scope assign, at any depth, loop variables included."""
        written: set[Variable] = set()
        for stmt in ir.walk(self._blocks[scope]):
            written.update(variables_written(stmt))
            if isinstance(stmt, ir.For):
                written.add(stmt.var)
        return written

    def _walk(self, block: ir.Block, path: Path) -> None:
        self._blocks[path] = block
        for index, stmt in enumerate(block):
            for var in variables_read(stmt):
                events = self._touch(var, path, index)
                events.reads.append(path)
            for var in variables_written(stmt):
                self._touch(var, path, index).writes += 1
            if isinstance(stmt, ir.For):
                self._touch(stmt.var, path, index).headers.append((path, index, (*path, (index, 0))))
            for number, inner in enumerate(blocks(stmt)):
                scope = (*path, (index, number))
                if isinstance(stmt, (ir.For, ir.While)):
                    self._loops.add(scope)
                self._walk(inner, scope)

    def _touch(self, var: Variable, path: Path, index: int) -> _Events:
        events = self._events.setdefault(var, _Events())
        events.touches.append((path, index))
        return events

    def _place(self, var: Variable, events: _Events) -> Placement:
        loops = self._private_loops(events)
        if loops and var not in self._parameters:
            return Placement(loops[0], writes=1, reads=len(events.reads), loops=loops)
        scope = _common([path for path, _ in events.touches])
        while True:
            depth = len(scope)
            first = min(path[depth][0] if len(path) > depth else index for path, index in events.touches)
            certain = _assigned_first(self._blocks[scope][first:], var)
            loop = next((n for n in range(depth, 0, -1) if scope[:n] in self._loops), None)
            if certain is not False or loop is None:
                break
            scope = scope[: loop - 1]
        stmt = self._blocks[scope][first]
        direct = var in variables_written(stmt) and certain is not False
        writes = events.writes + len(events.headers)
        return Placement(scope, first, direct, writes, len(events.reads))

    def _private_loops(self, events: _Events) -> tuple[Path, ...]:
        """The bodies of the loops over a variable when it is used in them alone and only they set it."""
        bodies = tuple(body for _, _, body in events.headers)
        if not bodies or events.writes:
            return ()
        inside = all(any(path[: len(body)] == body for body in bodies) for path in events.reads)
        nested = any(path[: len(body)] == body for path, _, _ in events.headers for body in bodies)
        return bodies if inside and not nested else ()


def _common(paths: list[Path]) -> Path:
    """The longest path that all of them start with."""
    first = paths[0]
    for length in range(len(first), -1, -1):
        if all(path[:length] == first[:length] for path in paths):
            return first[:length]
    return ()


def _assigned_first(block: ir.Block, var: Variable) -> bool | None:
    """Whether a block assigns `var` before it reads it: True or False when certain, None when it does neither."""
    for stmt in block:
        if var in variables_read(stmt):
            return False
        if var in variables_written(stmt):
            return True
        if isinstance(stmt, ir.If):
            branches = [_assigned_first(inner, var) for inner in (stmt.then, stmt.other)]
            if False in branches:
                return False
            leaves = [bool(inner) and isinstance(inner[-1], JUMPS) for inner in (stmt.then, stmt.other)]
            if all(branch or left for branch, left in zip(branches, leaves, strict=True)) and any(branches):
                return True
        elif isinstance(stmt, (ir.For, ir.While)):
            if isinstance(stmt, ir.For) and stmt.var is var:
                continue
            if _assigned_first(stmt.body, var) is False:
                return False
        elif isinstance(stmt, JUMPS):
            return None
    return None
