"""Assignment to names, attributes, items and patterns of these."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from ptopro.diagnostics.span import Span
from ptopro.frontend.failures import PYTHON_ERRORS, Abandoned, Failed, failed
from ptopro.frontend.scope import MISSING, Scope
from ptopro.frontend.values import (
    ClassKind,
    ClassValue,
    InstanceValue,
    Opaque,
    Value,
    type_name,
)

if TYPE_CHECKING:
    from ptopro.frontend.evaluator import Evaluator


def assign(ev: Evaluator, target: ast.expr, value: Value, scope: Scope) -> None:
    """`target = value`."""
    if isinstance(target, ast.Name):
        scope.bind(target.id, value)
    elif isinstance(target, (ast.Tuple, ast.List)):
        _unpack(ev, target, value, scope)
    elif isinstance(target, ast.Attribute):
        set_attribute(ev, ev.evaluate(target.value, scope), target.attr, value, scope.module.span(target))
    elif isinstance(target, ast.Subscript):
        owner = ev.evaluate(target.value, scope)
        index = ev.evaluate(target.slice, scope)
        set_item(ev, owner, index, value, scope.module.span(target))
    elif isinstance(target, ast.Starred):
        assign(ev, target.value, value, scope)
    else:
        raise Failed("SyntaxError", "cannot assign to this", scope.module.span(target))


def _unpack(ev: Evaluator, target: ast.Tuple | ast.List, value: Value, scope: Scope) -> None:
    if isinstance(value, Opaque):
        for item in target.elts:
            assign(ev, item, value, scope)
        return
    span = scope.module.span(target)
    items = ev.items(value, span)
    stars = [i for i, item in enumerate(target.elts) if isinstance(item, ast.Starred)]
    wanted = len(target.elts)
    if stars:
        after = wanted - stars[0] - 1
        if len(items) < wanted - 1:
            raise Failed("ValueError", f"at least {wanted - 1} values are needed, there are {len(items)}", span)
        middle = items[stars[0] : len(items) - after]
        items = [*items[: stars[0]], middle, *items[len(items) - after :]]
    if len(items) != wanted:
        raise Failed("ValueError", f"{wanted} names cannot take {len(items)} values", span)
    for item, part in zip(target.elts, items, strict=True):
        assign(ev, item, part, scope)


def set_attribute(ev: Evaluator, owner: Value, name: str, value: Value, span: Span) -> None:
    """`owner.name = value`.  Attributes of functions, kernels and modules are no business of kernels."""
    if isinstance(owner, InstanceValue):
        if owner.cls.frozen and ev.callers[-1:] != ["__post_init__"]:
            raise Failed("FrozenInstanceError", f"cannot assign to field '{name}'", span)
        found, method = owner.cls.lookup("__setattr__")
        if found:
            ev.call_value(method, [owner, name, value], {}, span)
        else:
            ev.budget.allocate(1)
            owner.attributes[name] = value
    elif isinstance(owner, ClassValue):
        if owner.kind is ClassKind.ENUM:
            raise Failed("AttributeError", f"cannot reassign member '{name}'", span)
        owner.attributes[name] = value


def set_item(ev: Evaluator, owner: Value, index: Value, value: Value, span: Span) -> None:
    """`owner[index] = value`."""
    if isinstance(owner, Opaque):
        return
    if isinstance(index, Opaque):
        raise Abandoned(index)
    if isinstance(owner, dict):
        ev.budget.allocate(1)
        owner[ev.hashable(index, span)] = value
    elif isinstance(owner, list):
        if isinstance(index, slice):
            value = ev.items(value, span)
        try:
            owner[index] = value
        except PYTHON_ERRORS as error:
            raise failed(error, span) from None
    elif isinstance(owner, InstanceValue) and owner.cls.lookup("__setitem__")[0]:
        ev.call_value(owner.cls.lookup("__setitem__")[1], [owner, index, value], {}, span)
    else:
        raise Failed("TypeError", f"cannot assign to items of {type_name(owner)}", span)


def delete(ev: Evaluator, target: ast.expr, scope: Scope) -> None:
    """`del target`."""
    span = scope.module.span(target)
    if isinstance(target, ast.Name):
        if scope.names.pop(target.id, MISSING) is MISSING:
            raise Failed("NameError", f"name '{target.id}' is not defined", span)
    elif isinstance(target, (ast.Tuple, ast.List)):
        for item in target.elts:
            delete(ev, item, scope)
    elif isinstance(target, ast.Subscript):
        owner = ev.evaluate(target.value, scope)
        index = ev.evaluate(target.slice, scope)
        if isinstance(index, Opaque):
            raise Abandoned(index)
        if isinstance(owner, (dict, list)):
            try:
                del owner[index]
            except PYTHON_ERRORS as error:
                raise failed(error, span) from None
    elif isinstance(target, ast.Attribute):
        owner = ev.evaluate(target.value, scope)
        if isinstance(owner, InstanceValue):
            owner.attributes.pop(target.attr, None)
