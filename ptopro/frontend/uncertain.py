"""Statements whose course depends on unknown values: what they may have changed becomes unknown."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from ptopro.frontend.failures import Abandoned
from ptopro.frontend.scope import MISSING, Scope, bound_names, mutated_names
from ptopro.frontend.values import (
    ClassValue,
    FunctionValue,
    InstanceValue,
    IteratorValue,
    LanguageName,
    ModuleValue,
    Opaque,
)

if TYPE_CHECKING:
    from ptopro.frontend.evaluator import Evaluator


def forget(ev: Evaluator, statements: list[ast.stmt], scope: Scope, opaque: Opaque) -> None:
    """Make unknown whatever these statements bind or change in place: nobody knows whether they ran to their end."""
    ev.unknowns += 1
    for name in bound_names(statements):
        scope.bind(name, opaque)
    for name in mutated_names(statements):
        value = scope.lookup(name)
        if isinstance(value, list):
            value[:] = [opaque]
        elif isinstance(value, (dict, set, InstanceValue, ClassValue, IteratorValue)):
            owner: Scope | None = scope
            while owner is not None and owner.get(name) is MISSING:
                owner = owner.parent
            if owner is not None:
                owner.names[name] = opaque


def either(ev: Evaluator, body: list[ast.stmt], orelse: list[ast.stmt], scope: Scope, opaque: Opaque) -> None:
    """One of two blocks runs, nobody knows which.

    What they bind becomes unknown, except functions, classes and imports that only one of them binds: a kernel that
    stands under such an `if` is still a kernel.  Raises Abandoned when one of the blocks may leave the function.
    """
    from ptopro.frontend.statements import guarded

    if leaves_block([*body, *orelse]):
        raise Abandoned(opaque)
    forget(ev, [*body, *orelse], scope, opaque)
    names = bound_names(body), bound_names(orelse)
    for block, others in ((body, names[1]), (orelse, names[0])):
        for statement in block:
            if isinstance(statement, DEFINITIONS):
                if not bound_names([statement]) & others:
                    guarded(ev, statement, scope)
            elif isinstance(statement, (ast.If, ast.With, ast.Try)) and not bound_names([statement]) & others:
                inner = nested_blocks(statement)
                for part in inner:
                    either(ev, part, [], scope, opaque)


DEFINITIONS = (ast.FunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom)


def nested_blocks(statement: ast.stmt) -> list[list[ast.stmt]]:
    """The statement lists directly inside a compound statement."""
    blocks: list[list[ast.stmt]] = []
    for name in ("body", "orelse", "finalbody"):
        block = getattr(statement, name, None)
        if isinstance(block, list) and block:
            blocks.append(block)
    blocks.extend(handler.body for handler in getattr(statement, "handlers", []))
    return blocks


def leaves_block(statements: list[ast.stmt]) -> bool:
    """Whether a return, break or continue of the enclosing function or loop stands in the statements."""
    todo: list[tuple[ast.AST, bool]] = [(statement, False) for statement in statements]
    while todo:
        node, in_loop = todo.pop()
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
            continue
        if isinstance(node, ast.Return) or (isinstance(node, (ast.Break, ast.Continue)) and not in_loop):
            return True
        inner = in_loop or isinstance(node, (ast.For, ast.While, ast.AsyncFor))
        todo.extend((child, inner) for child in ast.iter_child_nodes(node))
    return False


def doubt(ev: Evaluator, node: ast.Try, scope: Scope) -> None:
    """The block met unknown values, so a handler may have run: plain values that both bind are unknown."""
    from ptopro.frontend.kernels import KernelSource

    handlers = [statement for handler in node.handlers for statement in handler.body]
    span = scope.module.span(node)
    for name in bound_names(handlers):
        value = scope.get(name)
        if isinstance(value, (Opaque, ModuleValue, LanguageName, FunctionValue, ClassValue, KernelSource)):
            continue
        scope.bind(name, ev.unknown("it depends on whether the try block raises", span))
