"""Fields of a tiling-key class: which values a field may have and how many bits of the key it takes; what is wrong with
a class of them."""

from __future__ import annotations

import keyword
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ptopro.language.surface.errors import usage_error


@dataclass(frozen=True)
class TilingKeyField:
    """A field of a tiling key.  The key holds the index of the value in `values`, in `bits` bits."""

    bits: int
    values: Sequence[int]

    def __post_init__(self) -> None:
        reason = _wrong(self.bits, self.values)
        if reason:
            raise usage_error("PTO1244", "TilingKeyField(", reason=reason)
        object.__setattr__(self, "values", tuple(self.values))


def _wrong(bits: object, values: object) -> str:
    """What is wrong with a field, empty when nothing is."""
    if not isinstance(bits, int) or isinstance(bits, bool) or bits < 1:
        return f"bits must be a positive integer, not {bits!r}"
    if bits > 64:
        return f"bits is {bits}; a key has 64 bits in all"
    if not isinstance(values, (list, tuple)) or not values:
        return "values must be a list of at least one integer"
    for value in values:
        if not isinstance(value, int) or isinstance(value, bool):
            return f"{value!r} in values is no integer"
    if len(set(values)) != len(values):
        return "values has an integer twice"
    if len(values) > 2**bits:
        return f"{len(values)} values do not fit into {bits} bits"
    return ""


KEY_BITS = 64


def schema_problem(fields: Mapping[str, TilingKeyField], taken: Mapping[str, str], has_validity: bool) -> str:
    """What is wrong with a class of these fields, empty when nothing is.

    taken: names that the kernel has for something else -> what that is; has_validity: is_valid, if any, can be called.
    """
    if not fields:
        return "it has no TilingKeyField of its own"
    bits = sum(field.bits for field in fields.values())
    if bits > KEY_BITS:
        return f"its fields take {bits} bits; a key has {KEY_BITS}"
    for name in fields:
        if name in taken:
            return f"the field `{name}` has the name of {taken[name]}"
    return "" if has_validity else "its is_valid cannot be called"


def datatype_problem(datatype: Mapping[str, str], taken: Mapping[str, str]) -> str:
    """What is wrong with a dtype map, empty when nothing is."""
    for parameter, variable in datatype.items():
        if not variable.isidentifier() or keyword.iskeyword(variable):
            return f"`{variable}` (of `{parameter}`) cannot be the name of a constant"
        if variable in taken:
            return f"`{variable}` (of `{parameter}`) is the name of {taken[variable]}"
    return ""
