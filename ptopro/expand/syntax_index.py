"""The syntax tree of a file, looked up by span, with the block that each statement stands in.

In: a file's tree and lines.  Out: the statement or expression at a span (lowering's IR carries spans only).
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from ptopro.diagnostics.span import Span, span_of

Function = ast.FunctionDef | ast.Lambda
Place = tuple[int, int, int, int]
_CONTEXTS = (ast.Load, ast.Store, ast.Del)


def place_of(span: Span) -> Place:
    return span.line, span.col, span.end_line, span.end_col


@dataclass(frozen=True, slots=True, eq=False)
class Suite:
    """A list of statements: the body of `owner`, or its else branch.  owner None: the module."""

    owner: ast.AST | None
    statements: list[ast.stmt]


class SyntaxIndex:
    """Statements, expressions and parents of one file."""

    def __init__(self, path: str, tree: ast.Module, lines: list[str]) -> None:
        self.path = path
        self.tree = tree
        self.lines = lines
        self.statements: dict[Place, ast.stmt] = {}
        self.expressions: dict[Place, list[ast.expr]] = {}
        self.parents: dict[ast.AST, ast.AST] = {}
        self.suites: dict[ast.stmt, Suite] = {}
        self.positions: dict[ast.stmt, int] = {}  # in their suite
        self.stored: set[str] = set()  # names that are assigned somewhere, or parameters
        self._read(tree)

    def _read(self, tree: ast.Module) -> None:
        todo: list[ast.AST] = [tree]
        while todo:
            node = todo.pop()
            kind = type(node)
            if kind in _CONTEXTS:
                continue
            for name in node._fields:
                value = getattr(node, name, None)
                if isinstance(value, list):
                    if value and isinstance(value[0], ast.stmt):
                        suite = Suite(node if node is not tree else None, value)
                        for number, member in enumerate(value):
                            self.suites[member] = suite
                            self.positions[member] = number
                    for child in value:
                        if isinstance(child, ast.AST):
                            self.parents[child] = node
                            todo.append(child)
                elif isinstance(value, ast.AST):
                    self.parents[value] = node
                    todo.append(value)
            if isinstance(node, ast.stmt):
                self.statements[self.place(node)] = node
            elif isinstance(node, ast.expr):
                self.expressions.setdefault(self.place(node), []).append(node)
            if kind is ast.Name and not isinstance(node.ctx, ast.Load):  # type: ignore[attr-defined]
                self.stored.add(node.id)  # type: ignore[attr-defined]
            elif kind is ast.arg:
                self.stored.add(node.arg)  # type: ignore[attr-defined]

    def place(self, node: ast.AST) -> Place:
        line: int = node.lineno  # type: ignore[attr-defined]
        end: int = node.end_lineno  # type: ignore[attr-defined]
        if self.lines[line - 1].isascii() and self.lines[end - 1].isascii():
            return line, node.col_offset + 1, end, node.end_col_offset + 1  # type: ignore[attr-defined]
        return place_of(self.span(node))

    def span(self, node: ast.AST) -> Span:
        return span_of(node, self.path, self.lines)

    def statement(self, span: Span) -> ast.stmt | None:
        """The statement at a span."""
        return self.statements.get(place_of(span))

    def expression(self, span: Span) -> ast.expr | None:
        """The outermost expression at a span."""
        found = self.expressions.get(place_of(span))
        return found[0] if found else None

    def call(self, span: Span | None) -> ast.Call | None:
        """The call at a span."""
        if span is None:
            return None
        for node in self.expressions.get(place_of(span), ()):
            if isinstance(node, ast.Call):
                return node
        return None

    def enclosing(self, node: ast.AST) -> Iterator[ast.AST]:
        """The nodes around a node, from the inside out."""
        parent = self.parents.get(node)
        while parent is not None:
            yield parent
            parent = self.parents.get(parent)

    def statement_of(self, node: ast.AST) -> ast.stmt:
        """The statement that a node is part of (itself when it is one)."""
        while not isinstance(node, ast.stmt):
            node = self.parents[node]
        return node

    def function_of(self, node: ast.AST) -> ast.FunctionDef | ast.Lambda | None:
        """The innermost function around a node."""
        for outer in self.enclosing(node):
            if isinstance(outer, ast.FunctionDef | ast.Lambda):
                return outer
        return None

    def functions(self) -> Iterator[ast.FunctionDef]:
        for node in self.statements.values():
            if isinstance(node, ast.FunctionDef):
                yield node


def names_in(node: ast.AST) -> frozenset[str]:
    """Every name that a piece of code mentions."""
    return frozenset(n.id for n in ast.walk(node) if isinstance(n, ast.Name))


def is_elif(statement: ast.stmt, suite: Suite, text: str) -> bool:
    """Whether an If node is the `elif` of the If node around it; text: the file's text from the statement on."""
    return (
        isinstance(statement, ast.If)
        and isinstance(suite.owner, ast.If)
        and suite.statements is suite.owner.orelse
        and len(suite.statements) == 1
        and text.startswith("elif")
    )
