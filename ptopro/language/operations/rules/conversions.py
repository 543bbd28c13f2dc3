"""Rules of conversions: cast, fused casts, axpy, quant and dequant."""

from __future__ import annotations

from collections.abc import Iterator

from ptopro.language import dtypes as dt
from ptopro.language.dtypes import DType
from ptopro.language.enums import QuantMode, RoundMode
from ptopro.language.operations.model import CheckRule, Operation, Problem, Views
from ptopro.language.operations.rules.common import extents, problem, shape_text, tile, upper, wanted_text
from ptopro.language.operations.rules.shapes import same_shape


def check_cast(src: str) -> CheckRule:
    """CAST_ODD converts FP32 to FP16 only."""

    def check(operation: Operation, views: Views) -> Iterator[Problem]:
        target, source = tile(views, "out"), tile(views, src)
        if target is None or source is None or views.get("mode") is not RoundMode.CAST_ODD:
            return
        if (source.dtype, target.dtype) != (dt.FP32, dt.FP16):
            yield problem(
                "PTO1213",
                operation,
                "out",
                source=source.dtype.name,
                target=target.dtype.name,
                how="with CAST_ODD",
                allowed="DT_FP16 from DT_FP32",
            )

    return check


def check_target_type(operation: Operation, views: Views) -> Iterator[Problem]:
    """target_type= says the element type of out."""
    target, wanted = tile(views, "out"), views.get("target_type")
    if target is None or wanted is None:
        return
    if not isinstance(wanted, DType):
        yield problem(
            "PTO1211",
            operation,
            "target_type",
            expected="an element type",
            actual=repr(wanted),
            members="pl.DT_FP16 ...",
        )
    elif wanted is not target.dtype:
        yield problem("PTO1203", operation, "out", actual=target.dtype.name, other="target_type", expected=wanted.name)


def check_axpy(operation: Operation, views: Views) -> Iterator[Problem]:
    """One element type, or FP16 added into FP32."""
    target, source = tile(views, "out"), tile(views, "src")
    if target is None or source is None or target.dtype is source.dtype:
        return
    if (source.dtype, target.dtype) != (dt.FP16, dt.FP32):
        yield problem("PTO1203", operation, "src", actual=source.dtype.name, other="out", expected=target.dtype.name)


def _per_row(operation: Operation, views: Views, name: str) -> Iterator[Problem]:
    """One value for each row of src."""
    values, source = tile(views, name), tile(views, "src")
    if values is None or source is None:
        return
    rows, room = extents(source)[0], upper(values, 0)
    if rows is not None and room is not None and rows > room:
        yield problem(
            "PTO1209",
            operation,
            name,
            actual=shape_text(values),
            expected=wanted_text(rows, 1),
            source=shape_text(source),
            axis="row",
        )


def check_quant(operation: Operation, views: Views) -> Iterator[Problem]:
    mode = views.get("mode", QuantMode.SYM)
    wanted = dt.UINT8 if mode is QuantMode.ASYM else dt.INT8
    target = tile(views, "out")
    if target is not None and target.dtype is not wanted:
        yield problem("PTO1202", operation, "out", actual=target.dtype.name, allowed=wanted.name)
    if mode is QuantMode.ASYM and views.get("offset") is None:
        yield problem("PTO1231", operation, "offset", needed="offset=", because="mode is ASYM")
    yield from same_shape("out", "src")(operation, views)
    yield from _per_row(operation, views, "scale")
    yield from _per_row(operation, views, "offset")


def check_dequant(operation: Operation, views: Views) -> Iterator[Problem]:
    yield from same_shape("out", "src")(operation, views)
    yield from _per_row(operation, views, "scale")
    yield from _per_row(operation, views, "offset")
