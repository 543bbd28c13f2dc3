"""Some mutants of every sample, each of another kind, are found; `make mutate` judges them all."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest
from checked_samples import SAMPLES
from equivalent import BY_HAND, IN_ROUND, is_meant, reason_of
from judge import judge, mutants
from mutator import Mutant

pytestmark = pytest.mark.slow
KINDS = 3  # of each sample


def chosen(sample: str) -> list[Mutant]:
    """The mutants of different kinds with the lowest digests, of those that can be told from the kernel."""
    found: dict[str, Mutant] = {}
    for mutant in sorted(mutants(sample), key=lambda each: hashlib.sha256(each.text.encode()).digest()):
        if mutant.kind != "slots" and mutant.kind not in found and not reason_of(sample, None, mutant):
            found[mutant.kind] = mutant
    return list(found.values())[:KINDS]


@pytest.mark.parametrize("name", SAMPLES)
def test_mutants_are_found(name: str, tmp_path: Path) -> None:
    sample, found = SAMPLES[name], chosen(name)
    assert found
    for mutant in found:
        assert judge(sample, mutant, tmp_path), mutant


def test_every_reason_is_for_a_mutant_that_exists() -> None:
    for name, kind, change, part in (*BY_HAND, *IN_ROUND):
        assert any(
            mutant.kind == kind and mutant.change.startswith(change) and is_meant(mutant, part)
            for setting in SAMPLES[name].mutated
            for mutant in mutants(name, setting)
        ), (name, kind, change, part)
