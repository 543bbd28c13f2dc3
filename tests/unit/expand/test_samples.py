"""The samples, expanded: golden files, no second change, and every lock checked by the replay."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest
from expand_kernels import expanded, lowered
from expand_replay import Replay

from ptopro.diagnostics import Sink
from ptopro.expand.report import summary
from ptopro.frontend.source import load_module

SAMPLES = Path(__file__).parents[3] / "samples"
KERNELS = [
    (sample, kernel)
    for sample, kernel in (
        ("add", "add"),
        ("softmax", "softmax"),
        ("layernorm", "layernorm"),
        ("matmul", "matmul"),
        ("matmul_softmax", "matmul_softmax"),
        ("matmul_relu_gm", "matmul_relu_gm"),
        ("transpose_load", "matmul_tt"),
        ("softmax_vf", "softmax_vf"),
        ("layernorm_vf", "layernorm_vf"),
        ("rope_vf", "rope_vf"),
        ("topk_simt", "topk"),
    )
]


@pytest.fixture(autouse=True)
def in_the_samples_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(SAMPLES)


@pytest.mark.parametrize(("sample", "kernel"), KERNELS)
def test_expanded_samples(sample: str, kernel: str, golden: Callable[[str, str], None]) -> None:
    path = f"{sample}.py"
    result = expanded(Path(path).read_text(), path=path, kernel=kernel)
    golden(f"expand/{sample}.py", result.text)
    assert expanded(result.text, path=path, kernel=kernel).text == result.text
    assert result.notes == ()
    assert len(result.line_map) == result.text.count("\n")
    assert summary(result).startswith(f"{kernel}: {result.locks} lock pairs written, {result.saved} saved")


@pytest.mark.parametrize(("sample", "kernel"), KERNELS)
@pytest.mark.parametrize("coalesce", [True, False])
def test_locks_of_the_samples_order_every_pair(sample: str, kernel: str, coalesce: bool) -> None:
    path = f"{sample}.py"
    text = expanded(Path(path).read_text(), path=path, kernel=kernel, coalesce=coalesce).text
    halves = lowered(text, path=path, kernel=kernel).halves
    for half in halves:
        for seed in range(6):
            draw = random.Random(seed)
            Replay(lambda kind, draw=draw: draw.randint(0, 1) if kind == "test" else draw.randint(0, 4)).run(half)  # type: ignore[misc]


def test_no_sample_is_forgotten() -> None:
    named = {sample for sample, _ in KERNELS}
    for path in sorted(SAMPLES.glob("*.py")):
        options = [kernel.options for kernel in load_module(str(path), sink=Sink()).kernels]
        if any(o.auto_mutex and o.pipeline is None for o in options):
            assert path.stem in named
