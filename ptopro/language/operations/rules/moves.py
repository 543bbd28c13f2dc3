"""Rules of move and insert: paths between memories, shapes with and without offset, modes."""

from __future__ import annotations

from collections.abc import Iterator

from ptopro.language import dtypes as dt
from ptopro.language.enums import AccToVecMode, MemorySpace, TensorLayout
from ptopro.language.operations.model import Operation, Problem, Views
from ptopro.language.operations.rules.common import constant, items, problem, shape_text, tile
from ptopro.language.operations.rules.transfers import check_fix_types, check_scale
from ptopro.language.tiles import TileSpec

_M = MemorySpace
PATHS: dict[MemorySpace, tuple[MemorySpace, ...]] = {
    _M.Mat: (_M.Left, _M.Right, _M.Bias, _M.Scaling, _M.ScaleLeft, _M.ScaleRight),
    _M.Acc: (_M.Vec,),
    _M.Vec: (_M.Vec, _M.Mat),
}
_DUAL = (AccToVecMode.DualModeSplitM, AccToVecMode.DualModeSplitN)


def check_move(operation: Operation, views: Views) -> Iterator[Problem]:
    target, source = tile(views, "dst_tile"), tile(views, "src_tile")
    if target is None or source is None:
        return
    allowed = PATHS.get(source.memory, ())
    if target.memory not in allowed:
        yield problem(
            "PTO1301",
            operation,
            "dst_tile",
            source=source.memory.name,
            target=target.memory.name,
            allowed=", ".join(m.name for m in allowed) or "no memory",
        )
        return
    yield from _check_modes(operation, views, target, source)
    yield from _check_types(operation, views, target, source)
    yield from _check_shapes(operation, views, target, source)


def check_move_fp(operation: Operation, views: Views) -> Iterator[Problem]:
    """move_fp: the factors fit, one for each column."""
    factors, source = tile(views, "fp_tile"), tile(views, "src")
    if factors is not None and source is not None and 0 < factors.shape[1] < source.shape[1]:
        yield problem(
            "PTO1220",
            operation,
            "fp_tile",
            reason=f"it holds {factors.shape[1]} factors for {source.shape[1]} columns",
        )


def _check_modes(operation: Operation, views: Views, target: TileSpec, source: TileSpec) -> Iterator[Problem]:
    from_acc = source.memory is MemorySpace.Acc
    for name in ("acc_to_vec_mode", "relu_pre_mode", "scale"):
        if views.get(name) is not None and not from_acc:
            yield problem(
                "PTO1219",
                operation,
                name,
                other=f"a move from {source.memory.name} to {target.memory.name}",
                why="only a move from Acc to Vec does it",
            )
    if isinstance(views.get("scale"), TileSpec) and views.get("acc_to_vec_mode") in _DUAL:
        yield problem(
            "PTO1219",
            operation,
            "acc_to_vec_mode",
            other="a Scaling tile as scale",
            why="a dual move has no factors for each column",
        )
    yield from check_scale(operation, views)


def _check_types(operation: Operation, views: Views, target: TileSpec, source: TileSpec) -> Iterator[Problem]:
    if source.memory is MemorySpace.Acc:
        scaled = views.get("scale") is not None
        yield from check_fix_types(operation, source.dtype, target.dtype, "dst_tile", scaled)
    elif target.memory is MemorySpace.Bias:
        good = source.dtype is target.dtype or (target.dtype is dt.FP32 and source.dtype in (dt.FP16, dt.BF16))
        if not good:
            yield _conversion(operation, source, target, "DT_FP32 from FP16 or BF16, or the same type")
    elif source.dtype.bits != target.dtype.bits:
        yield problem(
            "PTO1205",
            operation,
            "dst_tile",
            actual=target.dtype.name,
            actual_bits=target.dtype.bits,
            other="src_tile",
            expected=source.dtype.name,
            expected_bits=source.dtype.bits,
        )


def _conversion(operation: Operation, source: TileSpec, target: TileSpec, allowed: str) -> Problem:
    return problem(
        "PTO1213",
        operation,
        "dst_tile",
        source=source.dtype.name,
        target=target.dtype.name,
        how=f"from {source.memory.name} to {target.memory.name}",
        allowed=allowed,
    )


def _check_shapes(operation: Operation, views: Views, target: TileSpec, source: TileSpec) -> Iterator[Problem]:
    offset = views.get("offset")
    if -1 in target.shape or -1 in source.shape:
        return
    if offset is None:
        if not _same_block(views, target, source):
            yield problem(
                "PTO1204",
                operation,
                "dst_tile",
                actual=shape_text(target),
                other="src_tile",
                expected=shape_text(source),
            )
        return
    values = items(offset)
    if values is None or len(values) != 2:
        count = 0 if values is None else len(values)
        yield problem("PTO1214", operation, "offset", actual=count, expected=2, what="tile axis")
        return
    # The larger tile is the frame that the offset counts in.
    frame = source.shape
    if _is_part(source, target):
        frame = target.shape
    for axis, item in enumerate(values):
        value = constant(item)
        limit = max(frame) if _swaps(target, source) else frame[axis]
        if value is not None and not 0 <= value < limit:
            yield problem("PTO1215", operation, "offset", axis=axis, actual=int(value), low=0, high=limit - 1)


def _same_block(views: Views, target: TileSpec, source: TileSpec) -> bool:
    """Whether a move without offset can take place between these shapes."""
    if target.shape == source.shape or target.shape == source.shape[::-1]:
        return True
    # FIX writes the valid region; a dual move writes half of it to each vector core.
    if source.memory is MemorySpace.Acc:
        return True
    # A move writes the valid region of the destination.
    return target.runtime_valid or source.runtime_valid or target.valid_shape != (-1, -1)


def _is_part(source: TileSpec, target: TileSpec) -> bool:
    """Whether the source is the smaller of the two, also when one is read transposed."""
    shapes = [source.shape]
    if _swaps(target, source):
        shapes.append(source.shape[::-1])
    return any(s[0] <= target.shape[0] and s[1] <= target.shape[1] and s != target.shape for s in shapes)


def _swaps(target: TileSpec, source: TileSpec) -> bool:
    """Between NZ and ZN the same bytes are the transposed matrix."""
    return {target.layout, source.layout} == {TensorLayout.NZ, TensorLayout.ZN}


def check_insert(operation: Operation, views: Views) -> Iterator[Problem]:
    target, source = tile(views, "dst_tile"), tile(views, "src_tile")
    if target is None or source is None:
        return
    if target.dtype.bits != source.dtype.bits:
        yield problem(
            "PTO1205",
            operation,
            "dst_tile",
            actual=target.dtype.name,
            actual_bits=target.dtype.bits,
            other="src_tile",
            expected=source.dtype.name,
            expected_bits=source.dtype.bits,
        )
    values = items(views.get("offset"))
    if values is not None and len(values) != 2:
        yield problem("PTO1214", operation, "offset", actual=len(values), expected=2, what="tile axis")
        return
    for axis, item in enumerate(values or ()):
        value = constant(item)
        limit = max(target.shape) if _swaps(target, source) else target.shape[axis]
        if value is not None and not 0 <= value < limit:
            yield problem("PTO1215", operation, "offset", axis=axis, actual=int(value), low=0, high=limit - 1)
