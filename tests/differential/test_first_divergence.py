"""A difference between two runs is told with the stage and the task in which they part."""

from __future__ import annotations

from pathlib import Path

import pytest

from ptopro.check.kernel_check import check_kernel
from ptopro.check.request import Request
from ptopro.diagnostics import Sink
from ptopro.frontend.source import load_module
from ptopro.lowering.target import Target

ROOT = Path(__file__).parents[2]
UNLOCKED = ("VEC // 2, mutex_ids=[5])", "VEC // 2, depth=1)")  # a buffer that V writes and MTE3 reads, without a lock
SHAPES = {"x": (512, 128), "w": (128, 128), "v": (128, 128), "out": (512, 128)}


@pytest.fixture
def notes(tmp_path: Path) -> list[str]:
    """What is said of the differences between the runs of a relu_chain with a buffer that nothing orders."""
    text = (ROOT / "samples" / "relu_chain.py").read_text()
    assert UNLOCKED[0] in text
    path = tmp_path / "racy.py"
    path.write_text(text.replace(*UNLOCKED))
    sink = Sink()
    (kernel,) = load_module(str(path), sink=sink).kernels
    result = check_kernel(kernel, Request(shapes=SHAPES, cores=1), Target(chip="a5"), tmp_path)
    found = [d for d in result.findings if d.code == "PTO1860"]
    assert {"PTO1840", "PTO1860"} <= {d.code for d in result.findings}
    assert all(d.labels and d.labels[0].span.file == str(path) for d in found)
    return [note for d in found for note in d.notes]


def test_the_stage_and_the_task_are_named(notes: list[str]) -> None:
    # In the serial run V has a head start; in the pipelined one MTE3 reads what V has not written yet, at once.
    wanted = "first divergence: activate, task 0 (TINSERT on MTE3 of vector 0, block 0, line 53)"
    assert notes == [wanted] * len(notes) and notes
