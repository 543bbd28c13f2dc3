"""Where locks begin and end: around each operation, or over a run of operations of one pipe.

In: the plans of a function's statements, block by block.  Out: `Region`s: acquire before the first statement, release
after the last one.  Within straight-line code an unlock followed by a lock of the same tile on the same pipe is left
out when nothing between them can hold one of its ids; the next holder then waits for the same release as before.  A
region never crosses a branch, a loop, a helper call, a sync operation, or an assignment that changes what its text
means.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from ptopro.expand.mutex_plan import FunctionPlanner, LockItem, StatementPlan
from ptopro.expand.mutex_relations import Relation


@dataclass(slots=True, eq=False)
class Region:
    """One lock: held from before `first` to after `last`.  items: the lock items it serves."""

    first: ast.stmt
    last: ast.stmt
    items: list[LockItem] = field(default_factory=list)

    @property
    def item(self) -> LockItem:
        return self.items[0]


def blocks_of(function: ast.FunctionDef) -> Iterator[list[ast.stmt]]:
    """Every block of a function, outer ones first; nested functions have their own."""
    todo: list[list[ast.stmt]] = [function.body]
    while todo:
        block = todo.pop(0)
        yield block
        for statement in block:
            if isinstance(statement, ast.FunctionDef | ast.ClassDef):
                continue
            todo.extend(
                part
                for name in ("body", "orelse", "finalbody")
                if isinstance(part := getattr(statement, name, None), list) and part
            )


def regions(
    function: ast.FunctionDef,
    plans: Mapping[ast.stmt, StatementPlan],
    planner: FunctionPlanner,
    coalesce: bool,
) -> tuple[list[Region], int]:
    """The locks of a function and the number of pairs that coalescing saved."""
    found: list[Region] = []
    for block in blocks_of(function):
        found.extend(_block_regions(block, plans, planner, coalesce))
    return found, sum(len(region.items) - 1 for region in found)


def _block_regions(
    block: Sequence[ast.stmt],
    plans: Mapping[ast.stmt, StatementPlan],
    planner: FunctionPlanner,
    coalesce: bool,
) -> list[Region]:
    found: list[Region] = []
    held: dict[tuple[str, str], Region] = {}
    for statement in block:
        plan = plans.get(statement)
        if not coalesce or isinstance(statement, _COMPOUND) or (plan is not None and plan.fence):
            held.clear()
        if plan is not None:
            for hoist in plan.hoists:
                for item in hoist.items:
                    held.pop(item.key, None)  # a lock of its own, around the temporary
                    _end_clashing(held, item, planner)
            _end_named(held, {name for _, name in plan.named}, moves_cursor=bool(plan.named))
            for item in plan.items:
                open_region = held.get(item.key)
                _end_clashing(held, item, planner)
                if open_region is not None and held.get(item.key) is open_region:
                    open_region.last = statement
                    open_region.items.append(item)
                else:
                    held[item.key] = Region(statement, statement, [item])
                    found.append(held[item.key])
        if held:
            _end_named(held, *_changes(statement))
        if plan is not None and plan.fence:
            held.clear()
    return found


_COMPOUND = (ast.If, ast.For, ast.While, ast.With, ast.Try, ast.FunctionDef, ast.ClassDef, ast.Match)


def _end_clashing(held: dict[tuple[str, str], Region], item: LockItem, planner: FunctionPlanner) -> None:
    """End the regions that may hold an id of `item`, other than a region of the very same lock."""
    for key, region in list(held.items()):
        if key == item.key:
            continue
        if _may_meet(region.item, item, planner):
            del held[key]


def _may_meet(a: LockItem, b: LockItem, planner: FunctionPlanner) -> bool:
    """Whether two items may hold one id at the same time."""
    if a.number is None and b.number is None:
        return planner.relation(a.uses, b.uses, one_statement=False) is not Relation.DISJOINT
    return bool(_carries(a, planner) & _carries(b, planner))


def _carries(item: LockItem, planner: FunctionPlanner) -> set[int]:
    if item.number is not None:
        return {item.number}
    return {number for use in item.uses for number in planner.relations.ids(use.touch)}


def _end_named(held: dict[tuple[str, str], Region], names: set[str], moves_cursor: bool) -> None:
    """End the regions whose text means something else once `names` are assigned (or a cursor moves)."""
    for key, region in list(held.items()):
        if region.item.names & names or (moves_cursor and not region.item.simple):
            del held[key]


def _changes(statement: ast.stmt) -> tuple[set[str], bool]:
    """The names that a statement assigns, and whether it may move a cursor or store into an aggregate."""
    names: set[str] = set()
    values = False
    for node in ast.walk(statement):
        if isinstance(node, ast.Name):
            if not isinstance(node.ctx, ast.Load):
                names.add(node.id)
        elif isinstance(node, ast.Attribute):
            values |= node.attr == "next" or not isinstance(node.ctx, ast.Load)
        elif isinstance(node, ast.Subscript):
            values |= not isinstance(node.ctx, ast.Load)
    return names, values
