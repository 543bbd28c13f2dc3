"""Walking the IR: the expressions inside an expression, the expressions and variables of one statement.

Used by the analyses that decide what a half declares (prune, scopes, usage); statements nested in a statement are not
entered here (`ptopro.lowering.ir.walk` does that).
"""

from __future__ import annotations

from collections.abc import Iterator

from ptopro.lowering import ir, simt_ir, vf_ir

Node = ir.Expr | ir.TileExpr | ir.TensorDecl | ir.StructVar | ir.GroupDecl
Variable = ir.Var | ir.TileVar | ir.StructVar
EXPRESSIONS = (
    ir.Const, ir.VarRef, ir.Unary, ir.Binary, ir.Choose, ir.Cast, ir.SystemValue, ir.ValidExtent, ir.ElementRead,
    ir.ArrayRead, ir.StructRead, ir.TilingRead, ir.PointerOf, ir.IsNull, ir.Call, simt_ir.ThreadMath,
)  # fmt: skip
TILES = (ir.TileRef, ir.SlotRef, ir.TileVarRef, ir.SubView, ir.ChooseTile)


def is_tile(value: object) -> bool:
    return isinstance(value, TILES)


def is_expression(value: object) -> bool:
    return isinstance(value, EXPRESSIONS)


def children(node: Node) -> Iterator[Node]:
    """The nodes directly below an expression, a tile expression or a tensor."""
    match node:
        case ir.Unary() | ir.Cast():
            yield node.operand
        case ir.Binary():
            yield node.left
            yield node.right
        case ir.Choose() | ir.ChooseTile():
            yield node.test
            yield node.then
            yield node.other
        case ir.ValidExtent():
            yield node.tile
        case ir.ElementRead():
            yield node.container
            yield node.offset
        case ir.ArrayRead():
            yield node.index
        case ir.StructRead():
            yield node.var
            yield from (part for part in (node.at, node.index) if part is not None)
        case ir.TilingRead():
            if node.index is not None:
                yield node.index
        case ir.PointerOf():
            yield node.base
            if node.offset is not None:
                yield node.offset
        case ir.IsNull():
            yield node.pointer
        case ir.Call() | simt_ir.ThreadMath():
            yield from node.args
        case ir.SlotRef():
            if not isinstance(node.index, (str, int)):
                yield node.index
        case ir.SubView():
            yield node.base
            yield from (node.row, node.col, node.rows, node.cols)
        case _:
            pass


def nodes(node: Node) -> Iterator[Node]:
    """A node and everything below it."""
    yield node
    for child in children(node):
        yield from nodes(child)


def operand_nodes(value: object) -> Iterator[Node]:
    """The nodes of an operand's value: one, several for a list, none for a compile-time attribute."""
    if isinstance(value, vf_ir.UbAddress):
        value = value.offset
    if isinstance(value, tuple):
        for item in value:
            yield from operand_nodes(item)
    elif is_expression(value) or is_tile(value) or isinstance(value, (ir.TensorDecl, ir.StructVar, ir.GroupDecl)):
        yield from nodes(value)  # type: ignore[arg-type]


def roots(stmt: ir.Stmt) -> Iterator[Node]:
    """The outermost expressions that a statement evaluates itself (not those of statements inside it)."""
    match stmt:
        case ir.Assign():
            yield stmt.value
        case ir.StructDeclare():
            for _, values in stmt.values:
                yield from values
        case ir.StructWrite():
            yield stmt.var
            yield from (part for part in (stmt.at, stmt.index, stmt.value) if part is not None)
        case ir.DeclareTensor():
            decl = stmt.decl
            yield from (part for part in (*decl.shape, *(decl.strides or ()), decl.base) if part is not None)
        case ir.BindTile():
            yield stmt.tile
        case ir.If() | ir.While():
            yield stmt.test
        case ir.For():
            yield from (stmt.start, stmt.stop, stmt.step)
        case ir.Return():
            yield from stmt.values
        case ir.Operate() | vf_ir.RegisterOp():
            for use in stmt.operands:
                yield from operand_nodes(use.value)
        case vf_ir.PointTo():
            yield stmt.tile
        case vf_ir.MovePointer():
            if stmt.address.offset is not None:
                yield stmt.address.offset
        case ir.Lock():
            yield from (part for part in (stmt.tile, stmt.id) if part is not None)
        case simt_ir.ElementWrite():
            yield from (stmt.container, stmt.offset, stmt.value)
        case simt_ir.AtomicUpdate():
            yield from (stmt.container, stmt.offset, *stmt.values)
        case ir.CallStmt():
            yield from stmt.args
        case _:
            pass


def reads(stmt: ir.Stmt) -> Iterator[Node]:
    """Every node that a statement evaluates itself."""
    for root in roots(stmt):
        yield from nodes(root)


def variables_read(stmt: ir.Stmt) -> Iterator[Variable]:
    """The variables a statement itself reads; a struct that is written in part counts as read."""
    for node in reads(stmt):
        match node:
            case ir.VarRef() | ir.TileVarRef():
                yield node.var
            case ir.StructVar():
                yield node
            case _:
                pass


def variables_written(stmt: ir.Stmt) -> Iterator[Variable]:
    """The variables a statement gives a new value; a loop's variable is not among them."""
    match stmt:
        case ir.Assign() | ir.BindTile() | ir.StructDeclare():
            yield stmt.var
        case simt_ir.AtomicUpdate():
            yield from () if stmt.result is None else (stmt.result,)
        case ir.CallStmt():
            yield from stmt.results
        case _:
            pass


def blocks(stmt: ir.Stmt) -> tuple[ir.Block, ...]:
    """The blocks nested directly in a statement."""
    match stmt:
        case ir.If():
            return stmt.then, stmt.other
        case ir.For() | ir.While():
            return (stmt.body,)
        case _:
            return ()


def called(block: ir.Block) -> Iterator[ir.FunctionIR]:
    """The functions that a block calls directly, in order of their first call, each once."""
    seen: set[int] = set()
    for stmt in ir.walk(block):
        functions = [node.function for node in reads(stmt) if isinstance(node, ir.Call)]
        if isinstance(stmt, ir.CallStmt):
            functions.append(stmt.function)
        for function in functions:
            if id(function) not in seen:
                seen.add(id(function))
                yield function


def is_pure(node: Node) -> bool:
    """Whether evaluating a node changes nothing."""
    return not any(isinstance(part, ir.Call) for part in nodes(node))
