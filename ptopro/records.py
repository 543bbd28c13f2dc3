"""`record` and `entity`: frozen, slotted dataclasses that are cheap to declare.

A command declares some two hundred small classes before it does anything.  `@dataclass(frozen=True)` compiles six
methods for each, which was a third of the time of a whole `ptopro codegen`.  `record` has the dataclass machinery write
`__init__` alone and shares the rest: equality, hash and representation go through one C-level getter of the fields.
Immutability is for the type checker to enforce: mypy treats a record as a frozen dataclass.
"""

from __future__ import annotations

import dataclasses
import operator
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from typing_extensions import dataclass_transform
else:

    def dataclass_transform(**_: Any) -> Any:
        return lambda function: function


T = TypeVar("T")


@dataclass_transform(frozen_default=True, field_specifiers=(dataclasses.field,))
def record(cls: type[T]) -> type[T]:
    """Make `cls` a record of its annotated fields; `dataclasses.fields` and `replace` work on it."""
    made: Any = entity(cls)
    names = [field.name for field in dataclasses.fields(made) if field.compare]
    made.__record_values__ = staticmethod(operator.attrgetter(*names) if names else lambda _: ())
    made.__eq__ = _equal
    made.__hash__ = _hash
    return made  # type: ignore[no-any-return]


@dataclass_transform(frozen_default=True, eq_default=False, field_specifiers=(dataclasses.field,))
def entity(cls: type[T]) -> type[T]:
    """Like `record`, but two of them are equal only when they are the same one."""
    made: Any = dataclasses.dataclass(eq=False, repr=False, slots=True)(cls)
    if "__repr__" not in cls.__dict__:
        made.__repr__ = _represent
    return made  # type: ignore[no-any-return]


def _equal(self: Any, other: Any) -> Any:
    if other.__class__ is not self.__class__:
        return NotImplemented
    return self is other or self.__record_values__(self) == self.__record_values__(other)


def _hash(self: Any) -> int:
    return hash(self.__record_values__(self))


def _represent(self: Any) -> str:
    shown = ", ".join(f"{f.name}={getattr(self, f.name)!r}" for f in dataclasses.fields(self) if f.repr)
    return f"{type(self).__qualname__}({shown})"
