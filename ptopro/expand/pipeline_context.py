"""What travels with a task: the arguments of delayed stages in terms of their own task.

In: a stage call and what its names hold.  Out: for each piece of an argument its new text.  Values that are the same
for all tasks stay; values that are linear in the number of the task are computed from it; all others are written into a
ring of records just before the stages run, and a delayed stage reads its own task's record:

    compute_pv(ki, v, tick)    ->    compute_pv(_pl_ring[(_pl_task + 1) % 3].ki, v, _pl_task - 2)
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from ptopro.diagnostics import Sink, make
from ptopro.expand.pipeline_analysis import Half, LoopFacts
from ptopro.expand.pipeline_loops import StageSite
from ptopro.expand.pipeline_model import Core
from ptopro.expand.pipeline_slots import Picks
from ptopro.expand.pipeline_values import Linear
from ptopro.expand.source_text import SourceText
from ptopro.expand.syntax_index import SyntaxIndex
from ptopro.language.dtypes import BOOL, FP32, INT64, DType
from ptopro.lowering import ir
from ptopro.lowering.traversal import nodes_of
from ptopro.lowering.values import (
    Known,
    Pointer,
    Scalar,
    StructValue,
    TensorValue,
    TileValue,
    TupleValue,
    Value,
)


@dataclass(frozen=True, slots=True)
class FieldOf:
    """A field of the ring: what is written into it, the cores that read it, and the value that a new record holds."""

    name: str
    source: str
    cores: set[Core]
    initial: str


@dataclass(frozen=True, slots=True)
class StructRing:
    """A struct that changes from task to task: a ring of copies."""

    name: str  # the author's
    fields: tuple[tuple[str, DType], ...]
    core: Core


@dataclass(frozen=True, slots=True)
class Replaced:
    """A node of a stage call, and what stands in its place.

    kind: "field" (text: its name), "struct" (text: the struct's name), "linear", "slot" (text: the group; value: a
    field's name or a linear form).
    """

    node: ast.expr
    kind: str
    text: str
    value: object = None


@dataclass(slots=True, eq=False)
class Context:
    """All fields of a loop, and the replacements in each stage call (by stage number)."""

    fields: dict[str, FieldOf] = field(default_factory=dict)
    structs: dict[str, StructRing] = field(default_factory=dict)
    replaced: dict[int, list[Replaced]] = field(default_factory=dict)


def find_context(
    facts: LoopFacts, index: SyntaxIndex, source: SourceText, picks: Picks, alias: str, sink: Sink
) -> Context:
    """What the delayed stages of a loop need of their own task."""
    context = Context()
    for number, site in enumerate(facts.shape.sites):
        if not facts.stages[number].delay:
            continue
        half = facts.halves.get(site.core)
        if half is None:
            continue
        finder = _Finder(facts, number, site, half, index, source, picks, alias, context, sink)
        for node in [*site.call.args, *(k.value for k in site.call.keywords), *site.conditions]:
            finder.visit(node)
        context.replaced[number] = finder.found
    return context


class _Finder:
    """Goes through the arguments of one call."""

    def __init__(
        self,
        facts: LoopFacts,
        number: int,
        site: StageSite,
        half: Half,
        index: SyntaxIndex,
        source: SourceText,
        picks: Picks,
        alias: str,
        context: Context,
        sink: Sink,
    ) -> None:
        self.facts = facts
        self.number = number
        self.site = site
        self.half = half
        self.index = index
        self.source = source
        self.picks = picks
        self.alias = alias
        self.context = context
        self.sink = sink
        self.found: list[Replaced] = []
        own = (around for around in facts.around if around.core == site.core)
        self.changing = {var for around in own for var in around.body.struct_writes}

    def visit(self, node: ast.expr) -> None:
        """Replace what changes from task to task inside one argument."""
        given = self.given(node)
        if isinstance(given, Scalar) and self.reads_memory(given.expr):
            self.snapshot(node, given)
            return
        if isinstance(given, TileValue) and ir.static_slot(given.expr) is not None:
            return  # one tile, whatever the cursor says
        self.walk(node)

    def given(self, node: ast.expr) -> Value | None:
        """What a whole argument is."""
        for where, value in self.site.noted.arguments.values():
            if where is node:
                return value
        return None

    def walk(self, node: ast.AST) -> None:
        if isinstance(node, ast.Name):
            self.name(node)
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            value = self.site.noted.names.get(node.value.id)
            if isinstance(value, StructValue) and value.var in self.changing:
                self.struct_field(node, value)
        elif isinstance(node, ast.NamedExpr):
            self.refuse(node, "it assigns a name inside the call")
        elif isinstance(node, ast.Call) and self.is_cursor_call(node):
            self.refuse(node, "it moves a cursor inside the call; pick the slot in a statement before the stages")
        else:
            for child in ast.iter_child_nodes(node):
                self.walk(child)

    def is_cursor_call(self, node: ast.Call) -> bool:
        return isinstance(node.func, ast.Attribute) and node.func.attr in ("next", "current", "previous")

    def reads_memory(self, expr: ir.Expr) -> bool:
        """Whether an expression reads elements of tiles or tensors, or calls a helper."""
        return any(isinstance(n, ir.ElementRead | ir.ValidExtent | ir.Call) for n in nodes_of(expr))

    # ----------------------------------------------------------------------------------------------------------------
    # Names

    def name(self, node: ast.Name) -> None:
        value = self.site.noted.names.get(node.id)
        match value:
            case Scalar() | Pointer():
                self.scalar(node, node.id, value)
            case TileValue():
                self.tile(node, value)
            case StructValue():
                self.struct(node, value)
            case TensorValue():
                if any(isinstance(s, ir.DeclareTensor) and s.decl is value.decl for s in self.nest_statements()):
                    self.refuse(node, "it is a view of memory made anew for each task; make the view inside the stage")
            case TupleValue():
                self.tuple(node, value)
            case _:
                pass

    def scalar(self, node: ast.expr, name: str, value: Scalar | Pointer) -> None:
        values = self.half.values
        if values.is_invariant(value.expr):
            return
        if isinstance(value, Pointer):
            self.refuse(node, "it is a pointer that changes; pass the pointer and an offset")
            return
        form = values.form(value.expr)
        if value.dtype == INT64 and form is not None and is_computed(form):
            self.found.append(Replaced(node, "linear", "", form))
            return
        self.found.append(Replaced(node, "field", self.field(name, name, value.dtype)))

    def snapshot(self, node: ast.expr, value: Scalar) -> None:
        """An argument that is evaluated as a whole where the author's code would evaluate it."""
        for read in nodes_of(value.expr):
            if isinstance(read, ir.ElementRead):
                number = self.container(read)
                writers = [s.name for s in self.facts.stages if any(a.writes for a in s.touching(number))]
                if writers:
                    text = self.source.slice(self.index.span(node))
                    self.report("PTO1446", node, text=text, writer=writers[0])
                    return
        text = " ".join(self.source.slice(self.index.span(node)).split())
        name = f"{self.site.name}_{len(self.found)}"
        self.found.append(Replaced(node, "field", self.field(name, text, value.dtype)))

    def container(self, read: ir.ElementRead) -> int:
        if isinstance(read.container, ir.TensorDecl):
            return self.facts.table.tensor(read.container)
        return self.facts.table.tile(next(iter(ir.origins_of(read.container))))

    def field(self, name: str, source: str, dtype: DType) -> str:
        """The name of the field that holds a value of the author's text."""
        for known in self.context.fields.values():
            if known.source == source:
                known.cores.add(self.site.core)
                return known.name
        free, count = name, 1
        while free in self.context.fields:
            free, count = f"{name}_{count}", count + 1
        self.context.fields[free] = FieldOf(free, source, {self.site.core}, initial_value(dtype, self.alias))
        return free

    # ----------------------------------------------------------------------------------------------------------------
    # Structs, tiles, tuples

    def struct(self, node: ast.Name, value: StructValue) -> None:
        if value.var not in self.changing:
            return
        if value.var.count and value.at is None:
            self.refuse(node, "it is a struct_array; pass the element's fields")
            return
        if value.at is not None:
            self.refuse(node, "it is an element of a struct_array; pass its fields")
            return
        if any(length for _, _, length in value.var.type.fields):
            self.refuse(node, "it is a struct with array fields; pass the fields that the stage needs")
            return
        if any(isinstance(s, ir.StructDeclare) and s.var is value.var for s in self.nest_statements()):
            self.refuse(node, "it is made anew inside the loop; make it before the loop and assign its fields")
            return
        fields = tuple((name, dtype) for name, dtype, _ in value.var.type.fields)
        key = f"{node.id} {self.site.core}"
        self.context.structs.setdefault(key, StructRing(node.id, fields, self.site.core))
        self.found.append(Replaced(node, "struct", node.id))

    def struct_field(self, node: ast.Attribute, value: StructValue) -> None:
        text = self.source.slice(self.index.span(node))
        dtype = next((dtype for name, dtype, length in value.var.type.fields if name == node.attr and not length), None)
        if dtype is None or value.at is not None:
            self.refuse(node, "it is no single number")
            return
        name = text.replace(".", "_")
        self.found.append(Replaced(node, "field", self.field(name, text, dtype)))

    def tile(self, node: ast.Name, value: TileValue) -> None:
        var = value.expr.var if isinstance(value.expr, ir.TileVarRef) else None
        if var is None:
            if isinstance(value.expr, ir.SlotRef) and not isinstance(value.expr.index, int):
                self.picked(node)
            elif isinstance(value.expr, ir.SubView | ir.ChooseTile):
                self.refuse(node, "it is a view or a choice of tiles; make it inside the stage")
            return
        if any(isinstance(s, ir.BindTile) and s.var is var for s in self.nest_statements()):
            self.picked(node)

    def picked(self, node: ast.Name) -> None:
        """A slot that the kernel picked inside the nest: its index travels, or is computed."""
        pick = self.picks.find(node.id, self.half, self.site.core, self.facts)
        if isinstance(pick, str):
            self.report("PTO1435", node, name=node.id, stage=self.site.name, why=pick)
            return
        rule = pick.rule
        if rule.kind == "task" and not rule.counter:
            form = Linear(rule.offset, (("t", rule.scale),), rule.modulus)
            self.found.append(Replaced(node, "slot", pick.group, form))
            return
        name = self.field(f"slot_{node.id}", self.picks.track(pick), INT64)
        self.found.append(Replaced(node, "slot", pick.group, name))

    def tuple(self, node: ast.Name, value: TupleValue) -> None:
        if not self.changes(value):
            return
        definition = self.picks.definition(node.id)
        if definition is None:
            self.refuse(node, "it is a tuple of values that change; pass its members one by one")
            return
        self.refuse(node, "it is a tuple made inside the loop; make it in the call, or pass its members one by one")

    def changes(self, value: Value) -> bool:
        """Whether something in a tuple changes from task to task."""
        match value:
            case TupleValue():
                return any(self.changes(item) for item in value.items)
            case Scalar() | Pointer():
                return not self.half.values.is_invariant(value.expr)
            case StructValue():
                return value.var in self.changing
            case TileValue(expr=ir.TileVarRef(var=var)):
                return any(isinstance(s, ir.BindTile) and s.var is var for s in self.nest_statements())
            case TileValue(expr=ir.SlotRef(index=index)):
                return not isinstance(index, int)
            case TileValue(expr=ir.TileRef()) | Known():
                return False
            case TileValue():
                return True
            case _:
                return False

    def nest_statements(self) -> Iterator[ir.Stmt]:
        return ir.walk((self.half.nest.root,))

    def refuse(self, node: ast.expr, why: str) -> None:
        text = " ".join(self.source.slice(self.index.span(node)).split())
        self.report("PTO1447", node, text=text, stage=self.site.name, why=why)

    def report(self, code: str, node: ast.AST, **facts: Any) -> None:
        self.sink.add(make(code, self.index.span(node), **facts))


def is_computed(form: Linear) -> bool:
    """Whether a value can be computed from the number of the task alone."""
    return not form.base and all(symbol == "t" for symbol, _ in form.terms)


def initial_value(dtype: DType, alias: str) -> str:
    """A constant of a type, as text."""
    if dtype == INT64:
        return "0"
    if dtype == FP32:
        return "0.0"
    if dtype == BOOL:
        return "False"
    return f"{alias}.const(0, {alias}.{dtype!r}".replace(f"{alias}.pl.", f"{alias}.") + ")"
