"""Tensors in C++: pointers, GlobalTensor windows, element offsets in 64 bits.

A load or store sees two axes of a tensor: those that `order` names, else the last two.  All other axes only move the
base.  One GlobalTensor describes all accesses of a function that share tensor, axes and layout:

    GlobalTensor<half, Shape<1, 1, 1, -1, -1>, Stride<1, 1, 1, 128, 1>> x_gm(x);

and each access sets the shape to the tile's valid region and the base to its own offset.  Transposed accesses
(descending order) and one-column tiles use Layout::DN.  In an NZ tensor of R rows the element (r, c) lies at
(c / c0) * R * c0 + r * c0 + c % c0, with c0 elements in 32 bytes; its window has the axes columns / c0, rows / 16, 16,
c0.

The scales of an MX product lie in pairs along K: a tensor [M, K / 64, 2] for the left operand (MX_A_ND; MX_A_DN when
the first two axes are exchanged), [K / 64, N, 2] for the right one (MX_B_ND, MX_B_DN).  Such a window keeps its two
axes in the order of the tensor, the pair as a third.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ptopro.codegen.context import FunctionContext, pointer_type
from ptopro.codegen.expressions import PRODUCT, SUM, converted, render
from ptopro.codegen.offsets import plus, times
from ptopro.codegen.tiles import valid_extent
from ptopro.codegen.traverse import is_tile
from ptopro.codegen.types import layout_of
from ptopro.language.dtypes import FP8E8M0, INT64
from ptopro.language.enums import MemorySpace, TensorLayout
from ptopro.language.tiles import TileSpec
from ptopro.lowering import ir

PAIR = 2  # MX scales that lie next to each other in global memory


@dataclass(frozen=True, slots=True)
class Window:
    """How a GlobalTensor looks at a tensor.  rows, cols: the tensor axes of the tile's axes, -1 for none (rank 1)."""

    tensor: ir.TensorDecl
    rows: int
    cols: int
    layout: str  # ND, DN, NZ, MX_A_ND, MX_A_DN, MX_B_ND, MX_B_DN

    @property
    def paired(self) -> int:
        """Which axis of the tile counts two elements for one index of the tensor: 0 rows, 1 columns, -1 neither."""
        return {"MX_A": 1, "MX_B": 0}.get(self.layout[:4], -1)


@dataclass(frozen=True, slots=True)
class Access:
    """A load or store: its window, and the element offset of each tensor axis."""

    window: Window
    tile: ir.TileExpr
    offsets: tuple[ir.Expr, ...]


TRANSFERS = {  # operation -> (tensor, tile, offsets)
    "load": ("src_tensor", "dst_tile", "offsets"),
    "load_tile": ("src_tensor", "dst_tile", "tile_offsets"),
    "store": ("dst_tensor", "src_tile", "offsets"),
    "store_tile": ("dst_tensor", "src_tile", "tile_offsets"),
    "store_fp": ("out", "tile", "offsets"),
}


def access_of(stmt: ir.Operate) -> Access | None:
    """The access that an operation makes to global memory through a GlobalTensor, None when it makes none."""
    names = TRANSFERS.get(stmt.operation.name)
    if names is None:
        return None
    tensor, target, offsets = (stmt.get(name) for name in names)
    if not isinstance(tensor, ir.TensorDecl) or not is_tile(target) or not isinstance(offsets, tuple):
        return None
    order = stmt.get("order")
    scales = _is_mx_scale(ir.spec_of(target))  # type: ignore[arg-type]
    axes = _axes(tensor, order if isinstance(order, (tuple, list)) else None, len(tensor.shape) - scales)
    window = Window(tensor, *axes, _layout(tensor, axes, target))  # type: ignore[arg-type]
    values = tuple(offset if not isinstance(offset, int) else ir.Const(offset, INT64) for offset in offsets)
    if stmt.operation.name.endswith("_tile"):
        values = _in_elements(values, window, ir.spec_of(target).shape)  # type: ignore[arg-type]
    return Access(window, target, values)  # type: ignore[arg-type]


def _axes(tensor: ir.TensorDecl, order: tuple[int, ...] | list[int] | None, last: int) -> tuple[int, int]:
    """The axes of a tile's rows and columns: as ordered, else the two before axis `last`."""
    rank = len(tensor.shape)
    if order is not None:
        return int(order[0]) % rank, int(order[1]) % rank
    return (last - 2, last - 1) if last > 1 else (-1, 0)


def _is_mx_scale(spec: TileSpec) -> bool:
    """A tile in L1 that holds scales in the order that the matrix unit wants them."""
    return (
        spec.dtype is FP8E8M0
        and spec.memory is MemorySpace.Mat
        and layout_of(spec) in (TensorLayout.ZZ, TensorLayout.NN)
    )


def _layout(tensor: ir.TensorDecl, axes: tuple[int, int], target: ir.TileExpr) -> str:
    if tensor.layout is TensorLayout.NZ:
        return "NZ"
    spec = ir.spec_of(target)
    if _is_mx_scale(spec):
        side = "A" if layout_of(spec) is TensorLayout.ZZ else "B"
        return f"MX_{side}_{'DN' if axes[0] > axes[1] else 'ND'}"
    return "DN" if axes[0] > axes[1] or layout_of(spec) is TensorLayout.DN else "ND"


def _in_elements(offsets: tuple[ir.Expr, ...], window: Window, extent: tuple[int, int]) -> tuple[ir.Expr, ...]:
    """load_tile, store_tile: offsets of the window's axes count tiles."""
    factors = {
        axis: extent[place] // PAIR if place == window.paired else extent[place]
        for place, axis in enumerate((window.rows, window.cols))
    }
    return tuple(times(offset, factors.get(axis, 1)) for axis, offset in enumerate(offsets))


def windows(ctx: FunctionContext) -> Iterator[Window]:
    """Every window that the function's accesses need, each once, in order."""
    seen: dict[Window, None] = {}
    for stmt in ir.walk(ctx.body):
        if isinstance(stmt, ir.Operate):
            access = access_of(stmt)
            if access is not None:
                seen[access.window] = None
    yield from seen


def window_name(ctx: FunctionContext, window: Window) -> str:
    """`x_gm`; other views of the same tensor are `x_gm_t` (transposed), `x_gm_2` ..."""
    base = f"{ctx.name_of(window.tensor, window.tensor.name)}_gm"
    return ctx.name_of(window, f"{base}_t" if window.rows > window.cols else base)


def declare_window(ctx: FunctionContext, window: Window) -> None:
    """The GlobalTensor of a window."""
    tensor, name = window.tensor, window_name(ctx, window)
    shape = "1, 1, 1, -1, -1"
    if window.layout == "NZ":
        shape = f"1, -1, -1, 16, {c0_of(tensor)}"
    elif window.paired >= 0:
        shape = f"1, 1, -1, -1, {PAIR}"
    strides = _window_strides(ctx, window)
    free = (3, 4) if _is_restrided(ctx, tensor) else ()
    known = [text.isdigit() and axis not in free for axis, text in enumerate(strides)]
    static = ", ".join(text if fixed else "-1" for text, fixed in zip(strides, known, strict=True))
    dynamic = [text for text, fixed in zip(strides, known, strict=True) if not fixed]
    layout = "" if window.layout == "ND" else f", Layout::{window.layout}"
    type_text = f"GlobalTensor<{tensor.dtype.c}, Shape<{shape}>, Stride<{static}>{layout}>"
    pointer = ctx.tensor_pointer(tensor)
    if not dynamic:
        ctx.out.write(f"{type_text} {name}({pointer});")
        return
    alias = ctx.name_of(("type", window), "".join(part.capitalize() for part in name.split("_")))
    ctx.out.write(f"using {alias} = {type_text};")
    ctx.out.write(f"{alias} {name}({pointer}, {alias}::Shape(), {alias}::Stride({', '.join(dynamic)}));")


def _window_strides(ctx: FunctionContext, window: Window) -> tuple[str, str, str, str, str]:
    """The five strides as text, numbers where known."""
    tensor = window.tensor
    if window.layout == "NZ":
        c0 = c0_of(tensor)
        rows = _text(ctx, times(stride_unit(ctx, tensor, len(tensor.shape) - 2), c0))
        whole = _text(ctx, times(stride_unit(ctx, tensor, len(tensor.shape) - 2), tensor.shape[-1]))
        return whole, rows, str(16 * c0), str(c0), "1"
    if window.paired >= 0:
        first, second = (_text(ctx, stride(ctx, tensor, axis)) for axis in sorted((window.rows, window.cols)))
        return "1", "1", first, second, "1"
    row = "1" if window.rows < 0 else _text(ctx, stride(ctx, tensor, window.rows))
    col = _text(ctx, stride(ctx, tensor, window.cols))
    return "1", "1", "1", row, col


def _is_restrided(ctx: FunctionContext, tensor: ir.TensorDecl) -> bool:
    """Whether pl.set_stride changes the strides of a tensor in this function."""
    return any(
        isinstance(stmt, ir.Operate) and stmt.operation.name == "set_stride" and stmt.get("tensor") is tensor
        for stmt in ir.walk(ctx.body)
    )


def c0_of(tensor: ir.TensorDecl) -> int:
    """Elements in 32 bytes."""
    return 256 // tensor.dtype.bits


def _text(ctx: FunctionContext, node: ir.Expr) -> str:
    return converted(node, INT64, ctx).text


def stride_unit(ctx: FunctionContext, tensor: ir.TensorDecl, axis: int) -> ir.Expr:
    """The extent of an axis, through the name it was kept under where it was computed at run time."""
    return _kept(ctx, tensor, f"shape{axis}", tensor.shape[axis])


def stride(ctx: FunctionContext, tensor: ir.TensorDecl, axis: int) -> ir.Expr:
    """Elements from one index of an axis to the next: given, or the product of the later extents."""
    if tensor.strides is not None:
        return _kept(ctx, tensor, f"stride{axis}", tensor.strides[axis])
    result: ir.Expr = ir.Const(1, INT64)
    for later in range(axis + 1, len(tensor.shape)):
        result = times(result, stride_unit(ctx, tensor, later))
    return result


def _kept(ctx: FunctionContext, tensor: ir.TensorDecl, what: str, node: ir.Expr) -> ir.Expr:
    """A dimension or stride as it was when the tensor was made."""
    if tensor.base is None or not must_keep(ctx, node):
        return node
    if not ctx.owns(tensor):
        ctx.capture("extent", tensor, what)
    return ir.VarRef(kept_variable(ctx, tensor, what))


def kept_variable(ctx: FunctionContext, tensor: ir.TensorDecl, what: str) -> ir.Var:
    """The constant that holds a dimension or stride of a view."""
    name = ctx.name_of((tensor, what), f"{ctx.name_of(tensor, tensor.name)}_{what}")
    variable = ctx.kept.setdefault((tensor, what), ir.Var(name, INT64))
    ctx.declare(variable, name)
    return variable


def must_keep(ctx: FunctionContext, node: ir.Expr) -> bool:
    """Whether an expression may have another value later: anything but a number or a variable that is set once."""
    if isinstance(node, ir.Const):
        return False
    if isinstance(node, ir.VarRef):
        return ctx.places.is_reassigned(node.var)
    return True


def declare_view(ctx: FunctionContext, tensor: ir.TensorDecl) -> None:
    """pl.make_tensor: a pointer, what has to be remembered of shape and strides, and the windows on it."""
    assert tensor.base is not None
    extents = [(f"shape{axis}", node) for axis, node in enumerate(tensor.shape) if axis > 0]
    if tensor.strides is not None:
        extents = [(f"stride{axis}", node) for axis, node in enumerate(tensor.strides)]
    own_windows = [window for window in windows(ctx) if window.tensor is tensor]
    name = ctx.tensor_pointer(tensor)
    base = render(tensor.base, ctx)
    text = base.text
    if base.dtype is not tensor.dtype:
        text = f"reinterpret_cast<{pointer_type(tensor.dtype)}>({base.text})"
    ctx.out.write(f"{pointer_type(tensor.dtype)} {name} = {text};")
    for what, node in extents:
        if must_keep(ctx, node):
            kept = kept_variable(ctx, tensor, what)
            ctx.out.write(f"[[maybe_unused]] const int64_t {kept.name} = {_text(ctx, node)};")
    for window in own_windows:
        declare_window(ctx, window)


def element_address(ctx: FunctionContext, access: Access) -> str:
    """`x + i * 128 + j`: where the access starts, in 64 bits."""
    tensor, window = access.window.tensor, access.window
    pointer = ctx.tensor_pointer(tensor)
    offset = _nz_offset(ctx, access) if window.layout == "NZ" else linear_offset(ctx, tensor, access.offsets)
    if isinstance(offset, ir.Const) and offset.value == 0:
        return pointer
    return f"{pointer} + {converted(offset, INT64, ctx).at(SUM)}"


def linear_offset(ctx: FunctionContext, tensor: ir.TensorDecl, offsets: tuple[ir.Expr, ...]) -> ir.Expr:
    """sum(offset * stride) over the axes."""
    total: ir.Expr = ir.Const(0, INT64)
    for axis, offset in enumerate(offsets):
        if isinstance(offset, ir.Const) and offset.value == 0:
            continue
        total = plus(total, times(offset, stride(ctx, tensor, axis)))
    return total


def _nz_offset(ctx: FunctionContext, access: Access) -> ir.Expr:
    tensor = access.window.tensor
    c0 = c0_of(tensor)
    row, col = access.offsets[-2:]
    rows = stride_unit(ctx, tensor, len(tensor.shape) - 2)
    columns: ir.Expr = ir.Const(0, INT64)
    if isinstance(col, ir.Const):
        column = int(col.value)
        columns = plus(times(times(rows, c0), column // c0), ir.Const(column % c0, INT64))
    else:
        fractal = ir.Binary("//", col, ir.Const(c0, INT64), INT64, INT64, nonnegative=True)
        within = ir.Binary("%", col, ir.Const(c0, INT64), INT64, INT64, nonnegative=True)
        columns = plus(times(fractal, times(rows, c0)), within)
    total = plus(columns, times(row, c0))
    for axis, offset in enumerate(access.offsets[:-2]):
        total = plus(total, times(offset, stride(ctx, tensor, axis)))
    return total


def aim(ctx: FunctionContext, access: Access) -> str:
    """Point the window at the access: shape from the tile's valid region, base from the offsets.  Its name."""
    name = window_name(ctx, access.window)
    rows, cols = (valid_extent(ctx, access.tile, axis) for axis in (0, 1))
    axes = (3, 4)
    texts = (rows.text, cols.text)
    if access.window.layout == "NZ":
        c0 = c0_of(access.window.tensor)
        axes = (1, 2)
        texts = (f"({cols.at(SUM)} + {c0 - 1}) / {c0}", f"({rows.at(SUM)} + 15) / 16")
    elif access.window.paired >= 0:
        axes = (2, 3)
        in_pairs = [f"{extent.at(PRODUCT)} / {PAIR}" for extent in (rows, cols)]
        texts = (rows.text, in_pairs[1]) if access.window.paired == 1 else (in_pairs[0], cols.text)
        if access.window.rows > access.window.cols:
            texts = texts[::-1]
    ctx.out.write(f"{name}.SetShape<{axes[0]}, {axes[1]}>({texts[0]}, {texts[1]});")
    ctx.out.write(f"TASSIGN({name}, {element_address(ctx, access)});")
    return name
