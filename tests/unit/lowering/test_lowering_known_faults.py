"""Faults that users of such tools have met, as far as lowering decides them (see the numbers in the titles)."""

from __future__ import annotations

import struct

import pytest
from lowering_kernels import HEADER, codes, found_in, lines, lower_body, lower_good, lower_text, source, statements

from ptopro.language.dtypes import FP32, INT64
from ptopro.lowering import ir


def binds(kernel: ir.KernelIR) -> dict[str, ir.TileVar]:
    return {s.var.name: s.var for s in statements(kernel.vector, ir.BindTile)}  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "choice",
    [
        "t = t0 if n > 3 else t1",
        "if n > 3:\n    t = t0\nelse:\n    t = t1",
        "t = t0\nif n > 3:\n    t = t1",
        "t2 = t0 if n > 3 else t1\nt = t2 if m > 3 else t0",
        "if n > 3:\n    if m > 3:\n        t = t1\n    else:\n        t = t0\nelse:\n    t = t1",
    ],
)
def test_02_a_chosen_tile_knows_all_it_may_be(choice: str) -> None:
    kernel = lower_body(
        f"t0 = a.next()\nt1 = b.next()\n{choice}\npl.load(t, x, [0, 0])\npl.muls(t, t, 2.0)\npl.store(y, t, [0, 0])"
    )
    var = binds(kernel)["t"]
    assert {origin.name for origin in var.origins} == {"a", "b"}
    assert var.id_count == 1
    for stmt in statements(kernel.vector, ir.Operate):
        assert isinstance(stmt, ir.Operate)
        tiles = [use.value for use in stmt.operands if isinstance(use.value, ir.TileVarRef)]
        assert tiles and all(tile.var is var for tile in tiles)


def test_02_tiles_with_different_numbers_of_ids_do_not_meet() -> None:
    before = "PLAIN = pl.TileType(shape=[32, 64], dtype=pl.DT_FP32)"
    assert codes("t = a.next() if n > 3 else pl.make_tile(PLAIN, addr=0x10000)", before=before) == ["PTO1153"]


def test_05_what_a_branch_does_stays_in_the_branch() -> None:
    text = lines("""
        for i in pl.range(0, n):
            if i % 2 == 0:
                pl.load(a.current(), x, [i * 32, 0])
            pl.store(y, a.current(), [i * 32, 0])
    """)
    assert text == [
        "for i in range(0, n, 1):",
        "  if ((i %% 2) == 0):",
        "    load(dst_tile=a.current, src_tensor=x, offsets=[(i * 32), 0]) on MTE2",
        "  store(dst_tensor=y, src_tile=a.current, offsets=[(i * 32), 0]) on MTE3",
    ]


def test_06_a_loop_of_no_rounds_is_kept_as_a_loop() -> None:
    text = lines("""
        slot = a.next()
        pl.load(slot, x, [0, 0])
        for i in pl.range(0, n):
            pl.muls(slot, slot, 2.0)
        pl.store(y, slot, [0, 0])
    """)
    assert text[3:5] == ["for i in range(0, n, 1):", "  muls(out=slot, tile=slot, scalar=2.0) on V"]


@pytest.mark.parametrize("operation", ["sync_src", "sync_dst"])
@pytest.mark.parametrize(
    ("event", "code"),
    [("7", []), ("8", ["PTO1550"]), ("15", ["PTO1550"]), ("n % 2", []), ("-1", ["PTO1232"]), ("16", ["PTO1232"])],
)
def test_07_event_ids_have_limits(operation: str, event: str, code: list[str]) -> None:
    call = f"pl.system.{operation}(set_pipe=pl.PipeType.MTE2, wait_pipe=pl.PipeType.V, event_id={event})"
    found = found_in(call)
    assert [d.code for d in found] == code
    for diagnostic in found:
        assert diagnostic.span is not None
        line = source(call).splitlines()[diagnostic.span.line - 1]
        assert line[diagnostic.span.col - 1 :].startswith(event)


def test_07_cross_core_events_and_locks_have_limits() -> None:
    for name, high in (("set_cross_core", 15), ("wait_cross_core", 15)):
        call = f"pl.system.{name}(pipe=pl.PipeType.V, event_id=%s)"
        assert codes(call % high) == []
        assert codes(call % "n") == []
        assert codes(call % (high + 1)) == ["PTO1232"]
    lock = "pl.system.mutex_lock(pipe=pl.PipeType.V, mutex_id=%s)"
    assert codes(lock % 31) == [] and codes(lock % 32) == ["PTO1232"]


def test_08_flags_within_one_pipe_are_refused() -> None:
    call = "pl.system.sync_src(set_pipe=pl.PipeType.V, wait_pipe=pl.PipeType.V, event_id=0)"
    assert codes(call) == ["PTO1233"]


def test_09_a_hand_written_barrier_is_one_operation() -> None:
    kernel = lower_body("pl.system.bar_all()\npl.load(a.next(), x, [0, 0])")
    names = [s.operation.name for s in statements(kernel.vector, ir.Operate)]  # type: ignore[attr-defined]
    assert names == ["system.bar_all", "load"]


@pytest.mark.parametrize("value", ['float("-inf")', 'float("inf")', "1e-8", "3.0e38", "-0.0", "0.1", "1 / 3"])
def test_18_floats_keep_their_bits(value: str) -> None:
    kernel = lower_body("t = a.next()\npl.muls(t, t, VALUE)", before=f"VALUE = {value}")
    (stmt,) = statements(kernel.vector, ir.Operate)
    scalar = stmt.get("scalar")  # type: ignore[attr-defined]
    assert isinstance(scalar, ir.Const) and scalar.dtype == FP32
    assert struct.pack("<f", scalar.value) == struct.pack("<f", eval(value))


def test_18_floats_beyond_fp32_are_refused() -> None:
    assert codes("t = a.next()\npl.muls(t, t, 1e39)") == ["PTO1250"]


GROUP = "g = pl.make_tile_group(type=B, addrs=%s, mutex_ids=[8, 9])"


def test_20_double_buffers_beyond_the_memory_are_refused_with_numbers() -> None:
    before = "B = pl.TileType(shape=[256, 128], dtype=pl.DT_FP32)"
    (found,) = found_in(GROUP % "0x0000", before=before)
    assert found.code == "PTO1305"
    assert all(number in found.message for number in ("2 x 131072", "262144", "253952"))
    assert found.span is not None
    assert source(GROUP % 0, before=before).splitlines()[found.span.line - 1].strip().startswith("g = pl.make_tile")
    before = "B = pl.TileType(shape=[256, 256], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Left)"
    (found,) = found_in(GROUP % "0x0000", before=before)
    assert found.code == "PTO1305" and "65536" in found.message


@pytest.mark.parametrize("shape", ["[1, 7]", "[16, 7]"])
def test_21_rows_of_no_whole_blocks_are_refused(shape: str) -> None:
    before = f"B = pl.TileType(shape={shape}, dtype=pl.DT_FP16)"
    assert codes(GROUP % "0x0000", before=before) == ["PTO1228"]


def test_21_misaligned_addresses_are_refused() -> None:
    before = "B = pl.TileType(shape=[16, 64], dtype=pl.DT_FP16)"
    assert codes(GROUP % "0x10010", before=before) == ["PTO1304"]
    assert codes(GROUP % "[0x10000, 0x10811]", before=before) == ["PTO1304"]
    assert codes("t = pl.make_tile(B, addr=0x10)", before=before) == ["PTO1304"]


def test_22_the_valid_shape_of_a_path_is_not_remembered() -> None:
    text = lines("""
        t = a.next()
        if n > 16:
            pl.set_validshape(t, [16, 64])
        else:
            pl.set_validshape(t, [8, 64])
        pl.store(y, t, [0, 0])
        pl.setval(x, 0, t.valid_shape[0])
    """)
    assert text[2:] == [
        "if (n > 16):",
        "  set_validshape(tile=t, shape=[16, 64]) on S",
        "else:",
        "  set_validshape(tile=t, shape=[8, 64]) on S",
        "store(dst_tensor=y, src_tile=t, offsets=[0, 0]) on MTE3",
        "setval(container=x, offset=0, value=t.valid_shape[0]) on S",
    ]


def test_23_a_run_time_extent_is_an_expression() -> None:
    text = lines("t = a.next()\nrows = 32 if n > 32 else n\npl.set_validshape(t, [rows, 64])\npl.load(t, x, [0, 0])")
    assert "rows: INT32 = (32 if (n > 32) else n)" in text
    assert "set_validshape(tile=t, shape=[rows, 64]) on S" in text


def test_28_a_local_name_hides_outer_ones() -> None:
    text = lines("vf = a.next()\npl.muls(vf, vf, 2.0)\nROWS = 5\npl.setval(x, 0, ROWS)")
    assert text[1:] == [
        "vf -> a.current",
        "muls(out=vf, tile=vf, scalar=2.0) on V",
        "setval(container=x, offset=0, value=ROWS) on S",
    ]


FACTORY = """
def mk(factor):
    @pl.jit
    def k(x: pl.Tensor[[32, 64], pl.DT_FP32]):
        with pl.section_vector():
            pl.setval(x, 0, factor)
    return k
k1, k2 = mk(2.0), mk(3.0)
"""


def test_28_kernels_of_a_factory_have_their_own_constants() -> None:
    from ptopro.diagnostics import Sink
    from ptopro.frontend.source import load_module
    from ptopro.lowering.kernel import lower_kernel
    from ptopro.lowering.target import Target

    sink = Sink()
    module = load_module("k.py", HEADER + FACTORY, sink=sink)
    values = []
    for kernel in module.kernels:
        lowered = lower_kernel(kernel, Target(), sink)
        assert lowered is not None
        (stmt,) = statements(lowered.vector, ir.Operate)
        values.append(stmt.get("value").value)  # type: ignore[attr-defined]
    assert values == [2.0, 3.0] and sink.diagnostics == []


@pytest.mark.parametrize(
    "decorator",
    [
        "@pl.jit",
        "@pl.jit()",
        "@pl.jit(\n    auto_mutex=True,\n)",
        "@pl.kernel",
        "@pl.jit(auto_mutex=True, pipeline=CFG)",
    ],
)
def test_31_decorators(decorator: str) -> None:
    text = (
        f"{HEADER}CFG = pl.pipeline.PipelineConfig(preload=2)\n{decorator}\n"
        "def k(x: pl.Tensor[[4, 64], pl.DT_FP32], *, n: pl.DT_INT32):\n"
        "    with pl.section_vector():\n        pl.setval(x, 0, n)\n"
    )
    kernel = lower_good(text)
    assert [p.name for p in kernel.params] == ["x", "n"]


def test_17_offsets_and_dimensions_are_64_bits_wide() -> None:
    kernel = lower_body("pl.setval(x, 0, x[n, 3])\nt = a.next()\npl.load(t, x, [40000, 0])")
    assert all(dim.dtype == INT64 for dim, _, _ in kernel.dynamic_dims)
    reads = [
        use.value for s in statements(kernel.vector, ir.Operate) for use in s.operands  # type: ignore[attr-defined]
        if isinstance(use.value, ir.ElementRead)
    ]  # fmt: skip
    assert reads[0].offset.dtype == INT64


def test_25_layouts_depend_on_the_chip() -> None:
    body = "t = pl.make_tile(L, addr=0)"
    before = "L = pl.TileType(shape=[64, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Left, layout=pl.ZZ)"
    assert [d.code for d in lower_text(source(body, before=before))[1]] == ["PTO1302"]
    assert lower_text(source(body, before=before), chip="a3")[1] == []
