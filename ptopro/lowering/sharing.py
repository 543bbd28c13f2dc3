"""Which parameters of a helper take compile-time numbers at run time, so that its calls share one function.

A helper is specialised on compile-time arguments.  That is right where they decide something: a shape, a slot, a
branch, a loop bound, a keyword.  A number that only goes into arithmetic and operands of operations decides nothing,
and a function for each value would only be a copy.
"""

from __future__ import annotations

import ast

from ptopro.frontend.values import FunctionValue

_NUMBER_BUILTINS = ("min", "max", "abs", "int", "float")


def shared_parameters(function: FunctionValue) -> frozenset[str]:
    """The parameters to pass at run time although they are known, when the helper is called more than once."""
    node = function.node
    if isinstance(node, ast.Lambda) or _call_sites(function) < 2:
        return frozenset()
    arguments = node.args
    names = {a.arg for a in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)}
    deciding: set[str] = set()
    for statement in node.body:
        _visit(statement, False, deciding)
    return frozenset(names - deciding)


def _call_sites(function: FunctionValue) -> int:
    """How many calls the function's file writes down."""
    tree = function.module.tree
    counts: dict[str, int] | None = getattr(tree, "_ptopro_calls", None)
    if counts is None:
        counts = {}
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                counts[node.func.id] = counts.get(node.func.id, 0) + 1
        tree._ptopro_calls = counts  # type: ignore[attr-defined]
    return counts.get(function.name, 0)


def _visit(node: ast.AST, free: bool, deciding: set[str]) -> None:
    """Collect the names that are read where their value decides something; free: not so here."""
    match node:
        case ast.Name():
            if not free:
                deciding.add(node.id)
        case ast.BinOp() | ast.UnaryOp() | ast.List() | ast.Tuple():
            for child in ast.iter_child_nodes(node):
                _visit(child, free, deciding)
        case ast.Call(func=ast.Attribute()):
            for argument in node.args:
                _visit(argument, True, deciding)
            for keyword in node.keywords:
                _visit(keyword.value, False, deciding)
            _visit(node.func, False, deciding)
        case ast.Call(func=ast.Name(id=name)) if name in _NUMBER_BUILTINS:
            for argument in node.args:
                _visit(argument, free, deciding)
        case ast.AugAssign():
            _visit(node.target, False, deciding)
            _visit(node.value, True, deciding)
        case ast.Expr(value=ast.Call()):
            _visit(node.value, True, deciding)
        case _:
            for child in ast.iter_child_nodes(node):
                _visit(child, False, deciding)
