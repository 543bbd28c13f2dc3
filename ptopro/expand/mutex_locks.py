"""Part B of expand: write the intra-core locks of one kernel.

In: a kernel's text and its typed IR.  Out: the file's text with locks around operations, merged ids in the
declarations, clones of helpers where they are needed, and `auto_mutex=False`.  The steps: analyse (mutex_analysis),
partition helpers (clones), plan (mutex_plan), coalesce (mutex_coalesce), write (mutex_emit).
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass, field

from ptopro.diagnostics import Sink, make
from ptopro.diagnostics.span import Span
from ptopro.expand import helper_texts
from ptopro.expand.clones import CopyClass, Signature, classes
from ptopro.expand.decorator import add_keyword, turn_off_auto_mutex
from ptopro.expand.edits import EditSet, Piece
from ptopro.expand.model import ExpandOptions
from ptopro.expand.mutex_accesses import FunctionAccesses
from ptopro.expand.mutex_analysis import Analysis, analyse, mutex_ids_keyword
from ptopro.expand.mutex_barriers import barriers
from ptopro.expand.mutex_by_hand import check_no_nesting
from ptopro.expand.mutex_coalesce import blocks_of, regions
from ptopro.expand.mutex_emit import LockWriter
from ptopro.expand.mutex_overlap import Declaration, ids_literal
from ptopro.expand.mutex_plan import FunctionPlanner, StatementPlan
from ptopro.expand.names import OWN_IMPORT, Names, is_shadowed
from ptopro.expand.sources import SourceFile, SourceFiles
from ptopro.expand.syntax_index import Place, place_of
from ptopro.frontend.kernels import KernelSource
from ptopro.language.enums import PipeType
from ptopro.lowering import ir


@dataclass(slots=True)
class Locked:
    """The text in pieces, and what was written."""

    pieces: list[Piece]
    locks: int = 0
    saved: int = 0
    barriers: int = 0
    analysis: Analysis | None = field(default=None)


def write_locks(kernel: KernelSource, lowered: ir.KernelIR, options: ExpandOptions, sink: Sink) -> Locked:
    """Write the locks of a kernel that leaves them to the framework."""
    return _Writer(kernel, lowered, options, sink).write()


class _Writer:
    def __init__(self, kernel: KernelSource, lowered: ir.KernelIR, options: ExpandOptions, sink: Sink) -> None:
        self.kernel = kernel
        self.lowered = lowered
        self.options = options
        self.sink = sink
        self.files = SourceFiles(kernel.module)
        self.main = EditSet(self.files.main.source, self.files.main.index)
        self.analysis = analyse(lowered, self.files, sink)
        self.result = Locked([], analysis=self.analysis)
        self.callees: dict[FunctionAccesses, str] = {}  # functions whose text got another name
        self.methods: set[str] = set()  # names of clones that stand in a class
        self.needs_import = False

    @property
    def explicit(self) -> bool:
        return self.options.mutex == "explicit"

    def write(self) -> Locked:
        helpers: dict[tuple[str, int, int, str], list[FunctionAccesses]] = {}
        halves: list[FunctionAccesses] = []
        roots = set(self.lowered.halves)
        for access in self.analysis.accesses:
            function = access.function
            if function in roots:
                halves.append(access)
            else:
                span = function.span
                key = (function.file, span.line if span else 0, span.col if span else 0, function.source_name)
                helpers.setdefault(key, []).append(access)
        names = helper_texts.CloneNames(self.files.main, self.sink)
        shared = helper_texts.used_by_other_kernels(self.kernel)
        for copies in helpers.values():
            self._helper(copies, names, shared)
        self._function(CopyClass(self.kernel.node, self.kernel.module.path, halves), self.main, self.files.main)
        if self.explicit:
            turn_off_auto_mutex(self.kernel, self.main, self.sink)
        if self.needs_import:
            helper_texts.import_language(self.main)
        self.result.pieces = self.main.pieces()
        return self.result

    # ----------------------------------------------------------------------------------------------------------------
    # Helpers

    def _helper(
        self, copies: Sequence[FunctionAccesses], names: helper_texts.CloneNames, shared: frozenset[str]
    ) -> None:
        """Write the texts of one helper function: in place where possible, else as clones."""
        function = copies[0].function
        node = self.files.function(function)
        path = function.span.file if function.span else function.file
        if node is None:
            if any(self._asks_for_edits([copy], None) for copy in copies):
                self.sink.add(make("PTO1509", function.span, function=function.name, why="it is a lambda"))
            return
        file = self.files.file(path)
        groups = [list(copies)]
        if len(copies) > 1:
            groups = classes(copies, lambda members: self._signature(members, node, file))
        own_file = file is self.files.main
        edited = [members for members in groups if self._asks_for_edits(members, node)]
        for number, members in enumerate(edited):
            copy = CopyClass(node, path, members, node.name)
            if own_file and number == 0 and len(edited) == len(groups) and node.name not in shared:
                self._function(copy, self.main, file)
                continue
            in_class = isinstance(file.index.parents.get(node), ast.ClassDef)
            if in_class and not own_file:
                why = f"it is a method of a class in {path}"
                self.sink.add(make("PTO1509", function.span, function=function.name, why=why))
                return
            copy.name = names.clone(node.name)
            if in_class:
                self.methods.add(copy.name)
            for member in members:
                self.callees[member] = copy.name
            edits = EditSet(file.source, file.index)
            self._function(copy, edits, file)
            if own_file:
                helper_texts.insert_clone(self.main, edits, node, copy.name)
            else:
                helper_texts.insert_sibling(self.main, edits, node, copy.name, self.kernel, self.files, file)

    def _asks_for_edits(self, members: Sequence[FunctionAccesses], node: ast.FunctionDef | None) -> bool:
        """Whether the text of these specialisations must change."""
        for member in members:
            if any(self._literal(decl) is not None for decl in self._declared(member)):
                return True
            for visit in member.all_visits():
                if any(callee in self.callees for _, callee in visit.calls):
                    return True
        if not self.explicit:
            return False
        needs = self.analysis.relations.needs_lock
        return any(needs(touch, member.core) for member in members for touch in member.touches())

    def _signature(self, members: Sequence[FunctionAccesses], node: ast.FunctionDef, file: SourceFile) -> Signature:
        planner = FunctionPlanner(
            members, file.source, file.index, self.analysis.relations, Names(node, file.index, Sink()), Sink()
        )
        plans = planner.plans() if self.explicit else {}
        visited = {place for member in members for place in member.visits}
        tiles: dict[tuple[ast.stmt, str], str] = {}
        for member in members:
            for place, visits in member.visits.items():
                statement = file.index.statements.get(place)
                for touch in (t for v in visits for t in v.touches if statement is not None):
                    assert statement is not None
                    plan = plans.get(statement) or StatementPlan(statement)
                    tiles[statement, planner.text_of(touch, plan)[0]] = touch.pipe.name
        return Signature(
            {
                statement: frozenset(
                    (item.pipe.name, item.argument)
                    for items in (plan.items, *(h.items for h in plan.hoists))
                    for item in items
                )
                for statement, plan in plans.items()
            },
            tiles,
            frozenset(s for place in visited if (s := file.index.statements.get(place)) is not None),
            self._literals(members),
            {
                place_of(span): self.callees.get(callee, "")
                for member in members
                for visit in member.all_visits()
                for span, callee in visit.calls
            },
        )

    # ----------------------------------------------------------------------------------------------------------------
    # One text

    def _function(self, copy: CopyClass, edits: EditSet, file: SourceFile) -> None:
        """Put everything that a class of specialisations asks for into the edits of its text."""
        node = copy.node
        assert node is not None
        self._write_literals(copy.members, edits)
        self._rename_calls(copy.members, edits)
        alias = file.alias if file is self.files.main else self.files.main.alias
        if alias is None or is_shadowed(alias, node, edits.index):
            alias = OWN_IMPORT
        planner = FunctionPlanner(
            copy.members,
            edits.source,
            edits.index,
            self.analysis.relations,
            Names(node, edits.index, self.sink),
            self.sink,
        )
        hazards: dict[ast.stmt, tuple[PipeType, str]] = {}
        for block in blocks_of(node):
            hazards.update(barriers(block, copy.members, edits.index, self.analysis.relations))
        plans = planner.plans() if self.explicit else {}
        check_no_nesting(node.body, plans, copy.members, edits.index, self.analysis.relations, self.sink)
        found, saved = regions(node, plans, planner, self.options.coalesce)
        writer = LockWriter(edits, alias)
        writer.write(plans, found, hazards)
        self.needs_import |= alias == OWN_IMPORT and bool(writer.locks or hazards)
        self.result.locks += writer.locks
        self.result.saved += saved
        self.result.barriers += len(hazards)

    def _rename_calls(self, members: Sequence[FunctionAccesses], edits: EditSet) -> None:
        """Call the clones."""
        names: dict[Place, tuple[Span, set[str]]] = {}
        for member in members:
            for visit in member.all_visits():
                for span, callee in visit.calls:
                    names.setdefault(place_of(span), (span, set()))[1].add(self.callees.get(callee, ""))
        for span, wanted in names.values():
            call = edits.index.call(span)
            if wanted == {""}:
                continue
            if len(wanted) > 1 or call is None or not isinstance(call.func, ast.Name | ast.Attribute):
                why = "one call of it needs different copies in different rounds of an unrolled loop"
                if len(wanted) == 1:
                    why = "it is not called by its name"
                self.sink.add(make("PTO1509", span, function=sorted(wanted)[-1], why=why))
                continue
            name = wanted.pop()
            if isinstance(call.func, ast.Attribute) and name in self.methods:
                name = f"{edits.source.slice(edits.index.span(call.func.value))}.{name}"
            edits.replace(call.func, name)

    # ----------------------------------------------------------------------------------------------------------------
    # Ids in declarations

    def _declared(self, member: FunctionAccesses) -> list[Declaration]:
        origins = self.analysis.declared.get(member, ())
        found = (self.analysis.table.declaration(origin) for origin in origins)
        return [declaration for declaration in found if declaration is not None]

    def _literal(self, declaration: Declaration) -> str | None:
        """What `mutex_ids=` must say; None when it says so already."""
        ids = self.analysis.table.final(declaration)
        if (ids == declaration.given and not declaration.automatic) or not any(ids):
            return None
        if not self.explicit and not declaration.is_group:
            return None  # the peer's make_tile knows no ids
        return ids_literal(declaration, ids)

    def _literals(self, members: Sequence[FunctionAccesses]) -> dict[Place, str | None]:
        found: dict[Place, str | None] = {}
        for member in members:
            for declaration in self._declared(member):
                if declaration.call is not None:
                    found[place_of(declaration.call)] = ids_literal(declaration, self.analysis.table.final(declaration))
        return found

    def _write_literals(self, members: Sequence[FunctionAccesses], edits: EditSet) -> None:
        """Write merged ids into the declarations; one text can hold one list only."""
        wanted: dict[Place, dict[str | None, Declaration]] = {}
        for member in members:
            for declaration in self._declared(member):
                if declaration.call is not None:
                    wanted.setdefault(place_of(declaration.call), {})[self._literal(declaration)] = declaration
        for literals in wanted.values():
            if set(literals) == {None}:
                continue
            declaration = next(iter(literals.values()))
            call = edits.index.call(declaration.call)
            keyword = mutex_ids_keyword(call) if call is not None else None
            hidden = keyword is None and any(declaration.given)
            elsewhere = declaration.call is None or declaration.call.file != edits.index.path
            if call is None or len(literals) > 1 or hidden or elsewhere:
                lists = " and ".join(sorted(str(text or "its own ids") for text in literals))
                self.sink.add(make("PTO1503", declaration.call, name=declaration.name, lists=lists))
            elif keyword is not None:
                edits.replace(keyword.value, str(next(iter(literals))))
            else:
                add_keyword(call, f"mutex_ids={next(iter(literals))}", edits)
