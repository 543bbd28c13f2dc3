"""Products and sums of offsets in 64 bits, as IR, folded where a part is a number."""

from __future__ import annotations

from ptopro.language.dtypes import INT64
from ptopro.lowering import ir


def constant(value: int) -> ir.Const:
    """A 64-bit number."""
    return ir.Const(value, INT64)


def times(node: ir.Expr, factor: int | ir.Expr) -> ir.Expr:
    """node * factor in 64 bits, folded where it is a number."""
    right = constant(factor) if isinstance(factor, int) else factor
    for this, other in ((node, right), (right, node)):
        if isinstance(this, ir.Const) and not this.name:
            if this.value == 0:
                return constant(0)
            if this.value == 1:
                return other
    if isinstance(node, ir.Const) and isinstance(right, ir.Const):
        return constant(int(node.value) * int(right.value))
    if isinstance(right, ir.Binary) and right.op == "*":  # a * (b * c) reads better as a * b * c
        return times(times(node, right.left), right.right)
    return ir.Binary("*", node, right, INT64, INT64)


def plus(left: ir.Expr, right: ir.Expr) -> ir.Expr:
    """left + right in 64 bits, folded where one is a number."""
    if isinstance(left, ir.Const) and left.value == 0:
        return right
    if isinstance(right, ir.Const) and right.value == 0:
        return left
    if isinstance(left, ir.Const) and isinstance(right, ir.Const):
        return constant(int(left.value) + int(right.value))
    return ir.Binary("+", left, right, INT64, INT64)
