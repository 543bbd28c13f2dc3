"""The subscript of a launch: kernel[block_dim], kernel[stream, block_dim], with a tiling key and a dtype map.

In: what stands in the brackets, and the kernel's decorator options.  Out: a `Configuration`, checked at once, since a
wrong key must be refused before any argument is looked at.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ptopro.diagnostics import Diagnostic, make
from ptopro.language.dtypes import DType
from ptopro.runtime.errors import LaunchError, LaunchTypeError
from ptopro.runtime.key_verdicts import key_problem


@dataclass(frozen=True, slots=True)
class Configuration:
    """dtypes: the constant's name -> element type."""

    block_dim: int = 1
    key: Mapping[str, int] = field(default_factory=dict)
    dtypes: Mapping[str, DType] = field(default_factory=dict)


def configuration_of(kernel: str, item: object, key_class: Any, datatype: Mapping[str, str] | None) -> Configuration:
    """Understand a subscript.  Raises LaunchError PTO1810 to PTO1813."""
    parts = item if isinstance(item, tuple) else (None, item)
    given = ", ".join(repr(part) for part in parts) if isinstance(item, tuple) else repr(item)
    most = 2 + (key_class is not None) + bool(datatype)
    if not 2 <= len(parts) <= max(most, 2):
        reason = f"this kernel takes 1 to {most} parts, not {len(parts)}"
        if len(parts) == 3 and isinstance(parts[2], Mapping):
            raise LaunchError([_key_problem(kernel, key_class, "it has no tiling key and no dtype map")])
        raise LaunchError([make("PTO1811", kernel=kernel, given=given, reason=reason)])
    block_dim = _block_dim(kernel, parts[1])
    rest = list(parts[2:])
    key: Mapping[str, int] = {}
    if key_class is not None:
        key = checked_key(kernel, key_class, rest.pop(0) if rest else None)
    dtypes = checked_dtypes(kernel, datatype, rest.pop(0) if rest else None) if datatype else {}
    return Configuration(block_dim, key, dtypes)


def default_configuration(kernel: str, key_class: Any, datatype: Mapping[str, str] | None) -> Configuration:
    """That of a launch without subscript, which a kernel with a tiling key or a dtype map does not have."""
    if key_class is not None:
        raise LaunchError([_key_problem(kernel, key_class, "it has a tiling key and must be launched with one")])
    if datatype:
        checked_dtypes(kernel, datatype, None)
    return Configuration()


def key_fields(key_class: Any) -> dict[str, tuple[int, ...]]:
    """The fields of a tiling-key class in definition order: its own attributes that are TilingKeyFields."""
    return {
        name: tuple(value.values) for name, value in vars(key_class).items() if type(value).__name__ == "TilingKeyField"
    }


def packed_key(key_class: Any, key: Mapping[str, int]) -> int:
    """The 64-bit key: the index of each value, the first field from bit 0 up."""
    packed = shift = 0
    for name, values in key_fields(key_class).items():
        packed |= values.index(key[name]) << shift
        shift += int(vars(key_class)[name].bits)
    return packed


def checked_key(kernel: str, key_class: Any, given: object) -> dict[str, int]:
    """The key if it names each field once with a listed value and is_valid accepts it."""
    fields = key_fields(key_class)
    if not isinstance(given, Mapping):
        what = "none was given" if given is None else f"a {type(given).__name__} was given"
        raise LaunchError([_key_problem(kernel, key_class, f"its tiling key must be a dict, but {what}")])
    problems = [f"the tiling key has no field `{name}`" for name in given if name not in fields]
    problems += [f"the tiling key's field `{name}` is missing" for name in fields if name not in given]
    problems += [
        f"the tiling key's field `{name}` must be one of {', '.join(map(str, values))}, not {given[name]!r}"
        for name, values in fields.items()
        if name in given and (isinstance(given[name], bool) or given[name] not in values)
    ]
    if not problems:
        refusal = key_problem(key_class, tuple(int(given[name]) for name in fields))
        problems += [f"{refusal} ({', '.join(f'{name}={given[name]}' for name in fields)})"] if refusal else []
    if problems:
        raise LaunchError([_key_problem(kernel, key_class, problem) for problem in problems])
    return {name: int(given[name]) for name in fields}


def checked_dtypes(kernel: str, datatype: Mapping[str, str], given: object) -> dict[str, DType]:
    """The element type of each constant of the dtype map."""
    fields = ", ".join(datatype)
    if not isinstance(given, Mapping):
        what = "none was given" if given is None else f"a {type(given).__name__} was given"
        problem = f"it has a dtype map and must be launched with one, but {what}"
        raise LaunchError([make("PTO1813", kernel=kernel, problem=problem, fields=fields)])
    problems = [f"the dtype map has no parameter `{name}`" for name in given if name not in datatype]
    problems += [f"the dtype of `{name}` is missing" for name in datatype if name not in given]
    found: dict[str, DType] = {}
    for name, constant in datatype.items():
        dtype = given.get(name)
        if name not in given:
            continue
        if not isinstance(dtype, DType):
            problems.append(f"the dtype of `{name}` must be a pl.DT_*, not {dtype!r}")
        elif found.setdefault(constant, dtype) != dtype:
            problems.append(f"`{name}` must have the same dtype as the others that are bound to `{constant}`")
    if problems:
        raise LaunchError([make("PTO1813", kernel=kernel, problem=problem, fields=fields) for problem in problems])
    return found


def _block_dim(kernel: str, value: object) -> int:
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        given = f"{value!r} (a {type(value).__name__})"
        raise LaunchTypeError([make("PTO1810", kernel=kernel, given=given)])
    number = value.__index__()
    if not 0 < number < 1 << 31:
        raise LaunchError([make("PTO1810", kernel=kernel, given=number)])
    return int(number)


def _key_problem(kernel: str, key_class: Any, problem: str) -> Diagnostic:
    fields = key_fields(key_class) if key_class is not None else {}
    words = "; ".join(f"{name}: {', '.join(map(str, values))}" for name, values in fields.items()) or "none"
    return make("PTO1812", kernel=kernel, problem=problem, fields=words)
