"""What is known while one half, and one function of it, is written.

A `HalfContext` holds what the functions of a half share: file-scope names, tile types, struct types, the functions
already written.  A `FunctionContext` gives names to the things of one function when they are first asked for: what is
never asked for is never declared, and what belongs to the caller becomes a parameter (a `Capture`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ptopro.codegen.expressions import POSTFIX, SUM, Text, converted, render, text_of
from ptopro.codegen.flag_locks import flag_locks
from ptopro.codegen.names import Names, Path, legal
from ptopro.codegen.options import CodegenOptions
from ptopro.codegen.prune import Pruned
from ptopro.codegen.scopes import Placements, Region
from ptopro.codegen.traverse import Variable, reads
from ptopro.codegen.types import TileTypes
from ptopro.codegen.writer import Writer
from ptopro.language.dtypes import INT32, INT64, DType
from ptopro.lowering import ir, simt_ir

if TYPE_CHECKING:
    from ptopro.codegen.vector_functions import RegisterPlan

Owned = ir.TileDecl | ir.GroupDecl | ir.TensorDecl


@dataclass(frozen=True, slots=True)
class Capture:
    """Something of a caller that a helper uses.

    kind: tile, group, cursor, pointer (of a tensor), extent (a kept dimension or stride of a tensor, `axis`), scalar,
    struct, tiling, flags (of locks; item: the pair of pipes).
    """

    kind: str
    item: object
    axis: str = ""


@dataclass(slots=True)
class FunctionInfo:
    """A helper that has been written: its C++ name, what it takes beside its parameters, what it returns."""

    function: ir.FunctionIR
    name: str
    captures: tuple[Capture, ...]
    result: str  # C++ return type
    fields: tuple[str, ...]  # fields of the result struct, empty when one value (or none) is returned


class HalfContext:
    """One half of a kernel while it is written."""

    def __init__(
        self, kernel: ir.KernelIR, core: str, half: ir.FunctionIR, names: Names, options: CodegenOptions
    ) -> None:
        self.kernel = kernel
        self.core = core
        self.half = half
        self.names = names
        self.options = options
        self.pruned = Pruned(half, keep_sections=options.serial)
        self.types = TileTypes(names)
        self.functions: dict[int, FunctionInfo] = {}
        self.constants: dict[str, ir.NamedConst] = {}  # those this half names
        self.helpers: set[str] = set()  # scalar helpers this half calls
        self.structs: dict[ir.StructType, str] = {}
        self.result_structs: list[tuple[str, tuple[str, ...]]] = []  # name and field declarations
        self.uses_ffts = False
        self.includes: set[str] = set()  # headers beside PTO-ISA's own
        self.constant_names: dict[str, str] = {}
        self.tiling_type = ""  # the struct of the tiling parameter, where there is one
        self._constants = {const.name: const for const in kernel.constants}
        self._resized = self._resized_tiles()
        self._advanced = {
            stmt.group
            for function in self.pruned.functions
            for stmt in ir.walk(self.pruned.body(function))
            if isinstance(stmt, ir.Advance)
        }
        self.owners = self._owners()
        self.flag_locks = None if kernel.chip == "a5" else flag_locks(map(self.pruned.body, self.pruned.functions))

    def lock_number(self, number: int) -> int:
        """The number of a lock id in C++: itself, or the event of the flags that stand for it."""
        return number if self.flag_locks is None else self.flag_locks.events.get(number, number)

    @property
    def is_mixed(self) -> bool:
        return self.kernel.cube is not None and self.kernel.vector is not None

    def is_advanced(self, group: ir.GroupDecl) -> bool:
        """Whether the half moves the group's cursor; else it stays at the last slot."""
        return group in self._advanced and group.depth > 1

    def is_resized(self, decl: ir.TileDecl | ir.GroupDecl) -> bool:
        """Whether the half sets the valid shape of a tile."""
        return decl in self._resized

    def named_constant(self, const: ir.Const) -> str | None:
        """The C++ name of a constant that the kernel names, None for a plain number."""
        known = self._constants.get(const.name) if const.name else None
        if known is None or known.dtype is not const.dtype or not _same_number(known.value, const.value):
            return None
        self.constants[const.name] = known
        return self.constant_names[const.name]

    def struct_name(self, struct: ir.StructType) -> str:
        if struct not in self.structs:
            self.structs[struct] = self.names.give(struct.name)
        return self.structs[struct]

    def _resized_tiles(self) -> set[ir.TileDecl | ir.GroupDecl]:
        found: set[ir.TileDecl | ir.GroupDecl] = set()
        for function in self.pruned.functions:
            for stmt in ir.walk(self.pruned.body(function)):
                if isinstance(stmt, ir.Operate) and stmt.operation.name == "set_validshape":
                    target = stmt.get("tile")
                    if isinstance(target, ir.GroupDecl):
                        found.add(target)
                    elif target is not None:
                        found |= ir.origins_of(target)  # type: ignore[arg-type]
        return found

    def _owners(self) -> dict[Owned, ir.FunctionIR]:
        """The function that declares each tile, group and tensor view; the half's own where it does not matter.

        Tiles made in a helper that returns tiles outlive it, so the half declares them.
        """
        owners: dict[Owned, ir.FunctionIR] = {}
        for function in self.pruned.functions:
            returns_tiles = any(isinstance(item, ir.TileVar) for item in function.result)
            for stmt in ir.walk(self.pruned.body(function)):
                if isinstance(stmt, ir.DeclareTensor):
                    owners[stmt.decl] = function
                elif isinstance(stmt, (ir.DeclareTile, ir.DeclareGroup)):
                    owners[stmt.decl] = self.half if returns_tiles else function
        return owners


def _same_number(a: float, b: float) -> bool:
    return a == b or (a != a and b != b)


@dataclass(slots=True)
class Needed:
    """What a function turned out to use, in order of first use."""

    captures: list[Capture] = field(default_factory=list)
    tiles: list[ir.TileDecl | ir.GroupDecl] = field(default_factory=list)  # declared here
    cursors: list[ir.GroupDecl] = field(default_factory=list)
    id_tables: list[ir.GroupDecl] = field(default_factory=list)
    arrays: list[ir.ConstArray] = field(default_factory=list)
    parameters: set[object] = field(default_factory=set)  # values of parameters that are used


class FunctionContext:
    """One function while its body is written; answers what expressions ask (`expressions.Scope`)."""

    def __init__(self, half: HalfContext, function: ir.FunctionIR) -> None:
        self.half = half
        self.function = function
        self.body = half.pruned.body(function)
        self.is_kernel = function is half.half
        self.names = Names(half.names)
        self.out = Writer(depth=1)
        self.needed = Needed()
        self.views: list[str] = []  # declarations of the views that are assigned more than once
        self.scope: Path = ()
        self.index = 0  # of the statement at hand in its block
        self.statement_views: dict[tuple[str, ...], str] = {}  # views that the statement at hand has declared
        self.kept: dict[tuple[ir.TensorDecl, str], ir.Var] = {}  # dimensions and strides remembered for a tensor view
        self.held: dict[str, list[tuple[str, frozenset[int], str]]] = {}
        self.registers: RegisterPlan | None = None  # of a vector function
        self._local_names = {decl: name for name, decl in function.captures}
        self._given: dict[object, str] = {}
        self.parameters: tuple[Variable, ...] = self._parameters()
        self.places = Placements(self.body, self.parameters)
        self.declared_here = {v for v in self.places.variables if self.places.regions[v][0].kind != "outside"}
        self._name_everything()

    # ---- names -----------------------------------------------------------------------------------------------------

    def _parameters(self) -> tuple[Variable, ...]:
        found: list[Variable] = list(self.function.params)
        if self.is_kernel:
            found += [param.value for param in self.half.kernel.params if isinstance(param.value, ir.Var)]
            found += [var for var, _, _ in self.half.kernel.dynamic_dims]
        return tuple(dict.fromkeys(found))

    def _name_everything(self) -> None:
        """The author's names go to the author's things first; what codegen adds comes after."""
        if self.is_kernel:
            for param in self.half.kernel.params:
                self._given[param.value] = self.names.give(param.name)
        for var in self.parameters:
            if var not in self._given:
                self._given[var] = self.names.give(var.name)
        for decl in self._declarations():
            if decl not in self._given:
                self._given[decl] = self.names.give(self._local_names.get(decl, decl.name))
        for var in self.places.variables:
            if var not in self._given:
                scopes = tuple(region.scope for region in self.places.regions[var])
                self._given[var] = self.names.give(var.name, scopes)

    def _declarations(self) -> Iterator[Owned]:
        """Tiles, groups and tensors that the body mentions, in the order of the source."""
        seen: dict[Owned, None] = {}
        for stmt in ir.walk(self.body):
            match stmt:
                case ir.DeclareTile() | ir.DeclareGroup() | ir.DeclareTensor():
                    seen[stmt.decl] = None
                case ir.Advance():
                    seen[stmt.group] = None
                case _:
                    pass
            for node in reads(stmt):
                match node:
                    case ir.TileRef():
                        seen[node.decl] = None
                    case ir.SlotRef():
                        seen[node.group] = None
                    case ir.TensorDecl() | ir.GroupDecl():
                        seen[node] = None
                    case _:
                        pass
        yield from seen

    def name_of(self, item: object, wanted: str) -> str:
        """The name of something that codegen adds, given once."""
        if item not in self._given:
            self._given[item] = self.names.give(wanted)
        return self._given[item]

    def region(self, var: Variable) -> Region:
        """The declaration of a variable that holds where the body is being written."""
        return self.places.region(var, self.scope)

    def local(self, var: Variable) -> str:
        """The name of a variable, whoever declares it."""
        if var not in self._given:
            self._given[var] = self.names.give(var.name)
        return self._given[var]

    def declare(self, var: ir.Var, name: str) -> None:
        """A variable that codegen adds under a name it has been given."""
        self._given[var] = name
        self.declared_here.add(var)

    def temporary(self, wanted: str) -> str:
        return self.names.give(wanted)

    # ---- what is used ------------------------------------------------------------------------------------------------

    def capture(self, kind: str, item: object, axis: str = "") -> None:
        """Note that something of the caller is used."""
        wanted = Capture(kind, item, axis)
        if wanted not in self.needed.captures:
            self.needed.captures.append(wanted)

    def owns(self, decl: Owned) -> bool:
        """Whether this function declares it; what nobody declares belongs to the half."""
        return self.half.owners.get(decl, self.half.half) is self.function

    def tile_name(self, decl: ir.TileDecl | ir.GroupDecl) -> str:
        """The C++ object of a declared tile, or of a group (an array, or a tile when it has one slot)."""
        if self.owns(decl):
            if decl not in self.needed.tiles:
                self.needed.tiles.append(decl)
        else:
            self.capture("group" if isinstance(decl, ir.GroupDecl) and decl.depth > 1 else "tile", decl)
        return self.name_of(decl, decl.name)

    def cursor_name(self, group: ir.GroupDecl) -> str:
        if self.owns(group):
            if group not in self.needed.cursors:
                self.needed.cursors.append(group)
        else:
            self.capture("cursor", group)
        base = self._given.get(group, group.name)
        return self.name_of(("cursor", group), f"{base}_cursor")

    def id_table(self, group: ir.GroupDecl) -> str:
        """The constexpr table of a group's lock ids (they are compile-time numbers in every function)."""
        if group not in self.needed.id_tables:
            self.needed.id_tables.append(group)
        base = self._given.get(group, group.name)
        return self.name_of(("ids", group), f"{base}_ids")

    def tensor_pointer(self, decl: ir.TensorDecl) -> str:
        if self.is_kernel and decl.base is None:
            self.needed.parameters.add(decl)
        elif not self.owns(decl) or decl.base is None:
            self.capture("pointer", decl)
        return self.name_of(decl, decl.name)

    # ---- expressions.Scope -------------------------------------------------------------------------------------------

    def variable(self, var: ir.Var) -> str:
        if var in self.parameters:
            self.needed.parameters.add(var)
        elif var not in self.declared_here:
            self.capture("scalar", var)
        return self.local(var)

    def constant(self, const: ir.Const) -> str | None:
        return self.half.named_constant(const)

    def helper(self, name: str) -> str:
        self.half.helpers.add(name)
        return name

    def system(self, value: ir.SystemValue) -> Text:
        """Where this core stands.  C++ has these as 64-bit numbers, whatever type the language gives them."""
        vector = self.half.core == "vector"
        texts = {
            "get_block_idx": "get_block_idx() * get_subblockdim() + get_subblockid()" if vector else "get_block_idx()",
            "get_block_num": "get_block_num()",
            "get_subblock_idx": "get_subblockid()",
            "get_subblock_num": "get_subblockdim()" if vector else "1",
            "get_spr": "get_ar()",
        }
        text = texts[value.name]
        if text == "1":
            return Text("1", POSTFIX, INT32)
        return Text(text, SUM if "+" in text else POSTFIX, INT64)

    def valid_extent(self, node: ir.ValidExtent) -> Text:
        from ptopro.codegen.tiles import valid_extent

        return valid_extent(self, node.tile, node.axis)

    def element(self, node: ir.ElementRead) -> Text:
        from ptopro.codegen.elements import element

        return element(self, node.container, node.offset, node.dtype)

    def array(self, node: ir.ArrayRead) -> Text:
        if node.array not in self.needed.arrays:
            self.needed.arrays.append(node.array)
        name = self.name_of(node.array, node.array.name)
        return Text(f"{name}[{text_of(node.index, self)}]", POSTFIX, node.dtype)

    def struct_field(self, node: ir.StructRead) -> Text:
        return Text(self.struct_place(node.var, node.field, node.at, node.index), POSTFIX, node.dtype)

    def struct_place(self, var: ir.StructVar, name: str, at: ir.Expr | None, index: ir.Expr | None) -> str:
        """`var[at].field[index]`, to be read or assigned."""
        place = self.struct_name(var)
        if at is not None:
            place += f"[{text_of(at, self)}]"
        place += f".{legal(name)}"
        return place if index is None else f"{place}[{text_of(index, self)}]"

    def struct_name(self, var: ir.StructVar) -> str:
        if var not in self.declared_here:
            self.capture("struct", var)
        return self.local(var)

    def tiling_field(self, node: ir.TilingRead) -> Text:
        index = "" if node.index is None else f"[{text_of(node.index, self)}]"
        return Text(f"{self.tiling_name()}.{legal(node.field)}{index}", POSTFIX, node.dtype)

    def tiling_name(self) -> str:
        param = next(param for param in self.half.kernel.params if param.kind == "tiling")
        if self.is_kernel:
            self.needed.parameters.add(param.value)
        else:
            self.capture("tiling", param)
        return self.name_of(param.value, param.name)

    def pointer(self, node: ir.PointerOf) -> Text:
        if isinstance(node.base, ir.TensorDecl):
            base, dtype = Text(self.tensor_pointer(node.base), POSTFIX, node.base.dtype), node.base.dtype
        else:
            base = render(node.base, self)
            dtype = base.dtype
        if dtype is not node.dtype:
            base = Text(f"reinterpret_cast<{pointer_type(node.dtype)}>({base.text})", POSTFIX, node.dtype)
        if node.offset is None or (isinstance(node.offset, ir.Const) and node.offset.value == 0):
            return Text(base.text, base.level, node.dtype)
        offset = converted(node.offset, INT64, self)
        return Text(f"{base.at(SUM)} + {offset.at(SUM + 1)}", SUM, node.dtype)

    def thread_math(self, node: simt_ir.ThreadMath) -> Text:
        from ptopro.codegen.simt import math

        return math(node, self)

    def call(self, node: ir.Call) -> Text:
        from ptopro.codegen.functions import call_text

        return Text(call_text(self, node.function, node.args), POSTFIX, node.dtype)


def pointer_type(dtype: DType) -> str:
    """`__gm__ half*`."""
    return f"__gm__ {dtype.c}*"
