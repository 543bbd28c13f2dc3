"""Take out of a half what it does not need.

Statements that have an effect outside of the scalar unit (operations, locks, writes of elements) are needed; so is all
that decides whether and with what they run.  Everything else goes: scalars, tiles, tensors and loops that only the
other half uses, stores of constants that were folded everywhere, calls of helpers that do nothing here.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from ptopro.lowering import ir, simt_ir
from ptopro.lowering.traversal import map_block, nodes_of, reachable_functions, with_blocks


def prune(half: ir.FunctionIR, *, keep_sections: bool = False) -> None:
    """Reduce a half and its helpers to what they need, in place.

    keep_sections: the boundaries of sections are needed too (turn markers of a serial build).
    """
    functions = reachable_functions(half)
    needs = _Needs(half, functions, keep_sections)
    needs.settle()
    for function in functions:
        function.body = map_block(function.body, lambda stmt, blocks: _kept(stmt, blocks, needs))
    for function in functions:
        if function.body and isinstance(function.body[-1], ir.Return) and not function.body[-1].values:
            function.body = function.body[:-1]
        if function is not half:
            function.params = tuple(p for p in function.params if p in needs.subjects)


def _kept(stmt: ir.Stmt, blocks: tuple[ir.Block, ...], needs: _Needs) -> list[ir.Stmt]:
    if id(stmt) not in needs.live:
        return []
    stmt = with_blocks(stmt, blocks)
    if isinstance(stmt, ir.If) and not stmt.then and stmt.other:
        negated = stmt.test.operand if isinstance(stmt.test, ir.Unary) and stmt.test.op == "not" else None
        test = negated or ir.Unary("not", stmt.test, stmt.test.dtype, stmt.test.span)
        return [ir.If(stmt.span, test, stmt.other, ())]
    if isinstance(stmt, ir.CallStmt):
        pairs = zip(stmt.function.params, stmt.args, strict=True)
        args = tuple(arg for param, arg in pairs if param in needs.subjects)
        results = stmt.results if any(r in needs.subjects for r in stmt.results) else ()
        return [replace(stmt, args=args, results=results)]
    return [stmt]


class _Needs:
    """The least set of subjects and statements that the effects of a half need.

    subjects: variables, declarations and structs; active: functions whose calls are needed; live: statements, by id.
    """

    def __init__(self, half: ir.FunctionIR, functions: Iterable[ir.FunctionIR], keep_sections: bool) -> None:
        self.keep_sections = keep_sections
        self.functions = list(functions)
        self.subjects: set[object] = set()
        self.active: set[ir.FunctionIR] = {half}
        self.live: set[int] = set()
        self.read: set[int] = set()  # parts whose subjects have been marked, by id
        self.current = half

    def settle(self) -> None:
        """Mark until nothing is added."""
        while True:
            before = len(self.live), len(self.subjects), len(self.active)
            for function in self.functions:
                self.current = function
                if self._block(function.body):
                    self.active.add(function)
            if before == (len(self.live), len(self.subjects), len(self.active)):
                return

    def _block(self, block: ir.Block) -> bool:
        """Mark what a block needs; whether there is anything but jumps."""
        found = [self._statement(stmt) for stmt in block]
        return any(found)

    def _statement(self, stmt: ir.Stmt) -> bool:
        match stmt:
            case ir.Operate() if stmt.operation.group == "descriptor":
                return self._described(stmt) and self._mark(stmt)
            case ir.Assign() | ir.BindTile() | ir.StructDeclare() | ir.StructWrite():
                return stmt.var in self.subjects and self._mark(stmt)
            case ir.DeclareTile() | ir.DeclareGroup() | ir.DeclareTensor():
                return stmt.decl in self.subjects and self._mark(stmt)
            case ir.Advance():
                return stmt.group in self.subjects and self._mark(stmt)
            case ir.CallStmt():
                return self._call(stmt)
            case simt_ir.ElementWrite() | simt_ir.AtomicUpdate():
                self._declaration(stmt.container)
                return self._mark(stmt)
            case ir.Return():
                if self.current not in self.active:
                    return False
                return self._mark(stmt)
            case ir.SectionBegin() | ir.SectionEnd() if self.keep_sections:
                return self._mark(stmt)
            case ir.Break() | ir.Continue() | ir.SectionBegin() | ir.SectionEnd():
                self.live.add(id(stmt))
                return False
            case ir.If():
                then, other = self._block(stmt.then), self._block(stmt.other)
                return (then or other) and self._mark(stmt)
            case ir.For() | ir.While():
                if not self._block(stmt.body) and id(stmt) not in self.live:
                    return False
                self._jumps(stmt.body)
                return self._mark(stmt)
            case _:
                return self._mark(stmt)

    def _described(self, stmt: ir.Operate) -> bool:
        """Whether something else uses the tile or tensor whose description changes."""
        subject = stmt.operands[0].value
        if isinstance(subject, ir.TileRef | ir.SlotRef | ir.TileVarRef | ir.SubView | ir.ChooseTile):
            return any(origin in self.subjects for origin in ir.origins_of(subject))
        return subject in self.subjects

    def _call(self, stmt: ir.CallStmt) -> bool:
        if any(result in self.subjects for result in stmt.results):
            self.active.add(stmt.function)
        if stmt.function not in self.active:
            return False
        self.live.add(id(stmt))
        for param, arg in zip(stmt.function.params, stmt.args, strict=True):
            if param in self.subjects:
                self._use(arg)
        return True

    def _jumps(self, block: ir.Block) -> None:
        """Mark the branches of a needed loop's body that only leave a round or the loop."""
        for stmt in block:
            if isinstance(stmt, ir.If):
                if _leaves(stmt.then) or _leaves(stmt.other):
                    self._mark(stmt)
                self._jumps(stmt.then)
                self._jumps(stmt.other)

    def _mark(self, stmt: ir.Stmt) -> bool:
        self.live.add(id(stmt))
        self._use(stmt)
        return True

    def _use(self, part: object) -> None:
        """Everything that a needed statement reads is needed."""
        if id(part) in self.read:
            return
        self.read.add(id(part))
        for node in nodes_of(part):
            match node:
                case ir.VarRef() | ir.TileVarRef() | ir.StructRead():
                    self.subjects.add(node.var)
                case ir.TileRef():
                    self.subjects.add(node.decl)
                case ir.SlotRef():
                    self.subjects.add(node.group)
                case ir.ElementRead():
                    self._declaration(node.container)
                case ir.PointerOf():
                    self._declaration(node.base)
                case ir.OperandUse():
                    self._declaration(node.value)
                case ir.Call():
                    self.active.add(node.function)
                    self.subjects.update(node.function.params)
                case _:
                    pass

    def _declaration(self, value: object) -> None:
        """Tensors, groups and structs stand in operands directly."""
        if isinstance(value, tuple):
            for item in value:
                self._declaration(item)
        elif isinstance(value, ir.TensorDecl | ir.GroupDecl | ir.StructVar):
            self.subjects.add(value)


def _leaves(block: ir.Block) -> bool:
    """Whether a block leaves the loop that it stands in."""
    return any(
        isinstance(stmt, ir.Break | ir.Continue)
        or (isinstance(stmt, ir.If) and (_leaves(stmt.then) or _leaves(stmt.other)))
        for stmt in block
    )
