"""A3 has no buffer locks: they are flags between pipes, and hold under every check and schedule."""

from __future__ import annotations

from pathlib import Path

import pytest

from ptopro.check.kernel_check import check_kernel
from ptopro.check.request import Request
from ptopro.codegen.driver import codegen_file
from ptopro.diagnostics import Sink
from ptopro.frontend.source import load_module
from ptopro.lowering.target import Target

SAMPLES = Path(__file__).parents[2] / "samples"
A3 = Target(chip="a3")
SHAPES = {
    "add": dict.fromkeys("xyz", (300, 200)),
    "softmax": {"x": (100, 600), "out": (100, 600)},
    "matmul": {"a": (300, 260), "b": (260, 400), "c": (300, 400)},
    "matmul_relu_gm": {"a": (640, 128), "product": (640, 128), "out": (640, 128)},
    "transpose_load": {"a": (260, 300), "b": (400, 260), "c": (300, 400)},
}

BY_HAND = """
import ptopro.language as pl


@pl.jit(auto_mutex=True)
def k(x: pl.Tensor[[pl.DYNAMIC, 64], pl.DT_FP32], n: pl.DT_INT32):
    tile = pl.TileType(shape=[32, 64], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Vec)
    a = pl.make_tile_group(type=tile, addrs=0, mutex_ids=[0, 1])
    with pl.section_vector():
        EVENTS
        t = a.next()
        pl.load(t, x, [0, 0])
        pl.muls(t, t, 2.0)
        pl.store(x, t, [0, 0])
"""
SET = "pl.system.sync_src(set_pipe=pl.PipeType.MTE2, wait_pipe=pl.PipeType.V, event_id=n % 8)"


@pytest.mark.parametrize("name", SHAPES)
def test_samples_are_right(name: str, tmp_path: Path) -> None:
    sink = Sink()
    (kernel,) = load_module(str(SAMPLES / f"{name}.py"), sink=sink).kernels
    request = Request(shapes=SHAPES[name], cores=2, schedule="adversarial", runs=2)
    result = check_kernel(kernel, request, A3, tmp_path)
    assert result.ok, [*result.static, *result.findings]
    assert len(result.outcomes) > 6


def generated(events: str) -> tuple[str, list[str]]:
    """kernel.cpp, or the codes of what is wrong."""
    sink = Sink()
    found = codegen_file("k.py", BY_HAND.replace("EVENTS", events), target=A3, sink=sink)
    return found[0].files["kernel.cpp"] if found else "", [d.code for d in sink.diagnostics]


def test_a_lock_is_a_flag_between_the_pipes_that_share_it() -> None:
    text, codes = generated("pass")
    assert codes == []
    assert "get_buf" not in text and "rls_buf" not in text
    assert text.count("pass_release<PIPE_MTE2, PIPE_V>(mte2_to_v, ") == 1
    assert text.count("wait_release<PIPE_MTE2, PIPE_V>(mte2_to_v, ") >= 1
    assert "wait_releases<PIPE_V, PIPE_MTE3>(v_to_mte3);" in text  # nothing stays set


def test_flags_set_by_hand_are_left_alone() -> None:
    assert generated(f"{SET}\n        {SET.replace('sync_src', 'sync_dst')}")[1] == ["PTO1512"]
