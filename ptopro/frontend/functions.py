"""Functions of the kernel file as values, and the binding of arguments to parameters.

`bind_arguments` is also what lowering uses to call helpers with run-time values.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from ptopro.frontend.failures import Abandoned, Failed
from ptopro.frontend.scope import Scope, bound_names
from ptopro.frontend.suggestions import did_you_mean
from ptopro.frontend.values import FunctionValue, IteratorValue, Value

if TYPE_CHECKING:
    from ptopro.diagnostics.span import Span
    from ptopro.frontend.evaluator import Evaluator

T = TypeVar("T")
FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


class ArgumentError(Exception):
    """The arguments of a call do not fit the parameters; the text is a message for the user."""


def make_function(ev: Evaluator, node: FunctionNode, scope: Scope) -> FunctionValue:
    """The value of a def statement (before its decorators) or lambda."""
    defaults = tuple(ev.evaluate(default, scope) for default in node.args.defaults)
    kw_defaults = {
        parameter.arg: ev.evaluate(default, scope)
        for parameter, default in zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True)
        if default is not None
    }
    name = "<lambda>" if isinstance(node, ast.Lambda) else node.name
    return FunctionValue(name, node, scope.module, scope.closure(), defaults=defaults, kw_defaults=kw_defaults)


def default_values(function: FunctionValue) -> dict[str, Value]:
    """The default of each parameter that has one."""
    arguments = function.node.args
    positional = [*arguments.posonlyargs, *arguments.args]
    given = positional[len(positional) - len(function.defaults) :] if function.defaults else []
    found = {p.arg: default for p, default in zip(given, function.defaults, strict=True)}
    found.update(function.kw_defaults)
    return found


def bind_arguments(
    name: str, arguments: ast.arguments, args: Sequence[T], kwargs: Mapping[str, T]
) -> tuple[dict[str, T], tuple[T, ...], dict[str, T]]:
    """Arguments by parameter: (parameters, values of `*args`, values of `**kwargs`), defaults not filled in.

    Raises ArgumentError for surplus, doubled and unknown arguments; missing ones are the caller's affair, who knows
    the defaults (`missing_parameters`).
    """
    positional = [p.arg for p in (*arguments.posonlyargs, *arguments.args)]
    bound: dict[str, T] = dict(zip(positional, args, strict=False))
    extra = tuple(args[len(positional) :])
    if extra and arguments.vararg is None:
        raise ArgumentError(f"{name}() takes {_count(len(positional))} but {len(args)} were given")
    by_keyword = {p.arg for p in (*arguments.args, *arguments.kwonlyargs)}
    surplus: dict[str, T] = {}
    for key, value in kwargs.items():
        if key in by_keyword:
            if key in bound:
                raise ArgumentError(f"{name}() got two values for parameter '{key}'")
            bound[key] = value
        elif arguments.kwarg is not None:
            surplus[key] = value
        else:
            hint = did_you_mean(key, by_keyword)
            raise ArgumentError(f"{name}() has no parameter '{key}'" + (f"; {hint}" if hint else ""))
    return bound, extra, surplus


def missing_parameters(
    arguments: ast.arguments, bound: Mapping[str, object], defaults: Mapping[str, object]
) -> list[str]:
    """The parameters that have neither an argument nor a default."""
    parameters = (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)
    return [p.arg for p in parameters if p.arg not in bound and p.arg not in defaults]


def _count(number: int) -> str:
    return f"{number} positional argument" + ("" if number == 1 else "s")


def call_user_function(
    ev: Evaluator, function: FunctionValue, args: list[Value], kwargs: dict[str, Value], span: Span
) -> Value:
    """Call a function of the kernel file by interpreting its body."""
    from ptopro.frontend.budget import MAX_CALL_DEPTH
    from ptopro.frontend.statements import Return, execute

    node = function.node
    if isinstance(node, ast.AsyncFunctionDef):
        return ev.unknown(f"{function.name}() is asynchronous", span)
    names = argument_values(function, args, kwargs, span)
    if ev.budget.depth >= MAX_CALL_DEPTH:
        raise Abandoned(ev.unknown(f"{function.name}() calls itself or others too deeply", span))
    ev.budget.depth += 1
    ev.callers.append(function.name)
    try:
        if isinstance(node, ast.Lambda):
            return ev.evaluate(node.body, Scope(function.module, function.scope, names))
        info = function_info(node)
        scope = Scope(function.module, function.scope, names, info.local_names)
        scope.globals.update(info.globals)
        scope.nonlocals.update(info.nonlocals)
        if info.generator:
            scope.yielded = []
        signal = execute(ev, node.body, scope)
        if scope.yielded is not None:
            return IteratorValue(iter(scope.yielded))
        return signal.value if isinstance(signal, Return) else None
    finally:
        ev.callers.pop()
        ev.budget.depth -= 1


def argument_values(
    function: FunctionValue, args: Sequence[Value], kwargs: Mapping[str, Value], span: Span
) -> dict[str, Value]:
    """The values of all parameters, defaults filled in.  Raises Failed (TypeError) when the call does not fit."""
    arguments = function.node.args
    try:
        bound, extra, surplus = bind_arguments(function.name, arguments, args, kwargs)
    except ArgumentError as error:
        raise Failed("TypeError", str(error), span) from None
    defaults = default_values(function)
    missing = missing_parameters(arguments, bound, defaults)
    if missing:
        listed = ", ".join(f"'{name}'" for name in missing)
        raise Failed("TypeError", f"{function.name}() lacks a value for {listed}", span)
    names = {**defaults, **bound}
    if arguments.vararg is not None:
        names[arguments.vararg.arg] = extra
    if arguments.kwarg is not None:
        names[arguments.kwarg.arg] = surplus
    return names


@dataclass(frozen=True, slots=True)
class FunctionInfo:
    """What the text of a function says about its names."""

    local_names: frozenset[str]
    globals: frozenset[str]
    nonlocals: frozenset[str]
    generator: bool


def function_info(node: ast.FunctionDef) -> FunctionInfo:
    """Which names the function binds, and whether it is a generator."""
    known = getattr(node, "_ptopro_info", None)
    if isinstance(known, FunctionInfo):
        return known
    outer: set[str] = set()
    enclosing: set[str] = set()
    generator = False
    todo: list[ast.AST] = list(node.body)
    while todo:
        item = todo.pop()
        if isinstance(item, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
            continue
        if isinstance(item, ast.Global):
            outer.update(item.names)
        elif isinstance(item, ast.Nonlocal):
            enclosing.update(item.names)
        elif isinstance(item, (ast.Yield, ast.YieldFrom)):
            generator = True
        todo.extend(ast.iter_child_nodes(item))
    parameters = {a.arg for a in ast.walk(node.args) if isinstance(a, ast.arg)}
    local = (bound_names(node.body) | parameters) - outer - enclosing
    info = FunctionInfo(local, frozenset(outer), frozenset(enclosing), generator)
    node._ptopro_info = info  # type: ignore[attr-defined]
    return info
