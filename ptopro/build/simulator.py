"""The simulator toolchain: the runtime library, and kernels compiled against it.

In: the generated files of a kernel.  Out: `<kernel>.so` in the build directory.  Both the library (compiled once for
each compiler, flags and version of ptopro) and kernels come from a cache addressed by content, see build/cache.py.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from ptopro import __version__
from ptopro.build import cache, commands, ninja
from ptopro.build.compiler_output import first_line_of, rejection
from ptopro.build.files import write_if_changed
from ptopro.build.line_directives import LineMap, with_line_directives
from ptopro.build.prelude import precompiled
from ptopro.build.toolchain import Compiler, find_compiler, machine_identity
from ptopro.diagnostics import DiagnosticError, make

HEADERS = ("*.hpp", "*.h")
DEFAULT_TIMEOUT = 600.0


class GeneratedKernel(Protocol):
    """What this module needs of codegen's `Generated`."""

    @property
    def kernel(self) -> str: ...
    @property
    def files(self) -> dict[str, str]: ...


def runtime_library(compiler: Compiler | None = None) -> Path:
    """The simulator's shared library for this compiler, compiled if it is not there yet.

    Raises DiagnosticError: PTO1701 or PTO1702 no compiler, PTO1711 it does not compile, PTO1712 no ninja.
    """
    compiler = compiler or find_compiler()
    key = runtime_key(compiler)
    name = f"libptopro_sim_{key[:8]}.so"

    def build(work: Path) -> None:
        start = time.monotonic()
        print(f"ptopro: compiling the simulator with {compiler} (once)", file=sys.stderr, flush=True)
        # Objects stay in a folder of their own, so that after an edit only what changed is compiled again.
        objects = cache.cache_root() / "objects" / cache.digest([*_tools(compiler), str(commands.package_root())])
        objects.mkdir(parents=True, exist_ok=True)
        with cache.locked(objects / ".lock"):
            _write_runtime_graph(objects, name, compiler)
            done = subprocess.run([ninja.program(), "-C", objects], capture_output=True, text=True, check=False)
            if done.returncode != 0:
                log = cache.cache_root() / "logs" / f"runtime-{key[:8]}.log"
                write_if_changed(log, done.stdout + done.stderr)
                first = first_line_of(done.stdout + done.stderr)
                raise DiagnosticError([make("PTO1711", compiler=compiler, first=first, log=log)])
            shutil.move(objects / name, work / name)
        _log(f"simulator compiled in {time.monotonic() - start:.1f} s")

    return cache.find_or_build("runtime", key, build) / name


def build_kernel(
    generated: GeneratedKernel,
    out_dir: Path,
    *,
    line_map: LineMap = (),
    definitions: Sequence[str] = (),
    counts_blocks: bool = False,
    timeout: float | None = None,
) -> Path:
    """Compile a kernel's generated files; the path of `<kernel>.so` in `out_dir`, which also gets the files.

    definitions: macros for the compiler (`-D`); line_map: see `with_line_directives`; counts_blocks: the kernel's
    scalar code counts its basic blocks, so that an endless loop is found.
    Raises DiagnosticError: those of `runtime_library`, PTO1710 rejected, PTO1713 too slow, PTO1902/1903 not writable.
    """
    for name, text in generated.files.items():
        write_if_changed(out_dir / name, text)
    cached = compile_kernel(
        generated,
        out_dir,
        line_map=line_map,
        definitions=definitions,
        counts_blocks=counts_blocks,
        timeout=timeout,
    )
    target = out_dir / cached.name
    write_if_changed(target, cached.read_bytes())
    return target


def compile_kernel(
    generated: GeneratedKernel,
    log_dir: Path,
    *,
    line_map: LineMap = (),
    definitions: Sequence[str] = (),
    counts_blocks: bool = False,
    watches_threads: bool | None = None,
    timeout: float | None = None,
) -> Path:
    """The kernel's shared library in the cache; the compiler's output of a failure goes to `log_dir`/compiler.log."""
    compiler = find_compiler()
    sources = {name: text for name, text in generated.files.items() if name.endswith((".cpp", ".h", ".hpp"))}
    if line_map and "kernel.cpp" in sources:
        sources["kernel.cpp"] = with_line_directives(sources["kernel.cpp"], line_map)
    watched = "__simt_vf__" in sources.get("kernel.cpp", "") and (
        counts_blocks if watches_threads is None else watches_threads
    )
    checking = (
        *(commands.COUNT_BLOCKS if counts_blocks else ()),
        *(commands.WATCH_INDICES if counts_blocks or watches_threads else ()),
    )
    key = cache.digest(
        [
            runtime_key(compiler),
            generated.kernel,
            *definitions,
            *checking,
            str(watched),
            *commands.kernel_flags(compiler),
            *(part for item in sorted(sources.items()) for part in item),
        ]
    )
    name = f"{generated.kernel}.so"

    def build(work: Path) -> None:
        library = runtime_library(compiler)
        plain = not (checking or watched or definitions)
        prelude = precompiled(compiler, commands.kernel_flags(compiler)) if plain else None
        source_dir = work / "src"
        source_dir.mkdir()
        for source, text in sources.items():
            (source_dir / source).write_text(text)
        seconds = _timeout(timeout)
        start = time.monotonic()
        for command in _kernel_commands(compiler, library, definitions, checking, watched, prelude, f"../{name}"):
            try:
                done = subprocess.run(
                    command, cwd=source_dir, capture_output=True, text=True, timeout=seconds, check=False
                )
            except subprocess.TimeoutExpired as error:
                raise DiagnosticError([make("PTO1713", kernel=generated.kernel, seconds=seconds)]) from error
            if done.returncode != 0:
                log = log_dir / "compiler.log"
                write_if_changed(log, f"$ {shlex.join(command)}\n{done.stdout}{done.stderr}")
                raise DiagnosticError([rejection(generated.kernel, done.stdout + done.stderr, log)])
        for leftover in source_dir.iterdir():
            leftover.unlink()
        source_dir.rmdir()
        _log(f"{generated.kernel} compiled in {time.monotonic() - start:.2f} s")

    return cache.find_or_build("kernel", key, build) / name


def runtime_key(compiler: Compiler) -> str:
    """Everything that the runtime library and, through it, every kernel depends on."""
    return cache.digest(
        [
            *_tools(compiler),
            cache.digest_of_files(commands.package_root(), (*HEADERS, "*.cpp")),
        ]
    )


def _tools(compiler: Compiler) -> list[str]:
    """What turns sources into machine code."""
    return [__version__, compiler.identity, machine_identity(), *commands.library_flags(compiler)]


def _write_runtime_graph(work: Path, name: str, compiler: Compiler) -> None:
    """The build graph of the library: one edge per source file; the library's name changes with its content."""
    root = commands.package_root() / "library"
    options = [*commands.library_flags(compiler), "-I", str(commands.include_dir()), "-I", str(root), "-pthread"]
    lines = [
        f"cxx = {shlex.join(compiler.command)}",
        f"flags = {shlex.join(options)}",
        "rule compile",
        "  command = $cxx $flags -MMD -MF $out.d -c $in -o $out",
        "  depfile = $out.d",
        "  deps = gcc",
        "rule link",
        f"  command = $cxx -shared -pthread -Wl,-soname,{name} $in -o $out",
    ]
    objects = []
    for source in sorted(root.rglob("*.cpp")):
        objects.append(source.relative_to(root).as_posix().replace("/", "_") + ".o")
        lines.append(f"build {objects[-1]}: compile {str(source).replace(' ', '$ ')}")
    lines.append(f"build {name}: link {' '.join(objects)}")
    (work / "build.ninja").write_text("\n".join([*lines, ""]))


def _kernel_commands(
    compiler: Compiler,
    library: Path,
    definitions: Sequence[str],
    checking: Sequence[str],
    watched: bool,
    prelude: Path | None,
    output: str,
) -> list[list[str]]:
    """One command, or two where the linker must not know how the kernel was compiled (it would add a library)."""
    compiling = [
        *compiler.command,
        *commands.kernel_flags(compiler),
        *checking,
        *(("-include", str(prelude)) if prelude is not None else ()),
        *(f"-D{definition}" for definition in definitions),
        "-I",
        ".",
        "-I",
        str(commands.include_dir()),
    ]
    linking = ["-o", output, str(library), f"-Wl,-rpath,{library.parent}"]
    if not watched:
        return [[*compiling, "-shared", "launcher.cpp", *linking]]
    return [
        [*compiling, *commands.WATCH_ACCESSES, "-c", "launcher.cpp", "-o", "launcher.o"],
        [*compiler.command, "-shared", "launcher.o", *linking],
    ]


def _timeout(given: float | None) -> float:
    if given is not None:
        return given
    try:
        return float(os.environ.get("PTOPRO_COMPILE_TIMEOUT", DEFAULT_TIMEOUT))
    except ValueError:
        return DEFAULT_TIMEOUT


def _log(text: str) -> None:
    """A line for PTOPRO_VERBOSE, nothing otherwise."""
    if os.environ.get("PTOPRO_VERBOSE"):
        print(f"ptopro: {text}", file=sys.stderr, flush=True)
