"""What a check was asked for: flags over a kernel's table over the common table."""

import pytest

from ptopro.check.request import Request, parse_args, parse_shapes, request_for
from ptopro.diagnostics import DiagnosticError


def code_of(call, *arguments):
    with pytest.raises(DiagnosticError) as caught:
        call(*arguments)
    return caught.value.diagnostics[0].code


def test_shapes():
    assert parse_shapes(["x=256,128", "y=64x32", "p=4096"]) == {"x": (256, 128), "y": (64, 32), "p": (4096,)}


@pytest.mark.parametrize("text", ["x", "x=", "x=a", "x=0,4", "x=-1"])
def test_shapes_that_are_none(text):
    assert code_of(parse_shapes, [text]) == "PTO1863"


def test_numbers():
    found = parse_args(["n=3", "h=0x10", "scale=0.5", "flag=true", "t.sizes=1,2"])
    assert found == {"n": 3, "h": 16, "scale": 0.5, "flag": True, "t.sizes": (1, 2)}


@pytest.mark.parametrize("text", ["n", "n=", "n=three"])
def test_numbers_that_are_none(text):
    assert code_of(parse_args, [text]) == "PTO1863"


def test_flags_over_the_kernel_over_the_common_table():
    table = {
        "shape": {"x": [8, 8], "y": [2, 2]},
        "cores": 3,
        "seed": 5,
        "add": {"shape": {"x": [4, 4]}, "cores": 4, "reference": "refs:add"},
        "other": {"cores": 9},
    }
    request = request_for("add", {"shapes": {"y": (1, 1)}, "cores": None, "seed": 7}, table)
    assert request.shapes == {"x": (4, 4), "y": (1, 1)}
    assert (request.cores, request.seed, request.reference) == (4, 7, "refs:add")


def test_nothing_asked():
    assert request_for("add", {}, {}) == Request()


@pytest.mark.parametrize(
    "table",
    [{"core": 4}, {"cores": "4"}, {"cores": True}, {"shape": {"x": ["a"]}}, {"shape": {"x": [0]}}, {"arg": {"n": "3"}}],
)
def test_tables_that_say_it_wrongly(table):
    assert code_of(request_for, "add", {}, table) == "PTO1863"
