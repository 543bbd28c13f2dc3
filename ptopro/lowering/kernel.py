"""Lower a kernel: one pass for the cube core, one for the vector core.

In: a `KernelSource` of the front end and a `Target`.  Out: a `KernelIR`, or None when the kernel has errors (all of
them are in the sink then).
"""

from __future__ import annotations

import ast
from typing import Any

from ptopro.diagnostics import Sink, Span, make
from ptopro.frontend.kernels import KernelParameter, KernelSource, ParameterKind, TilingClass
from ptopro.frontend.scope import Scope
from ptopro.frontend.values import Dim, PtrAnnotation, TensorAnnotation
from ptopro.language.dtypes import INT64, DType
from ptopro.language.hardware import CHIPS
from ptopro.lowering import ir
from ptopro.lowering.constants import name_constants
from ptopro.lowering.context import Frame, Lowering
from ptopro.lowering.environment import Binding
from ptopro.lowering.finish import finish
from ptopro.lowering.instance import fits_rank, has_static_dims, missing_names
from ptopro.lowering.prune import prune
from ptopro.lowering.rules import EXPRESSION_RULES, STATEMENT_RULES
from ptopro.lowering.sites import binding_sites
from ptopro.lowering.target import Target
from ptopro.lowering.traversal import reachable_functions
from ptopro.lowering.values import Known, Pointer, Scalar, TensorValue, TilingValue, Value

CORES = ("cube", "vector")


def lower_kernel(kernel: KernelSource, target: Target, sink: Sink) -> ir.KernelIR | None:
    """The typed form of a kernel for one chip; None when `sink` got an error."""
    if target.chip not in CHIPS:
        sink.add(make("PTO1071", kernel.span, chip=target.chip, chips=", ".join(CHIPS)))
        return None
    errors = Sink()
    parameters = _parameters(kernel, target, errors)
    _check_instance(kernel, target, errors)
    if errors.has_errors:
        sink.extend(errors.diagnostics)
        return None
    halves: dict[str, ir.FunctionIR] = {}
    stage_calls: list[object] = []
    folded: dict[Span, bool | None] = {}
    numbers: dict[tuple[str, int, int], int] = {}
    used: set[str] = set()
    for core in CORES:
        lowering = Lowering(kernel, target, core, Sink(), EXPRESSION_RULES, STATEMENT_RULES, sections=numbers)
        halves[core] = _half(lowering, parameters)
        used |= lowering.cores_used
        stage_calls.extend(lowering.stage_calls.values())
        for span, test in lowering.folded.items():
            folded[span] = test if folded.get(span, test) is test else None
        errors.extend(lowering.sink.diagnostics)
    sink.extend(errors.diagnostics)
    if errors.has_errors:
        return None
    wanted = used | _section_cores(halves) or {"vector"}
    kept = {core: half for core, half in halves.items() if core in wanted}
    for half in kept.values():
        finish(half)
        prune(half, keep_sections=target.serial)
    constants = name_constants(list(kept.values()))
    return ir.KernelIR(
        name=kernel.name,
        path=kernel.module.path,
        chip=target.chip,
        params=tuple(p for p, _ in parameters.values()),
        dynamic_dims=tuple(
            (dim, p.name, axis)
            for p, _ in parameters.values()
            for axis, dim in enumerate(p.dims)
            if isinstance(dim, ir.Var)
        ),
        cube=kept.get("cube"),
        vector=kept.get("vector"),
        constants=constants,
        auto_mutex=kernel.options.auto_mutex,
        tiling=next((p.value for p, _ in parameters.values() if p.kind == "tiling"), None),
        depends=_depends(kernel, list(kept.values())),
        stage_calls=tuple(stage_calls),
        folded=folded,
    )


def _check_instance(kernel: KernelSource, target: Target, sink: Sink) -> None:
    """A kernel with a tiling key or dtype variables is lowered for one value of each."""
    missing = missing_names(kernel, target)
    if missing:
        sink.add(make("PTO1073", kernel.decorator_span, kernel=kernel.name, missing=", ".join(missing)))


def _section_cores(halves: dict[str, ir.FunctionIR]) -> set[str]:
    """The cores that have a section of their own."""
    return {
        stmt.core
        for half in halves.values()
        for function in reachable_functions(half)
        for stmt in ir.walk(function.body)
        if isinstance(stmt, ir.SectionBegin)
    }


def _depends(kernel: KernelSource, halves: list[ir.FunctionIR]) -> tuple[str, ...]:
    """The other files that the kernel's code or values came from."""
    found = dict.fromkeys(module.path for module in kernel.module.siblings)
    for half in halves:
        found.update(dict.fromkeys(function.file for function in reachable_functions(half)))
    found.pop(kernel.module.path, None)
    return tuple(path for path in found if path)


# --------------------------------------------------------------------------------------------------------------------
# Parameters

Parameters = dict[str, tuple[ir.Param, Value]]


def _parameters(kernel: KernelSource, target: Target, sink: Sink) -> Parameters:
    """The parameters in the IR, and what their names hold."""
    return {p.name: _parameter(p, kernel, target, sink) for p in kernel.parameters}


def _parameter(p: KernelParameter, kernel: KernelSource, target: Target, sink: Sink) -> tuple[ir.Param, Value]:
    annotation = p.annotation
    kind = p.kind.value
    if isinstance(annotation, TensorAnnotation):
        dims = _dims(p, annotation, target, sink)
        shape = tuple(ir.VarRef(d) if isinstance(d, ir.Var) else ir.Const(d, INT64) for d in dims)
        decl = ir.TensorDecl(p.name, annotation.dtype, shape, annotation.layout, None, None, p.span)
        return ir.Param(p.name, kind, decl.dtype, decl, dims, p.default, p.has_default, p.span), TensorValue(decl)
    if isinstance(annotation, PtrAnnotation):
        var = ir.Var(p.name, annotation.dtype, p.span, pointer=True)
        param = ir.Param(p.name, kind, var.dtype, var, (), p.default, p.has_default, p.span)
        return param, Pointer(ir.VarRef(var))
    if isinstance(annotation, TilingClass):
        fields = tuple((f.name, f.dtype, f.length) for f in annotation.fields)
        param = ir.Param(p.name, kind, None, annotation, (), p.default, p.has_default, p.span)
        return param, TilingValue(fields)
    assert p.kind is ParameterKind.SCALAR and isinstance(annotation, DType)
    var = ir.Var(p.name, annotation, p.span)
    param = ir.Param(p.name, kind, annotation, var, (), p.default, p.has_default, p.span)
    return param, Scalar(ir.VarRef(var))


def _dims(p: KernelParameter, annotation: TensorAnnotation, target: Target, sink: Sink) -> tuple[int | ir.Var, ...]:
    """Fixed dims, variables of dynamic ones, and the launch's value of STATIC ones."""
    actual = target.static_dims.get(p.name)
    rank = len(annotation.dims)
    if has_static_dims(p) and (actual is None or not fits_rank(annotation, actual)):
        sink.add(make("PTO1064", p.annotation_span, name=p.name))
        actual = tuple(d if isinstance(d, int) else 1 for d in annotation.dims)
    dims: list[int | ir.Var] = []
    for axis, dim in enumerate(annotation.dims):
        if dim is Dim.STATIC:
            assert actual is not None
            dims.append(actual[axis])
        elif isinstance(dim, int):
            dims.append(dim)
        else:
            dims.append(ir.Var(f"{p.name}_shape{axis}", INT64, p.span))
    if annotation.rest and actual is not None:
        dims.extend(actual[rank:])
    return tuple(dims)


# --------------------------------------------------------------------------------------------------------------------
# One half


def _half(lowering: Lowering, parameters: Parameters) -> ir.FunctionIR:
    kernel = lowering.kernel
    node: ast.FunctionDef = kernel.node
    names = lowering.launch_constants
    scope = Scope(kernel.module, kernel.scope, dict[str, Any](names)) if names else kernel.scope
    frame = Frame(lowering, kernel.module, scope, binding_sites(node), kernel.span)
    frame.names_constants = True
    params: list[ir.Var | ir.TileVar] = []
    for name, (param, value) in parameters.items():
        frame.env[name] = Binding(value, span=param.span)
        if isinstance(param.value, ir.Var):
            params.append(param.value)
            frame.adopt(name, param.value)
        frame.fixed.update(d for d in param.dims if isinstance(d, ir.Var))
    frame.run(node.body)
    for _, returned, span in frame.returns:
        if not (isinstance(returned, Known) and returned.value is None):
            frame.report("PTO1072", span, name=kernel.name)
    return ir.FunctionIR(
        kernel.name,
        tuple(params),
        tuple(frame.block),
        (),
        (),
        kernel.span,
        kernel.module.path,
        node.name,
        "kernel",
    )
