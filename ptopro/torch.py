"""Kernels as custom operators of torch (extra `torch`): eager, in `torch.compile` and `torch.export`, on meta tensors.

    from ptopro.torch import custom_op

    scaled_add = custom_op("mine::scaled_add", kernel, outputs={"out": "x"}, block_dim=4)
    y = scaled_add(x, other, 2.0)           # also torch.ops.mine.scaled_add

In: a kernel of `@pl.jit` and which of its parameters are outputs.  Out: an operator that takes the other parameters
and returns the outputs, freshly made.  Its schema is the kernel's signature, its meta function the declared outputs,
and in eager runs the kernel is launched on the CPU's memory.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import torch

from ptopro.diagnostics import DiagnosticError, make
from ptopro.language import dtypes as types
from ptopro.language.dtypes import DTYPES
from ptopro.runtime.fingerprint import fingerprint
from ptopro.runtime.interface import Interface, Parameter
from ptopro.runtime.kernel import JitKernel
from ptopro.runtime.translation import interface_for

Shape = Sequence[int]
_NAMES = {torch.float16: "FP16", torch.bfloat16: "BF16", torch.float32: "FP32"}


@dataclass(frozen=True, slots=True)
class _Operator:
    """What the two implementations of an operator share.  given: the parameters that a caller passes, in order."""

    name: str
    kernel: JitKernel
    interface: Interface
    outputs: Mapping[str, Any]
    given: tuple[Parameter, ...]
    launch: _Launch


@dataclass(frozen=True, slots=True)
class _Launch:
    """How the kernel is launched; each may be a function of the inputs by name.  workspace: bytes."""

    block_dim: Any = 1
    key: Any = None
    tiling: Any = None
    workspace: Any = 0
    mutates: tuple[str, ...] = field(default=())


def custom_op(
    name: str,
    kernel: JitKernel,
    *,
    outputs: Mapping[str, Any],
    block_dim: int | Callable[..., int] = 1,
    key: Mapping[str, int] | Callable[..., Mapping[str, int]] | None = None,
    tiling: object = None,
    workspace: int | Callable[..., int] = 0,
    mutates: Sequence[str] = (),
) -> Any:
    """Register a kernel as the operator `namespace::name`; the operator.

    outputs: by parameter, in the order they are returned: the name of an input that it is like, or a function of the
    inputs by name that gives its shape, or (shape, torch dtype); mutates: inputs that the kernel writes to;
    block_dim, key, tiling (a dataclass instance), workspace (bytes): values, or functions of the inputs by name.
    Raises DiagnosticError PTO2011 for a declaration that does not fit the kernel; those of the kernel itself.
    """
    mark = fingerprint(kernel.function, kernel.options)
    interface = interface_for(kernel.function, kernel.options, mark)
    launch = _Launch(block_dim, key, tiling, workspace, tuple(mutates))
    given = tuple(p for p in interface.parameters if p.name not in outputs and not _supplied(p))
    operator = _Operator(name, kernel, interface, outputs, given, launch)
    problem = _problem(operator)
    if problem:
        raise DiagnosticError([make("PTO2011", operator=name, kernel=kernel.name, problem=problem)])
    torch.library.define(name, _schema(operator))
    torch.library.impl(name, "CPU", lambda *args: _run(operator, args))
    torch.library.register_fake(name, lambda *args: _returned(_empty(operator, args)))
    namespace, _, own = name.partition("::")
    return getattr(getattr(torch.ops, namespace), own)


def _supplied(parameter: Parameter) -> bool:
    """Whether the launch gives a parameter: the tiling data and the workspace."""
    return parameter.kind == "tiling" or parameter.name == "workspace"


def _problem(operator: _Operator) -> str:
    """What is wrong with a declaration; empty when nothing is."""
    arrays = {p.name for p in operator.interface.parameters if p.kind in ("tensor", "ptr")}
    inputs = {p.name for p in operator.given}
    namespace, separator, own = operator.name.partition("::")
    if not (separator and namespace.isidentifier() and own.isidentifier()):
        return "its name must be namespace::name"
    if not operator.outputs:
        return "it has no outputs"
    for name, rule in operator.outputs.items():
        if name not in arrays:
            return f"`{name}` is no tensor or pointer of the kernel ({', '.join(sorted(arrays))})"
        if isinstance(rule, str) and rule not in inputs & arrays:
            return f"`{name}` is declared like `{rule}`, which is no input tensor"
        if not isinstance(rule, str) and not callable(rule):
            return f"`{name}` must be declared by an input's name or a function, not {rule!r}"
    for name in operator.launch.mutates:
        if name not in inputs & arrays:
            return f"`{name}` cannot be mutated: it is no input tensor"
    if operator.launch.tiling is None and any(p.kind == "tiling" for p in operator.interface.parameters):
        return "the kernel takes tiling data, and `tiling=` is not given"
    return ""


def _schema(operator: _Operator) -> str:
    """(Tensor x, Tensor(a0!) y, float scale) -> (Tensor, Tensor)"""
    words: list[str] = []
    for parameter in operator.given:
        if parameter.name in operator.launch.mutates:
            words.append(f"Tensor(a{len(words)}!) {parameter.name}")
        else:
            words.append(f"{_schema_type(parameter)} {parameter.name}")
    results = ", ".join(["Tensor"] * len(operator.outputs))
    return f"({', '.join(words)}) -> {results if len(operator.outputs) == 1 else f'({results})'}"


def _schema_type(parameter: Parameter) -> str:
    if parameter.kind in ("tensor", "ptr"):
        return "Tensor"
    kind = DTYPES[parameter.dtype].kind
    return "bool" if kind == "bool" else "int" if kind in ("int", "uint") else "float"


def _empty(operator: _Operator, args: Sequence[Any]) -> dict[str, torch.Tensor]:
    """The outputs for these inputs, not filled; also for tensors without memory.  The inputs are checked first."""
    inputs = {parameter.name: value for parameter, value in zip(operator.given, args, strict=True)}
    for parameter in operator.given:
        _check(operator, parameter, inputs[parameter.name])
    declared = {parameter.name: parameter for parameter in operator.interface.parameters}
    device = next((v.device for v in inputs.values() if isinstance(v, torch.Tensor)), torch.device("cpu"))
    made = {}
    for name, rule in operator.outputs.items():
        shape, dtype = _described(rule, inputs)
        if dtype is None or declared[name].kind == "tensor":
            dtype = _torch_type(declared[name].dtype)
        made[name] = torch.empty(shape, dtype=dtype, device=device)
    return made


def _described(rule: Any, inputs: Mapping[str, Any]) -> tuple[Shape, torch.dtype | None]:
    if isinstance(rule, str):
        return inputs[rule].shape, inputs[rule].dtype
    found = rule(**inputs)
    if len(found) == 2 and isinstance(found[1], torch.dtype):
        return found[0], found[1]
    return found, None


def _check(operator: _Operator, parameter: Parameter, value: Any) -> None:
    """Refuse a tensor that the kernel does not take, in every mode alike."""
    if parameter.kind != "tensor":
        return
    where = f"{operator.name}: `{parameter.name}`"
    dims = parameter.dims
    wanted = _torch_type(parameter.dtype)
    if value.dtype != wanted:
        raise TypeError(f"{where} must be {wanted}, not {value.dtype}")
    rest = bool(dims) and dims[-1] == "..."
    if value.dim() != len(dims) if not rest else value.dim() < len(dims) - 1:
        raise ValueError(f"{where} must have {len(dims)} axes, not {value.dim()}")
    for axis, dim in enumerate(dims):
        if isinstance(dim, int):
            torch._check(
                value.shape[axis] == dim,
                lambda axis=axis, dim=dim: f"{where}: axis {axis} must be {dim}, not {value.shape[axis]}",
            )


def _run(operator: _Operator, args: Sequence[Any]) -> Any:
    """Launch the kernel on the inputs and fresh outputs."""
    inputs = {parameter.name: value for parameter, value in zip(operator.given, args, strict=True)}
    made = _empty(operator, args)

    def chosen(value: Any) -> Any:
        return value(**inputs) if callable(value) else value

    values: dict[str, Any] = {}
    for parameter in operator.interface.parameters:
        if parameter.name in made:
            values[parameter.name] = made[parameter.name]
        elif parameter.kind == "tiling":
            values[parameter.name] = chosen(operator.launch.tiling)
        elif parameter.name == "workspace":
            values[parameter.name] = torch.zeros(max(1, chosen(operator.launch.workspace)), dtype=torch.uint8)
        else:
            value = inputs[parameter.name]
            mutated = parameter.name in operator.launch.mutates
            values[parameter.name] = value.contiguous() if isinstance(value, torch.Tensor) and not mutated else value
    subscript: list[Any] = [None, chosen(operator.launch.block_dim)]
    if operator.kernel.options.get("tiling_key") is not None:
        subscript.append(chosen(operator.launch.key))
    datatype = operator.kernel.options.get("datatype")
    if datatype:
        subscript.append({name: _element(values[name]) for name in datatype})
    operator.kernel[tuple(subscript)](*values.values())
    return _returned(made)


def _returned(made: Mapping[str, torch.Tensor]) -> Any:
    results = tuple(made.values())
    return results[0] if len(results) == 1 else results


def _element(tensor: torch.Tensor) -> types.DType:
    """The element type of a tensor as kernels name it."""
    name = _NAMES.get(tensor.dtype) or str(tensor.dtype).removeprefix("torch.").upper()
    found = getattr(types, name, None)
    if not isinstance(found, types.DType):
        raise TypeError(f"kernels have no element type {tensor.dtype}")
    return found


def _torch_type(dtype: str) -> torch.dtype:
    """torch's type for an element type; raw bytes for what torch has no name for."""
    found = getattr(torch, DTYPES[dtype].numpy or "uint8", None)
    return found if isinstance(found, torch.dtype) else torch.uint8


__all__ = ["custom_op"]
