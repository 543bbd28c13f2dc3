"""`value[index]` on compile-time values, annotations of the language included."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptopro.diagnostics.span import Span
from ptopro.frontend.failures import PYTHON_ERRORS, Failed, failed
from ptopro.frontend.values import (
    ArrayType,
    BuiltinValue,
    ClassKind,
    ClassValue,
    EnumMember,
    EnvironmentVariables,
    InstanceValue,
    IntMember,
    LanguageName,
    Opaque,
    StrMember,
    TypeValue,
    Value,
    type_name,
)
from ptopro.language.dtypes import DType

if TYPE_CHECKING:
    from ptopro.frontend.evaluator import Evaluator


def get_item(ev: Evaluator, owner: Value, index: Value, span: Span) -> Value:
    """`owner[index]`."""
    if isinstance(owner, Opaque):
        return owner
    if isinstance(owner, LanguageName):
        from ptopro.frontend.annotations import annotation

        return annotation(ev, owner.name, index, span)
    if isinstance(index, Opaque):
        return index
    if isinstance(owner, (list, tuple, str, bytes, range)):
        if isinstance(index, slice):
            ev.budget.allocate(_slice_length(owner, index, span))
        return _native(owner, index, span)
    if isinstance(owner, EnvironmentVariables) and isinstance(index, str) and index not in owner:
        return ev.unknown(f"the environment variable {index} is not set", span)
    if isinstance(owner, dict):
        return _native(owner, ev.hashable(index, span), span)
    if isinstance(owner, type):  # an enum of the language: MemorySpace["Vec"]
        return _native(owner, index, span)
    if isinstance(owner, ClassValue):
        if owner.kind is ClassKind.ENUM:
            for member in owner.members:
                if isinstance(member, (EnumMember, IntMember, StrMember)) and member.name == index:
                    return member
            raise Failed("KeyError", repr(index)[:100], span)
        return owner  # a generic class
    if isinstance(owner, DType) and isinstance(index, int):
        return ArrayType(owner.name, index)
    if isinstance(owner, TypeValue):
        return ArrayType(owner.name, index) if isinstance(index, int) else owner
    if isinstance(owner, BuiltinValue):
        return owner  # typing.Optional[...] and the like
    if isinstance(owner, InstanceValue):
        found, method = owner.cls.lookup("__getitem__")
        if found:
            return ev.call_value(method, [owner, index], {}, span)
    from ptopro.frontend.kernels import KernelSource

    if isinstance(owner, KernelSource):
        return ev.unknown(f"kernel '{owner.name}' is launched here", span)
    raise Failed("TypeError", f"{type_name(owner)} cannot be indexed", span)


def _native(owner: Value, index: Value, span: Span) -> Value:
    try:
        return owner[index]
    except PYTHON_ERRORS as error:
        raise failed(error, span) from None


def _slice_length(owner: Value, index: slice, span: Span) -> int:
    try:
        length = len(range(*index.indices(len(owner))))
    except PYTHON_ERRORS as error:
        raise failed(error, span) from None
    if isinstance(owner, range):
        return 0
    return length // 8 if isinstance(owner, (str, bytes)) else length
