"""Looking into a running kernel."""

from __future__ import annotations

from ptopro.language.enums import MemorySpace, PipeType
from ptopro.language.operations.model import Form, Kind, Operand, Operation, Role, Views, memory_of
from ptopro.language.operations.parts import attr, offsets, variadic
from ptopro.language.operations.rules.debug import check_assert, check_dump, check_printf

_PAGE = "Utils-API/debugging"
_FORMAT = Kind.SCALAR | Kind.PTR


def dump_pipe(views: Views) -> PipeType:
    """An accumulator leaves through FIX."""
    return PipeType.FIX if memory_of(views.get("data")) is MemorySpace.Acc else PipeType.V


OPERATIONS: tuple[Operation, ...] = (
    Operation(
        name="printf",
        group="debug",
        operands=(
            attr("format_str", keyword=False),
            variadic("args", Role.SCALAR, _FORMAT),
            attr("loc", False, choices=(False, True)),
        ),
        pipe=PipeType.S,
        summary="Print scalars and pointers with a constant format; loc=True adds the source line.",
        forms=(Form((), ("@printf",)),),
        check=check_printf,
        constraints=(
            "%[flags][width][.precision] d i u x f p, and %%",
            "%d %i signed or bool, %u unsigned or bool, %x unsigned, %f FP32, %p a pointer",
        ),
        source=f"{_PAGE}/printf.md",
    ),
    Operation(
        name="pto_assert",
        group="debug",
        operands=(
            Operand("condition", Role.SCALAR, Kind.SCALAR),
            attr("format_str", None, keyword=False),
            variadic("args", Role.SCALAR, _FORMAT),
            attr("loc", False, choices=(False, True)),
        ),
        pipe=PipeType.S,
        summary="Print the condition (and a message) when it is false; the kernel goes on.",
        forms=(Form((), ("@pto_assert",)),),
        check=check_assert,
        constraints=("the condition is a BOOL scalar", "format as in printf"),
        source=f"{_PAGE}/pto_assert.md",
    ),
    Operation(
        name="dump_data",
        group="debug",
        operands=(
            Operand("data", Role.IN, Kind.TILE | Kind.TENSOR, memory=(MemorySpace.Vec, MemorySpace.Acc)),
            offsets("offsets", None),
            offsets("shapes", None),
            Operand("workspace", Role.SCRATCH, Kind.TENSOR, None, keyword_only=True),
            attr("loc", False, choices=(False, True)),
            attr("flag", None),
        ),
        pipe=dump_pipe,
        summary="Print a tensor or a tile, whole or a window of it.",
        forms=(Form((), ("@dump_data",)),),
        check=check_dump,
        constraints=(
            "offsets and shapes together, one for each axis",
            "an Acc tile needs a workspace tensor of its element type and size; Vec tiles and tensors take none",
        ),
        source=f"{_PAGE}/dump_data.md",
    ),
    Operation(
        name="trap",
        group="debug",
        operands=(),
        pipe=PipeType.S,
        summary="End the program here.",
        forms=(Form((), ("@trap",)),),
        source=f"{_PAGE}/trap.md",
    ),
)
