"""What a launch must know of a kernel to check and pass arguments; kept as JSON beside what was built.

In: a `KernelSource` of the front end.  Out: an `Interface`: names, kinds, element types and dims of the parameters, the
tiling key's fields, and the files the kernel was read from.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from ptopro.frontend.kernels import KernelParameter, KernelSource

DYNAMIC = "dynamic"
STATIC = "static"
REST = "..."  # zero or more STATIC dims, last

Dims: TypeAlias = "tuple[int | str, ...]"


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a tiling dataclass; length 0: not an array."""

    name: str
    dtype: str
    length: int


@dataclass(frozen=True, slots=True)
class Parameter:
    """kind: tensor, ptr, scalar, tiling.  dims of tensors: an int, DYNAMIC, STATIC, or REST."""

    name: str
    kind: str
    dtype: str
    dims: Dims = ()
    fields: tuple[Field, ...] = ()


@dataclass(frozen=True, slots=True)
class Interface:
    """keys: fields of the tiling key with their values; datatype: parameter -> the constant its dtype is bound to."""

    kernel: str
    parameters: tuple[Parameter, ...]
    keys: tuple[tuple[str, tuple[int, ...]], ...] = ()
    datatype: tuple[tuple[str, str], ...] = ()
    arch: str = "a5"

    def to_json(self) -> dict[str, Any]:
        return {
            "kernel": self.kernel,
            "parameters": [
                {
                    "name": p.name,
                    "kind": p.kind,
                    "dtype": p.dtype,
                    "dims": list(p.dims),
                    "fields": [[f.name, f.dtype, f.length] for f in p.fields],
                }
                for p in self.parameters
            ],
            "keys": [[name, list(values)] for name, values in self.keys],
            "datatype": [list(pair) for pair in self.datatype],
            "arch": self.arch,
        }

    @staticmethod
    def from_json(data: Mapping[str, Any]) -> Interface:
        return Interface(
            kernel=data["kernel"],
            parameters=tuple(
                Parameter(
                    p["name"], p["kind"], p["dtype"], tuple(p["dims"]), tuple(Field(*field) for field in p["fields"])
                )
                for p in data["parameters"]
            ),
            keys=tuple((name, tuple(values)) for name, values in data["keys"]),
            datatype=tuple((parameter, variable) for parameter, variable in data["datatype"]),
            arch=data["arch"],
        )


def interface_of(kernel: KernelSource, arch: str) -> Interface:
    """The interface of a kernel that the front end has read."""
    key_class = kernel.options.tiling_key
    keys: list[tuple[str, tuple[int, ...]]] = []
    if key_class is not None:
        for name, value in key_class.attributes.items():
            if hasattr(value, "bits") and hasattr(value, "values"):
                keys.append((name, tuple(value.values)))
    return Interface(
        kernel=kernel.name,
        parameters=tuple(_parameter(parameter) for parameter in kernel.parameters),
        keys=tuple(keys),
        datatype=tuple((kernel.options.datatype or {}).items()),
        arch=arch,
    )


def _parameter(parameter: KernelParameter) -> Parameter:
    annotation: Any = parameter.annotation
    kind = parameter.kind.value
    if kind == "tiling":
        fields = tuple(Field(f.name, f.dtype.name, f.length) for f in annotation.fields)
        return Parameter(parameter.name, kind, annotation.name, (), fields)
    if kind == "scalar":
        return Parameter(parameter.name, kind, annotation.name)
    dims: Dims = tuple(_dim(dim) for dim in annotation.dims) if kind == "tensor" else ()
    if kind == "tensor" and annotation.rest:
        dims += (REST,)
    return Parameter(parameter.name, kind, annotation.dtype.name, dims)


def _dim(dim: Any) -> int | str:
    if isinstance(dim, int):
        return dim
    return str(dim.value).lower()
