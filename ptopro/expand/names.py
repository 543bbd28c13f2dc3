"""Names that expand makes up (`_pl_tile_0`, `_pl_value_0`, `_pl_<helper>_1`), and the file's name of the language."""

from __future__ import annotations

import ast
from itertools import count

from ptopro.diagnostics import Sink, make
from ptopro.expand.syntax_index import SyntaxIndex, names_in

PREFIX = "_pl_"
LANGUAGE_MODULES = ("pypto_pro.language", "ptopro.language")
OWN_IMPORT = "_pl_language"


class Names:
    """Fresh names for one function."""

    def __init__(self, function: ast.AST, index: SyntaxIndex, sink: Sink) -> None:
        self._function = function
        self._taken: frozenset[str] | None = None
        self._index = index
        self._sink = sink
        self._numbers: dict[str, count[int]] = {}

    def fresh(self, kind: str) -> str:
        """The next name of a kind ("tile", "value").  An author's name that is in its way is a diagnostic."""
        name = f"{PREFIX}{kind}_{next(self._numbers.setdefault(kind, count()))}"
        if self._taken is None:
            self._taken = bound_in(self._function)
        if name in self._taken:
            report_collision(name, self._function, self._index, self._sink)
        return name


def report_collision(name: str, scope: ast.AST, index: SyntaxIndex, sink: Sink) -> None:
    """The author uses a name that expand introduces."""
    for node in ast.walk(scope):
        if name in (getattr(node, "id", None), getattr(node, "arg", None), getattr(node, "name", None)):
            sink.add(make("PTO1506", index.span(node), name=name))
            return


def bound_in(scope: ast.AST) -> frozenset[str]:
    """Every identifier that a piece of code mentions: names, parameters, functions, imports."""
    found: set[str] = set(names_in(scope))
    for node in ast.walk(scope):
        if isinstance(node, ast.arg):
            found.add(node.arg)
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            found.add(node.name)
        elif isinstance(node, ast.alias):
            found.add(node.asname or node.name.partition(".")[0])
    return frozenset(found)


def language_alias(index: SyntaxIndex) -> str | None:
    """How the file refers to the language module: `pl` in most; None when it imports names of it only."""
    for node in index.statements.values():
        if isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name in LANGUAGE_MODULES:
                    return alias.asname or alias.name
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            for alias in node.names:
                if f"{node.module}.{alias.name}" in LANGUAGE_MODULES:
                    return alias.asname or alias.name
    return None


def is_shadowed(alias: str, function: ast.AST, index: SyntaxIndex) -> bool:
    """Whether a function binds the name that the language goes by."""
    root = alias.partition(".")[0]
    if root not in index.stored:
        return False
    for node in ast.walk(function):
        if isinstance(node, ast.Name) and node.id == root and not isinstance(node.ctx, ast.Load):
            return True
        if isinstance(node, ast.arg) and node.arg == root:
            return True
    return False
