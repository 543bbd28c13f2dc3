"""What a launch must give to a kernel before it can be lowered: its key, its dtype variables, its STATIC dims.

In: a `KernelSource` and a `Target`.  Out: what the target does not give, in the order of the kernel's declaration.
"""

from __future__ import annotations

from ptopro.frontend.kernels import KernelParameter, KernelSource
from ptopro.frontend.keys import key_fields
from ptopro.frontend.values import Dim, TensorAnnotation
from ptopro.lowering.target import Target


def dtype_variables(kernel: KernelSource) -> tuple[str, ...]:
    """The variables of the decorator's `datatype=`, each once."""
    return tuple(dict.fromkeys((kernel.options.datatype or {}).values()))


def static_parameters(kernel: KernelSource) -> tuple[str, ...]:
    """The tensors with dims that a launch fixes."""
    return tuple(p.name for p in kernel.parameters if has_static_dims(p))


def has_static_dims(parameter: KernelParameter) -> bool:
    annotation = parameter.annotation
    return isinstance(annotation, TensorAnnotation) and (annotation.rest or Dim.STATIC in annotation.dims)


def fits_rank(annotation: TensorAnnotation, dims: tuple[int, ...]) -> bool:
    """Whether dims of a launch are as many as the annotation takes."""
    rank = len(annotation.dims)
    return len(dims) == rank or (annotation.rest and len(dims) > rank)


def missing_names(kernel: KernelSource, target: Target) -> list[str]:
    """Key fields and dtype variables without a value."""
    key = kernel.options.tiling_key
    wanted = [*(key_fields(key) if key is not None else ()), *dtype_variables(kernel)]
    return [name for name in wanted if name not in target.key and name not in target.dtypes]


def missing_shapes(kernel: KernelSource, target: Target) -> list[str]:
    """Parameters with STATIC dims whose shape is not given."""
    return [name for name in static_parameters(kernel) if name not in target.static_dims]
