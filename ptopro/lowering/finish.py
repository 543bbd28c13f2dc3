"""Complete a lowered half: what can only be said once all of it is known.

In: a `FunctionIR` whose blocks are still lists.  Out: the same object (and the helpers it reaches) with
* blocks as tuples, and every variable with a name;
* loop counters that are used after their loop copied into a variable of their own;
* `TileVar.origins`: all declarations that a tile variable is bound to, through calls too;
* `Binary.nonnegative`: `//` and `%` whose operands cannot be negative; `For.step_sign` of run-time steps that are
  positive (see `ranges`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from ptopro.lowering import ir
from ptopro.lowering.ranges import nonnegative_variables, prove, signed_step
from ptopro.lowering.traversal import map_block, map_nodes, nodes_of, reachable_functions, with_blocks


def finish(half: ir.FunctionIR) -> None:
    """Complete a half and its helpers in place."""
    functions = reachable_functions(half)
    for function in functions:
        function.body = map_block(function.body, lambda stmt, blocks: [with_blocks(stmt, blocks)])
        function.body = _free_counters(function.body)
        _name_variables(function)
    _find_origins(functions)
    nonnegative = nonnegative_variables(functions)
    for function in functions:
        function.body = map_block(function.body, lambda stmt, blocks: [_proved(stmt, blocks, nonnegative)])


def _proved(stmt: ir.Stmt, blocks: tuple[ir.Block, ...], nonnegative: set[ir.Var]) -> ir.Stmt:
    marked = map_nodes(stmt, lambda node: prove(node, nonnegative))
    return with_blocks(signed_step(marked, nonnegative), blocks)


def _free_counters(block: ir.Block) -> ir.Block:
    """Give loops whose counter is used behind them another counter, and assign the author's variable in the body."""
    escaping = _escaping(block, set(), {s.var for s in ir.walk(block) if isinstance(s, ir.For)})
    if not escaping:
        return block

    def change(stmt: ir.Stmt, blocks: tuple[ir.Block, ...]) -> list[ir.Stmt]:
        if isinstance(stmt, ir.For) and stmt.var in escaping:
            counter = ir.Var(f"{stmt.var.name}_count", stmt.var.dtype, stmt.var.span)
            copy = ir.Assign(stmt.span, stmt.var, ir.VarRef(counter))
            return [replace(stmt, var=counter, body=(copy, *blocks[0]))]
        return [with_blocks(stmt, blocks)]

    return map_block(block, change)


def _escaping(block: ir.Block, inside: set[ir.Var], counters: set[ir.Var]) -> set[ir.Var]:
    """The counters that are read outside of their loop."""
    found: set[ir.Var] = set()
    for stmt in block:
        for node in nodes_of(stmt):
            if isinstance(node, ir.VarRef) and node.var in counters and node.var not in inside:
                found.add(node.var)
        match stmt:
            case ir.If():
                found |= _escaping(stmt.then, inside, counters) | _escaping(stmt.other, inside, counters)
            case ir.For():
                found |= _escaping(stmt.body, inside | {stmt.var}, counters)
            case ir.While():
                found |= _escaping(stmt.body, inside, counters)
            case _:
                pass
    return found


def _name_variables(function: ir.FunctionIR) -> None:
    """Names for what the author did not name: results that are used within an expression, tiles made in place."""
    for stmt in ir.walk(function.body):
        match stmt:
            case ir.CallStmt():
                for result in stmt.results:
                    result.name = result.name or f"{stmt.function.name}_result"
            case ir.DeclareTile():
                stmt.decl.name = stmt.decl.name or "tile"
            case ir.DeclareGroup():
                stmt.decl.name = stmt.decl.name or "group"
            case ir.DeclareTensor():
                stmt.decl.name = stmt.decl.name or "view"
            case ir.StructDeclare():
                stmt.var.name = stmt.var.name or stmt.var.type.name.lower()
            case _:
                pass


def _find_origins(functions: Iterable[ir.FunctionIR]) -> None:
    """The declarations of every tile variable: the least sets that hold for all bindings, arguments and results."""
    flows: list[tuple[ir.TileVar, ir.TileExpr]] = []
    variables: dict[ir.TileVar, None] = {}
    for function in functions:
        returns = [s for s in ir.walk(function.body) if isinstance(s, ir.Return)]
        for i, result in enumerate(function.result):
            if isinstance(result, ir.TileVar):
                flows.extend((result, s.values[i]) for s in returns if i < len(s.values))  # type: ignore[misc]
        for stmt in ir.walk(function.body):
            if isinstance(stmt, ir.BindTile):
                flows.append((stmt.var, stmt.tile))
            elif isinstance(stmt, ir.CallStmt):
                for param, arg in zip(stmt.function.params, stmt.args, strict=True):
                    if isinstance(param, ir.TileVar):
                        flows.append((param, arg))  # type: ignore[arg-type]
                for var, kind in zip(stmt.results, stmt.function.result, strict=True):
                    if isinstance(var, ir.TileVar) and isinstance(kind, ir.TileVar):
                        flows.append((var, ir.TileVarRef(kind)))
    for var, tile in flows:
        variables.setdefault(var)
        for node in nodes_of(tile):
            if isinstance(node, ir.TileVarRef):
                variables.setdefault(node.var)
    for var in variables:
        var.origins = frozenset()
    changed = True
    while changed:
        changed = False
        for var, tile in flows:
            merged = var.origins | ir.origins_of(tile)
            if merged != var.origins:
                var.origins = merged
                changed = True
