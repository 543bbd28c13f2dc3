"""A digest of everything in a running program that a kernel's translation depends on.

In: a live function and its decorator's options.  Out: a digest of the text of its file and of the files of every
function it reaches, and of the values of every name they use: module constants, closures, dataclasses, classes of
constants, attributes of imported modules of the user.  A changed global, closure or file gives another digest, so a
cached translation is never used for another kernel.
"""

from __future__ import annotations

import dataclasses
import enum
import functools
import hashlib
import linecache
import re
import sys
import types
from collections.abc import Iterator, Mapping
from typing import Any

_PLAIN = (int, float, complex, str, bytes, bool, type(None), type(...), range)
_IDENTIFIER = re.compile(r"[^\W\d]\w*")
_DEPTH = 20


def fingerprint(function: types.FunctionType, options: Mapping[str, object]) -> str:
    """The digest of a kernel's function as it is now."""
    walk = _Walk()
    walk.visit(function, 0)
    for name, value in sorted(options.items()):
        walk.say(f"option {name}")
        walk.visit(value, 0)
    for file in sorted(walk.files):
        walk.say(f"{file} {_digest_of_file(file)}")
    return walk.total.hexdigest()


def fingerprint_of(value: object) -> str:
    """The digest of one object: a class by its attributes, and the code and the names that its methods use."""
    walk = _Walk()
    walk.visit(value, 0)
    for file in sorted(walk.files):
        walk.say(f"{file} {_digest_of_file(file)}")
    return walk.total.hexdigest()


class _Walk:
    """Visits values depth first, each object once, and adds a word for each to the digest."""

    def __init__(self) -> None:
        self.total = hashlib.sha256()
        self.seen: dict[int, int] = {}
        self.keep: list[object] = []  # so that ids stay unique during the walk
        self.files: set[str] = set()

    def say(self, text: str) -> None:
        self.total.update(text.encode(errors="surrogatepass"))
        self.total.update(b"\0")

    def visit(self, value: Any, depth: int) -> None:
        if isinstance(value, enum.Enum):
            self.say(f"{type(value).__qualname__}.{value.name}")
            return
        if isinstance(value, _PLAIN):
            self.say(f"{type(value).__name__} {value!r}")
            return
        if id(value) in self.seen or depth > _DEPTH:
            self.say(f"again {self.seen.get(id(value), -1)}")
            return
        self.seen[id(value)] = len(self.seen)
        self.keep.append(value)
        self._enter(value, depth + 1)

    def _enter(self, value: Any, depth: int) -> None:
        """A value that holds others."""
        if isinstance(value, types.FunctionType):
            self._function(value, depth)
        elif isinstance(value, (types.MethodType, classmethod, staticmethod)):
            self.visit(value.__func__, depth)
        elif isinstance(value, types.ModuleType):
            self.say(f"module {value.__name__}")
        elif isinstance(value, (tuple, list)):
            self.say(f"{type(value).__name__} {len(value)}")
            for item in value:
                self.visit(item, depth)
        elif isinstance(value, (set, frozenset)):
            self.say(f"set {sorted(map(repr, value))}")
        elif isinstance(value, dict):
            self.say(f"dict {len(value)}")
            for key, item in value.items():
                self.visit(key, depth)
                self.visit(item, depth)
        elif isinstance(value, type):
            self.say(f"class {value.__module__}.{value.__qualname__}")
            if _is_users(value.__module__):
                self._attributes(vars(value), depth)
        elif hasattr(value, "__wrapped__"):
            self.say(type(value).__qualname__)
            self.visit(value.__wrapped__, depth)
        elif dataclasses.is_dataclass(value):
            self.say(f"dataclass {type(value).__qualname__}")
            for item in dataclasses.fields(value):
                self.visit(getattr(value, item.name), depth)
        else:
            self.say(f"object {type(value).__module__}.{type(value).__qualname__}")
            if type(value).__module__.split(".")[0] in ("numpy", "ml_dtypes") and getattr(value, "shape", None) == ():
                self.say(repr(value))
            self._attributes(getattr(value, "__dict__", {}), depth)

    def _attributes(self, attributes: Mapping[str, Any], depth: int) -> None:
        for name, value in sorted(attributes.items(), key=lambda item: str(item[0])):
            if not name.startswith("__") or name == "__annotations__":
                self.say(f".{name}")
                self.visit(value, depth)

    def _function(self, function: types.FunctionType, depth: int) -> None:
        """Code, defaults, annotations, and the value of each name that the code or an annotation uses."""
        code = function.__code__
        self.say(f"function {function.__qualname__}")
        if not _is_users(function.__module__ or ""):
            return
        self.files.add(code.co_filename)
        self.visit(function.__defaults__, depth)
        self.visit(function.__kwdefaults__, depth)
        names: set[str] = set()
        for part in _codes(code):
            constants = [const for const in part.co_consts if isinstance(const, (*_PLAIN, tuple))]
            self.say(f"{part.co_code.hex()} {constants!r} {part.co_names}")
            names.update(part.co_names)
        for name, annotation in function.__annotations__.items():
            self.say(f":{name}")
            self.visit(annotation, depth)
            if isinstance(annotation, str):
                names.update(_IDENTIFIER.findall(annotation))
        cells = {**_closure(function), **getattr(function, "ptopro_captured", {})}
        self._names(names | set(function.__code__.co_freevars), cells, function.__globals__, depth)

    def _names(self, names: set[str], cells: Mapping[str, Any], scope: Mapping[str, Any], depth: int) -> None:
        for name in sorted(names):
            value = cells.get(name, scope.get(name, _ABSENT))
            if value is _ABSENT:
                continue
            self.say(f"={name}")
            self.visit(value, depth)
            if isinstance(value, types.ModuleType) and _is_users(value.__name__):
                self._module(value, names, depth)

    def _module(self, module: types.ModuleType, names: set[str], depth: int) -> None:
        """The attributes of a user's module that the code may read: those it names."""
        for name in sorted(names):
            found = vars(module).get(name, _ABSENT)
            if found is not _ABSENT:
                self.say(f"{module.__name__}.{name}")
                self.visit(found, depth)
                if isinstance(found, types.ModuleType) and _is_users(found.__name__):
                    self._module(found, names, depth + 1)


_ABSENT = object()


def _codes(code: types.CodeType) -> Iterator[types.CodeType]:
    """A code object and those of the functions, lambdas and comprehensions in it."""
    yield code
    for const in code.co_consts:
        if isinstance(const, types.CodeType):
            yield from _codes(const)


def _closure(function: types.FunctionType) -> dict[str, Any]:
    """The values of the names that the function takes from the functions around it."""
    found = {}
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        try:
            found[name] = cell.cell_contents
        except ValueError:
            continue
    return found


@functools.cache
def _is_users(module: str) -> bool:
    """Whether a module is part of the program: neither ptopro, nor Python's library, nor an installed package."""
    root = module.split(".")[0]
    if root in ("ptopro", "pypto_pro", "pypto") or (root in sys.stdlib_module_names and root != "__main__"):
        return False
    file = getattr(sys.modules.get(module), "__file__", None) or ""
    return "site-packages" not in file and "dist-packages" not in file


@functools.cache
def _digest_of_file(file: str) -> str:
    """The digest of a file's text as Python loaded it (also of `python -c` and notebook cells)."""
    return hashlib.sha256("".join(linecache.getlines(file)).encode(errors="surrogatepass")).hexdigest()
