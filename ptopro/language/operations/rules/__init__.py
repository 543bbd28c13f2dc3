"""What can be wrong with the operands of an operation.

`problems(operation, views)` is what lowering calls.  The checks that follow from the table's data (kinds, memories,
element types, enumerations) stand here; what only some operations need stands in the modules beside, as functions that
the entries name in `check`.
"""

from __future__ import annotations

import enum

from ptopro.language.dtypes import DType
from ptopro.language.operations.forms import kind_of
from ptopro.language.operations.model import (
    Kind,
    Operand,
    OperandView,
    Operation,
    PointerView,
    Problem,
    RegisterView,
    TensorView,
    Views,
    memory_of,
)
from ptopro.language.operations.rules.common import dtype_names, problem
from ptopro.language.tiles import TileSpec

_KIND_NAMES = {
    Kind.TILE: "a tile",
    Kind.TENSOR: "a tensor",
    Kind.PTR: "a pointer",
    Kind.SCALAR: "a scalar",
    Kind.OFFSETS: "a list of scalars",
    Kind.ATTR: "a compile-time value",
    Kind.STRUCT: "a struct",
    Kind.REGISTER: "a register",
    Kind.MASK: "a mask",
    Kind.ADDRESS: "an address register",
    Kind.UNALIGN: "an unaligned-access register",
}


def problems(operation: Operation, views: Views) -> list[Problem]:
    """Everything wrong with these operands; empty when the call is right.

    The operation's own check runs only when kinds and enumerations are right, so that one mistake gives one message.
    """
    found: list[Problem] = []
    for operand in operation.operands:
        view = views.get(operand.name)
        if view is None or operand.variadic:
            continue
        first = _kind(operation, operand, view) or _attribute(operation, operand, view)
        if first is not None:
            found.append(first)
            continue
        found.extend(_data(operation, operand, view))
    if not found and operation.check is not None:
        found.extend(operation.check(operation, views))
    return found


def describe_kinds(kinds: Kind) -> str:
    """`a tile or a scalar`."""
    names = [name for kind, name in _KIND_NAMES.items() if kind in kinds]
    return " or ".join(names)


def describe(view: OperandView) -> str:
    """What an operand is, in the reader's words."""
    kind = kind_of(view)
    if kind is not None:
        return _KIND_NAMES[kind]
    if isinstance(view, (tuple, list)):
        return "a list"
    if isinstance(view, enum.Enum):
        return f"pl.{type(view).__name__}.{view.name}"
    if isinstance(view, DType):
        return repr(view)
    return repr(view)


def _kind(operation: Operation, operand: Operand, view: OperandView) -> Problem | None:
    """A value of the wrong kind: a tensor where a tile belongs."""
    kind = kind_of(view)
    if isinstance(view, (tuple, list)):
        good = Kind.OFFSETS in operand.kind or Kind.ATTR in operand.kind
    elif kind is None:
        good = Kind.ATTR in operand.kind or Kind.STRUCT in operand.kind
    elif kind is Kind.SCALAR:
        good = bool(operand.kind & (Kind.SCALAR | Kind.ATTR))
    else:
        good = kind in operand.kind
    if good:
        return None
    return problem("PTO1200", operation, operand.name, expected=describe_kinds(operand.kind), actual=describe(view))


def _attribute(operation: Operation, operand: Operand, view: OperandView) -> Problem | None:
    """An enumeration member of the wrong kind, a number in its place, or a value that is not among the choices."""
    if operand.attr_type is not None and not isinstance(view, operand.attr_type):
        return problem(
            "PTO1211",
            operation,
            operand.name,
            expected=f"pl.{operand.attr_type.__name__}",
            actual=describe(view) if isinstance(view, enum.Enum) else repr(view),
            members=", ".join(operand.attr_type.__members__),
        )
    if operand.choices and view not in operand.choices:
        allowed = ", ".join(dict.fromkeys(str(choice) for choice in operand.choices))
        return problem("PTO1212", operation, operand.name, actual=repr(view), allowed=allowed)
    return None


def _data(operation: Operation, operand: Operand, view: OperandView) -> list[Problem]:
    """The memory and the element type of a tile, the element type of a tensor."""
    found: list[Problem] = []
    memory = memory_of(view)
    if isinstance(view, TileSpec) and operand.memory and memory not in operand.memory:
        found.append(
            problem(
                "PTO1300",
                operation,
                operand.name,
                actual=view.memory.name,
                allowed=" or ".join(m.name for m in operand.memory),
            )
        )
    allowed = operation.dtypes.get(operand.name)
    dtype = view.dtype if isinstance(view, (TileSpec, TensorView, PointerView, RegisterView)) else None
    if allowed and dtype is not None and dtype not in allowed:
        found.append(problem("PTO1202", operation, operand.name, actual=dtype.name, allowed=dtype_names(allowed)))
    return found
