"""Mutants of an expanded kernel: its text with one piece of synchronisation removed or changed.

In: the text that expand wrote (or an author who orders the cores by hand).  Out: `Mutant`s, in the order of the text.

    lock pair    a mutex_lock and the mutex_unlock that follows it in the same block of statements
    lock id      the id of such a pair, where the text gives it as a number
    set, wait    a flag of a loop
    credit       a set before the loop ("slot is free") or the wait after it that takes it back
    barrier      sync_all, bar_*, mem_bar
    event id     the id of one set or wait, one higher
    modulus      how many slots an index walks through, one more and one less
    slots        how many tiles a group has, one more and one less
    ring         how many tasks the ring of travelling values holds, one less
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

SETS = ("set_cross_core", "sync_src")
WAITS = ("wait_cross_core", "sync_dst")
BARRIERS = ("mem_bar", "sync_all", "bar_all", "bar_m", "bar_mte1", "bar_mte2", "bar_mte3", "bar_fix")
LOCK, UNLOCK = "mutex_lock", "mutex_unlock"
FREE_ID = 31  # no sample uses this lock


@dataclass(frozen=True)
class Mutant:
    """line: of the expanded text; source: what stands there; change: what the mutant does to it; text: the mutant."""

    kind: str
    line: int
    source: str
    change: str
    text: str


@dataclass(frozen=True)
class _Edit:
    """Characters of one line (both from 0) and what replaces them."""

    row: int
    start: int
    end: int
    new: str


def mutants_of(text: str) -> list[Mutant]:
    lines = text.splitlines()
    tree = ast.parse(text)
    found: list[tuple[str, int, str, list[_Edit]]] = []
    for body in _bodies(tree):
        found += _lock_pairs(body, lines)
    for node in _in_order(tree):
        if isinstance(node, ast.Call):
            found += _synchronisation(node, lines, _in_loop(tree, node))
            found += _groups(node)
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod):
            found += _modulus(node, lines)
    found.sort(key=lambda each: each[1])
    return [
        Mutant(kind, row + 1, lines[row].strip(), change, _edited(lines, edits)) for kind, row, change, edits in found
    ]


def _edited(lines: list[str], edits: list[_Edit]) -> str:
    changed = list(lines)
    for edit in sorted(edits, key=lambda e: (e.row, e.start), reverse=True):
        line = changed[edit.row]
        changed[edit.row] = line[: edit.start] + edit.new + line[edit.end :]
    return "\n".join(changed) + "\n"


def _bodies(tree: ast.AST) -> Iterator[list[ast.stmt]]:
    for node in ast.walk(tree):
        for name in ("body", "orelse"):
            body = getattr(node, name, None)
            if isinstance(body, list):
                yield body


def _in_order(tree: ast.AST) -> list[ast.expr]:
    nodes = [node for node in ast.walk(tree) if isinstance(node, ast.expr)]
    return sorted(nodes, key=lambda node: (node.lineno, node.col_offset))


def _name(node: ast.AST) -> str:
    if isinstance(node, ast.Expr):
        node = node.value
    return node.func.attr if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) else ""


def _removed(statement: ast.stmt | ast.expr, lines: list[str]) -> _Edit:
    """`pass` in place of a statement of one line."""
    assert statement.lineno == statement.end_lineno
    return _Edit(statement.lineno - 1, statement.col_offset, len(lines[statement.lineno - 1]), "pass")


def _replaced(node: ast.expr, new: str) -> _Edit:
    assert node.lineno == node.end_lineno and node.end_col_offset is not None
    return _Edit(node.lineno - 1, node.col_offset, node.end_col_offset, new)


def _lock_pairs(body: list[ast.stmt], lines: list[str]) -> Iterator[tuple[str, int, str, list[_Edit]]]:
    for index, statement in enumerate(body):
        if _name(statement) != LOCK:
            continue
        lock = statement.value  # type: ignore[attr-defined]
        key = [ast.dump(keyword) for keyword in lock.keywords]
        unlock = next(
            other
            for other in body[index + 1 :]
            if _name(other) == UNLOCK and [ast.dump(k) for k in other.value.keywords] == key  # type: ignore[attr-defined]
        )
        row = statement.lineno - 1
        yield "lock pair", row, "removed, with its unlock", [_removed(statement, lines), _removed(unlock, lines)]
        value = lock.keywords[-1].value
        if lock.keywords[-1].arg == "mutex_id" and isinstance(value, ast.Constant):
            other = unlock.value.keywords[-1].value  # type: ignore[attr-defined]
            yield "lock id", row, f"id {FREE_ID}", [_replaced(value, str(FREE_ID)), _replaced(other, str(FREE_ID))]


def _synchronisation(call: ast.Call, lines: list[str], in_loop: bool) -> Iterator[tuple[str, int, str, list[_Edit]]]:
    name, row = _name(call), call.lineno - 1
    if name in BARRIERS:
        yield "barrier", row, "removed", [_removed(call, lines)]
    if name not in SETS + WAITS:
        return
    kind = "credit" if not in_loop else "set" if name in SETS else "wait"
    yield kind, row, "removed", [_removed(call, lines)]
    event = next(keyword.value for keyword in call.keywords if keyword.arg == "event_id")
    yield "event id", row, "one higher", [_replaced(event, f"({ast.unparse(event)}) + 1")]


def _in_loop(tree: ast.AST, node: ast.expr) -> bool:
    return any(
        isinstance(loop, ast.For) and loop.lineno <= node.lineno <= (loop.end_lineno or 0) for loop in ast.walk(tree)
    )


def _groups(call: ast.Call) -> Iterator[tuple[str, int, str, list[_Edit]]]:
    if _name(call) == "struct_array" and isinstance(call.args[0], ast.Constant):
        size = call.args[0]
        if isinstance(size.value, int) and size.value > 1:
            yield "ring", size.lineno - 1, "one task less", [_replaced(size, str(size.value - 1))]
    if _name(call) != "make_tile_group":
        return
    lists = {k.arg: k.value for k in call.keywords if isinstance(k.value, ast.List)}
    ids = lists.get("mutex_ids")
    if ids is None:
        return
    row = ids.lineno - 1

    def with_count(count: int) -> list[_Edit]:
        edits = []
        for name, value in lists.items():
            items = [ast.unparse(item) for item in value.elts][:count]
            items += [str(FREE_ID) if name == "mutex_ids" else "15"] * (count - len(items))
            edits.append(_replaced(value, f"[{', '.join(items)}]"))
        return edits

    if len(ids.elts) > 1:
        yield "slots", row, "one slot less", with_count(len(ids.elts) - 1)
    yield "slots", row, "one slot more", with_count(len(ids.elts) + 1)


def _modulus(node: ast.BinOp, lines: list[str]) -> Iterator[tuple[str, int, str, list[_Edit]]]:
    """Of the index of a task: `_pl_task % 2`, `task % 2`."""
    if not isinstance(node.right, ast.Constant) or not isinstance(node.right.value, int):
        return
    if "task" not in ast.unparse(node.left) and "_pl_" not in ast.unparse(node.left):
        return
    size = node.right.value
    for new, word in ((size + 1, "more"), (size - 1, "less")):
        if new > 0:
            yield (
                "modulus",
                node.lineno - 1,
                f"% {size} at {node.col_offset}: one {word}",
                [_replaced(node.right, str(new))],
            )
