"""Read a kernel file: text, syntax tree, values of module-level names, kernels.

In: a path, or a path and its text.  Out: a `SourceModule`; what is wrong goes to the sink, all of a file at once.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from ptopro.diagnostics.core import Sink
from ptopro.diagnostics.span import Span, span_of
from ptopro.frontend.reading import parse, read_text, split_lines
from ptopro.frontend.scope import Scope
from ptopro.frontend.values import Opaque, Value

if TYPE_CHECKING:
    from ptopro.frontend.evaluator import Evaluator
    from ptopro.frontend.kernels import KernelSource
    from ptopro.frontend.loader import Loader


@dataclass(slots=True, eq=False)
class SourceModule:
    """A kernel file that has been read.

    path: as the user gave it, for diagnostics; text: decoded, line ends as in the file, without a byte order mark;
    lines: without line ends; siblings: the other files that its imports read, in order (for depfiles); kernels: in
    order of definition; deferred: kernels of functions that no module-level code calls, which need the values of a
    running program.
    """

    path: str
    text: str
    lines: list[str]
    tree: ast.Module
    scope: Scope = field(init=False)
    evaluator: Evaluator = field(init=False)
    kernels: tuple[KernelSource, ...] = ()
    deferred: tuple[KernelSource, ...] = ()
    siblings: tuple[SourceModule, ...] = ()
    encoding: str = "utf-8"
    bom: bool = False
    postponed: bool = False  # `from __future__ import annotations`
    failed: bool = False  # could not be read: tree is empty

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


def load_module(path: str, text: str | None = None, *, sink: Sink, loader: Loader | None = None) -> SourceModule:
    """Read a kernel file; `text` replaces the file's content (standard input, an editor's buffer).

    Never raises for what a file holds: a file that cannot be read gives a module with `failed` set and no kernels.
    """
    from ptopro.frontend.loader import Loader

    loader = loader or Loader(sink)
    module = read_module(path, text, sink=sink, loader=loader, name=Path(path).stem)
    module.siblings = tuple(other for other in loader.modules.values() if other is not module)
    return module


def read_module(path: str, text: str | None, *, sink: Sink, loader: Loader, name: str) -> SourceModule:
    """Read, parse and evaluate one file; the loader knows it from then on."""
    from ptopro.frontend.builtins import BUILTINS
    from ptopro.frontend.evaluator import Evaluator

    encoding, bom = "utf-8", False
    if text is None:
        read = read_text(path, sink)
        content = read.text if read is not None else None
        if read is not None:
            encoding, bom = read.encoding, read.bom
    else:
        bom = text.startswith("\ufeff")
        content = text.removeprefix("\ufeff")
    lines = split_lines(content or "")
    tree = parse(path, content, lines, sink) if content is not None else None
    module = SourceModule(
        path, content or "", lines, tree or ast.Module([], []), encoding=encoding, bom=bom, failed=tree is None
    )
    module.evaluator = Evaluator(sink, loader, module)
    module.scope = scope = Scope(module, Scope(module, None, BUILTINS), guarded=True)
    loader.modules[str(Path(path).resolve())] = module
    if tree is not None:
        scope.names["__name__"] = name
        scope.names["__file__"] = Opaque("results do not depend on where a file lies")
        module.postponed = _postponed(tree)
        evaluate_module(module)
    return module


def _postponed(tree: ast.Module) -> bool:
    """Whether the file has `from __future__ import annotations`."""
    return any(
        isinstance(statement, ast.ImportFrom)
        and statement.module == "__future__"
        and any(alias.name == "annotations" for alias in statement.names)
        for statement in tree.body[:20]
    )


def evaluate_module(module: SourceModule) -> None:
    """Interpret the module-level statements and find the kernels."""
    from ptopro.frontend.deferred import deferred_kernels
    from ptopro.frontend.kernel_definition import distinct_kernels
    from ptopro.frontend.statements import execute

    evaluator, scope = module.evaluator, module.scope
    execute(evaluator, module.tree.body, scope)
    for finish in evaluator.later:
        finish()
    evaluator.later.clear()
    module.deferred = tuple(deferred_kernels(evaluator, module.tree, scope, evaluator.kernels))
    module.kernels = tuple(distinct_kernels(evaluator, scope.names, evaluator.kernels))
