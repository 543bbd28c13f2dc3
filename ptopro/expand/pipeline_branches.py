"""What is certain of a branch whose condition is not: what every arm ends with, arms that exclude each other.

In: the accesses of both arms, or two `if`s one behind the other.  Out: accesses that stand for whichever arm runs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, replace

from ptopro.expand.pipeline_model import Access
from ptopro.language.enums import PipeType
from ptopro.lowering import ir
from ptopro.lowering.traversal import EXPRESSIONS

Path = tuple[tuple[int, int], ...]  # the branches and loops around: (number, branch)
_OPPOSITE = {("==", "!="), ("!=", "=="), ("<", ">="), (">=", "<"), (">", "<="), ("<=", ">")}


def joints(accesses: Sequence[Access], path: Path, number: int) -> Iterator[list[Access]]:
    """For each pipe on which both arms of branch `number` end with the same slots: these, held whichever arm runs."""
    then, other = (last_operations(accesses, (*path, (number, arm))) for arm in (1, 0))
    for pipe, held in then.items():
        in_both = {(a.buffer, a.rule, a.ordered_by_unit) for a in other.get(pipe, ()) if a.rule.kind != "unknown"}
        found = [
            replace(a, reads=False, writes=False, conditional=bool(path), first_of_round=False, path=path)
            for a in held
            if (a.buffer, a.rule, a.ordered_by_unit) in in_both
        ]
        if found:
            yield found


def last_operations(accesses: Sequence[Access], path: Path) -> dict[PipeType, list[Access]]:
    """By pipe: what the last operation of an arm touches, where it is certain to run when the arm does."""
    found: dict[PipeType, list[Access]] = {}
    for access in sorted(accesses, key=lambda a: a.order):
        if access.path[: len(path)] == path:
            known = found.setdefault(access.pipe, [])
            if known and known[0].order != access.order:
                known.clear()
            known.append(access)
    return {pipe: [a for a in last if a.path == path] for pipe, last in found.items()}


def exclusive(one: ir.If, two: ir.If, starts: Mapping[ir.Var, int]) -> bool:
    """Whether of two ifs without else, one behind the other, exactly one is taken: `if i == 0:` and `if i > 0:`.

    starts: variables that count up, and from where.
    """
    if one.other or two.other or any(isinstance(s, ir.Assign) for s in ir.walk(one.then)):
        return False
    test, following = one.test, two.test
    if not isinstance(test, ir.Binary) or not isinstance(following, ir.Binary):
        return False
    if not same_value(test.left, following.left):
        return False
    if same_value(test.right, following.right) and (test.op, following.op) in _OPPOSITE:
        return True
    return (
        is_first(test, starts)
        and isinstance(test.left, ir.VarRef)
        and isinstance(following.right, ir.Const)
        and (following.op, following.right.value - starts[test.left.var]) in ((">", 0), (">=", 1), ("!=", 0))
    )


def is_first(test: ir.Expr, starts: Mapping[ir.Var, int]) -> bool:
    """Whether a test is true in the first task of a round only: `ki == 0`."""
    if not (isinstance(test, ir.Binary) and test.op == "=="):
        return False
    for one, two in ((test.left, test.right), (test.right, test.left)):
        if isinstance(one, ir.VarRef) and isinstance(two, ir.Const) and starts.get(one.var) == two.value:
            return True
    return False


def same_value(one: object, two: object) -> bool:
    """Whether two expressions are the same but for where they are written."""
    if type(one) is not type(two):
        return False
    if not isinstance(one, EXPRESSIONS):
        return one == two
    names = [f.name for f in fields(one) if f.name not in ("span", "source")]
    return all(same_value(getattr(one, name), getattr(two, name)) for name in names)
