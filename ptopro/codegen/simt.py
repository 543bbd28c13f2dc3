"""SIMT functions in C++: what a thread runs, and its launch.

    __simt_vf__ __launch_bounds__(256) inline void scale(__ubuf__ float* data, uint32_t data_valid_row,
                                                         uint32_t data_valid_col, float by) {
      const int32_t i = threadIdx.x + threadIdx.y * blockDim.x + threadIdx.z * blockDim.x * blockDim.y;
      data[i] = data[i] * by;
    }
    ...
    cce::async_invoke<scale>(cce::dim3{256, 1, 1}, (__ubuf__ float*)tile.data(), (uint32_t)tile.GetValidRow(),
                             (uint32_t)tile.GetValidCol(), 2.0f);

A tile is a pointer and its valid shape, a tensor a pointer; functions that threads call are `__simt_callee__`.
"""

from __future__ import annotations

from ptopro.codegen.context import FunctionContext, FunctionInfo, HalfContext, pointer_type
from ptopro.codegen.expressions import POSTFIX, SUM, Text, assigned, render
from ptopro.codegen.functions import result_fields
from ptopro.codegen.tiles import member, tile
from ptopro.codegen.variables import receive
from ptopro.language.dtypes import INT64, UINT32
from ptopro.lowering import ir, simt_ir

_PLACES = {
    "linear_thread_idx": "threadIdx.x + threadIdx.y * blockDim.x + threadIdx.z * blockDim.x * blockDim.y",
    "warp_size": "warpSize",
}
_EXTENTS = ("valid_row", "valid_col")
HEADERS = {"atomic": "simt_api/device_atomic_functions.h", "math": "simt_api/math_functions.h"}


class ThreadContext(FunctionContext):
    """A SIMT function while its body is written."""

    def __init__(self, half: HalfContext, function: ir.FunctionIR) -> None:
        super().__init__(half, function)
        self.asked: set[object] = set()  # tile parameters, and (parameter, axis) of their valid shapes

    def pointer_name(self, container: ir.TileExpr | ir.TensorDecl) -> str:
        """The pointer to a container's first element."""
        if isinstance(container, ir.TensorDecl):
            assert isinstance(container.base, ir.VarRef)
            return self.variable(container.base.var)
        assert isinstance(container, ir.TileVarRef)
        self.asked.add(container.var)
        return self.local(container.var)

    def extent_name(self, var: ir.TileVar, axis: int) -> str:
        self.asked.add((var, axis))
        return self.name_of((var, axis), f"{self.local(var)}_{_EXTENTS[axis]}")

    def system(self, value: ir.SystemValue) -> Text:
        text = _PLACES.get(value.name, value.name)
        return Text(text, SUM if "+" in text else POSTFIX, UINT32)

    def valid_extent(self, node: ir.ValidExtent) -> Text:
        assert isinstance(node.tile, ir.TileVarRef)
        return Text(self.extent_name(node.tile.var, node.axis), POSTFIX, UINT32)

    def element(self, node: ir.ElementRead) -> Text:
        return Text(self.place(node.container, node.offset), POSTFIX, node.dtype)

    def place(self, container: ir.TileExpr | ir.TensorDecl, offset: ir.Expr) -> str:
        """`data[i]`."""
        return f"{self.pointer_name(container)}[{render(_index(offset), self).text}]"

    def pointer(self, node: ir.PointerOf) -> Text:
        if isinstance(node.base, ir.TensorDecl) and node.offset is None:
            return Text(self.pointer_name(node.base), POSTFIX, node.dtype)
        return super().pointer(node)

    def call(self, node: ir.Call) -> Text:
        return Text(thread_call(self, node.function, node.args), POSTFIX, node.dtype)


def _index(offset: ir.Expr) -> ir.Expr:
    """An offset without the widening that an index does not need."""
    while isinstance(offset, ir.Cast) and offset.dtype is INT64 and offset.operand.dtype.is_int:
        offset = offset.operand
    return offset


def is_thread_code(function: ir.FunctionIR) -> bool:
    return function.kind == "simt"


def head(ctx: ThreadContext, name: str) -> str:
    """The function's first line."""
    parameters: list[str] = []
    for var in ctx.function.params:
        parameters += _parameter(ctx, var)
    listed = f"{name}({', '.join(parameters)})"
    most = _launched_with(ctx)
    if most is not None:
        return f"__simt_vf__ __launch_bounds__({most}) inline void {listed}"
    return f"__simt_callee__ inline {describe(ctx, name).result} {listed}"


def _launched_with(ctx: ThreadContext) -> int | None:
    """max_threads of a function that is launched, None for one that threads call."""
    for function in ctx.half.pruned.functions:
        for stmt in ir.walk(ctx.half.pruned.body(function)):
            if isinstance(stmt, simt_ir.Launch) and stmt.function is ctx.function:
                return stmt.max_threads
    return None


def describe(ctx: ThreadContext, name: str) -> FunctionInfo:
    """The interface of a SIMT function: it returns one number or nothing."""
    fields = result_fields(ctx.half, ctx.function)
    result = fields[0].rpartition(" ")[0] if fields else "void"
    return FunctionInfo(ctx.function, name, (), result, ())


def _parameter(ctx: ThreadContext, var: ir.Var | ir.TileVar) -> list[str]:
    if isinstance(var, ir.Var):
        unused = "" if var in ctx.needed.parameters else "[[maybe_unused]] "
        return [f"{unused}{pointer_type(var.dtype) if var.pointer else var.dtype.c} {ctx.local(var)}"]
    used = ["" if key in ctx.asked else "[[maybe_unused]] " for key in (var, (var, 0), (var, 1))]
    found = [f"{used[0]}__ubuf__ {var.spec.dtype.c}* {ctx.local(var)}"]
    return found + [f"{used[axis + 1]}uint32_t {ctx.extent_name(var, axis)}" for axis in (0, 1)]


def thread_call(ctx: ThreadContext, function: ir.FunctionIR, args: tuple[ir.Expr | ir.TileExpr, ...]) -> str:
    """A call from thread to thread."""
    texts: list[str] = []
    for param, arg in zip(function.params, args, strict=True):
        if isinstance(param, ir.TileVar):
            assert isinstance(arg, ir.TileVarRef)
            texts += [ctx.pointer_name(arg), *(ctx.extent_name(arg.var, axis) for axis in (0, 1))]
        else:
            texts.append(assigned(arg, param.dtype, ctx).text if not param.pointer else render(arg, ctx).text)  # type: ignore[arg-type]
    return f"{ctx.half.functions[id(function)].name}({', '.join(texts)})"


def launch(ctx: FunctionContext, stmt: simt_ir.Launch) -> None:
    """`cce::async_invoke<f>(cce::dim3{256, 1, 1}, ...);`."""
    texts = [f"cce::dim3{{{', '.join(map(str, stmt.threads))}}}"]
    for param, arg in zip(stmt.function.params, stmt.args, strict=True):
        if isinstance(param, ir.TileVar):
            access = member(tile(ctx, arg))  # type: ignore[arg-type]
            texts.append(f"(__ubuf__ {param.spec.dtype.c}*){access}data()")
            texts += [f"(uint32_t){access}{getter}()" for getter in ("GetValidRow", "GetValidCol")]
        elif param.pointer:
            texts.append(render(arg, ctx).text)  # type: ignore[arg-type]
        else:
            texts.append(assigned(arg, param.dtype, ctx).text)  # type: ignore[arg-type]
    name = ctx.half.functions[id(stmt.function)].name
    ctx.out.write(f"cce::async_invoke<{name}>({', '.join(texts)});")


def write_element(ctx: FunctionContext, stmt: simt_ir.ElementWrite) -> None:
    assert isinstance(ctx, ThreadContext)
    dtype = stmt.container.dtype if isinstance(stmt.container, ir.TensorDecl) else ir.spec_of(stmt.container).dtype
    ctx.out.write(f"{ctx.place(stmt.container, stmt.offset)} = {assigned(stmt.value, dtype, ctx).text};")


def update(ctx: FunctionContext, stmt: simt_ir.AtomicUpdate) -> None:
    """`const float before = asc_atomic_add(&data[i], 1.0f);`."""
    assert isinstance(ctx, ThreadContext)
    ctx.half.includes.add(HEADERS["atomic"])
    dtype = stmt.container.dtype if isinstance(stmt.container, ir.TensorDecl) else ir.spec_of(stmt.container).dtype
    name = stmt.operation.forms[0].cpp[0].partition("(")[0]
    values = [assigned(value, dtype, ctx).text for value in stmt.values]
    call = f"{name}({', '.join([f'&{ctx.place(stmt.container, stmt.offset)}', *values])})"
    if stmt.result is None:
        ctx.out.write(f"{call};")
    else:
        receive(ctx, stmt.result, [call])


def math(node: simt_ir.ThreadMath, ctx: FunctionContext) -> Text:
    ctx.half.includes.add(HEADERS["math"])
    name = node.operation.forms[0].cpp[0].partition("(")[0]
    arguments = ", ".join(assigned(arg, node.dtype, ctx).text for arg in node.args)
    return Text(f"{name}({arguments})", POSTFIX, node.dtype)
