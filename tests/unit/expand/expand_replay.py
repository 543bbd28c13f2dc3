"""Run a lowered kernel on paper: follow one path, keep the books of locks, and know what happens before what.

The model is the hardware's: each pipe is an in-order queue; an acquire of an id waits for every earlier release of it by
another pipe; a release carries the completion of everything its pipe has done.  Operations of V, M, FIX and S finish in
order; transfers of one MTE pipe may overlap in flight until a barrier or another pipe's lock has seen them complete.

Raises `SyncFault` when a lock nests, is released by another pipe, or is held at the end, and when two operations that
touch the same bytes (one writing) are not ordered.
"""

from __future__ import annotations

import contextlib
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field

from ptopro.language.enums import PipeType
from ptopro.lowering import ir
from ptopro.lowering.vector_accesses import touched as accesses

Choose = Callable[[str], int]  # "test" -> 0 or 1; "trips" -> rounds of a loop


class SyncFault(AssertionError):
    """The synchronisation of a kernel is wrong on some path."""


class _Leave(Exception):
    def __init__(self, kind: str) -> None:
        self.kind = kind


@dataclass
class Done:
    """An operation that has been issued.  before: operations known complete when it starts (a bit for each)."""

    number: int
    name: str
    pipe: str
    before: int
    touched: list[tuple[str, int, int, bool]]  # memory, first byte, behind the last, writes
    line: int


@dataclass
class Replay:
    """The state of one core along one path."""

    choose: Choose
    check_same_pipe: bool = False
    known: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    issued: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    released: dict[int, dict[str, int]] = field(default_factory=lambda: defaultdict(dict))
    held: dict[int, str] = field(default_factory=dict)
    done: list[Done] = field(default_factory=list)
    cursors: dict[ir.GroupDecl, int] = field(default_factory=dict)
    tiles: dict[ir.TileVar, tuple[ir.Origin, int]] = field(default_factory=dict)
    scalars: dict[ir.Var, int] = field(default_factory=dict)
    locks: int = 0

    def run(self, function: ir.FunctionIR) -> Replay:
        """Follow one path through a half of a kernel; nothing may be held at its end."""
        with contextlib.suppress(_Leave):
            self.block(function.body)
        if self.held:
            raise SyncFault(f"held at the end: {self.held}")
        return self

    def block(self, block: ir.Block) -> None:
        for stmt in block:
            self.statement(stmt)

    def statement(self, stmt: ir.Stmt) -> None:
        match stmt:
            case ir.Assign():
                self.read_elements(stmt.value, stmt)
                value = self.value(stmt.value)
                if value is None:
                    self.scalars.pop(stmt.var, None)
                else:
                    self.scalars[stmt.var] = value
            case ir.DeclareGroup():
                self.cursors[stmt.decl] = stmt.decl.depth - 1
            case ir.Advance():
                group = stmt.group
                self.cursors[group] = (self.cursors.get(group, group.depth - 1) + 1) % group.depth
            case ir.BindTile():
                self.tiles[stmt.var] = self.slot(stmt.tile)
            case ir.Operate():
                self.operate(stmt)
            case ir.Lock():
                self.lock(stmt)
            case ir.If():
                self.read_elements(stmt.test, stmt)
                test = self.value(stmt.test)
                self.block(stmt.then if (self.choose("test") if test is None else test) else stmt.other)
            case ir.For():
                self.loop(stmt)
            case ir.While():
                rounds = self.choose("trips") + 8 * (isinstance(stmt.test, ir.Const))
                for _ in range(rounds):
                    self.read_elements(stmt.test, stmt)
                    if not self.round(stmt.body):
                        break
            case ir.CallStmt() if stmt.function.kind in ("vector_function", "simt"):
                self.register_code(stmt)
            case ir.CallStmt():
                self.call(stmt.function, stmt.args)
            case ir.Break():
                raise _Leave("break")
            case ir.Continue():
                raise _Leave("continue")
            case ir.Return():
                for value in stmt.values:
                    self.read_elements(value, stmt)
                raise _Leave("return")

    def loop(self, stmt: ir.For) -> None:
        for bound in (stmt.start, stmt.stop, stmt.step):
            self.read_elements(bound, stmt)
        start, stop, step = (self.value(e) for e in (stmt.start, stmt.stop, stmt.step))
        if start is None or stop is None or step is None:
            start, stop, step = 0, self.choose("trips"), 1
        for i in range(start, stop, step):
            self.scalars[stmt.var] = i
            if not self.round(stmt.body):
                break

    def round(self, body: ir.Block) -> bool:
        try:
            self.block(body)
        except _Leave as leave:
            if leave.kind == "return":
                raise
            return leave.kind == "continue"
        return True

    def call(self, function: ir.FunctionIR, args: tuple[object, ...]) -> None:
        for parameter, argument in zip(function.params, args, strict=True):
            if isinstance(parameter, ir.TileVar):
                self.tiles[parameter] = self.slot(argument)  # type: ignore[arg-type]
            else:
                value = self.value(argument)
                if value is not None:
                    self.scalars[parameter] = value
        with contextlib.suppress(_Leave):
            self.block(function.body)

    # ----------------------------------------------------------------------------------------------------------------

    def slot(self, tile: object) -> tuple[ir.Origin, int]:
        match tile:
            case ir.TileRef():
                return tile.decl, 0
            case ir.TileVarRef():
                return self.tiles[tile.var]
            case ir.SubView():
                return self.slot(tile.base)
            case ir.ChooseTile():
                test = self.value(tile.test)
                return self.slot(tile.then if (self.choose("test") if test is None else test) else tile.other)
            case ir.SlotRef(index="current"):
                return tile.group, self.cursors.get(tile.group, tile.group.depth - 1)
            case ir.SlotRef(index="previous"):
                return tile.group, (self.cursors.get(tile.group, tile.group.depth - 1) - 1) % tile.group.depth
            case ir.SlotRef():
                index = tile.index if isinstance(tile.index, int) else self.value(tile.index)
                assert index is not None, "tests index groups by what can be computed"
                return tile.group, index
        raise AssertionError(f"no tile: {tile}")

    def value(self, expr: object) -> int | None:
        """The value of a scalar expression where it can be computed."""
        match expr:
            case ir.Const():
                return int(expr.value)
            case ir.VarRef():
                return self.scalars.get(expr.var)
            case ir.Cast():
                return self.value(expr.operand)
            case ir.Unary(op="not"):
                inner = self.value(expr.operand)
                return None if inner is None else int(not inner)
            case ir.Binary():
                left, right = self.value(expr.left), self.value(expr.right)
                if left is None or right is None:
                    return None
                return {
                    "+": lambda: left + right,
                    "-": lambda: left - right,
                    "*": lambda: left * right,
                    "//": lambda: left // right,
                    "%": lambda: left % right,
                    "==": lambda: int(left == right),
                    "!=": lambda: int(left != right),
                    "<": lambda: int(left < right),
                    "<=": lambda: int(left <= right),
                    ">": lambda: int(left > right),
                    ">=": lambda: int(left >= right),
                }.get(expr.op, lambda: None)()
        return None

    # ----------------------------------------------------------------------------------------------------------------

    def lock(self, stmt: ir.Lock) -> None:
        pipe = stmt.pipe.name
        if stmt.tile is not None:
            origin, slot = self.slot(stmt.tile)
            ids = origin.ids[slot] if isinstance(origin, ir.GroupDecl) and origin.ids else origin.ids
            if not ids:
                return
        else:
            number = self.value(stmt.id)
            assert number is not None
            ids = (number,)
        for number in ids:
            if stmt.acquire:
                if number in self.held:
                    raise SyncFault(f"id {number} nests at line {stmt.span.line}")
                self.held[number] = pipe
                self.locks += 1
                for other, clock in self.released[number].items():
                    if other != pipe:
                        self.known[pipe] |= clock
            else:
                if self.held.pop(number, None) != pipe:
                    raise SyncFault(
                        f"id {number} is released by {pipe} at line {stmt.span.line}, which does not hold it"
                    )
                self.released[number][pipe] = self.known[pipe] | self.issued[pipe]

    def operate(self, stmt: ir.Operate) -> None:
        if stmt.operation.name.startswith("system.bar_"):
            pipe = stmt.operation.name.removeprefix("system.bar_").upper()
            for each in list(self.issued) if pipe == "ALL" else [pipe]:
                total = 0
                for source in list(self.issued) if pipe == "ALL" else [pipe]:
                    total |= self.issued[source]
                self.known[each] |= total
            return
        self.read_elements(tuple(use.value for use in stmt.operands), stmt)
        touched = []
        for use in stmt.operands:
            if isinstance(use.value, ir.TileRef | ir.SlotRef | ir.TileVarRef | ir.SubView | ir.ChooseTile):
                role = stmt.operation.operand(use.name).role
                if role.touches_data:
                    touched.append((self.slot(use.value), role.writes))
        phased = getattr(stmt.get("phase"), "name", "Unspecified") != "Unspecified"
        if touched:
            self.perform(stmt.operation.name, stmt.pipe, touched, stmt.span.line, phased)

    def register_code(self, stmt: ir.CallStmt) -> None:
        """One operation of V, on every tile that it is given."""
        touched = []
        for found in accesses(stmt):
            if isinstance(found, ir.Advance):
                self.statement(found)
            else:
                touched.append((self.slot(found.tile), found.use.role.writes))
        self.perform(stmt.function.name, PipeType.V, touched, stmt.span.line, False)

    def read_elements(self, expr: object, stmt: ir.Stmt) -> None:
        """Element reads inside an expression happen on S."""
        if isinstance(expr, tuple):
            for item in expr:
                self.read_elements(item, stmt)
            return
        if isinstance(expr, ir.ElementRead) and not isinstance(expr.container, ir.TensorDecl):
            self.perform("getval", PipeType.S, [(self.slot(expr.container), False)], stmt.span.line, False)
        for name in ("left", "right", "operand", "test", "then", "other", "offset", "args"):
            inner = getattr(expr, name, None)
            if inner is not None and not isinstance(expr, ir.TileRef | ir.SlotRef | ir.TileVarRef):
                self.read_elements(inner, stmt)

    def perform(
        self, name: str, pipe: PipeType, touched: list[tuple[tuple[ir.Origin, int], bool]], line: int, phased: bool
    ) -> None:
        op = Done(len(self.done), name, pipe.name, self.known[pipe.name], [], line)
        for (origin, slot), writes in touched:
            memory = origin.spec.memory.name
            start = origin.addrs[slot] if isinstance(origin, ir.GroupDecl) else origin.addr
            if not (phased and memory == "Acc"):
                op.touched.append((memory, start, start + (origin.size or origin.spec.size_bytes), writes))
        for earlier in self.done:
            if earlier.pipe == op.pipe and not (self.check_same_pipe and op.pipe.startswith("MTE")):
                continue
            if _conflict(earlier, op) and not op.before >> earlier.number & 1:
                raise SyncFault(
                    f"{op.name} on {op.pipe} (line {op.line}) is not ordered after "
                    f"{earlier.name} on {earlier.pipe} (line {earlier.line})"
                )
        self.done.append(op)
        self.issued[op.pipe] |= 1 << op.number
        if not op.pipe.startswith("MTE"):
            self.known[op.pipe] |= 1 << op.number


def _conflict(a: Done, b: Done) -> bool:
    return any(x[0] == y[0] and x[1] < y[2] and y[1] < x[2] and (x[3] or y[3]) for x in a.touched for y in b.touched)
