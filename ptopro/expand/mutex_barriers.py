"""Transfers of one MTE pipe into the same bytes: locks order pipes, so these need a barrier of the pipe.

In: a block's statements and what they touch.  Out: the statements that need `pl.system.bar_<pipe>()` before them, each
with the reason.  Only what is certain: same slot (or certainly overlapping bytes and windows), nothing in between that
could have ordered the two.  Transfers start in order but overlap in flight; the other pipes work strictly in order.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ptopro.expand.mutex_accesses import ALL, FunctionAccesses, Touch, Visit, Window
from ptopro.expand.mutex_relations import Relations
from ptopro.expand.syntax_index import SyntaxIndex
from ptopro.language.enums import PipeType

TRANSFERS = (PipeType.MTE1, PipeType.MTE2, PipeType.MTE3)


def barriers(
    block: Sequence[ast.stmt],
    copies: Sequence[FunctionAccesses],
    index: SyntaxIndex,
    relations: Relations,
) -> dict[ast.stmt, tuple[PipeType, str]]:
    """Statement -> (pipe, hazard) for the barriers that a block needs in any of its copies."""
    found: dict[ast.stmt, tuple[PipeType, str]] = {}
    for copy in copies:
        visits = {statement: copy.visits.get(index.place(statement), []) for statement in block}
        _scan(block, visits, relations, found)
    return found


def _scan(
    block: Sequence[ast.stmt],
    visits: Mapping[ast.stmt, Sequence[Visit]],
    relations: Relations,
    found: dict[ast.stmt, tuple[PipeType, str]],
) -> None:
    pending: list[_Transfer] = []
    for statement in block:
        here = visits[statement]
        plain = isinstance(statement, ast.Expr | ast.Assign | ast.AnnAssign | ast.AugAssign | ast.Pass)
        if not plain or len(here) > 1 or any(visit.fence for visit in here):
            pending = []
            continue
        touches = [touch for visit in here for touch in visit.touches]
        for touch in touches:
            hazard = next((h for before in pending if (h := _hazard(before.touch, touch, relations))), None)
            if hazard is not None:
                found[statement] = (touch.pipe, hazard)
                pending = [before for before in pending if before.touch.pipe is not touch.pipe]
        for touch in touches:
            ids = relations.ids(touch)
            pending = [b for b in pending if touch.pipe is b.touch.pipe or not b.released & ids]
            for before in pending:
                if touch.pipe is before.touch.pipe:
                    before.released |= ids
        pending.extend(
            _Transfer(touch, set(ids)) for touch in touches if touch.pipe in TRANSFERS and (ids := relations.ids(touch))
        )


@dataclass(slots=True)
class _Transfer:
    """A transfer that may still be in flight.

    released: ids that its pipe has released since; another pipe that takes one of them has waited for the transfer.
    """

    touch: Touch
    released: set[int]


def _hazard(before: Touch, touch: Touch, relations: Relations) -> str | None:
    """WAW, RAW or WAR when two transfers of one pipe certainly meet."""
    if before.pipe is not touch.pipe or not (before.writes or touch.writes):
        return None
    if not (relations.same_slot(before, touch, moment=True) or _certain_overlap(before, touch, relations)):
        return None
    if not _windows_meet(before.window, touch.window):
        return None
    return ("W" if touch.writes else "R") + "A" + ("W" if before.writes else "R")


def _certain_overlap(a: Touch, b: Touch, relations: Relations) -> bool:
    """Whether two different declarations overlap in whichever slot they are."""
    if a.memory != b.memory or a.window is not None or b.window is not None:
        return False
    ranges = []
    for touch in (a, b):
        origins = [(relations.table.declaration(origin), slot) for origin, slot in touch.slots]
        ranges.append([d.bytes_of(slot) for d, slot in origins if d is not None])
    return bool(ranges[0] and ranges[1]) and all(x[0] < y[1] and y[0] < x[1] for x in ranges[0] for y in ranges[1])


def _windows_meet(a: Window | None, b: Window | None) -> bool:
    """Whether two windows of one tile certainly share an element; None is the whole tile."""
    whole = (0, ALL, 0, ALL)
    one, two = a or whole, b or whole
    return max(one[0], two[0]) < min(one[1], two[1]) and max(one[2], two[2]) < min(one[3], two[3])
