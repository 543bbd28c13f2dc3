"""Faults that users of such tools have met, from the kernel file to the numbers; the numbers are those of the kernels."""

from __future__ import annotations

import struct
from pathlib import Path

import fault_kernels
import ml_dtypes
import numpy as np
import pytest
from fault_kernels import EPS

import ptopro.language as pl
from ptopro.codegen.driver import codegen_file
from ptopro.diagnostics import Diagnostic, Severity, Sink
from ptopro.expand import ExpandOptions
from ptopro.expand.driver import expand_file
from ptopro.frontend.keys import key_schema, valid_keys
from ptopro.frontend.source import load_module
from ptopro.lowering.target import Target

pytestmark = pytest.mark.slow

SKELETON = """import pypto_pro.language as pl
@pl.jit(auto_mutex=True{options})
def k(x: pl.Tensor[[pl.DYNAMIC, 64], pl.DT_FP32], y: pl.Tensor[[pl.DYNAMIC, 64], pl.DT_FP32], n: pl.DT_INT32):
    T = pl.TileType(shape=[32, 64], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Vec)
    a = pl.make_tile_group(type=T, addrs=0x0000, mutex_ids=[0, 1])
    with pl.section_{section}():
        {body}
"""


def diagnostics(body: str, *, chip: str = "a5", options: str = "", section: str = "vector") -> list[Diagnostic]:
    sink = Sink()
    text = SKELETON.format(body="\n        ".join(body.splitlines()), options=options, section=section)
    codegen_file("k.py", text, target=Target(chip=chip), sink=sink)
    return list(sink.diagnostics)


def codes(body: str, **more: str) -> list[str]:
    return [d.code for d in diagnostics(body, **more)]


def numbers(rows: int) -> np.ndarray:
    return np.random.default_rng(rows).standard_normal((rows, 64)).astype(np.float32)


def test_01_views_of_one_memory_hold_common_locks() -> None:
    x, sink = numbers(128), Sink()
    y = np.zeros_like(x)
    fault_kernels.overlapping_01(x, y)
    np.testing.assert_array_equal(y, x * 2)
    expand_file(str(Path(fault_kernels.__file__)), kernels=("overlapping_01",), options=ExpandOptions(), sink=sink)
    assert [d.code for d in sink.diagnostics] == ["PTO1501"]
    assert "a and c overlap" in sink.diagnostics[0].message


@pytest.mark.parametrize("n", [3, 1])
def test_15_steps_of_either_sign(n: int) -> None:
    out = np.full(32, -1, np.int64)
    fault_kernels.steps_15(out, n)
    expected = [*range(n - 1, -1, -1), *range(10, 0, -n)]
    assert out.tolist() == expected + [-1] * (32 - len(expected))


def test_15_a_step_of_zero_is_refused() -> None:
    (code,) = codes("for i in pl.range(0, n, 0):\n    pl.load(a.next(), x, [i * 32, 0])")
    assert code == "PTO1060"


@pytest.mark.parametrize("n", [2, 5, -9, 100])
def test_16_quotients_round_down(n: int) -> None:
    out = np.zeros(8, np.int64)
    fault_kernels.floors_16(out, n)
    m = n - 5
    assert out[:6].tolist() == [m // 4, m % 4, -3 // 4, -3 % 4, m // -4, m % -4]


def test_17_offsets_beyond_two_gigabytes() -> None:
    out, x = np.zeros(4, np.int64), np.zeros((3, 65536), np.int8)
    fault_kernels.offsets_17(out, x, 40000, 40000)
    assert out[0] == out[1] == 40000 * 65536


def test_18_floats_arrive_with_their_bits() -> None:
    y, s = np.zeros((32, 64), np.float32), np.zeros(8, np.float32)
    fault_kernels.literals_18(y, s)
    np.testing.assert_array_equal(y, np.full_like(y, EPS))
    written = [float("-inf"), 3.0e38, -0.0, EPS, 1.1754943508222875e-38, 16777217.0]
    assert s[:6].tobytes() == struct.pack("<6f", *written)


def test_19_scalars_of_16_bits_are_computed_with_as_floats() -> None:
    x, b = numbers(32).astype(np.float16), numbers(32).astype(ml_dtypes.bfloat16)
    out = np.zeros(4, np.float32)
    fault_kernels.halves_19(out, x, b)
    assert out[0] == np.float32(x[0, 0]) * 2 and out[1] == np.float32(b[0, 1]) + np.float32(x[0, 0])


def test_24_operands_keep_the_order_of_the_documentation() -> None:
    """Two descending lists of 64 records, a value and an index each, become one of 128."""
    values = np.sort(np.random.default_rng(2).permutation(1000)[:128].astype(np.float32).reshape(2, 64))[:, ::-1]
    records = np.zeros((1, 256), np.float32)
    records[0, 0::2] = values.ravel()
    out = np.zeros_like(records)
    fault_kernels.merge_24(out, records)
    np.testing.assert_array_equal(out[0, 0::2], np.sort(values.ravel())[::-1])


@pytest.mark.parametrize("body", ["pl.store(a.next(), x, [0, 0])", "pl.load(x, a.next(), [0, 0])"])
def test_24_swapped_operands_are_refused(body: str) -> None:
    assert set(codes(body)) == {"PTO1200"}


@pytest.mark.parametrize(("chip", "expected"), [("a5", ["PTO1302"]), ("a3", [])])
def test_25_layouts_that_one_chip_takes(chip: str, expected: list[str]) -> None:
    body = """\
L = pl.TileType(shape=[32, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Left, layout=pl.ZZ)
M = pl.TileType(shape=[32, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Mat)
left = pl.make_tile(L, addr=0, size=4096)
mat = pl.make_tile(M, addr=0, size=4096)
pl.move(left, mat)"""
    assert codes(body, chip=chip, section="cube") == expected


@pytest.mark.parametrize(
    ("name", "warnings", "between"),
    [("reload_26", ["PTO1551"], []), ("reload_with_barrier_26", [], ["mem_bar(VST_VLD);"])],
)
def test_26_a_store_and_its_reload_stay_in_order(name: str, warnings: list[str], between: list[str]) -> None:
    """Kept as written, pointed out without a barrier; a barrier stays where it is."""
    x, sink = numbers(32), Sink()
    y = np.zeros_like(x)
    getattr(fault_kernels, name)(x, y)
    np.testing.assert_array_equal(y, x + x + np.float32(1))
    path = Path(fault_kernels.__file__)
    (generated,) = codegen_file(str(path), path.read_text(), kernels=(name,), sink=sink)
    assert [d.code for d in sink.diagnostics] == warnings
    body = [line.partition("  //")[0].strip() for line in generated.files["kernel.cpp"].splitlines()]
    first = next(n for n, line in enumerate(body) if line.startswith("vsts("))
    reload = next(n for n, line in enumerate(body) if n > first and line.startswith("vlds("))
    assert body[first + 1 : reload] == between
    assert sum(line.startswith("vlds(") for line in body) == sum(line.startswith("vsts(") for line in body) == 2


def test_28_a_local_name_hides_that_of_a_module() -> None:
    x = numbers(32)
    y = np.zeros_like(x)
    fault_kernels.shadowed_28(x, y)
    np.testing.assert_array_equal(y, x * 2)


def test_28_kernels_of_a_factory_keep_their_own_constants() -> None:
    x = numbers(32)
    for kernel, factor in ((fault_kernels.k1_28, 2), (fault_kernels.k2_28, 3), (fault_kernels.k1_28, 2)):
        y = np.zeros_like(x)
        kernel(x, y)
        np.testing.assert_array_equal(y, x * np.float32(factor))


def test_32_keys_hold_indices_in_the_order_of_the_class() -> None:
    """M=128 is index 2 at bit 0, N=1 index 1 at bit 2; is_valid gets the values as a tuple in that order."""
    source = """
import ptopro.language as pl
class Key:
    M = pl.TilingKeyField(bits=2, values=[16, 64, 128])
    N = pl.TilingKeyField(bits=1, values=[0, 1])
    def is_valid(self, key):
        return isinstance(key, tuple) and len(key) == 2 and (key[0] > 16 or key[1] == 0)
@pl.jit(tiling_key=Key)
def k(x: pl.Ptr[pl.DT_FP32]):
    pass
"""
    sink = Sink()
    schema = key_schema(load_module("k.py", source, sink=sink).kernel("k"))
    assert schema is not None and not sink.diagnostics
    assert schema.pack({"M": 128, "N": 1}) == 0b110
    assert [key.packed for key in valid_keys(schema, sink)] == [0b000, 0b001, 0b101, 0b010, 0b110]
    with pytest.raises(ValueError, match="5 values do not fit into 2 bits"):
        pl.TilingKeyField(bits=2, values=[0, 1, 2, 3, 4])


@pytest.mark.parametrize(
    ("body", "options", "new"),
    [
        ("pass", ", timeout=60", "compile_timeout"),
        ("pl.load(a.next(), x, [0, 0], tile_dims=[0, 1])", "", "order"),
        ("pl.load(a.next(), x, [0, 0], is_transpose=True)", "", "order"),
    ],
)
def test_33_earlier_spellings_are_refused_with_the_new_one(body: str, options: str, new: str) -> None:
    (found,) = diagnostics(body, options=options)
    assert found.severity is Severity.ERROR and new in found.message + found.help
