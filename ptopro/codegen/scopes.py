"""Where each variable of a function is declared in C++.

Python variables live for the whole function; in C++ they are declared in the innermost block that holds all their
uses, at their first assignment where that is certain to come first, else ahead of the statement that uses them first.
A variable that a loop carries from one trip to the next is declared outside the loop:

    for i in pl.range(0, n):            int64_t x = 0;
        if i == 0:                      for (int64_t i = 0; i < n; ++i) {
            x = 5                         if (i == 0) {
        y = x + 1                           x = 5;

Blocks that each give a variable a value before they read it (two loops that reuse a name) declare it each: such a
variable has several regions.

A scope is a path: for each enclosing statement its index in its block, and which of its blocks.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ptopro.codegen.names import Path
from ptopro.codegen.traverse import Variable, blocks, variables_read, variables_written
from ptopro.lowering import ir

JUMPS = (ir.Break, ir.Continue, ir.Return)


@dataclass(frozen=True, slots=True)
class Region:
    """One declaration of a variable and the block it serves.

    kind: "assignment" (its first assignment declares it), "ahead" (declared ahead of statement `first` of the scope),
    "loop" (the head of a loop declares it), "outside" (a parameter, or something of the caller).
    writes, reads: how many statements of the region assign and read it.
    """

    scope: Path
    first: int
    kind: str
    writes: int
    reads: int


@dataclass(slots=True)
class _Events:
    touches: list[tuple[Path, int]] = field(default_factory=list)  # scope and index of every statement that touches it
    reads: list[Path] = field(default_factory=list)
    writes: list[Path] = field(default_factory=list)
    headers: list[tuple[Path, Path]] = field(default_factory=list)  # loops over it: scope, scope of the body


_NOWHERE = Region((), 0, "outside", 0, 0)


class Placements:
    """The declarations of one function."""

    def __init__(self, body: ir.Block, parameters: tuple[Variable, ...]) -> None:
        self.blocks: dict[Path, ir.Block] = {}
        self._loops: set[Path] = set()  # scopes that are bodies of loops
        self._events: dict[Variable, _Events] = {}
        self._walk(body, ())
        self._parameters = set(parameters)
        self.regions: dict[Variable, tuple[Region, ...]] = {
            var: self._regions(var, events) for var, events in self._events.items()
        }
        self._ahead: dict[tuple[Path, int], list[Variable]] = {}
        for var, regions in self.regions.items():
            for region in regions:
                if region.kind == "ahead":
                    self._ahead.setdefault((region.scope, region.first), []).append(var)

    @property
    def variables(self) -> tuple[Variable, ...]:
        """Every variable that the body mentions, in order of first mention."""
        return tuple(self.regions)

    def region(self, var: Variable, scope: Path) -> Region:
        """The declaration of a variable that holds in a scope."""
        found = self.regions.get(var, ())
        return next((each for each in found if scope[: len(each.scope)] == each.scope), _NOWHERE)

    def block_of(self, region: Region) -> ir.Block:
        """The block that a declaration serves."""
        return self.blocks[region.scope]

    def ahead_of(self, scope: Path, index: int) -> list[Variable]:
        """The variables to be declared ahead of statement `index` of a scope."""
        return self._ahead.get((scope, index), [])

    def in_loop(self, scope: Path) -> bool:
        """Whether a scope is, or lies in, the body of a loop."""
        return any(scope[:length] in self._loops for length in range(1, len(scope) + 1))

    def is_reassigned(self, var: Variable) -> bool:
        """Whether a variable may have one value now and another later."""
        events = self._events.get(var)
        if events is None:
            return False
        settings = len(events.writes) + len(events.headers) + (var in self._parameters)
        return settings > 1 or bool(events.headers)

    def writes_inside(self, scope: Path) -> set[Variable]:
        """The variables that statements of a scope assign, at any depth, loop variables included."""
        written: set[Variable] = set()
        for stmt in ir.walk(self.blocks[scope]):
            written.update(variables_written(stmt))
            if isinstance(stmt, ir.For):
                written.add(stmt.var)
        return written

    def _walk(self, block: ir.Block, path: Path) -> None:
        self.blocks[path] = block
        for index, stmt in enumerate(block):
            for var in variables_read(stmt):
                self._touch(var, path, index).reads.append(path)
            for var in variables_written(stmt):
                self._touch(var, path, index).writes.append(path)
            if isinstance(stmt, ir.For):
                self._touch(stmt.var, path, index).headers.append((path, (*path, (index, 0))))
            for number, inner in enumerate(blocks(stmt)):
                scope = (*path, (index, number))
                if isinstance(stmt, (ir.For, ir.While)):
                    self._loops.add(scope)
                self._walk(inner, scope)

    def _touch(self, var: Variable, path: Path, index: int) -> _Events:
        events = self._events.setdefault(var, _Events())
        events.touches.append((path, index))
        return events

    def _regions(self, var: Variable, events: _Events) -> tuple[Region, ...]:
        if var in self._parameters or not (events.writes or events.headers):
            return (Region((), 0, "outside", len(events.writes) + len(events.headers), len(events.reads)),)
        loops = self._private_loops(events)
        if loops:
            return tuple(Region(body, 0, "loop", 1, _inside(events.reads, body)) for body in loops)
        return tuple(self._place(var, events, ()))

    def _place(self, var: Variable, events: _Events, scope: Path) -> list[Region]:
        """The declarations for everything that touches a variable in a scope: one here, or some further in."""
        depth = len(scope)
        touches = [(path, index) for path, index in events.touches if path[:depth] == scope]
        nested = list(dict.fromkeys(path[: depth + 1] for path, _ in touches if len(path) > depth))
        direct = any(len(path) == depth for path, _ in touches)
        block = self.blocks[scope]
        alone = len(nested) == 1 and nested[0] not in self._loops
        if not direct and (alone or all(_assigned_first(self.blocks[path], var) is not False for path in nested)):
            return [region for path in nested for region in self._place(var, events, path)]
        first = min(path[depth][0] if len(path) > depth else index for path, index in touches)
        certain = var in variables_written(block[first]) and var not in variables_read(block[first])
        writes = _inside(events.writes, scope) + _inside([path for path, _ in events.headers], scope)
        kind = "assignment" if certain else "ahead"
        return [Region(scope, first, kind, writes, _inside(events.reads, scope))]

    def _private_loops(self, events: _Events) -> tuple[Path, ...]:
        """The bodies of the loops over a variable when it is used in them alone and only they set it."""
        bodies = tuple(body for _, body in events.headers)
        if not bodies or events.writes:
            return ()
        inside = all(any(path[: len(body)] == body for body in bodies) for path in events.reads)
        nested = any(path[: len(body)] == body for path, _ in events.headers for body in bodies)
        return bodies if inside and not nested else ()


def _inside(paths: list[Path], scope: Path) -> int:
    """How many of the paths lie in a scope."""
    return sum(path[: len(scope)] == scope for path in paths)


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
