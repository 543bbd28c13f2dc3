"""Rules of matrix products: M, K and N of the operands, element types, bias and MX scales."""

from __future__ import annotations

from collections.abc import Iterator

from ptopro.language import dtypes as dt
from ptopro.language.dtypes import DType
from ptopro.language.operations.model import Operation, Problem, Views
from ptopro.language.operations.parts import FP4S, FP8S
from ptopro.language.operations.rules.common import agree, extents, problem, shape_text, tile
from ptopro.language.tiles import TileSpec

LIMIT = 4095  # of M, K and N


def _result_type(lhs: DType, rhs: DType) -> DType | None:
    """The accumulator's element type, None when the pair cannot be multiplied."""
    if lhs is rhs and lhs in (dt.FP16, dt.BF16, dt.FP32, dt.HF8):
        return dt.FP32
    if lhs is rhs is dt.INT8:
        return dt.INT32
    if lhs in FP8S and rhs in FP8S:
        return dt.FP32
    return None


def _named(views: Views, *names: str) -> tuple[str, TileSpec] | None:
    """The first of the operands that is there."""
    for name in names:
        spec = tile(views, name)
        if spec is not None:
            return name, spec
    return None


def _chain(operation: Operation, views: Views) -> Iterator[Problem]:
    """lhs [M, K], rhs [K, N], dst and acc [M, N]."""
    dst, lhs, rhs = (
        _named(views, "dst_tile", "out"),
        _named(views, "lhs_tile", "lhs"),
        _named(views, "rhs_tile", "rhs"),
    )
    if dst is None or lhs is None or rhs is None:
        return
    pairs = [("K", rhs, 0, lhs, 1), ("M", dst, 0, lhs, 0), ("N", dst, 1, rhs, 1)]
    acc = _named(views, "acc_tile", "acc")
    if acc is not None:
        pairs += [("M", acc, 0, lhs, 0), ("N", acc, 1, rhs, 1)]
    for letter, (name, spec), axis, (other_name, other), other_axis in pairs:
        if not agree(spec, axis, other, other_axis):
            yield problem(
                "PTO1206",
                operation,
                name,
                axis=letter,
                actual=shape_text(spec),
                other=other_name,
                expected=shape_text(other),
                extent=extents(other)[other_axis],
            )
    for letter, (name, spec), axis in (("M", lhs, 0), ("K", lhs, 1), ("N", rhs, 1)):
        extent = extents(spec)[axis]
        if extent is not None and not 1 <= extent <= LIMIT:
            yield problem("PTO1207", operation, name, axis=letter, actual=extent, high=LIMIT)


def check_matmul(operation: Operation, views: Views) -> Iterator[Problem]:
    yield from _chain(operation, views)
    dst, lhs, rhs = (
        _named(views, "dst_tile", "out"),
        _named(views, "lhs_tile", "lhs"),
        _named(views, "rhs_tile", "rhs"),
    )
    if dst is None or lhs is None or rhs is None:
        return
    wanted = _result_type(lhs[1].dtype, rhs[1].dtype)
    if wanted is None:
        yield problem("PTO1221", operation, rhs[0], lhs=lhs[1].dtype.name, rhs=rhs[1].dtype.name)
    elif dst[1].dtype is not wanted:
        yield problem(
            "PTO1213",
            operation,
            dst[0],
            source=f"{lhs[1].dtype.name} x {rhs[1].dtype.name}",
            target=dst[1].dtype.name,
            how="in a product",
            allowed=wanted.name,
        )
    bias = _named(views, "bias_tile", "bias")
    if bias is not None:
        yield from _check_bias(operation, bias, dst[1])


def _check_bias(operation: Operation, bias: tuple[str, TileSpec], dst: TileSpec) -> Iterator[Problem]:
    name, spec = bias
    if spec.dtype is not dst.dtype:
        yield problem("PTO1203", operation, name, actual=spec.dtype.name, other="dst_tile", expected=dst.dtype.name)
    if spec.shape[0] != 1 or not agree(spec, 1, dst, 1):
        yield problem("PTO1222", operation, name, actual=shape_text(spec), expected=f"[1, {dst.shape[1]}]")


def check_matmul_mx(operation: Operation, views: Views) -> Iterator[Problem]:
    yield from _chain(operation, views)
    lhs, rhs = tile(views, "lhs_tile"), tile(views, "rhs_tile")
    if lhs is None or rhs is None:
        return
    for family in (FP8S, FP4S):
        if (lhs.dtype in family) != (rhs.dtype in family):
            yield problem("PTO1221", operation, "rhs_tile", lhs=lhs.dtype.name, rhs=rhs.dtype.name)
            break
    depth = extents(lhs)[1]
    if depth is None:
        return
    if depth % 64:
        yield problem("PTO1224", operation, "lhs_tile", actual=depth)
        return
    for name, wanted in (
        ("scale_a", (extents(lhs)[0], depth // 32)),
        ("scale_b", (depth // 32, extents(rhs)[1])),
    ):
        scale = tile(views, name)
        if scale is not None and any(
            want is not None and have is not None and want != have
            for want, have in zip(wanted, extents(scale), strict=True)
        ):
            yield problem(
                "PTO1223",
                operation,
                name,
                actual=shape_text(scale),
                expected=f"[{wanted[0]}, {wanted[1]}]",
            )
