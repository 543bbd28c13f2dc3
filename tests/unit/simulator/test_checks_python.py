"""Known wrong Python kernels: each gives its finding at its line of the kernel file, and its right twin gives none."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import check_kernels as kernels
import numpy as np
import pytest

from ptopro.runtime.errors import SimulatorError

FILE = Path(kernels.__file__)


@pytest.fixture(autouse=True)
def all_checks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PTOPRO_CHECKS", "all")


def line_of(text: str) -> int:
    """The line of check_kernels.py that holds a text."""
    (line,) = (at for at, line in enumerate(FILE.read_text().splitlines(), 1) if text in line)
    return line


def launch(kernel: Any, wrong: int, block_dim: int = 1) -> None:
    rng = np.random.default_rng(0)
    if kernel in (kernels.phases, kernels.cores):
        a, b = (rng.integers(-3, 4, (64, 64)).astype(np.float16) for _ in range(2))
        c = np.zeros((64, 64), np.float32)
        kernel[block_dim](a, b, c, wrong)
        expected = a.astype(np.float32) @ b.astype(np.float32)
        assert np.array_equal(c, expected * (2 if kernel is kernels.cores else 1))
        return
    x = rng.standard_normal((kernels.ROWS * 4, kernels.COLS)).astype(np.float32)
    kernel[block_dim](x, np.zeros_like(x), wrong)


@pytest.mark.parametrize("schedule", ["fixed", "random:1", "random:2", "slow:MTE2", "slow:V", "slow:FIX"])
@pytest.mark.parametrize(
    "kernel",
    [
        kernels.double_buffer, kernels.flags, kernels.views, kernels.transfers, kernels.element, kernels.tail,
        kernels.blocks, kernels.phases, kernels.cores,
    ],
    ids=lambda kernel: kernel.name,
)  # fmt: skip
def test_right_kernels_are_silent(kernel: Any, schedule: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PTOPRO_SCHEDULE", schedule)
    launch(kernel, 0, block_dim=3 if kernel is kernels.blocks else 1)


@pytest.mark.parametrize(
    ("kernel", "wrong", "code", "text", "message"),
    [
        (kernels.double_buffer, 1, "PTO1840", "# reload", "TSTORE on MTE3 reads"),
        (kernels.flags, 1, "PTO1841", "# twice", "flag MTE2 -> V, id 1, is still set"),
        (kernels.flags, 2, "PTO1841", "# nobody waits", "flag V -> MTE2, id 4, is still set"),
        (kernels.flags, 3, "PTO1840", "# meant for b", "that TLOAD on MTE2 writes"),
        (kernels.views, 1, "PTO1840", "# the other view", "that TLOAD on MTE2 writes"),
        (kernels.transfers, 1, "PTO1840", "# again", "TLOAD on MTE2 writes Vec bytes [0x0, 0x2000) that TLOAD on MTE2"),
        (
            kernels.element,
            1,
            "PTO1840",
            "# one element",
            "GetValue on S reads Vec bytes [0xc, 0x10) that TMULS on V writes",
        ),
        (kernels.element, 2, "PTO1842", "# one element", "byte 0x2000 of Vec, which nothing has written"),
        (kernels.tail, 1, "PTO1842", "# too many rows", "element (20, 0) of operand 2"),
        (kernels.blocks, 1, "PTO1843", "# whose rows?", "blocks 0 and 1 both write elements [0, 2048) of y"),
        (kernels.phases, 1, "PTO1830", "# waits for the unit flag", "no matmul with AccPhase::Final has filled it"),
        (kernels.phases, 2, "PTO1840", "# no phase", "that TMATMUL on M writes"),
        (kernels.cores, 1, "PTO1840", "# reads what the cube moves", "that TMOV on cube FIX writes"),
        (kernels.cores, 2, "PTO1830", "# room", "set_intra_block from vector 1 to cube, id 1"),
    ],
)
def test_wrong_kernels_give_their_finding(kernel: Any, wrong: int, code: str, text: str, message: str) -> None:
    with pytest.raises(SimulatorError) as error:
        launch(kernel, wrong, block_dim=3 if kernel is kernels.blocks else 1)
    first = error.value.diagnostics[0]
    assert first.code == code
    assert message in first.message
    assert first.span is not None
    lines = [first.span.line, *(label.span.line for label in first.labels)]
    assert line_of(text) in lines
    assert Path(first.span.file).name == FILE.name
