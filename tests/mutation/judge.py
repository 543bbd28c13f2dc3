"""Build and run a mutant with every check of the machine, and tell what was found.

In: a `Sample`, a `Mutant`.  Out: a `Verdict`.  What counts as found is what `ptopro check` reports: static
errors, findings of the machine under the schedules of a check, and results that are not those of the kernel that was
not mutated, bit by bit.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from checked_samples import SAMPLES, TARGET, Sample, built, expanded_text, inputs_of, read
from mutator import Mutant, mutants_of

from ptopro.check.builds import EXPANDED, Built, Kernel
from ptopro.check.compare import bit_differences
from ptopro.check.runs import execute, schedules
from ptopro.diagnostics import DiagnosticError, Severity, Sink

if TYPE_CHECKING:
    from ptopro.check.inputs import Array


@dataclass(frozen=True)
class Verdict:
    """codes: of what was found, in the order in which it was found, each once; empty: the mutant escaped."""

    codes: tuple[str, ...]

    @property
    def caught(self) -> bool:
        return bool(self.codes)


@cache
def mutants(sample: str) -> tuple[Mutant, ...]:
    return tuple(mutants_of(expanded_text(SAMPLES[sample])))


def judge(sample: Sample, mutant: Mutant, folder: Path) -> Verdict:
    """Stops at the first run that finds something."""
    kernel, sink = read(sample, mutant.text)
    if kernel is None:
        return Verdict(_errors(sink))
    try:
        form, sink = built(kernel, EXPANDED, folder)
    except DiagnosticError as error:
        return Verdict(tuple(each.code for each in error.diagnostics))
    if form is None:
        return Verdict(_errors(sink))
    return Verdict(_run(sample, kernel, form, folder))


def _run(sample: Sample, kernel: Kernel, form: Built, folder: Path) -> tuple[str, ...]:
    for inputs, right in zip(inputs_of(sample, kernel), _right(sample.name, folder), strict=True):
        for schedule in schedules("fixed", 0, 0, TARGET.chip):
            outcome = execute(kernel, form, inputs, sample.cores, schedule)
            if outcome.findings:
                return tuple(dict.fromkeys(finding.code for finding in outcome.findings))
            if bit_differences(right, outcome.outputs):
                return ("PTO1860",)
    return ()


@cache
def _right(name: str, folder: Path) -> list[Mapping[str, Array]]:
    """What the sample computes when nothing is mutated, for each of its inputs."""
    sample = SAMPLES[name]
    kernel, _ = read(sample)
    assert kernel is not None
    form, _ = built(kernel, EXPANDED, folder)
    assert form is not None
    found = []
    for inputs in inputs_of(sample, kernel):
        outcome = execute(kernel, form, inputs, sample.cores, next(schedules("fixed", 0, 0, TARGET.chip)))
        assert not outcome.findings, outcome.findings
        found.append(outcome.outputs)
    return found


def _errors(sink: Sink) -> tuple[str, ...]:
    return tuple(dict.fromkeys(each.code for each in sink.diagnostics if each.severity is Severity.ERROR))
