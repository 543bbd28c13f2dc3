"""How often a function's text binds each name: names bound once hold one value for good."""

from __future__ import annotations

import ast
from collections import Counter


def binding_sites(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> Counter[str]:
    """Binding sites by name; parameters, loop variables, `with` names, walruses and nested functions count."""
    known = getattr(node, "_ptopro_sites", None)
    if known is None:
        known = node._ptopro_sites = _count(node)  # type: ignore[union-attr]
    return known


def _count(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> Counter[str]:
    found: Counter[str] = Counter()
    arguments = node.args
    for parameter in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs):
        found[parameter.arg] += 1
    for rest in (arguments.vararg, arguments.kwarg):
        if rest is not None:
            found[rest.arg] += 1
    todo: list[ast.AST] = [node.body] if isinstance(node, ast.Lambda) else list(node.body)
    while todo:
        part = todo.pop()
        if isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found[part.name] += 1
            continue
        if isinstance(part, ast.Lambda):
            continue
        if isinstance(part, ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp):
            found.update(n.target.id for n in ast.walk(part) if isinstance(n, ast.NamedExpr))
            continue
        if isinstance(part, ast.Name) and not isinstance(part.ctx, ast.Load):
            found[part.id] += 1
        if isinstance(part, ast.AugAssign) and isinstance(part.target, ast.Name):
            found[part.target.id] += 1  # it reads an earlier value, so it never is the only one
        todo.extend(ast.iter_child_nodes(part))
    return found
