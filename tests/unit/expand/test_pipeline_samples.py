"""The samples with a pipeline: golden files for each setting, no second change, and every lock checked by the replay."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest
from expand_kernels import expanded, lowered
from expand_replay import Replay

from ptopro.diagnostics import Severity, Sink
from ptopro.expand.driver import expand_file
from ptopro.expand.model import ExpandOptions
from ptopro.frontend.source import load_module

SAMPLES = Path(__file__).parents[3] / "samples"
KERNELS = {
    "flash_attention": (0, 1, 2, 3),
    "flash_attention_vf": (0, 2),
    "mla_decode": (0, 2),
    "relu_chain": (0, 1, 2, 3, 4),
    "two_pipelines": ((1, 2), 0, (2, 1)),
}
SETTINGS = [(sample, preload) for sample, preloads in KERNELS.items() for preload in preloads]


@pytest.fixture(autouse=True)
def in_the_samples_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(SAMPLES)


def expand(sample: str, preload: int | tuple[int, ...], mutex: str = "explicit") -> str:
    sink = Sink()
    options = ExpandOptions(preload=preload, mutex=mutex)  # type: ignore[arg-type]
    (found,) = expand_file(f"{sample}.py", None, None, options, sink)
    assert not [d for d in sink.diagnostics if d.severity is Severity.ERROR]
    return found.text


@pytest.mark.parametrize(("sample", "preload"), SETTINGS)
def test_golden(sample: str, preload: int | tuple[int, ...], golden: Callable[[str, str], None]) -> None:
    text = expand(sample, preload)
    number = preload if isinstance(preload, int) else "_".join(map(str, preload))
    golden(f"expand/pipeline/{sample}_preload_{number}.py", text)
    assert expanded(text, path=f"{sample}.py", kernel=sample).text == text


@pytest.mark.parametrize(("sample", "preload"), SETTINGS)
def test_locks_order_every_pair_of_a_core(sample: str, preload: int | tuple[int, ...]) -> None:
    for half in lowered(expand(sample, preload), path=f"{sample}.py", kernel=sample).halves:
        for seed in range(3):
            draw = random.Random(seed)
            Replay(lambda kind, draw=draw: draw.randint(0, 1) if kind == "test" else draw.randint(0, 4)).run(half)  # type: ignore[misc]


def test_no_sample_is_forgotten() -> None:
    for path in sorted(SAMPLES.glob("*.py")):
        if any(kernel.options.pipeline for kernel in load_module(str(path), sink=Sink()).kernels):
            assert path.stem in KERNELS


def test_a_beat_of_flash_attention_costs_few_scalar_operations() -> None:
    sink = Sink()
    (found,) = expand_file("flash_attention.py", None, None, ExpandOptions(), sink)
    assert max(found.pipelines[0].operations.values()) < 40
