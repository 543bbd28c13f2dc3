"""Generic walks over the IR: the expressions of a statement, and rebuilding with changed expressions.

Declarations, variables and functions are leaves: they are shared by identity.  Only a `DeclareTensor` reaches into its
declaration, whose shape, strides and base are evaluated there.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace
from typing import Any

from ptopro.lowering import ir, simt_ir, vf_ir

EXPRESSIONS = (
    ir.Const, ir.VarRef, ir.Unary, ir.Binary, ir.Choose, ir.Cast, ir.SystemValue, ir.ValidExtent, ir.ElementRead,
    ir.ArrayRead, ir.StructRead, ir.TilingRead, ir.PointerOf, ir.IsNull, ir.Call, simt_ir.ThreadMath,
)  # fmt: skip
TILES = (ir.TileRef, ir.SlotRef, ir.TileVarRef, ir.SubView, ir.ChooseTile)
_NODES = frozenset((*EXPRESSIONS, *TILES, ir.OperandUse, vf_ir.UbAddress))
_CHANGED = frozenset((*EXPRESSIONS, *TILES))
_BLOCKS = ("body", "then", "other")
_COMPOUND = (ir.If, ir.For, ir.While)
# Fields that never hold an expression.
_PLAIN = frozenset((
    "span", "call", "source", "dtype", "common", "op", "name", "pure", "nonnegative", "operation", "pipe", "decl",
    "var", "group", "core", "number", "step_sign", "acquire", "mode", "function", "results", "field", "array",
    "pointer", "registers", "threads", "max_threads", "result",
))  # fmt: skip
_CHILDREN: dict[type, tuple[str, ...]] = {}


def _children(kind: type) -> tuple[str, ...]:
    """The fields of a node or statement that may hold expressions, blocks apart; () for anything else."""
    found = _CHILDREN.get(kind)
    if found is None:
        if kind in _NODES or issubclass(kind, ir.Stmt):
            skipped = _PLAIN.union(_BLOCKS) if kind in _COMPOUND else _PLAIN
            found = tuple(f.name for f in fields(kind) if f.name not in skipped)
        else:
            found = ()
        _CHILDREN[kind] = found
    return found


def nodes_of(node: object) -> list[Any]:
    """Every expression, tile expression and operand inside a statement or expression, itself included, top down.

    The blocks of compound statements are not entered.
    """
    found: list[Any] = []
    todo = [node]
    while todo:
        item = todo.pop()
        kind = type(item)
        if kind is tuple:
            todo.extend(reversed(item))  # type: ignore[call-overload]
            continue
        if kind in _NODES:
            found.append(item)
        for name in reversed(_children(kind)):
            child = getattr(item, name)
            if child is not None:
                todo.append(child)
        if kind is ir.DeclareTensor:
            todo.extend(tensor_parts(item.decl))  # type: ignore[attr-defined]
    return found


def tensor_parts(decl: ir.TensorDecl) -> tuple[object, ...]:
    """The expressions that a tensor view evaluates."""
    return (decl.shape, decl.strides or (), decl.base)


def map_nodes(node: Any, change: Callable[[Any], Any]) -> Any:
    """Rebuild bottom up, replacing every expression and tile expression by `change` of it; blocks are not entered."""
    kind = type(node)
    if kind is tuple:
        items = tuple(map_nodes(item, change) for item in node)
        return node if all(a is b for a, b in zip(items, node, strict=True)) else items
    changed: dict[str, Any] = {}
    for name in _children(kind):
        old = getattr(node, name)
        new = map_nodes(old, change)
        if new is not old:
            changed[name] = new
    if changed:
        node = replace(node, **changed)
    if kind is ir.DeclareTensor:
        decl = node.decl
        decl.shape = map_nodes(decl.shape, change)
        decl.strides = map_nodes(decl.strides, change)
        decl.base = map_nodes(decl.base, change)
    return change(node) if kind in _CHANGED else node


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
