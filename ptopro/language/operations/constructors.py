"""What makes tiles, groups, tensors, pointers and aggregates: declarations, no instruction."""

from __future__ import annotations

import enum

from ptopro.language.enums import CompactMode, MemorySpace, PipeType, TensorLayout, TilePad
from ptopro.language.operations.model import REQUIRED, Form, Kind, Operand, Operation, Role
from ptopro.language.operations.parts import attr, number, offsets, page

_RESOURCE = "resource_management"
_UTILITY = "utilities"


def _choice(name: str, of: type[enum.Enum], default: object = REQUIRED) -> Operand:
    return Operand(name, Role.ATTR, Kind.ATTR, default, attr_type=of)


def _make(name: str, operands: tuple[Operand, ...], summary: str, returns: str, source: str) -> Operation:
    return Operation(
        name=name,
        group="constructor",
        operands=operands,
        pipe=PipeType.S,
        summary=summary,
        forms=(Form((), ("@declare",)),),
        returns=returns,
        source=source,
    )


_POINTER = Operand("ptr", Role.IN, Kind.PTR | Kind.TENSOR)
_FIELDS = Operand("fields", Role.SCALAR, Kind.SCALAR | Kind.ATTR, keyword_only=True, variadic=True)

OPERATIONS: tuple[Operation, ...] = (
    _make(
        "TileType",
        (
            attr("shape", keyword=False),
            attr("dtype", keyword=False),
            _choice("target_memory", MemorySpace, MemorySpace.Vec),
            attr("valid_shape", None, keyword=False),
            _choice("layout", TensorLayout, None),
            attr("fractal", None, keyword=False),
            attr("pad", None, keyword=False, choices=(*TilePad, 0, 1, 2, 3)),
            attr("compact", None, keyword=False, choices=(*CompactMode, 0, 1, 2)),
        ),
        "The type of a tile: shape, element type, memory, layout. It allocates nothing.",
        "tile_type",
        "SIMD-API/basic_data_structures/TileType.md",
    ),
    _make(
        "make_tile",
        (
            attr("tile_type", keyword=False),
            attr("addr"),
            attr("size", None),
            attr("mutex_ids", None),
        ),
        "A tile at an address (bytes) of its memory; mutex_ids gives it lock ids.",
        "tile",
        page(f"{_RESOURCE}/make_tile"),
    ),
    _make(
        "make_tile_group",
        (
            attr("type"),
            attr("addrs"),
            attr("mutex_ids", None),
            attr("depth", None),
            attr("fwd_ids", None),
            attr("bwd_ids", None),
        ),
        'Tiles of one type that take turns. mutex_ids: lock ids of each slot, or "auto".',
        "tile_group",
        page(f"{_RESOURCE}/make_tile_group"),
    ),
    _make(
        "make_tensor",
        (_POINTER, offsets("shape"), offsets("stride", None), attr("dtype", None, keyword=False)),
        "A tensor view over a pointer or a tensor; strides in elements, row-major when left out.",
        "tensor",
        page(f"{_RESOURCE}/make_tensor"),
    ),
    _make(
        "make_ptr",
        (_POINTER, attr("dtype", None, keyword=False)),
        "The pointer of a tensor, or a pointer read as another element type.",
        "ptr",
        page(f"{_RESOURCE}/make_ptr"),
    ),
    _make(
        "addptr",
        (_POINTER, number("offset")),
        "The pointer, advanced by offset elements; ptr + offset is the same.",
        "ptr",
        page(f"{_RESOURCE}/addptr"),
    ),
    _make(
        "struct",
        (attr("type_name", None, keyword=False), _FIELDS),
        "A struct with mutable fields: scalars, or lists as arrays.",
        "struct",
        page(f"{_UTILITY}/struct"),
    ),
    _make(
        "struct_array",
        (attr("size", keyword=False), attr("type_name", keyword=False), _FIELDS),
        "An array of structs.",
        "struct",
        page(f"{_UTILITY}/struct_array"),
    ),
    _make(
        "make_tuple",
        (_FIELDS,),
        "A named tuple that exists at compile time only.",
        "tuple",
        page(f"{_UTILITY}/make_tuple"),
    ),
)
