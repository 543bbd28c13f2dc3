"""Helper functions become functions: specialised where they must be, shared where they can be."""

from __future__ import annotations

import textwrap

from lowering_kernels import HEADER, lower_good, source, statements

from ptopro.lowering import ir
from ptopro.lowering.dump import dump_function
from ptopro.lowering.traversal import reachable_functions


def functions(before: str, body: str) -> list[str]:
    kernel = lower_good(source(body, before=textwrap.dedent(before)))
    assert kernel.vector is not None
    return [dump_function(f) for f in reachable_functions(kernel.vector)[:-1]]


def test_calls_with_the_same_kinds_of_arguments_share_a_function() -> None:
    found = functions(
        "def scale(t, f, i):\n    pl.muls(t, t, f * i)",
        "for i in pl.range(n):\n    scale(a.next(), 2.0, i)\n    scale(b.next(), 0.5, i)",
    )
    assert found == ["scale(t: tile, f: FP32, i: INT64):\n  muls(out=t, tile=t, scalar=(f * i)) on V"]


def test_a_constant_that_decides_something_makes_a_function_of_its_own() -> None:
    before = """
        def part(t, rows, slot):
            pl.set_validshape(t, [rows, 64])
            if rows == 32:
                pl.muls(t, t, 2.0)
            else:
                pl.muls(t, a_group(slot), 3.0)
        def a_group(slot):
            return slot
    """
    found = functions(before.replace("a_group(slot)", "slot", 1), "part(a.next(), 32, b[0])\npart(a.next(), 16, b[1])")
    assert len(found) == 2
    assert "muls(out=t, tile=t, scalar=2.0) on V" in found[0]
    assert "muls(out=t, tile=b[1], scalar=3.0) on V" in found[1]


def test_groups_are_passed_by_identity() -> None:
    kernel = lower_good(source("put(a)\nput(b)\nput(a)", before="def put(g):\n    pl.muls(g.next(), g.current(), 2.0)"))
    assert kernel.vector is not None
    calls = list(statements(kernel.vector, ir.CallStmt))
    assert calls[0].function is calls[2].function and calls[0].function is not calls[1].function  # type: ignore[attr-defined]
    captured = [(name, decl.name) for name, decl in calls[1].function.captures]  # type: ignore[attr-defined]
    assert captured == [("g", "b")]


def test_a_helper_that_only_computes_stands_in_expressions() -> None:
    kernel = lower_good(source("pl.setval(x, up(n), up(m) + 1)", before="def up(v):\n    return (v + 31) // 32 * 32"))
    assert statements(kernel.vector, ir.CallStmt) == []


def test_helpers_of_sibling_files_use_their_own_names(tmp_path: object) -> None:
    from pathlib import Path

    from ptopro.diagnostics import Sink
    from ptopro.frontend.source import load_module
    from ptopro.lowering.kernel import lower_kernel
    from ptopro.lowering.target import Target

    folder = Path(str(tmp_path))
    (folder / "parts.py").write_text(
        "FACTOR = 3\ndef times(v):\n    return v * FACTOR + extra(v)\ndef extra(v):\n    return v\n"
    )
    (folder / "k.py").write_text(
        f"{HEADER}from parts import times\nFACTOR = 5\n@pl.jit\ndef k(x: pl.Tensor[[D, 64], pl.DT_FP32], n: pl.DT_INT32):\n"
        "    with pl.section_vector():\n        pl.setval(x, 0, times(n) * FACTOR)\n"
    )
    sink = Sink()
    module = load_module(str(folder / "k.py"), sink=sink)
    kernel = lower_kernel(module.kernels[0], Target(), sink)
    assert kernel is not None and kernel.vector is not None and sink.diagnostics == []
    helpers = {f.name: f for f in reachable_functions(kernel.vector)[:-1]}
    assert "((v * 3) + extra(v))" in dump_function(helpers["times"]) or "FACTOR" in dump_function(helpers["times"])
    assert helpers["times"].file.endswith("parts.py")
    assert [Path(path).name for path in kernel.depends] == ["parts.py"]
    values = {c.name: c.value for c in kernel.constants}
    assert values == {"FACTOR": 5}


def test_unused_parameters_and_results_are_not_passed() -> None:
    found = functions(
        "def load(t, unused, i):\n    pl.load(t, X, [i, 0])\n    return t".replace("X", "src").replace(
            "(t, unused", "(t, src, unused"
        ),
        "load(a.next(), x, m * 3, n)",
    )
    assert found[0].startswith("load(t: tile, i: INT32) -> tile:")


def test_stages_are_marked() -> None:
    kernel = lower_good(
        source("put(a)", before="@pl.pipeline.stage\ndef put(g):\n    pl.muls(g.next(), g.current(), 2.0)")
    )
    assert kernel.vector is not None
    assert [f.kind for f in reachable_functions(kernel.vector)] == ["stage", "kernel"]
