"""The front end: kernel files are read with `ast` and never executed.

In: the path (or text) of a kernel file, or a live function.  Out: a `SourceModule` with its module-level values and
`KernelSource`s.  Order of reading: values, scope, evaluator (with
expressions, statements, calls, ...), kernels, source.
"""
