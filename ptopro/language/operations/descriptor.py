"""What changes a tile's or a tensor's description and none of its bytes."""

from __future__ import annotations

from ptopro.language.enums import PipeType
from ptopro.language.operations.model import Form, Kind, Operand, Operation, Role
from ptopro.language.operations.parts import offsets, vector_page
from ptopro.language.operations.rules.values import check_set_stride, check_set_validshape

OPERATIONS: tuple[Operation, ...] = (
    Operation(
        name="set_validshape",
        group="descriptor",
        operands=(Operand("tile", Role.DESCRIPTOR, Kind.TILE), offsets("shape")),
        pipe=PipeType.S,
        summary="Set the valid [rows, columns] of a tile, or of every slot of a group.",
        forms=(Form((), ("@set_validshape",)),),
        check=check_set_validshape,
        constraints=("two extents; constants from 0 to the extent of the tile",),
        source=vector_page("transpose_and_element_access/set_validshape"),
    ),
    Operation(
        name="set_stride",
        group="descriptor",
        operands=(Operand("tensor", Role.DESCRIPTOR, Kind.TENSOR), offsets("stride")),
        pipe=PipeType.S,
        summary="Set the [row, column] strides of a tensor, in elements, for the loads and stores that follow.",
        forms=(Form((), ("@set_stride",)),),
        check=check_set_stride,
        constraints=("two strides",),
        source=vector_page("transpose_and_element_access/set_stride"),
    ),
)
