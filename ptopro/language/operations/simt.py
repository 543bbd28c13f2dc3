"""SIMT functions: where a thread stands, launching, arithmetic of a thread, atomic updates of an element.

`atomic_*` and the mathematical functions are ptopro's names for what the device's SIMT headers offer
(`simt_api/device_atomic_functions.h`, `simt_api/math_functions.h`).
"""

from __future__ import annotations

from collections.abc import Iterator

from ptopro.language import dtypes as dt
from ptopro.language.dtypes import DType
from ptopro.language.enums import MemorySpace, PipeType
from ptopro.language.operations.model import (
    Form,
    Kind,
    Operand,
    Operation,
    Problem,
    Role,
    TensorView,
    Views,
)
from ptopro.language.operations.parts import attr, number, offsets
from ptopro.language.operations.rules.common import dtype_names, problem
from ptopro.language.tiles import TileSpec

# What atomic instructions take, by where the element lies: 64-bit numbers only in global memory.
ATOMIC_UB: tuple[DType, ...] = (dt.INT32, dt.UINT32, dt.FP32)
ATOMIC_GM: tuple[DType, ...] = (*ATOMIC_UB, dt.INT64, dt.UINT64)


def _thread(name: str, returns: str, summary: str) -> Operation:
    return Operation(
        name=f"simt.{name}",
        group="simt",
        operands=(),
        pipe=PipeType.V,
        summary=summary,
        forms=(Form((), ("@simt",)),),
        returns=returns,
        core="vector",
        chips=("a5",),
    )


def _math(name: str, cpp: str, summary: str, *operands: str) -> Operation:
    operands = operands or ("value",)
    arguments = ", ".join(f"{{{operand}}}" for operand in operands)
    return Operation(
        name=f"simt.{name}",
        group="simt",
        operands=tuple(number(operand) for operand in operands),
        pipe=PipeType.V,
        summary=summary,
        forms=(Form((), (f"{cpp}({arguments})",)),),
        returns="scalar",
        core="vector",
        chips=("a5",),
        exported=False,
        constraints=("computes in FP32",),
    )


def _atomic_element(operation: Operation, views: Views) -> Iterator[Problem]:
    """The element types that atomic instructions have."""
    container = views.get("container")
    if not isinstance(container, TileSpec | TensorView):
        return
    allowed = ATOMIC_UB if isinstance(container, TileSpec) else ATOMIC_GM
    if operation.name.rpartition("_")[2] in ("and", "or", "xor"):
        allowed = tuple(dtype for dtype in allowed if dtype.is_int)
    if container.dtype not in allowed:
        facts = {"actual": container.dtype.name, "allowed": dtype_names(allowed)}
        yield problem("PTO1202", operation, "container", **facts)


def _atomic(name: str, summary: str, *values: str) -> Operation:
    values = values or ("value",)
    arguments = ", ".join(("{container}", *(f"{{{value}}}" for value in values)))
    return Operation(
        name=f"simt.atomic_{name}",
        group="simt",
        operands=(
            Operand("container", Role.INOUT, Kind.TILE | Kind.TENSOR, memory=(MemorySpace.Vec, MemorySpace.DDR)),
            offsets("indices"),
            *(number(value, "container") for value in values),
        ),
        pipe=PipeType.V,
        summary=f"{summary}; gives what the element was before.",
        forms=(Form((), (f"asc_atomic_{name}({arguments})",)),),
        check=_atomic_element,
        returns="scalar",
        core="vector",
        chips=("a5",),
        exported=False,
        constraints=("elements of 64 bits in tensors only",),
    )


OPERATIONS: tuple[Operation, ...] = (
    _thread("thread_idx", "tuple", "x, y, z of the thread."),
    _thread("block_dim", "tuple", "Threads of the launch along x, y, z."),
    _thread("block_idx", "tuple", "x, y, z of the vector core, which is a block of threads."),
    _thread("grid_dim", "tuple", "Vector cores along x, y, z."),
    _thread("linear_thread_idx", "scalar", "Flat index of the thread, x fastest."),
    _thread("warp_size", "scalar", "Threads of a warp."),
    Operation(
        name="simt.launch",
        group="simt",
        operands=(attr("callee", keyword=False), attr("threads"), attr("args")),
        pipe=PipeType.V,
        summary="Run a SIMT function with one to three thread extents.",
        forms=(Form((), ("@simt_launch",)),),
        constraints=("args is a tuple of scalars, tensors and tiles", "at most 2048 threads"),
        core="vector",
        chips=("a5",),
    ),
    _math("exp", "expf", "e to the power of value."),
    _math("log", "logf", "Natural logarithm."),
    _math("sqrt", "sqrtf", "Square root."),
    _math("rsqrt", "rsqrtf", "One over the square root."),
    _math("sin", "sinf", "Sine; value in radians."),
    _math("cos", "cosf", "Cosine; value in radians."),
    _math("tanh", "tanhf", "Hyperbolic tangent."),
    _math("floor", "floorf", "The largest integral number that is not above value."),
    _math("ceil", "ceilf", "The smallest integral number that is not below value."),
    _math("abs", "fabsf", "Value without its sign."),
    _math("pow", "powf", "base to the power of exponent.", "base", "exponent"),
    _math("fma", "fmaf", "a * b + c, rounded once.", "a", "b", "c"),
    _atomic("add", "container[indices] += value, as one step"),
    _atomic("sub", "container[indices] -= value, as one step"),
    _atomic("max", "container[indices] = max(container[indices], value), as one step"),
    _atomic("min", "container[indices] = min(container[indices], value), as one step"),
    _atomic("and", "container[indices] &= value, as one step"),
    _atomic("or", "container[indices] |= value, as one step"),
    _atomic("xor", "container[indices] ^= value, as one step"),
    _atomic("exch", "container[indices] = value, as one step"),
    _atomic("cas", "container[indices] = value where it equals compare, as one step", "compare", "value"),
)
