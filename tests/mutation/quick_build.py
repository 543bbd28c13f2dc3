"""Compile many kernels that differ little: the simulator's headers are parsed once, nothing is optimised.

In: a kernel's generated files.  Out: a library that the machine launches.  Results and findings do not depend on the
optimisation; only the runtime library computes.
"""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from ptopro.build import commands
from ptopro.build.simulator import runtime_library
from ptopro.build.toolchain import find_compiler

HEADERS = "#include <cstdint>\n#include <pto/pto-inst.hpp>\n#include <ptopro/launch.hpp>\n"


def compiled(files: Mapping[str, str], folder: Path, name: str) -> Path | None:
    """The library `folder/name.so`, which counts basic blocks so that every loop ends; None when it does not compile."""
    flags = _flags()
    source = folder / name
    source.mkdir(parents=True, exist_ok=True)
    for file, text in files.items():
        (source / file).write_text(text)
    library = runtime_library()
    watching = commands.WATCH_ACCESSES if "__simt_vf__" in files["kernel.cpp"] else ()
    compiling = [*flags, *watching, "-include", str(_headers(folder)), "-c", "launcher.cpp", "-o", "launcher.o"]
    linking = [*find_compiler().command, "-shared", "launcher.o", "-o", f"../{name}.so"]
    linking += [str(library), f"-Wl,-rpath,{library.parent}"]
    for command in (compiling, linking):
        if subprocess.run(command, cwd=source, capture_output=True, check=False).returncode != 0:
            return None
    return folder / f"{name}.so"


def _flags() -> list[str]:
    compiler = find_compiler()
    return [*compiler.command, *commands.kernel_flags(compiler), "-O0", "-w",
            *commands.COUNT_BLOCKS, *commands.WATCH_INDICES,
            "-I", ".", "-I", str(commands.include_dir())]  # fmt: skip


@cache
def _headers(folder: Path) -> Path:
    header = folder / "headers.hpp"
    header.write_text(HEADERS)
    command = [*_flags(), "-x", "c++-header", str(header), "-o", f"{header}.gch"]
    subprocess.run(command, cwd=folder, check=True)
    return header
