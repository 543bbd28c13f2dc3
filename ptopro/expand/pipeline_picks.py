"""Slots that the kernel itself picks, outside of the stages: which slot a cursor means in terms of rounds and tasks.

In: one half and its nest.  Out: for `cur = g.next()` in the body of an outer loop the rule "slot (rounds + k) % N", for
one in the pipeline loop's body "(task + k) % N"; None where the cursor moves in any other way.
"""

from __future__ import annotations

from collections import Counter

from ptopro.expand.pipeline_model import SlotRule
from ptopro.expand.pipeline_values import Nest, Repeated, rounds
from ptopro.lowering import ir
from ptopro.lowering.traversal import called_functions, reachable_functions


class Cursors:
    """The cursors of the groups that a half declares."""

    def __init__(self, nest: Nest, skips: bool) -> None:
        self.nest = nest
        self.moves: dict[ir.GroupDecl, Counter[int]] = {}
        self.free: set[ir.GroupDecl] = set()  # moved in stages, helpers, under conditions
        self.start: dict[ir.GroupDecl, int | None] = {}  # slots moved since the declaration put it at N - 1
        self.passed: Counter[ir.GroupDecl] = Counter()
        self.level = 0
        for stmt in nest.before:
            if isinstance(stmt, Repeated):
                self.start.update(dict.fromkeys(moved_by(stmt.loop.body)))
            elif isinstance(stmt, ir.DeclareGroup):
                self.start[stmt.decl] = 0
            elif isinstance(stmt, ir.Advance):
                before = self.start.get(stmt.group)
                self.start[stmt.group] = None if before is None else before + 1
            else:
                for group in moved_by((stmt,)):
                    self.start[group] = None
        last = len(nest.loops) - 1
        for number, loop in enumerate(nest.loops):
            inner = nest.loops[number + 1] if number < last else None
            for stmt in loop.body:
                if isinstance(stmt, ir.Advance) and not (number == last and skips):
                    self.moves.setdefault(stmt.group, Counter())[number] += 1
                elif stmt is not inner:
                    self.free.update(moved_by((stmt,)))

    def enter(self, level: int) -> None:
        """The walk goes on with the statements of this level's body before the next loop."""
        self.level = level

    def advance(self, group: ir.GroupDecl) -> None:
        self.passed[group] += 1

    def initial(self, group: ir.GroupDecl) -> int | None:
        """The cursor when the nest starts, None when it is not known."""
        start = self.start.get(group)
        return None if start is None else start + group.depth - 1

    def rule(self, tile: ir.SlotRef) -> SlotRule:
        """The slot that `current` or `previous` means where the walk is."""
        group = tile.group
        moves = self.moves.get(group, Counter())
        start = self.initial(group)
        if group in self.free or len(moves) > 1:
            return SlotRule("unknown", modulus=group.depth)
        back = int(tile.index == "previous")
        base = "" if start is not None else f"start of {group.name}"
        if not moves:
            if start is None:
                return SlotRule("unknown", -back, 1, group.depth, base)
            return SlotRule("constant", (start - back) % group.depth)
        ((level, steps),) = moves.items()
        if level > self.level:
            return SlotRule("unknown", modulus=group.depth)
        task = level == len(self.nest.loops) - 1
        offset = (start or 0) + self.passed[group] - back
        symbol = "" if task else rounds(self.nest.loops[level])
        label = " ".join(part for part in (symbol, base) if part)
        return SlotRule("task" if task else "outer", offset, steps, group.depth, label)


def moved_by(block: ir.Block) -> set[ir.GroupDecl]:
    """The groups whose cursor a block moves, through helpers too."""
    functions = {f for callee in called_functions(block) for f in reachable_functions(callee)}
    return {s.group for b in (block, *(f.body for f in functions)) for s in ir.walk(b) if isinstance(s, ir.Advance)}
