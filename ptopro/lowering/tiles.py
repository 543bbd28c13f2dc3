"""Tiles and tile groups: declarations with their addresses and lock ids, and the slots of a group.

In: `pl.make_tile` and `pl.make_tile_group` calls, whose arguments are all known at compile time.  Out: `TileDecl`s and
`GroupDecl`s.  Alignment, capacity and layout are checked by `ptopro.language.layouts`, on the numbers.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from ptopro.diagnostics import Label, Severity
from ptopro.diagnostics.catalogue import lookup
from ptopro.language.hardware import CHIPS, CROSS_CORE_EVENT_ID_MAX, MUTEX_ID_MAX
from ptopro.language.layouts import address_problems, footprint, resolve, slot_addresses, type_problems
from ptopro.language.operations.model import Problem
from ptopro.language.tiles import TileSpec
from ptopro.lowering import ir, scalars
from ptopro.lowering.arguments import MISSING_VALUE, Given, compile_time, take
from ptopro.lowering.context import plain_value
from ptopro.lowering.values import (
    UNKNOWN,
    GroupValue,
    MethodValue,
    TileValue,
    Unknown,
    Value,
    kind_name,
)

if TYPE_CHECKING:
    from ptopro.lowering.context import Frame


def make_tile(frame: Frame, node: ast.Call) -> Value:
    """pl.make_tile(tile_type, *, addr, size=None, mutex_ids=None)."""
    given = take(frame, node, "make_tile")
    if given is None:
        return UNKNOWN
    spec = _spec(frame, given["tile_type"])
    addr = compile_time(frame, given.get("addr"), int)
    size = compile_time(frame, given.get("size"), int)
    ids = _ids(frame, given.get("mutex_ids"), 1)
    if spec is None or ids is None or isinstance(addr, Unknown | None) or isinstance(size, Unknown):
        return UNKNOWN
    chip = CHIPS[frame.lowering.target.chip]
    if not _report(frame, node, given, address_problems(spec, (addr,), chip, size, "addr")):
        return UNKNOWN
    decl = ir.TileDecl(
        "", spec, addr, ids[0] if ids else (), frame.stmt_span, frame.span(node), max(size or 0, footprint(spec))
    )
    frame.emit(ir.DeclareTile(frame.stmt_span, decl))
    return TileValue(ir.TileRef(decl, frame.span(node)))


def make_tile_group(frame: Frame, node: ast.Call) -> Value:
    """pl.make_tile_group(*, type, addrs, mutex_ids=None, depth=None, fwd_ids=None, bwd_ids=None)."""
    given = take(frame, node, "make_tile_group")
    if given is None:
        return UNKNOWN
    spec = _spec(frame, given["type"])
    addrs = _addresses(frame, given["addrs"])
    depth = _depth(frame, given)
    if depth is None and isinstance(addrs, list) and "mutex_ids" not in given:
        depth = len(addrs)
    if spec is None or addrs is None or isinstance(depth, Unknown):
        return UNKNOWN
    ids = _ids(frame, given.get("mutex_ids"), depth)
    events = [_events(frame, given.get(name), depth or 1) for name in ("fwd_ids", "bwd_ids")]
    if ids is None or events[0] is None or events[1] is None:
        return UNKNOWN
    if depth is None:
        frame.report("PTO1350", node)
        return UNKNOWN
    if isinstance(addrs, int):
        slots = slot_addresses(spec, addrs, depth)
    else:
        slots = tuple(addrs)
        if len(slots) != depth:
            frame.report("PTO1351", given["addrs"].node, addresses=len(slots), depth=depth)
            return UNKNOWN
    chip = CHIPS[frame.lowering.target.chip]
    if not _report(frame, node, given, address_problems(spec, slots, chip, operand="addrs")):
        return UNKNOWN
    decl = ir.GroupDecl("", spec, slots, ids, events[0], events[1], frame.stmt_span, frame.span(node), footprint(spec))
    frame.emit(ir.DeclareGroup(frame.stmt_span, decl))
    return GroupValue(decl)


def _report(frame: Frame, node: ast.Call, given: Mapping[str, Given], problems: Iterable[Problem]) -> bool:
    """Report what is wrong with a declaration; whether it can be used all the same (warnings only)."""
    good = True
    for problem in problems:
        good = good and lookup(problem.code).severity is not Severity.ERROR
        at = given.get(problem.operand)
        labels = () if at is None else (Label(frame.span(at.node), problem.operand),)
        facts: dict[str, Any] = dict(problem.facts)
        frame.report(problem.code, node, labels=labels, **facts)
    return good


def _spec(frame: Frame, given: Given) -> TileSpec | None:
    """The tile type with the chip's defaults; None after a report."""
    spec = compile_time(frame, given, TileSpec)
    if spec is None or isinstance(spec, Unknown):
        if spec is None:
            frame.report("PTO1267", given.node, text=frame.text(given.node), expected="a pl.TileType", found="None")
        return None
    chip = CHIPS[frame.lowering.target.chip]
    good = True
    for problem in type_problems(spec, chip):
        good = False
        facts: dict[str, Any] = dict(problem.facts)
        frame.report(problem.code, given.node, **facts)
    return resolve(spec, chip) if good else None


def _addresses(frame: Frame, given: Given) -> int | list[int] | None:
    """One address, or one for each slot."""
    plain = plain_value(given.value)
    if isinstance(plain, int) and not isinstance(plain, bool):
        return plain
    if isinstance(plain, list | tuple) and plain and all(type(a) is int for a in plain):
        return list(plain)
    frame.report(
        "PTO1267", given.node, text=frame.text(given.node),
        expected="a compile-time address, or a list of one for each slot", found=kind_name(given.value),
    )  # fmt: skip
    return None


def _depth(frame: Frame, given: Mapping[str, Given]) -> int | Unknown | None:
    """The number of slots: `depth=`, else one for each entry of `mutex_ids=`."""
    depth = compile_time(frame, given.get("depth"), int)
    if isinstance(depth, Unknown):
        return depth
    if depth is not None and depth < 1:
        frame.report("PTO1352", given["depth"].node, depth=depth)
        return UNKNOWN
    ids = plain_value(given["mutex_ids"].value) if "mutex_ids" in given else None
    if isinstance(ids, list | tuple) and ids:
        if depth is not None and depth != len(ids):
            frame.report("PTO1353", given["mutex_ids"].node, ids=len(ids), depth=depth)
            return UNKNOWN
        return len(ids)
    return depth


def _ids(frame: Frame, given: Given | None, depth: int | None) -> tuple[tuple[int, ...], ...] | None:
    """The lock ids of each slot, () when there are none; None after a report."""
    if given is None:
        return ()
    plain = plain_value(given.value)
    if plain is None or plain in ([], ()):
        return ()
    if plain == "auto":  # expand chooses them; without auto_mutex nothing would
        return ((ir.AUTO_ID,),) * (depth or 1) if frame.lowering.kernel.options.auto_mutex else ()
    problem = ""
    slots: list[tuple[int, ...]] = []
    if plain is MISSING_VALUE or not isinstance(plain, list | tuple):
        problem = "they must be a compile-time list with the ids of each slot"
    else:
        entries = [plain] if depth == 1 and len(plain) > 1 and all(type(e) is int for e in plain) else plain
        for entry in entries:
            slot = tuple(entry) if isinstance(entry, list | tuple) else (entry,)
            if not slot or not all(type(i) is int and 0 <= i <= MUTEX_ID_MAX for i in slot):
                problem = f"{entry!r} is not an id from 0 to {MUTEX_ID_MAX}"
            elif len(set(slot)) != len(slot):
                problem = f"{entry!r} names an id twice"
            elif slots and len(slot) != len(slots[0]):
                problem = "every slot must have the same number of ids"
            slots.append(slot)
    if problem:
        frame.report("PTO1354", given.node, problem=problem)
        return None
    return tuple(slots)


def _events(frame: Frame, given: Given | None, depth: int) -> tuple[int, ...] | None:
    """fwd_ids or bwd_ids: cross-core events, one for each slot or one for all."""
    if given is None:
        return ()
    plain = plain_value(given.value)
    if plain is None:
        return ()
    high = CROSS_CORE_EVENT_ID_MAX
    if not isinstance(plain, list | tuple) or not plain or not all(type(i) is int and 0 <= i <= high for i in plain):
        frame.report("PTO1355", given.node, high=high)
        return None
    if len(plain) not in (1, depth):
        frame.report("PTO1356", given.node, given=len(plain), depth=depth)
        return None
    return tuple(plain)


# --------------------------------------------------------------------------------------------------------------------
# Slots


def group_method(frame: Frame, method: MethodValue, node: ast.Call) -> Value:
    """group.next(), group.current(), group.previous()."""
    assert isinstance(method.owner, GroupValue)
    group = method.owner.decl
    if node.args or node.keywords:
        frame.report("PTO1055", node, name=f"{group.name}.{method.name}")
        return UNKNOWN
    span = frame.span(node)
    if group.depth == 1:
        return TileValue(ir.SlotRef(group, 0, span))
    if method.name == "next" and frame.registers is not None:
        if frame.loops or frame.depth or frame.registers.conditional:
            frame.report("PTO1083", node, name=group.name)
            return UNKNOWN
        from ptopro.lowering.vector_registers import advanced

        return advanced(frame, group)
    if method.name == "next":
        frame.emit(ir.Advance(frame.stmt_span, group))
        return TileValue(ir.SlotRef(group, "current", span), pure=False)
    return TileValue(ir.SlotRef(group, method.name, span))


def group_slot(frame: Frame, owner: GroupValue, index: Value, node: ast.AST) -> Value:
    """group[i]: the cursor is neither read nor moved."""
    group = owner.decl
    expr = scalars.integer(frame, index, node, "a slot number")
    if expr is None:
        return UNKNOWN
    if isinstance(expr, ir.Const):
        if not 0 <= int(expr.value) < group.depth:
            frame.report("PTO1357", node, index=expr.value, name=group.name, depth=group.depth)
            return UNKNOWN
        return TileValue(ir.SlotRef(group, int(expr.value), frame.span(node)))
    if isinstance(expr, ir.Binary) and expr.op == "%" and isinstance(expr.right, ir.Const):
        highest = int(expr.right.value) - 1  # a number that runs on is wrapped further than there are slots
        if highest >= group.depth:
            frame.report("PTO1357", node, index=highest, name=group.name, depth=group.depth)
            return UNKNOWN
    return TileValue(ir.SlotRef(group, expr, frame.span(node)))
