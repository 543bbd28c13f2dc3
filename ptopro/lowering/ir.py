"""The typed intermediate representation of one kernel, as lowering yields it and expand and codegen read it.

A kernel is lowered once for each core that runs something of it: `KernelIR.cube` and `KernelIR.vector` are two
functions with the same parameters.  Statements keep the kernel's structure, order and variable names; what was known
at compile time is already folded (branches on constants, unrolled Python loops, attributes of operations).

Variables are mutable, as in Python: there is no SSA.  A variable is declared once in its function (`FunctionIR.
locals`), in the innermost scope that holds all its uses, and assigned any number of times.

Tiles.  A `TileDecl` is one tile at one address; a `GroupDecl` is N of them with a cursor.  A tile *expression* says
which tile is meant: a declared tile, a slot of a group, a tile variable, a view of one of these, or a choice.  A tile
variable (`TileVar`) holds a reference to a tile, chosen at run time where it must be, and the lock ids of the slot it
refers to travel with it.  Every tile expression knows its `origins`: the declarations it can refer to.

Functions.  Helper functions become `FunctionIR`s, one for each specialisation: on compile-time arguments, on the
tiles, groups and tensors that are passed (by identity), and on scalar types.  A function refers directly to the
declarations it was specialised on; codegen passes them as parameters.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from ptopro.diagnostics import Span
from ptopro.language.dtypes import DType
from ptopro.language.enums import PipeType, TensorLayout
from ptopro.language.operations.model import Operation
from ptopro.language.tiles import TileSpec
from ptopro.records import record

# --------------------------------------------------------------------------------------------------------------------
# Source positions that expand needs


@record
class SourceRef:
    """A piece of source text: the span of a node, and the file it stands in (a SourceModule's path)."""

    span: Span
    text: str


# --------------------------------------------------------------------------------------------------------------------
# Variables and declarations


@dataclass(eq=False, slots=True)
class Var:
    """A scalar (or pointer) variable.  `name` is the author's; codegen makes it a legal, free C++ name."""

    name: str
    dtype: DType
    span: Span | None = None
    pointer: bool = False  # a global-memory pointer to `dtype`


@dataclass(eq=False, slots=True)
class StructType:
    """A `pl.struct` type: field name -> element type and length (0: not an array)."""

    name: str
    fields: tuple[tuple[str, DType, int], ...]


@dataclass(eq=False, slots=True)
class StructVar:
    """A variable of a struct type; count > 0: an array of that many (`pl.struct_array`)."""

    name: str
    type: StructType
    count: int = 0
    span: Span | None = None


@dataclass(eq=False, slots=True)
class ConstArray:
    """A compile-time list of numbers that is indexed at run time."""

    name: str
    dtype: DType
    values: tuple[int | float | bool, ...]


AUTO_ID = -1  # stands for the lock id of a slot with mutex_ids="auto", until expand has chosen one


@dataclass(eq=False, slots=True)
class TileDecl:
    """One tile at one address (bytes).  ids: its lock ids, empty when it has none."""

    name: str
    spec: TileSpec  # resolved: layout and fractal are set
    addr: int
    ids: tuple[int, ...] = ()
    span: Span | None = None
    call: Span | None = None  # the whole make_tile(...) call, where expand writes merged ids
    size: int = 0  # bytes it occupies: size= or the layout's footprint, the larger


@dataclass(eq=False, slots=True)
class GroupDecl:
    """N tiles of one type.  addrs in bytes; ids[i]: the lock ids of slot i (all of one length, or empty)."""

    name: str
    spec: TileSpec
    addrs: tuple[int, ...]
    ids: tuple[tuple[int, ...], ...] = ()
    fwd_ids: tuple[int, ...] = ()
    bwd_ids: tuple[int, ...] = ()
    span: Span | None = None
    call: Span | None = None  # the whole make_tile_group(...) call
    size: int = 0

    @property
    def depth(self) -> int:
        return len(self.addrs)


Origin = TileDecl | GroupDecl


@dataclass(eq=False, slots=True)
class TileVar:
    """A variable that holds a tile.  All tiles it can hold have one `spec` and the same number of lock ids."""

    name: str
    spec: TileSpec
    origins: frozenset[Origin]
    id_count: int = 0
    span: Span | None = None


@dataclass(eq=False, slots=True)
class TensorDecl:
    """A tensor in global memory.

    A parameter (base None): dims are ints or the `Var` of a dynamic dimension.  A view made by `pl.make_tensor`: base
    is the pointer it starts at, shape and strides are expressions evaluated where the `DeclareTensor` stands.
    strides None: contiguous, row-major.
    """

    name: str
    dtype: DType
    shape: tuple[Expr, ...]
    layout: TensorLayout = TensorLayout.ND
    strides: tuple[Expr, ...] | None = None
    base: Expr | None = None
    span: Span | None = None


# --------------------------------------------------------------------------------------------------------------------
# Scalar expressions: each has a dtype; spans point to the kernel


@record
class Const:
    """A number.  name: the module constant it was written as (`TKV`), so that C++ can keep the name."""

    value: int | float | bool
    dtype: DType
    name: str = ""
    span: Span | None = None


@record
class VarRef:
    var: Var
    span: Span | None = None

    @property
    def dtype(self) -> DType:
        return self.var.dtype


@record
class Unary:
    op: str  # "-", "~", "not"
    operand: Expr
    dtype: DType
    span: Span | None = None


@record
class Binary:
    """op: + - * / // % ** & | ^ << >>, min, max, == != < <= > >=, and, or.

    Operands keep their own types; `dtype` is the promoted result type (BOOL for comparisons and logic), and arithmetic
    happens in `common` (the promoted operand type; see lowering/promotion.py).  `//` and `%` are Python's.
    nonnegative: both operands of // or % are proved >= 0, so that C's operators are right.
    """

    op: str
    left: Expr
    right: Expr
    dtype: DType
    common: DType
    nonnegative: bool = False
    span: Span | None = None


@record
class Choose:
    """Python's conditional expression over scalars."""

    test: Expr
    then: Expr
    other: Expr
    dtype: DType
    span: Span | None = None


@record
class Cast:
    operand: Expr
    dtype: DType
    span: Span | None = None


@record
class SystemValue:
    """get_block_idx, get_block_num, get_subblock_idx, get_subblock_num."""

    name: str
    dtype: DType
    span: Span | None = None


@record
class ValidExtent:
    """tile.valid_shape[axis] at run time."""

    tile: TileExpr
    axis: int
    dtype: DType
    span: Span | None = None


@record
class ElementRead:
    """getval: an element of a tile or of a tensor at a linear element offset (over the declared shape)."""

    container: TileExpr | TensorDecl
    offset: Expr
    dtype: DType
    span: Span | None = None
    source: SourceRef | None = None  # the container as written, for locks on S


@record
class ArrayRead:
    """An element of a compile-time list at a run-time index."""

    array: ConstArray
    index: Expr
    dtype: DType
    span: Span | None = None


@record
class StructRead:
    """var[.at].field[index]."""

    var: StructVar
    field: str
    dtype: DType
    at: Expr | None = None
    index: Expr | None = None
    span: Span | None = None


@record
class TilingRead:
    """tiling.field or tiling.field[index] of the tiling-data parameter."""

    field: str
    dtype: DType
    index: Expr | None = None
    span: Span | None = None


@record
class PointerOf:
    """The address of a tensor's first element, or a pointer reinterpreted / advanced by `offset` elements."""

    base: TensorDecl | Expr
    dtype: DType
    offset: Expr | None = None
    span: Span | None = None


@record
class IsNull:
    pointer: Expr
    dtype: DType
    span: Span | None = None


@record
class Call:
    """A call of a helper function that returns one scalar."""

    function: FunctionIR
    args: tuple[Expr | TileExpr, ...]
    dtype: DType
    span: Span | None = None


Expr = (
    Const | VarRef | Unary | Binary | Choose | Cast | SystemValue | ValidExtent | ElementRead | ArrayRead | StructRead
    | TilingRead | PointerOf | IsNull | Call
)  # fmt: skip


# --------------------------------------------------------------------------------------------------------------------
# Tile expressions


@record
class TileRef:
    """A tile that was declared by itself."""

    decl: TileDecl
    span: Span | None = None


@record
class SlotRef:
    """A slot of a group.  index: "current", "previous", an int, or a run-time expression (taken as it is)."""

    group: GroupDecl
    index: str | int | Expr
    span: Span | None = None


@record
class TileVarRef:
    var: TileVar
    span: Span | None = None


@record
class SubView:
    """tile[row : row + rows, col : col + cols]; rows and cols are already clipped to what is valid."""

    base: TileExpr
    row: Expr
    col: Expr
    rows: Expr
    cols: Expr
    span: Span | None = None


@record
class ChooseTile:
    test: Expr
    then: TileExpr
    other: TileExpr
    span: Span | None = None


TileExpr = TileRef | SlotRef | TileVarRef | SubView | ChooseTile


def spec_of(tile: TileExpr) -> TileSpec:
    """The type of the tile an expression refers to (a view has its base's physical type)."""
    match tile:
        case TileRef():
            return tile.decl.spec
        case SlotRef():
            return tile.group.spec
        case TileVarRef():
            return tile.var.spec
        case SubView():
            return spec_of(tile.base)
        case ChooseTile():
            return spec_of(tile.then)


def origins_of(tile: TileExpr) -> frozenset[Origin]:
    """The declarations an expression can refer to."""
    match tile:
        case TileRef():
            return frozenset((tile.decl,))
        case SlotRef():
            return frozenset((tile.group,))
        case TileVarRef():
            return tile.var.origins
        case SubView():
            return origins_of(tile.base)
        case ChooseTile():
            return origins_of(tile.then) | origins_of(tile.other)


def static_slot(tile: TileExpr) -> tuple[Origin, int] | None:
    """The declaration and slot number when they are known at compile time."""
    match tile:
        case TileRef():
            return tile.decl, 0
        case SlotRef():
            if tile.group.depth == 1:
                return tile.group, 0
            if isinstance(tile.index, int):
                return tile.group, tile.index
            return None
        case SubView():
            return static_slot(tile.base)
        case _:
            return None


# --------------------------------------------------------------------------------------------------------------------
# Statements


@record
class Stmt:
    """Base: span of the whole Python statement (its file too), also for statements that lowering adds for it."""

    span: Span


@record
class Assign(Stmt):
    var: Var
    value: Expr


@record
class StructDeclare(Stmt):
    var: StructVar
    values: tuple[tuple[str, tuple[Expr, ...]], ...]


@record
class StructWrite(Stmt):
    var: StructVar
    field: str
    value: Expr
    at: Expr | None = None
    index: Expr | None = None


@record
class DeclareTile(Stmt):
    """Where make_tile stands; codegen hoists the declaration to the head of its half."""

    decl: TileDecl


@record
class DeclareGroup(Stmt):
    decl: GroupDecl


@record
class DeclareTensor(Stmt):
    decl: TensorDecl


@record
class Advance(Stmt):
    """group.next(): the cursor moves on by one, modulo the depth."""

    group: GroupDecl


@record
class BindTile(Stmt):
    """var = tile: from here var refers to the tile, and its lock ids are those of the slot at this moment."""

    var: TileVar
    tile: TileExpr


@record
class If(Stmt):
    test: Expr
    then: Block
    other: Block


@record
class For(Stmt):
    """for var in pl.range(start, stop, step): bounds are evaluated once.  step_sign: 1, -1, or 0 when unknown."""

    var: Var
    start: Expr
    stop: Expr
    step: Expr
    step_sign: int
    body: Block


@record
class While(Stmt):
    test: Expr
    body: Block


@record
class Break(Stmt):
    pass


@record
class Continue(Stmt):
    pass


@record
class Return(Stmt):
    """values: what a helper returns, scalars and tiles; empty in kernels."""

    values: tuple[Expr | TileExpr, ...] = ()


@record
class SectionBegin(Stmt):
    """Start of a `with pl.section_*():` of this core (a turn marker in serial builds).  number: in source order."""

    core: str
    number: int


@record
class SectionEnd(Stmt):
    core: str
    number: int


@record
class OperandUse:
    """An operand of an operation as it stands in the source: value, and its text and place for expand.

    pure False: evaluating the text again would change something (`a.next()`): expand gives it a name first.  The
    `Advance` that belongs to it stands before the operation, and value is SlotRef(group, "current").
    """

    name: str
    value: TileExpr | TensorDecl | Expr | tuple[Expr, ...] | StructVar | object  # object: compile-time attribute
    source: SourceRef | None = None
    pure: bool = True


@record
class Operate(Stmt):
    """An operation of the table, with its pipe already chosen; compile-time attributes are operands too."""

    operation: Operation
    pipe: PipeType
    operands: tuple[OperandUse, ...]
    call: Span | None = None  # the call expression inside the statement

    def get(self, name: str) -> object:
        """The value of operand `name`, None when it was not given."""
        for use in self.operands:
            if use.name == name:
                return use.value
        return None


@record
class Lock(Stmt):
    """mutex_lock / mutex_unlock.  Either a tile whose ids are meant, or an id (constant or run time)."""

    pipe: PipeType
    acquire: bool
    tile: TileExpr | None = None
    id: Expr | None = None
    mode: int = 0


@record
class CallStmt(Stmt):
    """A helper call as a statement; results: variables that receive what it returns, in order."""

    function: FunctionIR
    args: tuple[Expr | TileExpr, ...]
    results: tuple[Var | TileVar, ...] = ()
    call: Span | None = None


Block = tuple[Stmt, ...]


# --------------------------------------------------------------------------------------------------------------------
# Functions and kernels


@dataclass(eq=False, slots=True)
class FunctionIR:
    """A function: one half of a kernel, or one specialisation of a helper.

    params: run-time parameters in order (scalars, pointers, tile variables); what it was specialised on is referred to
    directly, and `captures` gives the local names of the declarations among it.  result: the types that `Return`
    carries, in order.
    """

    name: str
    params: tuple[Var | TileVar, ...] = ()
    body: Block = ()
    captures: tuple[tuple[str, TileDecl | GroupDecl | TensorDecl], ...] = ()
    result: tuple[DType | TileVar, ...] = ()
    span: Span | None = None
    file: str = ""
    source_name: str = ""  # the Python function's own name
    kind: str = "helper"  # "kernel", "helper", "stage", "vector_function", "simt"


@record
class Param:
    """A kernel parameter in launch order.

    kind: tensor, ptr, scalar, tiling.  value: TensorDecl, or Var.  dims of tensors: int (must match at launch) or the
    Var of a dynamic dimension; dynamic dims follow all parameters in the C++ signature, in order of appearance.
    """

    name: str
    kind: str
    dtype: DType | None
    value: TensorDecl | Var | object
    dims: tuple[int | Var, ...] = ()
    default: object = None
    has_default: bool = False
    span: Span | None = None


@record
class NamedConst:
    """A module constant that the kernel names: becomes `constexpr` in C++."""

    name: str
    value: int | float | bool
    dtype: DType


@dataclass(eq=False, slots=True)
class KernelIR:
    """A lowered kernel.  cube / vector None: that core runs nothing of it."""

    name: str
    path: str  # the file as the user named it
    chip: str
    params: tuple[Param, ...]
    dynamic_dims: tuple[tuple[Var, str, int], ...]  # (variable, parameter name, axis) in C++ order
    cube: FunctionIR | None
    vector: FunctionIR | None
    constants: tuple[NamedConst, ...] = ()
    auto_mutex: bool = True
    tiling: object | None = None  # the tiling dataclass (frontend ClassValue) where there is one
    depends: tuple[str, ...] = ()  # sibling files that were read
    notes: tuple[object, ...] = field(default=())
    stage_calls: tuple[object, ...] = ()  # lowering/stages.py: StageCall, of both halves
    folded: dict[Span, bool | None] = field(default_factory=dict)  # tests of `if`s that are known at compile time

    @property
    def halves(self) -> tuple[FunctionIR, ...]:
        return tuple(half for half in (self.cube, self.vector) if half is not None)


def walk(block: Block) -> Iterator[Stmt]:
    """Every statement of a block, depth first, in order; called functions are not entered."""
    for stmt in block:
        yield stmt
        match stmt:
            case If():
                yield from walk(stmt.then)
                yield from walk(stmt.other)
            case For() | While():
                yield from walk(stmt.body)
            case _:
                pass
