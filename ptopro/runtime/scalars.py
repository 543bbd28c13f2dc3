"""Scalars of a launch: from a Python number to the bytes of the kernel's argument.

In: an element type's name and a value of the host program.  Out: ctypes storage, or a ValueError / TypeError that says
in words what does not fit.
"""

from __future__ import annotations

import ctypes
import math
import numbers
import struct
import warnings
from typing import Any, TypeAlias

Storage: TypeAlias = Any  # an object of ctypes; its classes have no common public base

_INTEGERS: dict[str, tuple[Any, int, int]] = {
    f"DT_{sign}INT{bits}": (
        getattr(ctypes, f"c_{sign.lower()}int{bits}"),
        0 if sign else -(1 << (bits - 1)),
        (1 << bits) - 1 if sign else (1 << (bits - 1)) - 1,
    )
    for bits in (8, 16, 32, 64)
    for sign in ("", "U")
}
# A signed word may be given as the unsigned number of the same bits: the bits of a float, say.
_WORDS = {"DT_INT32": 32, "DT_INT64": 64}
_FLOATS = ("DT_FP32", "DT_FP16", "DT_BF16")


def pack_scalar(dtype: str, value: object) -> Storage:
    """Storage that holds `value` as an argument of type `dtype`.

    Raises TypeError when it is not a number of that category, ValueError when it does not fit.
    """
    if dtype == "DT_BOOL":
        return ctypes.c_bool(bool(_integer(value, 0, 1, dtype)))
    if dtype in _INTEGERS:
        storage, low, high = _INTEGERS[dtype]
        return storage(_integer(value, low, high, dtype))
    if dtype in _FLOATS:
        return ctypes.create_string_buffer(_float_bytes(dtype, _real(value)), 4 if dtype == "DT_FP32" else 2)
    raise TypeError(f"a scalar of type pl.{dtype} cannot be passed from the host")


def _integer(value: object, low: int, high: int, dtype: str) -> int:
    """value as an int: Python's, numpy's, or an array library's scalar; floats are refused, even whole ones."""
    if isinstance(value, float) or not hasattr(value, "__index__"):
        if type(value).__name__ == "bool_" or type(value).__name__ == "bool":
            value = int(bool(value))
        else:
            raise TypeError(f"a {type(value).__name__} is no integer")
    number = value.__index__()
    if dtype in _WORDS and high < number <= high - low:
        bits = _WORDS[dtype]
        number -= 1 << bits
        warnings.warn(f"{number + (1 << bits)} is passed as the {bits} bits of pl.{dtype}: {number}", stacklevel=2)
    if not low <= number <= high:
        raise ValueError(f"{number} does not fit in pl.{dtype}, which holds {low} to {high}")
    return int(number)


def _real(value: object) -> float:
    if isinstance(value, numbers.Real) or hasattr(value, "__float__"):
        return float(value)
    raise TypeError(f"a {type(value).__name__} is no number")


def _float_bytes(dtype: str, value: float) -> bytes:
    """The value rounded to nearest, ties to even, as the type's bytes; too large becomes infinity as in C."""
    if dtype == "DT_FP16":
        try:
            return struct.pack("<e", value)
        except OverflowError:
            return struct.pack("<e", math.copysign(math.inf, value))
    try:
        single = struct.pack("<f", value)
    except OverflowError:
        single = struct.pack("<f", math.copysign(math.inf, value))
    if dtype == "DT_FP32":
        return single
    bits = int.from_bytes(single, "little")
    if math.isnan(value):
        return b"\xc0\x7f"
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16 & 0xFFFF).to_bytes(2, "little")
