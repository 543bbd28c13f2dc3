"""Operations of the table: from a bound call to an `Operate` statement, a lock, or a scalar expression.

In: an entry of the operation table and the arguments by operand.  Out: the statement, with the pipe that executes it.
What the table and its rules do not allow is reported under the operand it concerns.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ptopro.diagnostics import Span
from ptopro.language.dtypes import INT32, INT64
from ptopro.language.enums import MemorySpace, PipeType
from ptopro.language.hardware import EVENT_ID_SAFE_MAX
from ptopro.language.operations.model import (
    Kind,
    Operand,
    OperandView,
    Operation,
    Role,
    ScalarView,
    TensorView,
)
from ptopro.language.operations.table import find
from ptopro.language.tiles import TileSpec
from ptopro.lowering import ir, scalars
from ptopro.lowering.arguments import Given, bind, item_nodes, not_plain
from ptopro.lowering.context import plain_value
from ptopro.lowering.expressions import members
from ptopro.lowering.values import (
    UNKNOWN,
    GroupValue,
    Known,
    Pointer,
    Scalar,
    StructValue,
    TensorValue,
    TileValue,
    TupleValue,
    Unknown,
    Value,
    kind_name,
)

if TYPE_CHECKING:
    from ptopro.lowering.context import Frame

_CUBE_MEMORY = frozenset(MemorySpace) - {MemorySpace.Vec, MemorySpace.DDR}
_CUBE_PIPES = (PipeType.M, PipeType.MTE1, PipeType.FIX)


def call_operation(frame: Frame, operation: Operation, node: ast.Call) -> Value:
    """A call written `pl.<name>(...)`."""
    arguments = bind(frame, node, operation)
    if arguments is None:
        return UNKNOWN
    return perform(frame, operation, arguments.given, arguments.variadic, node)


def perform(
    frame: Frame, operation: Operation, given: Mapping[str, Given], variadic: Sequence[Given], node: ast.AST
) -> Value:
    """The operation with these arguments."""
    if frame.lowering.target.chip not in operation.chips and frame.lowering.target.chip != "a2":
        frame.report(
            "PTO1283", node, name=operation.name, chip=frame.lowering.target.chip, chips=", ".join(operation.chips)
        )
        return UNKNOWN
    uses: list[ir.OperandUse] = []
    views: dict[str, OperandView] = {}
    good = True
    for operand in operation.operands:
        if operand.variadic:
            made = [_operand(frame, operation, operand, item) for item in variadic]
            found = [m for m in made if m is not None]
            good &= len(found) == len(made)
            if found:
                uses.append(ir.OperandUse(operand.name, tuple(use.value for use, _ in found)))
                views[operand.name] = tuple(view for _, view in found)
            continue
        item = given.get(operand.name)
        if item is None or (isinstance(item.value, Known) and item.value.value is None):
            continue
        made_one = _operand(frame, operation, operand, item)
        if made_one is None:
            good = False
            continue
        uses.append(made_one[0])
        views[operand.name] = made_one[1]
    if not good:
        return UNKNOWN
    swapped = _swapped(operation, views)
    for problem in operation.problems(views)[: 1 if swapped else None]:
        good = False
        where = given[problem.operand].node if problem.operand in given else node
        facts: dict[str, Any] = dict(problem.facts)
        frame.report(problem.code, where, notes=swapped, **facts)
    if not good:
        return UNKNOWN
    if not _constants_fit(frame, operation, views, given) or not _has_path(frame, operation, views, node):
        return UNKNOWN
    return _emit(frame, operation, tuple(uses), views, given, node)


def _has_path(frame: Frame, operation: Operation, views: Mapping[str, OperandView], node: ast.AST) -> bool:
    """Whether the chip can bring these memories together: cores of A2 and A3 share global memory only."""
    chip = frame.lowering.target.chip
    memories = {view.memory for view in views.values() if isinstance(view, TileSpec)}
    cube = sorted(m.name for m in memories & _CUBE_MEMORY)
    if chip == "a5" or MemorySpace.Vec not in memories or not cube:
        return True
    name = f"{operation.name} between Vec and {cube[0]}"
    frame.report("PTO1283", node, name=name, chip=chip, chips="a5")
    return False


def _constants_fit(
    frame: Frame, operation: Operation, views: Mapping[str, OperandView], given: Mapping[str, Given]
) -> bool:
    """Whether constants that become elements of an integer tile or tensor can be such elements."""
    good = True
    for operand in operation.operands:
        view, like = views.get(operand.name), views.get(operand.like)
        if not isinstance(view, ScalarView) or view.value is None or not isinstance(like, TileSpec | TensorView):
            continue
        if like.dtype.is_int and like.dtype.bits >= 8 and not scalars.fits(view.value, like.dtype):
            good = False
            frame.report("PTO1250", given[operand.name].node, value=view.value, dtype=like.dtype)
    return good


def _swapped(operation: Operation, views: Mapping[str, OperandView]) -> tuple[str, ...]:
    """A note when two operands are of the wrong kind and would be right the other way round."""
    kinds = {name: _kind(view) for name, view in views.items()}
    wrong = [o for o in operation.operands if o.name in kinds and kinds[o.name] and not (kinds[o.name] & o.kind)]
    if len(wrong) == 2:
        first, second = wrong
        if kinds[first.name] & second.kind and kinds[second.name] & first.kind:
            return (f"'{first.name}' comes before '{second.name}': the two arguments seem to be swapped",)
    return ()


def _kind(view: OperandView) -> Kind:
    if isinstance(view, TileSpec):
        return Kind.TILE
    if isinstance(view, TensorView):
        return Kind.TENSOR
    if isinstance(view, ScalarView):
        return Kind.PTR if view.pointer else Kind.SCALAR
    return Kind(0)


# --------------------------------------------------------------------------------------------------------------------
# Operands


def _operand(
    frame: Frame, operation: Operation, operand: Operand, given: Given
) -> tuple[ir.OperandUse, OperandView] | None:
    """An argument as the IR and as the rules see it; None after a report."""
    value, node = given.value, given.node
    source = frame.source(node)
    if isinstance(value, Unknown):
        return None
    if Kind.OFFSETS in operand.kind:
        items = members(value)
        if items is not None:
            what = f"'{operand.name}' of pl.{operation.name}"
            nodes = item_nodes(node, len(items))
            exprs = [scalars.integer(frame, item, at, what) for item, at in zip(items, nodes, strict=True)]
            found = tuple(e for e in exprs if e is not None)
            if len(found) < len(exprs):
                return None
            return ir.OperandUse(operand.name, found, source), tuple(map(_scalar_view, found))
    match value:
        case TileValue():
            use = ir.OperandUse(operand.name, value.expr, source, value.pure)
            return use, tile_view(value)
        case GroupValue():
            if operand.role is not Role.DESCRIPTOR or operation.name.endswith(("mutex_lock", "mutex_unlock")):
                frame.report("PTO1284", node, name=value.decl.name or frame.text(node), operation=operation.name)
                return None
            return ir.OperandUse(operand.name, value.decl, source), value.decl.spec
        case TensorValue():
            return ir.OperandUse(operand.name, value.decl, source), tensor_view(value.decl)
        case Scalar() | Pointer():
            if not operand.kind & (Kind.SCALAR | Kind.PTR | Kind.TILE | Kind.TENSOR | Kind.OFFSETS):
                frame.report("PTO1150", node, what=f"'{operand.name}' of pl.{operation.name}", name=frame.text(node))
                return None
            return ir.OperandUse(operand.name, value.expr, source), _scalar_view(value.expr, isinstance(value, Pointer))
        case Known(value=TileSpec()) if Kind.TILE in operand.kind:
            expected = f"a tile for '{operand.name}' of pl.{operation.name}"
            frame.report("PTO1260", node, expected=expected, found="a tile type, of which pl.make_tile makes one")
            return None
        case Known():
            return _known_operand(frame, operand, value, node, source)
        case StructValue():
            return ir.OperandUse(operand.name, value.var, source), value.var
        case TupleValue() if operand.kind == Kind.ATTR and operand.role is Role.ATTR:
            culprit = not_plain(given)
            if culprit is not None:
                what = f"'{operand.name}' of pl.{operation.name}"
                frame.report("PTO1150", culprit, what=what, name=frame.text(culprit))
                return None
            plain = plain_value(value)
            return ir.OperandUse(operand.name, plain, source), plain
        case TupleValue() if operand.kind == Kind.ATTR:
            return _several(frame, operation, operand, value, given, source)
        case _:
            frame.report(
                "PTO1260", node, expected=f"what '{operand.name}' of pl.{operation.name} takes", found=kind_name(value)
            )
            return None


def _known_operand(
    frame: Frame, operand: Operand, value: Known, node: ast.AST, source: ir.SourceRef
) -> tuple[ir.OperandUse, OperandView]:
    if (
        value.is_number
        and operand.kind & (Kind.SCALAR | Kind.TILE | Kind.TENSOR | Kind.PTR)
        and operand.attr_type is None
    ):
        number = scalars.constant(frame, value, node)
        return ir.OperandUse(operand.name, number, source), ScalarView(number.dtype, number.value)
    return ir.OperandUse(operand.name, value.value, source), value.value


def _several(
    frame: Frame, operation: Operation, operand: Operand, value: TupleValue, given: Given, source: ir.SourceRef
) -> tuple[ir.OperandUse, OperandView] | None:
    """A list of tiles and tensors (workspaces)."""
    found = [_operand(frame, operation, operand, Given(given.node, item)) for item in value.items]
    made = [m for m in found if m is not None]
    if len(made) < len(found):
        return None
    return ir.OperandUse(operand.name, tuple(use.value for use, _ in made), source), tuple(view for _, view in made)


def tile_view(value: TileValue) -> TileSpec:
    """The type of a tile as the rules see it: a view has its own extents."""
    spec = ir.spec_of(value.expr)
    if value.extent is None:
        return spec
    return replace(spec, shape=value.extent, valid_shape=(-1, -1))


def tensor_view(decl: ir.TensorDecl) -> TensorView:
    dims = tuple(int(d.value) if isinstance(d, ir.Const) else None for d in decl.shape)
    return TensorView(decl.dtype, dims, decl.layout.name)


def _scalar_view(expr: ir.Expr, pointer: bool = False) -> ScalarView:
    return ScalarView(expr.dtype, expr.value if isinstance(expr, ir.Const) else None, pointer)


# --------------------------------------------------------------------------------------------------------------------
# Statements


def _emit(
    frame: Frame,
    operation: Operation,
    uses: tuple[ir.OperandUse, ...],
    views: Mapping[str, OperandView],
    given: Mapping[str, Given],
    node: ast.AST,
) -> Value:
    name = operation.name
    span = frame.span(node)
    pipe = operation.pipe_for(views)
    core = core_of(operation, views, pipe)
    if not _belongs(frame, operation, core, node):
        return _result(frame, operation, uses, span) if operation.returns else Known(None)
    if name.endswith(("mutex_lock", "mutex_unlock")):
        _lock(frame, name.endswith("_lock"), uses)
        return Known(None)
    if operation.returns:
        return _result(frame, operation, uses, span)
    if name in ("system.sync_src", "system.sync_dst"):
        event = views.get("event_id")
        if isinstance(event, ScalarView) and isinstance(event.value, int) and event.value > EVENT_ID_SAFE_MAX:
            frame.report("PTO1550", given["event_id"].node, event=event.value, safe=EVENT_ID_SAFE_MAX)
    frame.emit(ir.Operate(frame.stmt_span, operation, pipe, uses, span))
    return Known(None)


def _result(frame: Frame, operation: Operation, uses: tuple[ir.OperandUse, ...], span: Span) -> Value:
    """The value of an operation that returns a scalar."""
    if operation.name == "getval":
        container, offset = uses[0], uses[1].value
        decl = container.value
        dtype = decl.dtype if isinstance(decl, ir.TensorDecl) else ir.spec_of(decl).dtype  # type: ignore[arg-type]
        return Scalar(ir.ElementRead(decl, offset, dtype, span, container.source))  # type: ignore[arg-type]
    return Scalar(ir.SystemValue(operation.name, INT64 if operation.name == "get_spr" else INT32, span))


def _lock(frame: Frame, acquire: bool, uses: tuple[ir.OperandUse, ...]) -> None:
    found = {use.name: use.value for use in uses}
    mode = found.get("mode", 0)
    frame.emit(
        ir.Lock(
            frame.stmt_span,
            found["pipe"],  # type: ignore[arg-type]
            acquire,
            found.get("tile"),  # type: ignore[arg-type]
            found.get("mutex_id"),  # type: ignore[arg-type]
            int(mode) if isinstance(mode, int) else 0,
        )
    )


def emit_assert(frame: Frame, node: ast.Assert, test: ir.Expr) -> None:
    """A run-time `assert`: the same as pl.pto_assert(condition, message)."""
    operation = find("pto_assert")
    assert operation is not None
    given = {"condition": Given(node.test, Scalar(test))}
    if node.msg is not None:
        given["format_str"] = Given(node.msg, frame.value(node.msg))
    perform(frame, operation, given, (), node)


def core_of(operation: Operation, views: Mapping[str, OperandView], pipe: PipeType) -> str:
    """The core that executes an operation: "cube", "vector" or "both"."""
    if operation.core != "both":
        return operation.core
    if operation.group in ("descriptor", "sync"):
        return "both"
    memories = [view.memory for view in views.values() if isinstance(view, TileSpec)]
    if operation.group != "debug":
        if pipe in _CUBE_PIPES:
            return "cube"
        if pipe in (PipeType.V, PipeType.MTE3):
            return "vector"
    if any(memory in _CUBE_MEMORY for memory in memories):
        return "cube"
    return "vector" if memories else "both"


def _belongs(frame: Frame, operation: Operation, core: str, node: ast.AST) -> bool:
    """Whether this half performs the operation; outside of sections each half takes what its core executes."""
    if frame.section is not None:
        if core not in ("both", frame.section):
            frame.report("PTO1285", node, name=operation.name, core=core, section=frame.section)
            return False
        return True
    if core != "both":
        frame.lowering.cores_used.add(core)
        return core == frame.lowering.core
    return True
