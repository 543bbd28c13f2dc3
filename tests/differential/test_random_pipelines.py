"""Fifty pipelines made at random, on the simulator: the expansion gives the bits of the serial text.

Five at a time stand in one kernel, one behind the other, so that they are compiled together.  The expansion runs under all
checks (races, deadlocks, leaks, undefined data), with data that becomes visible as late as the flags and locks allow, in a fixed
order and in random ones.  What refuses to expand is not tried: the seeds are the first fifty that do expand.
"""

from __future__ import annotations

import importlib.util
import random
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

sys.path.append(str(Path(__file__).parents[1] / "unit" / "expand" / "pipeline"))
from generated_kernels import TILE, generate_all

pytestmark = pytest.mark.slow

SEEDS = (
    0, 1, 2, 3, 4, 9, 14, 15, 18, 19, 20, 22, 23, 24, 25, 26, 28, 32, 33, 36, 38, 39, 43, 46, 51,
    55, 57, 58, 59, 62, 63, 65, 66, 67, 69, 70, 71, 74, 76, 78, 81, 83, 85, 89, 90, 91, 92, 93, 94, 97,
)  # fmt: skip
TOGETHER = 5
MOST_STAGES = 6
TRIPS = ((0, 1), (1, 1), (2, 1), (3, 2), (1, 3))  # (n, m)


@pytest.fixture
def launch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., np.ndarray]:
    """`launch(kernel, n, m, MODE="serial")`: the output, with these PTOPRO_ variables."""
    monkeypatch.setenv("PTOPRO_BUILD_DIR", str(tmp_path / "build"))

    def run(kernel: Any, n: int, m: int, **options: str) -> np.ndarray:
        rows = TILE * (2 * n * m + 1) * TOGETHER
        draw = np.random.default_rng(n * 10 + m)
        source = draw.standard_normal((rows, TILE)).astype(np.float16)
        weights = (draw.standard_normal((TILE, TILE)) / 8).astype(np.float16)
        extra = draw.standard_normal((rows, TILE)).astype(np.float32)
        out = np.zeros((rows, TILE), np.float32)
        with monkeypatch.context() as patch:
            for name, value in options.items():
                patch.setenv(f"PTOPRO_{name}", value)
            kernel[None, 1](source, weights, extra, out, n, m)
        return out

    return run


def load(path: Path, text: str) -> Any:
    """The kernel of a file with this text."""
    path.write_text(text.replace("pypto_pro.language", "ptopro.language"))
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.k


@pytest.mark.parametrize("first", range(0, len(SEEDS), TOGETHER))
def test_expanded_pipelines_give_the_bits_of_the_serial_text(
    first: int, tmp_path: Path, launch: Callable[..., np.ndarray]
) -> None:
    seeds = SEEDS[first : first + TOGETHER]
    text = generate_all([random.Random(seed).randint for seed in seeds], MOST_STAGES)
    kernel = load(tmp_path / "random_pipelines.py", text)
    wrote = False
    for number, (n, m) in enumerate(TRIPS):
        wanted = launch(kernel, n, m, MODE="serial")
        wrote = wrote or bool(wanted.any())
        for schedule in ("fixed", f"random:{number}"):
            found = launch(kernel, n, m, CHECKS="all", SCHEDULE=schedule)
            np.testing.assert_array_equal(found, wanted, f"n={n} m={m} {schedule}")
    assert wrote
