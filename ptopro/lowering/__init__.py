"""Lowering: a kernel as typed statements and expressions, one function for each core.

In: a `KernelSource` of the front end.  Out: a `KernelIR` (see `ir`), which expand and codegen read.  Order of reading:
ir, values (what expressions stand for), context (frames, rules), environment (where paths meet), expressions,
assignment, branches, loops, calls, operations, helpers; then finish, ranges, prune, constants; kernel joins them.
"""
