"""`phase=` on an accumulator: the unit flag orders matrix unit and store, if all operations of the tile have a phase.

In: the accesses of the cube half.  Out: diagnostics for tiles on which only some operations have a phase (the others
neither lock nor wait for the flag: they hang or read unfinished data), and for phases that never become Final.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from ptopro.diagnostics import Label, Sink, make
from ptopro.expand.mutex_accesses import FunctionAccesses, Touch
from ptopro.expand.mutex_overlap import Declaration, IdTable
from ptopro.language.enums import PipeType
from ptopro.lowering import ir

PHASES = ("Partial", "Final")


def check_phases(accesses: Sequence[FunctionAccesses], table: IdTable, sink: Sink) -> None:
    """Report mixed and unfinished phases."""
    touches: dict[Declaration, list[Touch]] = defaultdict(list)
    for access in accesses:
        for touch in access.touches():
            if touch.memory != "Acc":
                continue
            declared = {d for origin, _ in touch.slots if (d := table.declaration(origin)) is not None}
            for declaration in declared:
                touches[declaration].append(touch)
    wrong = {declaration for declaration, found in touches.items() if not _check_tile(declaration, found, sink)}
    for access in accesses:
        _check_order(access.function.body, {d.name for d in wrong}, sink)


def _check_tile(declaration: Declaration, touches: list[Touch], sink: Sink) -> bool:
    """Whether the operations of a tile agree on phases and end with Final."""
    phased = [t for t in touches if t.phase in PHASES]
    plain = [t for t in touches if t.phase not in PHASES]
    if not phased:
        return True
    if plain:
        sink.add(
            make(
                "PTO1504",
                plain[0].call,
                labels=[Label(phased[0].call, f"{phased[0].operation} has phase={phased[0].phase}")]
                if phased[0].call
                else [],
                tile=declaration.name,
                operation=plain[0].operation,
                other=phased[0].operation,
            )
        )
        return False
    good = True
    for products in (True, False):
        side = [t for t in phased if (t.pipe is PipeType.M) is products]
        if side and not any(t.phase == "Final" for t in side):
            sink.add(make("PTO1505", side[-1].call, tile=declaration.name, operation=side[-1].operation))
            good = False
    return good


def _check_order(block: ir.Block, wrong: set[str], sink: Sink) -> None:
    """In straight-line code the last matmul before a store must be Final (tiles that are wrong anyway apart)."""
    last: dict[ir.Origin | ir.TileVar, ir.Operate] = {}
    for stmt in block:
        if isinstance(stmt, ir.If | ir.For | ir.While):
            last = {}
            for inner in (stmt.then, stmt.other) if isinstance(stmt, ir.If) else (stmt.body,):
                _check_order(inner, wrong, sink)
            continue
        if isinstance(stmt, ir.BindTile | ir.Advance | ir.CallStmt):
            last = {}
            continue
        if not isinstance(stmt, ir.Operate) or not stmt.operation.phase_unlocks_acc:
            continue
        for use in stmt.operands:
            key = _tile_key(use.value)
            if key is None or ir.spec_of(use.value).memory.name != "Acc":  # type: ignore[arg-type]
                continue
            if stmt.pipe is PipeType.M:
                last[key] = stmt
            elif key in last and getattr(last[key].get("phase"), "name", "") == "Partial":
                product = last[key]
                tile = next(iter(ir.origins_of(use.value))).name  # type: ignore[arg-type]
                if tile in wrong:
                    continue
                sink.add(
                    make(
                        "PTO1505",
                        product.call or product.span,
                        labels=[Label(stmt.call or stmt.span, "the store waits for Final")],
                        tile=tile,
                        operation=product.operation.name,
                    )
                )


def _tile_key(value: object) -> ir.Origin | ir.TileVar | None:
    if isinstance(value, ir.TileRef):
        return value.decl
    if isinstance(value, ir.TileVarRef):
        return value.var
    if isinstance(value, ir.SlotRef):
        static = ir.static_slot(value)
        return value.group if static is not None and value.group.depth == 1 else None
    return None
