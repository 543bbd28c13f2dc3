"""Rules of fillpad and fill_index."""

from __future__ import annotations

from collections.abc import Iterator

from ptopro.language.enums import FillPadMode, MemorySpace, TensorLayout, TilePad
from ptopro.language.operations.model import CheckRule, Operation, Problem, Views
from ptopro.language.operations.rules.common import problem, shape_text, tile
from ptopro.language.operations.rules.transfers import width_problem


def check_fillpad(fixed: FillPadMode | None) -> CheckRule:
    """fillpad and its spellings; fixed: the mode that the name stands for."""

    def check(operation: Operation, views: Views) -> Iterator[Problem]:
        target, source = tile(views, "out"), tile(views, "src")
        if target is None or source is None:
            return
        mode = fixed or views.get("mode", FillPadMode.NORMAL)
        if target.pad is TilePad.null:
            yield problem("PTO1217", operation, "out")
        if target.dtype.bits != source.dtype.bits:
            yield width_problem(operation, "out", target.dtype, "src", source.dtype)
        if target.memory is not source.memory:
            yield problem(
                "PTO1301",
                operation,
                "out",
                source=source.memory.name,
                target=target.memory.name,
                allowed=source.memory.name,
            )
        if target.memory is MemorySpace.Mat and (
            target.layout not in (None, TensorLayout.NZ) or target.pad not in (TilePad.null, TilePad.zero)
        ):
            yield problem(
                "PTO1302",
                operation,
                "out",
                memory="Mat",
                layout=f"{target.layout.name if target.layout else 'NZ'} with pad {target.pad.name}",
                allowed="NZ with pad zero",
                where="in fillpad",
            )
        if -1 in target.shape or -1 in source.shape:
            return
        larger = target.shape[0] >= source.shape[0] and target.shape[1] >= source.shape[1]
        if (mode is FillPadMode.EXPAND and not larger) or (
            mode is not FillPadMode.EXPAND and target.shape != source.shape
        ):
            yield problem(
                "PTO1218",
                operation,
                "out",
                actual=shape_text(target),
                source=shape_text(source),
                rule="not smaller than src" if mode is FillPadMode.EXPAND else "the shape of src",
            )

    return check


def check_fill_index(operation: Operation, views: Views) -> Iterator[Problem]:
    """Only the first row is written, so a tile of several rows is a mistake unless its valid shape says one row."""
    target = tile(views, "out")
    if target is not None and target.shape[0] > 1 and not target.runtime_valid and target.valid_shape[0] != 1:
        yield problem(
            "PTO1204", operation, "out", actual=shape_text(target), other="one row", expected=f"[1, {target.shape[1]}]"
        )
