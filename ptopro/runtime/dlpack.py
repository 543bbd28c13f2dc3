"""Read arrays through dlpack without any array library.

In: an object with `__dlpack__`.  Out: address, element type, shape, strides; the capsule that keeps the memory alive.
The structures are those of dlpack 1.x's C header, which is stable by its own rules.
"""

from __future__ import annotations

import ctypes
from dataclasses import dataclass

_CPU_DEVICES = (1, 3)  # kDLCPU, kDLCUDAHost: memory that the host can reach
_READ_ONLY = 1  # DLPACK_FLAG_BITMASK_READ_ONLY

# Type code and bits -> name of the element in numpy's or ml_dtypes' words.
_NAMES = {
    **{(0, bits): f"int{bits}" for bits in (8, 16, 32, 64)},
    **{(1, bits): f"uint{bits}" for bits in (8, 16, 32, 64)},
    **{(2, bits): f"float{bits}" for bits in (16, 32, 64)},
    (4, 16): "bfloat16",
    (6, 8): "bool",
    (10, 8): "float8_e4m3fn",
    (12, 8): "float8_e5m2",
    (14, 8): "float8_e8m0fnu",
    (17, 4): "float4_e2m1fn",
}


class _Device(ctypes.Structure):
    _fields_ = (("type", ctypes.c_int32), ("id", ctypes.c_int32))


class _DataType(ctypes.Structure):
    _fields_ = (("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16))


class _Tensor(ctypes.Structure):
    _fields_ = (
        ("data", ctypes.c_void_p),
        ("device", _Device),
        ("ndim", ctypes.c_int32),
        ("dtype", _DataType),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    )


class _Version(ctypes.Structure):
    _fields_ = (("major", ctypes.c_uint32), ("minor", ctypes.c_uint32))


class _Versioned(ctypes.Structure):
    _fields_ = (
        ("version", _Version),
        ("context", ctypes.c_void_p),
        ("deleter", ctypes.c_void_p),
        ("flags", ctypes.c_uint64),
        ("tensor", _Tensor),
    )


@dataclass(frozen=True, slots=True)
class DlpackArray:
    """address in bytes; strides in elements (None: contiguous, row-major); capsule owns the memory."""

    address: int
    dtype: str
    bits: int  # of one element
    shape: tuple[int, ...]
    strides: tuple[int, ...] | None
    read_only: bool
    on_host: bool
    capsule: object


def read_dlpack(array: object) -> DlpackArray:
    """The array behind `array.__dlpack__()`.  Raises what the exporter raises, BufferError for types without a name."""
    export = array.__dlpack__  # type: ignore[attr-defined]
    try:
        capsule = export(max_version=(1, 1))
    except TypeError:
        capsule = export()
    api = ctypes.pythonapi
    api.PyCapsule_GetName.restype = ctypes.c_char_p
    api.PyCapsule_GetName.argtypes = (ctypes.py_object,)
    api.PyCapsule_GetPointer.restype = ctypes.c_void_p
    api.PyCapsule_GetPointer.argtypes = (ctypes.py_object, ctypes.c_char_p)
    name = api.PyCapsule_GetName(capsule)
    pointer = api.PyCapsule_GetPointer(capsule, name)
    read_only = False
    if name == b"dltensor_versioned":
        versioned = _Versioned.from_address(pointer)
        read_only = bool(versioned.flags & _READ_ONLY)
        tensor = versioned.tensor
    else:
        tensor = _Tensor.from_address(pointer)
    dtype = _NAMES.get((tensor.dtype.code, tensor.dtype.bits))
    if dtype is None or tensor.dtype.lanes != 1:
        raise BufferError(f"dlpack element type {tensor.dtype.code}/{tensor.dtype.bits} bits is not known")
    count = tensor.ndim
    return DlpackArray(
        address=(tensor.data or 0) + tensor.byte_offset,
        dtype=dtype,
        bits=tensor.dtype.bits,
        shape=tuple(tensor.shape[:count]),
        strides=tuple(tensor.strides[:count]) if tensor.strides else None,
        read_only=read_only,
        on_host=tensor.device.type in _CPU_DEVICES,
        capsule=capsule,
    )
