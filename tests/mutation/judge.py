"""Build and run a mutant with every check of the machine, and tell what was found.

In: a `Sample`, a `Mutant`.  Out: codes.  What counts as found is what `ptopro check`
reports: static errors, findings of the machine under the schedules of a check, and results that are not those of the
kernel that was not mutated, bit by bit.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from checked_samples import SAMPLES, TARGET, Sample, Setting, expanded_text, inputs_of, read
from mutator import Mutant, mutants_of
from quick_build import compiled

from ptopro.build import commands
from ptopro.build.cache import digest_of_files
from ptopro.check.builds import EXPANDED, Built, Kernel
from ptopro.check.compare import bit_differences
from ptopro.check.runs import execute, schedules
from ptopro.codegen.driver import codegen_kernel
from ptopro.codegen.options import CodegenOptions
from ptopro.diagnostics import Severity, Sink
from ptopro.expand.model import ExpandOptions
from ptopro.frontend.source import load_module

if TYPE_CHECKING:
    from ptopro.check.inputs import Array

WRONG_RESULT = "PTO1860"
NO_CPP = "PTO1710"


@dataclass(frozen=True)
class Generated:
    """files: C++ of a kernel; codes: of errors, when there are none."""

    files: Mapping[str, str]
    entry: str = ""
    dynamic: tuple[tuple[str, int], ...] = ()
    codes: tuple[str, ...] = ()


@cache
def mutants(sample: str, setting: Setting = None) -> tuple[Mutant, ...]:
    return tuple(mutants_of(expanded_text(SAMPLES[sample], setting)))


def generate(sample: Sample, text: str) -> Generated:
    """The C++ of an expanded kernel, or what stage by stage is said against it."""
    sink = Sink()
    module = load_module(str(sample.path), text, sink=sink)
    if not sink.has_errors:
        found = codegen_kernel(
            module.kernels[0], target=TARGET, options=CodegenOptions(), expand_options=ExpandOptions(), sink=sink
        )
        if found is not None and not sink.has_errors:
            files = {name: text for name, text in found.files.items() if name.endswith((".cpp", ".h", ".hpp"))}
            return Generated(files, found.signature.entry, found.signature.dynamic)
    errors = [each.code for each in sink.diagnostics if each.severity is Severity.ERROR]
    return Generated({}, codes=tuple(dict.fromkeys(errors)))


def key_of(sample: Sample, generated: Generated) -> str:
    """The same for the same C++ on the same inputs and machine."""
    parts = [_machine(), repr(sample.requests), *(part for file in sorted(generated.files.items()) for part in file)]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:24]


@cache
def _machine() -> str:
    return digest_of_files(commands.package_root(), ("*.hpp", "*.h", "*.cpp"))


def judge(sample: Sample, mutant: Mutant, folder: Path) -> tuple[str, ...]:
    """The codes of what was found, each once; empty: the mutant escaped."""
    generated = generate(sample, mutant.text)
    return generated.codes or run(sample, generated, folder)


def run(sample: Sample, generated: Generated, folder: Path) -> tuple[str, ...]:
    """Stops at the first launch that finds something."""
    kernel = _kernel(sample.name)
    form = _built(sample, generated, folder)
    if form is None:
        return (NO_CPP,)
    for inputs, right in zip(inputs_of(sample, kernel), _right(sample.name, folder), strict=True):
        for schedule in schedules("fixed", 0, 0, TARGET.chip):
            outcome = execute(kernel, form, inputs, sample.cores, schedule)
            if outcome.findings:
                return tuple(dict.fromkeys(finding.code for finding in outcome.findings))
            if bit_differences(right, outcome.outputs):
                return (WRONG_RESULT,)
    return ()


def _built(sample: Sample, generated: Generated, folder: Path) -> Built | None:
    library = compiled(generated.files, folder, key_of(sample, generated))
    return None if library is None else Built(EXPANDED, library, generated.entry, generated.dynamic, folder)


@cache
def _kernel(name: str) -> Kernel:
    kernel, _ = read(SAMPLES[name])
    assert kernel is not None
    return kernel


@cache
def _right(name: str, folder: Path) -> list[Mapping[str, Array]]:
    """What the sample computes when nothing is mutated, for each of its inputs."""
    sample, kernel = SAMPLES[name], _kernel(name)
    form = _built(sample, generate(sample, expanded_text(sample)), folder)
    assert form is not None
    found = []
    for inputs in inputs_of(sample, kernel):
        outcome = execute(kernel, form, inputs, sample.cores, next(schedules("fixed", 0, 0, TARGET.chip)))
        assert not outcome.findings, outcome.findings
        found.append(outcome.outputs)
    return found
