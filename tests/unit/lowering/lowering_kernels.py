"""Kernels for the tests of lowering: a skeleton with tensors and tile groups around a body."""

from __future__ import annotations

import textwrap

from ptopro.diagnostics import Diagnostic, Severity, Sink
from ptopro.frontend.source import load_module
from ptopro.lowering import ir
from ptopro.lowering.dump import dump_block
from ptopro.lowering.kernel import lower_kernel
from ptopro.lowering.target import Target

HEADER = """\
from __future__ import annotations
import pypto_pro.language as pl
D = pl.DYNAMIC
ROWS = 32
"""

# Four groups of two slots and one plain tile in UB; x and y are tensors, n, m scalars.
SKELETON = """\
@pl.jit(auto_mutex=True)
def k(x: pl.Tensor[[D, 64], pl.DT_FP32], y: pl.Tensor[[D, 64], pl.DT_FP32], n: pl.DT_INT32, m: pl.DT_INT64):
    T = pl.TileType(shape=[32, 64], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Vec)
    a = pl.make_tile_group(type=T, addrs=0x0000, mutex_ids=[0, 1])
    b = pl.make_tile_group(type=T, addrs=0x8000, mutex_ids=[2, 3])
    with pl.section_vector():
"""


def source(body: str, *, before: str = "") -> str:
    """A file with one kernel: `body` inside the skeleton's section, `before` at module level."""
    inner = textwrap.indent(textwrap.dedent(body).strip("\n"), " " * 8)
    return f"{HEADER}{textwrap.dedent(before)}\n{SKELETON}{inner}\n"


def lower_text(text: str, name: str | None = None, **target: object) -> tuple[ir.KernelIR | None, list[Diagnostic]]:
    """Lower the kernel called `name` (the last one when it is left out) of a file."""
    sink = Sink()
    module = load_module("k.py", text, sink=sink)
    kernel = module.kernel(name) if name else module.kernels[-1]
    lowered = lower_kernel(kernel, Target(**target), sink)  # type: ignore[arg-type]
    return lowered, sink.diagnostics


def lower_good(text: str, name: str | None = None, **target: object) -> ir.KernelIR:
    """Lower a kernel that has no errors."""
    lowered, found = lower_text(text, name, **target)
    errors = [f"{d.span}: {d.code} {d.message}" for d in found if d.severity is Severity.ERROR]
    assert lowered is not None and not errors, "\n".join(errors)
    return lowered


def lower_body(body: str, *, before: str = "") -> ir.KernelIR:
    """Lower a body inside the skeleton."""
    return lower_good(source(body, before=before))


def found_in(body: str, *, before: str = "") -> list[Diagnostic]:
    """What is wrong with a body inside the skeleton."""
    return lower_text(source(body, before=before))[1]


def codes(body: str, *, before: str = "") -> list[str]:
    """The codes of what is wrong with a body, in order."""
    return [d.code for d in found_in(body, before=before)]


def lines(body: str, *, before: str = "") -> list[str]:
    """The vector half of a body as text, without declarations of groups and section marks."""
    half = lower_body(body, before=before).vector
    assert half is not None
    return shown(half.body)


def shown(block: ir.Block) -> list[str]:
    """A block as text, without declarations of groups and section marks."""
    return [line for line in dump_block(block) if not line.lstrip().startswith(("group ", "section ", "end section "))]


def statements(function: ir.FunctionIR | None, kind: type) -> list[ir.Stmt]:
    """The statements of one kind in a function."""
    assert function is not None
    return [stmt for stmt in ir.walk(function.body) if isinstance(stmt, kind)]
