"""Constants that keep their name in C++.

In: the halves of a kernel, whose constants carry the name they were written as.  Out: one `NamedConst` for each name; a
constant whose name means another value elsewhere in the kernel loses it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ptopro.language.dtypes import DType
from ptopro.lowering import ir
from ptopro.lowering.promotion import literal_type
from ptopro.lowering.traversal import map_block, map_nodes, nodes_of, reachable_functions, with_blocks


def name_constants(halves: Sequence[ir.FunctionIR]) -> tuple[ir.NamedConst, ...]:
    """Collect the named constants in the order in which they are used, and unname those that clash."""
    functions = [function for half in halves for function in reachable_functions(half)[::-1]]
    found: dict[str, ir.NamedConst] = {}
    clashes = False
    for function in functions:
        for stmt in ir.walk(function.body):
            for node in nodes_of(stmt):
                if isinstance(node, ir.Const) and node.name:
                    first = found.setdefault(node.name, ir.NamedConst(node.name, node.value, _type(node)))
                    clashes |= not _agrees(node, first)
    if clashes:
        for function in functions:
            function.body = map_block(
                function.body, lambda s, blocks: [with_blocks(map_nodes(s, lambda n: _unname(n, found)), blocks)]
            )
    return tuple(found.values())


def _type(node: ir.Const) -> DType:
    return literal_type(node.value) or node.dtype


def _agrees(node: ir.Const, constant: ir.NamedConst) -> bool:
    return type(node.value) is type(constant.value) and repr(node.value) == repr(constant.value)


def _unname(node: Any, found: dict[str, ir.NamedConst]) -> Any:
    if isinstance(node, ir.Const) and node.name and not _agrees(node, found[node.name]):
        return replace(node, name="")
    return node
