"""Pipelines on the simulator: every preload gives the bits of the serial text, and those are what numpy says."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from ptopro.diagnostics import DiagnosticError

SAMPLES = Path(__file__).parents[2] / "samples"
pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def samples(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.syspath_prepend(str(SAMPLES))
    before = set(sys.modules)
    yield
    for name in set(sys.modules) - before:
        if str(getattr(sys.modules[name], "__file__", "")).startswith(str(SAMPLES)):
            del sys.modules[name]


def launched(kernel: Any, arguments: tuple[Any, ...], out: int, cores: int, preload: str) -> np.ndarray:
    """Run with a preload ("serial": the author's text); a copy of the output."""
    os.environ.pop("PTOPRO_PRELOAD", None)
    os.environ["PTOPRO_MODE"] = "serial" if preload == "serial" else "pipelined"
    if preload not in ("serial", ""):
        os.environ["PTOPRO_PRELOAD"] = preload
    try:
        arguments[out].fill(-1)
        kernel[None, cores](*arguments)
        return arguments[out].copy()
    finally:
        os.environ.pop("PTOPRO_PRELOAD", None)
        os.environ.pop("PTOPRO_MODE", None)


def same_bits(kernel: Any, arguments: tuple[Any, ...], out: int, cores: int, preloads: tuple[str, ...]) -> np.ndarray:
    """The serial result, which every preload repeats bit by bit."""
    want = launched(kernel, arguments, out, cores, "serial")
    for preload in preloads:
        got = launched(kernel, arguments, out, cores, preload)
        assert got.tobytes() == want.tobytes(), f"preload {preload} differs from the serial text"
    return want


def attention(queries: int, keys: int, causal: int) -> tuple[ModuleType, tuple[Any, ...], np.ndarray]:
    sample = importlib.import_module("flash_attention")
    rng = np.random.default_rng(queries + keys)
    q, k, v = (rng.standard_normal((n, sample.D)).astype(np.float16) for n in (queries, keys, keys))
    mask = np.where(np.tril(np.ones((sample.TQ, sample.TK))) > 0, 0, sample.LOWEST).astype(np.float32)
    out = np.empty((queries, sample.D), np.float32)
    scale = sample.D**-0.5
    scores = scale * (q.astype(np.float64) @ k.astype(np.float64).T)
    if causal:
        scores[np.arange(keys)[None, :] > np.arange(queries)[:, None]] = -np.inf
    p = np.exp(scores - scores.max(axis=1, keepdims=True))
    return sample, (q, k, v, mask, out, scale, causal), p / p.sum(axis=1, keepdims=True) @ v.astype(np.float64)


@pytest.mark.parametrize(
    ("queries", "keys", "cores", "causal"),
    [(768, 512, 2, 0), (384, 128, 1, 0), (384, 256, 1, 0), (512, 512, 1, 1), (128, 384, 2, 0)],
    ids=["3 rounds of 4", "3 rounds of 1", "3 rounds of 2", "causal", "a core without work"],
)
def test_flash_attention(queries: int, keys: int, cores: int, causal: int) -> None:
    sample, arguments, want = attention(queries, keys, causal)
    got = same_bits(sample.flash_attention, arguments, 4, cores, ("0", "1", "2", "3"))
    assert np.max(np.abs(got - want) / np.maximum(1, np.abs(want))) < 5e-3


def test_a_preload_that_the_slots_do_not_carry_is_refused() -> None:
    sample, arguments, _ = attention(384, 256, 0)
    with pytest.raises(DiagnosticError, match="5 slots needed, 4 declared"):
        launched(sample.flash_attention, arguments, 4, 1, "4")


def chain(
    name: str, rows: int
) -> tuple[ModuleType, np.ndarray, np.ndarray, np.ndarray, Callable[[np.ndarray], np.ndarray]]:
    sample = importlib.import_module(name)
    rng = np.random.default_rng(rows)
    x = rng.standard_normal((rows, sample.TILE)).astype(np.float16)
    w, v = ((rng.standard_normal((sample.TILE, sample.TILE)) / 8).astype(np.float16) for _ in range(2))

    def step(given: np.ndarray) -> np.ndarray:
        hidden = np.maximum(given.astype(np.float64) @ w.astype(np.float64), 0).astype(np.float16)
        return hidden.astype(np.float64) @ v.astype(np.float64)

    return sample, x, w, v, step


@pytest.mark.parametrize(("rows", "cores"), [(768, 2), (128, 1), (256, 1), (896, 3)])
def test_relu_chain(rows: int, cores: int) -> None:
    sample, x, w, v, step = chain("relu_chain", rows)
    out = np.empty((rows, sample.TILE), np.float32)
    got = same_bits(sample.relu_chain, (x, w, v, out), 3, cores, ("0", "1", "2", "3", "4"))
    assert np.max(np.abs(got - step(x)) / np.maximum(1, np.abs(step(x)))) < 5e-3


@pytest.mark.parametrize(("rows", "cores"), [(768, 2), (128, 1), (512, 1)])
def test_two_pipelines(rows: int, cores: int) -> None:
    sample, x, w, v, step = chain("two_pipelines", rows)
    middle = np.empty((rows, sample.TILE), np.float16)
    out = np.empty((rows, sample.TILE), np.float32)
    got = same_bits(sample.two_pipelines, (x, w, v, middle, out), 4, cores, ("", "0", "2,1"))
    want = step(step(x).astype(np.float16))
    assert np.max(np.abs(got - want) / np.maximum(1, np.abs(want))) < 5e-3
