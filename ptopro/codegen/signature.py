"""How a compiled kernel is called: its parameters in order, its dynamic dimensions, its halves, its entry symbol.

In: a KernelIR.  Out: a Signature that is written next to kernel.cpp and read by build and runtime (JSON both ways).
The entry takes one pointer for each argument: tensors and pointers, scalars, then the dynamic dimensions as int64.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Any

from ptopro.language.dtypes import DTYPES, DType
from ptopro.lowering.ir import KernelIR, Param, TensorDecl, Var

DYNAMIC = "dynamic"


@dataclass(frozen=True, slots=True)
class ParamSignature:
    """kind: tensor, ptr, scalar or tiling; dims: ints that must match, or "dynamic".

    dtype None for tiling, whose struct is passed by value: fields (name, dtype, length; 0 for a single value).
    """

    name: str
    kind: str
    dtype: str | None
    dims: tuple[int | str, ...] = ()
    layout: str = "ND"
    has_default: bool = False
    default: int | float | bool | None = None
    fields: tuple[tuple[str, str, int], ...] = ()

    @property
    def element(self) -> DType | None:
        return None if self.dtype is None else DTYPES[self.dtype]


@dataclass(frozen=True, slots=True)
class Signature:
    """dynamic: (parameter name, axis) of each run-time dimension, in the order the entry takes them."""

    kernel: str
    chip: str
    params: tuple[ParamSignature, ...]
    dynamic: tuple[tuple[str, int], ...]
    halves: tuple[str, ...]
    entry: str

    def to_json(self) -> str:
        """The signature as JSON text, one stable form."""
        return json.dumps(asdict(self), indent=2) + "\n"

    @staticmethod
    def from_json(text: str) -> Signature:
        """The signature that `to_json` wrote."""
        data: dict[str, Any] = json.loads(text)
        params = tuple(_read_param(item) for item in data.pop("params"))
        dynamic = tuple((name, axis) for name, axis in data.pop("dynamic"))
        return Signature(params=params, dynamic=dynamic, halves=tuple(data.pop("halves")), **data)


def _read_param(item: dict[str, Any]) -> ParamSignature:
    fields = tuple((name, dtype, length) for name, dtype, length in item.pop("fields"))
    return ParamSignature(dims=tuple(item.pop("dims")), fields=fields, **item)


def signature_of(ir: KernelIR, entry: str) -> Signature:
    """The signature of a lowered kernel whose launch function is called `entry`."""
    halves = tuple(name for name, half in (("cube", ir.cube), ("vector", ir.vector)) if half is not None)
    return Signature(
        kernel=ir.name,
        chip=ir.chip,
        params=tuple(_param(param) for param in ir.params),
        dynamic=tuple((name, axis) for _, name, axis in ir.dynamic_dims),
        halves=halves,
        entry=entry,
    )


def _param(param: Param) -> ParamSignature:
    dims = tuple(DYNAMIC if isinstance(dim, Var) else dim for dim in param.dims)
    layout = param.value.layout.name if isinstance(param.value, TensorDecl) else "ND"
    default = param.default if isinstance(param.default, (int, float, bool)) else None
    dtype = None if param.dtype is None else param.dtype.name
    cls: Any = param.value if param.kind == "tiling" else None
    fields = () if cls is None else tuple((field.name, field.dtype.name, field.length) for field in cls.fields)
    return ParamSignature(param.name, param.kind, dtype, dims, layout, param.has_default, default, fields)
