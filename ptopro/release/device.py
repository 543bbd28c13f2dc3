"""The build graph of a release with the vendor's compiler, bisheng, and its linker.

In: a release and the toolkit's folder.  Out: for each half of each key the command that compiles kernel.cpp for that
kind of core, and the one that links all of them.  The flags are those of the vendor's own builds of such kernels.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from ptopro.build.graph import OUTPUT, Edge
from ptopro.diagnostics import DiagnosticError, make
from ptopro.release.unit import Release, Unit

HOME = "ASCEND_HOME_PATH"
_PROGRAMS = ("bin", "compiler/ccec_compiler/bin", "tools/bisheng_compiler/bin")
_INCLUDES = (
    "include",
    "pkg_inc",
    "pkg_inc/runtime",
    "pkg_inc/profiling",
    "include/experiment/runtime",
    "include/experiment/msprof",
    "pkg_inc/runtime/runtime",
)
_CORES = {"cube": "cube", "vector": "vec"}
_MLLVM = (
    "-cce-aicore-stack-size=0x8000",
    "-cce-aicore-function-stack-size=0x8000",
    "-cce-aicore-record-overflow=false",
    "-cce-aicore-addr-transform",
    "-cce-aicore-dcci-insert-for-scalar=false",
)
_OLDER = ("dav-c220", "MEMORY_BASE")
_ARCHES = {"a5": ("dav-c310", "REGISTER_BASE"), "a3": _OLDER, "a2": _OLDER}
_STRICT = (
    "--cce-disable-kernel-global-attr-check",
    "-Wno-parentheses-equality",
    "-Wno-unused-command-line-argument",
    "-Werror",
    "-Wno-cce-compat",
)
_FUSION = (
    "-mllvm",
    "-tile-fusion-skip-reduceop-fusion=true",
    "-mllvm",
    "-tile-fusion-skip-legality-check=false",
    "--enable-pto-tile-fusion",
    "-Wno-c++20-extensions",
)


@dataclass(frozen=True, slots=True)
class Toolkit:
    """The vendor's toolkit: its folder and the two programs."""

    home: str
    compiler: str
    linker: str


def find_toolkit(environment: Mapping[str, str] | None = None) -> Toolkit | str:
    """The toolkit that ASCEND_HOME_PATH names, or why there is none."""
    env = os.environ if environment is None else environment
    home = env.get(HOME, "")
    if not home:
        return f"{HOME} is not set"
    compiler = _program(home, "bisheng", env)
    if compiler is None:
        return f"there is no bisheng in {home} and none on PATH"
    linker = _program(home, "ld.lld", env)
    if linker is None:
        return f"there is no ld.lld in {home} and none on PATH"
    return Toolkit(home, compiler, linker)


def toolkit(environment: Mapping[str, str] | None = None) -> Toolkit:
    """The toolkit.  Raises DiagnosticError PTO2010."""
    found = find_toolkit(environment)
    if isinstance(found, str):
        raise DiagnosticError([make("PTO2010", reason=found)])
    return found


def _program(home: str, name: str, environment: Mapping[str, str]) -> str | None:
    for folder in _PROGRAMS:
        path = Path(home) / folder / name
        if os.access(path, os.X_OK) and path.is_file():
            return str(path)
    return shutil.which(name, path=environment.get("PATH", os.defpath))


def edges(release: Release, kit: Toolkit, launcher: str = "") -> list[Edge]:
    """The edges to the objects and to the linked object."""
    objects = [_object(unit, release, kit, launcher) for unit in release.units]
    names = tuple(edge.output for edge in objects)
    link = (kit.linker, "-m", "aicorelinux", "-Ttext=0", "-static", "--allow-multiple-definition")
    return [*objects, Edge(release.library, names, (*link, "-o", OUTPUT, *names), f"link {release.operator}.o")]


def _object(unit: Unit, release: Release, kit: Toolkit, launcher: str) -> Edge:
    arch, base = _ARCHES[release.chip]
    mixed = len(list(release.of(unit.instance))) > 1
    source = f"{unit.folder}/kernel.cpp"
    depfile = f"{unit.folder}/.compile/{unit.object.rpartition('/')[2]}.d"
    command = [
        *((launcher,) if launcher else ()),
        *(kit.compiler, "-x", "cce", "-c", "--cce-aicore-only", f"--cce-aicore-arch={arch}-{_CORES[unit.core]}"),
        *(f"-D{base}", "-O3", "-std=c++17", "-I", unit.folder),
        *(f"-I{kit.home}/{folder}" for folder in _INCLUDES),
        *(word for option in _MLLVM for word in ("-mllvm", option)),
        *("--cce-auto-sync=off", *_STRICT, *(_FUSION if release.chip == "a5" else ())),
        f"-DTILING_KEY_VAR={unit.instance.key}UL",
        *(("-D__MIX_CORE_MACRO__=1",) if mixed else ()),
        # The entry of every key has a name of its own, as the framework looks for it.
        f"-D{unit.entry}={unit.symbol}",
        *("-MMD", "-MF", depfile, "-MT", unit.object, "-o", OUTPUT, source),
    ]
    headers = tuple(f"{unit.folder}/{header}" for header in unit.headers)
    return Edge(unit.object, (source,), tuple(command), unit.label, headers, depfile)
