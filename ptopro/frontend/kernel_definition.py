"""Make a KernelSource of a decorated function: options checked, parameters read, a name of its own in the file."""

from __future__ import annotations

import ast
import re
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any

from ptopro.diagnostics.build import make
from ptopro.diagnostics.core import Label
from ptopro.diagnostics.span import Span
from ptopro.frontend.kernels import KernelOptions, KernelSource
from ptopro.frontend.keys import check_instances
from ptopro.frontend.operators import inner_opaque
from ptopro.frontend.parameters import read_parameters, unknown_value
from ptopro.frontend.scope import Scope
from ptopro.frontend.suggestions import did_you_mean
from ptopro.frontend.values import (
    ClassValue,
    FunctionValue,
    KernelDecorator,
    LanguageName,
    ModuleKind,
    ModuleValue,
    Value,
    type_name,
)
from ptopro.language.surface import options as surface

if TYPE_CHECKING:
    from ptopro.frontend.evaluator import Evaluator


def make_kernel(
    ev: Evaluator, function: FunctionValue, decorator_name: str, decorator: KernelDecorator | None, span: Span
) -> Value:
    """The kernel that a decorator of the language makes of a function.  span: the decorator."""
    node = function.node
    if not isinstance(node, ast.FunctionDef):
        kind = "a lambda" if isinstance(node, ast.Lambda) else "an async function"
        ev.sink.add(make("PTO1014", span, kind=kind))
        return function
    if is_host_function(node, function.scope):
        ev.sink.add(make("PTO1028", name_span(function), name=function.name))
        return function
    options = read_options(ev, decorator_name, decorator)
    kernel = KernelSource(
        name=options.name or function.name,
        node=node,
        module=function.module,
        scope=_captured(function.scope),
        options=options,
        parameters=(),
        span=name_span(function),
        decorator_span=span,
        launchable=decorator_name == "jit",
        made_by=ev.callers[-1] if ev.callers else None,
        deferred=ev.deferring,
        decorators=function.decorators,
    )
    check_instances(kernel, ev.sink)
    if function.module.postponed or _has_string_annotations(node):
        ev.later.append(lambda: finish(ev, kernel, function))
    else:
        finish(ev, kernel, function)
    ev.kernels.append(kernel)
    return kernel


def finish(ev: Evaluator, kernel: KernelSource, function: FunctionValue) -> None:
    """Read the parameters, at once or, for postponed annotations, when the whole file has been evaluated."""
    kernel.parameters = read_parameters(ev, function)


def is_host_function(node: ast.FunctionDef, scope: Scope) -> bool:
    """Whether a decorated function reaches no data and names nothing of the language: a program's test, say."""
    arguments = node.args
    if arguments.posonlyargs or arguments.args or arguments.kwonlyargs or arguments.vararg or arguments.kwarg:
        return False
    for statement in node.body:
        for part in ast.walk(statement):
            if isinstance(part, ast.Name) and _is_language(scope.lookup(part.id)):
                return False
    return True


def _is_language(value: Value) -> bool:
    return isinstance(value, LanguageName) or (isinstance(value, ModuleValue) and value.kind is ModuleKind.LANGUAGE)


def _has_string_annotations(node: ast.FunctionDef) -> bool:
    arguments = node.args
    return any(
        isinstance(p.annotation, ast.Constant) and isinstance(p.annotation.value, str)
        for p in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)
    )


def _captured(scope: Scope) -> Scope:
    """What a kernel closes over: locals of its factory as they are now, module names as they will be."""
    if scope.parent is None or scope.parent.parent is None:
        return scope
    return Scope(scope.module, scope, dict(scope.names))


def name_span(function: FunctionValue) -> Span:
    """Where a function's name stands in its def statement."""
    module = function.module
    node = function.node
    assert isinstance(node, ast.FunctionDef)
    span = module.span(node)
    line = module.lines[span.line - 1] if span.line <= len(module.lines) else ""
    match = re.compile(r"def\s+").search(line, span.col - 1)
    col = match.end() + 1 if match is not None and line.startswith(node.name, match.end()) else span.col
    return Span(span.file, span.line, col, span.line, col + len(node.name))


# --------------------------------------------------------------------------------------------------------------------
# Options


def read_options(ev: Evaluator, name: str, decorator: KernelDecorator | None) -> KernelOptions:
    """The options of `@pl.jit(...)` or `@pl.kernel(...)`; wrong ones are reported and left at their defaults."""
    if decorator is None:
        return KernelOptions()
    given: dict[str, Any] = {}
    for option, value in decorator.keywords.items():
        if _option_fits(ev, decorator, option, value):
            given[option] = value
    known = {field.name for field in fields(KernelOptions)}
    return KernelOptions(**{k: v for k, v in given.items() if k in known}, spans=dict(decorator.spans))


def overlay_options(ev: Evaluator, kernel: KernelSource, decorator: KernelDecorator) -> None:
    """The options of a second decorator over a kernel's own take the place of its own."""
    outer = read_options(ev, decorator.name, decorator)
    given = {name: getattr(outer, name) for name in decorator.keywords if hasattr(outer, name)}
    kernel.options = replace(kernel.options, **given, spans={**kernel.options.spans, **outer.spans})
    kernel.name = kernel.options.name or kernel.name
    kernel.launchable = decorator.name == "jit"


def _option_fits(ev: Evaluator, decorator: KernelDecorator, option: str, value: Value) -> bool:
    """Whether an option is known and takes the value; reports it otherwise."""
    owner = f"@pl.{decorator.name}"
    known = surface.JIT if decorator.name == "jit" else surface.KERNEL
    span = decorator.spans.get(option, decorator.span)
    if option not in known:
        new = surface.RENAMED.get(option)
        if new in known:
            ev.sink.add(make("PTO1241", span, old=option, new=new, owner=owner))
        else:
            hint = did_you_mean(option, known)
            hint = f"{hint} " if hint else ""
            allowed = ", ".join(known)
            ev.sink.add(make("PTO1240", span, decorator=decorator.name, option=option, hint=hint, allowed=allowed))
        return False
    unknown = inner_opaque(ev, value) if not isinstance(value, ClassValue) else None
    if unknown is not None:
        ev.sink.add(unknown_value(unknown, span, f"option '{option}' of {owner}"))
        return False
    accepted, allowed = known[option].accepts(value), known[option].allowed
    if option == "tiling_key":
        accepted = value is None or isinstance(value, ClassValue)
    elif option == "name" and isinstance(value, str):  # it names a folder
        accepted = re.fullmatch(r"\w[\w.\-]{0,99}", value) is not None
        allowed = "letters, digits, '_', '-' and '.'"
    if not accepted:
        actual = repr(value) if isinstance(value, (int, float, str)) else type_name(value)
        ev.sink.add(make("PTO1243", span, option=option, owner=owner, actual=actual[:80], allowed=allowed))
    return accepted


# --------------------------------------------------------------------------------------------------------------------
# Names


def _bound_names(names: dict[str, Value]) -> dict[int, str]:
    """By identity, what module-level code calls a kernel: its variable, or for `KERNELS["fp16"]` its function's name
    with the key."""
    bound: dict[int, str] = {}
    for name, value in names.items():
        if isinstance(value, KernelSource):
            bound.setdefault(id(value), name)
    for value in names.values():
        if isinstance(value, dict):
            pairs = list(value.items())
        elif isinstance(value, (list, tuple)):
            pairs = list(enumerate(value))
        else:
            continue
        for key, item in pairs:
            if isinstance(item, KernelSource) and isinstance(key, (str, int)):
                bound.setdefault(id(item), re.sub(r"\W", "_", f"{item.node.name}_{key}"))
    return bound


def distinct_kernels(ev: Evaluator, names: dict[str, Value], kernels: list[KernelSource]) -> list[KernelSource]:
    """The kernels of a file, each under a name of its own.

    names: the file's module-level names.  Of functions that redefine each other the last one counts, as in Python;
    kernels that a factory made share their function's name and are called by the module-level names they are bound
    to, or by the keys of a module-level dict or list that holds them.
    """
    bound = _bound_names(names)
    kept: list[KernelSource] = []
    for i, kernel in enumerate(kernels):
        later = [k for k in kernels[i + 1 :] if k.made_by is None and k.node.name == kernel.node.name]
        if kernel.made_by is None and later and id(kernel) not in bound:
            labels = [Label(later[-1].span, "this one counts")]
            ev.sink.add(make("PTO1024", kernel.span, labels=labels, name=kernel.node.name))
        else:
            kept.append(kernel)
    groups: dict[str, list[KernelSource]] = {}
    for kernel in kept:
        groups.setdefault(kernel.name, []).append(kernel)
    for name, group in groups.items():
        if len(group) == 1:
            continue
        candidates = [bound.get(id(kernel)) for kernel in group]
        others = {k.name for k in kept if k not in group}
        if None in candidates or len(set(candidates)) < len(group) or set(candidates) & others:
            labels = [Label(group[0].decorator_span, "the first one")]
            ev.sink.add(make("PTO1019", group[1].span, labels=labels, name=name, count=len(group)))
            continue
        for kernel, candidate in zip(group, candidates, strict=True):
            kernel.name = candidate or kernel.name
    return kept
