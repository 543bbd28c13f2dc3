"""Numbers as C++ text: decimal integers, the shortest float text that reads back to the same bits."""

from __future__ import annotations

import math
import struct

from ptopro.language.dtypes import BOOL, FP32, DType

INT32_MIN, INT32_MAX = -(2**31), 2**31 - 1
INT64_MIN, INT64_MAX = -(2**63), 2**63 - 1


def number(value: int | float | bool, dtype: DType) -> str:
    """The literal of a value of an element type, e.g. `128`, `true`, `1e-8f`, `half(0.5f)`."""
    if dtype is BOOL:
        return "true" if value else "false"
    if dtype.is_int:
        return integer(int(value))
    text = float32(float(value))
    return text if dtype is FP32 else f"{dtype.c}({text})"


def integer(value: int) -> str:
    """An integer literal; the two values without a decimal spelling get their own."""
    if value == INT64_MIN:
        return "INT64_MIN"
    if value > INT64_MAX:
        return f"{value}U"
    return str(value)


def float32(value: float) -> str:
    """The shortest decimal that a C++ compiler reads as the float nearest to `value`; infinities and NaN by name."""
    if math.isnan(value):
        return '__builtin_nanf("")'
    bits = _bits(value)
    if math.isinf(_value(bits)):
        return "__builtin_inff()" if value > 0 else "-__builtin_inff()"
    for digits in range(1, 10):
        text = f"{_value(bits):.{digits}g}"
        if _bits(float(text)) == bits:
            break
    return _spelled(repr(float(text))) + "f"


def _bits(value: float) -> bytes:
    """The float32 nearest to a Python float, as bytes; too large is infinity."""
    try:
        return struct.pack("<f", value)
    except OverflowError:
        return struct.pack("<f", math.copysign(math.inf, value))


def _value(bits: bytes) -> float:
    value: float = struct.unpack("<f", bits)[0]
    return value


def _spelled(text: str) -> str:
    """`1e-08` -> `1e-8`, `3e+38` -> `3e38`."""
    mantissa, _, exponent = text.partition("e")
    return f"{mantissa}e{int(exponent)}" if exponent else mantissa
