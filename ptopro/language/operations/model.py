"""What the operation table says about an operation, and the small view of operands that its rules are given.

An `Operation` is data plus up to two small functions: `pipe` (which queue executes it, from the operands' memories)
and `check` (what is wrong with these operand types).  Everything else in ptopro - locks, lowering, C++ text, docs and
stubs - is derived from the entry; see language/README.md for how to add one.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterable, Mapping
from dataclasses import field

from ptopro.language.dtypes import DType
from ptopro.language.enums import MemorySpace, PipeType
from ptopro.language.tiles import TileSpec
from ptopro.records import record


class Role(enum.Enum):
    """What an operation does with an operand's data."""

    OUT = "out"
    IN = "in"
    INOUT = "inout"  # also: read operands that the lowering overwrites
    SCRATCH = "scratch"  # bytes are written, contents have no meaning
    SCALAR = "scalar"  # a run-time number (or a list of them: offsets)
    ATTR = "attr"  # must be known at compile time
    DESCRIPTOR = "descriptor"  # the tile's description changes, not its bytes: no lock

    @property
    def touches_data(self) -> bool:
        return self in (Role.OUT, Role.IN, Role.INOUT, Role.SCRATCH)

    @property
    def writes(self) -> bool:
        return self in (Role.OUT, Role.INOUT, Role.SCRATCH)


class Kind(enum.Flag):
    """What an operand may be."""

    TILE = enum.auto()
    TENSOR = enum.auto()
    PTR = enum.auto()
    SCALAR = enum.auto()
    OFFSETS = enum.auto()  # a list of scalars
    ATTR = enum.auto()  # enum member, dtype, int, bool or string known at compile time
    STRUCT = enum.auto()
    REGISTER = enum.auto()  # of a vector function: 256 bytes of lanes
    MASK = enum.auto()
    ADDRESS = enum.auto()  # an address register
    UNALIGN = enum.auto()  # the carry buffer of unaligned loads and stores


REQUIRED = object()


@record
class Operand:
    """One parameter of an operation.  default REQUIRED: must be given.

    memory: the memories a tile may lie in (empty: any; DDR stands for a tensor); like: the operand whose element type
    a scalar is converted to before the instruction sees it; choices: the values an ATTR may have (empty: any).
    """

    name: str
    role: Role
    kind: Kind
    default: object = REQUIRED
    keyword_only: bool = False
    variadic: bool = False  # `*name`; with keyword_only `**name`
    attr_type: type[enum.Enum] | None = None  # the enum that an ATTR must be a member of
    memory: tuple[MemorySpace, ...] = ()
    like: str = ""
    choices: tuple[object, ...] = ()

    @property
    def required(self) -> bool:
        return self.default is REQUIRED and not self.variadic


@record
class TensorView:
    """What rules may know of a tensor: dims are ints, or None where known only at run time."""

    dtype: DType
    dims: tuple[int | None, ...]
    layout: str = "ND"


@record
class ScalarView:
    """A scalar operand; value is set when it is a compile-time constant.  pointer: it is a `pl.Ptr` to `dtype`."""

    dtype: DType
    value: int | float | bool | None = None
    pointer: bool = False


@record
class RegisterView:
    """A register of a vector function.  kind: REGISTER, MASK, ADDRESS or UNALIGN; dtype: of its lanes, if any."""

    kind: Kind
    dtype: DType | None = None


@record
class PointerView:
    """A tile as a vector function sees it: a pointer to elements.  columns: of the tile, for [row, column] offsets."""

    dtype: DType
    columns: int


OperandView = TileSpec | TensorView | ScalarView | RegisterView | PointerView | object
Views = Mapping[str, OperandView]  # by operand name; absent operands are absent


@record
class Problem:
    """Something a rule found wrong: the diagnostic's code and facts, and the operand the caret belongs under."""

    code: str
    operand: str
    facts: Mapping[str, object]


@record
class Form:
    """One way the operation is written in C++.

    when: conditions that select this form, all must hold (see operations/forms.py): "bias_tile" (given), "!offset"
    (not given), "rhs=tile" (kind), "dim=0" or "mode=SYM" (value), "dim!=0" (another value); cpp: the C++ statements,
    each a template over operand names, e.g. "TADD({out}, {lhs}, {rhs})".  A cpp of one item starting with "@" names an
    emitter in ptopro/codegen for operations that need more than a template.  roles: operands whose role in this form is
    not the one of their `Operand`.
    """

    when: tuple[str, ...]
    cpp: tuple[str, ...]
    roles: Mapping[str, Role] = field(default_factory=dict)


@record
class Gives:
    """What an operation of vector functions yields, register by register.

    kinds: of each result; with `follows` a result is a mask where that operand is one.  dtype: the lanes' element type
    where the operands decide it in a way of their own (else: `dtype=`, else the first operand that has one); named:
    `dtype=` must be given; updates: the operation reads what its result held before.
    """

    kinds: tuple[Kind, ...]
    follows: str = ""
    dtype: Callable[[Views], DType | None] | None = None
    named: bool = False
    updates: bool = False


PipeRule = PipeType | Callable[[Views], PipeType]
CheckRule = Callable[["Operation", Views], Iterable[Problem]]


@record
class Operation:
    """An entry of the operation table.

    name: as written after `pl.`, e.g. "matmul", "system.sync_src"; core: "vector", "cube" or "both"; returns: "" for
    statements, else "scalar", "tile", "tensor", "ptr" ...; chips: where it exists; source: the public page it was read
    from, relative to the documentation's API folder.
    """

    name: str
    group: str
    operands: tuple[Operand, ...]
    pipe: PipeRule
    summary: str
    forms: tuple[Form, ...] = ()
    check: CheckRule | None = None
    dtypes: Mapping[str, tuple[DType, ...]] = field(default_factory=dict)  # per operand; absent: unconstrained
    constraints: tuple[str, ...] = ()
    returns: str = ""
    core: str = "both"
    chips: tuple[str, ...] = ("a5", "a3")
    exported: bool = True
    phase_unlocks_acc: bool = False  # `phase=` Partial/Final: the unit flag orders the Acc operand, no lock
    source: str = ""
    gives: Gives | None = None  # of operations of vector functions that yield registers

    def operand(self, name: str) -> Operand:
        """The operand called `name`; KeyError when there is none."""
        for item in self.operands:
            if item.name == name:
                return item
        raise KeyError(name)

    def form_for(self, views: Views) -> Form:
        """The C++ form that these operands select.  LookupError when none does."""
        from ptopro.language.operations.forms import select_form

        return select_form(self, views)

    def role_for(self, name: str, views: Views) -> Role:
        """What the operation does with operand `name` for these operands: the form's word, else the operand's own."""
        if any(form.roles for form in self.forms):
            return self.form_for(views).roles.get(name, self.operand(name).role)
        return self.operand(name).role

    def problems(self, views: Views) -> list[Problem]:
        """Everything that is wrong with these operands: kinds, memories, element types, enums, then `check`."""
        from ptopro.language.operations.rules import problems

        return problems(self, views)

    def pipe_for(self, views: Views) -> PipeType:
        """The pipe that executes the operation for these operands."""
        if isinstance(self.pipe, PipeType):
            return self.pipe
        return self.pipe(views)


def memory_of(view: OperandView | None) -> MemorySpace | None:
    """The memory of a tile operand, DDR for a tensor, None for anything else."""
    if isinstance(view, TileSpec):
        return view.memory
    if isinstance(view, TensorView):
        return MemorySpace.DDR
    return None
