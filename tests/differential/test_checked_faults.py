"""Faults that users of such tools have met, and what the checker says of them; the numbers are those of the faults.

1 and 26 are in test_known_faults.py, 12 is in test_pipeline_faults.py.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from ptopro.check.kernel_check import check_kernel
from ptopro.check.request import Request
from ptopro.diagnostics import Diagnostic, Sink
from ptopro.expand import ExpandOptions
from ptopro.expand.driver import expand_file
from ptopro.frontend.source import load_module
from ptopro.lowering.target import Target

pytestmark = pytest.mark.slow

SKELETON = """import ptopro.language as pl


@pl.jit(auto_mutex=True)
def k(x: pl.Tensor[[pl.DYNAMIC, 64], pl.DT_FP32], y: pl.Tensor[[pl.DYNAMIC, 64], pl.DT_FP32], n: pl.DT_INT32):
    T = pl.TileType(shape=[32, 64], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Vec)
    a = pl.make_tile_group(type=T, addrs=0x0000, mutex_ids=[0, 1])
    with pl.section_vector():
        {body}
"""


def text_of(body: str) -> str:
    return SKELETON.format(body="\n        ".join(body.strip().splitlines()))


def expanded(text: str) -> str:
    sink = Sink()
    (found,) = expand_file("k.py", text, options=ExpandOptions(), sink=sink)
    assert not sink.diagnostics
    return found.text


def findings(text: str, n: int, folder: Path) -> list[Diagnostic]:
    """What is found in a text, run with x and y of 96 rows."""
    path = folder / "k.py"
    path.write_text(text)
    sink = Sink()
    (kernel,) = load_module(str(path), sink=sink).kernels
    shape = (96, 64)
    request = Request(shapes={"x": shape, "y": shape}, args={"n": n}, cores=1, schedule="adversarial", runs=2)
    result = check_kernel(kernel, request, Target(chip="a5"), folder)
    return [*result.static, *result.findings]


@pytest.mark.parametrize("n", [1, 2, 3])
def test_05_a_transfer_under_a_condition_takes_and_releases_there(n: int, tmp_path: Path) -> None:
    body = """
for i in pl.range(0, n):
    if i % 2 == 0:
        pl.load(a.current(), x, [i * 32, 0])
    pl.store(y, a.current(), [i * 32, 0])
"""
    lines = expanded(text_of(body)).splitlines()
    (load,) = (number for number, line in enumerate(lines) if "pl.load(" in line)
    indent = lines[load][: -len(lines[load].lstrip())]
    assert lines[load - 1].startswith(f"{indent}pl.system.mutex_lock(pipe=pl.PipeType.MTE2")
    assert lines[load + 1].startswith(f"{indent}pl.system.mutex_unlock(pipe=pl.PipeType.MTE2")
    assert findings(text_of(body), n, tmp_path) == []


@pytest.mark.parametrize("n", [0, 2])
def test_06_a_loop_that_does_not_run_takes_no_order_away(n: int, tmp_path: Path) -> None:
    body = """
slot = a.next()
pl.load(slot, x, [0, 0])
for i in pl.range(0, n):
    pl.muls(slot, slot, 2.0)
pl.store(y, slot, [0, 0])
"""
    assert findings(text_of(body), n, tmp_path) == []


def test_09_a_barrier_of_the_author_hides_no_missing_lock(tmp_path: Path) -> None:
    body = """
for i in pl.range(0, n):
    pl.load(a.next(), x, [i * 32, 0])
    pl.system.bar_all()
    pl.store(y, a.current(), [i * 32, 0])
"""
    with_barrier = expanded(text_of(body))
    assert with_barrier.count("bar_all()") == 1
    without = with_barrier.replace("            pl.system.bar_all()\n", "")
    assert without == expanded(text_of(body.replace("    pl.system.bar_all()\n", "")))
    assert findings(without, 3, tmp_path) == []
    unlocked = "\n".join(line for line in without.splitlines() if "MTE3, tile" not in line)
    assert "PTO1840" in [d.code for d in findings(unlocked, 3, tmp_path)]  # so the locks are what orders them
