"""The kernel language: `import ptopro.language as pl`.

The language is data (operations/, dtypes.py, enums.py, tiles.py, layouts.py, hardware.py; README.md says how to add to
it) and a surface that Python programs import (surface/).  Names are loaded when they are first used, so importing this
module costs next to nothing.
"""

from __future__ import annotations

import importlib

from ptopro.language.surface.names import MODULES

_ORIGIN = {name: module for module, names in MODULES.items() for name in names}
_SUBMODULES = ("dtypes", "enums", "hardware", "layouts", "operations", "stubs", "surface", "tiles")
_RENAMED = {"DataType": ("dtypes", "DType")}


def __getattr__(name: str) -> object:
    if name.startswith("__") and name != "__all__":
        raise AttributeError(name)
    value = _load(name)
    globals()[name] = value
    return value


def _load(name: str) -> object:
    if name == "__all__":
        return [entry for entry in __dir__() if not entry.startswith("_")]
    if name in _SUBMODULES:
        return importlib.import_module(f"{__name__}.{name}")
    if name in _ORIGIN:
        module = importlib.import_module(f"{__name__}.{_ORIGIN[name]}")
        return getattr(module, name.removeprefix("DT_") if _ORIGIN[name] == "dtypes" else name)
    if name in _RENAMED:
        module_name, attribute = _RENAMED[name]
        return getattr(importlib.import_module(f"{__name__}.{module_name}"), attribute)
    if name == "KernelDef":
        return importlib.import_module("ptopro.runtime.kernel").JitKernel
    from ptopro.language.operations.table import find, suggest

    operation = find(name)
    if operation is not None and "." not in name:
        from ptopro.language.surface.callables import KernelFunction

        return KernelFunction(name, operation)
    from ptopro.language.surface.errors import UsageAttributeError

    meant = suggest(name, [*__dir__(), *(f"system.{n}" for n in _system_names())])
    raise UsageAttributeError(f"the language has no pl.{name}" + (f"; did you mean pl.{meant}?" if meant else ""))


def _system_names() -> list[str]:
    from ptopro.language.operations.table import OPERATIONS

    return [name.removeprefix("system.") for name in OPERATIONS if name.startswith("system.")]


def __dir__() -> list[str]:
    from ptopro.language.operations.table import OPERATIONS

    operations = [name for name, op in OPERATIONS.items() if op.exported and "." not in name]
    return sorted({*_ORIGIN, *_RENAMED, "KernelDef", *operations})
