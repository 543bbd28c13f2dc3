"""Drop what a half computes and nobody there reads.

Code outside the sections is lowered for both cores; each half keeps what it needs of it.  In: a block and the
functions it calls.  Out: the block without dead assignments, without cursors that nobody looks at and without
branches and loops that became empty.  Before, in the vector half of a kernel whose cube half uses `m`:

    m = n // 2
    for i in range(0, n): add(...)

After: the loop alone.
"""

from __future__ import annotations

from dataclasses import replace

from ptopro.codegen.traverse import Variable, called, is_pure, reads, roots, variables_read
from ptopro.language.dtypes import BOOL
from ptopro.lowering import ir


class Pruned:
    """The live bodies of one half: its own and those of every function it reaches."""

    def __init__(self, half: ir.FunctionIR, *, keep_sections: bool) -> None:
        self._keep_sections = keep_sections
        self.bodies: dict[int, ir.Block] = {}
        self.functions: list[ir.FunctionIR] = []
        self._collect(half)
        while self._round():
            pass

    def body(self, function: ir.FunctionIR) -> ir.Block:
        return self.bodies[id(function)]

    def _collect(self, function: ir.FunctionIR) -> None:
        """Callees first, so that C++ sees a function before its calls."""
        if id(function) in self.bodies:
            return
        self.bodies[id(function)] = function.body
        for callee in called(function.body):
            self._collect(callee)
        self.functions.append(function)

    def _round(self) -> bool:
        """One pass over all functions; True when something was dropped."""
        live = _Live(self._keep_sections)
        for function in self.functions:
            for stmt in ir.walk(self.body(function)):
                live.note(stmt)
        changed = False
        for function in self.functions:
            before = self.body(function)
            after = _filter(before, live)
            if after is not before:
                self.bodies[id(function)] = after
                changed = True
        return changed


class _Live:
    """Variables, tensors and cursors that some statement looks at."""

    def __init__(self, keep_sections: bool) -> None:
        self.sections = keep_sections  # turn markers are wanted
        self.variables: set[Variable] = set()
        self.tensors: set[ir.TensorDecl] = set()
        self.cursors: set[ir.GroupDecl] = set()

    def note(self, stmt: ir.Stmt) -> None:
        own = set(_written(stmt))
        self.variables.update(var for var in variables_read(stmt) if var not in own)
        for node in reads(stmt):
            if isinstance(node, ir.TensorDecl):
                self.tensors.add(node)
            elif isinstance(node, ir.SlotRef) and isinstance(node.index, str):
                self.cursors.add(node.group)


def _written(stmt: ir.Stmt) -> tuple[Variable, ...]:
    """A variable that is only read to give it its next value (`n = n + 1`) is not alive through that."""
    return (stmt.var,) if isinstance(stmt, (ir.Assign, ir.StructWrite)) else ()


def _filter(block: ir.Block, live: _Live) -> ir.Block:
    kept: list[ir.Stmt] = []
    for stmt in block:
        new = _statement(stmt, live)
        if new is not None:
            kept.append(new)
    if len(kept) == len(block) and all(a is b for a, b in zip(kept, block, strict=True)):
        return block
    return tuple(kept)


def _statement(stmt: ir.Stmt, live: _Live) -> ir.Stmt | None:
    """The statement as the half needs it, None when it does not."""
    match stmt:
        case ir.Assign() | ir.BindTile() | ir.StructDeclare() | ir.StructWrite():
            if stmt.var not in live.variables and all(is_pure(root) for root in roots(stmt)):
                return None
        case ir.DeclareTensor():
            if stmt.decl not in live.tensors:
                return None
        case ir.Advance():
            if stmt.group not in live.cursors:
                return None
        case ir.SectionBegin() | ir.SectionEnd():
            return stmt if live.sections else None
        case ir.If():
            return _branch(stmt, live)
        case ir.For():
            return _loop(stmt, live)
        case ir.While():
            body = _filter(stmt.body, live)
            return stmt if body is stmt.body else replace(stmt, body=body)
        case _:
            pass
    return stmt


def _branch(stmt: ir.If, live: _Live) -> ir.Stmt | None:
    then, other = _filter(stmt.then, live), _filter(stmt.other, live)
    if not then and not other and is_pure(stmt.test):
        return None
    if not then and other:
        test = ir.Unary("not", stmt.test, BOOL, stmt.test.span)
        return replace(stmt, test=test, then=other, other=())
    if then is stmt.then and other is stmt.other:
        return stmt
    return replace(stmt, then=then, other=other)


def _loop(stmt: ir.For, live: _Live) -> ir.Stmt | None:
    body = _filter(stmt.body, live)
    pure = all(is_pure(part) for part in (stmt.start, stmt.stop, stmt.step))
    if not body and pure and stmt.var not in live.variables:
        return None
    return stmt if body is stmt.body else replace(stmt, body=body)
