"""Tensors chosen at run time: `x if n > 3 else y`, `pair[i]`, a name assigned in two branches.

In: tensors of one element type, rank and layout.  Out: a `TensorChoice`: pointer, extents and strides as expressions or
variables; where it is used it becomes a view like that of pl.make_tensor.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ptopro.diagnostics.span import Span
from ptopro.language.dtypes import INT64, DType
from ptopro.lowering import ir
from ptopro.lowering.tensors import strides
from ptopro.lowering.values import Conflict, TensorChoice, TensorValue, Value

if TYPE_CHECKING:
    from ptopro.lowering.context import Frame
    from ptopro.lowering.environment import Edge


def as_choice(value: TensorValue | TensorChoice) -> TensorChoice:
    """A tensor as pointer, extents and strides."""
    if isinstance(value, TensorChoice):
        return value
    decl = value.decl
    return TensorChoice(decl.dtype, decl.layout, ir.PointerOf(decl, decl.dtype), decl.shape, decl.strides)


def chosen(
    test: ir.Expr, then: TensorValue | TensorChoice, other: TensorValue | TensorChoice, span: Span
) -> TensorChoice | None:
    """The conditional expression over two tensors; None where they are of different kinds."""
    first, second = as_choice(then), as_choice(other)
    if _difference([first, second]):
        return None
    steps = None if _contiguous([first, second]) else _chosen(test, _steps(first), _steps(second), span)
    base = ir.Choose(test, first.base, second.base, first.dtype, span)
    return TensorChoice(first.dtype, first.layout, base, _chosen(test, first.shape, second.shape, span), steps)


def _chosen(test: ir.Expr, then: tuple[ir.Expr, ...], other: tuple[ir.Expr, ...], span: Span) -> tuple[ir.Expr, ...]:
    return tuple(
        a if _equal(a, b) else ir.Choose(test, _wide(a), _wide(b), INT64, span)
        for a, b in zip(then, other, strict=True)
    )


def join_tensors(frame: Frame, name: str, values: Sequence[TensorValue | TensorChoice], span: Span) -> Value:
    """The form in which a name holds any of the tensors: variables for what differs."""
    choices = [as_choice(value) for value in values]
    reason = _difference(choices)
    if reason:
        return Conflict(reason, span)
    first = choices[0]
    base = ir.VarRef(frame.variable(f"{name}", first.dtype, pointer=True))
    shape = _joined(frame, f"{name} extent", [choice.shape for choice in choices])
    steps = None if _contiguous(choices) else _joined(frame, f"{name} stride", [_steps(c) for c in choices])
    return TensorChoice(first.dtype, first.layout, base, shape, steps)


def _joined(frame: Frame, name: str, extents: Sequence[tuple[ir.Expr, ...]]) -> tuple[ir.Expr, ...]:
    found: list[ir.Expr] = []
    for axis, items in enumerate(zip(*extents, strict=True)):
        same = isinstance(items[0], ir.Const) and all(_equal(items[0], item) for item in items)
        found.append(items[0] if same else ir.VarRef(frame.variable(f"{name}{axis}", INT64)))
    return tuple(found)


def store_tensor(edge: Edge, form: TensorChoice, value: TensorValue | TensorChoice, span: Span) -> None:
    """Make the variables of `form` hold a tensor at the end of a path."""
    given = as_choice(value)
    pairs = [(form.base, given.base), *zip(form.shape, given.shape, strict=True)]
    if form.strides is not None:
        pairs += zip(form.strides, _steps(given), strict=True)
    for target, source in pairs:
        if isinstance(target, ir.VarRef) and not _equal(target, source):
            edge.append(ir.Assign(span, target.var, source if target is form.base else _wide(source)))


def same_choice(left: TensorChoice, right: TensorChoice) -> bool:
    """Whether two choices stand in the same variables."""
    if left.strides is None or right.strides is None:
        steps: list[tuple[ir.Expr, ir.Expr]] = []
        if left.strides is not right.strides:
            return False
    else:
        steps = list(zip(left.strides, right.strides, strict=True))
    pairs = [(left.base, right.base), *zip(left.shape, right.shape, strict=True), *steps]
    return left.dtype == right.dtype and all(_equal(a, b) for a, b in pairs)


def chosen_view(frame: Frame, value: TensorChoice) -> TensorValue:
    """The view that stands for a choice from here on."""
    shape = tuple(_kept(frame, extent) for extent in value.shape)
    steps = None if value.strides is None else tuple(_kept(frame, step) for step in value.strides)
    decl = ir.TensorDecl("", value.dtype, shape, value.layout, steps, value.base, frame.stmt_span)
    frame.emit(ir.DeclareTensor(frame.stmt_span, decl))
    return TensorValue(decl)


def _kept(frame: Frame, expr: ir.Expr) -> ir.Expr:
    return expr if isinstance(expr, ir.Const) else frame.keep(expr, "extent")


def _wide(expr: ir.Expr) -> ir.Expr:
    if isinstance(expr, ir.Const):
        return ir.Const(expr.value, INT64, expr.name, expr.span)
    return expr if expr.dtype == INT64 else ir.Cast(expr, INT64, expr.span)


def _equal(left: ir.Expr, right: ir.Expr) -> bool:
    if isinstance(left, ir.Const) and isinstance(right, ir.Const):
        return left.value == right.value
    return isinstance(left, ir.VarRef) and isinstance(right, ir.VarRef) and left.var is right.var


def _contiguous(choices: Sequence[TensorChoice]) -> bool:
    return all(choice.strides is None for choice in choices)


def _steps(choice: TensorChoice) -> tuple[ir.Expr, ...]:
    return strides(ir.TensorDecl("", choice.dtype, choice.shape, choice.layout, choice.strides))


def _difference(choices: Sequence[TensorChoice]) -> str:
    """Why the tensors have no common form, "" where they have one."""
    types: list[DType] = list(dict.fromkeys(choice.dtype for choice in choices))
    if len(types) > 1:
        return "it is a tensor of different element types, depending on the path"
    if len({(len(choice.shape), choice.layout) for choice in choices}) > 1:
        return "it is a tensor of different ranks or layouts, depending on the path"
    return ""
