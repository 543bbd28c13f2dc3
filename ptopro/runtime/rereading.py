"""Read the expanded text of a live kernel with the values of the running program.

In: a live function and the text that expand made of its file.  Out: the `KernelSource` of the same kernel in that text.
The text is read as a file, since it may hold functions that the program does not have (helpers with other locks); then
every plain value of the program - globals, closure, locals of the function that made the kernel - replaces the one that
was computed from the text.
"""

from __future__ import annotations

import ast
import types
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING

from ptopro.frontend.values import FunctionValue, Opaque

if TYPE_CHECKING:
    from ptopro.diagnostics import Sink
    from ptopro.frontend.kernels import KernelSource
    from ptopro.frontend.live import Program
    from ptopro.frontend.scope import Scope
    from ptopro.frontend.source import SourceModule


def reloader(function: types.FunctionType, kernel: KernelSource) -> Callable[[str, Sink], KernelSource | None]:
    """The `reload` of codegen for a kernel that came from a live function."""

    def reload(text: str, sink: Sink) -> KernelSource | None:
        from dataclasses import replace

        from ptopro.diagnostics import Sink as OwnSink
        from ptopro.frontend.live import Program
        from ptopro.frontend.source import load_module

        # What the file alone does not tell is no error here: the program has the values.
        module = load_module(kernel.module.path, text, sink=OwnSink())
        found = _same_kernel(module, function, kernel)
        if found is None:
            return None
        program = Program(sink)
        overlay(program, module.scope, function.__globals__)
        for scope in _inner_scopes(found.scope, module.scope):
            overlay(program, scope, _captured(function))
        return replace(found, options=kernel.options, parameters=kernel.parameters, name=kernel.name)

    return reload


def overlay(program: Program, scope: Scope, live: Mapping[str, object]) -> None:
    """Give the names of a scope the program's values, except functions that the text itself defines."""
    for name, value in live.items():
        static = scope.names.get(name)
        if name.startswith("__") or isinstance(static, FunctionValue):
            continue
        converted = program.convert(value)
        if not isinstance(converted, Opaque) or static is None:
            scope.names[name] = converted


def _same_kernel(module: SourceModule, function: types.FunctionType, kernel: KernelSource) -> KernelSource | None:
    """The kernel of the expanded text: same function name, and same place among the functions of that name."""
    place = _nodes(kernel.module.tree, kernel.node.name).index(kernel.node)
    nodes = _nodes(module.tree, kernel.node.name)
    wanted = nodes[place] if place < len(nodes) else None
    found = [each for each in (*module.kernels, *module.deferred) if each.node is wanted]
    return found[0] if found else None


def _nodes(tree: ast.Module, name: str) -> list[ast.FunctionDef]:
    """The functions of a name, in the order of the text."""
    found = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.name == name]
    return sorted(found, key=lambda node: node.lineno)


def _inner_scopes(scope: Scope | None, stop: Scope) -> Iterator[Scope]:
    """The scopes of the functions round a kernel, innermost first."""
    while scope is not None and scope is not stop:
        yield scope
        scope = scope.parent


def _captured(function: types.FunctionType) -> dict[str, object]:
    """Closure of a function and, before it, the locals of its maker as the decorator saw them."""
    found: dict[str, object] = {}
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        try:
            found[name] = cell.cell_contents
        except ValueError:
            continue
    return {**found, **getattr(function, "ptopro_captured", {})}
