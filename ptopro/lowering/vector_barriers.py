"""Loads of a vector function behind a store to the same place, with no vf.mem_bar between them.

In: the body of a vector function.  Out: pairs (load, store).  Loads and stores of vector registers may overtake each
other; the pairs found here certainly meet, whatever the run: same pointer, same offset, one after the other.  What only
numbers can tell (other offsets, other rounds of a loop) is seen by `ptopro check`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from ptopro.language.enums import DataCopyMode, MemBarMode
from ptopro.lowering import ir, vf_ir

_ORDERING = (MemBarMode.VST_VLD, MemBarMode.VV_ALL)
Place: TypeAlias = "tuple[vf_ir.UbPointer, object, object]"  # pointer, its offset, that of the access


def loads_behind_stores(block: ir.Block) -> list[tuple[vf_ir.RegisterOp, vf_ir.RegisterOp]]:
    """Each load with the store that it may overtake, in order."""
    return list(_walk(block, {}))


def _walk(
    block: ir.Block, stored: dict[Place, vf_ir.RegisterOp]
) -> Iterator[tuple[vf_ir.RegisterOp, vf_ir.RegisterOp]]:
    """stored: what was stored since the last barrier; changed as the block goes on."""
    for stmt in block:
        match stmt:
            case vf_ir.RegisterOp():
                yield from _operation(stmt, stored)
            case vf_ir.CopyRegister():
                pass
            case vf_ir.MovePointer() | vf_ir.PointTo():
                _forget(stored, [place for place in stored if place[0] is stmt.pointer])
            case ir.If():
                yield from _walk(stmt.then, dict(stored))
                yield from _walk(stmt.other, dict(stored))
                stored.clear()  # one side may hold a barrier
            case ir.For() | ir.While():
                stored.clear()
                yield from _walk(stmt.body, {})
            case _:
                _forget(stored, [place for place in stored if not _is_constant(place)])


def _operation(
    stmt: vf_ir.RegisterOp, stored: dict[Place, vf_ir.RegisterOp]
) -> Iterator[tuple[vf_ir.RegisterOp, vf_ir.RegisterOp]]:
    name = stmt.operation.name
    if name == "vf.mem_bar":
        if stmt.get("mode") in (None, *_ORDERING):
            stored.clear()
        return
    if name not in ("vf.load_align", "vf.store_align"):
        return
    place = _place(stmt, "src" if name == "vf.load_align" else "dst")
    if place is None:
        return
    if name == "vf.store_align":
        stored[place] = stmt
    elif place in stored:
        yield stmt, stored[place]


def _place(stmt: vf_ir.RegisterOp, operand: str) -> Place | None:
    """Where an access begins; None when a cursor, an address register or strides say."""
    address, offset = stmt.get(operand), stmt.get("offset")
    plain = stmt.get("post_update") is not True and stmt.get("data_copy_mode") in (None, DataCopyMode.NORM)
    if not plain or not isinstance(address, vf_ir.UbAddress):
        return None
    if isinstance(offset, vf_ir.Register | vf_ir.RegisterAs | tuple):
        return None
    return address.pointer, _number(address.offset), _number(offset)


def _number(expr: object) -> object:
    """What decides an offset: equal ones are one number as long as no variable changes.  None: 0."""
    match expr:
        case ir.Const():
            return expr.value or None
        case ir.VarRef():
            return expr.var
        case ir.Binary():
            return expr.op, _number(expr.left), _number(expr.right)
        case _:
            return expr


def _is_constant(place: Place) -> bool:
    return all(part is None or isinstance(part, int) for part in place[1:])


def _forget(stored: dict[Place, vf_ir.RegisterOp], places: list[Place]) -> None:
    for place in places:
        del stored[place]
