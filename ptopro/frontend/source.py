"""Read a kernel file: text, syntax tree, values of module-level names, kernels.

In: a path, or a path and its text.  Out: a `SourceModule`; what is wrong goes to the sink, all of a file at once.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ptopro.diagnostics.core import Sink
from ptopro.diagnostics.span import Span, span_of
from ptopro.frontend.values import Value

if TYPE_CHECKING:
    from ptopro.frontend.evaluator import Evaluator
    from ptopro.frontend.kernels import KernelSource
    from ptopro.frontend.loader import Loader
    from ptopro.frontend.scope import Scope


@dataclass(slots=True, eq=False)
class SourceModule:
    """A kernel file that has been read.

    path: as the user gave it, for diagnostics; text: decoded, line ends as in the file, without a byte order mark;
    lines: without line ends; siblings: the other files that its imports read, in order (for depfiles).
    """

    path: str
    text: str
    lines: list[str]
    tree: ast.Module
    scope: Scope
    evaluator: Evaluator
    kernels: tuple[KernelSource, ...] = ()
    siblings: tuple[SourceModule, ...] = ()
    encoding: str = "utf-8"
    bom: bool = False
    postponed: bool = False  # `from __future__ import annotations`
    failed: bool = field(default=False)  # could not be read: tree is empty

    def span(self, node: ast.AST) -> Span:
        """Where a node of this file's tree stands."""
        return span_of(node, self.path, self.lines)

    def value(self, name: str) -> Value:
        """The value of a module-level name; KeyError when the file does not bind it."""
        return self.scope.names[name]

    def kernel(self, name: str) -> KernelSource:
        """The kernel called `name`; KeyError when there is none."""
        for kernel in self.kernels:
            if kernel.name == name:
                return kernel
        raise KeyError(name)


def load_module(
    path: str,
    text: str | None = None,
    *,
    sink: Sink,
    loader: Loader | None = None,
) -> SourceModule:
    """Read a kernel file; `text` replaces the file's content (standard input, an editor's buffer)."""
    raise NotImplementedError
