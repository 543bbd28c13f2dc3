"""Examples: for each operation a kernel file that runs, as `ptopro ops NAME` prints it.

In: an entry of the operation table.  Out: the text of a kernel file.  Operations on tiles of UB are shown in a kernel
made from their operands (`vector`), those of vector functions in one that loads registers (`registers`), those of SIMT
functions in one that launches threads (`threads`), products in one of the cube core (`cube`), all others in a few lines
of their own (`snippets`).
"""

from __future__ import annotations

from ptopro.language.examples.cube import product
from ptopro.language.examples.registers import register_kernel
from ptopro.language.examples.snippets import snippet
from ptopro.language.examples.threads import thread_kernel
from ptopro.language.examples.vector import vector_kernel
from ptopro.language.operations.model import Operation

__all__ = ["example_of"]


def example_of(operation: Operation) -> str:
    """The text of a kernel file that uses the operation."""
    if operation.name.startswith("vf."):
        return register_kernel(operation)
    if operation.name.startswith("simt."):
        return thread_kernel(operation)
    if operation.group == "matmul":
        return product(operation)
    return snippet(operation) or vector_kernel(operation)
