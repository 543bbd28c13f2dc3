"""SIMT functions in the IR: launches, threads, elements, what each launch does to its tiles; and errors."""

from __future__ import annotations

import textwrap

import pytest
from lowering_kernels import found_in, lower_body, source

from ptopro.diagnostics.catalogue import simt
from ptopro.language.operations.model import Role
from ptopro.lowering import ir, simt_ir
from ptopro.lowering.dump import dump_block
from ptopro.lowering.vector_accesses import tile_uses

LAUNCH = "t = a.next()\npl.simt.launch(f, threads=(32, 8), args=(t, x, n))"
HEAD = "@pl.simt.function(max_threads=256)\ndef f(t, x, n):\n"


def function(body: str, helpers: str = "") -> str:
    """The SIMT function `f(t, x, n)` with this body: a tile, a tensor, a number."""
    return f"{textwrap.dedent(helpers)}\n{HEAD}{textwrap.indent(textwrap.dedent(body).strip(), '    ')}\n"


def launch_of(body: str, launch: str = LAUNCH, helpers: str = "") -> simt_ir.Launch:
    kernel = lower_body(launch, before=function(body, helpers))
    assert kernel.vector is not None
    return next(s for s in ir.walk(kernel.vector.body) if isinstance(s, simt_ir.Launch))


def body_of(body: str, launch: str = LAUNCH, helpers: str = "") -> list[str]:
    """The function as text, without the declaration of its tensor."""
    lines = dump_block(launch_of(body, launch, helpers).function.body)
    return [line for line in lines if not line.startswith("tensor ")]


def test_a_launch_has_threads_and_run_time_arguments() -> None:
    launch = launch_of("t[0, 0] = 1.0")
    assert (launch.threads, launch.max_threads, launch.function.kind) == ((32, 8, 1), 256, "simt")
    assert [p.name for p in launch.function.params] == ["t"]  # nothing else is used


def test_elements_of_tiles_and_tensors() -> None:
    assert body_of("i = pl.simt.linear_thread_idx()\nt[1, i] = x[i, 3] + t[1, i] * 2.0") == [
        "i: INT32 = linear_thread_idx()",
        "t@(64 + INT64(i)) = (x@((INT64(i) * 64) + 3) + (t@(64 + INT64(i)) * 2.0))",
    ]


def test_run_time_dimensions_of_a_tensor_are_parameters() -> None:
    launch = launch_of("t[0, 0] = n * x.shape[0]")
    names = [p.name for p in launch.function.params]
    assert names == ["t", "x", "x_shape0", "n"] or names == ["t", "x_shape0", "n"]


def test_axes_have_names() -> None:
    lines = body_of("p = pl.simt.thread_idx()\nq = pl.simt.block_dim()\nt[0, 0] = p.x + q.z")
    assert lines == ["t@0 = FP32((threadIdx.x() + blockDim.z()))"]


def test_early_return_loops_and_branches() -> None:
    lines = body_of(
        """
        i = pl.simt.linear_thread_idx()
        if i >= n:
            return
        s = 0.0
        for j in pl.range(n):
            s = s + x[j, i]
        t[0, i] = s
        """
    )
    assert [line.strip() for line in lines[1:4]] == ["if (i >= n):", "return", "s: FP32 = 0.0"]
    assert lines[4].startswith("for j in range(0, n, 1):")


def test_a_function_that_threads_call_returns_a_number() -> None:
    helpers = """
    @pl.simt.function
    def twice(v: pl.DT_FP32) -> pl.DT_FP32:
        return v + v
    """
    assert body_of("t[0, 0] = twice(t[0, 1])", helpers=helpers) == ["t@0 = twice(t@1)"]


def test_atomic_updates() -> None:
    lines = body_of("pl.simt.atomic_add(t, [0, n], 1.0)\nold = pl.simt.atomic_max(x, [n, 0], 2.0)\nt[0, 0] = old")
    assert lines[0] == "simt.atomic_add(t, INT64(n), 1.0)"
    assert lines[1] == "before = simt.atomic_max(x, (INT64(n) * 64), 2.0)"


def test_one_function_for_each_combination_of_types() -> None:
    launch = LAUNCH + "\nu = b.next()\nf[256](u, y, n)\nf[16](u, y, m)"
    kernel = lower_body(launch, before=function("t[0, 0] = x[0, 0] + n"))
    assert kernel.vector is not None
    launches = [s for s in ir.walk(kernel.vector.body) if isinstance(s, simt_ir.Launch)]
    assert [s.threads for s in launches] == [(32, 8, 1), (256, 1, 1), (16, 1, 1)]
    assert launches[0].function is launches[1].function  # n is INT32 in both
    assert launches[0].function is not launches[2].function


def test_what_a_launch_does_to_its_tiles() -> None:
    helpers = """
    @pl.simt.function
    def put(t, i, v):
        t[0, i] = v
    """

    def role(body: str) -> Role:
        launch = launch_of(body, helpers=helpers)
        (use,) = tile_uses(launch.function).values()
        return use.role

    assert role("x[0, 0] = t[0, 0]") is Role.IN
    assert role("if t[0, 0] > 0.0:\n    x[0, 0] = 1.0") is Role.IN
    assert role("t[0, 0] = 1.0") is Role.INOUT  # one element: what the others hold stays
    assert role("put(t, n, 1.0)") is Role.INOUT
    assert role("pl.simt.atomic_add(t, [0, 0], 1.0)") is Role.INOUT


# ---- errors ------------------------------------------------------------------------------------------------------------

PLAIN = HEAD + "    t[0, 0] = 1.0\n"
# code, text under the caret, body of the kernel, module level
WRONG = [
    ("PTO1085", "pl.simt.linear_thread_idx()", "i = pl.simt.linear_thread_idx()", ""),
    ("PTO1085", "pl.simt.exp(2.0)", "v = pl.simt.exp(2.0)", ""),
    ("PTO1086", "f(t, x, n)", "t = a.next()\nf(t, x, n)", PLAIN),
    ("PTO1087", "f(t, x, n)", "t = a.next()\npl.simt.launch(g, threads=1, args=(t, x, n))",
     PLAIN + "@pl.simt.function(max_threads=4)\ndef g(t, x, n):\n    f(t, x, n)\n"),
    ("PTO1088", "pl.simt.launch(f", "t = a.next()\npl.simt.launch(f, threads=4, args=(t,))",
     "@pl.simt.function\ndef f(t):\n    t[0, 0] = 1.0\n"),
    ("PTO1088", "n", "pl.simt.launch(n, threads=4, args=(x,))", ""),
    ("PTO1089", "n", "t = a.next()\npl.simt.launch(f, threads=n, args=(t, x, n))", PLAIN),
    ("PTO1089", "(1, 1, 1, 1)", "t = a.next()\npl.simt.launch(f, threads=(1, 1, 1, 1), args=(t, x, n))", PLAIN),
    ("PTO1089", "0", "t = a.next()\nf[0](t, x, n)", PLAIN),
    ("PTO1090", "f[4]", "t = a.next()\npl.simt.launch(g, threads=1, args=(t, x, n))",
     PLAIN + "@pl.simt.function(max_threads=4)\ndef g(t, x, n):\n    f[4](t, x, n)\n"),
    ("PTO1091", "(32, 16)", "t = a.next()\npl.simt.launch(f, threads=(32, 16), args=(t, x, n))", PLAIN),
    ("PTO1092", "def f", "t = a.next()\npl.simt.launch(f, threads=4, args=(t,))",
     "@pl.simt.function(max_threads=4)\ndef f(t, by=2.0):\n    t[0, 0] = by\n"),
    ("PTO1093", "a", "pl.simt.launch(f, threads=4, args=(a, x, n))", PLAIN),
    ("PTO1094", "def f", LAUNCH, HEAD + "    return t[0, 0]\n"),
    ("PTO1095", "pl.muls", LAUNCH, HEAD + "    pl.muls(t, t, 2.0)\n"),
    ("PTO1095", "t[0:1, 0:8]", LAUNCH, HEAD + "    u = t[0:1, 0:8]\n"),
    ("PTO1062", "g(v)", LAUNCH, "@pl.simt.function\ndef g(v):\n    return g(v)\n" + HEAD + "    t[0, 0] = g(1.0)\n"),
    ("PTO1202", "t", LAUNCH, HEAD + "    pl.simt.atomic_and(t, [0, 0], 1)\n"),
    ("PTO1285", "pl.simt.launch(f", "", PLAIN),
]  # fmt: skip


@pytest.mark.parametrize(("code", "under", "body", "before"), WRONG)
def test_errors(code: str, under: str, body: str, before: str) -> None:
    if code == "PTO1285":
        body = "t = a.next()\npl.muls(t, t, 2.0)"
        text = source(body, before=before)
        text += "    with pl.section_cube():\n        pl.simt.launch(f, threads=4, args=(a.current(), x, n))\n"
        from lowering_kernels import lower_text

        found = lower_text(text)[1]
    else:
        text = source(body, before=before)
        found = found_in(body, before=before)
    assert [d.code for d in found] == [code], [d.message for d in found]
    span = found[0].span
    assert span is not None
    line = text.splitlines()[span.line - 1]
    assert line[span.col - 1 :].startswith(under)


def test_every_error_of_simt_is_tested() -> None:
    assert {entry.code for entry in simt.ENTRIES} == {
        code for code, *_ in WRONG if code < "PTO1096" and code > "PTO1084"
    }


def test_a_tensor_that_is_only_written_is_passed() -> None:
    names = [p.name for p in launch_of("x[n, 0] = 1.0").function.params]
    assert names[0] == "x" and "n" in names
