"""Generate the C++ of a file's kernels: read it, lower, expand where there is something to expand, lower again, print.

In: a path (and a text that replaces the file's).  Out: one `Generated` for each kernel that has no errors.  C++ always
corresponds to pipeline_generated.py, which is among the generated files; its comments and its line map name the lines
of the file that the author wrote.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ptopro.codegen.options import CodegenOptions, Generated, Place
from ptopro.diagnostics import DiagnosticError, Sink, Span
from ptopro.lowering import ir

if TYPE_CHECKING:
    from ptopro.expand.model import ExpandOptions, Expansion
    from ptopro.frontend.kernels import KernelSource
    from ptopro.lowering.target import Target

EXPANDED = "pipeline_generated.py"
LINE_MAP = ".map.json"
Reload = Callable[[str, Sink], "KernelSource | None"]


def codegen_file(
    path: str,
    text: str | None = None,
    kernels: Sequence[str] | None = None,
    *,
    target: Target | None = None,
    options: CodegenOptions | None = None,
    expand_options: ExpandOptions | None = None,
    sink: Sink | None = None,
) -> list[Generated]:
    """C++ of the kernels of a file (those named, else all); diagnostics go to the sink."""
    from ptopro.frontend.source import load_module

    collected = Sink() if sink is None else sink
    module = load_module(path, text, sink=collected)
    if module.failed:
        return []
    found = (
        codegen_kernel(kernel, target=target, options=options, expand_options=expand_options, sink=collected)
        for kernel in module.kernels
        if kernels is None or kernel.name in kernels
    )
    return [generated for generated in found if generated is not None]


def codegen_kernel(
    kernel: KernelSource,
    *,
    target: Target | None = None,
    options: CodegenOptions | None = None,
    expand_options: ExpandOptions | None = None,
    sink: Sink,
    reload: Reload | None = None,
    observe: Callable[[ir.KernelIR], None] | None = None,
) -> Generated | None:
    """C++ of one kernel; None when something is wrong with it.

    reload: reads the expanded text and gives the kernel of it, where the file alone does not hold its values (kernels
    of a running program); observe: is shown the IR of the kernel as its author wrote it.
    """
    from ptopro.lowering.kernel import lower_kernel
    from ptopro.lowering.target import Target

    chosen = options or CodegenOptions()
    aim = replace(target or Target(), serial=chosen.serial)
    own = Sink()
    lowered = lower_kernel(kernel, aim, own)
    if observe is not None and lowered is not None:
        observe(lowered)
    text = kernel.module.text
    serial_order = chosen.serial and kernel.options.pipeline is not None  # the author's order needs no flags
    if lowered is not None and not own.has_errors and not serial_order and needs_expansion(kernel, lowered):
        expansion = _expand(kernel, lowered, expand_options, own, aim, reload)
        lowered = None
        if expansion is not None:
            text = expansion.text
            chosen = replace(chosen, locate=_author_lines(kernel.module.path, expansion))
            lowered = _lower_again(kernel, expansion, aim, own, reload)
    generated = None
    if lowered is not None and not own.has_errors:
        try:
            generated = _printed(lowered, text, chosen)
        except DiagnosticError as error:
            own.extend(error.diagnostics)
    sink.extend(own.diagnostics)
    return generated


def needs_expansion(kernel: KernelSource, lowered: ir.KernelIR) -> bool:
    """Whether expand would add something: a pipeline, or locks on tiles that have lock ids."""
    if kernel.options.pipeline is not None:
        return True
    return kernel.options.auto_mutex and any(_declares_locked(half, set()) for half in lowered.halves)


def _declares_locked(function: ir.FunctionIR, seen: set[int]) -> bool:
    from ptopro.codegen.traverse import called

    seen.add(id(function))
    for stmt in ir.walk(function.body):
        if isinstance(stmt, (ir.DeclareTile, ir.DeclareGroup)) and stmt.decl.ids:
            return True
    return any(_declares_locked(callee, seen) for callee in called(function.body) if id(callee) not in seen)


def _expand(
    kernel: KernelSource,
    lowered: ir.KernelIR,
    options: ExpandOptions | None,
    sink: Sink,
    target: Target,
    reload: Reload | None,
) -> Expansion | None:
    from ptopro.expand.kernel import expand_kernel
    from ptopro.expand.model import ExpandOptions

    expansion = expand_kernel(kernel, lowered, options or ExpandOptions(), sink, target=target, reload=reload)
    return None if sink.has_errors else expansion


def _lower_again(
    kernel: KernelSource, expansion: Expansion, target: Target, sink: Sink, reload: Reload | None
) -> ir.KernelIR | None:
    """The IR of the expanded text.  It was checked before it was expanded, so only errors are reported again."""
    from ptopro.diagnostics import Severity
    from ptopro.lowering.kernel import lower_kernel

    again = Sink()
    source = (reload or _reloader(kernel))(expansion.text, again)
    lowered = None if source is None else lower_kernel(source, target, again)
    sink.extend(found for found in again.diagnostics if found.severity is Severity.ERROR)
    if lowered is not None:
        lowered.depends = tuple(dict.fromkeys((*expansion.depends, *lowered.depends)))
    return lowered


def _reloader(kernel: KernelSource) -> Reload:
    """Reads an expanded text in place of the kernel's file: sibling imports resolve as they did for the original."""

    def reload(text: str, sink: Sink) -> KernelSource | None:
        from ptopro.frontend.source import load_module

        module = load_module(kernel.module.path, text, sink=sink)
        return next((found for found in module.kernels if found.name == kernel.name), None)

    return reload


def _author_lines(path: str, expansion: Expansion) -> Callable[[Span], Place]:
    """From a line of the expanded text to the line the author wrote."""

    def locate(span: Span) -> Place:
        if span.file == path and 0 < span.line <= len(expansion.line_map):
            return expansion.line_map[span.line - 1]
        return span.file, span.line

    return locate


def _printed(lowered: ir.KernelIR, text: str, options: CodegenOptions) -> Generated:
    """The kernel's files, pipeline_generated.py and the line map among them."""
    from ptopro.codegen.kernel import generate

    generated = generate(lowered, options)
    files = {
        EXPANDED: text,
        **generated.files,
        LINE_MAP: json.dumps(generated.line_map.to_json(), separators=(",", ":")) + "\n",
    }
    return replace(generated, files=files)
