"""Runs hand-written kernels on the simulated machine: each machine_*.cpp beside this file is one shared library."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ptopro.build.simulator import compile_kernel
from ptopro.simulator import machine

HERE = Path(__file__).parent

_LAUNCHER = """\
#include <pto/pto-inst.hpp>
#include <ptopro/launch.hpp>
#include <utility>

#define __DAV_CUBE__ 1
namespace ptopro_cube {{
{renamed_cube}
#include "kernel.cpp"
{restored}
}}
#undef __DAV_CUBE__
#define __DAV_VEC__ 1
namespace ptopro_vector {{
{renamed_vector}
#include "kernel.cpp"
{restored}
}}
#undef __DAV_VEC__

template <typename... A, size_t... I>
void unpack(void (*kernel)(A...), void* const* args, std::index_sequence<I...>) {{
  kernel(*static_cast<A*>(args[I])...);
}}
template <auto Kernel>
struct Entry;
template <typename... A, void (*Kernel)(A...)>
struct Entry<Kernel> {{
  static void call(void* const* args) {{ unpack(Kernel, args, std::index_sequence_for<A...>()); }}
}};
{entries}
"""

_ENTRY = """\
extern "C" int ptopro_launch_{name}(const PtoproLaunch* options, void* const* args, PtoproReport* report) {{
  return ptopro_sim_launch(options, {cube}, {vector}, args, report);
}}
"""


@dataclass(frozen=True)
class Kernel:
    """The files of a library of test kernels, as `compile_kernel` takes them."""

    kernel: str
    files: dict[str, str]


def _library(source: str, log_dir: Path, counts_blocks: bool) -> Path:
    """Compile `source`.  Which halves a kernel has stands before it: `// cube`, `// vector` or `// mixed`."""
    text = (HERE / source).read_text()
    lines = text.splitlines()
    kernels = {
        line.split("void ")[1].split("(")[0]: lines[at - 1].strip("/ ")
        for at, line in enumerate(lines)
        if line.startswith('extern "C" __global__')
    }

    def renamed(suffix: str) -> str:
        return "\n".join(f"#define {name} {name}_{suffix}" for name in kernels)

    entries = [
        _ENTRY.format(
            name=name,
            cube=f"Entry<ptopro_cube::{name}_cube>::call" if kind in ("cube", "mixed") else "nullptr",
            vector=f"Entry<ptopro_vector::{name}_vector>::call" if kind in ("vector", "mixed") else "nullptr",
        )
        for name, kind in kernels.items()
    ]
    launcher = _LAUNCHER.format(
        renamed_cube=renamed("cube"),
        renamed_vector=renamed("vector"),
        restored="\n".join(f"#undef {name}" for name in kernels),
        entries="".join(entries),
    )
    files = {"launcher.cpp": launcher, "kernel.cpp": text}
    return compile_kernel(Kernel(source.removesuffix(".cpp"), files), log_dir, counts_blocks=counts_blocks)


class Runner:
    """run(source, kernel, *args, blocks=1, read_only=(), **options): arrays are tensors, ints are int64 arguments."""

    def __init__(self, log_dir: Path, counts_blocks: bool = False) -> None:
        self._log_dir = log_dir
        self._counts_blocks = counts_blocks
        self._libraries: dict[str, Path] = {}

    def __call__(
        self,
        source: str,
        kernel: str,
        *args: np.ndarray[Any, Any] | int,
        blocks: int = 1,
        read_only: tuple[int, ...] = (),
        **options: Any,
    ) -> machine.Report:
        if source not in self._libraries:
            self._libraries[source] = _library(source, self._log_dir, self._counts_blocks)
        cells: list[Any] = [
            ctypes.c_int64(arg) if isinstance(arg, int) else ctypes.c_void_p(arg.ctypes.data) for arg in args
        ]
        pointers = (ctypes.c_void_p * max(1, len(cells)))(*(ctypes.addressof(cell) for cell in cells))
        tensors = [
            machine.Tensor(arg.ctypes.data, arg.nbytes, f"arg{at}", at not in read_only)
            for at, arg in enumerate(args)
            if not isinstance(arg, int)
        ]
        options.setdefault("threads", 1)
        settings = machine.LaunchOptions(**options)
        entry = f"ptopro_launch_{kernel}"
        return machine.launch(self._libraries[source], entry, blocks, pointers, tensors, settings)
