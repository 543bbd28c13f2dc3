"""What an operation does with each of its tiles and tensors: the role that the operation table gives the operand."""

from __future__ import annotations

from collections.abc import Iterator

from ptopro.expand.mutex_accesses import _views as operand_views
from ptopro.language.operations.model import Role
from ptopro.lowering import ir

TILES = (ir.TileRef, ir.SlotRef, ir.TileVarRef, ir.SubView, ir.ChooseTile)


def operand_roles(stmt: ir.Operate) -> Iterator[tuple[ir.OperandUse, Role, bool]]:
    """Each operand whose data is read or written, its role, and whether the unit flag orders the access."""
    operation = stmt.operation
    phase = getattr(stmt.get("phase"), "name", "Unspecified")
    views: dict[str, object] | None = None
    for use in stmt.operands:
        tensor = isinstance(use.value, ir.TensorDecl)
        if not tensor and not isinstance(use.value, TILES):
            continue
        role = operation.operand(use.name).role
        if not role.touches_data:
            continue
        if any(form.roles for form in operation.forms):
            views = operand_views(stmt) if views is None else views
            role = operation.role_for(use.name, views)
        unit = (
            phase != "Unspecified"
            and operation.phase_unlocks_acc
            and not tensor
            and ir.spec_of(use.value).memory.name == "Acc"  # type: ignore[arg-type]
        )
        yield use, role, unit
