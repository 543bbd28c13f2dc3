"""The IR as text, for people and for tests: one statement a line, indented, in Python's notation.

`dump(kernel)` gives the halves with their helpers; `dump_block` a block.  Locks, cursors and declarations are written
out, folded constants appear as `64` or, with their name, as `TILE`.
"""

from __future__ import annotations

import enum

from ptopro.language.dtypes import DType
from ptopro.lowering import ir, simt_ir, vf_ir
from ptopro.lowering.traversal import reachable_functions


def dump(kernel: ir.KernelIR) -> str:
    """A kernel: constants, then each half with the helpers it calls."""
    parts = [f"kernel {kernel.name} ({kernel.chip})"]
    parts += [f"const {c.name}: {short(c.dtype)} = {c.value!r}" for c in kernel.constants]
    for core, half in (("cube", kernel.cube), ("vector", kernel.vector)):
        if half is None:
            continue
        for function in reachable_functions(half)[:-1]:
            parts.append(f"{core} helper {dump_function(function)}")
        parts.append(f"{core} {dump_function(half)}")
    return "\n".join(parts) + "\n"


def dump_function(function: ir.FunctionIR) -> str:
    """A function with its parameters and body."""
    params = ", ".join(_param(p) for p in function.params)
    result = ", ".join("tile" if isinstance(r, ir.TileVar) else short(r) for r in function.result)
    head = f"{function.name}({params})" + (f" -> {result}" if result else "") + ":"
    return "\n".join([head, *dump_block(function.body, 1)])


def _param(param: ir.Var | ir.TileVar) -> str:
    if isinstance(param, ir.TileVar):
        return f"{param.name}: tile"
    return f"{param.name}: {short(param.dtype)}{'*' if param.pointer else ''}"


def dump_block(block: ir.Block, depth: int = 0) -> list[str]:
    """The lines of a block."""
    lines: list[str] = []
    for stmt in block:
        lines.extend(_statement(stmt, depth))
    return lines or [f"{'  ' * depth}pass"]


def _statement(stmt: ir.Stmt, depth: int) -> list[str]:
    pad = "  " * depth
    match stmt:
        case ir.If():
            lines = [f"{pad}if {expr(stmt.test)}:", *dump_block(stmt.then, depth + 1)]
            if stmt.other:
                lines += [f"{pad}else:", *dump_block(stmt.other, depth + 1)]
            return lines
        case ir.For():
            sign = {1: "", -1: " down", 0: " by sign"}[stmt.step_sign]
            bounds = f"{expr(stmt.start)}, {expr(stmt.stop)}, {expr(stmt.step)}"
            return [f"{pad}for {stmt.var.name} in range({bounds}){sign}:", *dump_block(stmt.body, depth + 1)]
        case ir.While():
            return [f"{pad}while {expr(stmt.test)}:", *dump_block(stmt.body, depth + 1)]
        case _:
            return [pad + _simple(stmt)]


def _simple(stmt: ir.Stmt) -> str:
    match stmt:
        case ir.Assign():
            return f"{stmt.var.name}: {short(stmt.var.dtype)}{'*' if stmt.var.pointer else ''} = {expr(stmt.value)}"
        case ir.StructDeclare():
            values = ", ".join(f"{name}={_several(items)}" for name, items in stmt.values)
            count = f"[{stmt.var.count}]" if stmt.var.count else ""
            return f"struct {stmt.var.type.name} {stmt.var.name}{count}({values})"
        case ir.StructWrite():
            return f"{_place(stmt.var, stmt.field, stmt.at, stmt.index)} = {expr(stmt.value)}"
        case ir.DeclareTile():
            decl = stmt.decl
            return f"tile {decl.name} = {spec(decl)} at 0x{decl.addr:x}" + (
                f" ids {list(decl.ids)}" if decl.ids else ""
            )
        case ir.DeclareGroup():
            return _group(stmt.decl)
        case ir.DeclareTensor():
            decl_ = stmt.decl
            strides = "" if decl_.strides is None else f" strides {_several(decl_.strides)}"
            base = "" if decl_.base is None else f" at {expr(decl_.base)}"
            return f"tensor {decl_.name} = {short(decl_.dtype)}{_several(decl_.shape)}{strides}{base}"
        case ir.Advance():
            return f"advance {stmt.group.name}"
        case ir.BindTile():
            return f"{stmt.var.name} -> {tile(stmt.tile)}"
        case ir.Return():
            return "return " + ", ".join(value(v) for v in stmt.values) if stmt.values else "return"
        case ir.SectionBegin():
            return f"section {stmt.number} {stmt.core}"
        case ir.SectionEnd():
            return f"end section {stmt.number}"
        case ir.Operate():
            args = ", ".join(f"{use.name}={value(use.value)}{'' if use.pure else '!'}" for use in stmt.operands)
            return f"{stmt.operation.name}({args}) on {stmt.pipe.name}"
        case ir.Lock():
            what = tile(stmt.tile) if stmt.tile is not None else expr(stmt.id) if stmt.id is not None else "?"
            return f"{'lock' if stmt.acquire else 'unlock'} {what} on {stmt.pipe.name}"
        case simt_ir.Launch():
            call = f"{stmt.function.name}({', '.join(value(a) for a in stmt.args)})"
            return f"launch {' x '.join(map(str, stmt.threads))} threads of {call}"
        case simt_ir.ElementWrite():
            return f"{value(stmt.container)}@{expr(stmt.offset)} = {expr(stmt.value)}"
        case simt_ir.AtomicUpdate():
            values = ", ".join(map(expr, (stmt.offset, *stmt.values)))
            result = f"{stmt.result.name} = " if stmt.result is not None else ""
            return f"{result}{stmt.operation.name}({value(stmt.container)}, {values})"
        case ir.CallStmt():
            results = ", ".join(r.name for r in stmt.results)
            call = f"{stmt.function.name}({', '.join(value(a) for a in stmt.args)})"
            return f"{results} = {call}" if results else call
        case vf_ir.PointTo():
            return f"{stmt.pointer.name} = &{tile(stmt.tile)}"
        case vf_ir.MovePointer():
            return f"{stmt.pointer.name} = {_address(stmt.address)}"
        case vf_ir.CopyRegister():
            return f"{_register(stmt.target)} = {_register(stmt.source)}"
        case vf_ir.RegisterOp():
            args = ", ".join(f"{use.name}={_register_operand(use.value)}" for use in stmt.operands)
            results = ", ".join(map(_register, stmt.registers))
            call = f"{stmt.operation.name}({args})"
            return f"{results} = {call}" if results else call
        case _:
            return type(stmt).__name__.lower()


def _register(register: vf_ir.Register) -> str:
    kind = short(register.dtype) if register.dtype is not None else (register.kind.name or "").lower()
    return f"{register.name or 'temporary'}:{kind}"


def _address(address: vf_ir.UbAddress) -> str:
    return address.pointer.name + ("" if address.offset is None else f" + {expr(address.offset)}")


def _register_operand(item: object) -> str:
    match item:
        case vf_ir.Register():
            return _register(item)
        case vf_ir.RegisterAs():
            return f"{_register(item.register)} as {short(item.dtype)}"
        case vf_ir.UbAddress():
            return _address(item)
        case _:
            return value(item)


def _group(decl: ir.GroupDecl) -> str:
    text = f"group {decl.name} = {spec(decl)} at [{', '.join(f'0x{a:x}' for a in decl.addrs)}]"
    if decl.ids:
        text += f" ids {[list(i) for i in decl.ids]}"
    for name, ids in (("fwd", decl.fwd_ids), ("bwd", decl.bwd_ids)):
        if ids:
            text += f" {name} {list(ids)}"
    return text


def spec(decl: ir.TileDecl | ir.GroupDecl) -> str:
    """`Vec[32, 64] FP32`."""
    kind = decl.spec
    layout = f" {kind.layout.name}" if kind.layout is not None else ""
    return f"{kind.memory.name}[{kind.shape[0]}, {kind.shape[1]}] {short(kind.dtype)}{layout}"


def short(dtype: DType) -> str:
    return dtype.name.removeprefix("DT_")


def value(item: object) -> str:
    """An operand."""
    if isinstance(item, ir.TileRef | ir.SlotRef | ir.TileVarRef | ir.SubView | ir.ChooseTile):
        return tile(item)
    if isinstance(item, ir.TensorDecl | ir.GroupDecl | ir.StructVar):
        return item.name
    if isinstance(item, tuple | list):
        return "[" + ", ".join(value(i) for i in item) + "]"
    if isinstance(item, enum.Enum):
        return item.name
    if isinstance(item, DType):
        return short(item)
    if isinstance(item, str | bool | int | float | None):
        return repr(item)
    return expr(item)


def tile(item: ir.TileExpr) -> str:
    """A tile expression."""
    match item:
        case ir.TileRef():
            return item.decl.name
        case ir.SlotRef():
            if isinstance(item.index, str):
                return f"{item.group.name}.{item.index}"
            return f"{item.group.name}[{item.index if isinstance(item.index, int) else expr(item.index)}]"
        case ir.TileVarRef():
            return item.var.name
        case ir.SubView():
            return f"{tile(item.base)}[{expr(item.row)}:+{expr(item.rows)}, {expr(item.col)}:+{expr(item.cols)}]"
        case ir.ChooseTile():
            return f"({tile(item.then)} if {expr(item.test)} else {tile(item.other)})"


def _several(items: tuple[ir.Expr, ...]) -> str:
    return "[" + ", ".join(expr(i) for i in items) + "]"


def _place(var: ir.StructVar, field: str, at: ir.Expr | None, index: ir.Expr | None) -> str:
    text = var.name + (f"[{expr(at)}]" if at is not None else "") + f".{field}"
    return text + (f"[{expr(index)}]" if index is not None else "")


def expr(item: object) -> str:
    """A scalar expression; `//` and `%` that are proved not to be negative are written `/` and `%%`."""
    match item:
        case ir.Const():
            return item.name or repr(item.value)
        case ir.VarRef():
            return item.var.name
        case ir.Unary():
            return f"({item.op}{' ' if item.op == 'not' else ''}{expr(item.operand)})"
        case ir.Binary():
            op = {"//": "/", "%": "%%"}[item.op] if item.nonnegative else item.op
            if op in ("min", "max"):
                return f"{op}({expr(item.left)}, {expr(item.right)})"
            return f"({expr(item.left)} {op} {expr(item.right)})"
        case ir.Choose():
            return f"({expr(item.then)} if {expr(item.test)} else {expr(item.other)})"
        case ir.Cast():
            return f"{short(item.dtype)}({expr(item.operand)})"
        case ir.SystemValue():
            return f"{item.name}()"
        case ir.ValidExtent():
            return f"{tile(item.tile)}.valid_shape[{item.axis}]"
        case ir.ElementRead():
            return f"{value(item.container)}@{expr(item.offset)}"
        case ir.ArrayRead():
            return f"{item.array.name}[{expr(item.index)}]"
        case ir.StructRead():
            return _place(item.var, item.field, item.at, item.index)
        case ir.TilingRead():
            return f"tiling.{item.field}" + (f"[{expr(item.index)}]" if item.index is not None else "")
        case ir.PointerOf():
            base = item.base.name if isinstance(item.base, ir.TensorDecl) else expr(item.base)
            text = f"&{base}" + (f" + {expr(item.offset)}" if item.offset is not None else "")
            return f"({text} as {short(item.dtype)}*)"
        case ir.IsNull():
            return f"({expr(item.pointer)} is None)"
        case simt_ir.ThreadMath():
            return f"{item.operation.name}({', '.join(map(expr, item.args))})"
        case ir.Call():
            return f"{item.function.name}({', '.join(value(a) for a in item.args)})"
        case _:
            return repr(item)
