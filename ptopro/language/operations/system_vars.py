"""Where this core stands in the launch, and special registers."""

from __future__ import annotations

from ptopro.language.enums import PipeType
from ptopro.language.operations.model import Form, Operation
from ptopro.language.operations.parts import page


def _variable(name: str, summary: str) -> Operation:
    return Operation(
        name=name,
        group="system_vars",
        operands=(),
        pipe=PipeType.S,
        summary=summary,
        forms=(Form((), ("@scalar",)),),
        returns="scalar",
        source=page(f"system_variables/{name}"),
    )


OPERATIONS: tuple[Operation, ...] = (
    _variable("get_block_idx", "On the cube core the index of the block, on a vector core the flat vector-core index."),
    _variable("get_block_num", "Number of blocks of the launch."),
    _variable("get_subblock_idx", "Which vector core of the block this is: 0 or 1."),
    _variable("get_subblock_num", "Vector cores of a block: 2 in mixed kernels, else 1; 1 on the cube core."),
    Operation(
        name="get_spr",
        group="system_vars",
        operands=(),
        pipe=PipeType.S,
        summary="The AR register: bytes left by the last squeeze.",
        forms=(Form((), ("get_ar()",)),),
        returns="scalar",
        exported=False,
        core="vector",
        source=page("vf_computation/data_movement/get_spr"),
    ),
)
