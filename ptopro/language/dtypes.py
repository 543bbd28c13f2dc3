"""Element types: name, width, kind and C++ spelling of every `pl.DT_*`.

Source: reference pages "DataType" of the language's public documentation; C++ names as in PTO-ISA.
"""

from __future__ import annotations

from typing import cast

from ptopro.records import record


class _Count(int):
    """A number that may also be called: the language's documentation writes `dtype.bits()`."""

    def __call__(self) -> int:
        return int(self)


class _Answer(int):
    """True or False that may also be called: the language's documentation writes `dtype.is_float()`."""

    def __call__(self) -> bool:
        return bool(self)

    def __repr__(self) -> str:
        return repr(bool(self))


@record
class DType:
    """An element type.  bits: storage width of one element; c: C++ type, empty where the device has none.

    kind: bool, int, uint, float (FP16, BF16, FP32), fp8, fp4, scale.
    """

    name: str
    bits: int
    kind: str
    c: str
    numpy: str  # numpy or ml_dtypes name of the element on the host, empty where there is none

    def __repr__(self) -> str:
        return f"pl.{self.name}"

    @property
    def bytes(self) -> int:
        """Bytes of one element in memory; two 4-bit elements share a byte, so 4-bit types say 1."""
        return max(1, self.bits // 8)

    def __post_init__(self) -> None:
        object.__setattr__(self, "bits", _Count(self.bits))

    @property
    def is_int(self) -> bool:
        return cast(bool, _Answer(self.kind in ("int", "uint")))

    @property
    def is_float(self) -> bool:
        return cast(bool, _Answer(self.kind in ("float", "fp8", "fp4")))

    # The methods that the language documents for kernels and host programs.

    def get_bit(self) -> int:
        return int(self.bits)

    def is_signed_int(self) -> bool:
        return self.kind == "int"

    def is_signed(self) -> bool:
        return self.kind == "int"

    def is_unsigned_int(self) -> bool:
        return self.kind == "uint"

    def is_unsigned(self) -> bool:
        return self.kind == "uint"

    def to_string(self) -> str:
        return self.name.removeprefix("DT_").lower()

    def to_c_type_string(self) -> str:
        return self.c


BOOL = DType("DT_BOOL", 8, "bool", "bool", "bool")
INT4 = DType("DT_INT4", 4, "int", "", "int4")
INT8 = DType("DT_INT8", 8, "int", "int8_t", "int8")
INT16 = DType("DT_INT16", 16, "int", "int16_t", "int16")
INT32 = DType("DT_INT32", 32, "int", "int32_t", "int32")
INT64 = DType("DT_INT64", 64, "int", "int64_t", "int64")
UINT4 = DType("DT_UINT4", 4, "uint", "", "uint4")
UINT8 = DType("DT_UINT8", 8, "uint", "uint8_t", "uint8")
UINT16 = DType("DT_UINT16", 16, "uint", "uint16_t", "uint16")
UINT32 = DType("DT_UINT32", 32, "uint", "uint32_t", "uint32")
UINT64 = DType("DT_UINT64", 64, "uint", "uint64_t", "uint64")
FP16 = DType("DT_FP16", 16, "float", "half", "float16")
BF16 = DType("DT_BF16", 16, "float", "bfloat16_t", "bfloat16")
FP32 = DType("DT_FP32", 32, "float", "float", "float32")
FP8E4M3FN = DType("DT_FP8E4M3FN", 8, "fp8", "float8_e4m3_t", "float8_e4m3fn")
FP8E5M2 = DType("DT_FP8E5M2", 8, "fp8", "float8_e5m2_t", "float8_e5m2")
FP8E8M0 = DType("DT_FP8E8M0", 8, "scale", "float8_e8m0_t", "float8_e8m0fnu")
HF8 = DType("DT_HF8", 8, "fp8", "hifloat8_t", "")
HF4 = DType("DT_HF4", 4, "fp4", "", "")
FP4 = DType("DT_FP4", 4, "fp4", "", "")
FP4E2M1 = DType("DT_FP4E2M1", 4, "fp4", "float4_e2m1x2_t", "float4_e2m1fn")
FP4E1M2 = DType("DT_FP4E1M2", 4, "fp4", "float4_e1m2x2_t", "")

DTYPES: dict[str, DType] = {
    d.name: d
    for d in (
        BOOL, INT4, INT8, INT16, INT32, INT64, UINT4, UINT8, UINT16, UINT32, UINT64, FP16, BF16, FP32,
        FP8E4M3FN, FP8E5M2, FP8E8M0, HF8, HF4, FP4, FP4E2M1, FP4E1M2,
    )
}  # fmt: skip
