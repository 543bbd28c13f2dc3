"""Everything that is known about one pipeline loop before its flags are chosen.

In: the shape of the loop and the IR of both halves.  Out: a `LoopFacts`: delays, what each stage does, what the
statements around the stages do, and how scalars and slots move with the tasks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from ptopro.diagnostics import Sink, Span, make
from ptopro.expand.pipeline_accesses import Body, Meaning, Walker
from ptopro.expand.pipeline_buffers import BufferTable
from ptopro.expand.pipeline_loops import LoopShape, StageSite
from ptopro.expand.pipeline_model import Access, Core, SlotRule, Stage
from ptopro.expand.pipeline_picks import Cursors
from ptopro.expand.pipeline_values import Linear, Nest, NestValues, find_nest
from ptopro.expand.syntax_index import SyntaxIndex
from ptopro.lowering import ir

CORES: tuple[Core, Core] = ("cube", "vector")


@dataclass(slots=True, eq=False)
class Half:
    """One core's view of the loop.

    tiles: what the tile variables of the kernel mean at the snapshot; picks: where each was picked.
    """

    function: ir.FunctionIR
    nest: Nest
    values: NestValues
    cursors: Cursors
    tiles: dict[ir.TileVar, tuple[Meaning, ...]]


@dataclass(slots=True, eq=False)
class Surrounding:
    """Statements of the nest that are no stage.

    level: the loop of the nest (its number) whose body they stand in; behind: after the stages.
    """

    core: Core
    level: int
    behind: bool
    body: Body
    stmts: tuple[ir.Stmt, ...]


@dataclass(slots=True, eq=False)
class LoopFacts:
    """bodies: by stage number, as the operations stand in the stage; stages: with slots in terms of tasks."""

    shape: LoopShape
    preload: int
    table: BufferTable
    halves: dict[Core, Half] = field(default_factory=dict)
    stages: list[Stage] = field(default_factory=list)
    bodies: list[Body] = field(default_factory=list)
    around: list[Surrounding] = field(default_factory=list)

    @property
    def depth(self) -> int:
        return max((s.delay for s in self.stages), default=0) + 1


def delays(cores: Sequence[Core], preload: int) -> list[int]:
    """The delay of each stage: the k-th run of stages of a core works k * preload tasks behind its first one.

    Neighbouring stages of one core count as one: C V C V at preload 2 is 0, 0, 2, 2, and C C V C is 0, 0, 0, 2.
    """
    runs: dict[Core, int] = {}
    found: list[int] = []
    for number, core in enumerate(cores):
        if number == 0 or cores[number - 1] != core:
            runs[core] = runs.get(core, -1) + 1
        found.append(runs[core] * preload)
    return found


def analyse_loop(
    shape: LoopShape, lowered: ir.KernelIR, index: SyntaxIndex, table: BufferTable, preload: int, sink: Sink
) -> LoopFacts | None:
    """The facts of one loop; None after a report."""
    facts = LoopFacts(shape, preload, table)
    spans = [index.span(node) for node in shape.nest]
    first = index.span(shape.sites[0].statement)
    skips = has_continue(shape, index)
    for core, function in zip(CORES, (lowered.cube, lowered.vector), strict=True):
        if function is None:
            continue
        nest = find_nest(function, spans)
        if nest is None:
            continue
        values = NestValues(nest, (first.line, first.col), skips)
        facts.halves[core] = Half(function, nest, values, Cursors(nest, skips), {})
    if not facts.halves:
        if all(isinstance(function, ir.FunctionIR) for function in lowered.halves):
            sink.add(make("PTO1414", index.span(shape.node.iter)))
        return None
    around_behind: list[Surrounding] = []
    for core, half in facts.halves.items():
        _kernel_statements(facts, core, half, (first.line, first.col), around_behind)
    steps = delays([site.core for site in shape.sites], preload)
    for number, site in enumerate(shape.sites):
        _stage(facts, number, site, steps[number])
    facts.around.extend(around_behind)
    return facts


def has_continue(shape: LoopShape, index: SyntaxIndex) -> bool:
    """Whether a round of the pipeline loop may end before its stages."""
    import ast

    return any(isinstance(node, ast.Continue | ast.Break) for s in shape.before for node in ast.walk(s))


def _kernel_statements(
    facts: LoopFacts, core: Core, half: Half, first: tuple[int, int], behind: list[Surrounding]
) -> None:
    """Walk the statements of the nest that are no stage, from the outside in; those behind the stages come last."""
    nest, values = half.nest, half.values
    scalars: dict[ir.Var, Linear | None] = {**values.scope, **values.entry}
    bound: dict[ir.TileVar, int] = {}
    for stmt in ir.walk((nest.root,)):
        if isinstance(stmt, ir.BindTile):
            bound[stmt.var] = bound.get(stmt.var, 0) + 1
    start = Walker(facts.table, -1, dict(scalars), half.tiles, half.cursors)
    before_root = Walker(facts.table, -1, {}, half.tiles)
    before_root.run([s for s in nest.before if isinstance(s, ir.BindTile)])
    last = len(nest.loops) - 1
    later: list[tuple[int, tuple[ir.Stmt, ...]]] = []
    for level in range(last + 1):
        half.cursors.enter(level)
        ahead, after = nest.level(level)
        if level == last:
            ahead, after = _around_stages(nest.loop.body, facts.shape, first)
        walker = Walker(facts.table, -1, start.scalars, half.tiles, half.cursors, values.after)
        body = walker.run(ahead)
        facts.around.append(Surrounding(core, level, False, body, ahead))
        start = walker
        later.append((level, after))
    for var, times in bound.items():
        if times > 1 or var not in half.tiles:
            half.tiles[var] = _any_slot(facts.table, var)
    for level, after in reversed(later):
        half.cursors.level = level
        walker = Walker(facts.table, -1, dict(values.scope), dict(half.tiles), half.cursors, values.after)
        behind.append(Surrounding(core, level, True, walker.run(after), after))


def _any_slot(table: BufferTable, var: ir.TileVar) -> tuple[Meaning, ...]:
    origins = sorted(var.origins, key=lambda o: (str(o.span), o.name))
    fixed = SlotRule("constant")
    return tuple(
        (table.tile(o), SlotRule("unknown", modulus=o.depth) if isinstance(o, ir.GroupDecl) and o.depth > 1 else fixed)
        for o in origins
    )


def _around_stages(
    body: ir.Block, shape: LoopShape, first: tuple[int, int]
) -> tuple[tuple[ir.Stmt, ...], tuple[ir.Stmt, ...]]:
    """The statements of the pipeline loop's body before and behind the stages."""
    sections = {(site.statement.lineno, site.statement.end_lineno) for site in shape.sites}
    before: list[ir.Stmt] = []
    after: list[ir.Stmt] = []
    for stmt in body:
        inside = any(low <= stmt.span.line and stmt.span.end_line <= (high or low) for low, high in sections)
        if not inside:
            (after if (stmt.span.line, stmt.span.col) > first else before).append(stmt)
    return tuple(before), tuple(after)


def _stage(facts: LoopFacts, number: int, site: StageSite, delay: int) -> None:
    """Walk one stage with what its parameters hold."""
    half = facts.halves.get(site.core)
    body = Body()
    if half is not None:
        call = find_call(half.nest.loop.body, site.noted.span)
        if call is not None:
            walker = Walker(facts.table, number, {}, {})
            outer = Walker(facts.table, number, dict(half.values.scope), half.tiles, half.cursors)
            half.cursors.level = len(half.nest.loops) - 1
            loop = half.nest.loop
            for param, arg in zip(call.function.params, call.args, strict=True):
                if isinstance(param, ir.TileVar):
                    walker.tiles[param] = outer.meaning(arg)
                elif param.dtype.is_int:
                    walker.scalars[param] = half.values.form(arg)
                    if isinstance(arg, ir.VarRef) and arg.var is loop.var and isinstance(loop.start, ir.Const):
                        walker.starts[param] = int(loop.start.value)
            body = walker.run(call.function.body)
    facts.bodies.append(body)
    conditional = bool(site.conditions)
    stage = Stage(
        number,
        site.name,
        site.core,
        delay,
        tuple(replace(a, conditional=True) for a in body.accesses) if conditional else tuple(body.accesses),
        tuple(body.advances.items()),
        site.noted.span,
        conditional,
        () if conditional else tuple(body.joints),
    )
    facts.stages.append(stage)


def settle_cursors(facts: LoopFacts) -> None:
    """Express cursors in tasks where one stage of a core moves a group by the same steps in every run."""
    for core, half in facts.halves.items():
        mine = [s for s in facts.stages if s.core == core]
        for number in range(len(facts.table.buffers)):
            movers = [s for s in mine if dict(s.advances).get(number, 0) != 0]
            if len(movers) != 1 or any(s.body.advances.get(number) for s in facts.around if s.core == core):
                continue
            steps = dict(movers[0].advances)[number]
            declared = facts.table.declared[number]
            if steps is None or not isinstance(declared, ir.GroupDecl) or _moved_elsewhere(facts, half, declared):
                continue
            start = next((half.cursors.initial(g) for g in half.cursors.start if g.call == declared.call), None)
            base = "" if start is not None else f"start of {declared.name}"
            for stage in mine:
                # a stage in front of the mover sees what the task before left
                behind = stage.index < movers[0].index
                facts.stages[stage.index] = replace(
                    facts.stages[stage.index],
                    accesses=tuple(
                        _in_tasks(a, number, stage is movers[0], behind, steps, start, base, facts)
                        for a in facts.stages[stage.index].accesses
                    ),
                    joints=tuple(
                        _in_tasks(a, number, stage is movers[0], behind, steps, start, base, facts)
                        for a in facts.stages[stage.index].joints
                    ),
                )


def _moved_elsewhere(facts: LoopFacts, half: Half, group: ir.GroupDecl) -> bool:
    """Whether statements of the nest move the cursor too."""
    from ptopro.expand.pipeline_picks import moved_by

    return any(group.call == g.call for s in facts.around for g in moved_by(s.stmts) if s.core in facts.halves)


def _in_tasks(
    access: Access, number: int, mover: bool, behind: bool, steps: int, start: int | None, base: str, facts: LoopFacts
) -> Access:
    if access.buffer != number or access.rule.kind != "cursor" or not mover:
        return access
    depth = facts.table.buffers[number].slots
    first = start if start is not None else depth - 1
    offset = (first + access.rule.offset) % depth
    return replace(access, rule=SlotRule("task", offset, steps, depth, base))


def find_call(block: ir.Block, span: Span) -> ir.CallStmt | None:
    """The call at a span."""
    for stmt in ir.walk(block):
        if isinstance(stmt, ir.CallStmt) and stmt.call == span:
            return stmt
    return None
