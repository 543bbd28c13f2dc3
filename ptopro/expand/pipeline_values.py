"""How the scalars of a kernel move with the tasks of a pipeline loop.

In: one half of a kernel and the loops of a nest.  Out: for an integer expression, its `Linear` form over the number of
the task and the rounds of the loops around, where it has one:

    tick = 0                                     tick = t
    for qi in pl.range(core, rows, cores):       qi is not known (its step is not)
        turn = turn + 1                          turn = turn0 + rounds(qi) + 1 inside the pipeline loop
        for ki in pl.range(0, n):                ki is not known: it starts again in every round
            ...stages...
            tick = tick + 1
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from ptopro.lowering import ir
from ptopro.lowering.traversal import blocks_of, nodes_of

TASK = "t"


@dataclass(frozen=True, slots=True)
class Linear:
    """offset + sum of factor * symbol, modulo `modulus` (0: not reduced).

    Symbols: TASK, "rounds NAME" for the rounds of a loop around the pipeline loop, "start NAME" for what is not known
    but the same for all tasks.
    """

    offset: int = 0
    terms: tuple[tuple[str, int], ...] = ()
    modulus: int = 0

    def plus(self, other: Linear, sign: int = 1) -> Linear | None:
        if self.modulus or other.modulus:
            return None
        terms = dict(self.terms)
        for symbol, factor in other.terms:
            terms[symbol] = terms.get(symbol, 0) + sign * factor
        kept = tuple(sorted((s, f) for s, f in terms.items() if f))
        return Linear(self.offset + sign * other.offset, kept)

    def times(self, factor: int) -> Linear | None:
        if self.modulus:
            return None
        return Linear(self.offset * factor, tuple((s, f * factor) for s, f in self.terms if f * factor))

    def reduced(self, modulus: int) -> Linear | None:
        if modulus < 1:
            return None
        if self.modulus and self.modulus % modulus:
            return None
        return replace(self, modulus=modulus)

    @property
    def moving(self) -> tuple[tuple[str, int], ...]:
        """The terms that change from task to task."""
        return tuple((s, f) for s, f in self.terms if not s.startswith("start "))

    @property
    def base(self) -> str:
        """The terms that do not, as one label."""
        return " ".join(f"{f}*{s}" for s, f in self.terms if s.startswith("start "))


Scope = Mapping[ir.Var, "Linear | None"]


def linear(expr: object, scope: Scope) -> Linear | None:
    """The linear form of an expression over variables whose forms are in `scope`; None: it has none."""
    match expr:
        case int():
            return Linear(expr)
        case ir.Const():
            return Linear(expr.value) if type(expr.value) is int else None
        case ir.VarRef():
            return scope.get(expr.var)
        case ir.Cast() if expr.dtype.is_int:
            return linear(expr.operand, scope)
        case ir.Unary(op="-"):
            inner = linear(expr.operand, scope)
            return None if inner is None else inner.times(-1)
        case ir.Binary():
            return _binary(expr, scope)
        case _:
            return None


def _binary(expr: ir.Binary, scope: Scope) -> Linear | None:
    left, right = linear(expr.left, scope), linear(expr.right, scope)
    if left is None or right is None:
        return None
    match expr.op:
        case "+":
            return left.plus(right)
        case "-":
            return left.plus(right, -1)
        case "*" if not right.terms and not right.modulus:
            return left.times(right.offset)
        case "*" if not left.terms and not left.modulus:
            return right.times(left.offset)
        case "%" if not right.terms and not right.modulus:
            return left.reduced(right.offset)
        case "&" if not right.terms and not right.modulus and right.offset & (right.offset + 1) == 0:
            return left.reduced(right.offset + 1)
        case _:
            return None


@dataclass(frozen=True, slots=True)
class Repeated:
    """A loop around the nest that tasks do not stream through."""

    loop: ir.For | ir.While


@dataclass(frozen=True, slots=True)
class Nest:
    """The loops that tasks stream through, in one half: the outermost first, the pipeline loop last.

    before: what runs before the outermost loop, from the kernel's start on: statements of the blocks around it, and
    the loops that hold them (`Repeated`: whatever such a loop changes is not known at the start of a round).
    """

    loops: tuple[ir.For, ...]
    before: tuple[ir.Stmt | Repeated, ...]

    @property
    def root(self) -> ir.For:
        return self.loops[0]

    @property
    def loop(self) -> ir.For:
        return self.loops[-1]

    def level(self, number: int) -> tuple[tuple[ir.Stmt, ...], tuple[ir.Stmt, ...]]:
        """The statements of loop `number`'s body before and behind the next inner loop (or the stages)."""
        body = self.loops[number].body
        if number + 1 < len(self.loops):
            at = next((i for i, s in enumerate(body) if s is self.loops[number + 1]), len(body))
            return body[:at], body[at + 1 :]
        return body, ()


def find_nest(half: ir.FunctionIR, spans: Sequence[object]) -> Nest | None:
    """The loops at these spans, in a half; None when the half does not have the innermost one."""
    chain = _chain(half.body, spans[-1])
    if chain is None:
        return None
    loops = tuple(stmt for stmt, _ in chain if isinstance(stmt, ir.For) and stmt.span in spans)
    if len(loops) != len(spans) or [stmt for stmt, _ in chain[-len(loops) :]] != list(loops):
        return None  # something stands between that tasks do not stream through
    before: list[ir.Stmt | Repeated] = []
    outer = len(chain) - len(loops)
    for number, (stmt, ahead) in enumerate(chain[: outer + 1]):
        before.extend(ahead)
        if number < outer and isinstance(stmt, ir.For | ir.While):
            before.append(Repeated(stmt))
    return Nest(loops, tuple(before))


def _chain(block: ir.Block, span: object) -> list[tuple[ir.Stmt, ir.Block]] | None:
    """The compound statements down to the loop at a span, each with what runs before it in its block."""
    found = None
    for at, stmt in enumerate(block):
        if isinstance(stmt, ir.For) and stmt.span == span:
            return [(stmt, block[:at])]
        for inner in blocks_of(stmt):
            deeper = _chain(inner, span)
            if deeper is not None:
                found = [(stmt, block[:at]), *deeper]
    return found


class NestValues:
    """The linear forms of a half's variables inside the pipeline loop, at the snapshot."""

    def __init__(self, nest: Nest, first_stage: tuple[int, int], skips: bool) -> None:
        """first_stage: line and column where the stages begin; skips: a round may run no stage (`continue`)."""
        self.nest = nest
        self._first_stage = first_stage
        self.entry: dict[ir.Var, Linear] = {}  # counters at the start of a round
        self.after: dict[int, Linear] = {}  # counters behind the statement (by id) that moves them
        self.scope: dict[ir.Var, Linear | None] = {}
        self.changed = assigned_in(nest.root)
        self._initial: dict[ir.Var, Linear] = {}
        for stmt in nest.before:
            if isinstance(stmt, Repeated):
                for var in assigned_in(stmt.loop):
                    self._initial[var] = Linear(0, ((f"start {var.name}", 1),))
            elif isinstance(stmt, ir.Assign):
                form = linear(stmt.value, self._initial) if stmt.value.dtype.is_int else None
                self._initial[stmt.var] = form if form is not None else Linear(0, ((f"start {stmt.var.name}", 1),))
            else:
                for var in assigned_in(stmt):
                    self._initial[var] = Linear(0, ((f"start {var.name}", 1),))
        for stmt in ir.walk((nest.root,)):
            for node in nodes_of(stmt):
                if isinstance(node, ir.VarRef) and node.var not in self.changed:
                    self.scope.setdefault(node.var, self.initial(node.var))
        self._counters(skips)
        self._loop_variables(skips)

    def initial(self, var: ir.Var) -> Linear:
        """What a variable holds when the outermost loop starts."""
        return self._initial.get(var, Linear(0, ((f"start {var.name}", 1),)))

    def form(self, expr: object) -> Linear | None:
        return linear(expr, self.scope)

    def is_invariant(self, expr: object) -> bool:
        """Whether an expression has one value for all tasks (memory is not looked at: it may change)."""
        for node in nodes_of(expr):
            if isinstance(node, ir.VarRef) and node.var in self.changed:
                return False
            if isinstance(node, ir.ElementRead | ir.ValidExtent | ir.Call):
                return False
            if isinstance(node, ir.StructRead) and node.var in written_structs(self.nest.root):
                return False
        return True

    def _loop_variables(self, skips: bool) -> None:
        for number, loop in enumerate(self.nest.loops):
            step = linear(loop.step, self.scope)
            start = linear(loop.start, self._initial | {v: f for v, f in self.scope.items() if f is not None})
            self.scope[loop.var] = None
            if step is None or step.terms or start is None or start.moving:
                continue
            innermost = number == len(self.nest.loops) - 1
            if number == 0:  # inner loops start again in every round of the loop around them
                symbol = TASK if innermost else rounds(loop)
                if not (innermost and skips):
                    self.scope[loop.var] = start.plus(Linear(0, ((symbol, step.offset),)) if step.offset else Linear())

    def _counters(self, skips: bool) -> None:
        """Variables that one statement of a nest's body moves on."""
        sites: dict[ir.Var, list[ir.Stmt]] = {}
        for stmt in ir.walk((self.nest.root,)):
            if isinstance(stmt, ir.Assign):
                sites.setdefault(stmt.var, []).append(stmt)
            elif isinstance(stmt, ir.CallStmt):
                for result in stmt.results:
                    if isinstance(result, ir.Var):
                        sites.setdefault(result, []).append(stmt)
        last = len(self.nest.loops) - 1
        for number, loop in enumerate(self.nest.loops):
            stages_seen = False
            for stmt in loop.body:
                if number < last and stmt is self.nest.loops[number + 1]:
                    stages_seen = True
                elif number == last:
                    stages_seen = (stmt.span.line, stmt.span.col) > self._first_stage
                if isinstance(stmt, ir.Assign) and sites[stmt.var] == [stmt]:
                    moved = _step(stmt)
                    if moved is None:
                        continue
                    if number == last and skips:
                        continue
                    step, modulus = moved
                    symbol = TASK if number == last else rounds(loop)
                    entry = self.initial(stmt.var).plus(Linear(0, ((symbol, step),)))
                    if entry is None:
                        continue
                    self.entry[stmt.var] = replace(entry, modulus=modulus)
                    self.after[id(stmt)] = replace(entry, offset=entry.offset + step, modulus=modulus)
                    self.scope[stmt.var] = self.entry[stmt.var] if stages_seen else self.after[id(stmt)]
        for var in sites:
            self.scope.setdefault(var, None)
        for number in range(last + 1):  # names for linear expressions, made anew in every round
            for stmt in self.nest.loops[number].body:
                if isinstance(stmt, ir.Assign) and sites[stmt.var] == [stmt] and self.scope[stmt.var] is None:
                    self.scope[stmt.var] = linear(stmt.value, self.scope)


def rounds(loop: ir.For) -> str:
    return f"rounds {loop.var.name}"


def _step(stmt: ir.Assign) -> tuple[int, int] | None:
    """(step, modulus) of `x = x + c`, `x = (x + c) % n`, `x = 1 - x`; None for anything else."""
    value: object = stmt.value
    while isinstance(value, ir.Cast):
        value = value.operand
    modulus = 0
    if isinstance(value, ir.Binary) and value.op == "%" and isinstance(value.right, ir.Const):
        modulus = int(value.right.value)
        value = value.left
        if modulus < 1:
            return None
    if not isinstance(value, ir.Binary):
        return None
    one, two = value.left, value.right
    if value.op == "-" and isinstance(one, ir.Const) and one.value == 1 and _is(two, stmt.var) and not modulus:
        return 1, 2
    if value.op == "+" and isinstance(one, ir.Const):
        one, two = two, one
    if value.op in "+-" and _is(one, stmt.var) and isinstance(two, ir.Const) and type(two.value) is int:
        return (two.value if value.op == "+" else -two.value), modulus
    return None


def _is(expr: object, var: ir.Var) -> bool:
    while isinstance(expr, ir.Cast):
        expr = expr.operand
    return isinstance(expr, ir.VarRef) and expr.var is var


def assigned_in(stmt: ir.Stmt) -> set[ir.Var]:
    """The scalar variables that a statement, or one inside it, assigns."""
    found: set[ir.Var] = set()
    for inner in ir.walk((stmt,)):
        match inner:
            case ir.Assign() | ir.For():
                found.add(inner.var)
            case ir.CallStmt():
                found.update(r for r in inner.results if isinstance(r, ir.Var))
            case _:
                pass
    return found


def written_structs(stmt: ir.Stmt) -> set[ir.StructVar]:
    """The structs that a statement writes fields of, through helpers too."""
    from ptopro.lowering.traversal import called_functions, reachable_functions

    found: set[ir.StructVar] = set()
    functions = {f for callee in called_functions((stmt,)) for f in reachable_functions(callee)}
    for block in ((stmt,), *(f.body for f in functions)):
        for inner in ir.walk(block):
            if isinstance(inner, ir.StructWrite | ir.StructDeclare):
                found.add(inner.var)
    return found
