"""Layouts, fractals, bytes and addresses of tiles on each chip."""

from __future__ import annotations

import pytest

from ptopro.language import dtypes as dt
from ptopro.language.enums import MemorySpace, TensorLayout
from ptopro.language.hardware import CHIPS, Chip
from ptopro.language.layouts import (
    BLayout,
    SLayout,
    address_problems,
    alignment,
    allowed_layouts,
    block_shape,
    capacity,
    footprint,
    orders,
    resolve,
    scale_address_problems,
    slot_addresses,
    slot_bytes,
    type_problems,
)
from ptopro.language.tiles import TileSpec

M, L = MemorySpace, TensorLayout
A5, A3 = CHIPS["a5"], CHIPS["a3"]


def codes(spec: TileSpec, chip: Chip = A5) -> list[tuple[str, str]]:
    return [(problem.code, problem.operand) for problem in type_problems(spec, chip)]


@pytest.mark.parametrize(
    ("memory", "chip", "layout"),
    [
        (M.Vec, A5, L.ND), (M.Mat, A5, L.NZ), (M.Left, A5, L.NZ), (M.Right, A5, L.ZN), (M.Acc, A5, L.NZ),
        (M.Bias, A5, L.ND), (M.Scaling, A5, L.ND), (M.ScaleLeft, A5, L.ZZ), (M.ScaleRight, A5, L.NN), (M.Left, A3, L.ZZ),
    ],
)  # fmt: skip
def test_default_layout_of_each_memory(memory: MemorySpace, chip: Chip, layout: TensorLayout) -> None:
    assert resolve(TileSpec((64, 64), dt.FP16, memory), chip).layout is layout


@pytest.mark.parametrize(
    ("spec", "fractal"),
    [
        (TileSpec((64, 64), dt.FP32, M.Acc), 1024),
        (TileSpec((64, 64), dt.INT32, M.Acc), 1024),
        (TileSpec((64, 64), dt.FP16, M.Acc), 512),
        (TileSpec((64, 64), dt.FP8E8M0, M.ScaleLeft), 32),
        (TileSpec((64, 64), dt.FP8E8M0, M.Mat, layout=L.ZZ), 32),
        (TileSpec((64, 64), dt.FP8E8M0, M.Mat), 512),
        (TileSpec((64, 64), dt.FP16, M.Mat, fractal=256), 256),
    ],
)
def test_default_fractal(spec: TileSpec, fractal: int) -> None:
    assert resolve(spec, A5).fractal == fractal


@pytest.mark.parametrize("layout", [None, L.ND, L.DN])
def test_one_column_in_vec_is_dn(layout: TensorLayout | None) -> None:
    assert resolve(TileSpec((64, 1), dt.FP32, layout=layout), A5).layout is L.DN


def test_resolving_twice_changes_nothing() -> None:
    once = resolve(TileSpec((64, 64), dt.FP16, M.Mat), A5)
    assert resolve(once, A5) == once


@pytest.mark.parametrize(
    ("layout", "order"),
    [
        (L.ND, (BLayout.RowMajor, SLayout.NoneBox)),
        (L.DN, (BLayout.ColMajor, SLayout.NoneBox)),
        (L.NZ, (BLayout.ColMajor, SLayout.RowMajor)),
        (L.ZN, (BLayout.RowMajor, SLayout.ColMajor)),
        (L.ZZ, (BLayout.RowMajor, SLayout.RowMajor)),
        (L.NN, (BLayout.ColMajor, SLayout.ColMajor)),
    ],
)
def test_orders_of_blocks_and_elements(layout: TensorLayout, order: tuple[BLayout, SLayout]) -> None:
    assert orders(resolve(TileSpec((64, 64), dt.FP16, layout=layout), A5)) == order


def test_orders_want_a_resolved_type() -> None:
    with pytest.raises(ValueError, match="resolved"):
        orders(TileSpec((64, 64), dt.FP16))


@pytest.mark.parametrize(
    ("spec", "block"),
    [
        (TileSpec((64, 64), dt.FP16, M.Left), (16, 16)),
        (TileSpec((64, 64), dt.INT8, M.Left), (16, 32)),
        (TileSpec((64, 64), dt.FP32, M.Right), (8, 16)),
        (TileSpec((64, 64), dt.FP32, M.Acc), (16, 16)),
        (TileSpec((64, 64), dt.FP8E8M0, M.ScaleLeft), (16, 2)),
        (TileSpec((64, 64), dt.FP8E8M0, M.ScaleRight), (2, 16)),
        (TileSpec((64, 64), dt.FP16), (1, 1)),
    ],
)
def test_block_shape(spec: TileSpec, block: tuple[int, int]) -> None:
    assert block_shape(resolve(spec, A5)) == block


def test_mat_takes_more_layouts_for_some_element_types() -> None:
    assert allowed_layouts(M.Mat, dt.FP16, A5) == (L.NZ, L.ZN)
    assert L.ND in allowed_layouts(M.Mat, dt.INT64, A5)
    assert {L.ZZ, L.NN} <= set(allowed_layouts(M.Mat, dt.FP8E8M0, A5))
    assert allowed_layouts(M.DDR, dt.FP16, A5) == ()


def test_left_zz_is_refused_on_a5_and_taken_on_a3() -> None:
    spec = TileSpec((64, 64), dt.FP16, M.Left, layout=L.ZZ)
    assert codes(spec, A5) == [("PTO1302", "layout")]
    assert codes(spec, A3) == []


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        (TileSpec((1, 7), dt.FP16), [("PTO1228", "shape")]),
        (TileSpec((16, 7), dt.FP16), [("PTO1228", "shape")]),
        (TileSpec((7, 1), dt.FP32), [("PTO1228", "shape")]),
        (TileSpec((0, 64), dt.FP16), [("PTO1229", "shape")]),
        (TileSpec((32, 64), dt.FP16, valid_shape=(33, 64)), [("PTO1230", "valid_shape")]),
        (TileSpec((32, 64), dt.FP16, M.DDR), [("PTO1303", "target_memory")]),
        (TileSpec((30, 64), dt.FP16, M.Left), [("PTO1310", "shape")]),
        (TileSpec((32, 24), dt.FP16, M.Mat), [("PTO1310", "shape")]),
        (TileSpec((32, 64), dt.INT4), [("PTO1311", "dtype")]),
        (TileSpec((32, 64), dt.FP16, M.Right, layout=L.NZ), [("PTO1302", "layout")]),
    ],
)
def test_types_that_the_hardware_does_not_take(spec: TileSpec, expected: list[tuple[str, str]]) -> None:
    assert codes(spec) == expected


@pytest.mark.parametrize(
    "spec",
    [
        TileSpec((32, 64), dt.FP16, valid_shape=(0, 64)),
        TileSpec((64, 1), dt.FP32),
        TileSpec((16, 16), dt.FP16, valid_shape=(16, 7)),
        TileSpec((1, 64), dt.FP16, M.Mat),  # one row need not fill a fractal
        TileSpec((1, 64), dt.INT64, M.Mat, layout=L.ND),
        TileSpec((1, 64), dt.FP32, M.Bias),
        TileSpec((33, 64), dt.FP16, layout=L.NZ),  # Vec rows may be any number
        TileSpec((16, 2), dt.FP8E8M0, M.ScaleLeft),
    ],
)
def test_types_that_the_hardware_takes(spec: TileSpec) -> None:
    assert codes(spec) == []


def test_scale_memories_exist_on_a5_only() -> None:
    spec = TileSpec((16, 2), dt.FP8E8M0, M.ScaleLeft)
    assert codes(spec, A5) == []
    assert codes(spec, A3) == [("PTO1303", "target_memory")]


def test_bytes_of_a_tile() -> None:
    assert footprint(TileSpec((32, 64), dt.FP32)) == 8192
    assert footprint(TileSpec((32, 64), dt.FP4E2M1)) == 1024
    assert slot_bytes(TileSpec((32, 64), dt.FP4E2M1)) == 2048
    assert slot_addresses(TileSpec((32, 64), dt.FP16), 0x1000, 3) == (0x1000, 0x2000, 0x3000)
    assert TileSpec((32, 64), dt.FP32).size_bytes == 8192


def test_double_buffer_beyond_the_memory_is_refused_with_numbers() -> None:
    spec = TileSpec((128, 256), dt.FP32)
    (problem,) = address_problems(spec, slot_addresses(spec, 0, 2), A5, operand="addrs")
    assert (problem.code, problem.operand) == ("PTO1305", "addrs")
    facts = problem.facts
    assert (facts["depth"], facts["size"], facts["total"], facts["capacity"]) == (2, 131072, 262144, 253952)
    assert list(address_problems(spec, (0,), A5)) == []


def test_memory_may_be_filled_to_the_last_byte() -> None:
    spec = TileSpec((64, 256), dt.FP16, M.Left)
    assert footprint(spec) * 2 == capacity(M.Left, A5)
    assert list(address_problems(spec, slot_addresses(spec, 0, 2), A5)) == []
    assert [p.code for p in address_problems(spec, slot_addresses(spec, 512, 2), A5)] == ["PTO1305"]


@pytest.mark.parametrize(
    ("memory", "grain"), [(M.Vec, 32), (M.Mat, 32), (M.Left, 512), (M.Right, 512), (M.Acc, 64), (M.ScaleLeft, 32)]
)
def test_addresses_are_aligned(memory: MemorySpace, grain: int) -> None:
    spec = TileSpec((16, 32), dt.INT8, memory)
    assert alignment(memory) == grain
    assert list(address_problems(spec, (grain,), A5)) == []
    (problem,) = address_problems(spec, (grain // 2,), A5)
    assert (problem.code, problem.facts["alignment"]) == ("PTO1304", grain)


def test_second_slot_of_an_odd_size_is_named() -> None:
    spec = TileSpec((1, 7), dt.FP16)
    (problem,) = address_problems(spec, slot_addresses(spec, 0, 2), A5)
    assert (problem.code, problem.facts["what"], problem.facts["addr"]) == ("PTO1304", "slot 1", "0xe")


def test_negative_address_and_small_size() -> None:
    spec = TileSpec((32, 64), dt.FP16)
    assert [p.code for p in address_problems(spec, (-32,), A5)] == ["PTO1306"]
    assert [p.code for p in address_problems(spec, (0,), A5, size=2048)] == ["PTO1307"]
    assert list(address_problems(spec, (0,), A5, size=8192)) == []


def test_scales_lie_at_a_sixteenth_of_the_data() -> None:
    scale = TileSpec((64, 2), dt.FP8E8M0, M.ScaleLeft)
    assert list(scale_address_problems(scale, 0x100, 0x1000, "scale_a")) == []
    (problem,) = scale_address_problems(scale, 0, 0x1000, "scale_a")
    assert (problem.code, problem.facts["expected"]) == ("PTO1308", "0x100")


def test_chips_have_the_published_sizes() -> None:
    assert (A5.memory[M.Vec], A5.memory[M.Acc], A5.memory[M.Left]) == (253952, 262144, 65536)
    assert (A3.memory[M.Vec], A3.memory[M.Acc]) == (196608, 131072)
    assert A5.capacity(M.DDR) is None
    assert A5.cores[A5.default_product] == (28, 56)
    assert CHIPS["a2"] is A3
