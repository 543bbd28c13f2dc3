"""Arguments of the language's calls: binding to the signature in the operation table, and compile-time values.

In: a call and the name of its entry.  Out: the given arguments by parameter, with their values and nodes; what does not
fit the signature is reported with a suggestion.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from ptopro.frontend.suggestions import did_you_mean
from ptopro.language.operations.model import Operation
from ptopro.language.operations.table import RENAMED_KEYWORDS, find
from ptopro.lowering.context import plain_value
from ptopro.lowering.expressions import members, ordered
from ptopro.lowering.values import UNKNOWN, Unknown, Value, kind_name

if TYPE_CHECKING:
    from ptopro.lowering.context import Frame

T = TypeVar("T")
MISSING_VALUE = plain_value(UNKNOWN)


@dataclass(frozen=True, slots=True)
class Given:
    """An argument: the node it was written as, and its value."""

    node: ast.AST
    value: Value


@dataclass(frozen=True, slots=True)
class Arguments:
    """Arguments by parameter name; variadic: those that `*args` of the signature takes."""

    given: dict[str, Given]
    variadic: tuple[Given, ...] = ()


def call_values(frame: Frame, node: ast.Call) -> tuple[list[Given], dict[str, Given]] | None:
    """Positional and keyword arguments with values, in the order in which they are written; `*` is unpacked."""
    nodes = [a.value if isinstance(a, ast.Starred) else a for a in node.args]
    values = ordered(frame, [*nodes, *(k.value for k in node.keywords)])
    positional: list[Given] = []
    for written, plain, value in zip(node.args, nodes, values, strict=False):
        if not isinstance(written, ast.Starred):
            positional.append(Given(plain, value))
            continue
        items = members(value)
        if items is None:
            if not isinstance(value, Unknown):
                frame.report("PTO1258", written, found=kind_name(value))
            return None
        positional.extend(Given(plain, item) for item in items)
    keywords: dict[str, Given] = {}
    for keyword, value in zip(node.keywords, values[len(nodes) :], strict=True):
        if keyword.arg is None:
            frame.report("PTO1065", keyword.value)
            return None
        keywords[keyword.arg] = Given(keyword.value, value)
    return positional, keywords


def bind(frame: Frame, node: ast.Call, operation: Operation) -> Arguments | None:
    """The arguments of a call by parameter; None after a report."""
    found = call_values(frame, node)
    if found is None:
        return None
    positional, keywords = found
    name = f"pl.{operation.name}"
    slots = [o for o in operation.operands if not o.keyword_only and not o.variadic]
    variadic = next((o for o in operation.operands if o.variadic), None)
    given = {o.name: item for o, item in zip(slots, positional, strict=False)}
    rest = tuple(positional[len(slots) :])
    ok = True
    if rest and variadic is None:
        frame.report("PTO1265", node, name=name, expected=_count(operation), given=len(positional))
        ok = False
    known = [o.name for o in operation.operands if not o.variadic]
    spans = {k.arg: k for k in node.keywords}
    for key, item in keywords.items():
        if key not in known:
            hint = _keyword_hint(key, known)
            frame.report("PTO1156", spans[key], name=name, keyword=key, hint=hint)
            ok = False
        elif key in given:
            frame.report("PTO1157", spans[key], name=name, keyword=key)
            ok = False
        else:
            given[key] = item
    missing = [o.name for o in operation.operands if o.required and o.name not in given]
    if missing:
        frame.report("PTO1266", node, name=name, missing=", ".join(missing), signature=signature(operation))
        ok = False
    return Arguments(given, rest) if ok else None


def _keyword_hint(keyword: str, known: Sequence[str]) -> str:
    renamed = RENAMED_KEYWORDS.get(keyword)
    if renamed in known:
        return f"it is called '{renamed}' now"
    return did_you_mean(keyword, known) or ("parameters: " + ", ".join(known) if known else "it takes no arguments")


def _count(operation: Operation) -> str:
    slots = [o for o in operation.operands if not o.keyword_only and not o.variadic]
    needed = sum(o.required for o in slots)
    if needed == len(slots):
        return str(needed)
    return f"{needed} to {len(slots)}"


def signature(operation: Operation) -> str:
    """`pl.load(dst_tile, src_tensor, offsets, *, order=None)`."""
    parts: list[str] = []
    starred = False
    for operand in operation.operands:
        if operand.variadic:
            parts.append(f"*{operand.name}")
            starred = True
            continue
        if operand.keyword_only and not starred:
            parts.append("*")
            starred = True
        parts.append(operand.name if operand.required else f"{operand.name}={_default(operand.default)}")
    return f"pl.{operation.name}({', '.join(parts)})"


def _default(value: object) -> str:
    name = getattr(value, "name", None)
    return f"{type(value).__name__}.{name}" if isinstance(name, str) else repr(value)


def take(frame: Frame, node: ast.Call, name: str) -> dict[str, Given] | None:
    """The arguments of a constructor of the language; None after a report, also when one is unknown."""
    operation = find(name)
    assert operation is not None
    arguments = bind(frame, node, operation)
    if arguments is None or any(isinstance(item.value, Unknown) for item in arguments.given.values()):
        return None
    return arguments.given


def not_plain(given: Given) -> ast.AST | None:
    """The part of an argument that is not known at compile time, None when all of it is."""
    if plain_value(given.value) is not MISSING_VALUE:
        return None
    items = members(given.value)
    if items is not None and isinstance(given.node, ast.List | ast.Tuple) and len(given.node.elts) == len(items):
        for element, item in zip(given.node.elts, items, strict=True):
            inner = not_plain(Given(element, item))
            if inner is not None:
                return inner
    return given.node


def item_nodes(node: ast.AST, count: int) -> list[ast.AST]:
    """The nodes of a list's members where the list is written out, else the node itself for each."""
    elements = node.elts if isinstance(node, ast.List | ast.Tuple) else []
    if len(elements) == count and not any(isinstance(element, ast.Starred) for element in elements):
        return list(elements)
    return [node] * count


def compile_time(frame: Frame, given: Given | None, kind: type[T], what: str = "") -> T | Unknown | None:
    """The compile-time value of an argument, None when it is absent; Unknown after a report."""
    if given is None:
        return None
    plain = plain_value(given.value)
    if plain is None:
        return None
    if plain is MISSING_VALUE or not isinstance(plain, kind) or (kind is int and isinstance(plain, bool)):
        if not isinstance(given.value, Unknown):
            frame.report(
                "PTO1267",
                given.node,
                text=frame.text(given.node),
                expected=_kind_text(kind),
                found=kind_name(given.value),
            )
        return UNKNOWN
    return plain


def _kind_text(kind: Any) -> str:
    names = {"int": "a compile-time int", "DType": "an element type such as pl.DT_FP32", "TileSpec": "a pl.TileType"}
    return names.get(kind.__name__, f"a compile-time {kind.__name__}")
