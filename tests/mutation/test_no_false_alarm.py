"""Kernels that are right stay silent: every sample, every setting, slow pipes and random orders, bit-identical.

`make mutate` takes 20 random orders, `make test` fewer.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from checked_samples import SAMPLES, TARGET, built, inputs_of, read

from ptopro.check.builds import EXPANDED, SERIAL
from ptopro.check.compare import bit_differences
from ptopro.check.runs import execute, schedules, serial_schedule

SEEDS = 20 if os.environ.get("PTOPRO_ALL_SEEDS") else 3
CORES = 2
SETTINGS = [(name, preload) for name, sample in SAMPLES.items() for preload in sample.preloads]


@pytest.mark.parametrize(("name", "preload"), SETTINGS, ids=[f"{name}-{preload}" for name, preload in SETTINGS])
def test_silent_and_bit_identical(name: str, preload: int | tuple[int, ...] | None, tmp_path: Path) -> None:
    sample = SAMPLES[name]
    kernel, sink = read(sample)
    assert kernel is not None and not sink.diagnostics
    (inputs, *_) = inputs_of(sample, kernel)
    form, sink = built(kernel, EXPANDED, tmp_path, preload)
    assert form is not None and not sink.has_errors, sink.diagnostics
    planned = [(form, schedule) for schedule in schedules("adversarial", 0, SEEDS, TARGET.chip)]
    if SERIAL in kernel.forms:
        serial, _ = built(kernel, SERIAL, tmp_path)
        assert serial is not None
        planned.insert(0, (serial, serial_schedule(TARGET.chip)))
    outcomes = [execute(kernel, each, inputs, CORES, schedule) for each, schedule in planned]
    for outcome in outcomes:
        assert not outcome.findings, (outcome.label, outcome.findings)
        assert not bit_differences(outcomes[0].outputs, outcome.outputs), outcome.label
    assert len(outcomes) >= SEEDS + 8
