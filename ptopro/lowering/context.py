"""What the rules of the interpreter share: a `Lowering` for a pass over a kernel, a `Frame` for each function in it.

A rule is a function of a frame and a syntax node.  `Frame.value` finds the rule of an expression, `Frame.run` that of a
statement; the tables come from `ptopro.lowering.rules`.  Statements are appended to `Frame.block`.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, cast

from ptopro.diagnostics import Label, Sink, Span, make
from ptopro.frontend.evaluator import NotConstant, RunTimeName, not_constant_diagnostic
from ptopro.frontend.scope import MISSING, Scope
from ptopro.language.dtypes import DType
from ptopro.language.tiles import TileSpec
from ptopro.lowering import ir
from ptopro.lowering.environment import Binding, Edge, Environment
from ptopro.lowering.target import Target
from ptopro.lowering.values import UNKNOWN, Known, TensorChoice, TupleValue, Unknown, Value

if TYPE_CHECKING:
    from ptopro.frontend.kernels import KernelSource
    from ptopro.frontend.source import SourceModule
    from ptopro.lowering.helpers import Specialisation
    from ptopro.lowering.stages import StageCall
    from ptopro.lowering.vector_registers import RegisterFile

ExpressionRule = Callable[["Frame", Any], Value]
StatementRule = Callable[["Frame", Any], None]


@dataclass(slots=True)
class Lowering:
    """One pass over a kernel, for one core ("cube" or "vector").

    sections: the number of each `with pl.section_*` met, in order; chain: the helper functions being lowered;
    cores_used: cores that have operations of their own outside of sections; folded: what is known of the test of each
    `if` at compile time, None where it was once true and once false; launch_constants: key fields and dtype variables.
    """

    kernel: KernelSource
    target: Target
    core: str
    sink: Sink
    expressions: Mapping[type[ast.expr], ExpressionRule]
    statements: Mapping[type[ast.stmt], StatementRule]
    sections: dict[tuple[str, int, int], int] = field(default_factory=dict)
    chain: list[tuple[object, str]] = field(default_factory=list)
    specialisations: dict[object, Specialisation] = field(default_factory=dict)
    cores_used: set[str] = field(default_factory=set)
    struct_types: dict[str, ir.StructType] = field(default_factory=dict)
    arrays: dict[object, ir.ConstArray] = field(default_factory=dict)
    stage_calls: dict[Span, StageCall] = field(default_factory=dict)
    stage_nodes: set[object] = field(default_factory=set)  # the syntax of the stages called so far
    folded: dict[Span, bool | None] = field(default_factory=dict)
    launch_constants: dict[str, int | DType] = field(init=False)

    def __post_init__(self) -> None:
        self.launch_constants = {**self.target.key, **self.target.dtypes}

    def section_number(self, span: Span) -> int:
        """The number of the section that starts at `span`."""
        return self.sections.setdefault((span.file, span.line, span.col), len(self.sections) + 1)


@dataclass(slots=True)
class Loop:
    """A loop whose body is being lowered.

    unrolled: a Python loop over compile-time values; counter: of a loop that counts from 0 in steps of 1.
    """

    breaks: list[Edge] = field(default_factory=list)
    continues: list[Edge] = field(default_factory=list)
    unrolled: bool = False
    counter: ir.Var | None = None
    depth: int = 0  # run-time branches of the frame when the loop began


class KernelScope(Scope):
    """The names of a function being lowered, as the evaluator of the front end sees them."""

    __slots__ = ("frame",)

    def __init__(self, frame: Frame, parent: Scope, local_names: frozenset[str]) -> None:
        super().__init__(frame.module, parent, local_names=local_names)
        self.frame = frame

    def get(self, name: str) -> Any:
        if name in self.names:  # bound by the evaluator itself: a walrus inside an expression
            return self.names[name]
        binding = self.frame.env.get(name)
        if binding is None:
            return self._launch_constant(name)
        plain = plain_value(binding.value)
        if plain is MISSING:
            raise RunTimeName(name)
        return plain

    def _launch_constant(self, name: str) -> Any:
        """A field of the key or a dtype variable, which helpers see where their own file has no such name."""
        value = self.frame.lowering.launch_constants.get(name, MISSING)
        if value is MISSING or name in self.local_names or self.parent is None:
            return MISSING
        return value if self.parent.lookup(name) is MISSING else MISSING

    def visible_names(self) -> set[str]:
        return super().visible_names() | set(self.frame.env) | set(self.frame.lowering.launch_constants)


def plain_value(value: Value) -> Any:
    """The front end's form of a value that is known at compile time, else MISSING."""
    if isinstance(value, Known):
        return value.value
    if isinstance(value, TupleValue) and not value.names:
        items = [plain_value(item) for item in value.items]
        if not any(item is MISSING for item in items):
            return tuple(items)
    return MISSING


class Frame:
    """A function being lowered: where its names, its variables and its statements are kept.

    sites: how often each name is bound in the text (parameters count); fixed: variables that are assigned once, so that
    reading them later gives the same value.
    """

    def __init__(
        self,
        lowering: Lowering,
        module: SourceModule,
        scope: Scope,
        sites: Counter[str],
        span: Span,
        section: str | None = None,
    ) -> None:
        self.lowering = lowering
        self.module = module
        self.sites = sites
        self.env: Environment = {}
        self.scope = KernelScope(self, scope, frozenset(sites))
        self.block: list[ir.Stmt] = []
        self.stmt_span = span
        self.section = section
        self.loops: list[Loop] = []
        self.depth = 0
        self.returns: list[tuple[Edge, Value, Span]] = []
        self.terminated = False
        self.discarded: ast.expr | None = None  # a call that stands alone: its value is not used
        self.warned: set[str] = set()  # names whose doubtful value has been reported
        self.fixed: set[ir.Var] = set()
        self.fixed_tiles: set[ir.TileVar] = set()
        self.registers: RegisterFile | None = None  # of register code (a vector function)
        self.in_thread = False  # SIMT code
        self.names_constants = False  # the kernel's own function: its constants may become named ones in C++
        self._vars: dict[tuple[str, DType, bool], ir.Var] = {}
        self._tile_vars: dict[tuple[str, TileSpec, int], ir.TileVar] = {}

    # ----------------------------------------------------------------------------------------------------------------
    # Rules

    def value(self, node: ast.expr) -> Value:
        """The value of an expression; `UNKNOWN` when it is wrong, which has been reported then."""
        rule = self.lowering.expressions.get(type(node))
        value = self.evaluate(node) if rule is None else rule(self, node)
        if isinstance(value, TensorChoice):
            from ptopro.lowering.chosen_tensors import chosen_view

            return chosen_view(self, value)
        return value

    def run(self, statements: Sequence[ast.stmt]) -> None:
        """Lower statements until one ends the block."""
        for node in statements:
            if self.terminated:
                return
            self.stmt_span = self.span(node)
            rule = self.lowering.statements.get(type(node))
            if rule is None:
                self.report("PTO1050", node, construct=construct_name(node))
            else:
                rule(self, node)

    def evaluate(self, node: ast.expr, what: str = "this expression") -> Value:
        """The compile-time value of an expression, by the front end's evaluator."""
        try:
            return Known(self.module.evaluator.expression(node, self.scope))
        except NotConstant as error:
            self.refuse(error, node, what)
            return UNKNOWN
        finally:
            self.scope.names.clear()

    def refuse(self, error: NotConstant, node: ast.AST, what: str) -> None:
        """Report that something has no compile-time value, unless what it depends on has been reported."""
        if isinstance(error, RunTimeName):
            binding = self.env.get(error.name)
            if binding is not None and isinstance(binding.value, Unknown):
                return
            labels = [Label(binding.span, "assigned here")] if binding and binding.span else []
            self.report("PTO1150", error.span or node, what=what, name=error.name, labels=labels)
            return
        if error.diagnostic is not None:
            self.lowering.sink.add(error.diagnostic)
            return
        error.span = error.span or self.span(node)
        self.lowering.sink.add(not_constant_diagnostic(error, what))

    # ----------------------------------------------------------------------------------------------------------------
    # Places and messages

    def span(self, node: ast.AST) -> Span:
        """Where a node stands; remembered in the node, which is looked at once for each core and specialisation."""
        known = getattr(node, "_ptopro_span", None)
        if known is None:
            known = node._ptopro_span = self.module.span(node)  # type: ignore[attr-defined]
        return cast("Span", known)

    def text(self, node: ast.AST) -> str:
        """The source text of a node."""
        span = self.span(node)
        lines = self.module.lines[span.line - 1 : span.end_line]
        if not lines:
            return ""
        lines[-1] = lines[-1][: span.end_col - 1]
        lines[0] = lines[0][span.col - 1 :]
        return "\n".join(lines)

    def source(self, node: ast.AST) -> ir.SourceRef:
        return ir.SourceRef(self.span(node), self.text(node))

    def report(
        self,
        code: str,
        where: ast.AST | Span | None,
        /,
        *,
        labels: Iterable[Label] = (),
        notes: Iterable[str] = (),
        **facts: Any,
    ) -> None:
        span = self.span(where) if isinstance(where, ast.AST) else where
        self.lowering.sink.add(make(code, span, labels=tuple(labels), notes=tuple(notes), **facts))

    # ----------------------------------------------------------------------------------------------------------------
    # Statements and variables

    def emit(self, stmt: ir.Stmt) -> None:
        self.block.append(stmt)

    def variable(self, name: str, dtype: DType, *, pointer: bool = False, span: Span | None = None) -> ir.Var:
        """The variable that holds values of one type of a name."""
        key = (name, dtype, pointer)
        if key not in self._vars:
            self._vars[key] = ir.Var(plain_name(name), dtype, span or self.stmt_span, pointer)
            if self.binding_sites(name) <= 1 and not any(loop.unrolled for loop in self.loops):
                self.fixed.add(self._vars[key])
        return self._vars[key]

    def binding_sites(self, name: str) -> int:
        """How often the text binds a name, or the tuple that a member belongs to."""
        owner, _, member = name.partition(" ")
        return self.sites[owner] if member or owner == name else 0

    def tile_variable(self, name: str, spec: TileSpec, id_count: int, span: Span | None = None) -> ir.TileVar:
        """The tile variable of a name for tiles of one type."""
        key = (name, spec, id_count)
        if key not in self._tile_vars:
            self._tile_vars[key] = ir.TileVar(plain_name(name), spec, frozenset(), id_count, span or self.stmt_span)
            if self.binding_sites(name) <= 1 and not any(loop.unrolled for loop in self.loops):
                self.fixed_tiles.add(self._tile_vars[key])
        return self._tile_vars[key]

    def adopt(self, name: str, var: ir.Var) -> None:
        """Make a parameter's variable the one of its name."""
        self._vars[name, var.dtype, var.pointer] = var
        if self.binding_sites(name) <= 1:
            self.fixed.add(var)

    def adopt_tile(self, name: str, var: ir.TileVar) -> None:
        """The same for a tile parameter."""
        self._tile_vars[name, var.spec, var.id_count] = var
        if self.binding_sites(name) <= 1:
            self.fixed_tiles.add(var)

    def take_choice(self, name: str) -> list[ir.Var]:
        """Retire the variables of a name, so that its next use gets new ones."""
        for tile_key in [key for key in self._tile_vars if key[0] == name]:
            del self._tile_vars[tile_key]
        return [self._vars.pop(key) for key in [key for key in self._vars if key[0] == name]]

    def name_result(self, var: ir.Var | ir.TileVar, name: str) -> ir.Var | ir.TileVar | None:
        """Let the variable of `name` receive the result that the call just made left in the unnamed variable `var`.

        So `x = helper(n)` needs no variable beside x.  None when `var` is anything else.
        """
        last = self.block[-1] if self.block else None
        if not isinstance(last, ir.CallStmt) or var not in last.results or var.name:
            return None
        mine: ir.Var | ir.TileVar
        if isinstance(var, ir.TileVar):
            mine = self.tile_variable(name, var.spec, var.id_count)
            mine.origins |= var.origins
        else:
            mine = self.variable(name, var.dtype, pointer=var.pointer)
        self.block[-1] = replace(last, results=tuple(mine if r is var else r for r in last.results))
        return mine

    def temporary(self, name: str, dtype: DType, *, pointer: bool = False) -> ir.Var:
        """A new variable that is assigned once."""
        var = ir.Var(name, dtype, self.stmt_span, pointer)
        self.fixed.add(var)
        return var

    def keep(self, expr: ir.Expr, name: str, *, pointer: bool = False) -> ir.Expr:
        """The expression, or a variable that keeps its present value where it might change."""
        if self.is_stable(expr):
            return expr
        var = self.temporary(name, expr.dtype, pointer=pointer)
        self.emit(ir.Assign(self.stmt_span, var, expr))
        return ir.VarRef(var, expr.span)

    def keep_always(self, expr: ir.Expr, name: str, *, pointer: bool = False) -> ir.Expr:
        """A variable with the present value of the expression."""
        var = self.temporary(name, expr.dtype, pointer=pointer)
        self.emit(ir.Assign(self.stmt_span, var, expr))
        return ir.VarRef(var, expr.span)

    def is_stable(self, expr: ir.Expr) -> bool:
        """Whether evaluating the expression later gives the same value."""
        match expr:
            case ir.Const() | ir.SystemValue():
                return True
            case ir.TilingRead():
                return expr.index is None or self.is_stable(expr.index)
            case ir.VarRef():
                return expr.var in self.fixed
            case ir.Unary() | ir.Cast():
                return self.is_stable(expr.operand)
            case ir.Binary():
                return self.is_stable(expr.left) and self.is_stable(expr.right)
            case ir.PointerOf():
                base = isinstance(expr.base, ir.TensorDecl) or self.is_stable(expr.base)
                return base and (expr.offset is None or self.is_stable(expr.offset))
            case _:
                return False

    # ----------------------------------------------------------------------------------------------------------------
    # Blocks

    def inner(self, env: Environment, lower: Callable[[], None]) -> Edge:
        """Lower into a block of its own, starting from `env`; gives the state at its end."""
        outer_block, outer_env, outer_end = self.block, self.env, self.terminated
        self.block, self.env, self.terminated = [], dict(env), False
        self.depth += 1
        try:
            lower()
            return Edge(self.env, self.block, self.terminated)
        finally:
            self.depth -= 1
            self.block, self.env, self.terminated = outer_block, outer_env, outer_end

    def lookup(self, name: str) -> Binding | None:
        return self.env.get(name)


def construct_name(node: ast.AST) -> str:
    """What a message calls a Python construct."""
    names = {
        "Try": "try", "TryStar": "try", "Import": "import", "ImportFrom": "import", "Raise": "raise", "Delete": "del",
        "Global": "global", "Nonlocal": "nonlocal", "ClassDef": "class", "AsyncFunctionDef": "async def",
        "AsyncFor": "async for", "AsyncWith": "async with", "Match": "match", "Yield": "yield",
        "YieldFrom": "yield from", "Await": "await",
    }  # fmt: skip
    return names.get(type(node).__name__, type(node).__name__)


def plain_name(key: str) -> str:
    """The name of the variable kept under a key: members of tuples are `t_0`, `t_lo`."""
    return key.strip().replace(" ", "_")
