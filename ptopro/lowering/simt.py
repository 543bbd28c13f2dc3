"""SIMT functions: launching one, calling one from another, what stands in them.

In: `pl.simt.launch(f, threads=, args=)` or `f[threads](...)`, and calls of `pl.simt.*` in SIMT code.  Out: a `Launch`
of a `FunctionIR` of kind "simt", one for each combination of argument types; expressions and statements of a thread.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from math import prod
from typing import TYPE_CHECKING, Any

from ptopro.diagnostics import Span
from ptopro.frontend.values import FunctionKind, FunctionValue
from ptopro.language.dtypes import FP32, INT32, INT64
from ptopro.language.operations.model import Operation, ScalarView
from ptopro.language.operations.table import find
from ptopro.lowering import ir, scalars, simt_ir
from ptopro.lowering.arguments import Given, bind, call_values
from ptopro.lowering.context import plain_value
from ptopro.lowering.expressions import members
from ptopro.lowering.operations import tensor_view, tile_view
from ptopro.lowering.passing import Passing, pass_value
from ptopro.lowering.values import (
    NONE,
    UNKNOWN,
    Known,
    Scalar,
    TensorValue,
    TileValue,
    TupleValue,
    Unknown,
    Value,
    kind_name,
)
from ptopro.lowering.vector_functions import enters_vector_core

if TYPE_CHECKING:
    from ptopro.lowering.context import Frame

MOST_THREADS = 2048
_POSITIONS = {"thread_idx": "threadIdx", "block_dim": "blockDim", "block_idx": "blockIdx", "grid_dim": "gridDim"}
_AXES = ("x", "y", "z")


# --------------------------------------------------------------------------------------------------------------------
# Launches


def launch(frame: Frame, node: ast.Call) -> Value:
    """`pl.simt.launch(function, threads=..., args=(...))`."""
    operation = find("simt.launch")
    assert operation is not None
    arguments = bind(frame, node, operation)
    if arguments is None:
        return UNKNOWN
    callee, threads, args = (arguments.given[name] for name in ("callee", "threads", "args"))
    if any(isinstance(item.value, Unknown) for item in (callee, threads, args)):
        return UNKNOWN
    values = members(args.value)
    if values is None:
        frame.report("PTO1258", args.node, found=kind_name(args.value))
        return UNKNOWN
    written = args.node.elts if isinstance(args.node, ast.Tuple | ast.List) else []
    nodes: Sequence[ast.AST] = written if len(written) == len(values) else [args.node] * len(values)
    function = callee.value.value if isinstance(callee.value, Known) else None
    if not isinstance(function, FunctionValue):
        frame.report("PTO1088", callee.node, name=frame.text(callee.node))
        return UNKNOWN
    positional = [Given(at, value) for at, value in zip(nodes, values, strict=True)]
    return _launch(frame, function, threads, positional, node)


def subscript_launch(frame: Frame, node: ast.Call) -> Value | None:
    """`function[threads](...)`; None when the call is of something else."""
    if not isinstance(node.func, ast.Subscript) or not isinstance(node.func.value, ast.Name):
        return None
    if frame.lookup(node.func.value.id) is not None:
        return None
    function = frame.scope.lookup(node.func.value.id)
    if not isinstance(function, FunctionValue) or function.kind is not FunctionKind.SIMT:
        return None
    threads = Given(node.func.slice, frame.value(node.func.slice))
    found = call_values(frame, node)
    if found is None or isinstance(threads.value, Unknown):
        return UNKNOWN
    positional, keywords = found
    return _launch(frame, function, threads, [*positional, *keywords.values()], node)


def launch_arguments(node: ast.Call) -> list[ast.expr]:
    """Where the arguments of a launch are written, in order; empty when they are not written out."""
    if isinstance(node.func, ast.Subscript):
        return list(node.args)
    args = next((k.value for k in node.keywords if k.arg == "args"), None) or next(iter(node.args[2:]), None)
    return list(args.elts) if isinstance(args, ast.Tuple | ast.List) else []


def _launch(
    frame: Frame, function: FunctionValue, threads: Given, positional: Sequence[Given], node: ast.Call
) -> Value:
    from ptopro.lowering.helpers import bound_arguments, specialised

    most = function.keywords.get("max_threads")
    if frame.in_thread or frame.registers is not None:
        frame.report("PTO1090", node, name=function.name)
        return UNKNOWN
    if function.kind is not FunctionKind.SIMT or not isinstance(most, int):
        frame.report("PTO1088", node, name=function.name)
        return UNKNOWN
    extents = _extents(frame, function.name, threads, most)
    bound = bound_arguments(frame, function, positional, {}, node) if _plain_parameters(frame, function) else None
    if extents is None or bound is None or any(isinstance(item.value, Unknown) for item in bound.values()):
        return UNKNOWN
    if not enters_vector_core(frame, function.name, node):
        return NONE
    passing = pass_arguments(frame, function, bound)
    if passing is None:
        return UNKNOWN
    made = specialised(frame, function, passing, node, in_thread=True)
    if made is None:
        return UNKNOWN
    if made.results.types or not isinstance(made.results.form, Known | Unknown):
        frame.report("PTO1094", function.module.span(function.node), name=function.name)
        return UNKNOWN
    frame.emit(simt_ir.Launch(frame.stmt_span, made.function, tuple(passing.args), (), frame.span(node), extents, most))
    return NONE


def _extents(frame: Frame, name: str, threads: Given, most: int) -> tuple[int, int, int] | None:
    """Threads along x, y, z; None after a report."""
    plain = plain_value(threads.value)
    numbers = tuple(plain) if isinstance(plain, tuple | list) else (plain,)
    if not 1 <= len(numbers) <= 3 or not all(type(n) is int and n > 0 for n in numbers):
        frame.report("PTO1089", threads.node, name=name, threads=frame.text(threads.node))
        return None
    if prod(numbers) > min(most, MOST_THREADS):
        frame.report("PTO1091", threads.node, name=name, count=prod(numbers), most=min(most, MOST_THREADS))
        return None
    x, y, z = (*numbers, 1, 1)[:3]
    return x, y, z


def _plain_parameters(frame: Frame, function: FunctionValue) -> bool:
    """Whether a SIMT function takes required positional parameters only; what else it takes is reported."""
    node = function.node
    arguments = node.args
    if arguments.vararg or arguments.kwarg or arguments.kwonlyargs or arguments.defaults:
        frame.report("PTO1092", function.module.span(node), name=function.name)
        return False
    return True


def pass_arguments(frame: Frame, function: FunctionValue, bound: Mapping[str, Given]) -> Passing | None:
    """Numbers, tensors and tiles as parameters; None after a report."""
    passing = Passing(fixed_tiles=False)
    for name, given in bound.items():
        held = given.value
        if isinstance(held, TensorValue):
            passing.names[name] = _pass_tensor(frame, passing, name, held.decl)
            continue
        if isinstance(held, Known) and held.is_number and not isinstance(held.value, bool):
            held = Scalar(scalars.constant(frame, held, given.node))
        value = pass_value(frame, passing, name, held) if isinstance(held, Known | Scalar | TileValue) else None
        if value is None:
            frame.report("PTO1093", given.node, found=kind_name(held), name=function.name)
            return None
        passing.names[name] = value
    return passing


def _pass_tensor(frame: Frame, passing: Passing, name: str, actual: ir.TensorDecl) -> TensorValue:
    """A tensor as a pointer; dimensions and strides that are not fixed are parameters of their own."""
    pointer = ir.Var(name, actual.dtype, frame.stmt_span, pointer=True)
    passing.params.append(pointer)
    passing.args.append(ir.PointerOf(actual, actual.dtype))

    def passed(exprs: tuple[ir.Expr, ...], what: str) -> tuple[ir.Expr, ...]:
        result: list[ir.Expr] = []
        for axis, expr in enumerate(exprs):
            if not isinstance(expr, ir.Const):
                var = ir.Var(f"{name}_{what}{axis}", INT64, frame.stmt_span)
                passing.params.append(var)
                passing.args.append(scalars.convert(expr, INT64))
                expr = ir.VarRef(var)
            result.append(expr)
        return tuple(result)

    shape = passed(actual.shape, "shape")
    strides = None if actual.strides is None else passed(actual.strides, "stride")
    fixed = tuple(e.value if isinstance(e, ir.Const) else None for e in (*shape, *(strides or ())))
    passing.key.append((name, "tensor", actual.dtype, actual.layout, fixed, strides is None))
    return TensorValue(
        ir.TensorDecl(name, actual.dtype, shape, actual.layout, strides, ir.VarRef(pointer), frame.stmt_span)
    )


def views_of(passing: Passing, span: Span) -> tuple[ir.Stmt, ...]:
    """The tensors of a SIMT function as views at its pointer parameters."""
    decls = [value.decl for value in passing.names.values() if isinstance(value, TensorValue)]
    return tuple(ir.DeclareTensor(span, decl) for decl in decls)


# --------------------------------------------------------------------------------------------------------------------
# SIMT code


def may_call(frame: Frame, function: FunctionValue, node: ast.Call) -> bool:
    """Whether a SIMT function may be called here; why not is reported."""
    if not frame.in_thread:
        frame.report("PTO1086", node, name=function.name)
        return False
    if "max_threads" in function.keywords:
        frame.report("PTO1087", node, name=function.name)
        return False
    return _plain_parameters(frame, function)


def thread_call(frame: Frame, name: str, node: ast.Call) -> Value:
    """A call of `pl.simt.<name>`."""
    if name == "simt.launch":
        return launch(frame, node)
    operation = find(name)
    if operation is None:
        frame.report("PTO1158", node.func, name=name, hint="")
        return UNKNOWN
    if not frame.in_thread:
        frame.report("PTO1085", node, name=f"pl.{name}")
        return UNKNOWN
    arguments = bind(frame, node, operation)
    if arguments is None or any(isinstance(item.value, Unknown) for item in arguments.given.values()):
        return UNKNOWN
    rule = _atomic if "container" in arguments.given else _math if arguments.given else _position
    return rule(frame, operation, arguments.given, node)


def _position(frame: Frame, operation: Operation, given: Mapping[str, Given], node: ast.Call) -> Value:
    """Where a thread stands."""
    span = frame.span(node)
    name = operation.name.removeprefix("simt.")
    if name in _POSITIONS:
        parts = [ir.SystemValue(f"{_POSITIONS[name]}.{axis}", INT32, span) for axis in _AXES]
        return TupleValue(tuple(Scalar(part) for part in parts), _AXES)
    return Scalar(ir.SystemValue(name, INT32, span))


def _math(frame: Frame, operation: Operation, given: Mapping[str, Given], node: ast.Call) -> Value:
    args: list[ir.Expr] = []
    for item in given.values():
        number = scalars.expression(frame, item.value, item.node)
        if number is None:
            return UNKNOWN
        args.append(scalars.convert(number, FP32))
    return Scalar(simt_ir.ThreadMath(operation, tuple(args), FP32, frame.span(node)))  # type: ignore[arg-type]


def _atomic(frame: Frame, operation: Operation, given: Mapping[str, Given], node: ast.Call) -> Value:
    from ptopro.lowering.views import offset_of

    container, indices = given["container"], given["indices"]
    owner = container.value
    if not isinstance(owner, TileValue | TensorValue):
        frame.report("PTO1260", container.node, expected="a tile or a tensor", found=kind_name(owner))
        return UNKNOWN
    view = tile_view(owner) if isinstance(owner, TileValue) else tensor_view(owner.decl)
    found = operation.problems({"container": view})
    for problem in found:
        frame.report(problem.code, container.node, **dict[str, Any](problem.facts))
    items = members(indices.value)
    if items is None or found:
        if items is None:
            frame.report("PTO1258", indices.node, found=kind_name(indices.value))
        return UNKNOWN
    nodes = indices.node.elts if isinstance(indices.node, ast.List | ast.Tuple) else []
    places: Sequence[ast.AST] = nodes if len(nodes) == len(items) else [indices.node] * len(items)
    offset = offset_of(frame, owner, list(items), places, node)
    values: list[ir.Expr] = []
    for name, item in given.items():
        if name not in ("container", "indices"):
            number = scalars.expression(frame, item.value, item.node)
            if number is None:
                return UNKNOWN
            values.append(scalars.convert(number, view.dtype))
    if offset is None:
        return UNKNOWN
    result = None if frame.discarded is node else frame.temporary("before", view.dtype)
    target = owner.expr if isinstance(owner, TileValue) else owner.decl
    frame.emit(simt_ir.AtomicUpdate(frame.stmt_span, operation, target, offset, tuple(values), result))
    return NONE if result is None else Scalar(ir.VarRef(result, frame.span(node)))


def read_element(frame: Frame, owner: TileValue | TensorValue, offset: ir.Expr, node: ast.AST) -> Value:
    """An element that a thread reads."""
    target = owner.expr if isinstance(owner, TileValue) else owner.decl
    dtype = target.dtype if isinstance(target, ir.TensorDecl) else ir.spec_of(target).dtype
    if not _addressable(frame, owner, node):
        return UNKNOWN
    return Scalar(ir.ElementRead(target, offset, dtype, frame.span(node)))


def write_element(frame: Frame, owner: TileValue | TensorValue, offset: ir.Expr, value: Value, node: ast.AST) -> None:
    """An element that a thread writes."""
    number = scalars.expression(frame, value, node)
    if number is None or not _addressable(frame, owner, node):
        return
    target = owner.expr if isinstance(owner, TileValue) else owner.decl
    dtype = target.dtype if isinstance(target, ir.TensorDecl) else ir.spec_of(target).dtype
    frame.emit(simt_ir.ElementWrite(frame.stmt_span, target, offset, scalars.convert(number, dtype)))


def _addressable(frame: Frame, owner: TileValue | TensorValue, node: ast.AST) -> bool:
    """Whether single elements have an address: what `getval` takes."""
    operation = find("getval")
    assert operation is not None
    view = tile_view(owner) if isinstance(owner, TileValue) else tensor_view(owner.decl)
    found = operation.problems({"container": view, "offset": ScalarView(INT64)})
    for problem in found:
        frame.report(problem.code, node, **dict[str, Any](problem.facts))
    return not found


# Calls of the language that SIMT code may contain, beside pl.simt.*.
ALLOWED = frozenset(("range", "const", "constexpr", "min", "max"))
