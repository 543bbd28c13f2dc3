"""What a vector function does with each tile that it is called with: reads, writes, or both.

In: a `FunctionIR` of kind "vector_function" (or "simt").  Out: for each tile parameter and each declaration that it
refers to directly, a `TileUse`.  Code outside needs no more: the function is one instruction of pipe V.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ptopro.language.operations.model import Kind, Role
from ptopro.lowering import ir, simt_ir, vf_ir
from ptopro.lowering.traversal import nodes_of

Subject = ir.TileVar | ir.TileDecl | ir.GroupDecl


@dataclass(frozen=True, slots=True)
class TileUse:
    """role: OUT where the first access certainly writes, so that nothing from before the call is read.

    certain: some access of that kind is under no run-time condition.
    """

    role: Role
    certain: bool


def tile_uses(function: ir.FunctionIR) -> Mapping[Subject, TileUse]:
    """The tiles that a vector function touches, in the order of first use."""
    walk = _Walk()
    walk.block(function.body, conditional=False)
    return {subject: _use(found) for subject, found in walk.found.items()}


@dataclass(frozen=True, slots=True)
class Argument:
    """A tile that a call touches.  name: of the parameter, or of the group that the function picks a slot of."""

    name: str
    tile: ir.TileExpr
    use: TileUse
    inside: bool = False  # the function itself names it


def touched(stmt: ir.CallStmt) -> Iterator[Argument | ir.Advance]:
    """What a call of register code does to tiles when it is issued: the tiles it touches, and cursors it moves."""
    uses = tile_uses(stmt.function)
    for parameter, value in zip(stmt.function.params, stmt.args, strict=True):
        if isinstance(parameter, ir.TileVar) and parameter in uses:
            yield Argument(parameter.name, value, uses[parameter])  # type: ignore[arg-type]
    for inner in stmt.function.body:
        if isinstance(inner, ir.Advance):
            yield inner
        elif isinstance(inner, vf_ir.PointTo):
            for origin in _named_inside(inner.tile):
                if origin in uses:
                    yield Argument(origin.name, inner.tile, uses[origin], inside=True)


def _named_inside(tile: ir.TileExpr) -> tuple[ir.Origin, ...]:
    match tile:
        case ir.TileRef():
            return (tile.decl,)
        case ir.SlotRef():
            return (tile.group,)
        case _:
            return ()


Access = tuple[bool, bool]  # writes, conditional


def _use(found: list[Access]) -> TileUse:
    reads = [conditional for writes, conditional in found if not writes]
    writes = [conditional for writes, conditional in found if writes]
    if not writes:
        return TileUse(Role.IN, not all(reads))
    if not reads or found[0] == (True, False):
        return TileUse(Role.OUT, not all(writes))
    return TileUse(Role.INOUT, not all(writes))


class _Walk:
    def __init__(self) -> None:
        self.found: dict[Subject, list[Access]] = {}
        self.pointers: dict[vf_ir.UbPointer, set[Subject]] = {}
        self.bound: dict[ir.TileVar, set[Subject]] = {}  # tile variables of the function's own

    def block(self, block: ir.Block, conditional: bool) -> None:
        for stmt in block:
            match stmt:
                case vf_ir.PointTo():
                    self.pointers.setdefault(stmt.pointer, set()).update(self.subjects(stmt.tile))
                case vf_ir.MovePointer():
                    base = self.pointers.get(stmt.address.pointer, set())
                    self.pointers.setdefault(stmt.pointer, set()).update(base)
                case vf_ir.RegisterOp():
                    for access in register_accesses(stmt):
                        for subject in self.pointers.get(access[0], set()):
                            for writes in access[1]:
                                self.found.setdefault(subject, []).append((writes, conditional))
                case ir.BindTile():
                    self.bound.setdefault(stmt.var, set()).update(self.subjects(stmt.tile))
                case ir.If():
                    self.elements(stmt, conditional)
                    self.block(stmt.then, True)
                    self.block(stmt.other, True)
                case ir.For() | ir.While():
                    self.loop(stmt, conditional)
                case _:
                    self.elements(stmt, conditional)

    def loop(self, stmt: ir.For | ir.While, conditional: bool) -> None:
        """A body may use pointers that a later round has moved: they are followed first."""
        self.elements(stmt, conditional)
        before = {subject: len(found) for subject, found in self.found.items()}
        self.block(stmt.body, conditional)
        for subject in list(self.found):
            del self.found[subject][before.get(subject, 0) :]
            if not self.found[subject]:
                del self.found[subject]
        self.block(stmt.body, conditional)

    def elements(self, stmt: ir.Stmt, conditional: bool) -> None:
        """Elements that threads of a SIMT function read and write: no write is of the whole tile."""
        for node in nodes_of(stmt):
            if isinstance(node, ir.ElementRead) and not isinstance(node.container, ir.TensorDecl):
                self.note(node.container, (False, conditional))
            elif isinstance(node, ir.Call):
                self.callee(node.function, node.args, conditional)
        if isinstance(stmt, ir.CallStmt):
            self.callee(stmt.function, stmt.args, conditional)
        written = stmt.container if isinstance(stmt, simt_ir.ElementWrite | simt_ir.AtomicUpdate) else None
        if written is not None and not isinstance(written, ir.TensorDecl):
            self.note(written, (False, conditional))
            self.note(written, (True, conditional))

    def callee(self, function: ir.FunctionIR, args: Sequence[object], conditional: bool) -> None:
        """What a function that a thread calls does to the tiles it is given."""
        uses = tile_uses(function)
        for parameter, value in zip(function.params, args, strict=True):
            use = uses.get(parameter) if isinstance(parameter, ir.TileVar) else None
            if use is not None:
                self.note(value, (False, conditional))
                if use.role.writes:
                    self.note(value, (True, conditional))

    def note(self, tile: object, access: Access) -> None:
        for subject in self.subjects(tile):  # type: ignore[arg-type]
            self.found.setdefault(subject, []).append(access)

    def subjects(self, tile: ir.TileExpr) -> set[Subject]:
        match tile:
            case ir.TileRef():
                return {tile.decl}
            case ir.SlotRef():
                return {tile.group}
            case ir.TileVarRef():
                return self.bound.get(tile.var, {tile.var})
            case ir.SubView():
                return self.subjects(tile.base)
            case ir.ChooseTile():
                return self.subjects(tile.then) | self.subjects(tile.other)


def register_accesses(stmt: vf_ir.RegisterOp) -> Iterator[tuple[vf_ir.UbPointer, tuple[bool, ...]]]:
    """The pointers through which an operation accesses UB, and whether each access writes."""
    for use in stmt.operands:
        if isinstance(use.value, vf_ir.UbAddress):
            operand = stmt.operation.operand(use.name)
            assert Kind.TILE in operand.kind
            yield use.value.pointer, (operand.role.writes,)
