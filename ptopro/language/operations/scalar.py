"""Scalars: constants, minimum and maximum, single elements of tiles and tensors."""

from __future__ import annotations

from ptopro.language.enums import PipeType
from ptopro.language.operations.model import Form, Kind, Operand, Operation, Role
from ptopro.language.operations.parts import ADDRESSABLE, VEC, attr, number, vector_page
from ptopro.language.operations.rules.values import check_getval, check_pair

_CONTAINER = Kind.TILE | Kind.TENSOR


def _pair(name: str) -> Operation:
    return Operation(
        name=name,
        group="scalar",
        operands=(number("lhs"), number("rhs")),
        pipe=PipeType.S,
        summary=f"The {name}imum of two scalars of one category (integers or floats).",
        forms=(Form((), ("@scalar",)),),
        check=check_pair,
        returns="scalar",
        source=f"Utils-API/python_syntax_sugar/{name}.md",
    )


OPERATIONS: tuple[Operation, ...] = (
    _pair("min"),
    _pair("max"),
    Operation(
        name="const",
        group="scalar",
        operands=(attr("value", keyword=False), attr("dtype", keyword=False)),
        pipe=PipeType.S,
        summary="A constant of the given element type.",
        forms=(Form((), ("@scalar",)),),
        returns="scalar",
        source="Utils-API/python_syntax_sugar/const.md",
    ),
    Operation(
        name="constexpr",
        group="scalar",
        operands=(attr("cond", keyword=False),),
        pipe=PipeType.S,
        summary="Marks the test of an if or of a conditional expression as known at compile time.",
        forms=(Form((), ("@scalar",)),),
        returns="scalar",
        exported=False,
        source="SIMD-API/operation/controlflow/index.md",
    ),
    Operation(
        name="getval",
        group="scalar",
        operands=(Operand("container", Role.IN, _CONTAINER, memory=VEC), number("offset")),
        pipe=PipeType.S,
        summary="Read one element at a linear offset; container[i, j] is the same.",
        forms=(Form((), ("@getval",)),),
        check=check_getval,
        dtypes={"container": ADDRESSABLE},
        constraints=("the offset counts elements of the physical shape, row by row",),
        returns="scalar",
        source=vector_page("transpose_and_element_access/getval"),
    ),
    Operation(
        name="setval",
        group="scalar",
        operands=(
            Operand("container", Role.OUT, _CONTAINER, memory=VEC),
            number("offset"),
            number("value", "container"),
        ),
        pipe=PipeType.S,
        summary="Write one element at a linear offset; container[i, j] = value is the same.",
        forms=(Form((), ("@setval",)),),
        check=check_getval,
        dtypes={"container": ADDRESSABLE},
        constraints=("the offset counts elements of the physical shape, row by row",),
        source=vector_page("transpose_and_element_access/setval"),
    ),
)
