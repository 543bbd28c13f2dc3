"""Helper functions: one `FunctionIR` for each specialisation, and the calls of it.

A helper is specialised on everything that is known where it is called: compile-time arguments, the tiles, groups,
tensors and structs that are passed (by identity), and the types of numbers.  What is left are its parameters.  Calls
of functions without effects, with compile-time arguments alone, are computed by the front end.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ptopro.diagnostics import Diagnostic, Sink
from ptopro.frontend.evaluator import NotConstant
from ptopro.frontend.functions import ArgumentError, bind_arguments, default_values, missing_parameters
from ptopro.frontend.values import BoundMethod, FunctionKind, FunctionValue, PartialValue
from ptopro.lowering import ir, scalars
from ptopro.lowering.arguments import Given, call_values
from ptopro.lowering.assignment import conform
from ptopro.lowering.context import Frame, plain_value
from ptopro.lowering.environment import Binding, Edge
from ptopro.lowering.passing import Passing, adopt, closure_key, pass_value
from ptopro.lowering.results import Results, collect, deliver
from ptopro.lowering.sharing import shared_parameters
from ptopro.lowering.simt import may_call, pass_arguments, views_of
from ptopro.lowering.sites import binding_sites
from ptopro.lowering.stages import note_call
from ptopro.lowering.values import (
    UNKNOWN,
    Conflict,
    Known,
    Scalar,
    TupleValue,
    Unknown,
    Unset,
    Value,
    kind_name,
)

if TYPE_CHECKING:
    from ptopro.frontend.source import SourceModule

_NOT_PLAIN = plain_value(UNKNOWN)


@dataclass(slots=True)
class Specialisation:
    """A lowered helper.  kept: values whose identity the key relies on; diagnostics: of its body."""

    function: ir.FunctionIR
    results: Results
    diagnostics: tuple[Diagnostic, ...]
    kept: tuple[object, ...]


def call_helper(frame: Frame, callee: FunctionValue | BoundMethod | PartialValue, node: ast.Call) -> Value:
    """A call of a function of the kernel's files."""
    found = call_values(frame, node)
    if found is None:
        return UNKNOWN
    positional, keywords = found
    target: Any = callee
    while isinstance(target, BoundMethod | PartialValue):
        if isinstance(target, BoundMethod):
            positional = [Given(node, Known(target.instance)), *positional]
        else:
            positional = [*(Given(node, Known(a)) for a in target.args), *positional]
            keywords = {**{k: Given(node, Known(v)) for k, v in target.kwargs.items()}, **keywords}
        target = target.function
    if not isinstance(target, FunctionValue):
        frame.report("PTO1286", node.func, found=kind_name(Known(target)))
        return UNKNOWN
    if target.kind is FunctionKind.SIMT and not may_call(frame, target, node):
        return UNKNOWN
    bound = bound_arguments(frame, target, positional, keywords, node)
    if bound is None or any(isinstance(item.value, Unknown) for item in bound.values()):
        return UNKNOWN
    if target.kind is FunctionKind.VECTOR_FUNCTION or frame.registers is not None:
        from ptopro.lowering.vector_functions import call_vector_function, inline_function, is_inlined

        inside = {**bound, **_captured(frame, target, bound, node)}
        if frame.registers is None:
            return call_vector_function(frame, target, inside, node)
        if is_inlined(frame, target, inside):
            return inline_function(frame, target, inside, node)
    note_call(frame, target, bound, node)
    computed = _compute(frame, target, bound, node)
    if computed is not None:
        return computed
    return _call(frame, target, {**bound, **_captured(frame, target, bound, node)}, node)


def bound_arguments(
    frame: Frame,
    function: FunctionValue,
    positional: Sequence[Given],
    keywords: Mapping[str, Given],
    node: ast.Call,
) -> dict[str, Given] | None:
    """Arguments by parameter, defaults filled in; None after a report."""
    arguments = function.node.args
    try:
        bound, extra, surplus = bind_arguments(function.name, arguments, positional, keywords)
    except ArgumentError as error:
        frame.report("PTO1288", node, problem=str(error))
        return None
    defaults = default_values(function)
    missing = missing_parameters(arguments, bound, defaults)
    if missing:
        names = ", ".join(f"'{name}'" for name in missing)
        frame.report("PTO1288", node, problem=f"{function.name}() lacks a value for {names}")
        return None
    named = {name: Given(node, Known(value)) for name, value in defaults.items()}
    named.update(bound)
    if arguments.vararg is not None:
        named[arguments.vararg.arg] = Given(node, TupleValue(tuple(item.value for item in extra)))
    if arguments.kwarg is not None:
        if surplus:
            frame.report("PTO1065", node)
            return None
        named[arguments.kwarg.arg] = Given(node, Known({}))
    return {name: _conformed(frame, function, name, item) for name, item in named.items()}


def _conformed(frame: Frame, function: FunctionValue, name: str, given: Given) -> Given:
    """The argument as the parameter's annotation wants it."""
    arguments = function.node.args
    for parameter in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs):
        if parameter.arg == name and parameter.annotation is not None:
            try:
                annotation = function.module.evaluator.expression(parameter.annotation, function.scope)
            except NotConstant:
                return given  # a type of a library that is not there says nothing about the kernel
            return Given(given.node, conform(frame, given.value, annotation, given.node))
    return given


def _captured(frame: Frame, function: FunctionValue, bound: Mapping[str, Given], node: ast.Call) -> dict[str, Given]:
    """What a function that the caller defines itself reads of the caller's names: passed like arguments."""
    if function.scope is not frame.scope:
        return {}
    own = binding_sites(function.node)
    names = dict.fromkeys(n.id for n in ast.walk(function.node) if isinstance(n, ast.Name) and n.id not in own)
    return {
        name: Given(node, frame.env[name].value)
        for name in names
        if name in frame.env and name not in bound and not isinstance(frame.env[name].value, Unset | Conflict)
    }


def _compute(frame: Frame, function: FunctionValue, bound: Mapping[str, Given], node: ast.Call) -> Value | None:
    """The value of a call that needs nothing of the running kernel, None when it does."""
    if function.kind is FunctionKind.STAGE:
        return None
    plain = {name: plain_value(item.value) for name, item in bound.items()}
    if any(value is _NOT_PLAIN for value in plain.values()):
        return None
    arguments = function.node.args
    positional = [plain.pop(p.arg) for p in (*arguments.posonlyargs, *arguments.args)]
    if arguments.vararg is not None:
        positional.extend(plain.pop(arguments.vararg.arg))
    if arguments.kwarg is not None:
        plain.pop(arguments.kwarg.arg)
    evaluator = function.module.evaluator
    before = evaluator.unknowns
    try:
        value = evaluator.call_function(function, positional, plain, frame.span(node))
    except NotConstant:
        return None
    return Known(value) if evaluator.unknowns == before else None


# --------------------------------------------------------------------------------------------------------------------
# Specialisation


def _call(frame: Frame, function: FunctionValue, bound: Mapping[str, Given], node: ast.Call) -> Value:
    passing = pass_arguments(frame, function, bound) if frame.in_thread else _passed(frame, function, bound)
    if passing is None:
        return UNKNOWN
    made = specialised(frame, function, passing, node, in_thread=frame.in_thread)
    if made is None:
        return UNKNOWN
    return deliver(frame, made.function, made.results, tuple(passing.args), node)


def _passed(frame: Frame, function: FunctionValue, bound: Mapping[str, Given]) -> Passing | None:
    """The arguments of a call by what they are; None after a report."""
    passing = Passing()
    shared = shared_parameters(function)
    for name, given in bound.items():
        held = given.value
        if name in shared and isinstance(held, Known) and held.is_number and not isinstance(held.value, bool):
            held = Scalar(scalars.constant(frame, held, given.node))
        value = pass_value(frame, passing, name, held)
        if value is None:
            frame.report("PTO1289", given.node, found=kind_name(given.value), name=function.name)
            return None
        passing.names[name] = value
    return passing


def specialised(
    frame: Frame, function: FunctionValue, passing: Passing, node: ast.Call, *, in_thread: bool
) -> Specialisation | None:
    """The function for these arguments, lowered when it is first called with such; None when it calls itself."""
    lowering = frame.lowering
    chain = [name for _, name in lowering.chain]
    if any(known is function.node for known, _ in lowering.chain):
        start = next(i for i, (known, _) in enumerate(lowering.chain) if known is function.node)
        frame.report("PTO1062", node, name=function.name, chain=" -> ".join([*chain[start:], function.name]))
        return None
    key = (id(function.node), closure_key(function), "threads" if in_thread else frame.section, tuple(passing.key))
    made = lowering.specialisations.get(key)
    if made is None:
        made = _specialise(frame, function, passing, in_thread)
        if not made.results.escapes:
            lowering.specialisations[key] = made
    lowering.sink.extend(made.diagnostics)
    return made


def _specialise(frame: Frame, function: FunctionValue, passing: Passing, in_thread: bool) -> Specialisation:
    """Lower the helper's body."""
    lowering = frame.lowering
    node = function.node
    module: SourceModule = function.module
    span = module.span(node)
    inner = Frame(lowering, module, function.scope, binding_sites(node), span, frame.section)
    inner.in_thread = in_thread
    for name, value in passing.names.items():
        inner.env[name] = Binding(value, span=span)
        adopt(inner, name, value)
    sink, lowering.sink = lowering.sink, Sink()
    lowering.chain.append((node, function.name))
    try:
        if isinstance(node, ast.Lambda):
            inner.stmt_span = module.span(node.body)
            value = inner.value(node.body)
            inner.emit(ir.Return(inner.stmt_span))
            inner.returns.append((Edge(dict(inner.env), inner.block), value, inner.stmt_span))
            inner.terminated = True
        else:
            inner.run(node.body)
        results = collect(inner, function.name, span)
    finally:
        lowering.chain.pop()
        drafted, lowering.sink = lowering.sink, sink
    name = "function" if isinstance(node, ast.Lambda) else function.name
    made = ir.FunctionIR(
        name,
        tuple(passing.params),
        (*views_of(passing, span), *inner.block) if in_thread else tuple(inner.block),
        tuple(passing.captures),
        results.types,
        span,
        module.path,
        name,
        "simt" if in_thread else "stage" if function.kind is FunctionKind.STAGE else "helper",
    )
    return Specialisation(made, results, tuple(drafted.diagnostics), tuple(passing.kept))
