"""Kernel texts for the tests of expand, and short ways to expand and lower them."""

from __future__ import annotations

import textwrap

from ptopro.diagnostics import Diagnostic, Severity, Sink
from ptopro.expand.driver import expand_file
from ptopro.expand.model import ExpandOptions, Expansion
from ptopro.frontend.source import load_module
from ptopro.lowering import ir
from ptopro.lowering.kernel import lower_kernel
from ptopro.lowering.target import Target

HEAD = """\
import pypto_pro.language as pl

D = pl.DYNAMIC
"""

KERNEL = """\
@pl.jit(auto_mutex=True)
def k(x: pl.Tensor[[D, 64], pl.DT_FP32], y: pl.Tensor[[D, 64], pl.DT_FP32], n: pl.DT_INT32):
    T = pl.TileType(shape=[32, 64], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Vec)
    a = pl.make_tile_group(type=T, addrs=0x0000, mutex_ids=[0, 1])
    b = pl.make_tile_group(type=T, addrs=0x8000, mutex_ids=[2, 3])
"""


def vector_kernel(body: str, declarations: str = "", before: str = "") -> str:
    """The skeleton of the known faults with a body for its vector section; `before` goes in front of the kernel."""
    return (
        HEAD
        + ("\n" + textwrap.dedent(before).strip("\n") + "\n" if before else "")
        + "\n"
        + KERNEL
        + textwrap.indent(textwrap.dedent(declarations).strip("\n") + "\n" if declarations else "", "    ")
        + "    with pl.section_vector():\n"
        + textwrap.indent(textwrap.dedent(body).strip("\n") + "\n", "        ")
    )


def expand_text(
    text: str,
    *,
    coalesce: bool = True,
    mutex: str = "explicit",
    chip: str = "a5",
    path: str = "k.py",
    kernel: str = "k",
) -> tuple[Expansion | None, list[Diagnostic]]:
    """Expand one kernel of a text; None when there is an error."""
    sink = Sink()
    options = ExpandOptions(mutex=mutex, coalesce=coalesce)  # type: ignore[arg-type]
    found = expand_file(path, text, [kernel], options, sink, target=Target(chip=chip))
    return (found[0] if found else None), sink.diagnostics


def expanded(text: str, **options: object) -> Expansion:
    """Expand a text that is right."""
    result, diagnostics = expand_text(text, **options)  # type: ignore[arg-type]
    errors = [d for d in diagnostics if d.severity is Severity.ERROR]
    assert not errors, errors
    assert result is not None
    return result


def codes(text: str, **options: object) -> list[str]:
    return [d.code for d in expand_text(text, **options)[1]]  # type: ignore[arg-type]


def section(text: str, core: str = "vector") -> str:
    """The lines of a section's body, without its indentation."""
    lines = text.split("\n")
    start = next(i for i, line in enumerate(lines) if f"pl.section_{core}()" in line)
    body = []
    for line in lines[start + 1 :]:
        if line.strip() and not line.startswith("        "):
            break
        body.append(line[8:])
    return "\n".join(body).strip("\n")


def lowered(text: str, path: str = "k.py", chip: str = "a5", kernel: str = "k") -> ir.KernelIR:
    """The IR of one kernel of a text."""
    sink = Sink()
    module = load_module(path, text, sink=sink)
    found = lower_kernel(module.kernel(kernel), Target(chip=chip), sink)
    errors = [d for d in sink.diagnostics if d.severity is Severity.ERROR]
    assert not errors, (errors, text)
    assert found is not None
    return found
