"""Kernels read from live functions have the values of the running program."""

from __future__ import annotations

import live_program
import pytest
from frontend_files import evaluate, refusal

from ptopro.diagnostics.core import Sink
from ptopro.frontend.live import kernel_from_function
from ptopro.frontend.values import Dim, FunctionKind, LanguageName
from ptopro.language import dtypes


def read(kernel, **live_values):
    sink = Sink()
    found = kernel_from_function(kernel.function, live_values, options=kernel.options, sink=sink)
    assert sink.diagnostics == []
    return found


def test_options_parameters_and_place():
    kernel = read(live_program.make(2))
    x, n, t = kernel.parameters
    assert (kernel.name, kernel.made_by, kernel.options.auto_mutex, kernel.launchable) == ("scale", "make", False, True)
    assert x.annotation.dims == (Dim.DYNAMIC, 128) and x.annotation.dtype is dtypes.FP16
    assert (n.default, t.keyword_only) == (3, True)
    assert [(f.name, f.length, f.default) for f in t.annotation.fields] == [
        ("n", 0, None),
        ("op", 4, None),
        ("scale", 0, 2.0),
    ]
    assert kernel.module.lines[kernel.span.line - 1].strip() == "def scale("


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("count", 2),
        ("inner(3)", 131),
        ("ROWS", 64),
        ("EPSILON", 0.5),
        ("TABLE['a'][1] + TABLE['b'][0]", 5),
        ("halved(9)", 4),
        ("double(2.2)", 5),
        ("Mode.B + 1", 3),
        ("Mode(2).name", "B"),
        ("Sizes.area(4)", 12),
        ("SHAPE.area()", 35),
        ("Shape(2, n=3).area()", 6),
        ("isinstance(SHAPE, Shape)", True),
        ("pl.DT_FP16", dtypes.FP16),
        ("TILE.shape[0]", 16),
        ("vf.add", LanguageName("vf.add")),
        ("pl.system.bar_all", LanguageName("system.bar_all")),
        ("np.inf > 1", True),
    ],
)
def test_values_of_the_program(expression, expected):
    assert evaluate(read(live_program.make(2)), expression) == expected


def test_kernels_of_a_factory_differ():
    first, second = read(live_program.make(1)), read(live_program.make(5))
    assert (evaluate(first, "rows"), evaluate(second, "rows")) == (64, 320)


def test_functions_keep_their_kind():
    assert evaluate(read(live_program.make(1)), "register_code").kind is FunctionKind.VECTOR_FUNCTION


def test_given_values_come_first():
    assert evaluate(read(live_program.make(1), ROWS=5), "ROWS") == 5


def test_other_objects_are_unknown():
    assert "object of the running program" in refusal(read(live_program.make(1)), "UNKNOWN").reason


def test_a_changed_global_counts(monkeypatch):
    kernel = live_program.make(1)
    monkeypatch.setattr(live_program, "ROWS", 9)
    assert evaluate(read(kernel), "ROWS") == 9


def test_a_function_without_text_is_refused():
    names: dict[str, object] = {}
    exec("def k(a): pass", names)
    sink = Sink()
    assert kernel_from_function(names["k"], sink=sink) is None
    assert [d.code for d in sink.diagnostics] == ["PTO1027"]
