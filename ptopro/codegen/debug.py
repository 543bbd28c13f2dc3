"""Looking into a running kernel: printf, assert, trap, dumps; each says where it stands in the kernel."""

from __future__ import annotations

import json
import re

from ptopro.codegen.context import FunctionContext
from ptopro.codegen.expressions import SUM, as_test, cast, converted, render
from ptopro.codegen.offsets import plus, times
from ptopro.codegen.tensors import linear_offset, stride
from ptopro.codegen.tiles import tile, valid_extent
from ptopro.codegen.traverse import is_expression
from ptopro.language.dtypes import BOOL, FP32, INT64
from ptopro.language.enums import MemorySpace
from ptopro.lowering import ir

_CONVERSION = re.compile(r"%(?P<flags>[-+ #0]*\d*(?:\.\d+)?)(?P<kind>[diuxfp%])")


def print_scalars(ctx: FunctionContext, stmt: ir.Operate) -> None:
    """pl.printf: `cce::printf` with the length modifiers that the argument types need."""
    place = f"[{_place(ctx, stmt)}] " if stmt.get("loc") is True else ""
    _print(ctx, stmt, place, str(stmt.get("format_str") or ""))


def check(ctx: FunctionContext, stmt: ir.Operate) -> None:
    """pl.pto_assert: says which condition is false, then the author's message; the kernel goes on."""
    condition: ir.Expr = stmt.get("condition")  # type: ignore[assignment]
    test = ir.Unary("not", condition, BOOL, condition.span)
    source = next((use.source for use in stmt.operands if use.name == "condition"), None)
    text = " ".join(source.text.split()) if source is not None else as_test(condition, ctx).text
    ctx.out.open(f"if ({as_test(test, ctx).text})")
    message = f"{_place(ctx, stmt)}: assertion failed: {text}\n".replace("%", "%%")
    ctx.out.write(f"cce::printf({_quoted(message)});")
    if stmt.get("format_str"):
        _print(ctx, stmt, "", str(stmt.get("format_str")))
    ctx.out.close()


def trap(ctx: FunctionContext, stmt: ir.Operate) -> None:
    ctx.out.write(f"cce::printf({_quoted(f'{_place(ctx, stmt)}: trap' + chr(10))});")
    ctx.out.write("trap();")


def dump(ctx: FunctionContext, stmt: ir.Operate) -> None:
    """pl.dump_data: TPRINT of a tensor, a Vec tile, or (through a workspace) an Acc tile; whole, or a window of it."""
    data, offsets, shapes = (stmt.get(name) for name in ("data", "offsets", "shapes"))
    head = f"[{_place(ctx, stmt)}] " if stmt.get("loc") is True else ""
    if stmt.get("flag"):
        head += str(stmt.get("flag"))
    ctx.out.write("pipe_barrier(PIPE_ALL);")
    if head:
        ctx.out.write(f"cce::printf({_quoted(head.replace('%', '%%') + chr(10))});")
    window = (_expressions(offsets), _expressions(shapes)) if shapes is not None else None
    if isinstance(data, ir.TensorDecl):
        _dump_tensor(ctx, data, window)
    elif ir.spec_of(data).memory is MemorySpace.Acc:  # type: ignore[arg-type]
        _dump_acc(ctx, data, stmt.get("workspace"), window)  # type: ignore[arg-type]
    elif window is None:
        ctx.out.write(f"TPRINT({tile(ctx, data)});")  # type: ignore[arg-type]
    else:
        (row, col), (rows, cols) = window
        ctx.out.write(f"TPRINT({tile(ctx, ir.SubView(data, row, col, rows, cols))});")  # type: ignore[arg-type]


Extents = tuple[ir.Expr, ...]


def _expressions(values: object) -> Extents:
    """Offsets or shapes as expressions."""
    assert isinstance(values, (tuple, list))
    return tuple(ir.Const(value, INT64) if isinstance(value, int) else value for value in values)


def _dump_tensor(ctx: FunctionContext, tensor: ir.TensorDecl, window: tuple[Extents, Extents] | None) -> None:
    offsets, shape = window or (tuple(ir.Const(0, INT64) for _ in tensor.shape), tensor.shape)
    strides = tuple(stride(ctx, tensor, axis) for axis in range(len(tensor.shape)))
    start = linear_offset(ctx, tensor, offsets)
    _print_window(ctx, tensor, start, shape, strides)


def _dump_acc(
    ctx: FunctionContext, data: ir.TileExpr, workspace: object, window: tuple[Extents, Extents] | None
) -> None:
    """An Acc tile cannot be read by the scalar unit: it is stored to the workspace, row by row, and printed there."""
    assert isinstance(workspace, ir.TensorDecl)
    pointer, name = ctx.tensor_pointer(workspace), ctx.temporary(f"{workspace.name}_acc")
    cols = ir.spec_of(data).shape[1]
    kind = f"GlobalTensor<{workspace.dtype.c}, Shape<1, 1, 1, -1, -1>, Stride<1, 1, 1, {cols}, 1>>"
    ctx.out.write(f"{kind} {name}({pointer});")
    rows_text, cols_text = (valid_extent(ctx, data, axis).text for axis in (0, 1))
    ctx.out.write(f"{name}.SetShape<3, 4>({rows_text}, {cols_text});")
    ctx.out.write(f"TSTORE({name}, {tile(ctx, data)});")
    ctx.out.write("pipe_barrier(PIPE_ALL);")
    if window is None:
        ctx.out.write(f"TPRINT({name});")
        return
    (row, col), shape = window
    strides: Extents = (ir.Const(cols, INT64), ir.Const(1, INT64))
    _print_window(ctx, workspace, plus(times(row, cols), col), shape, strides)


def _print_window(
    ctx: FunctionContext, tensor: ir.TensorDecl, start: ir.Expr, shape: Extents, strides: Extents
) -> None:
    """TPRINT of up to five axes of a tensor."""
    name, kind = ctx.temporary(f"{tensor.name}_dump"), ctx.temporary(f"{tensor.name.capitalize()}Dump")
    padding = (ir.Const(1, INT64),) * (5 - len(shape))
    extents, steps = (
        ", ".join(converted(node, INT64, ctx).text for node in (*padding, *nodes)) for nodes in (shape, strides)
    )
    base = ctx.tensor_pointer(tensor)
    if not (isinstance(start, ir.Const) and start.value == 0):
        base = f"{base} + {converted(start, INT64, ctx).at(SUM)}"
    ctx.out.write(f"using {kind} = GlobalTensor<{tensor.dtype.c}, Shape<>, Stride<>>;")
    ctx.out.write(f"{kind} {name}({base}, {kind}::Shape({extents}), {kind}::Stride({steps}));")
    ctx.out.write(f"TPRINT({name});")


def _place(ctx: FunctionContext, stmt: ir.Operate) -> str:
    path, line = ctx.half.options.locate(stmt.span)
    return f"{path.rpartition('/')[2]}:{line}"


def _print(ctx: FunctionContext, stmt: ir.Operate, head: str, text: str) -> None:
    given = stmt.get("args")
    args = [arg for arg in given if is_expression(arg)] if isinstance(given, tuple) else []
    printed: list[str] = []
    remaining = iter(args)

    def conversion(match: re.Match[str]) -> str:
        if match["kind"] == "%":
            return "%%"
        arg: ir.Expr = next(remaining)
        spelled, value = _argument(ctx, arg, match["kind"])
        printed.append(value)
        return f"%{match['flags']}{spelled}"

    format_text = _CONVERSION.sub(conversion, text)
    ctx.out.write(f"cce::printf({', '.join([_quoted(head.replace('%', '%%') + format_text), *printed])});")


def _argument(ctx: FunctionContext, arg: ir.Expr, kind: str) -> tuple[str, str]:
    """The conversion and the value as C's variable arguments take them."""
    value = render(arg, ctx)
    if kind == "p":
        return "p", f"reinterpret_cast<const void*>({value.text})"
    if kind == "f":
        return "f", value.text if value.dtype is FP32 else cast(value, FP32).text
    wide, narrow = ("unsigned long long", "unsigned") if kind in "ux" else ("long long", "int")
    if arg.dtype.bits == 64:
        return f"ll{kind}", f"static_cast<{wide}>({value.text})"
    return kind, value.text if isinstance(arg, ir.Const) else f"static_cast<{narrow}>({value.text})"


def _quoted(text: str) -> str:
    """A C string literal."""
    return json.dumps(text, ensure_ascii=False)
