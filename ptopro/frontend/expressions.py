"""Expressions: one function for each kind of syntax node, found through the table `EXPRESSIONS`."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from ptopro.frontend import operators
from ptopro.frontend.attributes import get_attribute
from ptopro.frontend.calls import call_value
from ptopro.frontend.failures import Abandoned, Failed
from ptopro.frontend.formatting import format_value, text_of
from ptopro.frontend.functions import make_function
from ptopro.frontend.scope import MISSING, RunTimeName, Scope
from ptopro.frontend.subscripts import get_item
from ptopro.frontend.suggestions import did_you_mean
from ptopro.frontend.targets import assign
from ptopro.frontend.values import IteratorValue, Opaque, Value

if TYPE_CHECKING:
    from ptopro.frontend.evaluator import Evaluator

Rule = Callable[["Evaluator", Any, Scope], Value]


def constant(ev: Evaluator, node: ast.Constant, scope: Scope) -> Value:
    return node.value


def name(ev: Evaluator, node: ast.Name, scope: Scope) -> Value:
    try:
        value = scope.lookup(node.id)
    except RunTimeName as error:
        error.span = error.span or scope.module.span(node)
        raise
    if value is MISSING:
        raise unknown_name(node, scope)
    return value


def unknown_name(node: ast.Name, scope: Scope) -> Failed:
    """The failure of a name that nothing binds."""
    from ptopro.diagnostics.build import make

    span = scope.module.span(node)
    hint = did_you_mean(node.id, scope.visible_names())
    return Failed("NameError", f"name '{node.id}' is not defined", span, make("PTO1101", span, name=node.id, hint=hint))


def attribute(ev: Evaluator, node: ast.Attribute, scope: Scope) -> Value:
    value = ev.evaluate(node.value, scope)
    if isinstance(value, Opaque):
        return value
    return get_attribute(ev, value, node.attr, scope.module.span(node))


def subscript(ev: Evaluator, node: ast.Subscript, scope: Scope) -> Value:
    value = ev.evaluate(node.value, scope)
    if isinstance(value, Opaque):
        return value
    return get_item(ev, value, ev.evaluate(node.slice, scope), scope.module.span(node))


def slice_(ev: Evaluator, node: ast.Slice, scope: Scope) -> Value:
    parts = [None if part is None else ev.evaluate(part, scope) for part in (node.lower, node.upper, node.step)]
    for part in parts:
        if isinstance(part, Opaque):
            return part
    return slice(*parts)


def binary(ev: Evaluator, node: ast.BinOp, scope: Scope) -> Value:
    left = ev.evaluate(node.left, scope)
    right = ev.evaluate(node.right, scope)
    return operators.binary(ev, type(node.op), left, right, scope.module.span(node))


def unary(ev: Evaluator, node: ast.UnaryOp, scope: Scope) -> Value:
    return operators.unary(ev, type(node.op), ev.evaluate(node.operand, scope), scope.module.span(node))


def boolean(ev: Evaluator, node: ast.BoolOp, scope: Scope) -> Value:
    stop_at = isinstance(node.op, ast.Or)
    value: Value = None
    for operand in node.values:
        value = ev.evaluate(operand, scope)
        truth = ev.truth(value, scope.module.span(operand))
        if isinstance(truth, Opaque) or truth == stop_at:
            return value
    return value


def compare(ev: Evaluator, node: ast.Compare, scope: Scope) -> Value:
    span = scope.module.span(node)
    left = ev.evaluate(node.left, scope)
    result: Value = True
    for op, right_node in zip(node.ops, node.comparators, strict=True):
        right = ev.evaluate(right_node, scope)
        result = operators.compare(ev, type(op), left, right, span)
        truth = ev.truth(result, span)
        if isinstance(truth, Opaque) or not truth:
            return result
        left = right
    return result


def conditional(ev: Evaluator, node: ast.IfExp, scope: Scope) -> Value:
    test = ev.truth(ev.evaluate(node.test, scope), scope.module.span(node.test))
    if isinstance(test, Opaque):
        return test
    return ev.evaluate(node.body if test else node.orelse, scope)


def call(ev: Evaluator, node: ast.Call, scope: Scope) -> Value:
    callee = ev.evaluate(node.func, scope)
    span = scope.module.span(node)
    args: list[Value] = []
    for argument in node.args:
        if isinstance(argument, ast.Starred):
            args.extend(ev.items(ev.evaluate(argument.value, scope), span))
        else:
            args.append(ev.evaluate(argument, scope))
    kwargs: dict[str, Value] = {}
    spans = {}
    for keyword in node.keywords:
        value = ev.evaluate(keyword.value, scope)
        if keyword.arg is not None:
            kwargs[keyword.arg] = value
            spans[keyword.arg] = scope.module.span(keyword.value)
            continue
        if isinstance(value, Opaque):
            raise Abandoned(value)
        if not isinstance(value, dict) or not all(isinstance(key, str) for key in value):
            raise Failed("TypeError", "the argument after ** must be a dict with string keys", span)
        kwargs.update(value)
        spans.update(dict.fromkeys(value, scope.module.span(keyword.value)))
    return call_value(ev, callee, args, kwargs, span, spans)


def elements(ev: Evaluator, nodes: list[ast.expr], scope: Scope) -> list[Value]:
    """The values of a display's items, with `*` unpacked."""
    found: list[Value] = []
    for node in nodes:
        if isinstance(node, ast.Starred):
            found.extend(ev.items(ev.evaluate(node.value, scope), scope.module.span(node)))
        else:
            found.append(ev.evaluate(node, scope))
    ev.budget.allocate(len(found))
    return found


def tuple_(ev: Evaluator, node: ast.Tuple, scope: Scope) -> Value:
    return tuple(elements(ev, node.elts, scope))


def list_(ev: Evaluator, node: ast.List, scope: Scope) -> Value:
    return elements(ev, node.elts, scope)


def set_(ev: Evaluator, node: ast.Set, scope: Scope) -> Value:
    span = scope.module.span(node)
    return {ev.hashable(item, span) for item in elements(ev, node.elts, scope)}


def dict_(ev: Evaluator, node: ast.Dict, scope: Scope) -> Value:
    found: dict[Value, Value] = {}
    span = scope.module.span(node)
    ev.budget.allocate(2 * len(node.values))
    for key, value_node in zip(node.keys, node.values, strict=True):
        value = ev.evaluate(value_node, scope)
        if key is not None:
            found[ev.hashable(ev.evaluate(key, scope), span)] = value
            continue
        if isinstance(value, Opaque):
            raise Abandoned(value)
        if not isinstance(value, dict):
            raise Failed("TypeError", "the value after ** must be a dict", span)
        ev.budget.allocate(2 * len(value))
        found.update(value)
    return found


def generate(ev: Evaluator, generators: list[ast.comprehension], scope: Scope, index: int = 0) -> Iterator[Scope]:
    """Run the loops of a comprehension; yields the scope of each round."""
    generator = generators[index]
    if generator.is_async:
        raise Abandoned(Opaque("asynchronous comprehensions are not evaluated", scope.module.span(generator.target)))
    span = scope.module.span(generator.iter)
    for item in ev.iterator(ev.evaluate(generator.iter, scope), span):
        assign(ev, generator.target, item, scope)
        for condition in generator.ifs:
            truth = ev.truth(ev.evaluate(condition, scope), scope.module.span(condition))
            if isinstance(truth, Opaque):
                raise Abandoned(truth)
            if not truth:
                break
        else:
            if index + 1 < len(generators):
                yield from generate(ev, generators, scope, index + 1)
            else:
                yield scope


def inner_scope(scope: Scope) -> Scope:
    """The scope of a comprehension.  Class bodies stay visible, which is more than Python shows and does no harm."""
    return Scope(scope.module, scope, comprehension=True)


def list_comprehension(ev: Evaluator, node: ast.ListComp, scope: Scope) -> Value:
    inner = inner_scope(scope)
    found: list[Value] = []
    for each in generate(ev, node.generators, inner):
        ev.budget.allocate(1)
        found.append(ev.evaluate(node.elt, each))
    return found


def set_comprehension(ev: Evaluator, node: ast.SetComp, scope: Scope) -> Value:
    inner = inner_scope(scope)
    span = scope.module.span(node)
    found: set[Value] = set()
    for each in generate(ev, node.generators, inner):
        ev.budget.allocate(1)
        found.add(ev.hashable(ev.evaluate(node.elt, each), span))
    return found


def dict_comprehension(ev: Evaluator, node: ast.DictComp, scope: Scope) -> Value:
    inner = inner_scope(scope)
    span = scope.module.span(node)
    found: dict[Value, Value] = {}
    for each in generate(ev, node.generators, inner):
        ev.budget.allocate(2)
        key = ev.hashable(ev.evaluate(node.key, each), span)
        found[key] = ev.evaluate(node.value, each)
    return found


def generator_expression(ev: Evaluator, node: ast.GeneratorExp, scope: Scope) -> Value:
    inner = inner_scope(scope)
    return IteratorValue(ev.evaluate(node.elt, each) for each in generate(ev, node.generators, inner))


def joined_string(ev: Evaluator, node: ast.JoinedStr, scope: Scope) -> Value:
    parts: list[str] = []
    for part in node.values:
        value = ev.evaluate(part, scope)
        if isinstance(value, Opaque):
            return value
        ev.budget.text(len(value))
        parts.append(value)
    return "".join(parts)


def formatted_value(ev: Evaluator, node: ast.FormattedValue, scope: Scope) -> Value:
    value = ev.evaluate(node.value, scope)
    specification = "" if node.format_spec is None else ev.evaluate(node.format_spec, scope)
    if isinstance(specification, Opaque):
        return specification
    span = scope.module.span(node)
    if node.conversion in (ord("r"), ord("a"), ord("s")):
        value = text_of(ev, value, span, quoted=node.conversion != ord("s"))
    return format_value(ev, value, specification, span)


def walrus(ev: Evaluator, node: ast.NamedExpr, scope: Scope) -> Value:
    value = ev.evaluate(node.value, scope)
    target = scope
    while target.comprehension and target.parent is not None:
        target = target.parent
    target.bind(node.target.id, value)
    return value


def lambda_(ev: Evaluator, node: ast.Lambda, scope: Scope) -> Value:
    return make_function(ev, node, scope)


def starred(ev: Evaluator, node: ast.Starred, scope: Scope) -> Value:
    raise Failed("SyntaxError", "can't use starred expression here", scope.module.span(node))


def yield_(ev: Evaluator, node: ast.Yield | ast.YieldFrom, scope: Scope) -> Value:
    """Generators are run to their end when they are called; what they yield is collected."""
    while scope.yielded is None and scope.parent is not None:
        scope = scope.parent
    if scope.yielded is None:
        raise Failed("SyntaxError", "'yield' outside function", scope.module.span(node))
    if isinstance(node, ast.YieldFrom):
        scope.yielded.extend(ev.items(ev.evaluate(node.value, scope), scope.module.span(node)))
    else:
        ev.budget.allocate(1)
        scope.yielded.append(None if node.value is None else ev.evaluate(node.value, scope))
    return None


def await_(ev: Evaluator, node: ast.Await, scope: Scope) -> Value:
    return ev.unknown("'await' is not evaluated", scope.module.span(node))


EXPRESSIONS: dict[type[ast.expr], Rule] = {
    ast.Constant: constant,
    ast.Name: name,
    ast.Attribute: attribute,
    ast.Subscript: subscript,
    ast.Slice: slice_,
    ast.BinOp: binary,
    ast.UnaryOp: unary,
    ast.BoolOp: boolean,
    ast.Compare: compare,
    ast.IfExp: conditional,
    ast.Call: call,
    ast.Tuple: tuple_,
    ast.List: list_,
    ast.Set: set_,
    ast.Dict: dict_,
    ast.ListComp: list_comprehension,
    ast.SetComp: set_comprehension,
    ast.DictComp: dict_comprehension,
    ast.GeneratorExp: generator_expression,
    ast.JoinedStr: joined_string,
    ast.FormattedValue: formatted_value,
    ast.NamedExpr: walrus,
    ast.Lambda: lambda_,
    ast.Starred: starred,
    ast.Yield: yield_,
    ast.YieldFrom: yield_,
    ast.Await: await_,
}
