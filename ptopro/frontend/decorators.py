"""Decorators: what they make of a function or class.

Decorators of the language turn functions into kernels, vector functions, SIMT functions and stages; those of the
standard library (dataclass, property, ...) are evaluated; unknown ones leave the function as it is.
"""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING

from ptopro.diagnostics.build import make
from ptopro.diagnostics.span import Span
from ptopro.frontend.failures import PYTHON_ERRORS, Abandoned, Failed, failed
from ptopro.frontend.functions import make_function
from ptopro.frontend.kernels import KernelSource
from ptopro.frontend.scope import Scope
from ptopro.frontend.values import (
    ClassValue,
    FunctionKind,
    FunctionValue,
    KernelDecorator,
    LanguageName,
    Opaque,
    Value,
)

if TYPE_CHECKING:
    from ptopro.frontend.evaluator import Evaluator

KERNEL_DECORATORS = ("jit", "kernel")
FUNCTION_KINDS = {
    "vector_function": FunctionKind.VECTOR_FUNCTION,
    "simt.function": FunctionKind.SIMT,
    "pipeline.stage": FunctionKind.STAGE,
    "inline": FunctionKind.INLINE,
    "function": FunctionKind.HELPER,
}
DECORATORS = (*KERNEL_DECORATORS, *FUNCTION_KINDS, "program")


def define_function(ev: Evaluator, node: ast.FunctionDef | ast.AsyncFunctionDef, scope: Scope) -> Value:
    """The value that a def statement binds its name to."""
    decorators = [_decorator(ev, decorator, scope) for decorator in node.decorator_list]
    value: Value = make_function(ev, node, scope)
    return _apply(ev, node, value, decorators, scope)


def decorate_class(ev: Evaluator, node: ast.ClassDef, value: ClassValue, scope: Scope) -> Value:
    """The value that a class statement binds its name to."""
    decorators = [_decorator(ev, decorator, scope) for decorator in node.decorator_list]
    return _apply(ev, node, value, decorators, scope)


def _decorator(ev: Evaluator, node: ast.expr, scope: Scope) -> Value:
    """The value of a decorator expression; one that cannot be computed is unknown."""
    span = scope.module.span(node)
    try:
        return ev.evaluate(node, scope)
    except Failed as error:
        if error.diagnostic is not None and _belongs_to_language(ev, node, scope):
            ev.sink.add(error.diagnostic)
        return ev.unknown(error.reason, error.span or span, error.diagnostic)
    except Abandoned as error:
        return error.opaque


def _belongs_to_language(ev: Evaluator, node: ast.expr, scope: Scope) -> bool:
    """Whether a decorator is written as an attribute of the language module, so that a misspelling is an error."""
    from ptopro.frontend.values import ModuleKind, ModuleValue

    while isinstance(node, (ast.Attribute, ast.Call)):
        node = node.func if isinstance(node, ast.Call) else node.value
    value = scope.lookup(node.id) if isinstance(node, ast.Name) else None
    return isinstance(value, ModuleValue) and value.kind is ModuleKind.LANGUAGE


def _apply(
    ev: Evaluator,
    node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef,
    value: Value,
    decorators: list[Value],
    scope: Scope,
) -> Value:
    if isinstance(value, FunctionValue):
        value = replace(value, decorators=tuple(decorators))
    for expression, decorator in reversed(list(zip(node.decorator_list, decorators, strict=True))):
        value = decorate(ev, decorator, value, scope.module.span(expression))
    return value


def decorate(ev: Evaluator, decorator: Value, value: Value, span: Span) -> Value:
    """`decorator(value)` for a function or class."""
    if isinstance(value, FunctionValue) and isinstance(decorator, (LanguageName, KernelDecorator)):
        keywords = decorator.keywords if isinstance(decorator, KernelDecorator) else {}
        if decorator.name in KERNEL_DECORATORS:
            from ptopro.frontend.kernel_definition import make_kernel

            given = decorator if isinstance(decorator, KernelDecorator) else None
            return make_kernel(ev, value, decorator.name, given, span)
        if decorator.name in FUNCTION_KINDS:
            kind = FUNCTION_KINDS[decorator.name]
            if keywords.get("mode") == "simt":
                kind = FunctionKind.SIMT
            if value.kind is not FunctionKind.HELPER and kind in (FunctionKind.INLINE, FunctionKind.HELPER):
                kind = value.kind
            return replace(value, kind=kind, keywords={**value.keywords, **keywords})
        if decorator.name not in DECORATORS:
            name = f"pl.{decorator.name}"
            ev.sink.add(make("PTO1025", span, name=name, hint=_decorator_hint(decorator.name)))
        return value
    if isinstance(value, KernelSource) and isinstance(decorator, KernelDecorator):
        if decorator.name in KERNEL_DECORATORS:  # one over another: the outer options count
            from ptopro.frontend.kernel_definition import overlay_options

            overlay_options(ev, value, decorator)
        return value
    if isinstance(decorator, (Opaque, LanguageName, KernelDecorator)):
        return value
    try:
        made = ev.call_value(decorator, [value], {}, span)
    except (Failed, Abandoned):
        return value
    except PYTHON_ERRORS as error:
        raise failed(error, span) from None
    return value if isinstance(made, Opaque) else made


def _decorator_hint(name: str) -> str:
    from ptopro.frontend.suggestions import nearest

    found = nearest(name, DECORATORS)
    return f"did you mean '@pl.{found}'?" if found else "decorators of the language: " + ", ".join(DECORATORS)
