"""What a stage does, operation by operation: which slot of which buffer, on which pipe, in which order.

In: the IR of a stage (or of statements between stages) and what its parameters hold.  Out: `Body`: its accesses, how
far it moves cursors, and which accesses depend on what an earlier run left.  Helpers are followed; roles and pipes come
from the operation table.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ptopro.diagnostics.span import Span
from ptopro.expand.mutex_accesses import IN_REGISTERS
from ptopro.expand.operand_roles import operand_roles
from ptopro.expand.pipeline_branches import Path, exclusive, is_first, joints
from ptopro.expand.pipeline_buffers import BufferTable
from ptopro.expand.pipeline_model import Access, SlotRule
from ptopro.expand.pipeline_picks import Cursors
from ptopro.expand.pipeline_values import TASK, Linear, linear
from ptopro.language.enums import PipeType
from ptopro.language.operations.model import Role
from ptopro.lowering import ir
from ptopro.lowering.traversal import nodes_of
from ptopro.lowering.vector_accesses import touched

Meaning = tuple[int, SlotRule]  # buffer, slot
PARTIAL_WRITES = ("insert",)  # operations that write a part of their destination
ANY = SlotRule("unknown")
_NOTHING = ir.Continue(Span("", 1, 1, 1, 1))  # stands where a statement has been taken into the one before


@dataclass(slots=True, eq=False)
class Body:
    """accesses: in program order; paths: the branches that each stands under; advances: steps of each cursor.

    exposed: numbers (into accesses) of reads that may see what an earlier run, or another stage, left in the slot.
    accessors: uses of a group's slots as (buffer, rule, span), for the rules of cross-core buffers.
    joints: as in `Stage`.
    """

    accesses: list[Access] = field(default_factory=list)
    paths: list[Path] = field(default_factory=list)
    advances: dict[int, int | None] = field(default_factory=dict)
    exposed: set[int] = field(default_factory=set)
    sync: list[ir.Operate] = field(default_factory=list)
    struct_writes: set[ir.StructVar] = field(default_factory=set)
    picks: list[tuple[int, SlotRule, Span]] = field(default_factory=list)
    joints: list[Access] = field(default_factory=list)


class Walker:
    """One run through a stage."""

    def __init__(
        self,
        table: BufferTable,
        stage: int,
        scalars: dict[ir.Var, Linear | None],
        tiles: dict[ir.TileVar, tuple[Meaning, ...]],
        cursors: Cursors | None = None,
        after: Mapping[int, Linear] | None = None,
    ) -> None:
        """For statements of the kernel itself: cursors says which slot a cursor there means (it moves with rounds and
        tasks); after: the forms of counters behind the statements (by id) that move them.
        """
        self.table = table
        self.stage = stage
        self.scalars = scalars
        self.tiles = tiles
        self.cursors = cursors
        self.after = after or {}
        self.body = Body()
        self.order = 0
        self.path: Path = ()
        self.branches = 0
        self.starts: dict[ir.Var, int] = {}  # parameters that hold the loop's variable: where it starts
        self.firsts: set[int] = set()  # branches that are taken in the first task of a round only
        self.unsure: set[int] = set()  # cursors in a loop's body or behind branches that disagree

    def run(self, block: ir.Block | Sequence[ir.Stmt]) -> Body:
        self.block(block)
        for number in self.unsure:
            self.body.advances[number] = None
        self.body.exposed = _exposed(self.body, self.table)
        return self.body

    def block(self, block: Iterable[ir.Stmt]) -> None:
        stmts = list(block)
        for i, stmt in enumerate(stmts):
            following = stmts[i + 1] if i + 1 < len(stmts) else None
            if isinstance(stmt, ir.If) and isinstance(following, ir.If) and exclusive(stmt, following, self.starts):
                stmts[i + 1] = _NOTHING
                stmt = replace(stmt, other=following.then)
            self.statement(stmt)

    def statement(self, stmt: ir.Stmt) -> None:
        self.header(stmt)
        match stmt:
            case ir.Operate():
                self.operate(stmt)
            case ir.Assign():
                form = linear(stmt.value, self.scalars) if stmt.value.dtype.is_int else None
                self.scalars[stmt.var] = self.after.get(id(stmt), form)
            case ir.Advance():
                self.advance(self.table.tile(stmt.group), 1)
                if self.cursors is not None and not self.path:
                    self.cursors.advance(stmt.group)
            case ir.BindTile():
                self.tiles[stmt.var] = self.meaning(stmt.tile)
            case ir.StructWrite():
                self.body.struct_writes.add(stmt.var)
            case ir.CallStmt():
                self.call(stmt)
            case ir.If():
                self.branch(stmt)
            case ir.For() | ir.While():
                self.loop(stmt)
            case _:
                pass

    # ----------------------------------------------------------------------------------------------------------------
    # Control flow

    def branch(self, stmt: ir.If) -> None:
        self.branches += 1
        number, outer = self.branches, self.path
        if is_first(stmt.test, self.starts):
            self.firsts.add(number)
        before = (dict(self.scalars), dict(self.tiles), dict(self.body.advances))
        self.path = (*outer, (number, 1))
        self.block(stmt.then)
        then = (self.scalars, self.tiles, self.body.advances)
        self.scalars, self.tiles, self.body.advances = before
        self.path = (*outer, (number, 0))
        self.block(stmt.other)
        self.path = outer
        self.join(number)
        for var in then[0].keys() | self.scalars.keys():
            if then[0].get(var) != self.scalars.get(var):
                self.scalars[var] = None
        for tile in then[1].keys() | self.tiles.keys():
            both = (*then[1].get(tile, ()), *self.tiles.get(tile, ()))
            self.tiles[tile] = tuple(dict.fromkeys(both))
        for group in then[2].keys() | self.body.advances.keys():
            if then[2].get(group, 0) != self.body.advances.get(group, 0):
                self.unsure.add(group)

    def join(self, number: int) -> None:
        """Note what both arms of a branch end with on each pipe."""
        for held in joints((*self.body.accesses, *self.body.joints), self.path, number):
            self.body.joints += [replace(access, order=self.order) for access in held]
            self.order += 1

    def loop(self, stmt: ir.For | ir.While) -> None:
        trips = _trips(stmt)
        self.branches += 1
        outer = self.path
        if not trips:
            self.path = (*outer, (self.branches, 1))
        for inner in ir.walk(stmt.body):
            if isinstance(inner, ir.Assign):
                self.scalars[inner.var] = None
        if isinstance(stmt, ir.For):
            self.scalars[stmt.var] = None
        before = dict(self.body.advances)
        moving = {self.table.tile(s.group) for s in ir.walk(stmt.body) if isinstance(s, ir.Advance)}
        newly = moving - self.unsure
        self.unsure |= moving
        self.block(stmt.body)
        if trips:
            self.unsure -= newly
            for group in newly:
                each = (self.body.advances.get(group) or 0) - (before.get(group) or 0)
                self.body.advances[group] = (before.get(group) or 0) + each * trips
        self.path = outer

    def call(self, stmt: ir.CallStmt) -> None:
        function = stmt.function
        if function.kind in IN_REGISTERS:
            self.register_code(stmt)
            return
        self.enter(function, stmt.args)
        for result in stmt.results:
            if isinstance(result, ir.TileVar):
                self.tiles[result] = tuple((self.table.tile(origin), ANY) for origin in _in_order(result.origins))
            else:
                self.scalars[result] = None

    def register_code(self, stmt: ir.CallStmt) -> None:
        """A vector function: one operation of V, whatever it does inside."""
        for found in touched(stmt):
            if isinstance(found, ir.Advance):
                self.advance(self.table.tile(found.group), 1)
                continue
            role, partial = found.use.role, not found.use.certain
            self.touch(stmt.function.name, PipeType.V, role, found.tile, stmt.call or stmt.span, partial=partial)
        self.order += 1

    def enter(self, function: ir.FunctionIR, args: Sequence[object]) -> None:
        """Walk a helper's body with its parameters bound."""
        for param, arg in zip(function.params, args, strict=True):
            if isinstance(param, ir.TileVar):
                self.tiles[param] = self.meaning(arg)
            else:
                self.scalars[param] = linear(arg, self.scalars) if param.dtype.is_int else None
                if isinstance(arg, ir.VarRef) and arg.var in self.starts:
                    self.starts[param] = self.starts[arg.var]
        self.block(function.body)

    # ----------------------------------------------------------------------------------------------------------------
    # Tiles

    def advance(self, group: int, steps: int) -> None:
        before = self.body.advances.get(group, 0)
        self.body.advances[group] = None if before is None else before + steps

    def meaning(self, tile: object) -> tuple[Meaning, ...]:
        """What a tile expression may refer to."""
        match tile:
            case ir.TileRef():
                return ((self.table.tile(tile.decl), SlotRule("constant")),)
            case ir.TileVarRef():
                known = self.tiles.get(tile.var)
                if known is None:
                    known = tuple((self.table.tile(origin), ANY) for origin in _in_order(tile.var.origins))
                return known
            case ir.SubView():
                return self.meaning(tile.base)
            case ir.ChooseTile():
                chosen = self.indexed(tile)
                if chosen is not None:
                    return (chosen,)
                return tuple(dict.fromkeys((*self.meaning(tile.then), *self.meaning(tile.other))))
            case ir.SlotRef():
                if self.cursors is not None and isinstance(tile.index, str) and tile.group.depth > 1:
                    return ((self.table.tile(tile.group), self.cursors.rule(tile)),)
                return ((self.table.tile(tile.group), self.slot(tile)),)
        return ()

    def indexed(self, tile: ir.ChooseTile) -> Meaning | None:
        """A tuple of tiles indexed by a number: `t0 if n % 3 == 0 else t1 if n % 3 == 1 else t2`."""
        tiles: list[tuple[ir.Origin, int]] = []
        index: object = None
        rest: ir.TileExpr = tile
        while isinstance(rest, ir.ChooseTile):
            test = rest.test
            if not (isinstance(test, ir.Binary) and test.op == "==" and isinstance(test.right, ir.Const)):
                return None
            static = ir.static_slot(rest.then)
            if static is None or test.right.value != len(tiles) or (tiles and test.left != index):
                return None
            index = test.left
            tiles.append(static)
            rest = rest.other
        static = ir.static_slot(rest)
        if static is None or len({origin.spec.memory for origin, _ in tiles} | {static[0].spec.memory}) > 1:
            return None
        tiles.append(static)
        return self.table.several(tiles), slot_rule(linear(index, self.scalars), len(tiles))

    def slot(self, tile: ir.SlotRef) -> SlotRule:
        """The slot that is picked here."""
        depth = tile.group.depth
        if depth == 1:
            return SlotRule("constant")
        if isinstance(tile.index, str):
            group = self.table.tile(tile.group)
            moved = self.body.advances.get(group, 0)
            at = (moved or 0) - (tile.index == "previous")
            rule = SlotRule("cursor", at, 1, depth)
            if group in self.unsure or moved is None:
                rule = SlotRule("unknown", at, 1, depth, f"pick {self.branches}.{at}")
            self.body.picks.append((group, rule, tile.span or self.table.buffers[group].span))  # type: ignore[arg-type]
            return rule
        if isinstance(tile.index, int):
            rule = SlotRule("constant", tile.index)
        else:
            rule = slot_rule(linear(tile.index, self.scalars), depth)
        self.body.picks.append((self.table.tile(tile.group), rule, tile.span))  # type: ignore[arg-type]
        return rule

    # ----------------------------------------------------------------------------------------------------------------
    # Accesses

    def header(self, stmt: ir.Stmt) -> None:
        """Elements that a statement's own expressions read."""
        found = False
        for node in nodes_of(stmt):
            if isinstance(node, ir.ElementRead):
                self.touch("getval", PipeType.S, Role.IN, node.container, node.span or stmt.span)
                found = True
        if found:
            self.order += 1

    def operate(self, stmt: ir.Operate) -> None:
        if stmt.operation.group == "sync":
            self.body.sync.append(stmt)
            return
        for use, role, unit in operand_roles(stmt):
            self.touch(stmt.operation.name, stmt.pipe, role, use.value, stmt.call or stmt.span, unit)
        self.order += 1

    def touch(
        self,
        name: str,
        pipe: PipeType,
        role: Role,
        value: object,
        span: Span,
        unit: bool = False,
        partial: bool = False,
    ) -> None:
        meanings: tuple[Meaning, ...]
        if isinstance(value, ir.TensorDecl):
            meanings = ((self.table.tensor(value), SlotRule("constant")),)
        else:
            meanings = self.meaning(value)
        reads = role in (Role.IN, Role.INOUT)
        for choice, (buffer, rule) in enumerate(meanings):
            access = Access(
                self.stage,
                self.order,
                pipe,
                buffer,
                rule,
                reads,
                role.writes,
                name,
                span,
                conditional=bool(self.path) or len(meanings) > 1,
                ordered_by_unit=unit,
                partial=partial or isinstance(value, ir.SubView) or (role.writes and name in PARTIAL_WRITES),
                first_of_round=bool(self.path) and all(step[0] in self.firsts and step[1] for step in self.path),
                path=self.path if len(meanings) == 1 else (*self.path, (-1 - self.order, choice)),
            )
            self.body.accesses.append(access)
            self.body.paths.append(self.path)


def slot_rule(form: Linear | None, depth: int) -> SlotRule:
    """The rule of an index in linear form."""
    if form is None:
        return SlotRule("unknown", modulus=depth)
    modulus = form.modulus or depth
    if not form.moving and not form.base:
        return SlotRule("constant", form.offset % modulus)
    if not form.moving:
        return SlotRule("unknown", form.offset, 1, modulus, form.base)
    if len(form.moving) > 1:
        return SlotRule("unknown", modulus=depth)
    symbol, factor = form.moving[0]
    label = " ".join(part for part in (symbol if symbol != TASK else "", form.base) if part)
    return SlotRule("task" if symbol == TASK else "outer", form.offset, factor, modulus, label)


def _in_order(origins: Iterable[ir.Origin]) -> list[ir.Origin]:
    return sorted(origins, key=lambda o: (str(o.span), o.name))


def _trips(stmt: ir.For | ir.While) -> int:
    """How often a loop runs, 0 when that is not known."""
    if isinstance(stmt, ir.While):
        return 0
    bounds = [b.value if isinstance(b, ir.Const) else None for b in (stmt.start, stmt.stop, stmt.step)]
    if any(type(b) is not int for b in bounds) or not bounds[2]:
        return 0
    return len(range(*(int(b) for b in bounds if b is not None)))


def _exposed(body: Body, table: BufferTable) -> set[int]:
    """Reads of bytes that no earlier operation of the same run has written for certain."""
    found: set[int] = set()
    for number, read in enumerate(body.accesses):
        if not read.reads:
            continue
        for other in range(number):
            write = body.accesses[other]
            if (
                write.writes
                and not write.reads
                and not write.partial
                and write.order < read.order
                and body.paths[number][: len(body.paths[other])] == body.paths[other]
                and covers(write, read, table)
            ):
                break
        else:
            found.add(number)
    return found


def covers(write: Access, read: Access, table: BufferTable) -> bool:
    """Whether a write of a whole slot covers the slot that is read."""
    if write.buffer == read.buffer:
        return write.rule == read.rule and (write.rule.kind != "unknown" or bool(write.rule.counter))
    one, two = table.buffers[write.buffer], table.buffers[read.buffer]
    if one.memory != two.memory or len(one.ranges) != len(two.ranges):
        return False
    if write.rule != read.rule or write.rule.kind in ("unknown", "cursor"):
        return False
    return all(a <= c and d <= b for (a, b), (c, d) in zip(one.ranges, two.ranges, strict=True))
