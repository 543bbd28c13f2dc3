"""Write the locks of one function: plans and regions become edits of its text.

In: plans, regions and barriers of a function.  Out: lines before and after statements, and replaced expressions, in an
`EditSet`.  Each line says why it is there:

    pl.system.mutex_lock(pipe=pl.PipeType.V, tile=cur_a)  # lock: add reads cur_a
    pl.add(cur_o, cur_a, cur_b)
    pl.system.mutex_unlock(pipe=pl.PipeType.V, tile=cur_a)  # unlock: after add
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence

from ptopro.expand.edits import EditSet
from ptopro.expand.mutex_coalesce import Region
from ptopro.expand.mutex_plan import Hoist, LockItem, StatementPlan
from ptopro.language.enums import PipeType


class LockWriter:
    """Writes the locks of one function into an EditSet.  alias: what the text calls the language module."""

    def __init__(self, edits: EditSet, alias: str) -> None:
        self.edits = edits
        self.alias = alias
        self.locks = 0

    def write(
        self,
        plans: Mapping[ast.stmt, StatementPlan],
        regions: Sequence[Region],
        barriers: Mapping[ast.stmt, tuple[PipeType, str]],
    ) -> None:
        """Add everything that these plans ask for."""
        starts: dict[ast.stmt, list[Region]] = {}
        for region in regions:
            starts.setdefault(region.first, []).append(region)
        statements = {*plans, *barriers}
        for statement in sorted(statements, key=lambda s: (s.lineno, s.col_offset)):
            plan = plans.get(statement)
            if plan is not None:
                self._prelude(plan)
            if statement in barriers:
                pipe, hazard = barriers[statement]
                line = f"{self.alias}.system.bar_{pipe.name.lower()}()  # {hazard} on {pipe.name}"
                self.edits.before(statement, [line])
            for region in starts.get(statement, ()):
                self.edits.before(region.first, [self._line("lock", region.item, reason(region))])
        for region in regions:
            self.locks += 1
            after = f"after {region.items[-1].operation}"
            self.edits.after(region.last, [self._line("unlock", region.item, after)])

    def _line(self, verb: str, item: LockItem, reason: str) -> str:
        pipe = f"{self.alias}.PipeType.{item.pipe.name}"
        return f"{self.alias}.system.mutex_{verb}(pipe={pipe}, {item.argument})  # {verb}: {reason}"

    # ----------------------------------------------------------------------------------------------------------------

    def _prelude(self, plan: StatementPlan) -> None:
        """Named operands and values that are read early."""
        replaced: dict[ast.expr, str] = dict(plan.named)
        for node, name in plan.named:
            self.edits.before(plan.anchor or plan.statement, [f"{name} = {self._text(node, {})}"])
        for hoist in plan.hoists:
            lines = self._hoist(hoist, replaced)
            if isinstance(plan.statement, ast.While):
                body = plan.statement.body[0]
                unit = self.edits.source.indent_unit(self.edits.source.indent_at(self._start(plan.statement)))
                self.edits.before(body, [*lines, f"if not {hoist.name}:", f"{unit}break"])
                self.edits.replace(hoist.node, "True")
            else:
                self.edits.before(plan.anchor or plan.statement, lines)
                self.edits.replace(hoist.node, hoist.name)
        inside = [hoist.node for hoist in plan.hoists]
        for node, name in plan.named:
            if not any(self._within(node, outer) for outer in inside):
                self.edits.replace(node, name)

    def _hoist(self, hoist: Hoist, replaced: Mapping[ast.expr, str]) -> list[str]:
        text = self._text(hoist.node, replaced)
        if hoist.prefix:
            text = f"{hoist.prefix}({text})"
        reasons = [_reason(item) for item in hoist.items]
        self.locks += len(hoist.items)
        return [
            *(self._line("lock", item, why) for item, why in zip(hoist.items, reasons, strict=True)),
            f"{hoist.name} = {text}",
            *(self._line("unlock", item, f"after {item.operation}") for item in hoist.items),
        ]

    def _start(self, node: ast.AST) -> int:
        return self.edits.source.range(self.edits.index.span(node))[0]

    def _within(self, node: ast.AST, outer: ast.AST) -> bool:
        return node is outer or any(parent is outer for parent in self.edits.index.enclosing(node))

    def _text(self, node: ast.expr, replaced: Mapping[ast.expr, str]) -> str:
        """The text of an expression with some of its parts replaced, on one line or in parentheses."""
        source, index = self.edits.source, self.edits.index
        start, end = source.range(index.span(node))
        text = ""
        at = start
        parts = [(source.range(index.span(part)), name) for part, name in replaced.items() if self._within(part, node)]
        for (low, high), name in sorted(parts):
            text += source.text[at:low] + name
            at = high
        text += source.text[at:end]
        return f"({text})" if "\n" in text or "\r" in text else text


def reason(region: Region) -> str:
    """Why a lock is there: "add reads cur_a", and up to which operation it is held."""
    first = _reason(region.items[0])
    if len(region.items) == 1:
        return first
    return f"{first}; held up to {region.items[-1].operation}"


def _reason(item: LockItem) -> str:
    by_verb: dict[str, list[str]] = {}
    for verb, text in item.verbs:
        by_verb.setdefault(verb, []).append(text)
    return f"{item.operation} " + ", ".join(f"{verb} {', '.join(texts)}" for verb, texts in by_verb.items())
