"""Sweeps: axes, the numbers of a module, the table."""

import ast
from pathlib import Path

import pytest

from ptopro.check.request import Request
from ptopro.diagnostics import DiagnosticError
from ptopro.lowering.target import Target
from ptopro.trace.sweep import Axis, Job, Point, jobs, parse_axes, run_all, sweep_table, with_constants


def test_axes():
    assert parse_axes(["preload=0..2", "TILE=64,0x80", "F=0.5"]) == [
        Axis("preload", (0, 1, 2)), Axis("TILE", (64, 128)), Axis("F", (0.5,)),
    ]  # fmt: skip


@pytest.mark.parametrize("text", ["preload", "preload=", "a-b=1", "N=a,b", "N=3..1", "N=1.5..2"])
def test_axes_that_are_none(text):
    with pytest.raises(DiagnosticError) as caught:
        parse_axes([text])
    assert caught.value.diagnostics[0].code == "PTO1869"


def test_one_name_twice():
    with pytest.raises(DiagnosticError):
        parse_axes(["N=1", "N=2"])


def test_other_numbers_keep_every_line_where_it_was():
    text = "A = 1  # one\nB: int = 2 * (\n    3\n)\nC = 'é'; D = A\nz = 1\n"
    changed = with_constants(text, {"A": 7, "B": 8, "D": 0.5})
    assert changed.splitlines()[0] == "A = 7  # one" and changed.splitlines()[-1] == "z = 1"
    assert len(changed.splitlines()) == len(text.splitlines())
    names = {}
    exec(compile(ast.parse(changed), "k", "exec"), names)
    assert (names["A"], names["B"], names["D"]) == (7, 8, 0.5)


@pytest.mark.parametrize("text", ["", "N = 1\nN = 2\n", "N = 'a'\n", "N = [1]\n", "def f():\n    N = 1\n"])
def test_names_that_cannot_be_swept(text):
    with pytest.raises(DiagnosticError) as caught:
        with_constants(text, {"N": 3})
    assert caught.value.diagnostics[0].code == "PTO1869"


def test_one_job_for_each_combination():
    job = Job("k.py", "N = 1\n", "k", Target(), Request(), Path("build"), {})
    found = jobs([Axis("preload", (0, 1)), Axis("N", (4, 8))], job)
    assert [(each.preload, each.text) for each in found] == [
        (0, "N = 4\n"), (0, "N = 8\n"), (1, "N = 4\n"), (1, "N = 8\n"),
    ]  # fmt: skip
    assert len({each.build_dir for each in found}) == 4


def test_a_point_that_is_wrong_is_a_row_of_the_table():
    job = Job(
        "k.py",
        "import ptopro.language as pl\n\n@pl.jit\ndef k(x): pass\n",
        "k",
        Target(),
        Request(),
        Path("b"),
        {"N": 1},
    )
    seen = []
    (point,) = run_all([job], 1, lambda: seen.append(1))
    assert point.failure.startswith("PTO1") and seen == [1]


def test_table():
    points = [Point({"N": 4}, 200, 100, 1.5, "cube, M"), Point({"N": 16}, failure="PTO1305: no room")]
    assert sweep_table([*points, Point({"N": 8}, 100, 80, None, "V")]).splitlines() == [
        " N  cycles  bound  ratio  steady  speed-up  busiest pipe",
        " 4     200    100   2.00    1.50      1.00  cube, M",
        "16  PTO1305: no room",
        " 8     100     80   1.25       -      2.00  V",
    ]
