"""The vocabulary of the register operations' entries (`vf.*`): registers, masks, pointers into UB, what they yield.

In: nothing but names.  Out: operands, results and the entry that most of these operations are, `register_operation`.
Templates of C++ call the results `dst` (`dst0`, `dst1` of two), and each operand by its name.
"""

from __future__ import annotations

from collections.abc import Mapping

from ptopro.language import dtypes as dt
from ptopro.language.dtypes import DType
from ptopro.language.enums import MergeMode, PipeType
from ptopro.language.operations.model import (
    REQUIRED,
    CheckRule,
    Form,
    Gives,
    Kind,
    Operand,
    Operation,
    Role,
)
from ptopro.language.operations.parts import (
    FP4S,
    HALF_SINGLE,
    INTS,
    INTS_8_32,
    attr,
    member,
    page,
)

# Sets of element types that recur.
REGISTERS: tuple[DType, ...] = (
    *INTS, dt.FP16, dt.BF16, dt.FP32, dt.FP8E4M3FN, dt.FP8E5M2, dt.FP8E8M0, dt.HF8, *FP4S, dt.FP4, dt.INT4, dt.UINT4,
)  # fmt: skip
ARITHMETIC: tuple[DType, ...] = (*INTS, dt.FP16, dt.FP32, dt.BF16)
PLAIN_8_32: tuple[DType, ...] = (*INTS_8_32, dt.FP16, dt.BF16, dt.FP32)
BITS: tuple[DType, ...] = (
    dt.BOOL, *INTS, dt.FP16, dt.BF16, dt.FP32, dt.FP8E4M3FN, dt.FP8E5M2, dt.FP8E8M0, dt.HF8,
)  # fmt: skip
SIGNED: tuple[DType, ...] = (dt.INT8, dt.INT16, dt.INT32, dt.INT64, *HALF_SINGLE)
WORDS: tuple[DType, ...] = (dt.INT32, dt.UINT32)

REGISTER = Gives((Kind.REGISTER,))
UPDATED = Gives((Kind.REGISTER,), updates=True)
MASK = Gives((Kind.MASK,))


def register(name: str, default: object = REQUIRED) -> Operand:
    """A register that is read."""
    return Operand(name, Role.IN, Kind.REGISTER, default)


def register_or_mask(name: str) -> Operand:
    return Operand(name, Role.IN, Kind.REGISTER | Kind.MASK)


def register_or_number(name: str, like: str) -> Operand:
    """A register, or a scalar of the element type of `like`."""
    return Operand(name, Role.IN, Kind.REGISTER | Kind.SCALAR, like=like)


def mask(name: str = "mask", default: object = REQUIRED) -> Operand:
    """The lanes that take part."""
    return Operand(name, Role.IN, Kind.MASK, default)


def source(name: str = "src") -> Operand:
    """A pointer to elements in UB that are read."""
    return Operand(name, Role.IN, Kind.TILE)


def target(name: str = "dst") -> Operand:
    """A pointer to elements in UB that are written."""
    return Operand(name, Role.OUT, Kind.TILE)


def unalign(name: str) -> Operand:
    return Operand(name, Role.INOUT, Kind.UNALIGN)


def count(name: str, default: object = None) -> Operand:
    """A run-time number of elements."""
    return Operand(name, Role.SCALAR, Kind.SCALAR, default)


def mode(*, merging: bool = False, keyword: bool = False) -> Operand:
    """What lanes outside of the mask become: 0, or (where the instruction can) what the result held before."""
    choices = () if merging else (MergeMode.ZEROING,)
    return Operand("mode", Role.ATTR, Kind.ATTR, MergeMode.ZEROING, keyword, attr_type=MergeMode, choices=choices)


DTYPE = attr("dtype", None)  # the element type of the result
POST_UPDATE = attr("post_update", False, keyword=False, choices=(True, False))


def register_operation(
    name: str,
    operands: tuple[Operand, ...],
    summary: str,
    *forms: Form | str,
    gives: Gives | None = REGISTER,
    dtypes: Mapping[str, tuple[DType, ...]] | None = None,
    check: CheckRule | None = None,
    constraints: tuple[str, ...] = (),
    source: str = "",
) -> Operation:
    """An entry `vf.<name>`; every operation that yields registers takes `dtype=`."""
    named = {operand.name for operand in operands}
    if gives is not None and Kind.REGISTER in gives.kinds and "dtype" not in named:
        operands = (*operands, DTYPE)
    returns = "" if gives is None else "tuple" if len(gives.kinds) > 1 else _WORDS[gives.kinds[0]]
    return Operation(
        name=f"vf.{name}",
        group="vf",
        operands=operands,
        pipe=PipeType.V,
        summary=summary,
        forms=tuple(form if isinstance(form, Form) else Form((), (form,)) for form in forms),
        check=check,
        dtypes=dtypes or {},
        constraints=constraints,
        returns=returns,
        core="vector",
        chips=("a5",),
        source=page(f"vf_computation/{source}/{name}") if source else "",
        gives=gives,
    )


_WORDS = {Kind.REGISTER: "register", Kind.MASK: "mask", Kind.ADDRESS: "address", Kind.UNALIGN: "unalign"}

__all__ = [
    "ARITHMETIC", "BITS", "DTYPE", "MASK", "PLAIN_8_32", "POST_UPDATE", "REGISTER", "REGISTERS", "SIGNED", "UPDATED",
    "WORDS", "count", "mask", "member", "mode", "register", "register_operation", "register_or_mask",
    "register_or_number", "source", "target", "unalign",
]  # fmt: skip
