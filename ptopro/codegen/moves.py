"""Tile to tile: TMOV, TEXTRACT, TINSERT, TFILLPAD, merge sort, and changes of a tile's description."""

from __future__ import annotations

from dataclasses import replace

from ptopro.codegen.context import FunctionContext
from ptopro.codegen.expressions import SUM, assigned, render
from ptopro.codegen.tensors import window_name, windows
from ptopro.codegen.tiles import address, cpp_spec, member, tile, type_name, valid_extent
from ptopro.codegen.transfers import scale_word
from ptopro.codegen.traverse import is_tile
from ptopro.codegen.types import layout_of
from ptopro.language.dtypes import INT64
from ptopro.language.enums import AccToVecMode, FillPadMode, MemorySpace, TensorLayout, TilePad
from ptopro.lowering import ir

_TRANSPOSED = {TensorLayout.NZ: TensorLayout.ZN, TensorLayout.ZN: TensorLayout.NZ}


def move(ctx: FunctionContext, stmt: ir.Operate) -> None:
    """The instruction a move means: TMOV, TEXTRACT from a larger source, TINSERT into a larger destination."""
    target: ir.TileExpr = stmt.get("dst_tile")  # type: ignore[assignment]
    source: ir.TileExpr = stmt.get("src_tile")  # type: ignore[assignment]
    offset, mode = stmt.get("offset"), stmt.get("acc_to_vec_mode")
    relu, scale = stmt.get("relu_pre_mode"), stmt.get("scale")
    plain = mode is None and relu is None and scale is None
    if plain and _is_insert(target, source, offset is not None):
        at = _pair(ctx, offset) if offset is not None else "0, 0"
        ctx.out.write(f"TINSERT({tile(ctx, target)}, {tile(ctx, source)}, {at});")
        return
    _round_up_split(ctx, source, mode)
    dst, src = tile(ctx, target), tile(ctx, source)
    types = [type_name(ctx, target), type_name(ctx, source)]
    options = [f"AccToVecMode::{mode.name}"] if isinstance(mode, AccToVecMode) else []
    if relu is not None:
        options.append("ReluPreMode::NormalRelu")
    arguments = [dst, src]
    instruction = "TMOV" if offset is None else "TEXTRACT"
    if is_tile(scale):
        types.append(type_name(ctx, scale))  # type: ignore[arg-type]
        arguments.append(tile(ctx, scale))  # type: ignore[arg-type]
        instruction = instruction if options and mode is not None else f"{instruction}_FP"
    elif scale is not None:
        arguments.append(scale_word(ctx, scale, ir.spec_of(target).dtype))
    if offset is not None:
        arguments.append(_pair(ctx, offset))
    template = f"<{', '.join(types + options)}>" if options else ""
    ctx.out.write(f"{instruction}{template}({', '.join(arguments)});")


def _is_insert(target: ir.TileExpr, source: ir.TileExpr, has_offset: bool) -> bool:
    """A smaller source goes into a larger destination; a Vec tile goes transposed into a Mat tile."""
    to, of = ir.spec_of(target), ir.spec_of(source)
    if has_offset:
        return to.shape[0] * to.shape[1] > of.shape[0] * of.shape[1]
    swapped = to.shape == (of.shape[1], of.shape[0]) and _TRANSPOSED.get(layout_of(of)) is layout_of(to)
    return of.memory is MemorySpace.Vec and to.memory is MemorySpace.Mat and swapped


def _pair(ctx: FunctionContext, offset: object) -> str:
    assert isinstance(offset, tuple)
    row, col = offset
    return f"{render(row, ctx).text}, {render(col, ctx).text}"


def _round_up_split(ctx: FunctionContext, source: ir.TileExpr, mode: object) -> None:
    """A split move takes whole halves: an Acc tile whose valid shape was set is rounded up to 2 rows or 32 columns."""
    if mode not in (AccToVecMode.DualModeSplitM, AccToVecMode.DualModeSplitN):
        return
    if not any(ctx.half.is_resized(origin) for origin in ir.origins_of(source)):
        return
    rows, cols = (valid_extent(ctx, source, axis) for axis in (0, 1))
    if mode is AccToVecMode.DualModeSplitM:
        extents = f"({rows.at(SUM)} + 1) / 2 * 2, {cols.text}"
    else:
        extents = f"{rows.text}, ({cols.at(SUM)} + 31) / 32 * 32"
    ctx.out.write(f"{member(tile(ctx, source))}SetValidShape({extents});")


_FILLPADS = {
    FillPadMode.NORMAL: "TFILLPAD",
    FillPadMode.EXPAND: "TFILLPAD_EXPAND",
    FillPadMode.INPLACE: "TFILLPAD_INPLACE",
}
_SPELLED = {"fillpad_expand": FillPadMode.EXPAND, "fillpad_inplace": FillPadMode.INPLACE}


def fillpad(ctx: FunctionContext, stmt: ir.Operate) -> None:
    """TFILLPAD and its kinds; a source that has a pad value itself is read through a tile without one."""
    target: ir.TileExpr = stmt.get("out")  # type: ignore[assignment]
    source: ir.TileExpr = stmt.get("src")  # type: ignore[assignment]
    given = stmt.get("mode")
    mode = given if isinstance(given, FillPadMode) else _SPELLED.get(stmt.operation.name, FillPadMode.NORMAL)
    src = tile(ctx, source)
    spec = cpp_spec(source)
    if spec.pad is not TilePad.null:
        name = ctx.temporary("unpadded")
        bare = replace(spec, pad=TilePad.null)
        extents = [valid_extent(ctx, source, axis) for axis in (0, 1)]
        given_extents = [text.text for text, fixed in zip(extents, spec.valid_shape, strict=True) if fixed < 0]
        arguments = f"({', '.join(given_extents)})" if given_extents else ""
        ctx.out.write(f"{ctx.half.types.name(bare)} {name}{arguments};")
        ctx.out.write(f"TASSIGN({name}, {address(ctx, source)});")
        src = name
    ctx.out.write(f"{_FILLPADS[mode]}({tile(ctx, target)}, {src});")


def merge_sort(ctx: FunctionContext, stmt: ir.Operate) -> None:
    """mrgsort2: two to four sorted lists into one; the instruction reports how far it read each."""
    sources = [stmt.get("src0"), stmt.get("src1")]
    extra = stmt.get("extra_srcs")
    sources += list(extra) if isinstance(extra, tuple) else []
    target, scratch = stmt.get("dst"), stmt.get("tmp")
    tiles: list[ir.TileExpr] = [target, scratch, *sources]  # type: ignore[list-item]
    texts = [tile(ctx, node) for node in tiles]
    types = ", ".join(type_name(ctx, node) for node in tiles)
    exhausted = "true" if stmt.get("exhausted") is True else "false"
    read = ctx.temporary("executed")
    ctx.out.write(f"MrgSortExecutedNumList {read};")
    arguments = ", ".join([texts[0], read, texts[1], *texts[2:]])
    ctx.out.write(f"TMRGSORT_IMPL<{types}, {exhausted}>({arguments});")


def set_valid_shape(ctx: FunctionContext, stmt: ir.Operate) -> None:
    """The valid shape of a tile, or of every slot of a group."""
    target = stmt.get("tile")
    rows, cols = (assigned(part, INT64, ctx).text for part in stmt.get("shape"))  # type: ignore[attr-defined]
    if isinstance(target, ir.GroupDecl):
        name = ctx.tile_name(target)
        if target.depth > 1:
            slot = ctx.temporary("slot")
            ctx.out.write(f"for (auto& {slot} : {name}) {slot}.SetValidShape({rows}, {cols});")
        else:
            ctx.out.write(f"{name}.SetValidShape({rows}, {cols});")
        return
    ctx.out.write(f"{member(tile(ctx, target))}SetValidShape({rows}, {cols});")  # type: ignore[arg-type]


def set_stride(ctx: FunctionContext, stmt: ir.Operate) -> None:
    """The strides of the two axes that loads and stores of a tensor walk."""
    tensor, strides = stmt.get("tensor"), stmt.get("stride")
    texts = [assigned(part, INT64, ctx).text for part in strides]  # type: ignore[attr-defined]
    for window in windows(ctx):
        if window.tensor is tensor:
            name = window_name(ctx, window)
            ctx.out.write(f"{name}.SetStride<3, 4>({texts[-2]}, {texts[-1]});")
