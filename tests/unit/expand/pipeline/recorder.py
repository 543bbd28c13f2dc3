"""Run a lowered kernel on paper, both cores at once, with symbolic data: what does it store, and does it ever block?

Every operation writes a value that stands for its inputs: (name, scalars, values read).  Two programs that store the same
values to the same places compute the same, whatever the numbers are.  The cores take turns at random between statements;
cross-core flags are counters.  In a serial lowering the cores meet at the markers of every section instead, the cube
core first: that is what the author's text means.
"""

from __future__ import annotations

import contextlib
import random
from collections import Counter
from collections.abc import Generator
from dataclasses import dataclass, field
from typing import Any

from ptopro.expand.operand_roles import TILES, operand_roles
from ptopro.language.operations.model import Role
from ptopro.lowering import ir

OTHER = {"cube": "vector", "vector": "cube"}
Steps = Generator[Any, None, None]


class Blocked(AssertionError):
    """No core can go on, or a flag is left at the end."""


class _Leave(Exception):
    def __init__(self, kind: str, values: tuple[Any, ...] = ()) -> None:
        self.kind = kind
        self.values = values


@dataclass
class Memory:
    """cells: per memory the byte ranges that were written and their value; stored: (tensor, offsets) -> value."""

    cells: dict[str, list[tuple[int, int, object]]] = field(default_factory=dict)
    stored: dict[tuple[object, ...], object] = field(default_factory=dict)
    flags: Counter[tuple[str, int]] = field(default_factory=Counter)
    most: int = 0
    calls: list[tuple[str, tuple[Any, ...]]] = field(default_factory=list)

    def read(self, place: tuple[str, int, int]) -> object:
        memory, low, high = place
        return tuple(v for a, b, v in self.cells.get(memory, []) if a < high and low < b)

    def write(self, place: tuple[str, int, int], value: object, *, part: bool) -> None:
        memory, low, high = place
        old = self.read(place) if part else ()
        kept = [c for c in self.cells.get(memory, []) if not (c[0] < high and low < c[1])]
        self.cells[memory] = [*kept, (low, high, hash((value, old)))]


@dataclass
class Core:
    """One half at work."""

    name: str
    memory: Memory
    arguments: dict[str, int]
    scalars: dict[ir.Var, Any] = field(default_factory=dict)
    tiles: dict[ir.TileVar, tuple[ir.Origin, int]] = field(default_factory=dict)
    cursors: dict[ir.GroupDecl, int] = field(default_factory=dict)
    structs: dict[tuple[ir.StructVar, int, str], Any] = field(default_factory=dict)

    def run(self, function: ir.FunctionIR) -> Steps:
        for param in function.params:
            self.scalars[param] = self.arguments.get(param.name, 1)
        with contextlib.suppress(_Leave):
            yield from self.block(function.body)

    def block(self, block: ir.Block) -> Steps:
        for stmt in block:
            yield from self.statement(stmt)

    def statement(self, stmt: ir.Stmt) -> Steps:
        match stmt:
            case ir.SectionBegin() | ir.SectionEnd():
                yield ("marker", 2 * stmt.number + isinstance(stmt, ir.SectionEnd))
            case ir.Assign():
                self.scalars[stmt.var] = self.value(stmt.value)
            case ir.DeclareGroup():
                self.cursors[stmt.decl] = stmt.decl.depth - 1
            case ir.Advance():
                self.cursors[stmt.group] = (self.cursors[stmt.group] + 1) % stmt.group.depth
            case ir.BindTile():
                self.tiles[stmt.var] = self.slot(stmt.tile)
            case ir.StructDeclare():
                for name, values in stmt.values:
                    for at in range(stmt.var.count or 1):
                        self.structs[stmt.var, at, name] = self.value(values[0])
            case ir.StructWrite():
                at = 0 if stmt.at is None else self.value(stmt.at)
                self.structs[stmt.var, at, stmt.field] = self.value(stmt.value)
            case ir.If():
                yield from self.block(stmt.then if self.value(stmt.test) else stmt.other)
            case ir.For():
                bounds = [self.value(e) for e in (stmt.start, stmt.stop, stmt.step)]
                for i in range(*bounds):
                    self.scalars[stmt.var] = i
                    try:
                        yield from self.block(stmt.body)
                    except _Leave as leave:
                        if leave.kind == "return":
                            raise
                        if leave.kind == "break":
                            break
            case ir.CallStmt():
                yield from self.call(stmt)
            case ir.Return():
                raise _Leave("return", tuple(self.value(v) for v in stmt.values))
            case ir.Break():
                raise _Leave("break")
            case ir.Continue():
                raise _Leave("continue")
            case ir.Operate():
                yield from self.operate(stmt)
            case _:
                pass

    def call(self, stmt: ir.CallStmt) -> Steps:
        function = stmt.function
        for param, arg in zip(function.params, stmt.args, strict=True):
            if isinstance(param, ir.TileVar):
                self.tiles[param] = self.slot(arg)
            else:
                self.scalars[param] = self.value(arg)
        if function.kind == "stage":
            named = (p for p in function.params if isinstance(p, ir.Var) and not p.name.endswith("_index"))
            given = tuple(self.scalars[p] for p in named)
            self.memory.calls.append((function.source_name, given))
        try:
            yield from self.block(function.body)
        except _Leave as leave:
            for result, value in zip(stmt.results, leave.values, strict=True):
                self.scalars[result] = value  # type: ignore[index]

    def operate(self, stmt: ir.Operate) -> Steps:
        name = stmt.operation.name
        if stmt.operation.group == "sync":
            event = stmt.get("event_id")
            number = event if event is None or isinstance(event, int) else self.value(event)
            if name == "system.set_cross_core":
                flag = (OTHER[self.name], number)
                self.memory.flags[flag] += 1
                self.memory.most = max(self.memory.most, self.memory.flags[flag])
                yield None
            elif name == "system.wait_cross_core":
                flag = (self.name, number)
                while not self.memory.flags[flag]:
                    yield flag
                self.memory.flags[flag] -= 1
            return
        scalars = tuple(self.scalar_operands(stmt))
        inputs: list[object] = []
        outputs: list[tuple[Any, bool]] = []
        for use, role, _ in operand_roles(stmt):
            if isinstance(use.value, ir.TensorDecl):
                place: Any = (use.value.name, scalars)
                if not role.writes:
                    inputs.append((use.value.name, scalars, self.memory.stored.get(place)))
            else:
                origin, slot = self.slot(use.value)
                low = origin.addrs[slot] if isinstance(origin, ir.GroupDecl) else origin.addr
                place = (origin.spec.memory.name, low, low + (origin.size or origin.spec.size_bytes))
                if role in (Role.IN, Role.INOUT):
                    inputs.append(self.memory.read(place))
            if role.writes:
                outputs.append((place, isinstance(use.value, ir.SubView) or name == "insert"))
        value = hash((name, scalars, tuple(map(hash, inputs))))
        for place, part in outputs:
            if isinstance(place[1], tuple):
                self.memory.stored[place] = value
            else:
                self.memory.write(place, value, part=part)
        yield None

    def scalar_operands(self, stmt: ir.Operate) -> Generator[object, None, None]:
        for use in stmt.operands:
            parts = use.value if isinstance(use.value, tuple) else (use.value,)
            for part in parts:
                if not isinstance(part, (*TILES, ir.TensorDecl)):
                    yield (
                        self.value(part) if hasattr(part, "dtype") and not isinstance(part, ir.StructVar) else str(part)
                    )

    # ----------------------------------------------------------------------------------------------------------------

    def slot(self, tile: Any) -> tuple[ir.Origin, int]:
        match tile:
            case ir.TileRef():
                return tile.decl, 0
            case ir.TileVarRef():
                return self.tiles[tile.var]
            case ir.SubView():
                return self.slot(tile.base)
            case ir.ChooseTile():
                return self.slot(tile.then if self.value(tile.test) else tile.other)
            case ir.SlotRef(index="current"):
                return tile.group, self.cursors[tile.group]
            case ir.SlotRef(index="previous"):
                return tile.group, (self.cursors[tile.group] - 1) % tile.group.depth
        index = tile.index if isinstance(tile.index, int) else self.value(tile.index)
        assert 0 <= index < tile.group.depth
        return tile.group, index

    def value(self, expr: Any) -> Any:
        match expr:
            case int() | float():
                return expr
            case ir.Const():
                return expr.value
            case ir.VarRef():
                return self.scalars.get(expr.var, self.arguments.get(expr.var.name, 1))
            case ir.Cast():
                return self.value(expr.operand)
            case ir.Unary():
                inner = self.value(expr.operand)
                return {"-": lambda: -inner, "~": lambda: ~inner, "not": lambda: not inner}[expr.op]()
            case ir.Choose():
                return self.value(expr.then if self.value(expr.test) else expr.other)
            case ir.SystemValue():
                return 0 if expr.name.endswith("_idx") else 1
            case ir.StructRead():
                at = 0 if expr.at is None else self.value(expr.at)
                return self.structs[expr.var, at, expr.field]
            case ir.ArrayRead():
                return expr.array.values[self.value(expr.index)]
            case ir.ElementRead():
                return 7
            case ir.Call():
                steps = self.call(ir.CallStmt(expr.span, expr.function, expr.args, (ir.Var("value", expr.dtype),)))  # type: ignore[arg-type]
                assert not list(steps)
                return self.scalars.popitem()[1]
            case ir.Binary():
                one, two = self.value(expr.left), self.value(expr.right)
                return _OPERATORS[expr.op](one, two)
        raise AssertionError(f"no value: {expr}")


_OPERATORS: dict[str, Any] = {
    "+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b, "//": lambda a, b: a // b,
    "%": lambda a, b: a % b, "&": lambda a, b: a & b, "==": lambda a, b: a == b, "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b, "<=": lambda a, b: a <= b, ">": lambda a, b: a > b, ">=": lambda a, b: a >= b,
    "and": lambda a, b: a and b, "or": lambda a, b: a or b, "min": min, "max": max,
}  # fmt: skip


def run_serial(kernel: ir.KernelIR, **arguments: int) -> Memory:
    """What the text means: section by section, the cube core first.  The kernel is lowered with `serial`."""
    memory = Memory()
    cores = [
        Core(name, memory, arguments).run(half)
        for name, half in (("cube", kernel.cube), ("vector", kernel.vector))
        if half is not None
    ]
    while cores:
        marks: list[Any] = []
        for core in list(cores):
            mark: Any = None
            for step in core:
                if isinstance(step, tuple) and step[0] == "marker":
                    mark = step
                    break
            marks.append(mark)
        assert len(set(marks)) == 1, f"the halves meet different sections: {marks}"
        if marks[0] is None:
            break
    return memory


def run_flags(kernel: ir.KernelIR, seed: int = 0, **arguments: int) -> Memory:
    """Both cores at once, ordered by flags alone.  Raises Blocked."""
    memory = Memory()
    draw = random.Random(seed)
    cores: dict[str, Steps] = {
        name: Core(name, memory, arguments).run(half)
        for name, half in (("cube", kernel.cube), ("vector", kernel.vector))
        if half is not None
    }
    stuck: dict[str, object] = {}
    while cores:
        ready = [n for n in cores if n not in stuck or memory.flags[stuck[n]]]  # type: ignore[index]
        if not ready:
            raise Blocked(f"all cores wait: {stuck}")
        name = draw.choice(ready)
        for _ in range(draw.choice((1, 2, 30))):
            stuck.pop(name, None)
            try:
                step = next(cores[name])
            except StopIteration:
                del cores[name]
                break
            if isinstance(step, tuple) and step[0] in OTHER:
                stuck[name] = step
                if not memory.flags[step]:
                    break
    left = {flag: count for flag, count in memory.flags.items() if count}
    if left:
        raise Blocked(f"flags are left: {left}")
    assert memory.most <= 15
    return memory
