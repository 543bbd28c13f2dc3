"""Hand-written mutex_lock pairs in a kernel that leaves its locks to the framework: the two must not nest.

In: a function's blocks and plans.  Out: a diagnostic for every operation that would lock an id which a hand-written
lock around it holds (the core would wait for itself).
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence

from ptopro.diagnostics import Label, Sink, make
from ptopro.diagnostics.span import Span
from ptopro.expand.mutex_accesses import FunctionAccesses, HandLock
from ptopro.expand.mutex_plan import LockItem, StatementPlan
from ptopro.expand.mutex_relations import Relations
from ptopro.expand.syntax_index import SyntaxIndex
from ptopro.lowering import ir

Held = dict[int, Span]


def check_no_nesting(
    block: Sequence[ast.stmt],
    plans: Mapping[ast.stmt, StatementPlan],
    copies: Sequence[FunctionAccesses],
    index: SyntaxIndex,
    relations: Relations,
    sink: Sink,
) -> None:
    """Report operations whose locks would nest in hand-written ones, in a function's body."""
    if any(visit.locks for copy in copies for visit in copy.all_visits()):
        _Checker(plans, copies, index, relations, sink).block(block, {})


class _Checker:
    def __init__(
        self,
        plans: Mapping[ast.stmt, StatementPlan],
        copies: Sequence[FunctionAccesses],
        index: SyntaxIndex,
        relations: Relations,
        sink: Sink,
    ) -> None:
        self.plans = plans
        self.copies = copies
        self.index = index
        self.relations = relations
        self.sink = sink

    def block(self, block: Sequence[ast.stmt], held: Held) -> None:
        for statement in block:
            plan = self.plans.get(statement)
            if plan is not None and held:
                for item in (*plan.items, *(i for hoist in plan.hoists for i in hoist.items)):
                    self._check(item, held)
            for lock in self._locks(statement):
                for number in self._ids(lock):
                    if lock.stmt.acquire:
                        held[number] = lock.stmt.span
                    else:
                        held.pop(number, None)
            for name in ("body", "orelse"):
                inner = getattr(statement, name, None)
                if isinstance(inner, list) and not isinstance(statement, ast.FunctionDef | ast.ClassDef):
                    self.block(inner, held if isinstance(statement, ast.With) else dict(held))

    def _locks(self, statement: ast.stmt) -> list[HandLock]:
        if not isinstance(statement, ast.Expr):
            return []
        place = self.index.place(statement)
        return [lock for copy in self.copies for visit in copy.visits.get(place, ()) for lock in visit.locks]

    def _ids(self, lock: HandLock) -> set[int]:
        """The ids that a lock certainly means."""
        if isinstance(lock.stmt.id, ir.Const):
            return {int(lock.stmt.id.value)}
        sets = [set(self.relations.table.of(origin, slot)) for origin, slot in lock.slots]
        return set.intersection(*sets) if sets else set()

    def _check(self, item: LockItem, held: Held) -> None:
        use = item.uses[0]
        ids = {item.number} if item.number is not None else self.relations.ids(use.touch)
        for number in sorted(ids & held.keys()):
            self.sink.add(
                make(
                    "PTO1511",
                    use.touch.call or use.touch.span,
                    labels=[Label(held[number], "held from here")],
                    operation=item.operation,
                    number=number,
                )
            )
