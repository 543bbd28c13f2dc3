"""Tiling data of a launch: from a dataclass instance to the bytes of the C struct.

In: a tiling parameter and an instance.  Out: storage with the struct's natural alignment, field by field in order.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any

from ptopro.runtime.interface import Field, Parameter
from ptopro.runtime.scalars import pack_scalar


def struct_type(parameter: Parameter) -> type[ctypes.Structure]:
    """The ctypes struct with the layout that a C compiler gives the tiling header's struct."""
    fields: list[tuple[str, Any]] = []
    for item in parameter.fields:
        element = _element(item.dtype)
        fields.append((item.name, element * item.length if item.length else element))
    return type(parameter.dtype, (ctypes.Structure,), {"_fields_": fields})


def pack_tiling(parameter: Parameter, instance: object) -> ctypes.Structure:
    """The struct filled from `instance`.  Raises TypeError or ValueError naming the field that does not fit."""
    if isinstance(instance, type) or any(not hasattr(instance, item.name) for item in parameter.fields):
        raise TypeError(f"a {type(instance).__name__} is no instance of {parameter.dtype}")
    packed = struct_type(parameter)()
    address = ctypes.addressof(packed)
    for item in parameter.fields:
        at = address + getattr(type(packed), item.name).offset
        size = ctypes.sizeof(_element(item.dtype))
        for index, value in enumerate(_values(item, getattr(instance, item.name))):
            try:
                storage = pack_scalar(item.dtype, value)
            except (TypeError, ValueError) as error:
                raise type(error)(f"field {item.name}: {error}") from error
            ctypes.memmove(at + index * size, ctypes.addressof(storage), size)
    return packed


def _values(item: Field, value: object) -> Sequence[object]:
    """The elements of a field's value: one, or exactly as many as the array has."""
    if not item.length:
        return (value,)
    if isinstance(value, (str, bytes)) or not hasattr(value, "__len__") or not hasattr(value, "__getitem__"):
        raise TypeError(f"field {item.name}: a {type(value).__name__} is no array of {item.length} numbers")
    if len(value) != item.length:
        raise ValueError(f"field {item.name}: {len(value)} numbers for an array of {item.length}")
    return [value[index] for index in range(item.length)]


def _element(dtype: str) -> Any:
    """A ctypes type of the element's size and alignment."""
    if dtype == "DT_BOOL":
        return ctypes.c_bool
    if dtype == "DT_FP32":
        return ctypes.c_float
    if dtype in ("DT_FP16", "DT_BF16"):
        return ctypes.c_uint16
    return getattr(ctypes, f"c_{dtype.removeprefix('DT_').lower()}")
