"""Which C++ form of an operation a set of operands selects.

In: an Operation and views of the operands that were given.  Out: its first Form whose conditions all hold.  Conditions:

    bias_tile      the operand was given (and is not None)
    !offset        it was not
    rhs=tile       its kind: tile, tensor, ptr, scalar, register, mask or address
    dim=0          its value (an int, a bool, or the name of an enum member); the default counts when it was not given
    dim!=0         it has another value
    dtype(out)=UINT16   the element type of a tile or tensor
"""

from __future__ import annotations

import enum

from ptopro.language.operations.model import (
    REQUIRED,
    Form,
    Kind,
    OperandView,
    Operation,
    PointerView,
    RegisterView,
    ScalarView,
    TensorView,
    Views,
)
from ptopro.language.tiles import TileSpec

_KINDS = ("tile", "tensor", "ptr", "scalar", "register", "mask", "address")


def select_form(operation: Operation, views: Views) -> Form:
    """The first form whose conditions hold.  LookupError when there is none."""
    for form in operation.forms:
        if all(_holds(condition, operation, views) for condition in form.when):
            return form
    raise LookupError(f"no C++ form of pl.{operation.name} fits the operands {sorted(views)}")


def kind_of(view: OperandView) -> Kind | None:
    """The kind of an operand that is a value; None for compile-time attributes and lists."""
    if isinstance(view, RegisterView):
        return view.kind
    if isinstance(view, (TileSpec, PointerView)):
        return Kind.TILE
    if isinstance(view, TensorView):
        return Kind.TENSOR
    if isinstance(view, ScalarView):
        return Kind.PTR if view.pointer else Kind.SCALAR
    if isinstance(view, (int, float)):
        return Kind.SCALAR
    return None


def _holds(condition: str, operation: Operation, views: Views) -> bool:
    if condition.startswith("!"):
        return views.get(condition[1:]) is None
    if "=" not in condition:
        return views.get(condition) is not None
    name, _, wanted = condition.partition("=")
    if name.endswith("!"):
        return _spelling(_value(name[:-1], operation, views)) != wanted
    if name.startswith("dtype("):
        dtype = getattr(views.get(name[6:-1]), "dtype", None)
        return dtype is not None and dtype.name == f"DT_{wanted}"
    if wanted in _KINDS:
        kind = kind_of(views.get(name))
        return kind is not None and kind.name == wanted.upper()
    return _spelling(_value(name, operation, views)) == wanted


def _value(name: str, operation: Operation, views: Views) -> object:
    """The value of a compile-time operand, its default when it was not given."""
    if name in views:
        view = views[name]
        return view.value if isinstance(view, ScalarView) else view
    default = operation.operand(name).default
    return None if default is REQUIRED else default


def _spelling(value: object) -> str:
    """How conditions write a value."""
    if isinstance(value, enum.Enum):
        return value.name
    if isinstance(value, bool):
        return str(value).lower()
    return str(value)
