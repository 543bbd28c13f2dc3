"""Put copies of helper functions into the kernel's file, and make the names in them mean what they meant.

In: the edits of a helper's own text.  Out: that text under a new name: behind the original, or, for a helper of a
sibling file, before the statement that holds the kernel, with imports for the sibling's names that it uses.
"""

from __future__ import annotations

import ast
from itertools import count
from pathlib import PurePath

from ptopro.diagnostics import Sink
from ptopro.expand.edits import EditSet, Piece
from ptopro.expand.names import OWN_IMPORT, PREFIX, bound_in, report_collision
from ptopro.expand.sources import SourceFile, SourceFiles
from ptopro.expand.syntax_index import names_in
from ptopro.frontend.kernels import KernelSource
from ptopro.frontend.scope import MISSING, bound_names


class CloneNames:
    """Names for copies of helpers: `_pl_<helper>_1`, `_pl_<helper>_2`, ..."""

    def __init__(self, file: SourceFile, sink: Sink) -> None:
        self._file = file
        self._taken: frozenset[str] | None = None
        self._sink = sink
        self._numbers: dict[str, count[int]] = {}

    def clone(self, helper: str) -> str:
        name = f"{PREFIX}{helper}_{next(self._numbers.setdefault(helper, count(1)))}"
        if self._taken is None:
            self._taken = bound_in(self._file.module.tree)
        if name in self._taken:
            report_collision(name, self._file.module.tree, self._file.index, self._sink)
        return name


def used_by_other_kernels(kernel: KernelSource) -> frozenset[str]:
    """Functions of the kernel's file that its other kernels may reach: their text must stay."""
    others = [other.node for other in kernel.module.kernels if other.node is not kernel.node]
    if not others:
        return frozenset()
    functions = {node.name: node for node in ast.walk(kernel.module.tree) if isinstance(node, ast.FunctionDef)}
    todo: list[ast.FunctionDef] = others
    reached: set[str] = set()
    while todo:
        for name in names_in(todo.pop()) & functions.keys() - reached:
            reached.add(name)
            todo.append(functions[name])
    return frozenset(reached)


def import_language(edits: EditSet) -> None:
    """Import the language under a name of our own, for a file that has none for it."""
    body = edits.index.tree.body
    at = 0
    while at < len(body) and (
        (at == 0 and isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant))
        or (isinstance(body[at], ast.ImportFrom) and getattr(body[at], "module", "") == "__future__")
    ):
        at += 1
    edits.before(body[at], [f"import ptopro.language as {OWN_IMPORT}"])


def _extent(edits: EditSet, node: ast.FunctionDef) -> tuple[int, int]:
    """The whole lines of a function, decorators included."""
    first = node.decorator_list[0] if node.decorator_list else node
    start = edits.source.line_start(edits.source.range(edits.index.span(first))[0])
    return start, edits.source.logical_line_end(edits.source.range(edits.index.span(node))[1])


def _renamed(edits: EditSet, node: ast.FunctionDef, name: str) -> list[Piece]:
    """The edited text of a function under another name."""
    start, end = _extent(edits, node)
    at = edits.source.range(edits.index.span(node))[0]
    at = edits.source.text.index(node.name, at + len("def"))
    edits.replace_range(at, at + len(node.name), name)
    pieces = edits.pieces(start, end)
    if pieces and pieces[-1].text[-1:] not in "\r\n":
        newline = edits.source.newline_at(start)
        pieces.append(Piece(newline, edits.source.path, edits.source.line_of(end)))
    return pieces


def insert_clone(main: EditSet, edits: EditSet, node: ast.FunctionDef, name: str) -> None:
    """A second text of a function of this file, behind the first."""
    start, end = _extent(main, node)
    newline = main.source.newline_at(start)
    indent = main.source.indent_at(start)
    line = main.source.line_of(start)
    blank = newline * (1 if indent else 2)
    unfinished = end == len(main.source.text) and main.source.text[-1:] not in "\r\n"
    head = f"{newline if unfinished else ''}{blank}{indent}# {node.name} again, with other locks{newline}"
    main.insert_pieces(end, [Piece(head, main.source.path, line), *_renamed(edits, node, name)])


def insert_sibling(
    main: EditSet,
    edits: EditSet,
    node: ast.FunctionDef,
    name: str,
    kernel: KernelSource,
    files: SourceFiles,
    file: SourceFile,
) -> None:
    """The text of a sibling's function, before the statement that holds the kernel."""
    imports = _translate_globals(edits, node, kernel, files, file)
    holder = main.index.statement_of(kernel.node)
    for outer in main.index.enclosing(kernel.node):
        if isinstance(outer, ast.stmt):
            holder = outer
    decorators = getattr(holder, "decorator_list", [])
    at = main.source.line_start(main.source.range(main.index.span(decorators[0] if decorators else holder))[0])
    while at > 0:  # the statement's own comment lines stay with it
        above = main.source.line_start(at - 1)
        if not main.source.text[above:at].startswith("#"):
            break
        at = above
    newline = main.source.newline_at(at)
    line = main.source.line_of(at)
    origin = PurePath(file.module.path).name
    head = "".join(f"{text}{newline}" for text in [*imports, f"# {node.name} from {origin}, with its locks"])
    pieces = [Piece(head, main.source.path, line), *_renamed(edits, node, name)]
    main.insert_pieces(at, [*pieces, Piece(newline * 2, main.source.path, line)])


def _translate_globals(
    edits: EditSet, node: ast.FunctionDef, kernel: KernelSource, files: SourceFiles, file: SourceFile
) -> list[str]:
    """Rename the sibling's module-level names in a copied function; out: the imports that the new names need."""
    own = kernel.module.scope.module_scope()
    theirs = file.module.scope.module_scope()
    local = bound_names(node.body) | {a.arg for a in ast.walk(node.args) if isinstance(a, ast.arg)}
    stem = PurePath(file.module.path).stem
    imports: list[str] = []
    renamed: dict[str, str] = {}
    for name in sorted(names_in(node) - local):
        value = theirs.names.get(name, MISSING)
        if value is MISSING or own.names.get(name, MISSING) is value:
            continue
        if file.alias == name and files.main.alias is not None:
            renamed[name] = files.main.alias
            continue
        renamed[name] = f"{PREFIX}{stem}_{name}"
        imports.append(f"from {files.import_path(file.module.path)} import {name} as {renamed[name]}")
    for part in ast.walk(node):
        if isinstance(part, ast.Name) and part.id in renamed and not edits.is_replaced(part):
            edits.replace(part, renamed[part.id])
    return imports
