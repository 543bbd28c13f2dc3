"""compile_commands.json: how a kernel's C++ is compiled, for editors, clangd and other tools.

In: a kernel's folder.  Out: the file's text.  It names this machine's compiler and paths, as the format wants it, so it
is an aid for the machine it was written on and no result.  kernel.cpp is a part of launcher.cpp; its own entry has what
launcher.cpp gives it: the instruction header and the kind of core.
"""

from __future__ import annotations

import json
from pathlib import Path

from ptopro.build import commands
from ptopro.build.toolchain import Compiler

NAME = "compile_commands.json"


def compile_commands(folder: Path, compiler: Compiler, halves: tuple[str, ...]) -> str:
    """halves: the kinds of cores that the kernel runs on, as in its signature."""
    options = [*compiler.command, *commands.flags(compiler), "-I", ".", "-I", str(commands.include_dir())]
    core = "-D__DAV_CUBE__" if halves == ("cube",) else "-D__DAV_VEC__"
    alone = ["-include", "cstdint", "-include", "pto/pto-inst.hpp", core]
    entries = [
        {"directory": str(folder.resolve()), "file": file, "arguments": [*options, *extra, "-c", file]}
        for file, extra in (("launcher.cpp", []), ("kernel.cpp", alone))
    ]
    return json.dumps(entries, indent=1) + "\n"
