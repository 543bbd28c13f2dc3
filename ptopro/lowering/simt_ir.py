"""The part of the IR that SIMT functions add: launches, elements that a thread writes, atomic updates, mathematics.

A SIMT function is a `FunctionIR` of kind "simt".  It is specialised on types only: its tiles are parameters
(`TileVar`), its tensors are views at a pointer parameter, with parameters for the dimensions that are not fixed.
"""

from __future__ import annotations

from ptopro.language.dtypes import DType
from ptopro.language.operations.model import Operation
from ptopro.lowering import ir
from ptopro.records import record


@record
class Launch(ir.CallStmt):
    """Run a SIMT function once for each thread; threads: along x, y, z.  max_threads: of the function."""

    threads: tuple[int, int, int] = (1, 1, 1)
    max_threads: int = 1


@record
class ElementWrite(ir.Stmt):
    """container[offset] = value, by a thread."""

    container: ir.TileExpr | ir.TensorDecl
    offset: ir.Expr
    value: ir.Expr


@record
class AtomicUpdate(ir.Stmt):
    """result = what container[offset] was, which the operation changes in one step; result None: nobody wants it."""

    operation: Operation
    container: ir.TileExpr | ir.TensorDecl
    offset: ir.Expr
    values: tuple[ir.Expr, ...]
    result: ir.Var | None = None


@record
class ThreadMath:
    """A mathematical function of a thread: an expression without effect."""

    operation: Operation
    args: tuple[ir.Expr, ...]
    dtype: DType
    span: object = None
