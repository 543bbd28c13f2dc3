"""What an operator's kernel must be like before it goes into an operator package.

In: a kernel file and the operator's name.  Out: diagnostics PTO2020 to PTO2027, all that apply.  The framework launches
an operator by position, with pointers alone: inputs and outputs in the order of the prototype, `workspace`, tiling.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from ptopro.diagnostics import Diagnostic, DiagnosticError, Label, Span, make
from ptopro.frontend.kernels import KernelParameter, ParameterKind
from ptopro.frontend.values import TensorAnnotation
from ptopro.release.unit import KINDS

if TYPE_CHECKING:
    from ptopro.frontend.kernels import KernelSource
    from ptopro.frontend.source import SourceModule

WORKSPACE = "workspace"


def lint(module: SourceModule, operator: str) -> list[Diagnostic]:
    """Everything that keeps the file's kernel from being operator `operator`."""
    kernels = module.kernels
    if len(kernels) != 1:
        labels = [Label(kernel.span, "one of them") for kernel in kernels[1:]]
        span = kernels[0].span if kernels else Span(module.path, 1, 1, 1, 1)
        return [make("PTO2020", span, labels=labels, operator=operator, count=len(kernels))]
    return list(_lint_kernel(kernels[0], operator))


def _lint_kernel(kernel: KernelSource, operator: str) -> Iterator[Diagnostic]:
    if kernel.node.name != operator:
        yield make("PTO2021", kernel.span, kernel=kernel.node.name, operator=operator)
    if kernel.options.tiling_key is None:
        yield make("PTO2025", kernel.decorator_span, kernel=kernel.name)
    yield from _lint_parameters(kernel)
    names = {p.name for p in kernel.parameters}
    for name in kernel.options.datatype or {}:
        if name not in names:
            span = kernel.options.spans.get("datatype", kernel.decorator_span)
            yield make("PTO2026", span, name=name, parameters=", ".join(p.name for p in kernel.parameters))


def _lint_parameters(kernel: KernelSource) -> Iterator[Diagnostic]:
    parameters = list(kernel.parameters)
    if parameters and parameters[-1].kind is ParameterKind.TILING:
        parameters.pop()
    else:
        yield make("PTO2024", kernel.span, kernel=kernel.name)
    if not parameters or parameters[-1].name != WORKSPACE:
        found = next((p.span for p in parameters if p.name == WORKSPACE), None)
        yield make("PTO2023", found or kernel.span, kernel=kernel.name)
    for parameter in parameters:
        problem = _not_a_pointer(parameter)
        if problem:
            yield make("PTO2022", parameter.annotation_span, name=parameter.name, problem=problem)


def _not_a_pointer(parameter: KernelParameter) -> str:
    """Why the framework cannot pass a parameter, empty when it can."""
    annotation = parameter.annotation
    if parameter.kind is ParameterKind.PTR:
        return ""
    if isinstance(annotation, TensorAnnotation):
        fixed = not annotation.rest and all(isinstance(dim, int) for dim in annotation.dims)
        return "" if fixed and parameter.name != WORKSPACE else "is a tensor with dims that only a launch knows"
    return "is a scalar"


def kernel_type(halves: Mapping[str, tuple[str, ...]], span: Span | None = None) -> str:
    """AIC_ONLY, AIV_ONLY or MIX_AIC_1_2, from what was generated.

    halves: what an instance is called -> the cores that it runs on.  Raises DiagnosticError PTO2027 when
    instances differ.
    """
    kinds: dict[str, str] = {}
    for instance, cores in halves.items():
        kinds.setdefault(KINDS[cores], instance)
    if len(kinds) > 1:
        told = "; ".join(f"{kind}: {instance}" for kind, instance in sorted(kinds.items()))
        raise DiagnosticError([make("PTO2027", span, told=told)])
    return next(iter(kinds))
