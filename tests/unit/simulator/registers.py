"""Intrinsics of vector functions from Python: statements of register code, compiled together, run on registers and UB as arrays.

In: `Program.add(statement)`, where `R(i, T)` is register i, `M(i)` mask i and `P(T)` a pointer to byte `at` of UB.
Out: `Program.run(key, state)` changes the state, and notes which bytes of UB were read and written.
"""

from __future__ import annotations

import ctypes
import hashlib
import os
import shutil
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

import ml_dtypes
import numpy as np

from ptopro.build import commands

BYTES = 256
UB = 4096
#: C++ name: (numpy type)
TYPES: dict[str, type] = {
    "int8_t": np.int8,
    "uint8_t": np.uint8,
    "int16_t": np.int16,
    "uint16_t": np.uint16,
    "int32_t": np.int32,
    "uint32_t": np.uint32,
    "int64_t": np.int64,
    "uint64_t": np.uint64,
    "half": np.float16,
    "bfloat16_t": ml_dtypes.bfloat16,
    "float": np.float32,
    "float8_e4m3_t": ml_dtypes.float8_e4m3fn,
    "float8_e5m2_t": ml_dtypes.float8_e5m2,
}
INTEGERS = ("int8_t", "uint8_t", "int16_t", "uint16_t", "int32_t", "uint32_t", "int64_t", "uint64_t")
FLOATS = ("half", "bfloat16_t", "float")

_PROLOGUE = """
#include "pto/pto-inst.hpp"
namespace ptopro::sim {
thread_local CodeRun code_run;
static thread_local uint8_t* touched;
void outside_ub(const void*, uint64_t) { __builtin_trap(); }
void log_access(uint64_t first, uint64_t bytes, bool write, Where) {
  for (uint64_t i = 0; i < bytes; ++i) touched[first + i] |= write ? 2 : 1;
}
void log_barrier() {}
}
#define R(i, T) (*reinterpret_cast<RegTensor<T>*>(registers + 256 * (i)))
#define M(i) (*reinterpret_cast<MaskReg*>(masks + 32 * (i)))
#define P(T) (reinterpret_cast<__ubuf__ T*>(at))
#define BODY extern "C" int64_t
#define GIVEN (uint8_t* registers, uint8_t* masks, int64_t at)
extern "C" void prepare(uint8_t* ub, uint64_t bytes, uint8_t* touched) {
  ptopro::sim::touched = touched;
  ptopro::sim::code_run.ub = ub;
  ptopro::sim::code_run.ub_bytes = bytes;
  ptopro::sim::code_run.log = reinterpret_cast<ptopro::sim::CodeLog*>(8);
}
"""


def _aligned(count: int) -> np.ndarray:
    room = np.zeros(count + 64, np.uint8)
    start = -room.ctypes.data % 64
    return room[start : start + count]


def lane_mask(active: np.ndarray, width: int) -> np.ndarray:
    """The 32 bytes of a mask: the lowest bit of each lane's group."""
    bits = np.zeros(BYTES, np.uint8)
    bits[::width][: len(active)] = active
    return np.packbits(bits, bitorder="little")


@dataclass
class State:
    """Eight registers, four masks, the unified buffer; what `P` points to, in bytes."""

    registers: np.ndarray = field(default_factory=lambda: _aligned(8 * BYTES))
    masks: np.ndarray = field(default_factory=lambda: _aligned(4 * 32))
    ub: np.ndarray = field(default_factory=lambda: _aligned(UB))
    touched: np.ndarray = field(default_factory=lambda: _aligned(UB))
    at: int = 64

    def lanes(self, number: int, cpp_type: str) -> np.ndarray:
        return self.registers[BYTES * number : BYTES * (number + 1)].view(TYPES[cpp_type])

    def mask(self, number: int) -> np.ndarray:
        """The bits of a mask."""
        return np.unpackbits(self.masks[32 * number : 32 * (number + 1)], bitorder="little")

    def set_mask(self, number: int, active: np.ndarray, width: int) -> None:
        self.masks[32 * number : 32 * (number + 1)] = lane_mask(active, width)

    @property
    def read(self) -> np.ndarray:
        return np.flatnonzero(self.touched & 1) - self.at

    @property
    def written(self) -> np.ndarray:
        return np.flatnonzero(self.touched & 2) - self.at


class Program:
    """Statements of one test module."""

    def __init__(self) -> None:
        self.statements: dict[str, int] = {}
        self.library: ctypes.CDLL | None = None

    def add(self, statement: str) -> str:
        self.statements.setdefault(statement, len(self.statements))
        return statement

    def compile(self, folder: Path) -> None:
        """Compiles what was added, once per content of the headers and the statements."""
        bodies = [f"BODY case_{n} GIVEN {{ {text}; return at; }}" for text, n in self.statements.items()]
        text = _PROLOGUE + "\n".join(bodies) + "\n"
        headers = sorted(commands.include_dir().rglob("*.hpp"))
        key = hashlib.sha256(text.encode() + b"".join(h.read_bytes() for h in headers)).hexdigest()[:16]
        path = folder / f"registers_{key}.so"
        if not path.exists():
            source = folder / f"registers_{key}.cpp"
            source.write_text(text)
            compiler = shutil.which(os.environ.get("CXX", "g++")) or "c++"
            flags = ["-std=c++20", "-O0", "-ffp-contract=off", "-fPIC", "-shared", "-DPTOPRO_SIMULATOR", "-w"]
            done = subprocess.run(
                [compiler, *flags, f"-I{commands.include_dir()}", str(source), "-o", str(path)],
                capture_output=True, text=True, check=False,
            )  # fmt: skip
            assert done.returncode == 0, done.stderr[:4000]
        self.library = ctypes.CDLL(str(path))

    def run(self, statement: str, state: State) -> int:
        """Runs a statement; where its pointer `at` ended."""
        assert self.library is not None
        state.touched[:] = 0

        def pointer(array: np.ndarray) -> ctypes.c_void_p:
            return ctypes.c_void_p(array.ctypes.data)

        self.library.prepare(pointer(state.ub), ctypes.c_uint64(UB), pointer(state.touched))
        function = self.library[f"case_{self.statements[statement]}"]
        function.restype = ctypes.c_int64
        return int(function(pointer(state.registers), pointer(state.masks), ctypes.c_int64(state.at)))


def numbers(rng: np.random.Generator, cpp_type: str, count: int, *, small: bool = False) -> np.ndarray:
    """Random lanes: integers from the whole range with its ends; floats with zeros of both signs and infinities."""
    kind = TYPES[cpp_type]
    if cpp_type in INTEGERS:
        limits = np.iinfo(kind)
        low, high = (max(limits.min, -9), 9) if small else (limits.min, limits.max)
        values = rng.integers(low, high, count, dtype=kind, endpoint=True)
        if not small:
            values[rng.integers(0, count, 4)] = [limits.min, limits.max, 0, 1]
        return values
    values = rng.standard_normal(count) * np.exp2(rng.integers(-3, 6, count))
    if not small:
        values[rng.integers(0, count, 4)] = [0.0, -0.0, np.inf, -np.inf]
    return values.astype(kind)
