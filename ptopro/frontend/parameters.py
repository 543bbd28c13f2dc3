"""Parameters of kernels: annotations evaluated and classified, defaults, what is wrong with them."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from ptopro.diagnostics.build import make
from ptopro.diagnostics.core import Diagnostic, Label
from ptopro.diagnostics.span import Span
from ptopro.frontend.failures import PYTHON_ERRORS, Abandoned, Failed, failed
from ptopro.frontend.functions import default_values
from ptopro.frontend.kernels import KernelParameter, ParameterKind
from ptopro.frontend.scope import Scope
from ptopro.frontend.tiling_classes import tiling_class
from ptopro.frontend.values import (
    ClassKind,
    ClassValue,
    FunctionValue,
    LanguageName,
    Opaque,
    PtrAnnotation,
    TensorAnnotation,
    TypeValue,
    Value,
    type_name,
)
from ptopro.language.dtypes import DType

if TYPE_CHECKING:
    from ptopro.frontend.evaluator import Evaluator


def evaluate_annotation(ev: Evaluator, node: ast.expr, scope: Scope) -> Value:
    """The value of an annotation, which may be written as a string.  Raises Failed and Abandoned."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        span = scope.module.span(node)
        if len(node.value) > 2_000:
            raise Failed("SyntaxError", "the annotation is too long", span)
        try:
            inner = ast.parse(node.value.strip(), mode="eval").body
        except (SyntaxError, ValueError, *PYTHON_ERRORS):
            raise Failed("SyntaxError", f"'{node.value[:60]}' is no expression", span) from None
        for part in ast.walk(inner):
            ast.copy_location(part, node)
        node = inner
    try:
        return ev.evaluate(node, scope)
    except PYTHON_ERRORS as error:
        raise failed(error, scope.module.span(node)) from None


def read_parameters(ev: Evaluator, function: FunctionValue) -> tuple[KernelParameter, ...]:
    """The parameters of a kernel; those that are wrong are reported and left out."""
    assert isinstance(function.node, ast.FunctionDef)
    arguments = function.node.args
    module = function.module
    for extra, stars in ((arguments.vararg, "*"), (arguments.kwarg, "**")):
        if extra is not None:
            ev.sink.add(make("PTO1012", module.span(extra), name=f"{stars}{extra.arg}"))
    defaults = default_values(function)
    found: list[KernelParameter] = []
    for keyword_only, group in (
        (False, [*arguments.posonlyargs, *arguments.args]),
        (True, arguments.kwonlyargs),
    ):
        for parameter in group:
            read = _parameter(ev, function, parameter, keyword_only, defaults)
            if read is not None:
                found.append(read)
    _check_tiling(ev, found)
    return tuple(found)


def _name_span(function: FunctionValue, parameter: ast.arg) -> Span:
    span = function.module.span(parameter)
    return Span(span.file, span.line, span.col, span.line, span.col + len(parameter.arg))


def _parameter(
    ev: Evaluator, function: FunctionValue, parameter: ast.arg, keyword_only: bool, defaults: dict[str, Value]
) -> KernelParameter | None:
    span = _name_span(function, parameter)
    if parameter.annotation is None:
        ev.sink.add(make("PTO1010", span, name=parameter.arg, kernel=function.name))
        return None
    annotation_span = function.module.span(parameter.annotation)
    try:
        value = evaluate_annotation(ev, parameter.annotation, function.scope)
    except Failed as error:
        text = error.diagnostic or make(
            "PTO1103", error.span or annotation_span, what=f"the annotation of '{parameter.arg}'", reason=error.reason
        )
        ev.sink.add(text)
        return None
    except Abandoned as error:
        value = error.opaque
    if isinstance(value, Opaque):
        ev.sink.add(unknown_value(value, annotation_span, f"the annotation of '{parameter.arg}'"))
        return None
    kind: ParameterKind
    if isinstance(value, TensorAnnotation):
        kind = ParameterKind.TENSOR
    elif isinstance(value, PtrAnnotation):
        kind = ParameterKind.PTR
    elif isinstance(value, DType):
        kind = ParameterKind.SCALAR
    elif isinstance(value, ClassValue) and value.kind is ClassKind.DATACLASS:
        kind = ParameterKind.TILING
        tiling = tiling_class(ev, value, annotation_span)
        if tiling is None:
            return None
        value = tiling
    else:
        name, hint = _why_not(value)
        ev.sink.add(make("PTO1011", annotation_span, name=parameter.arg, annotation=name, hint=hint))
        return None
    return KernelParameter(
        parameter.arg, kind, value, span, annotation_span, keyword_only,
        parameter.arg in defaults, defaults.get(parameter.arg),
    )  # fmt: skip


def unknown_value(value: Opaque, span: Span, what: str) -> Diagnostic:
    """The diagnostic of an unknown value where `what` has to be known."""
    from ptopro.frontend.evaluator import not_constant_diagnostic
    from ptopro.frontend.scope import NotConstant

    return not_constant_diagnostic(NotConstant(span, value.reason, value.span, value.diagnostic), what)


def _why_not(value: Value) -> tuple[str, str]:
    """(what the annotation is, what to write instead) for one that no parameter can have."""
    scalars = {"int": "pl.DT_INT64", "float": "pl.DT_FP32", "bool": "pl.DT_BOOL"}
    if isinstance(value, TypeValue):
        wanted = scalars.get(value.name)
        return value.name, f"write {wanted}" if wanted else "write pl.Tensor, pl.Ptr or an element type"
    if isinstance(value, LanguageName):
        examples = {
            "Tensor": "write pl.Tensor[[rows, cols], pl.DT_FP32]",
            "Ptr": "write pl.Ptr[pl.DT_FP32]",
            "Scalar": "write an element type such as pl.DT_INT64",
        }
        return f"pl.{value.name}", examples.get(value.name, "write pl.Tensor, pl.Ptr or an element type")
    if isinstance(value, ClassValue):
        return f"class '{value.name}'", "a tiling class is a @dataclass of int, float, bool and arrays of these"
    return type_name(value), "write pl.Tensor[[dims], dtype], pl.Ptr[dtype], an element type or a tiling dataclass"


def _check_tiling(ev: Evaluator, parameters: list[KernelParameter]) -> None:
    tilings = [p for p in parameters if p.kind is ParameterKind.TILING]
    if len(tilings) > 1:
        labels = [Label(tilings[0].span, "the first one")]
        problem = "a kernel has at most one tiling parameter"
        ev.sink.add(make("PTO1013", tilings[1].span, labels=labels, name=tilings[1].name, problem=problem))
    elif tilings and parameters[-1] is not tilings[0]:
        problem = "the tiling parameter is the last one"
        ev.sink.add(make("PTO1013", tilings[0].span, name=tilings[0].name, problem=problem))
