"""Calls, by what is called: the language, methods of tile groups, helper functions, builtins and classes."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING

from ptopro.frontend.evaluator import NotConstant
from ptopro.frontend.values import BoundMethod, BuiltinValue, FunctionValue, KernelSource, LanguageName, PartialValue
from ptopro.language.dtypes import DType
from ptopro.language.operations.table import find, suggest
from ptopro.lowering import scalars, structs, tensors, tiles
from ptopro.lowering.arguments import call_values, compile_time, not_plain, take
from ptopro.lowering.builtins import call_builtin
from ptopro.lowering.context import plain_value
from ptopro.lowering.expressions import ordered
from ptopro.lowering.helpers import call_helper
from ptopro.lowering.operations import call_operation
from ptopro.lowering.simt import ALLOWED, subscript_launch, thread_call
from ptopro.lowering.values import (
    UNKNOWN,
    Known,
    MethodValue,
    RangeValue,
    Unknown,
    Value,
    kind_name,
)

if TYPE_CHECKING:
    from ptopro.lowering.context import Frame


def call(frame: Frame, node: ast.Call) -> Value:
    launched = subscript_launch(frame, node)
    if launched is not None:
        return launched
    callee = frame.value(node.func)
    match callee:
        case Unknown():
            ordered(
                frame,
                [*(a.value if isinstance(a, ast.Starred) else a for a in node.args), *(k.value for k in node.keywords)],
            )
            return UNKNOWN
        case MethodValue():
            return tiles.group_method(frame, callee, node)
        case Known(value=LanguageName(name=name)):
            return _language(frame, name, node)
        case Known(value=FunctionValue() | BoundMethod() | PartialValue() as function):
            return call_helper(frame, function, node)
        case Known(value=BuiltinValue() as builtin):
            return call_builtin(frame, builtin, node)
        case Known(value=KernelSource() as kernel):
            frame.report("PTO1066", node, name=kernel.name)
            return UNKNOWN
        case Known(value=DType() as dtype):
            return _conversion(frame, dtype, node)
        case Known():
            return compile_time_call(frame, callee.value, node)
        case _:
            frame.report("PTO1286", node.func, found=kind_name(callee))
            return UNKNOWN


def compile_time_call(frame: Frame, callee: object, node: ast.Call) -> Value:
    """A call whose arguments must all be compile-time values (classes, functions of `math` ...)."""
    found = call_values(frame, node)
    if found is None:
        return UNKNOWN
    positional, keywords = found
    everything = [*positional, *keywords.values()]
    if any(isinstance(item.value, Unknown) for item in everything):
        return UNKNOWN
    for item in everything:
        culprit = not_plain(item)
        if culprit is not None:
            frame.report("PTO1150", culprit, what=f"an argument of '{frame.text(node.func)}'", name=frame.text(culprit))
            return UNKNOWN
    args = [plain_value(item.value) for item in positional]
    kwargs = {name: plain_value(item.value) for name, item in keywords.items()}
    try:
        return Known(frame.module.evaluator.call(callee, args, kwargs, frame.span(node)))
    except NotConstant as error:
        frame.refuse(error, node, f"'{frame.text(node)}'")
        return UNKNOWN


# --------------------------------------------------------------------------------------------------------------------
# The language


def _language(frame: Frame, name: str, node: ast.Call) -> Value:
    if name.startswith("simt."):
        return thread_call(frame, name, node)
    if frame.in_thread and name not in ALLOWED:
        frame.report("PTO1095", node.func, name=f"pl.{name}")
        return UNKNOWN
    rule = _CALLS.get(name)
    if rule is not None:
        return rule(frame, node)
    if name.startswith("vf."):
        from ptopro.lowering.vector_operations import call_register_operation

        return call_register_operation(frame, name, node)
    operation = find(name)
    if operation is None:
        hint = suggest(name)
        frame.report("PTO1158", node.func, name=name, hint=f"did you mean 'pl.{hint}'?" if hint else "")
        ordered(frame, [a.value if isinstance(a, ast.Starred) else a for a in node.args])
        return UNKNOWN
    if frame.registers is not None and not operation.returns:
        frame.report("PTO1082", node.func, name=f"pl.{name}")
        ordered(frame, [a.value if isinstance(a, ast.Starred) else a for a in node.args])
        return UNKNOWN
    return call_operation(frame, operation, node)


def _range(frame: Frame, node: ast.Call) -> Value:
    """pl.range([start,] stop[, step])."""
    found = call_values(frame, node)
    if found is None:
        return UNKNOWN
    positional, keywords = found
    names = ("start", "stop", "step")
    if len(positional) == 1 and "start" not in keywords and "stop" not in keywords:
        given = {"stop": positional[0]}
    else:
        given = dict(zip(names, positional, strict=False))
    for key, item in keywords.items():
        if key not in names or key in given:
            frame.report("PTO1156", item.node, name="pl.range", keyword=key, hint="parameters: start, stop, step")
            return UNKNOWN
        given[key] = item
    if len(positional) > 3 or "stop" not in given:
        frame.report("PTO1265", node, name="pl.range", expected="1 to 3", given=len(positional))
        return UNKNOWN
    values = [given[n].value if n in given else Known(default) for n, default in zip(names, (0, 0, 1), strict=True)]
    if any(isinstance(v, Unknown) for v in values):
        return UNKNOWN
    where = [given[n].node if n in given else node for n in names]
    return RangeValue(values[0], values[1], values[2], (where[0], where[1], where[2]))


def _const(frame: Frame, node: ast.Call) -> Value:
    """pl.const(value, dtype)."""
    given = take(frame, node, "const")
    if given is None:
        return UNKNOWN
    dtype = compile_time(frame, given["dtype"], DType)
    value = given["value"].value
    if dtype is None or isinstance(dtype, Unknown):
        return UNKNOWN
    if not isinstance(value, Known) or not value.is_number:
        frame.report(
            "PTO1267", given["value"].node, text=frame.text(given["value"].node),
            expected="a compile-time number", found=kind_name(value),
        )  # fmt: skip
        return UNKNOWN
    if dtype.is_int and isinstance(value.value, float):
        frame.report("PTO1250", given["value"].node, value=value.value, dtype=dtype)
        return UNKNOWN
    return scalars.cast(frame, value, dtype, given["value"].node)


def _constexpr(frame: Frame, node: ast.Call) -> Value:
    """pl.constexpr(condition): the condition must be known at compile time."""
    given = take(frame, node, "constexpr")
    if given is None:
        return UNKNOWN
    value = given["cond"].value
    if not isinstance(value, Known):
        frame.report(
            "PTO1150", given["cond"].node, what="the argument of pl.constexpr", name=frame.text(given["cond"].node)
        )
        return UNKNOWN
    return value


def _conversion(frame: Frame, dtype: DType, node: ast.Call) -> Value:
    """pl.DT_INT32(value): a number converted to the type."""
    found = call_values(frame, node)
    if found is None or any(isinstance(item.value, Unknown) for item in found[0]):
        return UNKNOWN
    if len(found[0]) != 1 or found[1]:
        frame.report("PTO1265", node, name=repr(dtype), expected="1", given=len(found[0]))
        return UNKNOWN
    return scalars.cast(frame, found[0][0].value, dtype, node)


def _extreme(op: str) -> Callable[[Frame, ast.Call], Value]:
    def rule(frame: Frame, node: ast.Call) -> Value:
        given = take(frame, node, op)
        if given is None:
            return UNKNOWN
        return scalars.binary(frame, op, given["lhs"].value, given["rhs"].value, node)

    return rule


def _tile_type(frame: Frame, node: ast.Call) -> Value:
    return compile_time_call(frame, LanguageName("TileType"), node)


def _section_elsewhere(frame: Frame, node: ast.Call) -> Value:
    frame.report("PTO1067", node)
    return UNKNOWN


_CALLS: dict[str, Callable[[Frame, ast.Call], Value]] = {
    "range": _range,
    "const": _const,
    "constexpr": _constexpr,
    "min": _extreme("min"),
    "max": _extreme("max"),
    "TileType": _tile_type,
    "make_tile": tiles.make_tile,
    "make_tile_group": tiles.make_tile_group,
    "make_tensor": tensors.make_tensor,
    "make_ptr": tensors.make_ptr,
    "addptr": tensors.addptr,
    "struct": structs.make_struct,
    "struct_array": structs.make_struct_array,
    "make_tuple": structs.make_tuple,
    "section_cube": _section_elsewhere,
    "section_vector": _section_elsewhere,
    "section_vf": _section_elsewhere,
}
