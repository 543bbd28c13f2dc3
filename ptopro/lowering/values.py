"""The values of the abstract interpreter: what a Python expression of a kernel stands for while it is lowered.

A value is known at compile time (`Known`), computed at run time (`Scalar`, `Pointer`), names something of the kernel
(tiles, groups, tensors, structs, the tiling data), or collects other values (`TupleValue`).  `Unknown` follows an error
that has been reported; `Unset` and `Conflict` are names whose use is an error.
"""

from __future__ import annotations

import ast
from typing import Any

from ptopro.diagnostics.span import Span
from ptopro.language.dtypes import DType
from ptopro.language.enums import TensorLayout
from ptopro.language.operations.model import Kind
from ptopro.lowering.ir import Expr, GroupDecl, StructVar, TensorDecl, TileExpr
from ptopro.lowering.vf_ir import Register, UbPointer
from ptopro.records import entity


@entity
class Known:
    """A compile-time value of the front end.  name: the constant it was read from; dtype: set by `pl.const`."""

    value: Any
    name: str = ""
    dtype: DType | None = None

    @property
    def is_number(self) -> bool:
        return isinstance(self.value, bool | int | float)


@entity
class Scalar:
    """A run-time number."""

    expr: Expr

    @property
    def dtype(self) -> DType:
        return self.expr.dtype


@entity
class Pointer:
    """A pointer into global memory; dtype is that of the elements."""

    expr: Expr

    @property
    def dtype(self) -> DType:
        return self.expr.dtype


@entity
class TileValue:
    """A tile.

    pure False: reading it moved a cursor (`a.next()`); extent: rows and columns of a view, -1 at run time.
    """

    expr: TileExpr
    pure: bool = True
    extent: tuple[int, int] | None = None


@entity
class GroupValue:
    decl: GroupDecl


@entity
class TensorValue:
    decl: TensorDecl


@entity
class TensorChoice:
    """A tensor that is one or another, depending on the path: where it starts, its extents and strides at run time.

    It becomes a view where it is used (`tensors.chosen_view`); strides None: contiguous.
    """

    dtype: DType
    layout: TensorLayout
    base: Expr
    shape: tuple[Expr, ...]
    strides: tuple[Expr, ...] | None = None


@entity
class StructValue:
    """A struct, or an element `at` of a struct array (whole array: at None and var.count > 0)."""

    var: StructVar
    at: Expr | None = None


@entity
class StructArrayField:
    """An array field of a struct, before it is indexed."""

    struct: StructValue
    field: str
    dtype: DType
    length: int


@entity
class TilingValue:
    """The tiling-data parameter.  fields: name -> (element type, length; 0 for a single value)."""

    fields: tuple[tuple[str, DType, int], ...]


@entity
class TilingArray:
    """An array field of the tiling data, before it is indexed."""

    field: str
    dtype: DType
    length: int


@entity
class TupleValue:
    """A tuple or list with members that are not compile-time values.  names: of `pl.make_tuple`, else empty."""

    items: tuple[Value, ...]
    names: tuple[str, ...] = ()


@entity
class RangeValue:
    """`pl.range(start, stop, step)` before a loop or an `in` uses it.  nodes: where the three are written."""

    start: Value
    stop: Value
    step: Value
    nodes: tuple[ast.AST, ast.AST, ast.AST]


@entity
class MethodValue:
    """A method of a tile group before it is called."""

    owner: Value
    name: str


@entity
class ExtentValue:
    """`tile.valid_shape` before it is indexed."""

    tile: TileExpr


@entity
class RegisterValue:
    """A register of a vector function.  seen_as: the type that `vf.bit_cast` gives its lanes."""

    register: Register
    seen_as: DType | None = None

    @property
    def kind(self) -> Kind:
        return self.register.kind

    @property
    def dtype(self) -> DType | None:
        return self.seen_as or self.register.dtype


@entity
class UbValue:
    """A pointer into a tile, `offset` elements behind `pointer`; in vector functions alone."""

    pointer: UbPointer
    offset: Expr | None = None


@entity
class Unknown:
    """The value of something that has been reported already: whatever is done with it is silent."""


@entity
class Unset:
    """A name that not every path assigns.  path: what the path without it does; span: where the paths part."""

    path: str
    span: Span


@entity
class Conflict:
    """A name whose values on different paths have no common type.  reason completes "'x' has no single value: ..."."""

    reason: str
    span: Span


Value = (
    Known | Scalar | Pointer | TileValue | GroupValue | TensorValue | TensorChoice | StructValue | StructArrayField
    | TilingValue | TilingArray | TupleValue | RangeValue | MethodValue | ExtentValue | RegisterValue | UbValue
    | Unknown | Unset | Conflict
)  # fmt: skip

UNKNOWN = Unknown()
NONE = Known(None)


def kind_name(value: Value) -> str:
    """What a message calls the kind of a value."""
    match value:
        case Known():
            from ptopro.frontend.values import type_name

            return {"int": "an int", "float": "a float", "bool": "a bool", "str": "a string"}.get(
                type_name(value.value), type_name(value.value)
            )
        case Scalar():
            return f"a run-time {value.dtype!r} scalar"
        case Pointer():
            return "a pointer"
        case TileValue():
            return "a tile"
        case GroupValue():
            return "a tile group"
        case TensorValue() | TensorChoice():
            return "a tensor"
        case StructValue():
            return "a struct" if value.at is not None or not value.var.count else "a struct array"
        case StructArrayField() | TilingArray():
            return "an array field"
        case TilingValue():
            return "the tiling data"
        case TupleValue():
            return "a tuple"
        case RangeValue():
            return "a pl.range"
        case MethodValue():
            return "a method"
        case ExtentValue():
            return "a valid shape"
        case RegisterValue():
            words = {Kind.MASK: "a mask", Kind.ADDRESS: "an address register", Kind.UNALIGN: "a carry buffer"}
            return words.get(value.kind) or f"a register of {value.dtype!r}"
        case UbValue():
            return "a pointer into a tile"
        case Unknown() | Unset() | Conflict():
            return "an unknown value"
