"""Modules that host programs of the device import, served by ptopro while `ptopro run` executes a program.

In: `import pypto_pro.language as pl`, `import pypto`, `import torch_npu` in a file written for the NPU.  Out: ptopro's
own language under that name, and small modules that mean the CPU.  Nothing is installed: a finder in `sys.meta_path`
knows the names, comes first, and goes when it is removed.  Where torch is imported, its "npu" device is added after.
"""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import sys
import types
from collections.abc import Sequence
from typing import Any

_HERE = __name__

# Served module -> the module of ptopro that has its contents.  Packages are those with an entry below them.
MODULES = {
    "pypto_pro": f"{_HERE}.pypto_pro",
    "pypto_pro.language": "ptopro.language",
    "pypto_pro.language.parser": f"{_HERE}.errors",
    "pypto_pro.language.parser.diagnostics": f"{_HERE}.errors",
    "pypto_pro.language.parser.diagnostics._exceptions": f"{_HERE}.errors",
    "pypto_pro.language.parser.diagnostics.exceptions": f"{_HERE}.errors",
    "pypto_pro.runtime": f"{_HERE}.runtime",
    "pypto_pro.runtime.jit": f"{_HERE}.runtime",
    "pypto_pro.runtime.tilingkey": f"{_HERE}.runtime",
    "pypto": f"{_HERE}.pypto",
    "torch_npu": f"{_HERE}.torch_npu",
    "torch_npu.npu": "ptopro.runtime.torch_device",
    "torch_npu.profiler": f"{_HERE}.profiler",
}
# What a module object has of its own.
_OWN = ("__name__", "__spec__", "__loader__", "__package__", "__path__", "__file__", "__builtins__", "__cached__")
_ROOTS = {name.split(".")[0] for name in MODULES}


class ServedFinder(importlib.abc.MetaPathFinder):
    """Finds the served modules, and torch, to which the "npu" device is added when it has been loaded."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: types.ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname in MODULES:
            is_package = any(name.startswith(f"{fullname}.") for name in MODULES)
            return importlib.machinery.ModuleSpec(fullname, _ServedLoader(), is_package=is_package)
        if fullname == "torch":
            return _torch_spec(self)
        return None


class _ServedLoader(importlib.abc.Loader):
    """Makes a module that has the names of the ptopro module behind it."""

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> types.ModuleType:
        return types.ModuleType(spec.name)

    def exec_module(self, module: types.ModuleType) -> None:
        source = importlib.import_module(MODULES[module.__name__])
        module.__dict__.update({name: value for name, value in vars(source).items() if name not in _OWN})
        if not hasattr(module, "__getattr__"):
            module.__dict__["__getattr__"] = lambda name: getattr(source, name)


def install() -> ServedFinder:
    """Start serving; a torch that is already loaded gets its device at once."""
    for finder in sys.meta_path:
        if isinstance(finder, ServedFinder):
            return finder
    finder = ServedFinder()
    sys.meta_path.insert(0, finder)
    if "torch" in sys.modules:
        _add_device()
    return finder


def remove() -> None:
    """Stop serving: forget the finder and the served modules; torch keeps its device until the process ends."""
    sys.meta_path[:] = [finder for finder in sys.meta_path if not isinstance(finder, ServedFinder)]
    for name in [name for name in sys.modules if name.split(".")[0] in _ROOTS]:
        del sys.modules[name]


def _torch_spec(finder: ServedFinder) -> importlib.machinery.ModuleSpec | None:
    """The installed torch, with a loader that adds the device when torch has been executed."""
    sys.meta_path.remove(finder)
    try:
        spec = importlib.util.find_spec("torch")
    finally:
        sys.meta_path.insert(0, finder)
    if spec is not None and spec.loader is not None:
        spec.loader = _ThenAddDevice(spec.loader)
    return spec


class _ThenAddDevice(importlib.abc.Loader):
    """Loads like the loader it wraps, and then adds the device; the wrapped one answers everything else."""

    def __init__(self, wrapped: Any) -> None:
        self.wrapped = wrapped

    def __getattr__(self, name: str) -> Any:
        return getattr(self.wrapped, name)

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> types.ModuleType | None:
        made: types.ModuleType | None = self.wrapped.create_module(spec)
        return made

    def exec_module(self, module: types.ModuleType) -> None:
        self.wrapped.exec_module(module)
        if module.__spec__ is not None:
            module.__spec__.loader = self.wrapped
        module.__loader__ = self.wrapped
        _add_device()


def _add_device() -> None:
    from ptopro.runtime import torch_device

    torch_device.install()
