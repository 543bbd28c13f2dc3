"""Everything that is known before a text is changed: accesses of all functions, final lock ids, contended ids.

In: the typed IR of both halves of a kernel.  Out: an `Analysis`.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from ptopro.diagnostics import Diagnostic, Sink
from ptopro.diagnostics.span import Span
from ptopro.expand.mutex_accesses import FunctionAccesses, HandLock, Visit, function_accesses
from ptopro.expand.mutex_cursors import Holding
from ptopro.expand.mutex_overlap import ID_COUNT, IdTable, has_automatic_ids, merge_ids
from ptopro.expand.mutex_phases import check_phases
from ptopro.expand.mutex_relations import Relations
from ptopro.expand.sources import SourceFiles
from ptopro.lowering import ir, simt_ir
from ptopro.lowering.simt import launch_arguments

MOST_CALLS = 16  # sets of tiles for which a helper is looked at by itself; further ones share one look


@dataclass(slots=True, eq=False)
class Analysis:
    """accesses: every function that is not register code, once for each set of tiles it is called with, callees
    before callers.

    declared: the declarations whose text stands in a function (a helper may return its tiles: lowering then declares
    them in the caller).
    """

    relations: Relations
    accesses: list[FunctionAccesses] = field(default_factory=list)
    declared: dict[FunctionAccesses, list[ir.Origin]] = field(default_factory=dict)
    notes: list[Diagnostic] = field(default_factory=list)

    @property
    def table(self) -> IdTable:
        return self.relations.table


def analyse(kernel: ir.KernelIR, files: SourceFiles, sink: Sink) -> Analysis:
    """Find all accesses and settle the lock ids of every slot."""
    found = Analysis(Relations(IdTable()))
    calls = CallGraph(files)
    for core, half in (("cube", kernel.cube), ("vector", kernel.vector)):
        if half is not None:
            calls.entered(half, core, {})
    found.accesses = calls.accesses
    _find_texts(found, files)
    meets: list[frozenset[ir.Origin]] = []
    written: dict[str, set[int]] = {}
    for access in found.accesses:
        meets.extend(access.meets)
        for touch in access.touches():
            for origin, _ in touch.slots:
                found.table.add(origin, access.core)
        for visit in access.all_visits():
            for origin in visit.declared:
                if has_automatic_ids(origin):
                    found.table.add(origin, access.core)
            for lock in visit.locks:
                if isinstance(lock.stmt.id, ir.Const):
                    written.setdefault(access.core, set()).add(int(lock.stmt.id.value))
    found.notes = merge_ids(found.table, meets, written, sink)
    for access in found.accesses:
        for touch in access.touches():
            if not touch.unit_flag:
                found.table.use(access.core, found.relations.ids(touch), touch.pipe.name, touch.memory)
        for visit in access.all_visits():
            for lock in visit.locks:
                found.table.use(access.core, _ids_of(lock, found.table), lock.stmt.pipe.name)
    check_phases([a for a in found.accesses if a.core == "cube"], found.table, sink)
    return found


def _ids_of(lock: HandLock, table: IdTable) -> Iterable[int]:
    """Every id that a hand-written lock may mean."""
    if isinstance(lock.stmt.id, ir.Const):
        return (int(lock.stmt.id.value),)
    if lock.stmt.tile is not None:
        return {number for origin, slot in lock.slots for number in table.of(origin, slot)}
    return range(ID_COUNT)


def _find_texts(found: Analysis, files: SourceFiles) -> None:
    """Note which function's text holds each declaration."""
    for access in list(found.accesses):
        for visit in access.all_visits():
            for origin in visit.declared:
                reached = (callee for _, first in visit.calls for callee in _reached(first))
                makers = (callee for callee in reached if _holds(callee.function, origin.call))
                maker = next(makers, None) or _vanished(access, visit, origin, found, files) or access
                found.declared.setdefault(maker, []).append(origin)


def _reached(access: FunctionAccesses) -> Iterator[FunctionAccesses]:
    """A function and those it calls, directly or not."""
    yield access
    for visit in access.all_visits():
        for _, callee in visit.calls:
            yield from _reached(callee)


def _vanished(
    access: FunctionAccesses, visit: Visit, origin: ir.Origin, found: Analysis, files: SourceFiles
) -> FunctionAccesses | None:
    """A helper that does nothing but make tiles leaves no call behind: the call in the text stands for it."""
    if origin.call is None or _holds_innermost(access.function, origin.call, files):
        return None
    index = files.file(origin.call.file).index
    call = index.call(origin.call)
    maker = index.function_of(call) if call is not None else None
    statement = files.file(visit.span.file).index.statement(visit.span)
    if not isinstance(maker, ast.FunctionDef) or statement is None:
        return None
    for node in ast.walk(statement):
        name = getattr(node.func, "attr", getattr(node.func, "id", "")) if isinstance(node, ast.Call) else ""
        if name == maker.name:
            function = ir.FunctionIR(name, span=index.span(maker), file=index.path, source_name=name)
            made = FunctionAccesses(function, access.core)
            visit.calls.append((files.file(visit.span.file).index.span(node), made))
            found.accesses.insert(found.accesses.index(access), made)
            return made
    return None


def _holds_innermost(function: ir.FunctionIR, call: Span, files: SourceFiles) -> bool:
    """Whether a declaration's text stands in this very function."""
    index = files.file(call.file).index
    node = index.call(call)
    owner = index.function_of(node) if node is not None else None
    return owner is not None and owner is files.function(function)


def _holds(function: ir.FunctionIR, call: Span | None) -> bool:
    span = function.span
    return (
        span is not None
        and call is not None
        and span.file == call.file
        and (span.line, span.col) <= (call.line, call.col)
        and (call.end_line, call.end_col) <= (span.end_line, span.end_col)
    )


def mutex_ids_keyword(call: ast.Call) -> ast.keyword | None:
    return next((k for k in call.keywords if k.arg == "mutex_ids"), None)


class CallGraph:
    """The functions that a kernel reaches, each for every set of tiles that it is called with."""

    def __init__(self, files: SourceFiles) -> None:
        self.files = files
        self.accesses: list[FunctionAccesses] = []
        self._made: dict[tuple[object, ...], FunctionAccesses] = {}
        self._count: Counter[ir.FunctionIR] = Counter()

    def entered(self, function: ir.FunctionIR, core: str, tiles: dict[ir.TileVar, Holding]) -> FunctionAccesses:
        """The accesses of a function whose tile parameters hold these tiles."""
        if self._count[function] >= MOST_CALLS:
            tiles = {}
        key = (function, core, *(tiles.get(parameter) for parameter in function.params))  # type: ignore[arg-type]
        if key not in self._made:
            self._count[function] += 1
            self._made[key] = function_accesses(function, core, tiles, self)
            self.accesses.append(self._made[key])
        return self._made[key]

    def argument_spans(self, stmt: ir.CallStmt) -> dict[str, Span]:
        """Span of the argument for each parameter of the function's text."""
        function = stmt.function
        if stmt.call is None:
            return {}
        index = self.files.file(stmt.call.file).index
        call = index.call(stmt.call)
        node = self.files.function(function)
        if call is None or node is None:
            return {}
        parameters = [a.arg for a in (*node.args.posonlyargs, *node.args.args)]
        written = launch_arguments(call) if isinstance(stmt, simt_ir.Launch) else call.args
        found = {name: index.span(value) for name, value in zip(parameters, written, strict=False)}
        found.update({k.arg: index.span(k.value) for k in call.keywords if k.arg})
        return found
