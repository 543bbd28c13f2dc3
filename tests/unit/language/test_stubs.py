"""The stub that editors read is the one that the table gives."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from ptopro.language import stubs
from ptopro.language.operations.table import OPERATIONS
from ptopro.language.surface.names import MODULES


def test_stub_is_up_to_date() -> None:
    assert stubs.main(["--check"]) == 0


def test_stub_that_is_out_of_date_is_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(stubs, "TARGET", tmp_path / "__init__.pyi")
    assert stubs.main(["--check"]) == 1
    assert "out of date" in capsys.readouterr().out
    assert stubs.main([]) == 0
    assert stubs.main(["--check"]) == 0


def test_stub_names_everything() -> None:
    tree = ast.parse(stubs.stub_text())
    names = set()
    for node in tree.body:
        if isinstance(node, (ast.ClassDef, ast.FunctionDef)):
            names.add(node.name)
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            names.add(node.target.id)
        elif isinstance(node, ast.Assign):
            names |= {target.id for target in node.targets if isinstance(target, ast.Name)}
        elif isinstance(node, ast.ImportFrom):
            names |= {alias.asname or alias.name for alias in node.names}
    operations = {name for name in OPERATIONS if "." not in name}
    surface = {name for group in MODULES.values() for name in group}
    assert (operations | surface) - names == set()


def test_stub_gives_each_parameter() -> None:
    tree = ast.parse(stubs.stub_text())
    functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    arguments = functions["store"].args
    assert [a.arg for a in arguments.args] == ["dst_tensor", "src_tile", "offsets"]
    assert [a.arg for a in arguments.kwonlyargs] == ["relu_pre_mode", "scale", "order", "atomic", "phase"]
