"""Rules of register operations: element types that must agree, widths, offsets, conversions that exist."""

from __future__ import annotations

from collections.abc import Iterator

from ptopro.language.dtypes import FP32, DType
from ptopro.language.enums import DataCopyMode
from ptopro.language.operations.model import (
    CheckRule,
    Kind,
    Operation,
    PointerView,
    Problem,
    RegisterView,
    ScalarView,
    Views,
)
from ptopro.language.operations.rules.common import constant, problem


def lanes(views: Views, name: str) -> DType | None:
    """The element type of an operand that is a register with lanes."""
    view = views.get(name)
    return view.dtype if isinstance(view, RegisterView) else None


def pointer(views: Views, name: str) -> PointerView | None:
    view = views.get(name)
    return view if isinstance(view, PointerView) else None


def is_mask(views: Views, name: str) -> bool:
    view = views.get(name)
    return isinstance(view, RegisterView) and view.kind is Kind.MASK


def same_lanes(*names: str) -> CheckRule:
    """The registers hold one element type."""

    def check(operation: Operation, views: Views) -> Iterator[Problem]:
        first = lanes(views, names[0])
        for name in names[1:]:
            other = lanes(views, name)
            if first is not None and other is not None and other != first:
                yield problem(
                    "PTO1290", operation, name, actual=other.name, expected=first.name, other=names[0]
                )  # fmt: skip

    return check


def same_width(*names: str) -> CheckRule:
    """The lanes of the registers have one width."""

    def check(operation: Operation, views: Views) -> Iterator[Problem]:
        first = lanes(views, names[0])
        for name in names[1:]:
            other = lanes(views, name)
            if first is not None and other is not None and other.bits != first.bits:
                yield problem(
                    "PTO1291", operation, name, actual=other.name, expected=first.name, other=names[0], bits=first.bits
                )

    return check


def same_kind(first: str, second: str) -> CheckRule:
    """Two masks, or two registers of one width."""

    def check(operation: Operation, views: Views) -> Iterator[Problem]:
        if is_mask(views, first) is not is_mask(views, second):
            kinds = {True: "a mask", False: "a register"}
            yield problem(
                "PTO1200", operation, second, expected=kinds[is_mask(views, first)],
                actual=kinds[is_mask(views, second)],
            )  # fmt: skip
            return
        yield from same_width(first, second)(operation, views)

    return check


def number_fits(name: str, like: str) -> CheckRule:
    """A float constant does not become an integer lane."""

    def check(operation: Operation, views: Views) -> Iterator[Problem]:
        view, dtype = views.get(name), lanes(views, like)
        if isinstance(view, ScalarView) and dtype is not None and dtype.is_int and view.dtype.is_float:
            yield problem("PTO1292", operation, name, actual=view.dtype.name, expected=dtype.name)

    return check


def all_rules(*rules: CheckRule) -> CheckRule:
    def check(operation: Operation, views: Views) -> Iterator[Problem]:
        for rule in rules:
            yield from rule(operation, views)

    return check


def single_result(views: Views) -> DType:
    return FP32


def in_range(name: str, low: int, high: int) -> CheckRule:
    """A constant lies in a range."""

    def check(operation: Operation, views: Views) -> Iterator[Problem]:
        value = constant(views.get(name))
        if value is not None and not low <= value <= high:
            yield problem("PTO1212", operation, name, actual=repr(value), allowed=f"{low} to {high}")

    return check


def shift_lanes(name: str, like: str) -> CheckRule:
    """A shift by a register takes integer lanes of the same width."""

    def check(operation: Operation, views: Views) -> Iterator[Problem]:
        shift, shifted = lanes(views, name), lanes(views, like)
        if shift is None or shifted is None:
            view = views.get(name)
            if isinstance(view, ScalarView) and view.dtype.is_float:
                yield problem("PTO1292", operation, name, actual=view.dtype.name, expected="DT_INT16")
            return
        if not shift.is_int or shift.bits != shifted.bits:
            yield problem(
                "PTO1291", operation, name, actual=shift.name, expected=shifted.name, other=like, bits=shifted.bits
            )

    return check


def _copies_blocks(views: Views) -> bool:
    return views.get("data_copy_mode") in (DataCopyMode.DATA_BLOCK_COPY, DataCopyMode.DATA_BLOCK_LOAD)


def check_load(operation: Operation, views: Views) -> Iterator[Problem]:
    """A mask in place of the offset says which blocks are copied, and only then."""
    blocks = _copies_blocks(views)
    if is_mask(views, "offset") is not blocks:
        what = "a mask as offset" if not blocks else "copying blocks without a mask"
        hint = "data_copy_mode=pl.DataCopyMode.DATA_BLOCK_COPY goes with a mask in place of the offset"
        yield problem("PTO1299", operation, "offset", what=what, hint=hint)


def check_store(operation: Operation, views: Views) -> Iterator[Problem]:
    """Two registers are stored in turn, and only then; strides belong to copies of blocks."""
    dist = getattr(views.get("dist"), "name", "")
    if dist.startswith("INTLV") is not ("src1" in views):
        what = "two registers with this dist" if "src1" in views else "one register with INTLV"
        yield problem("PTO1299", operation, "src", what=what, hint="dist=pl.StoreDist.INTLV stores two registers")
    elif "src1" in views and (views.get("post_update") is True or _copies_blocks(views)):
        yield problem(
            "PTO1299", operation, "src", what="INTLV with post_update or blocks", hint="pass `tile + offset` instead"
        )
    if ("block_stride" in views) and not _copies_blocks(views):
        hint = "strides go with data_copy_mode=pl.DataCopyMode.DATA_BLOCK_COPY"
        yield problem("PTO1299", operation, "block_stride", what="a block stride without blocks", hint=hint)
