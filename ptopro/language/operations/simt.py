"""SIMT functions: where a thread stands, and launching from a vector section."""

from __future__ import annotations

from ptopro.language.enums import PipeType
from ptopro.language.operations.model import Form, Operation
from ptopro.language.operations.parts import attr


def _thread(name: str, returns: str, summary: str) -> Operation:
    return Operation(
        name=f"simt.{name}",
        group="simt",
        operands=(),
        pipe=PipeType.V,
        summary=summary,
        forms=(Form((), ("@simt",)),),
        returns=returns,
        core="vector",
        chips=("a5",),
    )


OPERATIONS: tuple[Operation, ...] = (
    _thread("thread_idx", "tuple", "x, y, z of the thread."),
    _thread("block_dim", "tuple", "Extents of the thread block."),
    _thread("block_idx", "tuple", "x, y, z of the thread block."),
    _thread("grid_dim", "tuple", "Extents of the grid."),
    _thread("linear_thread_idx", "scalar", "Flat index of the thread, x fastest."),
    _thread("warp_size", "scalar", "Threads of a warp."),
    Operation(
        name="simt.launch",
        group="simt",
        operands=(attr("callee", keyword=False), attr("threads"), attr("args")),
        pipe=PipeType.V,
        summary="Run a SIMT function with one to three thread extents.",
        forms=(Form((), ("@simt_launch",)),),
        constraints=("args is a tuple of scalars, tensors and tiles", "at most 2048 threads"),
        core="vector",
        chips=("a5",),
    ),
)
