"""Kernels inside functions that no module-level code calls.

They get their values when the program runs and calls the function; here they are listed with as much of their closure
as straight-line statements of the function tell.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from ptopro.diagnostics.core import Sink
from ptopro.frontend.failures import PYTHON_ERRORS, Abandoned, Failed
from ptopro.frontend.kernels import KernelSource
from ptopro.frontend.scope import Scope
from ptopro.frontend.statements import execute
from ptopro.frontend.uncertain import forget, nested_blocks
from ptopro.frontend.values import Opaque

if TYPE_CHECKING:
    from ptopro.frontend.evaluator import Evaluator

FOLLOWED = (
    ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Import, ast.ImportFrom, ast.FunctionDef, ast.ClassDef, ast.If,
    ast.With, ast.Try,
)  # fmt: skip


def deferred_kernels(ev: Evaluator, tree: ast.Module, scope: Scope, known: list[KernelSource]) -> list[KernelSource]:
    """The kernels of functions that were not called while the module was evaluated."""
    seen = {id(kernel.node) for kernel in known}
    before, sink, kernels = ev.sink, Sink(), ev.kernels
    ev.sink = sink
    ev.kernels = []
    try:
        for function in _outer_functions(tree.body):
            if any(id(node) not in seen for node in _decorated_functions(function)):
                _follow(ev, function, scope, seen)
        for finish in ev.later:
            finish()
        ev.later.clear()
        return [kernel for kernel in ev.kernels if id(kernel.node) not in seen]
    finally:
        ev.sink = before
        ev.kernels = kernels
        ev.deferring = None


def _outer_functions(statements: list[ast.stmt]) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
    """The functions of a module that stand in no other function."""
    found: list[ast.FunctionDef | ast.AsyncFunctionDef] = []
    for statement in statements:
        if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
            found.append(statement)
        else:
            for block in nested_blocks(statement):
                found.extend(_outer_functions(block))
    return found


def _decorated_functions(function: ast.AST) -> list[ast.FunctionDef]:
    """The decorated functions inside a function."""
    return [
        node
        for node in ast.walk(function)
        if isinstance(node, ast.FunctionDef) and node is not function and node.decorator_list
    ]


def _follow(ev: Evaluator, function: ast.FunctionDef | ast.AsyncFunctionDef, scope: Scope, seen: set[int]) -> None:
    """Evaluate what a function does before and around its inner kernels, with unknown parameters."""
    reason = f"no module-level code calls {function.name}()"
    unknown = Opaque(f"it is a parameter of {function.name}(), which no module-level code calls", None)
    arguments = function.args
    parameters = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg]
    names = {p.arg: Opaque(unknown.reason, scope.module.span(p)) for p in parameters if p is not None}
    inner = Scope(scope.module, scope, dict(names), guarded=True)
    ev.deferring = reason
    ev.callers.append(function.name)
    ev.budget.renew()
    try:
        for statement in function.body:
            if isinstance(statement, FOLLOWED):
                execute(ev, [statement], inner)
            elif isinstance(statement, (ast.For, ast.While)):
                forget(ev, [statement], inner, Opaque("a loop computes it", scope.module.span(statement)))
        made = {id(kernel.node) for kernel in ev.kernels} | seen
        for node in _decorated_functions(function):
            if id(node) not in made:
                execute(ev, [node], Scope(scope.module, inner, guarded=True))
    except (Failed, Abandoned, *PYTHON_ERRORS):
        return
    finally:
        ev.callers.pop()
