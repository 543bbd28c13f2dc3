"""What a launch must know of a kernel to check and pass arguments; kept as JSON beside what was built.

In: a `KernelSource` of the front end.  Out: an `Interface`: names, kinds, element types and dims of the parameters.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
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
    """kind: tensor, ptr, scalar, tiling (dtype: the dataclass's name).  dims: an int, DYNAMIC, STATIC, or REST."""

    name: str
    kind: str
    dtype: str
    dims: Dims = ()
    fields: tuple[Field, ...] = ()


@dataclass(frozen=True, slots=True)
class Interface:
    kernel: str
    parameters: tuple[Parameter, ...]

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @staticmethod
    def from_json(data: Mapping[str, Any]) -> Interface:
        return Interface(
            kernel=data["kernel"],
            parameters=tuple(
                Parameter(
                    item["name"],
                    item["kind"],
                    item["dtype"],
                    tuple(item["dims"]),
                    tuple(Field(**field) for field in item["fields"]),
                )
                for item in data["parameters"]
            ),
        )


def interface_of(kernel: KernelSource) -> Interface:
    """The interface of a kernel that the front end has read."""
    return Interface(kernel.name, tuple(_parameter(parameter) for parameter in kernel.parameters))


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
    return dim if isinstance(dim, int) else str(dim.name).lower()
