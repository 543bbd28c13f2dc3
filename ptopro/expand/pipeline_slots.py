"""Slots that the kernel's text picks inside the nest, for stages that run later.

In: `cur = g.next()` in the body of an outer loop (or of the pipeline loop).  Out: the group and the slot's index: an
expression over the task number where it follows the tasks, else a variable that is kept beside the cursor:

    cur = g.next()
    _pl_at_g = (_pl_at_g + 1) % 2  # slot of g's cursor
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from ptopro.expand.pipeline_analysis import Half, LoopFacts
from ptopro.expand.pipeline_loops import LoopShape
from ptopro.expand.pipeline_model import Core, SlotRule
from ptopro.expand.source_text import SourceText
from ptopro.expand.syntax_index import SyntaxIndex
from ptopro.lowering import ir


@dataclass(frozen=True, slots=True)
class Pick:
    """One picked slot.

    name: the author's variable; group: the text that names the group; how: next, current, previous, or the index's
    text; statement: where it is picked; moves: the statements that move the group's cursor inside the nest.
    """

    name: str
    group: str
    how: str
    rule: SlotRule
    slots: int
    statement: ast.stmt
    moves: tuple[ast.stmt, ...] = ()
    initial: int = 0


@dataclass(slots=True, eq=False)
class Picks:
    """The picks of one loop nest.  tracked: variables that must be kept: name -> (initial value, comment).

    lines: what is added behind a statement.
    """

    shape: LoopShape
    index: SyntaxIndex
    source: SourceText
    tracked: dict[str, tuple[int, str]] = field(default_factory=dict)
    lines: dict[ast.stmt, list[str]] = field(default_factory=dict)

    def definition(self, name: str) -> ast.Assign | None:
        """The only statement of the nest that assigns a name."""
        found = [
            node
            for node in ast.walk(self.shape.root)
            if isinstance(node, ast.Name) and node.id == name and not isinstance(node.ctx, ast.Load)
        ]
        if len(found) != 1:
            return None
        statement = self.index.statement_of(found[0])
        simple = isinstance(statement, ast.Assign) and len(statement.targets) == 1 and statement.targets[0] is found[0]
        return statement if simple and isinstance(statement, ast.Assign) else None

    def find(self, name: str, half: Half, core: Core, facts: LoopFacts) -> Pick | str:
        """The pick behind a variable; a text that says why it cannot be followed."""
        statement = self.definition(name)
        if statement is None:
            return "it is assigned more than once, or not by a plain assignment"
        value = statement.value
        if isinstance(value, ast.Name):
            return self.find(value.id, half, core, facts)
        bind = next(
            (
                s
                for s in ir.walk((half.nest.root,))
                if isinstance(s, ir.BindTile) and s.span == self.index.span(statement)
            ),
            None,
        )
        if bind is None or not isinstance(bind.tile, ir.SlotRef):
            return "it is not picked by g.next(), g.current(), g.previous() or g[i] alone on the right of an assignment"
        group = bind.tile.group
        if isinstance(value, ast.Subscript):
            where, how = self.text(value.value), self.text(value.slice)
        elif isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute):
            where, how = self.text(value.func.value), value.func.attr
        else:
            return "it is not picked by g.next(), g.current(), g.previous() or g[i] alone on the right of an assignment"
        moved = half.tiles.get(bind.var, ())
        rule = moved[0][1] if len(moved) == 1 else SlotRule("unknown", modulus=group.depth)
        if how not in ("next", "current", "previous"):
            return Pick(name, where, how, rule, group.depth, statement)
        number = facts.table.tile(group)
        mover = next((s.name for s in facts.stages if s.core == core and dict(s.advances).get(number, 0) != 0), None)
        if mover is not None:
            return f"{mover} moves the cursor of {group.name} too: give each its own group"
        if group in half.cursors.free:
            return f"the cursor of {group.name} also moves under a condition, in an inner loop or in a helper"
        initial = half.cursors.initial(group)
        if initial is None:
            return f"the cursor of {group.name} has moved an unknown number of times before the loop"
        moves = [
            self.index.statement(s.span)
            for s in ir.walk((half.nest.root,))
            if isinstance(s, ir.Advance) and s.group is group
        ]
        known = tuple(dict.fromkeys(m for m in moves if m is not None))
        if len(known) != len(moves):
            return f"one statement moves the cursor of {group.name} more than once"
        return Pick(name, where, how, rule, group.depth, statement, known, initial % group.depth)

    def track(self, pick: Pick) -> str:
        """The variable that holds the slot of a pick: a new one, kept beside the author's statement."""
        own = f"_pl_{pick.name}"
        if own in self.tracked:
            return own
        note = f"  # slot of {pick.name}"
        if pick.how not in ("next", "current", "previous"):
            self.tracked[own] = (0, note)
            self.after(pick.statement, f"{own} = {pick.how}{note}")
            return own
        if pick.how == "next" and pick.moves == (pick.statement,):
            self.tracked[own] = (pick.initial, note)
            self.after(pick.statement, f"{own} = ({own} + 1) % {pick.slots}{note}")
            return own
        cursor = f"_pl_at_{pick.group.replace('.', '_')}"
        if cursor not in self.tracked:
            self.tracked[cursor] = (pick.initial, f"  # slot of {pick.group}'s cursor")
            for move in pick.moves:
                self.after(move, f"{cursor} = ({cursor} + 1) % {pick.slots}  # slot of {pick.group}'s cursor")
        self.tracked[own] = (pick.initial, note)
        at = f"({cursor} + {pick.slots - 1}) % {pick.slots}" if pick.how == "previous" else cursor
        self.after(pick.statement, f"{own} = {at}{note}")
        return own

    def after(self, statement: ast.stmt, line: str) -> None:
        self.lines.setdefault(statement, []).append(line)

    def text(self, node: ast.AST) -> str:
        return " ".join(self.source.slice(self.index.span(node)).split())
