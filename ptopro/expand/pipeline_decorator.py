"""Take `pipeline=` out of a kernel's decorator: what it asks for has been written out.

@pl.jit(auto_mutex=True, pipeline=CONFIG)    ->    @pl.jit(auto_mutex=True)
@pl.jit(**OPTIONS)                           ->    @pl.jit(**{**OPTIONS, "pipeline": None})
"""

from __future__ import annotations

import ast

from ptopro.diagnostics import Sink, make
from ptopro.expand.decorator import kernel_decorator
from ptopro.expand.edits import EditSet
from ptopro.frontend.kernels import KernelSource


def remove_pipeline(kernel: KernelSource, edits: EditSet, sink: Sink) -> None:
    """Edit the decorator so that it asks for no pipeline."""
    decorator = kernel_decorator(kernel, edits)
    if not isinstance(decorator, ast.Call):
        sink.add(make("PTO1442", kernel.decorator_span, kernel=kernel.name))
        return
    for number, keyword in enumerate(decorator.keywords):
        if keyword.arg == "pipeline":
            _remove(decorator, number, edits)
            return
    for keyword in decorator.keywords:
        if keyword.arg is None:
            text = edits.source.slice(edits.index.span(keyword.value))
            edits.replace(keyword.value, f'{{**{text}, "pipeline": None}}')
            return
    sink.add(make("PTO1442", kernel.decorator_span, kernel=kernel.name))


def _remove(call: ast.Call, number: int, edits: EditSet) -> None:
    """Remove a keyword argument and the comma that belongs to it."""
    source, index = edits.source, edits.index
    arguments: list[ast.AST] = [*call.args, *call.keywords]
    arguments.sort(key=lambda a: source.range(index.span(a))[0])
    at = arguments.index(call.keywords[number])
    start, end = source.range(index.span(arguments[at]))
    end = _behind_parentheses(source.text, start, end)
    if at + 1 < len(arguments):
        after = source.range(index.span(arguments[at + 1]))[0]
        # Up to the next argument; one on a line of its own leaves the line, comment and all.
        edits.replace_range(start, after, "")
        return
    if at > 0:
        before = source.range(index.span(arguments[at - 1]))
        edits.replace_range(_behind_parentheses(source.text, *before), end, "")
        return
    stop = source.range(index.span(call))[1] - 1
    comma = source.text.find(",", end, stop)
    edits.replace_range(start, comma + 1 if comma >= 0 and not source.text[end:comma].strip() else end, "")


def _behind_parentheses(text: str, start: int, end: int) -> int:
    """Behind the parentheses that were opened in text[start:end]: an argument's span ends before those around it."""
    open_ = text.count("(", start, end) - text.count(")", start, end)
    while open_ > 0 and end < len(text):
        open_ += {"(": 1, ")": -1}.get(text[end], 0)
        end += 1
    return end
