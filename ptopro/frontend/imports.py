"""Import statements: the language, sibling files, the provided part of the standard library; all else is unknown."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import TYPE_CHECKING

from ptopro.diagnostics.span import Span
from ptopro.frontend.attributes import get_attribute
from ptopro.frontend.failures import Failed
from ptopro.frontend.language_names import TILING_KEY_MODULES, language_module, star_names
from ptopro.frontend.library import library_names
from ptopro.frontend.scope import MISSING, Scope
from ptopro.frontend.values import LanguageName, ModuleKind, ModuleValue, Opaque, Value

if TYPE_CHECKING:
    from ptopro.frontend.evaluator import Evaluator


def import_modules(ev: Evaluator, node: ast.Import, scope: Scope) -> None:
    """`import a.b.c`, `import a.b.c as d`."""
    span = scope.module.span(node)
    for alias in node.names:
        if alias.asname is not None:
            scope.bind(alias.asname, find_module(ev, alias.name, 0, scope, span))
            continue
        first, *rest = alias.name.split(".")
        value = find_module(ev, first, 0, scope, span)
        before = scope.names.get(first)
        if isinstance(before, ModuleValue):
            value = before
        scope.bind(first, value)
        _attach(ev, value, first, rest, scope, span)


def _attach(ev: Evaluator, package: Value, name: str, rest: list[str], scope: Scope, span: Span) -> None:
    """Bind the inner modules of a dotted import in their packages."""
    for part in rest:
        name = f"{name}.{part}"
        inner = find_module(ev, name, 0, scope, span)
        if not isinstance(package, ModuleValue) or package.kind is ModuleKind.LANGUAGE:
            return
        package.names.setdefault(part, inner)
        package = package.names[part]


def import_from(ev: Evaluator, node: ast.ImportFrom, scope: Scope) -> None:
    """`from a.b import c, d as e`, `from . import f`, `from a import *`."""
    span = scope.module.span(node)
    name = node.module or ""
    module = find_module(ev, name, node.level, scope, span)
    for alias in node.names:
        at = scope.module.span(alias)
        if alias.name == "*":
            _import_all(module, scope)
        else:
            scope.bind(alias.asname or alias.name, _member(ev, module, name, node.level, alias.name, scope, at))


def _member(ev: Evaluator, module: Value, name: str, level: int, member: str, scope: Scope, span: Span) -> Value:
    if not isinstance(module, ModuleValue):
        return module
    if module.kind in (ModuleKind.SOURCE, ModuleKind.PACKAGE):
        own = module.source.scope.get(member) if module.source is not None else MISSING
        if own is not MISSING:
            return own
        if member in module.names:
            return module.names[member]
        if module.kind is ModuleKind.PACKAGE or _is_package(module):
            inner = find_module(ev, f"{name}.{member}" if name else member, level, scope, span, optional=True)
            if inner is not None:
                return inner
        if module.kind is ModuleKind.PACKAGE:
            return ev.unknown(f"'{member}' is imported from {module.name}, which ptopro does not read", span)
    return get_attribute(ev, module, member, span)


def _is_package(module: ModuleValue) -> bool:
    return module.source is not None and Path(module.source.path).name == "__init__.py"


def _import_all(module: Value, scope: Scope) -> None:
    if isinstance(module, Opaque) or not isinstance(module, ModuleValue):
        return
    if module.kind is ModuleKind.LANGUAGE:
        scope.names.update(star_names())
        return
    names = dict(module.names)
    if module.source is not None:
        names.update(module.source.scope.names)
        listed = names.get("__all__")
        if isinstance(listed, (list, tuple)):
            names = {name: names[name] for name in listed if isinstance(name, str) and name in names}
    for name, value in names.items():
        if not name.startswith("_"):
            scope.names[name] = value


def find_module(ev: Evaluator, name: str, level: int, scope: Scope, span: Span, *, optional: bool = False) -> Value:
    """The module of a name: a ModuleValue, or unknown.  optional: None when no file has it."""
    if level == 0:
        language = language_module(name)
        if language is not None:
            return language
        if name in TILING_KEY_MODULES:
            names: dict[str, Value] = {"TilingKeyField": LanguageName("TilingKeyField")}
            return ModuleValue(name, ModuleKind.PACKAGE, names)
    path = ev.loader.find(scope.module.path, name, level) if ev.loader is not None else None
    if path is not None and ev.loader is not None:
        if not path.endswith(".py"):
            return ModuleValue(name, ModuleKind.PACKAGE)
        source = ev.loader.load(path, name.split(".")[-1])
        if source.failed:
            return ev.unknown(f"{path} cannot be read", span)
        return ModuleValue(name, ModuleKind.SOURCE, source=source)
    if optional:
        return None
    if level:
        raise Failed("ImportError", f"no file for the relative import of '{name}'", span)
    provided = library_names(name)
    if provided is not None:
        return ModuleValue(name, ModuleKind.LIBRARY, provided)
    return ev.unknown(f"it comes from the import of '{name}', which ptopro does not execute", span)
