"""Statements: one function for each kind of syntax node, found through the table `STATEMENTS`.

A statement gives None, or a signal that leaves the enclosing block.  In a guarded scope (a module, a class body) a
statement that fails makes the names it binds unknown, and the next one goes on: a kernel may not need them.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ptopro.diagnostics.build import make
from ptopro.frontend import operators
from ptopro.frontend.failures import PYTHON_ERRORS, Abandoned, Failed, failed
from ptopro.frontend.scope import NotConstant, Scope
from ptopro.frontend.targets import assign, delete
from ptopro.frontend.uncertain import doubt, either, forget
from ptopro.frontend.values import Opaque, Value

if TYPE_CHECKING:
    from ptopro.frontend.evaluator import Evaluator


@dataclass(frozen=True, slots=True)
class Return:
    value: Value


class Break:
    pass


class Continue:
    pass


Signal = Return | Break | Continue | None
Rule = Callable[["Evaluator", Any, Scope], Signal]


def execute(ev: Evaluator, statements: list[ast.stmt], scope: Scope) -> Signal:
    """Execute a block; the signal that left it, if any."""
    for statement in statements:
        if scope.guarded:
            signal = guarded(ev, statement, scope)
        else:
            signal = _plain(ev, statement, scope)
        if signal is not None:
            return signal
    return None


def _plain(ev: Evaluator, statement: ast.stmt, scope: Scope) -> Signal:
    ev.budget.step()
    rule = STATEMENTS.get(type(statement))
    if rule is None:
        raise Abandoned(ev.unknown(f"'{keyword_of(statement)}' is not evaluated", scope.module.span(statement)))
    return rule(ev, statement, scope)


def guarded(ev: Evaluator, statement: ast.stmt, scope: Scope) -> Signal:
    if scope.parent is not None and scope.parent.parent is None:
        ev.budget.renew()
    try:
        return _plain(ev, statement, scope)
    except Failed as error:
        span = error.span or scope.module.span(statement)
        if isinstance(statement, (ast.Assert, ast.Raise)):
            ev.sink.add(make("PTO1110", scope.module.span(statement), reason=error.reason))
        opaque = ev.unknown(f"computing it fails ({error.reason})", span, error.diagnostic)
    except Abandoned as error:
        opaque = error.opaque
    except NotConstant:
        raise
    except PYTHON_ERRORS as error:
        opaque = ev.unknown(failed(error, None).reason, scope.module.span(statement))
    if opaque.span is None:
        opaque = Opaque(opaque.reason, scope.module.span(statement), opaque.diagnostic)
    forget(ev, [statement], scope, opaque)
    return None


def keyword_of(statement: ast.stmt) -> str:
    """The keyword that a statement begins with."""
    names = {"AsyncFor": "async for", "AsyncWith": "async with", "Match": "match", "TryStar": "except*"}
    return names.get(type(statement).__name__, type(statement).__name__.lower())


# --------------------------------------------------------------------------------------------------------------------
# Simple statements


def expression(ev: Evaluator, node: ast.Expr, scope: Scope) -> Signal:
    if not isinstance(node.value, ast.Constant):
        ev.evaluate(node.value, scope)
    return None


def assignment(ev: Evaluator, node: ast.Assign, scope: Scope) -> Signal:
    value = ev.evaluate(node.value, scope)
    for target in node.targets:
        assign(ev, target, value, scope)
    return None


def annotated_assignment(ev: Evaluator, node: ast.AnnAssign, scope: Scope) -> Signal:
    if node.value is not None:
        assign(ev, node.target, ev.evaluate(node.value, scope), scope)
    return None


def augmented_assignment(ev: Evaluator, node: ast.AugAssign, scope: Scope) -> Signal:
    span = scope.module.span(node)
    read = ast.copy_location(_load(node.target), node.target)
    old = ev.evaluate(read, scope)
    new = ev.evaluate(node.value, scope)
    if isinstance(node.op, ast.Add) and isinstance(old, list) and not isinstance(new, Opaque):
        old.extend(ev.items(new, span))  # in place: other names of the list see it
    else:
        assign(ev, node.target, operators.binary(ev, type(node.op), old, new, span), scope)
    return None


def _load(target: ast.expr) -> ast.expr:
    if isinstance(target, ast.Name):
        return ast.Name(target.id, ast.Load())
    if isinstance(target, ast.Attribute):
        return ast.Attribute(target.value, target.attr, ast.Load())
    assert isinstance(target, ast.Subscript)
    return ast.Subscript(target.value, target.slice, ast.Load())


def delete_(ev: Evaluator, node: ast.Delete, scope: Scope) -> Signal:
    for target in node.targets:
        delete(ev, target, scope)
    return None


def pass_(ev: Evaluator, node: ast.Pass, scope: Scope) -> Signal:
    return None


def global_(ev: Evaluator, node: ast.Global, scope: Scope) -> Signal:
    scope.globals.update(node.names)
    return None


def nonlocal_(ev: Evaluator, node: ast.Nonlocal, scope: Scope) -> Signal:
    scope.nonlocals.update(node.names)
    return None


def assert_(ev: Evaluator, node: ast.Assert, scope: Scope) -> Signal:
    span = scope.module.span(node)
    try:
        truth = ev.truth(ev.evaluate(node.test, scope), span)
    except Abandoned:
        return None
    if truth is not False:
        return None
    message: Value = "" if node.msg is None else ev.evaluate(node.msg, scope)
    raise Failed("AssertionError", message if isinstance(message, str) else "", span)


def return_(ev: Evaluator, node: ast.Return, scope: Scope) -> Signal:
    return Return(None if node.value is None else ev.evaluate(node.value, scope))


def break_(ev: Evaluator, node: ast.Break, scope: Scope) -> Signal:
    return Break()


def continue_(ev: Evaluator, node: ast.Continue, scope: Scope) -> Signal:
    return Continue()


def import_(ev: Evaluator, node: ast.Import | ast.ImportFrom, scope: Scope) -> Signal:
    from ptopro.frontend.imports import import_from, import_modules

    if isinstance(node, ast.Import):
        import_modules(ev, node, scope)
    else:
        import_from(ev, node, scope)
    return None


# --------------------------------------------------------------------------------------------------------------------
# Compound statements


def if_(ev: Evaluator, node: ast.If, scope: Scope) -> Signal:
    test: Value
    try:
        test = ev.truth(ev.evaluate(node.test, scope), scope.module.span(node.test))
    except Abandoned as error:
        test = error.opaque
    if not isinstance(test, Opaque):
        return execute(ev, node.body if test else node.orelse, scope)
    either(ev, node.body, node.orelse, scope, test)
    return None


def for_(ev: Evaluator, node: ast.For, scope: Scope) -> Signal:
    iterable = ev.evaluate(node.iter, scope)
    if isinstance(iterable, Opaque):
        either(ev, [node], [], scope, iterable)
        return None
    with Unguarded(scope):
        for item in ev.iterator(iterable, scope.module.span(node.iter)):
            assign(ev, node.target, item, scope)
            signal = execute(ev, node.body, scope)
            if isinstance(signal, Return):
                return signal
            if isinstance(signal, Break):
                return None
    return execute(ev, node.orelse, scope)


def while_(ev: Evaluator, node: ast.While, scope: Scope) -> Signal:
    span = scope.module.span(node.test)
    with Unguarded(scope):
        while True:
            ev.budget.step()
            test = ev.truth(ev.evaluate(node.test, scope), span)
            if isinstance(test, Opaque):
                either(ev, [node], [], scope, test)
                return None
            if not test:
                break
            signal = execute(ev, node.body, scope)
            if isinstance(signal, Return):
                return signal
            if isinstance(signal, Break):
                return None
    return execute(ev, node.orelse, scope)


class Unguarded:
    """Statements of a loop or a try block fail as a whole."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self.before = scope.guarded

    def __enter__(self) -> None:
        self.scope.guarded = False

    def __exit__(self, *exception: object) -> None:
        self.scope.guarded = self.before


def with_(ev: Evaluator, node: ast.With, scope: Scope) -> Signal:
    """Context managers of kernel files are host matters: what they give is unknown, their bodies are evaluated."""
    for item in node.items:
        value = ev.evaluate(item.context_expr, scope)
        if item.optional_vars is not None:
            span = scope.module.span(item.context_expr)
            known = value if isinstance(value, Opaque) else ev.unknown("a context manager gives it", span)
            assign(ev, item.optional_vars, known, scope)
    return execute(ev, node.body, scope)


def try_(ev: Evaluator, node: ast.Try, scope: Scope) -> Signal:
    before = ev.unknowns
    try:
        try:
            with Unguarded(scope):
                signal = execute(ev, node.body, scope)
        except Failed as error:
            handler = _handler(ev, node, error, scope)
            if handler is None:
                raise
            if handler.name is not None:
                reason = "it is a caught exception"
                scope.bind(handler.name, error.value or ev.unknown(reason, scope.module.span(handler)))
            return execute(ev, handler.body, scope)
        if signal is None:
            signal = execute(ev, node.orelse, scope)
        if ev.unknowns != before:
            doubt(ev, node, scope)
        return signal
    finally:
        if node.finalbody:
            execute(ev, node.finalbody, scope)


def _handler(ev: Evaluator, node: ast.Try, error: Failed, scope: Scope) -> ast.ExceptHandler | None:
    """The handler that catches the failure."""
    from ptopro.frontend.exceptions import exception_matches

    for handler in node.handlers:
        if handler.type is None:
            return handler
        wanted = ev.evaluate(handler.type, scope)
        for kind in wanted if isinstance(wanted, tuple) else (wanted,):
            if isinstance(kind, Opaque):
                raise Abandoned(kind)
            if exception_matches(error, kind):
                return handler
    return None


def raise_(ev: Evaluator, node: ast.Raise, scope: Scope) -> Signal:
    from ptopro.frontend.exceptions import exception_of

    span = scope.module.span(node)
    if node.exc is None:
        raise Failed("RuntimeError", "an exception is raised again", span)
    value = ev.evaluate(node.exc, scope)
    if isinstance(value, Opaque):
        raise Abandoned(value)
    raise exception_of(ev, value, span)


def function_definition(ev: Evaluator, node: ast.FunctionDef | ast.AsyncFunctionDef, scope: Scope) -> Signal:
    from ptopro.frontend.decorators import define_function

    scope.bind(node.name, define_function(ev, node, scope))
    return None


def class_definition(ev: Evaluator, node: ast.ClassDef, scope: Scope) -> Signal:
    from ptopro.frontend.classes import define_class

    scope.bind(node.name, define_class(ev, node, scope))
    return None


STATEMENTS: dict[type[ast.stmt], Rule] = {
    ast.Expr: expression,
    ast.Assign: assignment,
    ast.AnnAssign: annotated_assignment,
    ast.AugAssign: augmented_assignment,
    ast.Delete: delete_,
    ast.Pass: pass_,
    ast.Global: global_,
    ast.Nonlocal: nonlocal_,
    ast.Assert: assert_,
    ast.Return: return_,
    ast.Break: break_,
    ast.Continue: continue_,
    ast.Import: import_,
    ast.ImportFrom: import_,
    ast.If: if_,
    ast.For: for_,
    ast.While: while_,
    ast.With: with_,
    ast.Try: try_,
    ast.Raise: raise_,
    ast.FunctionDef: function_definition,
    ast.AsyncFunctionDef: function_definition,
    ast.ClassDef: class_definition,
}
