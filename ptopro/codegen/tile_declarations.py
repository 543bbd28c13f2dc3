"""The tiles that a function declares at its head, grouped by memory, each with the bytes it occupies."""

from __future__ import annotations

from ptopro.codegen.context import FunctionContext
from ptopro.codegen.tile_ids import numbers
from ptopro.codegen.types import MEMORY_NAMES, constructor
from ptopro.codegen.writer import Line, Writer
from ptopro.lowering import ir


def declarations(ctx: FunctionContext) -> list[Line]:
    """The tiles that a function declares, grouped by memory, each with its bytes."""
    out = Writer(depth=1)
    by_memory: dict[object, list[ir.TileDecl | ir.GroupDecl]] = {}
    for decl in ctx.needed.tiles:
        by_memory.setdefault(decl.spec.memory, []).append(decl)
    for memory in sorted(by_memory, key=lambda space: space.value):  # type: ignore[attr-defined]
        out.note(MEMORY_NAMES.get(memory, memory.name))  # type: ignore[call-overload, attr-defined]
        for decl in by_memory[memory]:
            _declare(ctx, out, decl)
    for group in ctx.needed.cursors:
        out.write(f"int {ctx.cursor_name(group)} = {group.depth - 1};")
    for group in ctx.needed.id_tables:
        out.write(_id_table(ctx, group))
    return out.lines


def _declare(ctx: FunctionContext, out: Writer, decl: ir.TileDecl | ir.GroupDecl) -> None:
    name, type_text = ctx.name_of(decl, decl.name), ctx.half.types.name(decl.spec)
    arguments = constructor(decl.spec)
    addresses = decl.addrs if isinstance(decl, ir.GroupDecl) else (decl.addr,)
    size = decl.size or decl.spec.size_bytes
    if len(addresses) == 1:
        out.begin(None, _range(addresses[0], size))
        out.write(f"{type_text} {name}({arguments});" if arguments else f"{type_text} {name};")
        out.write(f"TASSIGN({name}, 0x{addresses[0]:x});")
        return
    value = f"{{{arguments}}}" if "," in arguments else f"{type_text}({arguments})"
    values = ", ".join([value] * len(addresses))
    out.begin(None, ", ".join(_range(addr, size) for addr in addresses))
    depth = len(addresses)
    out.write(f"{type_text} {name}[{depth}] = {{{values}}};" if arguments else f"{type_text} {name}[{depth}];")
    for index, addr in enumerate(addresses):
        out.write(f"TASSIGN({name}[{index}], 0x{addr:x});")


def _range(addr: int, size: int) -> str:
    return f"0x{addr:05x}..0x{addr + size - 1:05x}"


def _id_table(ctx: FunctionContext, group: ir.GroupDecl) -> str:
    width = len(group.ids[0])
    name = ctx.id_table(group)
    ids = [numbers(ctx, row) for row in group.ids]
    if width == 1:
        return f"constexpr int64_t {name}[{group.depth}] = {{{', '.join(str(row[0]) for row in ids)}}};"
    rows = ", ".join("{" + ", ".join(str(number) for number in row) + "}" for row in ids)
    return f"constexpr int64_t {name}[{group.depth}][{width}] = {{{rows}}};"
