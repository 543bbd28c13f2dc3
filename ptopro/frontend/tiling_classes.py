"""Tiling dataclasses: the fields that reach the kernel as a struct."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptopro.diagnostics.build import make
from ptopro.diagnostics.span import Span
from ptopro.frontend.failures import Abandoned, Failed
from ptopro.frontend.kernels import TilingClass, TilingField
from ptopro.frontend.values import ArrayType, ClassValue, FieldValue, TypeValue, Value
from ptopro.language.dtypes import BOOL, DTYPES, FP32, INT64, DType

if TYPE_CHECKING:
    from ptopro.frontend.evaluator import Evaluator

# What host code has a type of the same size for.
HOST_TYPES = {
    name: dtype for name, dtype in DTYPES.items() if dtype.kind in ("bool", "int", "uint") or name == FP32.name
}
ELEMENTS: dict[str, DType] = {"int": INT64, "float": FP32, "bool": BOOL, **HOST_TYPES}
MAX_LENGTH = 2048


def tiling_class(ev: Evaluator, cls: ClassValue, span: Span) -> TilingClass | None:
    """The struct of a dataclass, or None after reporting what no tiling class can have."""
    where = cls.module.span(cls.node) if cls.node is not None else span
    if not cls.fields:
        ev.sink.add(make("PTO1023", span, cls=cls.name, problem="it has no fields"))
        return None
    fields: list[TilingField] = []
    for field in cls.fields:
        made = _field(ev, cls, field)
        if made is not None:
            fields.append(made)
    if len(fields) != len(cls.fields):
        return None
    return TilingClass(cls.name, tuple(fields), cls, where)


def _field(ev: Evaluator, cls: ClassValue, field: FieldValue) -> TilingField | None:
    from ptopro.frontend.parameters import evaluate_annotation

    value: Value = None
    if field.annotation is not None:
        try:
            value = evaluate_annotation(ev, field.annotation, cls.scope)
        except (Failed, Abandoned):
            value = None
    dtype: DType | None = None
    length = 0
    if isinstance(value, (TypeValue, DType)):
        dtype = ELEMENTS.get(value.name)
    elif isinstance(value, ArrayType):
        dtype = ELEMENTS.get(value.element)
        length = value.length
        if dtype is not None and not 1 <= length <= MAX_LENGTH:
            problem = f"the length of '{field.name}' must be 1 to {MAX_LENGTH}, not {length}"
            ev.sink.add(make("PTO1023", field.span, cls=cls.name, problem=problem))
            return None
    if dtype is None:
        kinds = "int, float, bool, pl.DT_FP32, an integer type, or an array such as int[4]"
        problem = f"field '{field.name}' is none of {kinds}"
        ev.sink.add(make("PTO1023", field.span, cls=cls.name, problem=problem))
        return None
    return TilingField(field.name, dtype, length, field.span, field.has_default, field.default)
