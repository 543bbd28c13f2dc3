"""Vector functions in C++: pointers to the tiles, then one scope of the vector unit with its registers.

    AICORE inline void scale(VecFloat64x64& x, VecFloat64x64& y, int64_t n) {
      __ubuf__ float* x_ptr = (__ubuf__ float*)x.data();
      __VEC_SCOPE__ {
        RegTensor<float> r;
        MaskReg m;
        m = pset_b32(PAT_ALL);
        ...
      };
    }

What the scope uses is captured when the function is called (the simulator runs it later, as one instruction of pipe V),
so everything in it is a number, a pointer, or a tile by value.  Its loops count in 16 bits.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from ptopro.codegen.context import FunctionContext
from ptopro.codegen.expressions import ORDER, PRODUCT, SUM, Text, assigned
from ptopro.codegen.tiles import member, tile
from ptopro.codegen.vector_memory import moves_cursor
from ptopro.codegen.vector_operands import (
    cursor_name,
    plain_pointer,
    pointer_name,
    pointer_to,
    register_name,
    register_type,
    unit,
)
from ptopro.codegen.writer import WIDTH
from ptopro.language.dtypes import INT64
from ptopro.language.operations.model import Kind
from ptopro.lowering import ir, vf_ir

COUNTER = "uint16_t"
COUNTER_MAX = 65535


@dataclass(slots=True)
class RegisterPlan:
    """What a vector function declares.

    cursors: pointers whose accesses move on, for "load" or "store"; moved: how often each pointer is set; local:
    pointers set once, at the top of the scope, which are declared there; single_addresses: address registers that are
    declared where they are set.
    """

    cursors: set[tuple[vf_ir.UbPointer, str]] = field(default_factory=set)
    moved: Counter[vf_ir.UbPointer] = field(default_factory=Counter)
    local: set[vf_ir.UbPointer] = field(default_factory=set)
    single_addresses: set[vf_ir.Register] = field(default_factory=set)


def plan(body: ir.Block) -> RegisterPlan:
    """Look at what a body does before it is written."""
    found = RegisterPlan()
    addresses: Counter[vf_ir.Register] = Counter()
    for stmt in ir.walk(body):
        match stmt:
            case vf_ir.MovePointer():
                found.moved[stmt.pointer] += 1
            case vf_ir.RegisterOp():
                address = moves_cursor(stmt)
                if address is not None and address[0].offset is None:
                    found.cursors.add((address[0].pointer, address[1]))
                addresses.update(r for r in stmt.registers if r.kind is Kind.ADDRESS)
            case vf_ir.CopyRegister():
                addresses.update([stmt.target, stmt.target])
            case _:
                pass
    top = [stmt.pointer for stmt in body if isinstance(stmt, vf_ir.MovePointer)]
    found.local = {pointer for pointer in top if found.moved[pointer] == 1}
    found.single_addresses = {register for register, count in addresses.items() if count == 1}
    return found


def write_body(ctx: FunctionContext) -> None:
    """The statements of a vector function."""
    from ptopro.codegen.statements import write_block

    body = ctx.body
    ctx.registers = plan(body)
    start = next((i for i, stmt in enumerate(body) if not vf_ir.is_prelude(stmt)), len(body))
    write_block(ctx, body, (), stop=start)
    ctx.out.begin(None)
    ctx.out.open("__VEC_SCOPE__")
    _declare_registers(ctx, body)
    write_block(ctx, body, (), start=start)
    ctx.out.close(";")


def _declare_registers(ctx: FunctionContext, body: ir.Block) -> None:
    """`RegTensor<float> a, b;`, the pointers that move, their cursors."""
    assert ctx.registers is not None
    by_type: dict[str, list[str]] = {}
    for register in vf_ir.registers_of(body):
        if register not in ctx.registers.single_addresses:
            by_type.setdefault(register_type(register), []).append(register_name(ctx, register))
    for pointer in ctx.registers.moved:
        if pointer in ctx.registers.local:
            continue
        kind = pointer_to(unit(pointer.dtype))
        ctx.out.write(f"{kind} {pointer_name(ctx, pointer)} = nullptr;")
        for use in _uses(ctx, pointer):
            ctx.out.write(f"{kind} {cursor_name(ctx, pointer, use)} = nullptr;")
    for kind, names in by_type.items():
        for line in _lines(kind, names, WIDTH - 2 * ctx.out.depth):
            ctx.out.write(line)


def _lines(kind: str, names: Iterable[str], width: int) -> list[str]:
    """Declarations of one type, as many names in each as fit into a line."""
    lines: list[str] = []
    for name in names:
        if lines and len(lines[-1]) + len(name) + 2 <= width:
            lines[-1] = f"{lines[-1][:-1]}, {name};"
        else:
            lines.append(f"{kind} {name};")
    return lines


def _uses(ctx: FunctionContext, pointer: vf_ir.UbPointer) -> tuple[str, ...]:
    assert ctx.registers is not None
    return tuple(use for use in ("load", "store") if (pointer, use) in ctx.registers.cursors)


# ---- pointers -------------------------------------------------------------------------------------------------------


def point_to(ctx: FunctionContext, stmt: vf_ir.PointTo) -> None:
    """`__ubuf__ float* x_ptr = (__ubuf__ float*)x.data();`, and its cursors."""
    kind, name = pointer_to(unit(stmt.pointer.dtype)), pointer_name(ctx, stmt.pointer)
    ctx.out.write(f"{kind} {name} = ({kind}){member(tile(ctx, stmt.tile))}data();")
    for use in _uses(ctx, stmt.pointer):
        ctx.out.write(f"{kind} {cursor_name(ctx, stmt.pointer, use)} = {name};")


def move_pointer(ctx: FunctionContext, stmt: vf_ir.MovePointer) -> None:
    """A pointer some elements behind another; its cursors start there."""
    assert ctx.registers is not None
    own = unit(stmt.pointer.dtype)
    kind = f"{pointer_to(own)} " if stmt.pointer in ctx.registers.local else ""
    name = pointer_name(ctx, stmt.pointer)
    ctx.out.write(f"{kind}{name} = {plain_pointer(ctx, stmt.address, own)};")
    for use in _uses(ctx, stmt.pointer):
        ctx.out.write(f"{kind}{cursor_name(ctx, stmt.pointer, use)} = {name};")


# ---- loops ----------------------------------------------------------------------------------------------------------


def vector_loop(ctx: FunctionContext, stmt: ir.For) -> None:
    """A loop with a counter of 16 bits.

    Bounds that are known and not negative are counted directly; any others as a number of rounds:

        const uint16_t i_rounds = static_cast<uint16_t>(n > 0 ? n : 0);
        for (uint16_t i = 0; i < i_rounds; ++i) {
    """
    from ptopro.codegen.statements import inner

    index = ctx.index
    body_scope = (*ctx.scope, (index, 0))
    name = ctx.local(stmt.var)
    region = ctx.places.region(stmt.var, body_scope)
    private = region.kind == "loop" and region.scope == body_scope
    start, step = _constant(stmt.start), _constant(stmt.step)
    direct = start is not None and step is not None and start >= 0 and step > 0
    counter = name if private and direct else ctx.temporary(f"{name}_round")
    if direct and start is not None and step is not None:
        known = _constant(stmt.stop)
        if known is not None and known <= start:
            return  # no round
        stop = _stop(ctx, stmt, name)
        more = f"++{counter}" if step == 1 else f"{counter} += {step}"
        ctx.out.open(f"for ({COUNTER} {counter} = {start}; {counter} < {stop}; {more})")
        value = counter
    else:
        first, by = _kept(ctx, stmt.start, f"{name}_start"), _kept(ctx, stmt.step, f"{name}_step")
        rounds = ctx.temporary(f"{name}_rounds")
        ctx.out.write(f"const int64_t {rounds} = {_rounds(ctx, stmt, first, by, step)};")
        limit = ctx.temporary(f"{name}_limit")
        ctx.out.write(f"const {COUNTER} {limit} = static_cast<{COUNTER}>({rounds} > 0 ? {rounds} : 0);")
        ctx.out.open(f"for ({COUNTER} {counter} = 0; {counter} < {limit}; ++{counter})")
        value = f"{first.at(SUM)} + {counter} * {by.at(PRODUCT + 1)}"
    if not private:
        ctx.out.write(f"{ctx.variable(stmt.var)} = {value};")
    elif not direct:
        ctx.out.write(f"const int64_t {name} = {value};")
    inner(ctx, stmt.body, 0, index)
    ctx.out.close()


def _constant(node: ir.Expr) -> int | None:
    return int(node.value) if isinstance(node, ir.Const) else None


def _stop(ctx: FunctionContext, stmt: ir.For, name: str) -> str:
    """The bound of a loop that counts up from a number: itself, or a constant of 16 bits ahead."""
    known = _constant(stmt.stop)
    if known is not None:
        return str(min(max(known, 0), COUNTER_MAX))
    stop = ctx.temporary(f"{name}_stop")
    bound = _kept(ctx, stmt.stop, f"{name}_bound")
    text = bound.text if stmt.stop.dtype.kind == "uint" else f"{bound.at(ORDER + 1)} > 0 ? {bound.text} : 0"
    ctx.out.write(f"const {COUNTER} {stop} = static_cast<{COUNTER}>({text});")
    return stop


def _kept(ctx: FunctionContext, node: ir.Expr, wanted: str) -> Text:
    """A number that is written more than once: in a constant of its own where it is more than a name."""
    text = assigned(node, INT64, ctx)
    if text.text.replace("_", "").isalnum():
        return text
    name = ctx.temporary(wanted)
    ctx.out.write(f"const int64_t {name} = {text.text};")
    return Text(name, text.level + PRODUCT, INT64)


def _rounds(ctx: FunctionContext, stmt: ir.For, first: Text, by: Text, step: int | None) -> str:
    """How often the loop runs, 0 or less for never."""
    stop = _kept(ctx, stmt.stop, f"{ctx.local(stmt.var)}_bound")
    up = f"({stop.at(SUM)} - {first.at(SUM + 1)} + {by.at(SUM + 1)} - 1) / {by.at(PRODUCT + 1)}"
    if step is not None and step < 0:
        return f"({first.at(SUM)} - {stop.at(SUM + 1)} + {-step - 1}) / {-step}"
    if stmt.step_sign > 0 or (step is not None and step > 0):
        return up
    down = f"({stop.at(SUM)} - {first.at(SUM + 1)} + {by.at(SUM + 1)} + 1) / {by.at(PRODUCT + 1)}"
    sign = by.at(ORDER + 1)
    return f"{sign} > 0 ? {up} : {sign} < 0 ? {down} : 0"
