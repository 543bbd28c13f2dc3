"""Fixtures that all tests share: golden files."""

from __future__ import annotations

import difflib
from collections.abc import Callable
from pathlib import Path

import pytest

GOLDEN = Path(__file__).parent / "golden"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="rewrite the expected files in tests/golden")


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """`golden("codegen/add/kernel.cpp", text)`: the text equals that file of tests/golden.

    `pytest --update-golden` writes the file instead; the difference is then reviewed like any other.
    """

    def compare(name: str, text: str) -> None:
        path = GOLDEN / name
        if request.config.getoption("--update-golden"):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
            return
        assert path.exists(), f"{name} is missing; pytest --update-golden writes it"
        expected = path.read_text()
        if text != expected:
            lines = (expected.splitlines(), text.splitlines())
            difference = "\n".join(difflib.unified_diff(*lines, f"expected {name}", "now", lineterm=""))
            pytest.fail(f"{difference}\n\npytest --update-golden accepts the new text", pytrace=False)

    return compare
