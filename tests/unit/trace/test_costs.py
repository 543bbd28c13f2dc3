"""Figures of the time model: the machine's own, a user's over them, and what is wrong in a user's file."""

import pytest

from ptopro.diagnostics import DiagnosticError
from ptopro.simulator import abi
from ptopro.trace.costs import FIGURES, CostModel, read_costs


def write(tmp_path, text):
    path = tmp_path / "costs.toml"
    path.write_text(text)
    return str(path)


def test_every_figure_of_the_machine_is_described():
    assert tuple(FIGURES) == tuple(name for name, _ in abi.Costs._fields_[1:])


def test_a_chip_over_all_chips(tmp_path):
    path = write(tmp_path, "mte2 = 500\nissue = 1.5\n[a5]\nmte2 = 600\n[a3]\nmte2 = 700\n")
    assert read_costs(path, "a5") == {"mte2": 600, "issue": 1.5}
    assert read_costs(path, "a3") == {"mte2": 700, "issue": 1.5}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("mte_2 = 5", "no figure `mte_2`; did you mean `mte2`?"),
        ("mte2 = '5'", "must be a number"),
        ("mte2 = -1", "must be a number"),
        ("mte2 = true", "must be a number"),
        ("gm_to_ub = 0", "more than 0"),
        ("[a9]\nmte2 = 5", "`[a9]` is no chip"),
        ("[a3]\nmte_2 = 5", "no figure `mte_2`"),
        ("mte2 =", ""),
    ],
)
def test_what_is_wrong_in_a_file(tmp_path, text, words):
    with pytest.raises(DiagnosticError) as caught:
        read_costs(write(tmp_path, text), "a5")
    (found,) = caught.value.diagnostics
    assert found.code == "PTO1868" and words in found.message


def test_no_such_file(tmp_path):
    with pytest.raises(DiagnosticError):
        read_costs(str(tmp_path / "none.toml"), "a5")


def test_estimates_are_marked():
    model = CostModel("a5", {"mte2": 500, "gm_to_ub": 40}, {"mte2": "my.toml", "gm_to_ub": "platform"})
    assert model.lines()[1:] == ["    platform: gm_to_ub 40", "    my.toml: mte2 500"]
    assert "estimate" in model.lines()[0]
