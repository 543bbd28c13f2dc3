"""A kernel from a live Python function, for launches in a running program.

In: the function that `@pl.jit` decorates and the decorator's options.  Out: a `KernelSource` whose names have the
values of the program: first the locals of the function that defined the kernel, as they were then, then its closure,
then the globals of its file.  Only the text of functions is read; none is called.
"""

from __future__ import annotations

import ast
import linecache
import os
import sys
import types
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from ptopro.diagnostics.build import make
from ptopro.diagnostics.core import Sink
from ptopro.diagnostics.span import Span
from ptopro.frontend.builtins import BUILTINS
from ptopro.frontend.evaluator import Evaluator
from ptopro.frontend.functions import FunctionNode
from ptopro.frontend.kernel_definition import name_span
from ptopro.frontend.kernels import KernelOptions, KernelSource
from ptopro.frontend.keys import check_names
from ptopro.frontend.parameters import read_parameters
from ptopro.frontend.reading import parse, split_lines
from ptopro.frontend.scope import MISSING, Scope
from ptopro.frontend.source import SourceModule
from ptopro.frontend.values import ClassValue, FunctionKind, FunctionValue, Value


class LiveScope(Scope):
    """Names of a running program, converted when they are first looked up."""

    __slots__ = ("live", "program")

    def __init__(self, program: Program, module: SourceModule, parent: Scope, live: Mapping[str, object]) -> None:
        super().__init__(module, parent)
        self.program = program
        self.live = live

    def get(self, name: str) -> Value:
        found = self.names.get(name, MISSING)
        if found is MISSING and name in self.live:
            found = self.names[name] = self.program.convert(self.live[name])
        return found

    def visible_names(self) -> set[str]:
        return super().visible_names() | set(self.live)


@dataclass(frozen=True, slots=True)
class File:
    """A file of the running program, as Python loaded it."""

    path: str
    text: str
    lines: list[str]
    tree: ast.Module


_FILES: dict[tuple[str, int], File] = {}


class Program:
    """What has been read and converted for one kernel; every object of the program is converted once."""

    def __init__(self, sink: Sink) -> None:
        self.sink = sink
        self.modules: dict[tuple[str, int], SourceModule] = {}
        self.converted: dict[int, Value] = {}
        self.keep: list[object] = []  # ids stay unique while the objects live

    def convert(self, value: object) -> Value:
        """The compile-time value of a live object, unknown when there is none."""
        from ptopro.frontend.live_values import convert

        return convert(self, value)

    def module(self, filename: str, scope: Mapping[str, object]) -> SourceModule | None:
        """The file of a function or class, with the live globals as its scope; None without source text."""
        key = (filename, id(scope))
        if key not in self.modules:
            file = _file(filename, scope, self.sink)
            if file is None:
                return None
            module = SourceModule(file.path, file.text, file.lines, file.tree)
            module.evaluator = Evaluator(self.sink, None, module)
            module.scope = LiveScope(self, module, Scope(module, None, BUILTINS), scope)
            self.modules[key] = module
        return self.modules[key]

    def function(self, function: types.FunctionType) -> FunctionValue | None:
        """A live function by its text; None when the text cannot be found."""
        module = self.module(function.__code__.co_filename, function.__globals__)
        node = _find(module.tree, function) if module is not None else None
        if module is None or node is None:
            return None
        kind = getattr(function, "ptopro_kind", "")
        kinds = {k.value: k for k in FunctionKind}
        options = getattr(function, "ptopro_options", {})
        return FunctionValue(
            function.__name__,
            node,
            module,
            _closure(self, module, function),
            kind=kinds.get(kind, FunctionKind.HELPER),
            defaults=tuple(self.convert(default) for default in function.__defaults__ or ()),
            kw_defaults={name: self.convert(value) for name, value in (function.__kwdefaults__ or {}).items()},
            keywords={name: value for name, value in options.items() if value is not None},
        )


def kernel_from_function(
    function: types.FunctionType,
    live_values: Mapping[str, object] | None = None,
    *,
    options: Mapping[str, Any] | None = None,
    sink: Sink,
) -> KernelSource | None:
    """The kernel of a live function; None after reporting why there is none.

    live_values: names that take precedence over the function's own; options: those of the decorator, live.
    """
    program = Program(sink)
    value = program.function(function)
    if value is None or not isinstance(value.node, ast.FunctionDef):
        code = function.__code__
        at = Span(_shown(code.co_filename), code.co_firstlineno, 1, code.co_firstlineno, 2)
        sink.add(make("PTO1027", at, name=function.__name__))
        return None
    scope = value.scope
    if live_values:
        scope = LiveScope(program, value.module, scope, live_values)
    given = options or {}
    known = {field.name for field in fields(KernelOptions)} - {"spans", "tiling_key"}
    decorator = _decorator(value.node)
    spans = {}
    if isinstance(decorator, ast.Call):
        spans = {k.arg: value.module.span(k.value) for k in decorator.keywords if k.arg is not None}
    read = FunctionValue(
        value.name, value.node, value.module, scope, defaults=value.defaults, kw_defaults=value.kw_defaults
    )
    outer = function.__qualname__.split(".<locals>.")[:-1]
    key = program.convert(given["tiling_key"]) if given.get("tiling_key") is not None else None
    if isinstance(key, ClassValue):
        check_names(key, sink)
    return KernelSource(
        name=str(given.get("name") or function.__name__),
        node=value.node,
        module=value.module,
        scope=scope,
        options=KernelOptions(
            **{name: option for name, option in given.items() if name in known},
            tiling_key=key,
            spans=spans,
        ),
        parameters=read_parameters(value.module.evaluator, read),
        span=name_span(value),
        decorator_span=value.module.span(decorator if decorator is not None else value.node),
        launchable=bool(given.get("launchable", True)),
        made_by=outer[-1].split(".")[-1] if outer else None,
    )


def _decorator(node: ast.FunctionDef) -> ast.expr | None:
    """The decorator that made the function a kernel, by its last name."""
    for decorator in node.decorator_list:
        base = decorator.func if isinstance(decorator, ast.Call) else decorator
        name = base.attr if isinstance(base, ast.Attribute) else getattr(base, "id", "")
        if name in ("jit", "kernel"):
            return decorator
    return node.decorator_list[0] if node.decorator_list else None


def _closure(program: Program, module: SourceModule, function: types.FunctionType) -> Scope:
    """The scope that a live function closes over."""
    names: dict[str, object] = {}
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        try:
            names[name] = cell.cell_contents
        except ValueError:  # not assigned yet
            continue
    names.update(getattr(function, "ptopro_captured", {}))
    return LiveScope(program, module, module.scope, names) if names else module.scope


def _find(tree: ast.Module, function: types.FunctionType) -> FunctionNode | None:
    """The syntax node of a live function; None when it is not to be told apart from others."""
    code = function.__code__
    if function.__name__ == "<lambda>":
        lambdas = [n for n in ast.walk(tree) if isinstance(n, ast.Lambda) and n.lineno == code.co_firstlineno]
        return lambdas[0] if len(lambdas) == 1 else None
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name == code.co_name:
            first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
            if first == code.co_firstlineno:
                return node
    return None


def _file(filename: str, scope: Mapping[str, object], sink: Sink) -> File | None:
    """The text and tree of a file of the program; parsed again only when the text is another."""
    text = "".join(linecache.getlines(filename, dict(scope) if "__loader__" in scope else None))
    if not text and filename == "<string>" and "-c" in sys.orig_argv[:-1]:
        text = sys.orig_argv[sys.orig_argv.index("-c") + 1]
    if not text:
        return None
    key = (filename, hash(text))
    if key not in _FILES:
        path = _shown(filename)
        text = text.removeprefix("\ufeff")
        lines = split_lines(text)
        tree = parse(path, text, lines, sink)
        if tree is None:
            return None
        _FILES[key] = File(path, text, lines, tree)
    return _FILES[key]


def _shown(filename: str) -> str:
    """A file's path for people: relative when it lies in the current folder."""
    try:
        relative = os.path.relpath(filename)
    except ValueError:  # another drive
        return filename
    return filename if relative.startswith("..") or not Path(filename).is_file() else relative
