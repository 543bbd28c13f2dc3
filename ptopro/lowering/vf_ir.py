"""The part of the IR that vector functions add: registers, pointers into UB, and the statements over them.

A vector function is a `FunctionIR` of kind "vector_function".  Its tiles are parameters (`TileVar`); a `PointTo` makes
a pointer to a tile's elements, a `MovePointer` one some elements further on.  The `PointTo`s and `Advance`s that its
body begins with are evaluated when it is called; what follows runs as one instruction of pipe V.

Registers are mutable variables, as the hardware's are: a name of the author's is one register for each element type
that it holds, and an operation that reads its result (`vf.axpy`) finds there what the name held before.
"""

from __future__ import annotations

from dataclasses import dataclass

from ptopro.diagnostics import Span
from ptopro.language.dtypes import DType
from ptopro.language.operations.model import Kind, Operation
from ptopro.lowering import ir
from ptopro.records import record


@dataclass(eq=False, slots=True)
class Register:
    """A register.  kind: REGISTER (dtype is that of its lanes), MASK, ADDRESS or UNALIGN."""

    name: str
    kind: Kind
    dtype: DType | None = None
    span: Span | None = None


@record
class RegisterAs:
    """The bits of a register as lanes of another type."""

    register: Register
    dtype: DType


@dataclass(eq=False, slots=True)
class UbPointer:
    """A pointer to elements in UB; columns: of the tile that it points into, for [row, column] offsets.

    With post_update=True accesses take place at a cursor of the pointer, which starts where the pointer does.
    """

    name: str
    dtype: DType
    columns: int
    span: Span | None = None


@record
class UbAddress:
    """An operand: `pointer`, `offset` elements further on."""

    pointer: UbPointer
    offset: ir.Expr | None = None


@record
class PointTo(ir.Stmt):
    """pointer = address of the tile's first element."""

    pointer: UbPointer
    tile: ir.TileExpr


@record
class MovePointer(ir.Stmt):
    """pointer = `address`; its cursor starts over there."""

    pointer: UbPointer
    address: UbAddress


@record
class CopyRegister(ir.Stmt):
    """target = source, all of it (the same lanes as another type where their types differ)."""

    target: Register
    source: Register


@record
class RegisterOp(ir.Stmt):
    """An operation of the table in a vector function.

    Operands are registers, addresses, scalar expressions, tuples of these, and compile-time attributes.
    """

    operation: Operation
    registers: tuple[Register, ...]  # the results, in order
    operands: tuple[ir.OperandUse, ...]
    call: Span | None = None

    def get(self, name: str) -> object:
        """The value of operand `name`, None when it was not given."""
        for use in self.operands:
            if use.name == name:
                return use.value
        return None


def is_prelude(stmt: ir.Stmt) -> bool:
    """Whether a statement at the head of a vector function is evaluated when the function is called."""
    return isinstance(stmt, PointTo | ir.Advance)


def registers_of(block: ir.Block) -> list[Register]:
    """Every register that a block mentions, in order of first mention."""
    found: dict[Register, None] = {}
    for stmt in ir.walk(block):
        if isinstance(stmt, RegisterOp):
            found.update(dict.fromkeys(stmt.registers))
            for use in stmt.operands:
                items = use.value if isinstance(use.value, tuple) else (use.value,)
                for item in items:
                    if isinstance(item, RegisterAs):
                        item = item.register
                    if isinstance(item, Register):
                        found[item] = None
        elif isinstance(stmt, CopyRegister):
            found.update(dict.fromkeys((stmt.source, stmt.target)))
    return list(found)
