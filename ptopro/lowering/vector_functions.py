"""Calls of vector functions: one `FunctionIR` of register code for each specialisation, inlined inside another.

In: a call of a function marked `@pl.vector_function`, or a `with pl.section_vf():`.  Out: a `CallStmt` whose function
runs as one instruction of pipe V.  Every tile is a parameter, so that calls with different tiles share a function.
Functions that register code calls become part of it: registers and pointers pass through them as they are.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import TYPE_CHECKING

from ptopro.diagnostics import Label, Sink
from ptopro.frontend.scope import bound_names
from ptopro.frontend.values import FunctionKind, FunctionValue, LanguageName
from ptopro.lowering import ir, scalars
from ptopro.lowering.arguments import Given
from ptopro.lowering.context import Frame
from ptopro.lowering.environment import Binding
from ptopro.lowering.passing import Passing, adopt, closure_key, pass_value
from ptopro.lowering.results import Results
from ptopro.lowering.sharing import shared_parameters
from ptopro.lowering.sites import binding_sites
from ptopro.lowering.values import (
    NONE,
    UNKNOWN,
    Conflict,
    GroupValue,
    Known,
    Pointer,
    RegisterValue,
    Scalar,
    TileValue,
    UbValue,
    Unset,
    Value,
    kind_name,
)
from ptopro.lowering.vector_barriers import loads_behind_stores
from ptopro.lowering.vector_registers import RegisterFile, hold_pointer

if TYPE_CHECKING:
    from ptopro.lowering.helpers import Specialisation

_IN_REGISTERS = (RegisterValue, UbValue, TileValue, GroupValue)


def call_vector_function(frame: Frame, function: FunctionValue, bound: Mapping[str, Given], node: ast.Call) -> Value:
    """A call from a kernel or a helper: the function runs as one instruction of the vector core."""
    if not enters_vector_core(frame, function.name, node):
        return NONE
    lowering = frame.lowering
    passing = Passing(fixed_tiles=False)
    shared = shared_parameters(function)
    for name, given in bound.items():
        held = given.value
        if name in shared and isinstance(held, Known) and held.is_number and not isinstance(held.value, bool):
            held = Scalar(scalars.constant(frame, held, given.node))
        value = pass_value(frame, passing, name, held)
        if value is None:
            frame.report("PTO1289", given.node, found=kind_name(given.value), name=function.name)
            return UNKNOWN
        passing.names[name] = value
    key = (id(function.node), closure_key(function), "registers", tuple(passing.key))
    made = lowering.specialisations.get(key)
    if made is None:
        made = lowering.specialisations[key] = _specialise(frame, function, passing)
    lowering.sink.extend(made.diagnostics)
    frame.emit(ir.CallStmt(frame.stmt_span, made.function, tuple(passing.args), (), frame.span(node)))
    return NONE


def enters_vector_core(frame: Frame, name: str, node: ast.AST) -> bool:
    """Whether this half runs register code here; what is wrong with the place is reported."""
    lowering = frame.lowering
    if lowering.target.chip != "a5":
        frame.report("PTO1283", node, name=name, chip=lowering.target.chip, chips="a5")
        return False
    if frame.section == "cube":
        frame.report("PTO1285", node, name=name, core="vector", section=frame.section)
        return False
    if frame.section is None:
        lowering.cores_used.add("vector")
    return lowering.core == "vector"


def _specialise(frame: Frame, function: FunctionValue, passing: Passing) -> Specialisation:
    """Lower the body of a vector function."""
    from ptopro.lowering.helpers import Specialisation

    lowering, module = frame.lowering, function.module
    node = function.node
    assert not isinstance(node, ast.Lambda)
    span = module.span(node)
    inner = Frame(lowering, module, function.scope, binding_sites(node), span, "vector")
    inner.registers = RegisterFile()
    for name, value in passing.names.items():
        inner.env[name] = Binding(value, span=span)
        adopt(inner, name, value)
    sink, lowering.sink = lowering.sink, Sink()
    lowering.chain.append((node, function.name))
    try:
        inner.run(node.body)
        value = returned(inner, function.name)
        if not (isinstance(value, Known) and value.value is None) and value is not UNKNOWN:
            inner.report("PTO1079", inner.returns[-1][2], name=function.name)
        for load, store in loads_behind_stores(tuple(inner.block)):
            labels = [Label(store.call, "stored here")] if store.call is not None else []
            inner.report("PTO1551", load.call, labels=labels)
    finally:
        lowering.chain.pop()
        drafted, lowering.sink = lowering.sink, sink
    made = ir.FunctionIR(
        function.name,
        tuple(passing.params),
        (*inner.registers.shared.prelude, *inner.block),
        tuple(passing.captures),
        (),
        span,
        module.path,
        function.name,
        "vector_function",
    )
    return Specialisation(made, Results(NONE), tuple(drafted.diagnostics), tuple(passing.kept))


def returned(frame: Frame, name: str) -> Value:
    """What a body of register code returns: its last statement may, no other."""
    if not frame.returns:
        return NONE
    edge, value, _ = frame.returns[-1]
    last = frame.block[-1] if frame.block else None
    if len(frame.returns) > 1 or edge.block is not frame.block or not isinstance(last, ir.Return):
        frame.report("PTO1080", frame.returns[0][2], name=name)
        return UNKNOWN
    frame.block.pop()
    return value


# --------------------------------------------------------------------------------------------------------------------
# Functions that register code calls


def is_inlined(frame: Frame, function: FunctionValue, bound: Mapping[str, Given]) -> bool:
    """Whether a call in register code becomes part of it: it works on registers, pointers or tiles."""
    if function.kind is FunctionKind.VECTOR_FUNCTION or any(
        isinstance(item.value, _IN_REGISTERS) for item in bound.values()
    ):
        return True
    return any(_names_registers(function, part) for part in ast.walk(function.node))


def _names_registers(function: FunctionValue, node: ast.AST) -> bool:
    """Whether a node is `vf` (or `pl.vf`), or names a vector function."""
    if isinstance(node, ast.Attribute):
        return node.attr in ("vf", "Vf")
    if not isinstance(node, ast.Name):
        return False
    value = function.scope.lookup(node.id)
    if isinstance(value, FunctionValue):
        return value.kind is FunctionKind.VECTOR_FUNCTION
    return value == LanguageName("vf") or node.id == "vf"


def inline_function(frame: Frame, function: FunctionValue, bound: Mapping[str, Given], node: ast.Call) -> Value:
    """Lower a function's body where register code calls it."""
    lowering, module = frame.lowering, function.module
    if any(known is function.node for known, _ in lowering.chain):
        chain = " -> ".join([*(name for _, name in lowering.chain), function.name])
        frame.report("PTO1062", node, name=function.name, chain=chain)
        return UNKNOWN
    assert frame.registers is not None
    body = function.node
    inner = Frame(lowering, module, function.scope, binding_sites(body), module.span(body), frame.section)
    inner.registers = frame.registers.nested(frame)
    inner.block = frame.block
    for name, given in bound.items():
        inner.env[name] = Binding(_argument(frame, inner, name, given.value), span=frame.span(given.node))
    lowering.chain.append((body, function.name))
    try:
        if isinstance(body, ast.Lambda):
            return inner.value(body.body)
        inner.run(body.body)
        return returned(inner, function.name)
    finally:
        lowering.chain.pop()


def _argument(frame: Frame, inner: Frame, name: str, value: Value) -> Value:
    """An argument as the inlined function sees it: numbers keep their present value, pointers get a name that moves."""
    if isinstance(value, UbValue) and value.offset is not None:
        return hold_pointer(inner, name, value)
    if isinstance(value, Scalar | Pointer):
        kept = frame.keep(value.expr, name, pointer=isinstance(value, Pointer))
        if isinstance(kept, ir.VarRef):
            inner.fixed.add(kept.var)
        return type(value)(kept)
    return value


# --------------------------------------------------------------------------------------------------------------------
# with pl.section_vf():


def register_section(frame: Frame, node: ast.With) -> None:
    """Register code that stands in a vector section: a vector function of what it reads."""
    context = node.items[0].context_expr
    if frame.registers is not None:
        frame.report("PTO1081", context)
        return
    arguments = ast.arguments([], [], None, [], [], None, [])
    body = ast.FunctionDef("section_vf", arguments, node.body, [])
    ast.copy_location(body, node)
    read = dict.fromkeys(n.id for part in node.body for n in ast.walk(part) if isinstance(n, ast.Name))
    bound = {
        name: Given(context, frame.env[name].value)
        for name in read
        if name in frame.env and _passes(frame.env[name].value)
    }
    arguments.args = [ast.copy_location(ast.arg(name), node) for name in bound]
    function = FunctionValue("section_vf", body, frame.module, frame.scope, FunctionKind.VECTOR_FUNCTION)
    call = ast.copy_location(ast.Call(context, [], []), context)
    call_vector_function(frame, function, bound, call)
    span = frame.span(node)
    for name in bound_names(node.body):
        frame.env[name] = Binding(Unset("outside of the section in which it is assigned", span), span=span)


def _passes(value: Value) -> bool:
    """Compile-time values that are no numbers are found by name; what cannot be read is left to be reported."""
    return not isinstance(value, Unset | Conflict) and not (isinstance(value, Known) and not value.is_number)
