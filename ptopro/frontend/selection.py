"""Choose kernels of a file by name, as `--kernel NAME` does."""

from __future__ import annotations

from collections.abc import Sequence

from ptopro.diagnostics.build import make
from ptopro.diagnostics.core import Sink
from ptopro.diagnostics.span import Span
from ptopro.frontend.kernels import KernelSource
from ptopro.frontend.source import SourceModule
from ptopro.frontend.suggestions import did_you_mean


def select_kernels(module: SourceModule, names: Sequence[str], sink: Sink) -> tuple[KernelSource, ...]:
    """The kernels of these names (or function names) in the file's order; all of them when no name is given.

    A deferred kernel is chosen only by its name.  Names without a kernel are reported.
    """
    if not names:
        return module.kernels
    chosen: list[KernelSource] = []
    for name in names:
        found = [k for k in module.kernels if name in (k.name, k.node.name)]
        found = found or [k for k in module.deferred if name in (k.name, k.node.name)]
        if not found:
            known = sorted({k.name for k in (*module.kernels, *module.deferred)})
            hint = did_you_mean(name, known) or ("its kernels: " + ", ".join(known) if known else "it has no kernels")
            sink.add(make("PTO1026", Span(module.path, 1, 1, 1, 1), name=name, path=module.path, hint=hint))
        chosen.extend(kernel for kernel in found if kernel not in chosen)
    return tuple(k for k in (*module.kernels, *module.deferred) if k in chosen)
