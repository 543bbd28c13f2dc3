"""Short ways to write IR by hand."""

from __future__ import annotations

from ptopro.diagnostics import Span
from ptopro.language.dtypes import BOOL, FP16, FP32, INT64, DType
from ptopro.language.enums import MemorySpace, PipeType, TensorLayout
from ptopro.language.operations import find
from ptopro.language.tiles import TileSpec
from ptopro.lowering import ir


def at(line: int) -> Span:
    return Span("kernel.py", line, 1, line, 2)


def i64(value: int, name: str = "") -> ir.Const:
    return ir.Const(value, INT64, name)


def f32(value: float, name: str = "") -> ir.Const:
    return ir.Const(value, FP32, name)


def var(name: str, dtype: DType = INT64) -> ir.Var:
    return ir.Var(name, dtype)


def ref(variable: ir.Var) -> ir.VarRef:
    return ir.VarRef(variable)


def op(sign: str, left: ir.Expr, right: ir.Expr, **options: bool) -> ir.Binary:
    """An operation on operands of one type."""
    common = left.dtype
    compares = sign in ("==", "!=", "<", "<=", ">", ">=", "and", "or")
    return ir.Binary(sign, left, right, BOOL if compares else common, common, **options)


def vec(shape: tuple[int, int], dtype: DType = FP16, **options: object) -> TileSpec:
    return TileSpec(shape, dtype, MemorySpace.Vec, layout=TensorLayout.ND, fractal=512, **options)  # type: ignore[arg-type]


def operate(line: int, name: str, on: PipeType, /, **operands: object) -> ir.Operate:
    operation = find(name)
    assert operation is not None
    return ir.Operate(at(line), operation, on, tuple(ir.OperandUse(n, v) for n, v in operands.items()))


def tensor(name: str, *shape: int | ir.Var, dtype: DType = FP16, **options: object) -> ir.TensorDecl:
    dims = tuple(i64(d) if isinstance(d, int) else ref(d) for d in shape)
    return ir.TensorDecl(name, dtype, dims, **options)  # type: ignore[arg-type]


def tensor_param(decl: ir.TensorDecl) -> ir.Param:
    dims = tuple(d.value if isinstance(d, ir.Const) else d.var for d in decl.shape)  # type: ignore[union-attr]
    return ir.Param(decl.name, "tensor", decl.dtype, decl, dims)


def scalar_param(variable: ir.Var) -> ir.Param:
    return ir.Param(variable.name, "scalar", variable.dtype, variable)


def kernel(
    name: str,
    params: tuple[ir.Param, ...],
    *,
    cube: ir.Block | None = None,
    vector: ir.Block | None = None,
    constants: tuple[ir.NamedConst, ...] = (),
    chip: str = "a5",
) -> ir.KernelIR:
    """A kernel whose dynamic dimensions are those that its tensors name."""
    dims: dict[ir.Var, tuple[ir.Var, str, int]] = {}
    for param in params:
        for axis, dim in enumerate(param.dims):
            if isinstance(dim, ir.Var):
                dims.setdefault(dim, (dim, param.name, axis))
    halves = [
        None
        if body is None
        else ir.FunctionIR(f"{name}_{core}", body=body, span=at(1), kind="kernel", source_name=name)
        for core, body in (("cube", cube), ("vector", vector))
    ]
    return ir.KernelIR(name, "kernel.py", chip, params, tuple(dims.values()), halves[0], halves[1], constants)
