"""References of a user: how they are found, called, and what they may give."""

import numpy as np
import pytest

from ptopro.check.inputs import Inputs
from ptopro.check.reference import load_reference, wanted_results
from ptopro.diagnostics import DiagnosticError

INPUTS = Inputs({"x": np.ones((2, 2), np.float32), "y": np.zeros((2, 2), np.float32), "n": 3})


def call(function, written=("y",)):
    return wanted_results("refs:f", function, INPUTS, written)


def test_by_module_and_by_file(tmp_path, monkeypatch):
    (tmp_path / "refs_of_test.py").write_text("def f(x): return x + 1\n")
    monkeypatch.chdir(tmp_path)
    for text in ("refs_of_test:f", "refs_of_test.py:f", f"{tmp_path}/refs_of_test.py:f"):
        assert load_reference(text)(1) == 2


@pytest.mark.parametrize(
    "text", ["refs", ":f", "refs:", "no_such_module_here:f", "none.py:f", "math:no_such", "math:pi"]
)
def test_references_that_are_none(text):
    with pytest.raises(DiagnosticError) as caught:
        load_reference(text)
    assert caught.value.diagnostics[0].code == "PTO1865"


def test_arguments_by_name():
    assert (call(lambda x, n: x * n)["y"] == 3).all()
    assert (call(lambda **all_: all_["x"] * all_["n"])["y"] == 3).all()


def test_what_it_may_give():
    both = {"x": INPUTS.values["x"], "y": INPUTS.values["y"]}
    assert list(call(lambda x, y: (x, y), ("x", "y"))) == ["x", "y"]
    assert list(call(lambda x, y: both, ("x", "y"))) == ["x", "y"]
    assert list(call(lambda x, y: {"y": y}, ("x", "y"))) == ["y"]


def test_it_cannot_change_the_inputs():
    def careless(x):
        x += 1
        return x

    call(careless)
    assert (INPUTS.values["x"] == 1).all()


@pytest.mark.parametrize(
    "function",
    [lambda x: None, lambda x: (x, x), lambda x: {"z": x}, lambda x: x[0], lambda x: 1 / 0, dict],
)
def test_what_it_may_not_give(function):
    with pytest.raises(DiagnosticError) as caught:
        call(function)
    assert caught.value.diagnostics[0].code == "PTO1865"
