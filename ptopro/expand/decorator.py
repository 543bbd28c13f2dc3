"""Edit a kernel's decorator: `auto_mutex=False`, since the locks are written out.

In: the kernel's function.  Out: one edit of the decorator that makes it a kernel; stacked decorators, other options,
line breaks and comments stay.
"""

from __future__ import annotations

import ast

from ptopro.diagnostics import Sink, make
from ptopro.expand.edits import EditSet
from ptopro.expand.syntax_index import place_of
from ptopro.frontend.kernels import KernelSource
from ptopro.frontend.scope import NotConstant
from ptopro.frontend.values import LanguageName


def turn_off_auto_mutex(kernel: KernelSource, edits: EditSet, sink: Sink) -> None:
    """Make the decorator say `auto_mutex=False`."""
    decorator = kernel_decorator(kernel, edits)
    if decorator is None:
        sink.add(make("PTO1513", kernel.decorator_span, kernel=kernel.name))
        return
    source = edits.source
    if not isinstance(decorator, ast.Call):
        end = source.range(edits.index.span(decorator))[1]
        edits.replace_range(end, end, "(auto_mutex=False)")
        return
    for keyword in decorator.keywords:
        if keyword.arg == "auto_mutex":
            edits.replace(keyword.value, "False")
            return
    for keyword in decorator.keywords:
        if keyword.arg is None and "auto_mutex" in kernel.options.spans:
            text = source.slice(edits.index.span(keyword.value))
            edits.replace(keyword.value, f'{{**{text}, "auto_mutex": False}}')
            return
    add_keyword(decorator, "auto_mutex=False", edits)


def add_keyword(call: ast.Call, text: str, edits: EditSet) -> None:
    """Add `name=value` behind the last argument of a call."""
    arguments: list[ast.AST] = [*call.args, *(k.value for k in call.keywords)]
    if arguments:
        end = max(edits.source.range(edits.index.span(a))[1] for a in arguments)
        end = _closing(edits, end, call)
        edits.replace_range(end, end, f", {text}")
        return
    end = edits.source.range(edits.index.span(call))[1] - 1
    edits.replace_range(end, end, text)


def _closing(edits: EditSet, end: int, call: ast.Call) -> int:
    """Behind the parentheses that an argument's value stands in: `addr=(0)` ends behind the `)`."""
    text = edits.source.text
    stop = edits.source.range(edits.index.span(call))[1] - 1
    at = end
    while at < stop:
        if text[at] == "#":  # a comment runs to the end of its line
            at = edits.source.line_end(at)
            continue
        if text[at] == ")":
            end = at + 1
        elif text[at] == ",":
            break
        at += 1
    return end


def kernel_decorator(kernel: KernelSource, edits: EditSet) -> ast.expr | None:
    """The decorator expression that makes the kernel; None when its options are written elsewhere."""
    for node in kernel.node.decorator_list:
        if edits.index.place(node) == place_of(kernel.decorator_span):
            maker = node.func if isinstance(node, ast.Call) else node
            try:
                value = kernel.module.evaluator.expression(maker, kernel.scope)
            except NotConstant:
                return None
            return node if isinstance(value, LanguageName) else None
    return None
