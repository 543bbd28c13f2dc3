"""Stage 2: a lowered kernel as readable PTO-ISA C++."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptopro.codegen.options import CodegenOptions, Generated, LineMap

if TYPE_CHECKING:
    from ptopro.lowering.ir import KernelIR

__all__ = ["CodegenOptions", "Generated", "LineMap", "generate"]


def generate(ir: KernelIR, options: CodegenOptions | None = None) -> Generated:
    """C++ files, signature and line map of one kernel."""
    from ptopro.codegen.kernel import generate as generate_kernel

    return generate_kernel(ir, options)
