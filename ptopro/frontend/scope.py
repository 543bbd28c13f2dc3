"""Names and their values: locals -> closure -> module -> builtins.

A `Scope` is a link of that chain.  Lowering derives its own from it: `get` may return a compile-time value, `MISSING`
to pass the question on to the parent, or raise `RunTimeName` for a name whose value only the running kernel knows.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from ptopro.diagnostics.core import Diagnostic
from ptopro.diagnostics.span import Span
from ptopro.frontend.values import Value

if TYPE_CHECKING:
    from ptopro.frontend.source import SourceModule

MISSING: Value = object()


class NotConstant(Exception):
    """An expression has no value at compile time.

    reason: a phrase that completes "not known at compile time: ..."; span: the expression; origin: the line that made
    the value unknown, when it is another one; diagnostic: the error behind it, when it is one of its own.
    """

    def __init__(
        self,
        span: Span | None,
        reason: str,
        origin: Span | None = None,
        diagnostic: Diagnostic | None = None,
    ) -> None:
        super().__init__(reason)
        self.span = span
        self.reason = reason
        self.origin = origin
        self.diagnostic = diagnostic


class RunTimeName(NotConstant):
    """A name of the kernel that is known at run time only; raised by `Scope.get`, span filled in by the evaluator."""

    def __init__(self, name: str, span: Span | None = None) -> None:
        super().__init__(span, f"'{name}' is known at run time only")
        self.name = name


class Scope:
    """One level of names.  module: the file that the code using this scope stands in."""

    __slots__ = (
        "class_body", "comprehension", "globals", "guarded", "local_names", "module", "names", "nonlocals",
        "parent", "yielded",
    )  # fmt: skip

    def __init__(
        self,
        module: SourceModule,
        parent: Scope | None = None,
        names: dict[str, Value] | None = None,
        local_names: frozenset[str] = frozenset(),
        *,
        class_body: bool = False,
        comprehension: bool = False,
        guarded: bool = False,
    ) -> None:
        self.module = module
        self.parent = parent
        self.names: dict[str, Value] = {} if names is None else names
        self.local_names = local_names  # names that the function binds: never looked up further out
        self.class_body = class_body
        self.comprehension = comprehension
        self.guarded = guarded  # a statement that fails here only makes the names it binds unknown
        self.globals: set[str] = set()
        self.nonlocals: set[str] = set()
        self.yielded: list[Value] | None = None

    def get(self, name: str) -> Value:
        """The value of a name at this level, or MISSING."""
        return self.names.get(name, MISSING)

    def lookup(self, name: str) -> Value:
        """The value of a name here or further out, or MISSING."""
        scope: Scope | None = self
        while scope is not None:
            value = scope.get(name)
            if value is not MISSING:
                return value
            if name in scope.local_names:
                return MISSING
            scope = scope.parent
        return MISSING

    def bind(self, name: str, value: Value) -> None:
        """Assign to a name, obeying `global` and `nonlocal`."""
        if name in self.globals:
            self.module_scope().names[name] = value
        elif name in self.nonlocals:
            scope = self.parent
            while scope is not None and name not in scope.local_names:
                scope = scope.parent
            (scope or self).names[name] = value
        else:
            self.names[name] = value

    def module_scope(self) -> Scope:
        """The scope of module-level names: the outermost but one, whose parent is the builtins."""
        scope = self
        while scope.parent is not None and scope.parent.parent is not None:
            scope = scope.parent
        return scope

    def closure(self) -> Scope:
        """The scope that functions defined here close over: class bodies are skipped, as in Python."""
        scope = self
        while scope.class_body and scope.parent is not None:
            scope = scope.parent
        return scope

    def visible_names(self) -> set[str]:
        """Every name that can be looked up from here, for suggestions."""
        found: set[str] = set()
        scope: Scope | None = self
        while scope is not None:
            found.update(scope.names)
            scope = scope.parent
        return found


def bound_names(statements: list[ast.stmt]) -> frozenset[str]:
    """The names that executing these statements may bind in their own scope, nested functions and classes apart."""
    found: set[str] = set()
    todo: list[ast.AST] = list(statements)
    while todo:
        node = todo.pop()
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            found.add(node.name)
            todo.extend(node.decorator_list)
            continue
        if isinstance(node, ast.Lambda):
            continue
        if isinstance(node, ast.Name):
            if not isinstance(node.ctx, ast.Load):
                found.add(node.id)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            found.update((a.asname or a.name.split(".")[0]) for a in node.names if a.name != "*")
        elif (isinstance(node, ast.ExceptHandler) and node.name) or (
            isinstance(node, (ast.MatchAs, ast.MatchStar)) and node.name
        ):
            found.add(node.name)
        elif isinstance(node, ast.MatchMapping) and node.rest:
            found.add(node.rest)
        if isinstance(node, (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)):
            # A comprehension has its own scope; only a walrus inside it binds out here.
            found.update(n.target.id for n in ast.walk(node) if isinstance(n, ast.NamedExpr))
            continue
        todo.extend(ast.iter_child_nodes(node))
    return frozenset(found)


# Methods of lists, dicts, sets and strings that change nothing.
PURE_METHODS = frozenset(
    ("copy", "index", "count", "get", "items", "keys", "values", "join", "split", "format", "replace", "startswith")
)


def mutated_names(statements: list[ast.stmt]) -> frozenset[str]:
    """The names whose values these statements may change in place: `x[i] = ...`, `x.f = ...`, `x.append(...)`."""
    found: set[str] = set()
    for statement in statements:
        for node in ast.walk(statement):
            base: ast.AST | None = None
            if isinstance(node, (ast.Subscript, ast.Attribute)) and not isinstance(node.ctx, ast.Load):
                base = node.value
            elif (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Attribute)
                and node.func.attr not in PURE_METHODS
            ):
                base = node.func.value
            while isinstance(base, (ast.Subscript, ast.Attribute)):
                base = base.value
            if isinstance(base, ast.Name):
                found.add(base.id)
    return frozenset(found)
