"""Which slots a tile variable may hold, and which one it does, as far as one pass over the program tells.

A `Position` is (group, base, offset): base numbers a point where the group's cursor was unknown (or STATIC: counted
from slot 0), offset the number of slots moved since.  Two positions of one group and base are the same slot exactly
when their offsets agree modulo the depth.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import count

from ptopro.lowering import ir
from ptopro.lowering.traversal import called_functions, reachable_functions

STATIC = -1
Position = tuple[ir.Origin, int, int]
Slot = tuple[ir.Origin, int]
Holding = tuple[frozenset[Slot], Position | None]  # what a tile may be, and where it certainly is


class Cursors:
    """The cursors of all groups and the slots in all tile variables at one point of a function."""

    def __init__(self, tiles: Mapping[ir.TileVar, Holding]) -> None:
        """tiles: what the function's parameters hold."""
        self._groups: dict[ir.GroupDecl, tuple[int, int]] = {}
        self._tiles: dict[ir.TileVar, Holding] = dict(tiles)
        self._fresh: Iterator[int] = count()

    def copy(self) -> Cursors:
        twin = Cursors(self._tiles)
        twin._groups = dict(self._groups)
        twin._fresh = self._fresh
        return twin

    def declare(self, group: ir.GroupDecl) -> None:
        """A cursor starts at the last slot."""
        self._groups[group] = (STATIC, group.depth - 1)

    def advance(self, group: ir.GroupDecl) -> None:
        base, offset = self._cursor(group)
        self._groups[group] = (base, offset + 1)

    def bind(self, variable: ir.TileVar, tile: ir.TileExpr) -> None:
        self._tiles[variable] = self.slots(tile), self.position(tile)

    def unbind(self, variable: ir.TileVar) -> None:
        self._tiles.pop(variable, None)

    def called(self, function: ir.FunctionIR) -> None:
        """A helper may have moved cursors."""
        for reached in reachable_functions(function):
            for group in _advanced(reached.body):
                self._groups[group] = (next(self._fresh), 0)

    def forget(self, body: ir.Block) -> None:
        """A loop's body runs any number of times: what it changes is unknown at its start and after it."""
        for stmt in ir.walk(body):
            if isinstance(stmt, ir.BindTile):
                self.unbind(stmt.var)
            elif isinstance(stmt, ir.CallStmt):
                for result in stmt.results:
                    if isinstance(result, ir.TileVar):
                        self.unbind(result)
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
            here, there = self._tiles.pop(variable, None), other._tiles.get(variable)
            if here is not None and there is not None:
                self._tiles[variable] = here[0] | there[0], here[1] if here[1] == there[1] else None

    def position(self, tile: ir.TileExpr) -> Position | None:
        """Where a tile expression points now; None: not known."""
        match tile:
            case ir.TileRef():
                return tile.decl, STATIC, 0
            case ir.TileVarRef():
                held = self._tiles.get(tile.var)
                return held[1] if held is not None else None
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

    def slots(self, tile: ir.TileExpr) -> frozenset[Slot]:
        """Every slot that a tile expression may refer to now."""
        position = self.position(tile)
        if position is not None and position[1] == STATIC:
            return frozenset(((position[0], position[2]),))
        match tile:
            case ir.TileVarRef() if tile.var in self._tiles:
                return self._tiles[tile.var][0]
            case ir.SubView():
                return self.slots(tile.base)
            case ir.ChooseTile():
                return self.slots(tile.then) | self.slots(tile.other)
            case _:
                return frozenset(
                    (origin, index)
                    for origin in ir.origins_of(tile)
                    for index in range(origin.depth if isinstance(origin, ir.GroupDecl) else 1)
                )

    def passed(self, function: ir.FunctionIR, args: Iterable[object]) -> dict[ir.TileVar, Holding]:
        """What the tile parameters of a called function hold.  Positions are counted from the first of each group."""
        found: dict[ir.TileVar, Holding] = {}
        bases: dict[tuple[ir.Origin, int], tuple[int, int]] = {}
        for parameter, value in zip(function.params, args, strict=False):
            if not isinstance(parameter, ir.TileVar):
                continue
            tile: ir.TileExpr = value  # type: ignore[assignment]
            position = self.position(tile)
            if position is not None and position[1] != STATIC:
                group, base, offset = position
                number, first = bases.setdefault((group, base), (STATIC - 1 - len(bases), offset))
                depth = group.depth if isinstance(group, ir.GroupDecl) else 1
                position = (group, number, (offset - first) % depth)
            found[parameter] = self.slots(tile), position
        return found

    def _cursor(self, group: ir.GroupDecl) -> tuple[int, int]:
        if group not in self._groups:
            self._groups[group] = (next(self._fresh), 0)
        return self._groups[group]


def _advanced(block: ir.Block) -> set[ir.GroupDecl]:
    return {stmt.group for stmt in ir.walk(block) if isinstance(stmt, ir.Advance)}
