"""Statements as C++: one short function for each kind of statement, in the table at the end."""

from __future__ import annotations

from collections.abc import Callable

from ptopro.codegen import simt, tensors
from ptopro.codegen.context import FunctionContext
from ptopro.codegen.expressions import ORDER, POSTFIX, Text, as_test, assigned
from ptopro.codegen.flag_locks import finish
from ptopro.codegen.functions import call_text, field_name, returned
from ptopro.codegen.locks import lock
from ptopro.codegen.operations import operate
from ptopro.codegen.traverse import Variable, is_pure, nodes
from ptopro.codegen.variables import assign, bind_tile, declare_ahead, receive, struct_declare, struct_write
from ptopro.lowering import ir, simt_ir, vf_ir


def write_block(
    ctx: FunctionContext,
    block: ir.Block,
    scope: tuple[tuple[int, int], ...],
    start: int = 0,
    stop: int | None = None,
) -> None:
    """The statements of a block, each with its declarations ahead of it and its source line beside it.

    start, stop: the statements to write where it is not the whole block.
    """
    outer, ctx.scope = ctx.scope, scope
    held = {pipe: list(items) for pipe, items in ctx.held.items()}
    for index, stmt in enumerate(block[:stop]):
        if index < start:
            continue
        place = ctx.half.options.locate(stmt.span)
        ctx.out.begin(place, f"{place[0].rpartition('/')[2]}:{place[1]}")
        for var in ctx.places.ahead_of(scope, index):
            declare_ahead(ctx, var)
        ctx.index, ctx.statement_views = index, {}
        STATEMENTS[type(stmt)](ctx, stmt)
        if isinstance(stmt, (ir.Return, ir.Break, ir.Continue)):
            break
    ctx.held = held
    ctx.scope = outer


def inner(ctx: FunctionContext, block: ir.Block, number: int, index: int) -> None:
    """A block nested in statement `index` of the current scope."""
    write_block(ctx, block, (*ctx.scope, (index, number)))


# ---- declarations --------------------------------------------------------------------------------------------------


def declare_tile(ctx: FunctionContext, stmt: ir.DeclareTile) -> None:
    """The declaration stands at the head; made again in a loop, the tile starts with its whole valid shape."""
    spec = stmt.decl.spec
    if ctx.places.in_loop(ctx.scope) and ctx.half.is_resized(stmt.decl) and min(spec.valid_shape) < 0:
        rows, cols = spec.shape
        ctx.out.write(f"{ctx.tile_name(stmt.decl)}.SetValidShape({rows}, {cols});")


def declare_group(ctx: FunctionContext, stmt: ir.DeclareGroup) -> None:
    """The declaration stands at the head; made again in a loop (or call), the group starts over."""
    group = stmt.decl
    again = ctx.places.in_loop(ctx.scope) or ctx.half.owners.get(group) is not ctx.function
    if again and ctx.half.is_advanced(group):
        ctx.out.write(f"{ctx.cursor_name(group)} = {group.depth - 1};")


def declare_tensor(ctx: FunctionContext, stmt: ir.DeclareTensor) -> None:
    if simt.is_thread_code(ctx.function):  # a pointer parameter
        return
    tensors.declare_view(ctx, stmt.decl)


def advance(ctx: FunctionContext, stmt: ir.Advance) -> None:
    if ctx.half.is_advanced(stmt.group):
        cursor = ctx.cursor_name(stmt.group)
        ctx.out.write(f"{cursor} = ({cursor} + 1) % {stmt.group.depth};")


# ---- control flow ----------------------------------------------------------------------------------------------------


def branch(ctx: FunctionContext, stmt: ir.If) -> None:
    index = ctx.index
    ctx.out.open(f"if ({as_test(stmt.test, ctx).text})")
    inner(ctx, stmt.then, 0, index)
    other, number = stmt.other, 1
    if other:
        place = ctx.half.options.locate(stmt.span)
        chain = other[0] if len(other) == 1 and isinstance(other[0], ir.If) else None
        if chain is not None and not ctx.places.ahead_of((*ctx.scope, (index, 1)), 0) and _is_plain(chain.test):
            _else_if(ctx, chain, (*ctx.scope, (index, 1)))
        else:
            ctx.out.begin(place)
            ctx.out.otherwise("else")
            inner(ctx, other, number, index)
    ctx.out.close()


def _is_plain(test: ir.Expr) -> bool:
    """Whether a test needs no statement of its own ahead of it."""
    return not any(isinstance(node, (ir.SubView, ir.Call)) for node in nodes(test))


def _else_if(ctx: FunctionContext, stmt: ir.If, scope: tuple[tuple[int, int], ...]) -> None:
    """An `elif`: the only statement of an else block."""
    outer, ctx.scope = ctx.scope, scope
    place = ctx.half.options.locate(stmt.span)
    ctx.out.begin(place, f"{place[0].rpartition('/')[2]}:{place[1]}")
    ctx.out.otherwise(f"else if ({as_test(stmt.test, ctx).text})")
    inner(ctx, stmt.then, 0, 0)
    if stmt.other:
        chain = stmt.other[0] if len(stmt.other) == 1 and isinstance(stmt.other[0], ir.If) else None
        if chain is not None and not ctx.places.ahead_of((*scope, (0, 1)), 0) and _is_plain(chain.test):
            _else_if(ctx, chain, (*scope, (0, 1)))
        else:
            ctx.out.begin(place)
            ctx.out.otherwise("else")
            inner(ctx, stmt.other, 1, 0)
    ctx.scope = outer


def loop(ctx: FunctionContext, stmt: ir.For) -> None:
    """`for (int64_t i = start; i < stop; ++i)`: signed, compared by the sign of the step, bounds evaluated once.

    A variable that is assigned in the body, or read after the loop, gets its value from a counter of the loop's own.
    """
    if ctx.registers is not None:
        from ptopro.codegen.vector_functions import vector_loop

        vector_loop(ctx, stmt)
        return
    index = ctx.index
    body_scope = (*ctx.scope, (index, 0))
    name, c_type = ctx.local(stmt.var), stmt.var.dtype.c
    region = ctx.places.region(stmt.var, body_scope)
    private = region.kind == "loop" and region.scope == body_scope
    changed = ctx.places.writes_inside(body_scope) | {stmt.var}
    counter = name if private else ctx.temporary(f"{name}_next")
    stop = _bound(ctx, stmt, stmt.stop, "stop", changed)
    step = _bound(ctx, stmt, stmt.step, "step", changed)
    start = assigned(stmt.start, stmt.var.dtype, ctx)
    test = _loop_test(stmt.step_sign or _sign(stmt.step), counter, stop, step)
    ctx.out.open(f"for ({c_type} {counter} = {start.text}; {test}; {_increment(counter, stmt, step)})")
    if not private:
        ctx.out.write(f"{ctx.variable(stmt.var)} = {counter};")
    inner(ctx, stmt.body, 0, index)
    ctx.out.close()


def _bound(ctx: FunctionContext, stmt: ir.For, node: ir.Expr, what: str, changed: set[Variable]) -> Text:
    """A bound as it is used in the loop's head: itself when nothing can change it, else a constant ahead."""
    value = assigned(node, stmt.var.dtype, ctx)
    parts = list(nodes(node))
    steady = all(
        isinstance(part, (ir.Const, ir.VarRef, ir.Binary, ir.Unary, ir.Cast, ir.SystemValue)) for part in parts
    )
    free = not any(isinstance(part, ir.VarRef) and part.var in changed for part in parts)
    if is_pure(node) and steady and free:
        return value
    name = ctx.temporary(f"{ctx.local(stmt.var)}_{what}")
    ctx.out.write(f"const {stmt.var.dtype.c} {name} = {value.text};")
    return Text(name, POSTFIX, stmt.var.dtype)


def _sign(node: ir.Expr) -> int:
    """1 where a step is certainly positive: numbers of blocks and of cores, and their products."""
    match node:
        case ir.Const():
            return 1 if node.value > 0 else -1
        case ir.SystemValue():
            return 1 if node.name in ("get_block_num", "get_subblock_num") else 0
        case ir.Cast():
            return _sign(node.operand) if node.dtype.is_int else 0
        case ir.Binary(op="*"):
            return _sign(node.left) * _sign(node.right)
        case _:
            return 0


def _loop_test(step_sign: int, counter: str, stop: Text, step: Text) -> str:
    bound = stop.at(ORDER + 1)
    if step_sign > 0:
        return f"{counter} < {bound}"
    if step_sign < 0:
        return f"{counter} > {bound}"
    sign = step.at(ORDER + 1)
    return f"{sign} > 0 ? {counter} < {bound} : {sign} < 0 && {counter} > {bound}"


def _increment(counter: str, stmt: ir.For, step: Text) -> str:
    if isinstance(stmt.step, ir.Const) and not stmt.step.name:
        value = int(stmt.step.value)
        if abs(value) == 1:
            return f"{'++' if value > 0 else '--'}{counter}"
        return f"{counter} {'+=' if value > 0 else '-='} {abs(value)}"
    return f"{counter} += {step.text}"


def while_loop(ctx: FunctionContext, stmt: ir.While) -> None:
    index = ctx.index
    ctx.out.open(f"while ({as_test(stmt.test, ctx).text})")
    inner(ctx, stmt.body, 0, index)
    ctx.out.close()


def section(ctx: FunctionContext, stmt: ir.SectionBegin | ir.SectionEnd) -> None:
    """A turn marker; pruned where the build is not serial."""
    ctx.out.write(f"PTOPRO_TURN({2 * stmt.number + isinstance(stmt, ir.SectionEnd)});")


def give_back(ctx: FunctionContext, stmt: ir.Return) -> None:
    if ctx.is_kernel and ctx.half.flag_locks is not None:
        finish(ctx, ctx.half.flag_locks)
    ctx.out.write("return;" if ctx.is_kernel else returned(ctx, stmt.values))


def call(ctx: FunctionContext, stmt: ir.CallStmt) -> None:
    """A helper call; what it returns goes to variables, one or several."""
    if isinstance(ctx, simt.ThreadContext):
        text = simt.thread_call(ctx, stmt.function, stmt.args)
    else:
        text = call_text(ctx, stmt.function, stmt.args)
    info = ctx.half.functions[id(stmt.function)]
    if not stmt.results:
        ctx.out.write(f"{text};")
        return
    if not info.fields:
        receive(ctx, stmt.results[0], [text])
        return
    holder = ctx.temporary(f"{info.name}_result")
    ctx.out.write(f"const auto {holder} = {text};")
    fields = [f"{holder}.{field_name(field)}" for field in info.fields]
    for result in stmt.results:
        width = 1 + (result.id_count if isinstance(result, ir.TileVar) else 0)
        receive(ctx, result, fields[:width])
        fields = fields[width:]


def register_code(ctx: FunctionContext, stmt: ir.Stmt) -> None:
    """A statement of a vector function; its modules are loaded by kernels that have one."""
    from ptopro.codegen.vector_functions import move_pointer, point_to
    from ptopro.codegen.vector_operations import copy_register, register_operation

    match stmt:
        case vf_ir.PointTo():
            point_to(ctx, stmt)
        case vf_ir.MovePointer():
            move_pointer(ctx, stmt)
        case vf_ir.CopyRegister():
            copy_register(ctx, stmt)
        case vf_ir.RegisterOp():
            register_operation(ctx, stmt)
        case _:
            raise AssertionError(stmt)


Emitter = Callable[..., None]
STATEMENTS: dict[type, Emitter] = {
    ir.Assign: assign,
    ir.StructDeclare: struct_declare,
    ir.StructWrite: struct_write,
    ir.DeclareTile: declare_tile,
    ir.DeclareGroup: declare_group,
    ir.DeclareTensor: declare_tensor,
    ir.Advance: advance,
    ir.BindTile: bind_tile,
    ir.If: branch,
    ir.For: loop,
    ir.While: while_loop,
    ir.Break: lambda ctx, _: ctx.out.write("break;"),
    ir.Continue: lambda ctx, _: ctx.out.write("continue;"),
    ir.Return: give_back,
    ir.SectionBegin: section,
    ir.SectionEnd: section,
    ir.Operate: operate,
    ir.Lock: lock,
    ir.CallStmt: call,
    vf_ir.PointTo: register_code,
    vf_ir.MovePointer: register_code,
    vf_ir.CopyRegister: register_code,
    vf_ir.RegisterOp: register_code,
    simt_ir.Launch: simt.launch,
    simt_ir.ElementWrite: simt.write_element,
    simt_ir.AtomicUpdate: simt.update,
}
