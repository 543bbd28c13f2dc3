"""Find the pipeline loops of a kernel and check their shape.

In: the kernel's syntax tree, the stage calls that lowering noted, and the `if`s that it folded.  Out: one `LoopShape`
for each `for` whose body holds stage calls, in source order; everything that is wrong with the shape is reported.

    for ki in pl.range(...):
        <statements>                                  zone 1: once per task, before the snapshot
        with pl.section_cube(): first(...)            stages: each alone in its section, nothing between them
        with pl.section_vector(): second(...)
        <statements>                                  zone 3: once per task, prepare the next one
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import cast

from ptopro.diagnostics import Label, Sink, Span, make
from ptopro.expand.pipeline_model import Core
from ptopro.expand.syntax_index import SyntaxIndex
from ptopro.frontend.kernels import KernelSource
from ptopro.lowering import ir
from ptopro.lowering.stages import StageCall


@dataclass(frozen=True, slots=True, eq=False)
class StageSite:
    """A stage call in the text.

    statement: the one of the loop's body that holds it; section: its `with`; expression: the statement of the call;
    conditions: run-time tests around it, the outermost first.
    """

    statement: ast.stmt
    section: ast.With
    expression: ast.Expr
    call: ast.Call
    noted: StageCall
    conditions: tuple[ast.expr, ...] = ()

    @property
    def core(self) -> Core:
        return cast("Core", self.noted.core)

    @property
    def name(self) -> str:
        return self.noted.name


@dataclass(slots=True, eq=False)
class LoopShape:
    """A pipeline loop.  nest: the loops that tasks stream through, the outermost first, the pipeline loop last."""

    node: ast.For
    nest: list[ast.For]
    sites: list[StageSite] = field(default_factory=list)
    before: list[ast.stmt] = field(default_factory=list)  # zone 1
    after: list[ast.stmt] = field(default_factory=list)  # zone 3

    @property
    def root(self) -> ast.For:
        """The loop that the stream fills and drains around."""
        return self.nest[0]


def find_loops(kernel: KernelSource, lowered: ir.KernelIR, index: SyntaxIndex, sink: Sink) -> list[LoopShape]:
    """The pipeline loops of a kernel."""
    finder = _Finder(kernel, lowered, index, sink)
    if not finder.calls:
        finder.report_none()
        return []
    finder.search(kernel.node.body, [])
    finder.check_unreached()
    finder.cut_shared_nests()
    for loop in finder.loops:
        finder.check(loop)
    return finder.loops


class _Finder:
    def __init__(self, kernel: KernelSource, lowered: ir.KernelIR, index: SyntaxIndex, sink: Sink) -> None:
        self.kernel = kernel
        self.index = index
        self.sink = sink
        self.folded = lowered.folded
        self.loops: list[LoopShape] = []
        self.calls: dict[ast.Call, StageCall] = {}
        self.indirect: list[StageCall] = []
        self.reached: set[ast.Call] = set()
        for noted in cast("tuple[StageCall, ...]", lowered.stage_calls):
            if noted.chain:
                self.indirect.append(noted)
                continue
            node = index.call(noted.span) if noted.span.file == index.path else None
            if node is not None and (node not in self.calls or noted.section is not None):
                self.calls[node] = noted

    # ----------------------------------------------------------------------------------------------------------------
    # Search

    def search(self, statements: Sequence[ast.stmt], nest: list[ast.For]) -> None:
        """Look for pipeline loops; `nest`: the counted loops around these statements without anything between."""
        for node in self.flat(statements):
            match node:
                case ast.For():
                    inner = [*nest, node]
                    if any(self.sites_in(s) for s in self.flat(node.body)):
                        self.loops.append(self.read(node, inner))
                    else:
                        self.search(node.body, inner)
                case ast.With():
                    self.search(node.body, nest)
                case ast.If():  # a condition at run time: the stream fills and drains inside it
                    self.search(node.body, [])
                    self.search(node.orelse, [])
                case ast.While():
                    self.search(node.body, [])
                case _:
                    pass

    def flat(self, statements: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
        """Statements, with the branch that is taken in place of an `if` that is known at compile time."""
        for node in statements:
            test = self.folded.get(self.index.span(node)) if isinstance(node, ast.If) else None
            if isinstance(node, ast.If) and test is not None:
                yield from self.flat(node.body if test else node.orelse)
            else:
                yield node

    def sites_in(self, node: ast.stmt) -> list[ast.Call]:
        """Stage calls that a statement of a loop's body holds: in a section, under conditions, or bare."""
        match node:
            case ast.Expr(value=ast.Call() as call) if call in self.calls:
                return [call]
            case ast.With() | ast.If():
                inner = [*node.body, *(node.orelse if isinstance(node, ast.If) else [])]
                return [call for s in self.flat(inner) for call in self.sites_in(s)]
            case _:
                return []

    # ----------------------------------------------------------------------------------------------------------------
    # One loop

    def read(self, node: ast.For, nest: list[ast.For]) -> LoopShape:
        loop = LoopShape(node, nest)
        between: list[ast.stmt] = []
        for statement in self.flat(node.body):
            calls = self.sites_in(statement)
            if not calls:
                (between if loop.sites else loop.before).append(statement)
                continue
            self.reached.update(calls)
            for stray in between:
                if not isinstance(stray, ast.Pass):
                    self.report("PTO1409", stray, first=loop.sites[0].name, last=self.calls[calls[0]].name)
            between = []
            site = self.site(statement, calls)
            if site is not None:
                loop.sites.append(site)
        loop.after = between
        return loop

    def site(self, statement: ast.stmt, calls: list[ast.Call]) -> StageSite | None:
        """The stage call of one statement of the loop's body; None after a report."""
        noted = self.calls[calls[0]]
        if len(calls) > 1:
            self.report(
                "PTO1407",
                calls[1],
                stage=self.calls[calls[1]].name,
                other=noted.name,
                labels=[Label(self.index.span(calls[0]), f"{noted.name} is called here")],
            )
            return None
        conditions: list[ast.expr] = []
        section: ast.With | None = None
        node = statement
        while not isinstance(node, ast.Expr):
            if isinstance(node, ast.If):
                if node.orelse:
                    self.report("PTO1416", node.test, stage=noted.name, why="it has an else branch")
                    return None
                conditions.append(node.test)
            elif isinstance(node, ast.With):
                if section is not None or noted.section is None:
                    self.report("PTO1406", node, stage=noted.name)
                    return None
                section = node
            inside = [s for s in self.flat(cast("ast.With", node).body) if not isinstance(s, ast.Pass)]
            held = next(s for s in inside if self.sites_in(s))
            for stray in inside:
                if stray is not held and not _is_docstring(stray):
                    self.report("PTO1408", stray, stage=noted.name)
                    return None
            node = held
        if section is None or noted.section is None:
            self.report("PTO1405", calls[0], stage=noted.name)
            return None
        return StageSite(statement, section, node, calls[0], noted, tuple(conditions))

    def check(self, loop: LoopShape) -> None:
        """What is wrong with one loop, beyond its statements."""
        seen: dict[str, StageSite] = {}
        for site in loop.sites:
            other = seen.setdefault(site.name, site)
            if other is not site:
                first = Label(self.index.span(other.call), "the first call")
                self.report("PTO1410", site.call, stage=site.name, labels=[first])
            definition = site.noted.definition
            self.check_definition(site, definition)
        if not isinstance(loop.node.target, ast.Name):
            self.report("PTO1414", loop.node.target)
        for outer in loop.nest:
            self.check_jumps(loop, outer)

    def check_definition(self, site: StageSite, definition: Span) -> None:
        """A stage gives nothing back."""
        if definition.file != self.index.path:
            return
        function = self.index.statement(definition)
        if not isinstance(function, ast.FunctionDef):
            return
        for node in ast.walk(function):
            if isinstance(node, ast.Return) and node.value is not None:
                if isinstance(node.value, ast.Constant) and node.value.value is None:
                    continue
                self.report("PTO1412", node, stage=site.name)
                return

    def check_jumps(self, loop: LoopShape, outer: ast.For) -> None:
        """A `return` inside the nest leaves credits behind."""
        for node in ast.walk(outer):
            if isinstance(node, ast.Return):
                self.report("PTO1443", node)
        if outer is not loop.node and outer.orelse:
            self.report("PTO1444", outer.orelse[0])
        if outer is loop.node and outer.orelse:
            self.report("PTO1444", outer.orelse[0])

    # ----------------------------------------------------------------------------------------------------------------
    # All loops

    def cut_shared_nests(self) -> None:
        """Loops that hold several pipeline loops hold whole pipelines: each fills and drains inside."""
        owners: dict[ast.For, int] = {}
        for loop in self.loops:
            for node in loop.nest:
                owners[node] = owners.get(node, 0) + 1
        for loop in self.loops:
            loop.nest = [node for node in loop.nest if owners[node] == 1]

    def check_unreached(self) -> None:
        """Stage calls that no pipeline loop holds."""
        for noted in self.indirect:
            chain = [*(name for name, _ in noted.chain), noted.name]
            code = "PTO1413" if any(is_stage for _, is_stage in noted.chain) else "PTO1445"
            self.sink.add(make(code, noted.span, stage=noted.name, outer=noted.chain[0][0], chain=" -> ".join(chain)))
        for node, noted in self.calls.items():
            if node not in self.reached:
                self.report("PTO1404", node, stage=noted.name)

    def report_none(self) -> None:
        """pipeline= is set, but no stage is called."""
        for noted in self.indirect:
            chain = [*(name for name, _ in noted.chain), noted.name]
            self.sink.add(
                make("PTO1445", noted.span, stage=noted.name, outer=noted.chain[0][0], chain=" -> ".join(chain))
            )
        if not self.indirect:
            self.sink.add(make("PTO1403", self.kernel.options.spans.get("pipeline", self.kernel.span)))

    def report(self, code: str, node: ast.AST, *, labels: Sequence[Label] = (), **facts: str) -> None:
        self.sink.add(make(code, self.index.span(node), labels=labels, **facts))


def _is_docstring(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
