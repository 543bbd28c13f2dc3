"""Expand a file: read it, lower its kernels, expand each.

In: a path (and a text that replaces the file's).  Out: one `Expansion` for each kernel that could be expanded.
"""

from __future__ import annotations

from collections.abc import Sequence

from ptopro.diagnostics import Sink, make
from ptopro.expand.kernel import expand_kernel
from ptopro.expand.model import ExpandOptions, Expansion
from ptopro.frontend.kernels import KernelSource
from ptopro.frontend.source import SourceModule, load_module
from ptopro.lowering.target import Target


def expand_file(
    path: str,
    text: str | None = None,
    kernels: Sequence[str] | None = None,
    options: ExpandOptions | None = None,
    sink: Sink | None = None,
    *,
    target: Target | None = None,
) -> list[Expansion]:
    """Expand the kernels of a file (those named, else all); diagnostics go to the sink."""
    collected = Sink() if sink is None else sink
    module = load_module(path, text, sink=collected)
    if module.failed:
        return []
    return expand_module(module, kernels, options or ExpandOptions(), collected, target or Target())


def expand_module(
    module: SourceModule, kernels: Sequence[str] | None, options: ExpandOptions, sink: Sink, target: Target
) -> list[Expansion]:
    """Expand kernels of a file that has been read."""
    found = []
    for kernel in module.kernels:
        if kernels is None or kernel.name in kernels:
            if kernel.module is not module:
                sink.add(make("PTO1515", kernel.span, kernel=kernel.name, file=module.path))
                continue
            expansion = expand_source(kernel, options, sink, target)
            if expansion is not None:
                found.append(expansion)
    return found


def expand_source(kernel: KernelSource, options: ExpandOptions, sink: Sink, target: Target) -> Expansion | None:
    """Lower and expand one kernel; None when something is wrong with it."""
    from ptopro.lowering.kernel import lower_kernel

    own = Sink()
    lowered = lower_kernel(kernel, target, own)
    expansion = None
    if lowered is not None and not own.has_errors:
        expansion = expand_kernel(kernel, lowered, options, own, target=target)
    sink.extend(own.diagnostics)
    return expansion if not own.has_errors else None
