"""The simulator's headers, compiled ahead: reading them is most of the time that a kernel takes to compile.

In: a compiler and the flags that kernels are compiled with.  Out: a header to `-include`, beside which lies what the
compiler made of it, in the cache.  Every unit includes these headers first, so its object is the same to the byte as
without.
"""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path

from ptopro.build import cache, commands
from ptopro.build.compiler_output import first_line_of
from ptopro.build.files import write_if_changed
from ptopro.build.toolchain import Compiler
from ptopro.diagnostics import DiagnosticError, make

NAME = "prelude.hpp"
_TEXT = "#include <cstdint>\n#include <pto/pto-inst.hpp>\n"
_HEADERS = ("*.hpp", "*.h")


def precompiled(compiler: Compiler, flags: Sequence[str]) -> Path | None:
    """The header to include ahead of everything; None for compilers that would not find what belongs to it.

    Raises DiagnosticError PTO1711 when the headers do not compile.
    """
    if compiler.kind != "gcc":
        return None
    headers = cache.digest_of_files(commands.include_dir(), _HEADERS)
    key = cache.digest([compiler.identity, *compiler.command, headers, str(commands.include_dir()), *flags])
    ready = cache.cache_root() / "prelude" / key / NAME
    if ready.with_suffix(".hpp.gch").exists():  # an entry appears whole; its digest would cost more than it saves
        return ready

    def build(work: Path) -> None:
        (work / NAME).write_text(_TEXT)
        command = [*compiler.command, *flags, "-I", str(commands.include_dir()), "-x", "c++-header", NAME]
        done = subprocess.run([*command, "-o", f"{NAME}.gch"], cwd=work, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            log = cache.cache_root() / "logs" / f"prelude-{key[:8]}.log"
            write_if_changed(log, done.stdout + done.stderr)
            raise DiagnosticError([make("PTO1711", compiler=compiler, first=first_line_of(done.stderr), log=log)])

    return cache.find_or_build("prelude", key, build) / NAME
