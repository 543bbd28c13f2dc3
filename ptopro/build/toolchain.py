"""Find the C++ compiler of this machine and say exactly which one it is.

In: the environment (PTOPRO_CXX, CXX) and PATH.  Out: a `Compiler`: its command, kind, version and identity (what a
cache key must contain so that a result of one compiler is never taken for another's).  ptopro needs C++20: g++ 11 or
newer, clang++ 14 or newer, or the `ziglang` wheel, whose `zig c++` is a clang.
"""

from __future__ import annotations

import functools
import importlib.util
import json
import os
import platform
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from ptopro.build.cache import cache_root, digest
from ptopro.diagnostics import DiagnosticError, make

MINIMUM = {"gcc": 11, "clang": 14, "zig": 14}
_NAMES = ("g++", "clang++", *(f"g++-{n}" for n in range(16, 10, -1)), *(f"clang++-{n}" for n in range(22, 13, -1)))


@dataclass(frozen=True, slots=True)
class Compiler:
    """A usable C++ compiler.  kind: gcc, clang or zig; version: the first line it prints about itself."""

    command: tuple[str, ...]
    kind: str
    major: int
    version: str

    @property
    def identity(self) -> str:
        return f"{self.kind} {self.version}"

    def __str__(self) -> str:
        return f"{shlex.join(self.command)} ({self.version})"


def find_compiler(environment: Mapping[str, str] | None = None) -> Compiler:
    """The compiler to use.  One that the environment names must be usable; else the first usable one is taken.

    Raises DiagnosticError: PTO1701 there is none, PTO1702 the named one does not run or is too old.
    """
    env = os.environ if environment is None else environment
    for variable in ("PTOPRO_CXX", "CXX"):
        named = env.get(variable, "").strip()
        if named:
            found = _probe(tuple(shlex.split(named)))
            if isinstance(found, Compiler):
                return found
            raise DiagnosticError([make("PTO1702", variable=variable, command=named, reason=found)])
    rejected = []
    for command in _candidates(env.get("PATH", os.defpath)):
        found = _probe(command)
        if isinstance(found, Compiler):
            return found
        rejected.append(f"{shlex.join(command)}: {found}")
    raise DiagnosticError([make("PTO1701", notes=rejected)])


def _candidates(path: str) -> Iterator[tuple[str, ...]]:
    """Commands to try, in order of preference."""
    for name in _NAMES:
        if full := shutil.which(name, path=path):
            yield (full,)
    if importlib.util.find_spec("ziglang") is not None:
        yield (sys.executable, "-m", "ziglang", "c++")
    if full := shutil.which("zig", path=path):
        yield (full, "c++")


@functools.cache
def _probe(command: tuple[str, ...]) -> Compiler | str:
    """The compiler behind a command, or why it cannot be used.  Remembered on disk by the program's file."""
    stamp = _stamp(command)
    store = cache_root() / "compilers" / f"{digest([*command, stamp])}.json" if stamp else None
    if store is not None and (known := _recall(store)) is not None:
        return known
    found = _ask(command)
    if store is not None and isinstance(found, Compiler):
        _remember(store, found)
    return found


def _ask(command: tuple[str, ...]) -> Compiler | str:
    """Run `command --version` and judge the answer."""
    try:
        done = subprocess.run([*command, "--version"], capture_output=True, text=True, timeout=60, check=False)
    except FileNotFoundError:
        return "no such program"
    except (OSError, subprocess.SubprocessError) as error:
        return str(error)
    if done.returncode != 0:
        return f"`--version` ended with status {done.returncode}"
    first = (done.stdout.splitlines() or [""])[0].strip()
    if "clang" in first.lower():
        kind, number = ("zig" if "c++" in command[1:] else "clang"), re.search(r"version (\d+)", first)
    else:
        kind, number = "gcc", re.search(r"(\d+)\.\d+(?:\.\d+)?\s*$|\) (\d+)\.", first)
    if number is None:
        return f"its version is not understood: {first!r}"
    major = int(next(group for group in number.groups() if group))
    if major < MINIMUM[kind]:
        return f"version {major} is too old, C++20 needs {kind} {MINIMUM[kind]} or newer"
    return Compiler(command, kind, major, first)


def _stamp(command: tuple[str, ...]) -> str:
    """Place, size and time of the program's file; empty when it cannot be found."""
    full = shutil.which(command[0])
    if full is None:
        return ""
    real = Path(full).resolve()
    status = real.stat()
    return f"{real}:{status.st_size}:{status.st_mtime_ns}"


def _recall(store: Path) -> Compiler | None:
    try:
        known = json.loads(store.read_text())
        return Compiler(tuple(known["command"]), known["kind"], known["major"], known["version"])
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _remember(store: Path, compiler: Compiler) -> None:
    """Best effort: a cache that cannot be written costs one question per process."""
    from ptopro.build.files import write_if_changed

    try:
        write_if_changed(store, json.dumps(asdict(compiler)))
    except DiagnosticError:
        return


@functools.cache
def machine_identity() -> str:
    """What `-march=native` depends on: machine type and the processor's model and features."""
    parts = [platform.machine(), sys.platform]
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if not line.strip():
                break
            if line.split(":")[0].strip() in ("model name", "flags", "Features", "CPU part"):
                parts.append(line)
    except OSError:
        parts.append(platform.processor())
    return digest(parts)
