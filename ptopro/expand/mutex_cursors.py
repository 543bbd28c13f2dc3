"""Which slot a tile variable holds, as far as one pass over the program tells.

A `Position` is (group, base, offset): base numbers a point where the group's cursor was unknown (or STATIC: counted
from slot 0), offset the number of slots moved since.  Two positions of one group and base are the same slot exactly
when their offsets agree modulo the depth.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

from ptopro.lowering import ir
from ptopro.lowering.traversal import called_functions, reachable_functions

STATIC = -1
Position = tuple[ir.Origin, int, int]


class Cursors:
    """The cursors of all groups and the slots in all tile variables at one point of a function."""

    def __init__(self) -> None:
        self._groups: dict[ir.GroupDecl, tuple[int, int]] = {}
        self._tiles: dict[ir.TileVar, Position | None] = {}
        self._fresh: Iterator[int] = count()

    def copy(self) -> Cursors:
        twin = Cursors()
        twin._groups = dict(self._groups)
        twin._tiles = dict(self._tiles)
        twin._fresh = self._fresh
        return twin

    def declare(self, group: ir.GroupDecl) -> None:
        """A cursor starts at the last slot."""
        self._groups[group] = (STATIC, group.depth - 1)

    def advance(self, group: ir.GroupDecl) -> None:
        base, offset = self._cursor(group)
        self._groups[group] = (base, offset + 1)

    def bind(self, variable: ir.TileVar, tile: ir.TileExpr) -> None:
        self._tiles[variable] = self.position(tile)

    def unbind(self, variable: ir.TileVar) -> None:
        self._tiles[variable] = None

    def called(self, function: ir.FunctionIR) -> None:
        """A helper may have moved cursors."""
        for reached in reachable_functions(function):
            for group in _advanced(reached.body):
                self._groups[group] = (next(self._fresh), 0)

    def forget(self, body: ir.Block) -> None:
        """A loop's body runs any number of times: what it changes is unknown at its start and after it."""
        for stmt in ir.walk(body):
            if isinstance(stmt, ir.BindTile):
                self._tiles[stmt.var] = None
            elif isinstance(stmt, ir.CallStmt):
                for result in stmt.results:
                    if isinstance(result, ir.TileVar):
                        self._tiles[result] = None
        for function in called_functions(body):
            self.called(function)
        for group in _advanced(body):
            self._groups[group] = (next(self._fresh), 0)

    def join(self, other: Cursors) -> None:
        """The state after a branch: what both sides agree on."""
        for group in {*self._groups, *other._groups}:
            if self._groups.get(group) != other._groups.get(group):
                self._groups[group] = (next(self._fresh), 0)
        for variable in {*self._tiles, *other._tiles}:
            if self._tiles.get(variable) != other._tiles.get(variable):
                self._tiles[variable] = None

    def position(self, tile: ir.TileExpr) -> Position | None:
        """Where a tile expression points now; None: not known."""
        match tile:
            case ir.TileRef():
                return tile.decl, STATIC, 0
            case ir.TileVarRef():
                return self._tiles.get(tile.var)
            case ir.SubView():
                return self.position(tile.base)
            case ir.SlotRef(index="current"):
                base, offset = self._cursor(tile.group)
                return tile.group, base, offset % tile.group.depth
            case ir.SlotRef(index="previous"):
                base, offset = self._cursor(tile.group)
                return tile.group, base, (offset - 1) % tile.group.depth
            case ir.SlotRef() if isinstance(tile.index, int):
                return tile.group, STATIC, tile.index
            case _:
                return None

    def _cursor(self, group: ir.GroupDecl) -> tuple[int, int]:
        if group not in self._groups:
            self._groups[group] = (next(self._fresh), 0)
        return self._groups[group]


def _advanced(block: ir.Block) -> set[ir.GroupDecl]:
    return {stmt.group for stmt in ir.walk(block) if isinstance(stmt, ir.Advance)}
