"""The mutator leaves out no lock, flag, credit or barrier of any sample, and every mutant is a Python text of its own."""

from __future__ import annotations

import ast
import re
from collections import Counter

import pytest
from checked_samples import SAMPLES, expanded_text
from mutator import mutants_of


@pytest.mark.parametrize("name", SAMPLES)
def test_every_piece_of_synchronisation_has_its_mutant(name: str) -> None:
    text = expanded_text(SAMPLES[name])
    mutants = mutants_of(text)
    kinds = Counter(mutant.kind for mutant in mutants)
    flags = len(re.findall(r"\.(?:set|wait)_cross_core\(|\.sync_(?:src|dst)\(", text))
    assert kinds["lock pair"] == text.count(".mutex_lock(") == text.count(".mutex_unlock(")
    assert kinds["set"] + kinds["wait"] + kinds["credit"] == kinds["event id"] == flags
    assert kinds["barrier"] == len(re.findall(r"\.(?:sync_all|mem_bar|bar_\w+)\(", text))
    assert len({mutant.text for mutant in mutants} | {text}) == len(mutants) + 1
    for mutant in mutants:
        ast.parse(mutant.text)
