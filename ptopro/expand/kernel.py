"""Expand one kernel: the whole file again, with what the framework adds written out.

In: a kernel's source and typed IR.  Out: an `Expansion`.  A kernel with `pipeline=` is rewritten first; that text is
read and lowered again, and its locks are written.  Running it on its own output changes nothing: an expanded kernel
says `auto_mutex=False` and has no `pipeline=`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from ptopro.diagnostics import Severity, Sink
from ptopro.expand.edits import join_pieces
from ptopro.expand.model import ExpandOptions, Expansion
from ptopro.expand.mutex_locks import write_locks
from ptopro.expand.source_text import SourceText
from ptopro.frontend.kernels import KernelSource
from ptopro.frontend.source import SourceModule
from ptopro.lowering import ir

if TYPE_CHECKING:
    from ptopro.expand.pipeline import Pipelined
    from ptopro.lowering.target import Target


Reload = Callable[[str, Sink], "KernelSource | None"]


def expand_kernel(
    kernel: KernelSource,
    lowered: ir.KernelIR,
    options: ExpandOptions,
    sink: Sink,
    *,
    target: Target | None = None,
    reload: Reload | None = None,
) -> Expansion:
    """Write out the pipeline and the locks of a kernel; what is wrong goes to the sink.

    target, reload: how a rewritten text is lowered and read again (see `codegen.driver`).
    """
    if kernel.options.pipeline is None:
        from ptopro.expand.pipeline_undeclared import check_no_pipeline

        check_no_pipeline(lowered, sink)
        return _with_locks(kernel, lowered, options, sink)
    from ptopro.expand.pipeline import write_pipeline

    own = Sink()
    written = write_pipeline(kernel, lowered, options, own)
    sink.extend(own.diagnostics)
    if written is None:
        return _unchanged(kernel, lowered)
    return _second_pass(kernel, lowered, written, options, sink, target, reload)


def _second_pass(
    kernel: KernelSource,
    lowered: ir.KernelIR,
    written: Pipelined,
    options: ExpandOptions,
    sink: Sink,
    target: Target | None,
    reload: Reload | None,
) -> Expansion:
    """The locks of a kernel whose pipeline has been written out; places are those of the author's text."""
    from ptopro.expand.pipeline_places import Places
    from ptopro.lowering.kernel import lower_kernel
    from ptopro.lowering.target import Target

    again = Sink()
    text = written.output.text
    places = Places(kernel.module.path, kernel.module.text, text, written.output.line_map)
    source = (reload or reloader(kernel))(text, again)
    relowered = None if source is None else lower_kernel(source, target or Target(chip=lowered.chip), again)
    if source is None or relowered is None:
        sink.extend(places.back(d) for d in again.diagnostics)
        if not sink.has_errors:
            raise RuntimeError(f"internal error: the pipeline of {kernel.name} does not read back")
        return _unchanged(kernel, lowered)
    expansion = _with_locks(source, relowered, options, again)
    sink.extend(places.back(d) for d in again.diagnostics if d in expansion.notes or d.severity is Severity.ERROR)
    line_map = tuple(
        written.output.line_map[n - 1] if f == source.module.path else (f, n) for f, n in expansion.line_map
    )
    return replace(
        expansion,
        line_map=line_map,
        notes=tuple(places.back(d) for d in expansion.notes),
        depends=tuple(dict.fromkeys((*lowered.depends, *expansion.depends))),
        encoding=_encoding(kernel.module),
        pipelines=written.reports,
    )


def reloader(kernel: KernelSource) -> Reload:
    """Reads a rewritten text in place of the kernel's file: sibling imports resolve as they did for the original."""

    def reload(text: str, sink: Sink) -> KernelSource | None:
        from ptopro.frontend.source import load_module

        module = load_module(kernel.module.path, text, sink=sink)
        return next((found for found in module.kernels if found.name == kernel.name), None)

    return reload


def _unchanged(kernel: KernelSource, lowered: ir.KernelIR) -> Expansion:
    module = kernel.module
    lines = len(SourceText(module.path, module.text).starts)
    line_map = tuple((module.path, line) for line in range(1, lines + 1))
    return Expansion(kernel.name, module.text, line_map, depends=lowered.depends, encoding=_encoding(module))


def _with_locks(kernel: KernelSource, lowered: ir.KernelIR, options: ExpandOptions, sink: Sink) -> Expansion:
    """Write out the locks of a kernel that has no pipeline."""
    if not kernel.options.auto_mutex:
        return _unchanged(kernel, lowered)
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
        encoding=_encoding(kernel.module),
    )


def _encoding(module: SourceModule) -> str:
    """The encoding of the file, with its byte order mark if it has one."""
    return "utf-8-sig" if module.bom else module.encoding
