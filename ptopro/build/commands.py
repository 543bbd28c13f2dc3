"""The compiler command lines of the simulator toolchain."""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Mapping
from pathlib import Path

from ptopro.build.toolchain import Compiler

NATIVE = "-march=native"
# No fast-math and no contraction: a fused operation is one that says so, on every compiler.
COMMON = ("-std=c++20", "-O2", NATIVE, "-ffp-contract=off", "-fPIC", "-DPTOPRO_SIMULATOR")
# What objects are compiled for that leave the machine: processors of the last ten years (AVX2).
PORTABLE = {"x86_64": {"gcc": "-march=x86-64-v3", "clang": "-march=x86-64-v3", "zig": "-march=x86_64_v3"}}
# Every basic block calls __sanitizer_cov_trace_pc, which the runtime library has.
COUNT_BLOCKS = ("-fsanitize-coverage=trace-pc",)
# An index outside of an array (of a ring, of slots, of scalars) raises SIGILL, which the machine reports.
WATCH_INDICES = ("-fsanitize=bounds", "-fsanitize-undefined-trap-on-error")
# Every access to memory calls a hook that the runtime library has (library/code.cpp): what threads do is checked so.
WATCH_ACCESSES = ("-fsanitize=thread",)
# With PTOPRO_DEBUG: kernels that a debugger can step through.  Results do not depend on the optimisation.
DEBUG = ("-O0", "-g")
WARNINGS = ("-Wall", "-Wextra")
# Loops over elements become vector loops; without errno and trap bookkeeping, which change no result.
LIBRARY = ("-O3", "-fno-math-errno", "-fno-trapping-math")


def package_root() -> Path:
    """The simulator's folder inside the installed package."""
    return Path(__file__).resolve().parent.parent / "simulator"


def include_dir() -> Path:
    return package_root() / "include"


def flags(compiler: Compiler) -> tuple[str, ...]:
    """Flags of every translation unit, for kernels and for the runtime library."""
    extra = ("-fno-sanitize=undefined",) if compiler.kind == "zig" else ()
    return (*COMMON, *WARNINGS, *extra)


def kernel_flags(compiler: Compiler, environment: Mapping[str, str] | None = None) -> tuple[str, ...]:
    """Flags of kernels, for a debugger when PTOPRO_DEBUG is set."""
    env = os.environ if environment is None else environment
    return (*flags(compiler), *(DEBUG if env.get("PTOPRO_DEBUG", "") not in ("", "0") else ()))


def portable_flags(compiler: Compiler) -> tuple[str, ...]:
    """Flags of objects whose bytes depend on no machine and no folder: those of releases and of remote compiles."""
    target = PORTABLE.get(platform.machine(), {}).get(compiler.kind)
    own = [flag for flag in kernel_flags(compiler) if flag != NATIVE]
    return (*own, *((target,) if target else ()), f"-ffile-prefix-map={include_dir()}=ptopro")


def library_flags(compiler: Compiler) -> tuple[str, ...]:
    """Flags of the runtime library, where the time of a run is spent."""
    return (*flags(compiler), *LIBRARY)


def python_module(name: str) -> tuple[str, ...]:
    """The start of a command that runs a module of ptopro, whatever folders of that name the command is run beside."""
    alone = ("-P",) if sys.version_info >= (3, 11) else ()
    return (sys.executable, *alone, "-m", name)
