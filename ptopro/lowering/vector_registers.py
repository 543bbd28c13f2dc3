"""Registers while a vector function is lowered: which register a name is, pointers to its tiles, copies.

In: names, and the registers and pointers they are bound to.  Out: `Register`s and `UbPointer`s, and the statements that
copy and move them.  A name is one register for each kind and element type that it holds: assigning to it again writes
the same register, and operations that accumulate find there what it held.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ptopro.diagnostics.span import Span
from ptopro.language.dtypes import DType
from ptopro.language.operations.model import Kind
from ptopro.lowering import ir, vf_ir
from ptopro.lowering.context import plain_name
from ptopro.lowering.values import UNKNOWN, Conflict, RegisterValue, TileValue, UbValue, Value

if TYPE_CHECKING:
    from ptopro.lowering.context import Frame, Loop


@dataclass(slots=True)
class Shared:
    """What a vector function and those inlined into it share.

    prelude: statements that are evaluated when it is called; pointers: to its tiles, by the tile.
    """

    prelude: list[ir.Stmt] = field(default_factory=list)
    pointers: dict[object, vf_ir.UbPointer] = field(default_factory=dict)


class RegisterFile:
    """The registers of one function of register code.

    outer: the loops around the call of an inlined function; conditional: it is called in a loop or branch; expected:
    the call whose results the names are to hold.
    """

    def __init__(self, shared: Shared | None = None, outer: tuple[Loop, ...] = (), conditional: bool = False) -> None:
        self.shared = shared or Shared()
        self.outer = outer
        self.conditional = conditional
        self.expected: tuple[ast.AST, tuple[str, ...]] | None = None
        self._registers: dict[tuple[str, Kind, DType | None], vf_ir.Register] = {}
        self._names: dict[vf_ir.Register, str] = {}
        self._pointers: dict[tuple[str, DType, int], vf_ir.UbPointer] = {}

    def nested(self, frame: Frame) -> RegisterFile:
        """The registers of a function that is inlined in `frame`."""
        conditional = self.conditional or bool(frame.loops) or frame.depth > 0
        return RegisterFile(self.shared, (*self.outer, *frame.loops), conditional)

    def register(self, name: str, kind: Kind, dtype: DType | None, span: Span | None) -> vf_ir.Register:
        """The register that a name is while it holds lanes of a type."""
        key = (name, kind, dtype)
        found = self._registers.get(key)
        if found is None:
            found = self._registers[key] = vf_ir.Register(plain_name(name), kind, dtype, span)
            self._names[found] = name
        return found

    def adopt(self, name: str, register: vf_ir.Register) -> bool:
        """Make a result that has no name the register of one; False where the name has a register of that type."""
        key = (name, register.kind, register.dtype)
        if key in self._registers:
            return False
        register.name = plain_name(name)
        self._registers[key] = register
        self._names[register] = name
        return True

    def owner(self, register: vf_ir.Register) -> str | None:
        """The name that a register belongs to; None for temporaries and registers of a caller."""
        return self._names.get(register)

    def pointer(self, name: str, dtype: DType, columns: int, span: Span | None) -> vf_ir.UbPointer:
        """The pointer variable of a name."""
        key = (name, dtype, columns)
        return self._pointers.setdefault(key, vf_ir.UbPointer(plain_name(name), dtype, columns, span))

    def pointer_owner(self, pointer: vf_ir.UbPointer) -> str | None:
        """The name whose variable a pointer is; None for the pointers to tiles."""
        return next((key[0] for key, mine in self._pointers.items() if mine is pointer), None)

    def expect(self, frame: Frame, call: ast.expr, targets: list[ast.expr]) -> None:
        """Note which names (or members of lists) a call's results are assigned to."""
        from ptopro.lowering.register_lists import member_key

        self.expected = None
        if not isinstance(call, ast.Call) or not targets:
            return
        target = targets[0]
        parts = target.elts if isinstance(target, ast.Tuple | ast.List) else [target]
        keys = [part.id if isinstance(part, ast.Name) else member_key(frame, part) for part in parts]
        if None not in keys:
            self.expected = (call, tuple(key for key in keys if key is not None))

    def take(self, call: ast.Call) -> tuple[str, ...]:
        """The names that the results of this call are assigned to; () when it stands inside an expression."""
        if self.expected is None or self.expected[0] is not call:
            return ()
        names = self.expected[1]
        self.expected = None
        return names


# --------------------------------------------------------------------------------------------------------------------
# Names


def hold_register(frame: Frame, name: str, value: RegisterValue) -> RegisterValue:
    """Let a name hold a register: its own where the value is there already, else by a copy or as another name of it."""
    file = frame.registers
    assert file is not None
    register = value.register
    dtype = value.dtype if value.kind is Kind.REGISTER else None
    if file.owner(register) == name and value.seen_as is None:
        return value
    if not register.name and value.seen_as is None and file.adopt(name, register):
        return value
    source = file.owner(register)
    once = frame.binding_sites(name) <= 1 and (source is None or frame.binding_sites(source) <= 1)
    if once and not frame.loops and value.seen_as is None:
        return value
    mine = file.register(name, value.kind, dtype, frame.stmt_span)
    frame.emit(vf_ir.CopyRegister(frame.stmt_span, mine, register))
    return RegisterValue(mine)


def saved(frame: Frame, value: RegisterValue) -> RegisterValue:
    """The value in a register of its own, which no assignment to a name changes."""
    dtype = value.dtype if value.kind is Kind.REGISTER else None
    copy = vf_ir.Register("old", value.kind, dtype, frame.stmt_span)
    frame.emit(vf_ir.CopyRegister(frame.stmt_span, copy, value.register))
    return RegisterValue(copy)


def join_registers(frame: Frame, name: str, values: list[RegisterValue], span: Span) -> Value:
    """The register that holds one of several, where paths meet."""
    first = values[0]
    if all(v.register is first.register and v.seen_as == first.seen_as for v in values):
        return first
    if any(v.kind is not first.kind or v.dtype != first.dtype for v in values):
        kinds = " or ".join(dict.fromkeys(repr(v.dtype) if v.dtype else "mask" for v in values))
        return Conflict(f"it is a register of different types ({kinds}), depending on the path", span)
    file = frame.registers
    assert file is not None
    return RegisterValue(file.register(name, first.kind, first.dtype, span))


# --------------------------------------------------------------------------------------------------------------------
# Pointers


def ub_value(frame: Frame, value: Value) -> UbValue | None:
    """A tile as a pointer to its elements, None for what is neither."""
    if isinstance(value, UbValue):
        return value
    if isinstance(value, TileValue):
        return UbValue(_base_pointer(frame, value.expr))
    return None


def _base_pointer(frame: Frame, tile: ir.TileExpr) -> vf_ir.UbPointer:
    """The pointer to a tile's first element, made when the function is called where the tile is known then."""
    file = frame.registers
    assert file is not None
    key = _stable_key(tile)
    known = file.shared.pointers.get(key) if key is not None else None
    if known is not None:
        return known
    spec = ir.spec_of(tile)
    pointer = vf_ir.UbPointer(f"{_tile_name(tile)}_ptr", spec.dtype, spec.shape[1], frame.stmt_span)
    stmt = vf_ir.PointTo(frame.stmt_span, pointer, tile)
    if key is not None:
        file.shared.prelude.append(stmt)
        file.shared.pointers[key] = pointer
    elif isinstance(tile, ir.SlotRef) and isinstance(tile.index, str):
        file.shared.prelude.append(stmt)  # where the cursor stands when the function is called
    else:
        frame.emit(stmt)
    return pointer


def advanced(frame: Frame, group: ir.GroupDecl) -> UbValue:
    """`group.next()` in a vector function: the cursor moves when the function is called, and the tile is that one."""
    file = frame.registers
    assert file is not None
    spec = group.spec
    pointer = vf_ir.UbPointer(f"{group.name}_ptr", spec.dtype, spec.shape[1], frame.stmt_span)
    file.shared.prelude.append(ir.Advance(frame.stmt_span, group))
    file.shared.prelude.append(vf_ir.PointTo(frame.stmt_span, pointer, ir.SlotRef(group, "current")))
    return UbValue(pointer)


def _stable_key(tile: ir.TileExpr) -> object | None:
    """A key for tiles that are the same all through the function; None for others."""
    match tile:
        case ir.TileRef():
            return tile.decl
        case ir.SlotRef(index=int()):
            return tile.group, tile.index
        case ir.TileVarRef():
            return tile.var
        case _:
            return None


def _tile_name(tile: ir.TileExpr) -> str:
    match tile:
        case ir.TileRef():
            return tile.decl.name
        case ir.SlotRef():
            return tile.group.name
        case ir.TileVarRef():
            return tile.var.name
        case _:
            return "tile"


def offset_pointer(frame: Frame, value: UbValue, offset: Value, node: ast.AST, *, negative: bool) -> Value:
    """`pointer + offset`, in elements."""
    from ptopro.lowering import scalars

    by = scalars.integer(frame, offset, node, "an offset")
    if by is None:
        return UNKNOWN
    if negative:
        offset = scalars.unary(frame, "-", offset, node)
    if value.offset is not None:
        from ptopro.lowering.values import Scalar

        offset = scalars.binary(frame, "+", Scalar(value.offset), offset, node)
    expr = scalars.integer(frame, offset, node, "an offset")
    return UNKNOWN if expr is None else UbValue(value.pointer, expr)


def hold_pointer(frame: Frame, name: str, value: UbValue) -> UbValue:
    """Let a name hold a pointer: a variable of its own where it points somewhere else than to a tile's beginning."""
    file = frame.registers
    assert file is not None
    source = file.pointer_owner(value.pointer)
    once = frame.binding_sites(name) <= 1 and (source is None or frame.binding_sites(source) <= 1)
    if value.offset is None and once and (source is None or not frame.loops):
        return value
    mine = file.pointer(name, value.pointer.dtype, value.pointer.columns, frame.stmt_span)
    if value.offset is None and value.pointer is mine:
        return value
    frame.emit(vf_ir.MovePointer(frame.stmt_span, mine, vf_ir.UbAddress(value.pointer, value.offset)))
    return UbValue(mine)


def hold_tile(frame: Frame, name: str, value: TileValue) -> Value:
    """Let a name hold a tile: another name of it, or a pointer where the name or the tile may change."""
    if frame.binding_sites(name) <= 1 and _stable_key(value.expr) is not None:
        return value
    return hold_pointer(frame, name, UbValue(_base_pointer(frame, value.expr)))


def join_pointers(frame: Frame, name: str, values: list[UbValue], span: Span) -> Value:
    """The pointer variable that holds one of several."""
    first = values[0].pointer
    if all(v.pointer is first and v.offset is None for v in values):
        return values[0]
    if any((v.pointer.dtype, v.pointer.columns) != (first.dtype, first.columns) for v in values):
        return Conflict("it points into tiles of different types, depending on the path", span)
    file = frame.registers
    assert file is not None
    return UbValue(file.pointer(name, first.dtype, first.columns, span))
