"""Every operation is in the table and has an example that becomes C++ without a word."""

from __future__ import annotations

import pytest
from operation_names import EXPORTED, HIDDEN

from ptopro.codegen.driver import codegen_file
from ptopro.diagnostics import Sink
from ptopro.language.examples import example_of
from ptopro.language.operations.table import OPERATIONS


def test_the_table_has_every_operation_of_the_language() -> None:
    tile_level = {n: op for n, op in OPERATIONS.items() if not n.startswith("vf.")}
    assert {n for n, op in tile_level.items() if op.exported} == EXPORTED
    assert {n for n, op in tile_level.items() if not op.exported and not n.startswith("simt.")} == HIDDEN


@pytest.mark.parametrize("name", OPERATIONS)
def test_an_example_uses_the_operation_and_is_right(name: str) -> None:
    text, sink = example_of(OPERATIONS[name]), Sink()
    call = name if name.startswith("vf.") else f"pl.{name}"
    assert f"{call}(" in text
    (generated,) = codegen_file("example.py", text, sink=sink)
    assert not sink.diagnostics and "kernel.cpp" in generated.files
