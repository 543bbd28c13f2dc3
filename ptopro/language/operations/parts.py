"""The vocabulary that the entries of the operation table are written in: operands, sets of element types, sources.

In: nothing but names.  Out: `Operand`s with the roles and kinds that recur, so that an entry reads like a signature.
"""

from __future__ import annotations

import enum

from ptopro.language import dtypes as dt
from ptopro.language.dtypes import DType
from ptopro.language.enums import MemorySpace
from ptopro.language.operations.model import REQUIRED, Kind, Operand, Role

VEC = (MemorySpace.Vec,)
MAT = (MemorySpace.Mat,)
VEC_MAT = (MemorySpace.Vec, MemorySpace.Mat)
VEC_ACC = (MemorySpace.Vec, MemorySpace.Acc)
LEFT = (MemorySpace.Left,)
RIGHT = (MemorySpace.Right,)
ACC = (MemorySpace.Acc,)

# Sets of element types, as the pages of the operations list them.
INTS_8_32: tuple[DType, ...] = (dt.INT8, dt.UINT8, dt.INT16, dt.UINT16, dt.INT32, dt.UINT32)
INTS_16_64: tuple[DType, ...] = (dt.INT16, dt.UINT16, dt.INT32, dt.UINT32, dt.INT64, dt.UINT64)
INTS: tuple[DType, ...] = (*INTS_8_32, dt.INT64, dt.UINT64)
HALF_SINGLE: tuple[DType, ...] = (dt.FP16, dt.FP32)
FLOATS: tuple[DType, ...] = (dt.FP16, dt.BF16, dt.FP32)
ARITHMETIC: tuple[DType, ...] = (*INTS, *FLOATS)
WIDE: tuple[DType, ...] = (*INTS_16_64, *FLOATS)
FP8S: tuple[DType, ...] = (dt.FP8E4M3FN, dt.FP8E5M2)
FP4S: tuple[DType, ...] = (dt.FP4E2M1, dt.FP4E1M2)
STORAGE: tuple[DType, ...] = (*ARITHMETIC, *FP8S, dt.FP8E8M0, *FP4S, dt.HF8, dt.BOOL)
ADDRESSABLE: tuple[DType, ...] = (*ARITHMETIC, dt.BOOL)  # a single element can be read and written
BITS_16_32: tuple[DType, ...] = (dt.INT16, dt.UINT16, dt.INT32, dt.UINT32, *FLOATS)


def out(name: str = "out", memory: tuple[MemorySpace, ...] = VEC) -> Operand:
    """A tile that is written."""
    return Operand(name, Role.OUT, Kind.TILE, memory=memory)


def src(name: str = "src", memory: tuple[MemorySpace, ...] = VEC) -> Operand:
    """A tile that is read."""
    return Operand(name, Role.IN, Kind.TILE, memory=memory)


def inout(name: str, memory: tuple[MemorySpace, ...] = VEC) -> Operand:
    """A tile that is read and written, clobbered inputs included."""
    return Operand(name, Role.INOUT, Kind.TILE, memory=memory)


def scratch(name: str = "tmp") -> Operand:
    """A tile whose bytes the instruction may use."""
    return Operand(name, Role.SCRATCH, Kind.TILE, memory=VEC)


def optional(operand: Operand, *, keyword: bool = False) -> Operand:
    """The operand, which may be left out."""
    return Operand(
        operand.name,
        operand.role,
        operand.kind,
        None,
        keyword or operand.keyword_only,
        memory=operand.memory,
        like=operand.like,
    )


def tile_or_number(name: str, like: str) -> Operand:
    """A tile, or a scalar of the element type of `like`."""
    return Operand(name, Role.IN, Kind.TILE | Kind.SCALAR, memory=VEC, like=like)


def number(name: str, like: str = "") -> Operand:
    """A run-time scalar."""
    return Operand(name, Role.SCALAR, Kind.SCALAR, like=like)


def offsets(name: str = "offsets", default: object = REQUIRED, *, keyword: bool = False) -> Operand:
    """A list of run-time scalars."""
    return Operand(name, Role.SCALAR, Kind.OFFSETS, default, keyword)


def tensor(name: str, role: Role) -> Operand:
    """A tensor in global memory."""
    return Operand(name, role, Kind.TENSOR)


def attr(name: str, default: object = REQUIRED, *, keyword: bool = True, choices: tuple[object, ...] = ()) -> Operand:
    """Something known at compile time."""
    return Operand(name, Role.ATTR, Kind.ATTR, default, keyword, choices=choices)


def member(name: str, of: type[enum.Enum], default: object = REQUIRED, *, keyword: bool = True) -> Operand:
    """A member of an enumeration."""
    return Operand(name, Role.ATTR, Kind.ATTR, default, keyword, attr_type=of)


def variadic(name: str, role: Role, kind: Kind) -> Operand:
    """`*name`."""
    return Operand(name, role, kind, variadic=True)


# dim=0 works along each row (the result is one column), any other value along each column.
DIM = Operand("dim", Role.ATTR, Kind.ATTR, 0, keyword_only=True)
DIM_OR_NONE = Operand("dim", Role.ATTR, Kind.ATTR, None, keyword_only=True)


def page(path: str) -> str:
    """A page of the public documentation, relative to its API folder."""
    return f"SIMD-API/operation/{path}.md"


_VECTOR = "memory_vector_computation"


def vector_page(path: str) -> str:
    return page(f"{_VECTOR}/{path}")
