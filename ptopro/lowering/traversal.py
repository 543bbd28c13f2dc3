"""Generic walks over the IR: the expressions of a statement, and rebuilding with changed expressions.

Declarations, variables and functions are leaves: they are shared by identity.  Only a `DeclareTensor` reaches into its
declaration, whose shape, strides and base are evaluated there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from typing import Any

from ptopro.lowering import ir

EXPRESSIONS = (
    ir.Const, ir.VarRef, ir.Unary, ir.Binary, ir.Choose, ir.Cast, ir.SystemValue, ir.ValidExtent, ir.ElementRead,
    ir.ArrayRead, ir.StructRead, ir.TilingRead, ir.PointerOf, ir.IsNull, ir.Call,
)  # fmt: skip
TILES = (ir.TileRef, ir.SlotRef, ir.TileVarRef, ir.SubView, ir.ChooseTile)
_NODES = (*EXPRESSIONS, *TILES, ir.OperandUse)
_BLOCKS = ("body", "then", "other")
_FIELDS: dict[type, tuple[str, ...]] = {}


def _names(node: object) -> tuple[str, ...]:
    kind = type(node)
    if kind not in _FIELDS:
        _FIELDS[kind] = tuple(f.name for f in fields(node) if f.name not in ("span", "call", "source", "dtype"))  # type: ignore[arg-type]
    return _FIELDS[kind]


def nodes_of(node: object) -> Iterator[Any]:
    """Every expression, tile expression and operand inside a statement or expression, itself included, top down.

    The blocks of compound statements are not entered.
    """
    if isinstance(node, _NODES):
        yield node
        if isinstance(node, ir.Const | ir.VarRef | ir.TileRef | ir.TileVarRef):
            return
    elif isinstance(node, tuple):
        for item in node:
            yield from nodes_of(item)
        return
    elif not isinstance(node, ir.Stmt):
        return
    for name in _names(node):
        if name in _BLOCKS and isinstance(node, ir.If | ir.For | ir.While):
            continue
        yield from nodes_of(getattr(node, name))
    if isinstance(node, ir.DeclareTensor):
        yield from nodes_of(tensor_parts(node.decl))


def tensor_parts(decl: ir.TensorDecl) -> tuple[object, ...]:
    """The expressions that a tensor view evaluates."""
    return (decl.shape, decl.strides or (), decl.base)


def map_nodes(node: Any, change: Callable[[Any], Any]) -> Any:
    """Rebuild bottom up, replacing every expression and tile expression by `change` of it; blocks are not entered."""
    if isinstance(node, tuple):
        items = tuple(map_nodes(item, change) for item in node)
        return node if all(a is b for a, b in zip(items, node, strict=True)) else items
    if not isinstance(node, (*_NODES, ir.Stmt)):
        return node
    changed: dict[str, Any] = {}
    for name in _names(node):
        if name in _BLOCKS and isinstance(node, ir.If | ir.For | ir.While):
            continue
        old = getattr(node, name)
        new = map_nodes(old, change)
        if new is not old:
            changed[name] = new
    if changed:
        node = replace(node, **changed)
    if isinstance(node, ir.DeclareTensor):
        decl = node.decl
        decl.shape = map_nodes(decl.shape, change)
        decl.strides = map_nodes(decl.strides, change)
        decl.base = map_nodes(decl.base, change)
    return change(node) if isinstance(node, (*EXPRESSIONS, *TILES)) else node


def map_block(block: ir.Block, change: Callable[[ir.Stmt, tuple[ir.Block, ...]], list[ir.Stmt]]) -> ir.Block:
    """Rebuild a block; `change` gets each statement with its already rebuilt blocks and yields what replaces it."""
    result: list[ir.Stmt] = []
    for stmt in block:
        result.extend(change(stmt, tuple(map_block(inner, change) for inner in blocks_of(stmt))))
    return tuple(result)


def blocks_of(stmt: ir.Stmt) -> tuple[ir.Block, ...]:
    match stmt:
        case ir.If():
            return (stmt.then, stmt.other)
        case ir.For() | ir.While():
            return (stmt.body,)
        case _:
            return ()


def with_blocks(stmt: ir.Stmt, blocks: tuple[ir.Block, ...]) -> ir.Stmt:
    """The statement with its blocks replaced."""
    match stmt:
        case ir.If():
            return replace(stmt, then=blocks[0], other=blocks[1])
        case ir.For() | ir.While():
            return replace(stmt, body=blocks[0])
        case _:
            return stmt


def called_functions(block: ir.Block) -> list[ir.FunctionIR]:
    """The functions that a block calls directly, each once, in order."""
    found: dict[ir.FunctionIR, None] = {}
    for stmt in ir.walk(block):
        if isinstance(stmt, ir.CallStmt):
            found.setdefault(stmt.function)
        for node in nodes_of(stmt):
            if isinstance(node, ir.Call):
                found.setdefault(node.function)
    return list(found)


def reachable_functions(root: ir.FunctionIR) -> list[ir.FunctionIR]:
    """`root` and every function it reaches, callees before callers."""
    order: dict[ir.FunctionIR, None] = {}

    def visit(function: ir.FunctionIR) -> None:
        if function in order:
            return
        for callee in called_functions(function.body):
            visit(callee)
        order.setdefault(function)

    visit(root)
    return list(order)
