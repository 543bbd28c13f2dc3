"""Which tiles each statement touches, on which pipe: one walk over a half of a kernel and the functions it calls.

In: a FunctionIR and what its tile parameters hold.  Out: for every Python statement of it the `Visit`s that lowering
paid it (several where a loop was unrolled), each with its `Touch`es.  Roles come from the operation table: only
operands whose data is read or written count, by position or keyword; so do operands that an operation clobbers.  A call
of a vector function touches its tiles on V; the operations of other helpers are found in the helper.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from ptopro.diagnostics.span import Span
from ptopro.expand.mutex_cursors import Cursors, Holding, Position, Slot
from ptopro.expand.syntax_index import Place, place_of
from ptopro.language.enums import PipeType
from ptopro.language.operations.model import Role
from ptopro.lowering import ir
from ptopro.lowering.traversal import nodes_of
from ptopro.lowering.vector_accesses import touched

IN_REGISTERS = ("vector_function", "simt")  # kinds of functions that run as one operation on V
Window = tuple[int, int, int, int]
ALL = 1 << 30  # more rows or columns than any tile has


@dataclass(frozen=True, slots=True)
class Touch:
    """One access of an operation to a tile.

    span: the operand's text; None: it has none (then `text` names it).  slots: every slot it may be; position: which
    one, as far as cursors tell; window: rows and columns [r0, r1) x [c0, c1) of a constant view.  unit_flag: the unit
    flag orders this access, no lock does.
    """

    operation: str
    operand: str
    pipe: PipeType
    role: Role
    file: str
    span: Span | None
    call: Span | None
    pure: bool
    slots: frozenset[Slot]
    position: Position | None
    window: Window | None = None
    unit_flag: bool = False
    phase: str = ""
    element: bool = False  # an element read inside an expression
    text: str = ""
    numbered: bool = False  # a slot that no text names: its ids are locked by number
    chosen: bool = False  # a conditional expression over tiles: has no cheap text
    member: int = 0  # of the operands that one text stands for (`*tiles`), which

    @property
    def writes(self) -> bool:
        return self.role.writes

    @property
    def memory(self) -> str:
        origin = next(iter(self.slots))[0]
        return origin.spec.memory.name


@dataclass(frozen=True, slots=True)
class HandLock:
    """A hand-written lock or unlock; slots: those whose ids it may mean (none when it names an id)."""

    stmt: ir.Lock
    slots: frozenset[Slot]


@dataclass(slots=True)
class Visit:
    """One passage of lowering over a statement."""

    span: Span
    touches: list[Touch] = field(default_factory=list)
    calls: list[tuple[Span, FunctionAccesses]] = field(default_factory=list)
    declared: list[ir.Origin] = field(default_factory=list)  # by it, or by a helper that returns the tile
    fence: bool = False  # sync, locks, jumps, helper calls: nothing is moved across it
    locks: list[HandLock] = field(default_factory=list)


@dataclass(slots=True, eq=False)
class FunctionAccesses:
    """What a function does to tiles, statement by statement, in order of first visit."""

    function: ir.FunctionIR
    core: str
    visits: dict[Place, list[Visit]] = field(default_factory=dict)
    meets: list[frozenset[ir.Origin]] = field(default_factory=list)  # tiles that one variable may hold

    def all_visits(self) -> Iterator[Visit]:
        for visits in self.visits.values():
            yield from visits

    def touches(self) -> Iterator[Touch]:
        for visit in self.all_visits():
            yield from visit.touches


class Calls(Protocol):
    """What the walk over a function asks about the functions it calls."""

    def argument_spans(self, stmt: ir.CallStmt) -> Mapping[str, Span]:
        """Where a call writes the argument for each parameter."""

    def entered(self, function: ir.FunctionIR, core: str, tiles: dict[ir.TileVar, Holding]) -> FunctionAccesses:
        """The accesses of a helper whose tile parameters hold these tiles."""


def function_accesses(
    function: ir.FunctionIR, core: str, tiles: Mapping[ir.TileVar, Holding], calls: Calls
) -> FunctionAccesses:
    """The accesses of one function, for what its tile parameters hold in some call of it."""
    walker = _Walker(FunctionAccesses(function, core), calls, Cursors(tiles))
    walker.block(function.body)
    return walker.found


class _Walker:
    def __init__(self, found: FunctionAccesses, calls: Calls, cursors: Cursors) -> None:
        self.found = found
        self.calls = calls
        self.cursors = cursors
        self.last: Visit | None = None

    def visit(self, span: Span, call: Span | None = None) -> Visit:
        """The visit that a piece of IR with this statement span belongs to: the current one, or a new one."""
        place = place_of(span)
        visits = self.found.visits.setdefault(place, [])
        again = call is not None and any(t.call == call and not t.element for v in visits[-1:] for t in v.touches)
        if self.last is None or place_of(self.last.span) != place or again or not visits:
            self.last = Visit(span)
            visits.append(self.last)
        return self.last

    def block(self, block: ir.Block) -> None:
        for stmt in block:
            self.statement(stmt)

    def statement(self, stmt: ir.Stmt) -> None:
        if isinstance(stmt, ir.While):  # its test is evaluated in each round; the bounds of a `for` are not
            self.cursors.forget(stmt.body)
        self.header(stmt)
        match stmt:
            case ir.Operate():
                self.operate(stmt)
            case ir.CallStmt():
                self.call(stmt)
            case ir.Advance():
                self.cursors.advance(stmt.group)
            case ir.BindTile():
                self.found.meets.append(stmt.var.origins)
                self.cursors.bind(stmt.var, stmt.tile)
            case ir.DeclareTile() | ir.DeclareGroup():
                self.visit(stmt.span).declared.append(stmt.decl)
                if isinstance(stmt.decl, ir.GroupDecl):
                    self.cursors.declare(stmt.decl)
            case ir.Lock():
                visit = self.visit(stmt.span)
                visit.fence = True
                slots = self.cursors.slots(stmt.tile) if stmt.tile is not None else frozenset()
                visit.locks.append(HandLock(stmt, slots))
            case ir.Return() | ir.Break() | ir.Continue() | ir.SectionBegin() | ir.SectionEnd():
                self.visit(stmt.span).fence = True
            case ir.If():
                before = self.cursors.copy()
                self.block(stmt.then)
                after_then = self.cursors
                self.cursors = before
                self.block(stmt.other)
                self.cursors.join(after_then)
            case ir.For() | ir.While():
                if isinstance(stmt, ir.For):
                    self.cursors.forget(stmt.body)
                self.block(stmt.body)
                self.cursors.forget(stmt.body)
            case _:
                pass

    def header(self, stmt: ir.Stmt) -> None:
        """Element reads, helper calls and choices of tiles inside a statement's own expressions."""
        visit = self.visit(stmt.span, stmt.call if isinstance(stmt, ir.Operate) else None)
        for node in nodes_of(stmt):
            if isinstance(node, ir.ElementRead) and not isinstance(node.container, ir.TensorDecl):
                source = node.source.span if node.source else None
                visit.touches.append(
                    self.touch(
                        "getval",
                        "container",
                        PipeType.S,
                        Role.IN,
                        node.container,
                        source,
                        node.span,
                        True,
                        element=True,
                    )
                )
            elif isinstance(node, ir.ChooseTile):
                self.found.meets.append(ir.origins_of(node))

    def operate(self, stmt: ir.Operate) -> None:
        visit = self.visit(stmt.span)
        operation = stmt.operation
        if operation.group == "sync":
            visit.fence = True
            return
        phase = stmt.get("phase")
        phased = getattr(phase, "name", "Unspecified") != "Unspecified"
        views: dict[str, object] | None = None
        seen: Counter[Span] = Counter()
        for use in stmt.operands:
            if use.source is not None:
                seen[use.source.span] += 1
            if not isinstance(use.value, ir.TileRef | ir.SlotRef | ir.TileVarRef | ir.SubView | ir.ChooseTile):
                continue
            role = operation.operand(use.name).role
            if not role.touches_data:
                continue
            if any(form.roles for form in operation.forms):
                views = _views(stmt) if views is None else views
                role = operation.role_for(use.name, views)
            spec = ir.spec_of(use.value)
            unit_flag = phased and operation.phase_unlocks_acc and spec.memory.name == "Acc"
            visit.touches.append(
                self.touch(
                    operation.name,
                    use.name,
                    stmt.pipe,
                    role,
                    use.value,
                    use.source.span if use.source else None,
                    stmt.call,
                    use.pure,
                    window=_pasted(stmt) if operation.name == "insert" and role.writes else window_of(use.value),
                    unit_flag=unit_flag,
                    member=seen[use.source.span] - 1 if use.source else 0,
                    phase=getattr(phase, "name", "") if operation.phase_unlocks_acc else "",
                )
            )

    def call(self, stmt: ir.CallStmt) -> None:
        visit = self.visit(stmt.span)
        function = stmt.function
        if function.kind in IN_REGISTERS:
            self.register_code(stmt, visit)
            return
        visit.fence = True
        entered = self.calls.entered(function, self.found.core, self.cursors.passed(function, stmt.args))
        if stmt.call is not None:
            visit.calls.append((stmt.call, entered))
        for variable in (*stmt.results, *function.params):
            if isinstance(variable, ir.TileVar):
                self.found.meets.append(variable.origins)
        self.cursors.called(function)
        for result in stmt.results:
            if isinstance(result, ir.TileVar):
                self.cursors.unbind(result)

    def register_code(self, stmt: ir.CallStmt, visit: Visit) -> None:
        """A vector function: one operation of V, whatever it does inside."""
        function = stmt.function
        spans = self.calls.argument_spans(stmt)
        for found in touched(stmt):
            if isinstance(found, ir.Advance):
                self.cursors.advance(found.group)
                continue
            span = None if found.inside else spans.get(found.name)
            visit.touches.append(
                self.touch(
                    function.source_name or function.name,
                    found.name,
                    PipeType.V,
                    found.use.role,
                    found.tile,
                    span,
                    stmt.call,
                    True,
                    text=found.name if span is None else "",
                    numbered=found.inside,
                )
            )

    def touch(
        self,
        operation: str,
        operand: str,
        pipe: PipeType,
        role: Role,
        tile: ir.TileExpr,
        span: Span | None,
        call: Span | None,
        pure: bool,
        **more: object,
    ) -> Touch:
        return Touch(
            operation,
            operand,
            pipe,
            role,
            self.found.function.file,
            span,
            call,
            pure,
            self.cursors.slots(tile),
            self.cursors.position(tile),
            chosen=isinstance(tile, ir.ChooseTile),
            **{"window": window_of(tile), **more},  # type: ignore[arg-type]
        )


def window_of(tile: ir.TileExpr) -> Window | None:
    """Rows and columns of a view with constant bounds; None: the whole tile, or not known."""
    if not isinstance(tile, ir.SubView):
        return None
    bounds = [b.value if isinstance(b, ir.Const) else None for b in (tile.row, tile.rows, tile.col, tile.cols)]
    if any(b is None for b in bounds):
        return (0, 0, 0, 0)  # nothing is certain
    row, rows, col, cols = (int(b) for b in bounds if b is not None)
    return row, row + rows, col, col + cols


def _pasted(stmt: ir.Operate) -> Window | None:
    """Rows and columns of the larger tile that a smaller one is pasted over; all where the place is not known."""
    operands = {use.name: use.value for use in stmt.operands}
    source, place, target = operands["src_tile"], operands["offset"], operands["dst_tile"]
    if isinstance(target, ir.SubView):
        return window_of(target)
    spec = ir.spec_of(source)  # type: ignore[arg-type]
    extents = [full if valid < 0 else valid for full, valid in zip(spec.shape, spec.valid_shape, strict=True)]
    if spec.layout is not ir.spec_of(target).layout:  # type: ignore[arg-type]
        extents = [max(extents)] * 2
    bounds: list[int] = []
    for first, extent in zip(place, extents, strict=True):  # type: ignore[call-overload]
        known = isinstance(first, ir.Const)
        bounds += (int(first.value), int(first.value) + extent) if known else (0, ALL)
    return bounds[0], bounds[1], bounds[2], bounds[3]


def _views(stmt: ir.Operate) -> dict[str, object]:
    """The operands as the operation table's rules see them."""
    from ptopro.language.operations.model import ScalarView, TensorView

    views: dict[str, object] = {}
    for use in stmt.operands:
        value = use.value
        if isinstance(value, ir.TensorDecl):
            views[use.name] = TensorView(value.dtype, tuple(None for _ in value.shape), value.layout.name)
        elif isinstance(value, ir.TileRef | ir.SlotRef | ir.TileVarRef | ir.SubView | ir.ChooseTile):
            views[use.name] = ir.spec_of(value)
        elif isinstance(value, ir.Const):
            views[use.name] = ScalarView(value.dtype, value.value)
        elif hasattr(value, "dtype") and not isinstance(value, tuple):
            views[use.name] = ScalarView(value.dtype)
        else:
            views[use.name] = value
    return views
