"""Rules of load and store: offsets, order, element widths, what FIX converts, which keywords exclude each other."""

from __future__ import annotations

from collections.abc import Iterator

from ptopro.language import dtypes as dt
from ptopro.language.dtypes import DType
from ptopro.language.enums import MemorySpace, TensorLayout
from ptopro.language.operations.model import Operation, Problem, ScalarView, TensorView, Views
from ptopro.language.operations.rules.common import constant, items, problem, tile
from ptopro.language.tiles import TileSpec

# What FIX writes from an accumulator of FP32 or INT32: without scale, and with one.
PLAIN_TARGETS: dict[DType, tuple[DType, ...]] = {
    dt.FP32: (dt.FP32, dt.INT32, dt.FP16, dt.BF16),
    dt.INT32: (dt.INT32, dt.FP32, dt.FP16, dt.BF16),
}
SCALED_TARGETS: dict[DType, tuple[DType, ...]] = {
    dt.FP32: (dt.INT8, dt.UINT8, dt.HF8, dt.FP8E4M3FN, dt.FP16, dt.BF16, dt.FP32),
    dt.INT32: (dt.INT8, dt.UINT8, dt.FP16, dt.BF16),
}


def check_load(operation: Operation, views: Views) -> Iterator[Problem]:
    """load and load_tile."""
    target, source = tile(views, "dst_tile"), views.get("src_tensor")
    if target is None or not isinstance(source, TensorView):
        return
    if target.dtype.bits != source.dtype.bits:
        yield width_problem(operation, "dst_tile", target.dtype, "src_tensor", source.dtype)
    scales = _is_mx_scale(target)
    if scales and (len(source.dims) < 3 or source.dims[-1] != 2):
        shape = ", ".join("?" if dim is None else str(dim) for dim in source.dims)
        yield problem("PTO1239", operation, "src_tensor", shape=shape)
        return
    yield from _check_order(operation, views, source, ascending=False, selectable=len(source.dims) - scales)
    yield from _check_offsets(operation, views, source, target, scales=scales)


def check_store(operation: Operation, views: Views) -> Iterator[Problem]:
    """store and store_tile."""
    source, target = tile(views, "src_tile"), views.get("dst_tensor")
    if source is None or not isinstance(target, TensorView):
        return
    scale = views.get("scale")
    if source.memory is MemorySpace.Acc:
        yield from check_fix_types(operation, source.dtype, target.dtype, "dst_tensor", scale is not None)
    else:
        if source.dtype.bits != target.dtype.bits:
            yield width_problem(operation, "dst_tensor", target.dtype, "src_tile", source.dtype)
        for name in ("relu_pre_mode", "scale", "phase"):
            if views.get(name) is not None:
                yield problem("PTO1219", operation, name, other="a Vec source", why="only FIX, from Acc, does it")
    yield from check_scale(operation, views)
    if isinstance(scale, TileSpec):
        for name in ("relu_pre_mode", "phase"):
            if views.get(name) is not None:
                yield problem(
                    "PTO1219", operation, name, other="a Scaling tile as scale", why="the instruction has no such form"
                )
    yield from _check_order(operation, views, target, ascending=True, selectable=len(target.dims))
    yield from _check_offsets(operation, views, target, source, scales=False)


def check_fix_types(
    operation: Operation, source: DType, target: DType, operand: str, scaled: bool
) -> Iterator[Problem]:
    """FIX converts an accumulator to these element types only."""
    allowed = (SCALED_TARGETS if scaled else PLAIN_TARGETS).get(source)
    if allowed is None:
        return
    if target not in allowed:
        yield problem(
            "PTO1213",
            operation,
            operand,
            source=source.name,
            target=target.name,
            how="with scale" if scaled else "without scale",
            allowed=", ".join(d.name for d in allowed),
        )


def check_scale(operation: Operation, views: Views) -> Iterator[Problem]:
    """scale: a float, FP32 or 32/64-bit integer scalar, or an INT64 Scaling tile [1, N]."""
    scale = views.get("scale")
    if isinstance(scale, TileSpec):
        rows, cols = scale.shape
        if scale.dtype not in (dt.INT64, dt.UINT64):
            yield problem("PTO1220", operation, "scale", reason=f"the tile holds {scale.dtype.name}, not DT_INT64")
        elif rows > 1 or (cols > 0 and (cols % 16 or cols > 512)):
            yield problem(
                "PTO1220",
                operation,
                "scale",
                reason=f"the tile is [{rows}, {cols}]; it must be [1, N], N a multiple of 16 up to 512",
            )
    elif (
        isinstance(scale, ScalarView)
        and scale.value is None
        and scale.dtype not in (dt.FP32, dt.INT32, dt.INT64, dt.UINT32, dt.UINT64)
    ):
        yield problem(
            "PTO1220", operation, "scale", reason=f"a {scale.dtype.name} scalar cannot hold the bits of a float"
        )


def _is_mx_scale(target: TileSpec) -> bool:
    """An FP8E8M0 Mat tile in a scale layout: its tensor has a phase axis of 2 at the end."""
    return (
        target.dtype is dt.FP8E8M0
        and target.memory is MemorySpace.Mat
        and target.layout in (TensorLayout.ZZ, TensorLayout.NN)
    )


def width_problem(operation: Operation, operand: str, actual: DType, other: str, expected: DType) -> Problem:
    """Two operands whose elements have different widths."""
    return problem(
        "PTO1205",
        operation,
        operand,
        actual=actual.name,
        actual_bits=actual.bits,
        other=other,
        expected=expected.name,
        expected_bits=expected.bits,
    )


def _check_order(
    operation: Operation, views: Views, tensor: TensorView, *, ascending: bool, selectable: int
) -> Iterator[Problem]:
    """order: two different axes of the first `selectable` ones."""
    order = views.get("order")
    if order is None:
        return
    axes = items(order)
    reason = ""
    if axes is None or len(axes) != 2 or not all(isinstance(constant(axis), int) for axis in axes):
        reason = "it must be a list of two compile-time axis numbers"
    else:
        first, second = (int(constant(axis) or 0) for axis in axes)
        if not (0 <= first < selectable and 0 <= second < selectable):
            what = (
                "the tensor has the axes" if selectable == len(tensor.dims) else "before the pairs of scales lie axes"
            )
            reason = f"{what} 0 to {selectable - 1}"
        elif first == second:
            reason = "the two axes must differ"
        elif ascending and first > second:
            reason = "the order must be ascending"
    if reason:
        yield problem("PTO1216", operation, "order", reason=reason)


def _check_offsets(
    operation: Operation, views: Views, tensor: TensorView, target: TileSpec, *, scales: bool
) -> Iterator[Problem]:
    """One offset for each axis; constants inside the tensor."""
    in_tiles = operation.name.endswith("_tile")
    name = "tile_offsets" if in_tiles else "offsets"
    given = items(views.get(name))
    rank = len(tensor.dims)
    if given is None:
        return
    if len(given) != rank:
        yield problem("PTO1214", operation, name, actual=len(given), expected=rank, what="tensor axis")
        return
    selected = _selected(views, rank, scales)
    for axis, item in enumerate(given):
        value = constant(item)
        if value is None:
            continue
        dim = tensor.dims[axis]
        scaled = int(value)
        if in_tiles and axis in selected:
            place = selected.index(axis)
            extent = target.shape[place]
            if scales and place == (1 if target.layout is TensorLayout.ZZ else 0):
                extent //= 2  # the axis counts pairs of scales
            scaled *= max(extent, 1)
        if scaled < 0 or (dim is not None and scaled >= dim):
            high = "" if dim is None else dim - 1
            yield problem("PTO1215", operation, name, axis=axis, actual=scaled, low=0, high=high)


def _selected(views: Views, rank: int, scales: bool) -> tuple[int, ...]:
    """The tensor axes that the tile's rows and columns run along."""
    axes = items(views.get("order"))
    if axes is not None:
        return tuple(int(constant(axis) or 0) for axis in axes)
    last = rank - 1 if scales else rank
    return (last - 2, last - 1) if last >= 2 else (rank - 1,)
