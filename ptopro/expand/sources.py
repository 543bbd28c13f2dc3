"""The files that a kernel's text stands in: its own and the siblings that its helper functions come from.

In: the kernel's SourceModule.  Out: text, syntax index and name of the language for each file; functions by span.
"""

from __future__ import annotations

import ast
import os.path
from dataclasses import dataclass
from pathlib import PurePath

from ptopro.expand.names import language_alias
from ptopro.expand.source_text import SourceText
from ptopro.expand.syntax_index import SyntaxIndex
from ptopro.frontend.source import SourceModule
from ptopro.lowering import ir


@dataclass(frozen=True, slots=True, eq=False)
class SourceFile:
    """One file, ready for edits."""

    module: SourceModule
    source: SourceText
    index: SyntaxIndex
    alias: str | None  # what it calls the language module


class SourceFiles:
    """Files by path, each read into an index when it is first asked for."""

    def __init__(self, main: SourceModule) -> None:
        self._modules: dict[str, SourceModule] = {}
        self._files: dict[str, SourceFile] = {}
        todo = [main]
        while todo:
            module = todo.pop()
            if module.path not in self._modules:
                self._modules[module.path] = module
                todo.extend(module.siblings)
        self.main = self.file(main.path)

    def file(self, path: str) -> SourceFile:
        if path not in self._files:
            module = self._modules[path]
            index = SyntaxIndex(path, module.tree, module.lines)
            self._files[path] = SourceFile(module, SourceText(path, module.text), index, language_alias(index))
        return self._files[path]

    def function(self, function: ir.FunctionIR) -> ast.FunctionDef | None:
        """The def statement of a lowered function; None for a lambda."""
        if function.span is None:
            return None
        index = self.file(function.span.file).index
        found = index.statement(function.span)
        if isinstance(found, ast.FunctionDef):
            return found
        for node in index.functions():
            if node.lineno == function.span.line and node.name == function.source_name:
                return node
        return None

    def import_path(self, path: str) -> str:
        """How the kernel's file imports a sibling: "helpers", "lib.tiles", "..common"."""
        folder = PurePath(self.main.module.path).parent
        parts = list(PurePath(os.path.relpath(path, folder)).with_suffix("").parts)
        if parts[-1] == "__init__":
            parts.pop()
        ups = parts.count("..")
        return ("." * (ups + 1) if ups else "") + ".".join(parts[ups:])
