"""The shape of every array of a launch.

In: the kernel's interface and the shapes that were given.  Out: a shape for each tensor and pointer parameter, with
where it comes from.  A tensor without a shape of its own takes that of the nearest parameter before it (else after it)
that has one and whose annotated dims agree, since operands of one kernel usually do; the report says so.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ptopro.diagnostics import Diagnostic, DiagnosticError, make
from ptopro.runtime.interface import REST, Interface, Parameter


@dataclass(frozen=True, slots=True)
class Shape:
    """origin: empty when it was given or annotated, else the parameter it was taken from."""

    dims: tuple[int, ...]
    origin: str = ""


def shapes_of(interface: Interface, given: Mapping[str, tuple[int, ...]]) -> dict[str, Shape]:
    """Raises DiagnosticError PTO1862 for shapes that are not known, PTO1863 for names that are no arrays."""
    arrays = [parameter for parameter in interface.parameters if parameter.kind in ("tensor", "ptr")]
    names = [parameter.name for parameter in arrays]
    problems: list[Diagnostic] = [
        make(
            "PTO1863", what=f"the shape of `{name}`", hint=f"the arrays of `{interface.kernel}` are {', '.join(names)}"
        )
        for name in given
        if name not in names
    ]
    found: dict[str, Shape] = {}
    for parameter in arrays:
        if parameter.name in given:
            found[parameter.name] = Shape(given[parameter.name])
        elif parameter.dims and all(isinstance(dim, int) for dim in parameter.dims):
            found[parameter.name] = Shape(tuple(int(dim) for dim in parameter.dims))
    for index, parameter in enumerate(arrays):
        if parameter.name in found:
            continue
        around = [*reversed(arrays[:index]), *arrays[index + 1 :]]
        near = next((other for other in around if _same_dims(parameter, other, given)), None)
        if near is None:
            dims = f"[{', '.join(str(dim) for dim in parameter.dims)}]" if parameter.kind == "tensor" else "a pointer"
            problems.append(
                make("PTO1862", kernel=interface.kernel, name=parameter.name, dims=dims, example=_example(parameter))
            )
        else:
            found[parameter.name] = Shape(given[near.name], near.name)
    if problems:
        raise DiagnosticError(problems)
    return {name: found[name] for name in names}


def _same_dims(parameter: Parameter, other: Parameter, given: Mapping[str, tuple[int, ...]]) -> bool:
    return parameter.kind == "tensor" == other.kind and parameter.dims == other.dims and other.name in given


def _example(parameter: Parameter) -> str:
    dims = [str(dim) if isinstance(dim, int) else "256" for dim in parameter.dims if dim != REST]
    return f"--shape {parameter.name}={','.join(dims) or '4096'}"
