"""What a user asks of a check or a trace: shapes, numbers, cores, seeds; from flags and from [tool.ptopro.check].

In: flag texts such as `x=256,128`, and the project's table.  Out: a `Request` for one kernel.  In the table, keys that
stand directly in it are for every kernel, and a table of a kernel's name overrides them for that kernel:

    [tool.ptopro.check.add]
    shape = { x = [256, 128] }      # as --shape
    arg = { n = 3 }                 # as --arg
    cores = 4
    seed = 0
    inputs = "add.npz"
    reference = "references:add"
    tolerance = 1e-5
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from ptopro.diagnostics import DiagnosticError, make

Number: TypeAlias = "int | float | bool"
Given: TypeAlias = "Number | tuple[Number, ...]"
SCHEDULES = ("fixed", "random", "adversarial")
DEFAULT_CORES = 2


@dataclass(frozen=True, slots=True)
class Request:
    """args: scalars by name, fields of tiling data by `parameter.field`; tolerance None: by element type."""

    shapes: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    args: Mapping[str, Given] = field(default_factory=dict)
    inputs: str | None = None
    reference: str | None = None
    tolerance: float | None = None
    cores: int = DEFAULT_CORES
    seed: int = 0
    schedule: str = "fixed"
    runs: int = 4


# Key of the table -> the field of Request and the types of its value.
_KEYS: Mapping[str, tuple[str, tuple[type, ...]]] = {
    "shape": ("shapes", (dict,)),
    "arg": ("args", (dict,)),
    "inputs": ("inputs", (str,)),
    "reference": ("reference", (str,)),
    "tolerance": ("tolerance", (float, int)),
    "cores": ("cores", (int,)),
    "seed": ("seed", (int,)),
}


def parse_shapes(texts: Iterable[str]) -> dict[str, tuple[int, ...]]:
    """`x=256,128` or `x=256x128`, repeatable.  Raises DiagnosticError PTO1863."""
    found = {}
    for text in texts:
        name, _, dims = text.partition("=")
        try:
            found[name.strip()] = _positive(int(part) for part in dims.replace("x", ",").split(","))
        except ValueError:
            raise _misread(f"--shape {text}", "write --shape NAME=256,128") from None
    return found


def parse_args(texts: Iterable[str]) -> dict[str, Given]:
    """`n=3`, `scale=0.5`, `flag=true`, `tiling.sizes=1,2`, repeatable.  Raises DiagnosticError PTO1863."""
    found: dict[str, Given] = {}
    for text in texts:
        name, _, value = text.partition("=")
        try:
            numbers = tuple(_number(part.strip()) for part in value.split(","))
        except ValueError:
            raise _misread(f"--arg {text}", "write --arg NAME=3") from None
        found[name.strip()] = numbers if len(numbers) > 1 else numbers[0]
    return found


def request_for(kernel: str, flags: Mapping[str, Any], table: Mapping[str, Any], origin: str = "") -> Request:
    """The request for a kernel: flags (by field name, None or empty: not given) over its table over the common one.

    Raises DiagnosticError PTO1863 for what the table says wrongly.
    """
    common = {key: value for key, value in table.items() if not _is_kernel_table(key, value)}
    for name, value in table.items():
        if _is_kernel_table(name, value):  # also those of other kernels: a misspelt key looks like one
            _check_keys(value, f"[tool.ptopro.check.{name}] of {origin}")
    own = table.get(kernel, {}) if _is_kernel_table(kernel, table.get(kernel)) else {}
    request = _apply(_apply(Request(), common, origin), own, origin)
    changes: dict[str, Any] = {}
    for name, value in flags.items():
        if value is None or value == {}:
            continue
        known = getattr(request, name)
        changes[name] = {**known, **value} if isinstance(value, dict) else value
    return replace(request, **changes)


def _is_kernel_table(key: str, value: object) -> bool:
    return isinstance(value, dict) and key not in _KEYS


def _check_keys(table: Mapping[str, Any], where: str) -> None:
    for key in table:
        if key not in _KEYS:
            raise _misread(f"`{key}` in {where}", f"the keys are {', '.join(_KEYS)}")


def _apply(request: Request, table: Mapping[str, Any], origin: str) -> Request:
    _check_keys(table, f"[tool.ptopro.check] of {origin}")
    changes: dict[str, Any] = {}
    for key, value in table.items():
        name, types = _KEYS[key]
        if not isinstance(value, types) or isinstance(value, bool):
            raise _misread(
                f"`{key} = {value!r}` in [tool.ptopro.check] of {origin}", f"it must be a {types[0].__name__}"
            )
        if isinstance(value, dict):
            value = {**getattr(request, name), **_values(key, value, origin)}
        changes[name] = value
    return replace(request, **changes)


def _values(key: str, table: Mapping[str, Any], origin: str) -> dict[str, Any]:
    """The shapes or numbers of a table, arrays as tuples."""
    found: dict[str, Any] = {}
    for name, value in table.items():
        numbers = tuple(value) if isinstance(value, list) else (value,)
        plain = all(isinstance(number, (int, float)) for number in numbers)
        if not plain or (key == "shape" and not all(type(number) is int and number > 0 for number in numbers)):
            raise _misread(f"`{key}.{name} = {value!r}` in [tool.ptopro.check] of {origin}", "give numbers")
        found[name] = numbers if key == "shape" or isinstance(value, list) else value
    return found


def _positive(numbers: Iterable[int]) -> tuple[int, ...]:
    found = tuple(numbers)
    if any(number < 1 for number in found):
        raise ValueError
    return found


def _number(text: str) -> Number:
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    try:
        return int(text, 0)
    except ValueError:
        return float(text)


def _misread(what: str, hint: str) -> DiagnosticError:
    return DiagnosticError([make("PTO1863", what=what, hint=hint)])
