"""Rules of printf, pto_assert and dump_data: formats against arguments, windows, workspaces."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ptopro.language import dtypes as dt
from ptopro.language.dtypes import DType
from ptopro.language.enums import MemorySpace
from ptopro.language.operations.model import Operation, Problem, ScalarView, TensorView, Views
from ptopro.language.operations.rules.common import items, problem, tile

# %[flags][width][.precision]conversion
_SPECIFIER = re.compile(r"%[-+ #0]*\d*(?:\.\d+)?([a-zA-Z%]?)")
CONVERSIONS = "diuxfp"


def conversions(text: str) -> list[str]:
    """The conversion letters of a format, `%%` left out; an empty string for a specifier that has no end."""
    return [match.group(1) for match in _SPECIFIER.finditer(text) if match.group(1) != "%"]


def _accepts(letter: str, view: ScalarView) -> bool:
    dtype: DType = view.dtype
    if letter == "p" or view.pointer:
        return letter == "p" and view.pointer
    if letter in "di":
        return dtype.kind in ("int", "bool")
    if letter == "u":
        return dtype.kind in ("uint", "bool") or dtype is dt.INT64
    if letter == "x":
        return dtype.kind == "uint" or dtype is dt.INT64
    return dtype is dt.FP32


def _check_format(operation: Operation, views: Views) -> Iterator[Problem]:
    text = views.get("format_str")
    if text is None:
        return
    if not isinstance(text, str):
        yield problem("PTO1237", operation, "format_str", actual=repr(text))
        return
    letters = conversions(text)
    for letter in letters:
        if letter == "" or letter not in CONVERSIONS:
            yield problem("PTO1234", operation, "format_str", actual=f"%{letter}", allowed="%d %i %u %x %f %p %%")
            return
    args = items(views.get("args")) or ()
    if len(args) != len(letters):
        yield problem("PTO1235", operation, "format_str", actual=len(args), expected=len(letters))
        return
    for index, (letter, view) in enumerate(zip(letters, args, strict=True)):
        if isinstance(view, ScalarView) and not _accepts(letter, view):
            actual = f"a pl.Ptr[{view.dtype!r}]" if view.pointer else view.dtype.name
            yield problem("PTO1236", operation, "args", index=index, letter=letter, actual=actual)


def check_printf(operation: Operation, views: Views) -> Iterator[Problem]:
    yield from _check_format(operation, views)


def check_assert(operation: Operation, views: Views) -> Iterator[Problem]:
    condition = views.get("condition")
    if isinstance(condition, ScalarView) and condition.dtype is not dt.BOOL:
        yield problem("PTO1202", operation, "condition", actual=condition.dtype.name, allowed="DT_BOOL")
    yield from _check_format(operation, views)


def check_dump(operation: Operation, views: Views) -> Iterator[Problem]:
    offsets, shapes = views.get("offsets"), views.get("shapes")
    if (offsets is None) != (shapes is None):
        missing = "shapes" if shapes is None else "offsets"
        yield problem("PTO1231", operation, missing, needed=missing, because="a window needs offsets and shapes")
    data, workspace = views.get("data"), views.get("workspace")
    rank = len(data.dims) if isinstance(data, TensorView) else 2
    for name, values in (("offsets", items(offsets)), ("shapes", items(shapes))):
        if values is not None and len(values) != rank:
            yield problem("PTO1214", operation, name, actual=len(values), expected=rank, what="axis")
    spec = tile(views, "data")
    from_acc = spec is not None and spec.memory is MemorySpace.Acc
    if from_acc and workspace is None:
        yield problem("PTO1231", operation, "workspace", needed="workspace=", because="data lies in Acc")
    elif workspace is not None and not from_acc:
        yield problem("PTO1219", operation, "workspace", other="data outside Acc", why="it is read directly")
    elif spec is not None and isinstance(workspace, TensorView) and workspace.dtype is not spec.dtype:
        yield problem(
            "PTO1203", operation, "workspace", actual=workspace.dtype.name, other="data", expected=spec.dtype.name
        )
