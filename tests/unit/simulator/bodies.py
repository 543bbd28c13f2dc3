"""Instruction bodies of the simulator from Python: memories as byte arrays, tiles written and read by a layout model of its own.

In: the library sources and bodies_shim.cpp, compiled once per content.  Out: `Bodies.run(op, tiles, ...)` on the memories of one
core.  The layout model here is written from the definition of the layouts, independently of layout.hpp.
"""

from __future__ import annotations

import ctypes
import hashlib
import os
import subprocess
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path

import ml_dtypes
import numpy as np

from ptopro.build import commands

ROOT = Path(__file__).resolve().parents[3]
SIMULATOR = ROOT / "ptopro" / "simulator"
FLAGS = [*commands.COMMON, *commands.WARNINGS, *commands.LIBRARY]
SOURCES = ["accesses", "convert", "fixpipe", "footprint", "planes", "windows", "instructions"]

MEMORIES = ["Vec", "Mat", "Left", "Right", "Acc", "Bias", "Scaling", "ScaleLeft", "ScaleRight"]
DTYPES = {
    "Bool": np.uint8,
    "Int8": np.int8,
    "Int16": np.int16,
    "Int32": np.int32,
    "Int64": np.int64,
    "UInt8": np.uint8,
    "UInt16": np.uint16,
    "UInt32": np.uint32,
    "UInt64": np.uint64,
    "Half": np.float16,
    "BFloat16": ml_dtypes.bfloat16,
    "Float": np.float32,
    "Float8E4M3": ml_dtypes.float8_e4m3fn,
    "Float8E5M2": ml_dtypes.float8_e5m2,
    "Float8E8M0": np.uint8,
    "Float4E2M1": np.uint8,
    "Float4E1M2": np.uint8,
    "HiFloat8": np.uint8,
}
NIBBLES = ("Float4E2M1", "Float4E1M2")
#: (outer, inner) order of each layout: 0 row major, 1 column major; 0 none, 1 row major, 2 column major.
LAYOUTS = {"ND": (0, 0), "DN": (1, 0), "NZ": (1, 1), "ZN": (0, 2), "ZZ": (0, 1), "NN": (1, 2)}


def _opcodes() -> dict[str, int]:
    """Opcode names in order, read from record.hpp."""
    text = (SIMULATOR / "include" / "ptopro" / "record.hpp").read_text()
    body = text.split("enum class Opcode : uint16_t {", 1)[1].split("};", 1)[0]
    lines = [line.split("//", 1)[0] for line in body.splitlines()]
    names = [name.strip() for name in "".join(lines).split(",")]
    return {name: number for number, name in enumerate(name for name in names if name)}


OPCODES = _opcodes()


@dataclass(frozen=True)
class Tile:
    """A tile descriptor with the fields of TileDesc by name."""

    memory: str
    dtype: str
    rows: int
    cols: int
    layout: str = "ND"
    valid: tuple[int, int] | None = None
    addr: int = 0
    fractal: int = 512
    pad: int = 0
    compact: int = 0

    @property
    def vrows(self) -> int:
        return self.valid[0] if self.valid else self.rows

    @property
    def vcols(self) -> int:
        return self.valid[1] if self.valid else self.cols

    @property
    def bits(self) -> int:
        return 4 if self.dtype in NIBBLES else np.dtype(DTYPES[self.dtype]).itemsize * 8

    def at(self, addr: int) -> Tile:
        return replace(self, addr=addr)

    def fields(self) -> list[int]:
        outer, inner = LAYOUTS[self.layout]
        names = list(DTYPES)
        return [
            self.addr,
            self.rows,
            self.cols,
            self.vrows,
            self.vcols,
            self.fractal,
            MEMORIES.index(self.memory),
            names.index(self.dtype),
            outer,
            inner,
            self.pad,
            self.compact,
        ]

    def offsets(self, rows: int, cols: int) -> np.ndarray:
        """Element offsets of the first rows x cols elements, from the definition of the layout."""
        r, c = np.meshgrid(np.arange(rows), np.arange(cols), indexing="ij")
        if self.layout == "ND":
            return r * self.cols + c
        if self.layout == "DN":
            return c * self.rows + r
        line = 16 if self.memory == "Acc" else self.fractal // 16 * 8 // self.bits
        box_rows, box_cols = (16, line) if self.layout in ("NZ", "ZZ") else (line, 16)
        box = box_rows * box_cols
        inside = (r % box_rows) * box_cols + c % box_cols
        if self.layout in ("ZN", "NN"):
            inside = (c % box_cols) * box_rows + r % box_rows
        column_first = self.layout in ("NZ", "NN")
        extent = self.rows if column_first else self.cols
        if self.compact and self.memory != "Mat":
            unit = box_rows if column_first else box_cols
            valid = self.vrows if column_first else self.vcols
            extent = -(-valid // unit) * unit + (1 if self.compact == 2 else 0)
        if column_first:
            return (c // box_cols) * extent * box_cols + (r // box_rows) * box + inside
        return (r // box_rows) * extent * box_rows + (c // box_cols) * box + inside


@dataclass(frozen=True)
class Window:
    """A window of global memory over a numpy array that owns the bytes."""

    array: np.ndarray
    shape: tuple[int, ...]
    stride: tuple[int, ...]
    dtype: str
    layout: int = 0
    first: int = 0  # bytes from the start of the array

    def fields(self) -> list[int]:
        return [*self.shape, *self.stride, list(DTYPES).index(self.dtype), self.layout]


def window_2d(array: np.ndarray, dtype: str, rows: int, cols: int, origin: tuple[int, int] = (0, 0)) -> Window:
    """The window that starts at `origin` of a row-major matrix."""
    pitch = array.shape[1]
    size = array.dtype.itemsize
    shape, stride = (1, 1, 1, rows, cols), (0, 0, 0, pitch, 1)
    return Window(array, shape, stride, dtype, 0, (origin[0] * pitch + origin[1]) * size)


@dataclass
class Bodies:
    """The compiled library and the memories of one core, its block's vector UBs and L1."""

    library: ctypes.CDLL
    size: int = 1 << 19
    memories: dict[str, np.ndarray] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in [*MEMORIES, "UB0", "UB1", "L1"]:
            self.memories[name] = np.full(self.size, 0xFF, dtype=np.uint8)

    def run(
        self,
        op: str,
        tiles: Sequence[Tile],
        window: Window | None = None,
        *,
        cube: bool = False,
        scalar: float = 0,
        scalar_dtype: str = "Float",
        row: int = 0,
        col: int = 0,
        scale: int | None = None,
        relu: int = 0,
        atomic: int = 0,
        acc_to_vec: int = 255,
        round: int = 1,
        saturate: int = 0,
        compare: int = 0,
        reverse: int = 0,
    ) -> None:
        names = [*MEMORIES, "UB0", "UB1", "L1"]
        absent = "Vec" if cube else "Left"
        pointers = (ctypes.c_void_p * len(names))(
            *[None if name == absent else self.memories[name].ctypes.data for name in names]
        )
        flat = np.array([value for tile in tiles for value in tile.fields()], dtype=np.int64)
        modifiers = np.array(
            [relu, atomic, acc_to_vec, round, saturate, compare, reverse, scale is not None], dtype=np.int64
        )
        integer = int(scalar) if np.isfinite(scalar) else 0
        scale_word = (scale or 0) - (1 << 64 if (scale or 0) >= 1 << 63 else 0)
        numbers = np.array([row, col, scale_word, integer, list(DTYPES).index(scalar_dtype)], dtype=np.int64)
        window_fields = np.array(window.fields() if window else [0] * 12, dtype=np.int64)
        base = window.array.ctypes.data + window.first if window else None
        status = self.library.run_body(
            OPCODES[op],
            pointers,
            ctypes.c_int64(self.size),
            int(cube),
            flat.ctypes.data_as(ctypes.c_void_p),
            len(tiles),
            ctypes.c_void_p(base),
            window_fields.ctypes.data_as(ctypes.c_void_p),
            modifiers.ctypes.data_as(ctypes.c_void_p),
            numbers.ctypes.data_as(ctypes.c_void_p),
            ctypes.c_double(float(scalar)),
        )
        assert status != 1, f"{op} has no body"
        assert status != 2, f"{op} writes more than accesses.cpp says"
        assert status != 3, f"{op} reads more than accesses.cpp says"

    def _view(self, tile: Tile, memory: str | None) -> np.ndarray:
        dtype = np.dtype(DTYPES[tile.dtype])
        raw = self.memories[memory or tile.memory][tile.addr :]
        return raw[: raw.size // dtype.itemsize * dtype.itemsize].view(dtype)

    def write(self, tile: Tile, values: np.ndarray, memory: str | None = None) -> None:
        """Puts a matrix into a tile, by the layout model; 4-bit elements are codes 0..15."""
        offsets = tile.offsets(*values.shape)
        if tile.bits == 4:
            raw = self.memories[memory or tile.memory][tile.addr :]
            for offset, code in zip(offsets.ravel(), values.ravel(), strict=True):
                shift = int(offset % 2) * 4
                raw[offset // 2] = (int(raw[offset // 2]) & ~(15 << shift) & 0xFF) | int(code) << shift
            return
        self._view(tile, memory)[offsets] = values.astype(DTYPES[tile.dtype])

    def read(
        self, tile: Tile, rows: int | None = None, cols: int | None = None, memory: str | None = None
    ) -> np.ndarray:
        """The valid region of a tile (or its first rows x cols elements) as a matrix."""
        offsets = tile.offsets(tile.vrows if rows is None else rows, tile.vcols if cols is None else cols)
        if tile.bits == 4:
            raw = self.memories[memory or tile.memory][tile.addr :]
            return (raw[offsets // 2] >> (offsets % 2 * 4).astype(np.uint8)) & 15
        return self._view(tile, memory)[offsets]


def build(cache: Path) -> ctypes.CDLL:
    """The shim and the instruction bodies as a shared library; a file is compiled again only if it or a header changed."""
    library = SIMULATOR / "library"
    names = [*SOURCES, *sorted(path.stem for path in library.glob("ops_*.cpp"))]
    sources = [*(library / f"{name}.cpp" for name in names), Path(__file__).with_name("bodies_shim.cpp")]
    compiler = os.environ.get("CXX", "g++")
    include = ["-I", str(SIMULATOR / "include"), "-I", str(library)]
    common = hashlib.sha256(" ".join([compiler, *FLAGS]).encode())
    for header in sorted([*library.glob("*.hpp"), *(SIMULATOR / "include").rglob("*.hpp")]):
        common.update(header.read_bytes())

    def publish(target: Path, command: list[str]) -> Path:
        """Runs a command that writes `target`, unless it is there; parallel test runs may do the same."""
        if not target.exists():
            partial = target.with_suffix(f".{os.getpid()}")
            subprocess.run([*command, "-o", str(partial)], check=True)
            partial.replace(target)
        return target

    def compile_one(source: Path) -> Path:
        digest = common.copy()
        digest.update(source.read_bytes())
        target = cache / f"{source.stem}-{digest.hexdigest()[:16]}.o"
        return publish(target, [compiler, *FLAGS, *include, "-c", str(source)])

    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        objects = list(pool.map(compile_one, sources))
    name = hashlib.sha256(" ".join(map(str, objects)).encode()).hexdigest()[:16]
    output = publish(cache / f"bodies-{name}.so", [compiler, "-shared", *map(str, objects)])
    loaded = ctypes.CDLL(str(output))
    loaded.element_offset.restype = ctypes.c_int64
    return loaded
