"""Operations of vector functions: from a call `vf.<name>(...)` to a `RegisterOp` and the registers it yields.

In: the call, and the names that its results are assigned to.  Out: the statement, and the results as values.  Offsets
become expressions, tiles pointers; which registers receive the results follows from the operation's entry (`Gives`).
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ptopro.frontend.suggestions import did_you_mean
from ptopro.language.dtypes import DType
from ptopro.language.enums import DataCopyMode, MergeMode
from ptopro.language.operations.model import (
    Gives,
    Kind,
    Operand,
    OperandView,
    Operation,
    PointerView,
    RegisterView,
    ScalarView,
)
from ptopro.language.operations.table import OPERATIONS, find
from ptopro.lowering import ir, scalars, vf_ir
from ptopro.lowering.arguments import Given, bind, item_nodes
from ptopro.lowering.context import plain_value
from ptopro.lowering.expressions import members, ordered
from ptopro.lowering.register_lists import held
from ptopro.lowering.values import (
    NONE,
    UNKNOWN,
    Known,
    RegisterValue,
    Scalar,
    TileValue,
    TupleValue,
    UbValue,
    Unknown,
    Value,
    kind_name,
)
from ptopro.lowering.vector_registers import ub_value

if TYPE_CHECKING:
    from ptopro.lowering.context import Frame

_REGISTERS = Kind.REGISTER | Kind.MASK | Kind.ADDRESS | Kind.UNALIGN
_MISSING = plain_value(UNKNOWN)
Made = tuple[ir.OperandUse, OperandView]


def call_register_operation(frame: Frame, name: str, node: ast.Call) -> Value:
    """A call of `vf.<name>`."""
    file = frame.registers
    operation = find(name)
    if operation is None:
        known = [n.removeprefix("vf.") for n in OPERATIONS if n.startswith("vf.")]
        frame.report("PTO1158", node.func, name=name, hint=did_you_mean(name.removeprefix("vf."), known))
        ordered(frame, [a.value if isinstance(a, ast.Starred) else a for a in node.args])
        return UNKNOWN
    if file is None:
        frame.report("PTO1074", node.func, name=name)
        return UNKNOWN
    names = file.take(node)
    alone = frame.discarded is node
    arguments = bind(frame, node, operation)
    if arguments is None:
        return _failed(operation, names)
    given = dict(arguments.given)
    if operation.name == "vf.store_align" and not _arrange_store(frame, given, arguments.variadic, node):
        return _failed(operation, names)
    made = _operands(frame, operation, given)
    if made is None:
        return _failed(operation, names)
    uses, views = made
    problems = operation.problems(views)
    for problem in problems:
        facts: dict[str, Any] = dict(problem.facts)
        facts["operation"] = operation.name
        frame.report(problem.code, given[problem.operand].node if problem.operand in given else node, **facts)
    if problems:
        return _failed(operation, names)
    if operation.name == "vf.create_addr_reg" and not _counts_loops(frame, uses):
        frame.report("PTO1297", node)
        return UNKNOWN
    if operation.name == "vf.bit_cast" and not names:
        return _seen_as(frame, views, given, node)
    if operation.gives is None:
        frame.emit(vf_ir.RegisterOp(frame.stmt_span, operation, (), uses, frame.span(node)))
        return NONE
    if alone:
        frame.report("PTO1075", node, name=operation.name)
        return UNKNOWN
    registers = _results(frame, operation, operation.gives, views, names, node)
    if registers is None:
        return _failed(operation, names)
    frame.emit(vf_ir.RegisterOp(frame.stmt_span, operation, registers, uses, frame.span(node)))
    values = tuple(RegisterValue(register) for register in registers)
    return values[0] if len(values) == 1 else TupleValue(values)


def _failed(operation: Operation, names: Sequence[str]) -> Value:
    """What stands for the results of a call that has been reported."""
    return TupleValue((UNKNOWN,) * len(names)) if len(names) > 1 else UNKNOWN


# --------------------------------------------------------------------------------------------------------------------
# Operands


def _operands(
    frame: Frame, operation: Operation, given: Mapping[str, Given]
) -> tuple[tuple[ir.OperandUse, ...], dict[str, OperandView]] | None:
    """The operands as the IR and as the rules see them; None after a report."""
    uses: list[ir.OperandUse] = []
    views: dict[str, OperandView] = {}
    good = True
    for operand in operation.operands:
        item = given.get(operand.name)
        if operand.variadic or item is None or (isinstance(item.value, Known) and item.value.value is None):
            continue
        made = _operand(frame, operation, operand, item, given)
        if made is None:
            good = False
            continue
        uses.append(made[0])
        views[operand.name] = made[1]
    return (tuple(uses), views) if good else None


def _operand(
    frame: Frame, operation: Operation, operand: Operand, given: Given, others: Mapping[str, Given]
) -> Made | None:
    value, node = given.value, given.node
    source = frame.source(node)
    name = operand.name
    if isinstance(value, Unknown):
        return None
    if Kind.TILE in operand.kind and isinstance(value, TileValue | UbValue):
        pointer = ub_value(frame, value)
        assert pointer is not None
        address = vf_ir.UbAddress(pointer.pointer, pointer.offset)
        return ir.OperandUse(name, address, source), PointerView(pointer.pointer.dtype, pointer.pointer.columns)
    if isinstance(value, RegisterValue):
        register = value.register if value.seen_as is None else vf_ir.RegisterAs(value.register, value.seen_as)
        return ir.OperandUse(name, register, source), RegisterView(value.kind, value.dtype)
    if Kind.OFFSETS in operand.kind and members(value) is not None:
        offset = _row_and_column(frame, given, others)
        return None if offset is None else (ir.OperandUse(name, offset, source), ScalarView(offset.dtype))
    if isinstance(value, Scalar):
        if operand.kind & (Kind.SCALAR | _REGISTERS | Kind.TILE):
            return ir.OperandUse(name, value.expr, source), ScalarView(value.dtype)
        frame.report("PTO1150", node, what=f"'{name}' of {operation.name}", name=frame.text(node))
        return None
    if isinstance(value, Known):
        if value.is_number and operand.kind & (Kind.SCALAR | _REGISTERS | Kind.TILE) and Kind.ATTR not in operand.kind:
            number = scalars.constant(frame, value, node)
            return ir.OperandUse(name, number, source), ScalarView(number.dtype, number.value)
        return ir.OperandUse(name, value.value, source), value.value
    frame.report("PTO1260", node, expected=f"what '{name}' of {operation.name} takes", found=kind_name(value))
    return None


def _row_and_column(frame: Frame, given: Given, others: Mapping[str, Given]) -> ir.Expr | None:
    """`[row, column]` as one offset in elements; a list of one item is that offset."""
    items = members(given.value)
    assert items is not None
    tile = next((item.value for item in others.values() if isinstance(item.value, TileValue | UbValue)), None)
    pointer = None if tile is None else ub_value(frame, tile)
    if len(items) not in (1, 2) or pointer is None:
        frame.report("PTO1260", given.node, expected="an offset or [row, column]", found=kind_name(given.value))
        return None
    nodes = item_nodes(given.node, len(items))
    if len(items) == 1:
        return scalars.integer(frame, items[0], nodes[0], "an offset")
    rows = scalars.binary(frame, "*", items[0], Known(pointer.pointer.columns), given.node)
    total = scalars.binary(frame, "+", rows, items[1], given.node)
    return None if isinstance(total, Unknown) else scalars.integer(frame, total, given.node, "an offset")


def _seen_as(frame: Frame, views: Mapping[str, OperandView], given: Mapping[str, Given], node: ast.AST) -> Value:
    """`vf.bit_cast` within an expression: the same register, other lanes."""
    value, dtype = given["src"].value, views.get("dtype")
    if not isinstance(dtype, DType):
        frame.report("PTO1295", node, name="vf.bit_cast")
        return UNKNOWN
    assert isinstance(value, RegisterValue)
    return RegisterValue(value.register, None if value.register.dtype == dtype else dtype)


def _counts_loops(frame: Frame, uses: Sequence[ir.OperandUse]) -> bool:
    """Whether the indices of an address register are the counters of the innermost loops, the outermost first."""
    assert frame.registers is not None
    loops = [loop for loop in (*frame.registers.outer, *frame.loops) if not loop.unrolled]
    indices = [use.value for use in uses if use.name.startswith("index")]
    counters = [loop.counter for loop in loops[-len(indices) :]]
    return len(counters) == len(indices) and all(
        isinstance(index, ir.VarRef) and index.var is counter for index, counter in zip(indices, counters, strict=True)
    )


def _arrange_store(frame: Frame, given: dict[str, Given], rest: Sequence[Given], node: ast.AST) -> bool:
    """Name the positional arguments of store_align behind dst: `src[, src1], mask[, offset | strides]`.

    Whether they have an order that store_align knows; a wrong one is reported.
    """
    if "src" not in given or any(isinstance(item.value, Unknown) for item in (given["src"], *rest)):
        return False
    kinds = [item.value.kind if isinstance(item.value, RegisterValue) else None for item in rest]
    slots: list[str] = []
    first = given["src"].value
    if isinstance(first, RegisterValue) and first.kind is Kind.REGISTER:
        slots += ["src1"] if kinds[:1] == [Kind.REGISTER] else []
        slots += ["mask"] if kinds[len(slots) : len(slots) + 1] == [Kind.MASK] else []
    left = len(rest) - len(slots)
    copy = plain_value(given["data_copy_mode"].value) if "data_copy_mode" in given else None
    strided = copy in (DataCopyMode.DATA_BLOCK_COPY, DataCopyMode.DATA_BLOCK_LOAD)
    slots += ["block_stride", "repeat_stride"][:left] if strided else ["offset"][:left]
    whole = isinstance(first, RegisterValue) and (first.kind is Kind.MASK or "mask" in slots or "mask" in given)
    if not whole or len(slots) < len(rest) or any(slot in given for slot in slots):
        frame.report("PTO1078", node)
        return False
    given.update(zip(slots, rest, strict=True))
    return True


# --------------------------------------------------------------------------------------------------------------------
# Results


def _results(
    frame: Frame,
    operation: Operation,
    gives: Gives,
    views: Mapping[str, OperandView],
    names: Sequence[str],
    node: ast.Call,
) -> tuple[vf_ir.Register, ...] | None:
    """The registers that receive the results; None after a report."""
    kinds = list(gives.kinds)
    if operation.name == "vf.load_align":
        kinds = _loaded(frame, views, names)
    followed = views.get(gives.follows)
    if isinstance(followed, RegisterView) and followed.kind is Kind.MASK:
        kinds = [Kind.MASK] * len(kinds)
    if names and len(names) != len(kinds):
        frame.report("PTO1261", node, expected=len(names), found=len(kinds))
        return None
    if len(set(names) - {"_"}) < len([n for n in names if n != "_"]):
        frame.report("PTO1077", node, name=operation.name)
        return None
    updates = gives.updates or (views.get("mode") is MergeMode.MERGING and operation.name != "vf.move")
    found: list[vf_ir.Register] = []
    for i, kind in enumerate(kinds):
        dtype: DType | None = None
        name = names[i] if names and names[i] != "_" else ""
        if kind is Kind.REGISTER:
            dtype = _dtype(frame, gives, views, name)
            if dtype is None:
                frame.report("PTO1295", node, name=operation.name)
                return None
        register = _register(frame, name, kind, dtype, updates, operation, node)
        if register is None:
            return None
        found.append(register)
    return tuple(found)


def _loaded(frame: Frame, views: Mapping[str, OperandView], names: Sequence[str]) -> list[Kind]:
    """What load_align yields: two registers that take elements in turn, or a mask where the name holds one."""
    dist = getattr(views.get("dist"), "name", "")
    if len(names) == 2 or dist.startswith("DINTLV"):
        return [Kind.REGISTER, Kind.REGISTER]
    before = held(frame, names[0]) if names else None
    is_mask = isinstance(before, RegisterValue) and before.kind is Kind.MASK
    return [Kind.MASK if is_mask and "dtype" not in views else Kind.REGISTER]


def _dtype(frame: Frame, gives: Gives, views: Mapping[str, OperandView], name: str) -> DType | None:
    """The element type of a result: `dtype=`, what the operation says, else that of the first operand that has one.

    Numbers have no type of their own that matters: a name that already holds a register keeps its type.
    """
    named = views.get("dtype")
    if isinstance(named, DType):
        return named
    if gives.named:
        return None
    if gives.dtype is not None:
        return gives.dtype(views)
    for view in views.values():
        if isinstance(view, PointerView) or (isinstance(view, RegisterView) and view.dtype is not None):
            return view.dtype
        if isinstance(view, ScalarView):
            before = held(frame, name) if name else None
            if isinstance(before, RegisterValue) and before.register.dtype is not None:
                return before.register.dtype
            return view.dtype
    return None


def _register(
    frame: Frame,
    name: str,
    kind: Kind,
    dtype: DType | None,
    updates: bool,
    operation: Operation,
    node: ast.Call,
) -> vf_ir.Register | None:
    """The register of a result; with `updates` it holds what the name held before."""
    file = frame.registers
    assert file is not None
    register = (
        file.register(name, kind, dtype, frame.span(node))
        if name
        else vf_ir.Register("", kind, dtype, frame.span(node))
    )
    before = held(frame, name) if name else None
    if not updates:
        other = isinstance(before, RegisterValue) and before.register is not register and before.kind is kind
        if operation.name == "vf.move" and isinstance(before, RegisterValue) and other and before.dtype == dtype:
            frame.emit(vf_ir.CopyRegister(frame.stmt_span, register, before.register))
        return register
    if not isinstance(before, RegisterValue) or before.kind is not kind or before.dtype != dtype:
        found = "nothing" if before is None or isinstance(before, Unknown) else kind_name(before)
        frame.report("PTO1296", node, name=operation.name, target=name or "its result", found=found, dtype=dtype)
        return None
    if before.register is not register:
        frame.emit(vf_ir.CopyRegister(frame.stmt_span, register, before.register))
    return register
