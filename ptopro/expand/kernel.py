"""Expand one kernel: the whole file again, with what the framework adds written out.

In: a kernel's source and typed IR.  Out: an `Expansion`.  Running it on its own output changes nothing: an expanded
kernel says `auto_mutex=False`.
"""

from __future__ import annotations

from ptopro.diagnostics import Sink
from ptopro.expand.edits import join_pieces
from ptopro.expand.model import ExpandOptions, Expansion
from ptopro.expand.mutex_locks import write_locks
from ptopro.expand.source_text import SourceText
from ptopro.frontend.kernels import KernelSource
from ptopro.frontend.source import SourceModule
from ptopro.lowering import ir


def expand_kernel(kernel: KernelSource, lowered: ir.KernelIR, options: ExpandOptions, sink: Sink) -> Expansion:
    """Write out the locks of a kernel; what is wrong goes to the sink."""
    module = kernel.module
    if not kernel.options.auto_mutex:
        lines = len(SourceText(module.path, module.text).starts)
        line_map = tuple((module.path, line) for line in range(1, lines + 1))
        return Expansion(kernel.name, module.text, line_map, depends=lowered.depends, encoding=_encoding(module))
    locked = write_locks(kernel, lowered, options, sink)
    output = join_pieces(locked.pieces)
    notes = tuple(locked.analysis.notes) if locked.analysis is not None else ()
    sink.extend(notes)
    return Expansion(
        kernel.name,
        output.text,
        output.line_map,
        locks=locked.locks,
        saved=locked.saved,
        barriers=locked.barriers,
        notes=notes,
        depends=lowered.depends,
        encoding=_encoding(module),
    )


def _encoding(module: SourceModule) -> str:
    """The encoding of the file, with its byte order mark if it has one."""
    return "utf-8-sig" if module.bom else module.encoding
