"""Loops and variables: what Python means, in C++ that reads like it."""

from __future__ import annotations

from cpp_building import at, f32, i64, kernel, op, operate, ref, scalar_param, tensor, tensor_param, var

from ptopro.codegen import generate
from ptopro.language.dtypes import BOOL, INT64
from ptopro.language.enums import PipeType
from ptopro.lowering import ir

OUT = tensor("out", 1024, dtype=INT64)
N = var("n")


def put(line: int, value: ir.Expr) -> ir.Operate:
    return operate(line, "setval", PipeType.S, container=OUT, offset=i64(0), value=value)


def body_of(block: ir.Block) -> list[str]:
    """The lines of the vector half's body without comments and indentation of the function."""
    text = generate(kernel("k", (tensor_param(OUT), scalar_param(N)), vector=block)).files["kernel.cpp"]
    body = text.partition("set_vector_mask(-1, -1);\n")[2].partition("\n}\n")[0]
    lines = (line.partition("  // ")[0][2:].rstrip() for line in body.splitlines())
    return [line for line in lines if line and not line.startswith("//")]


def for_(variable: ir.Var, start: ir.Expr, stop: ir.Expr, step: int | ir.Expr, body: ir.Block, sign: int = 1) -> ir.For:
    return ir.For(at(3), variable, start, stop, i64(step) if isinstance(step, int) else step, sign, body)


def test_a_loop_counts_up() -> None:
    i = var("i")
    assert body_of((for_(i, i64(0), ref(N), 1, (put(4, ref(i)),)),)) == [
        "for (int64_t i = 0; i < n; ++i) {",
        "  out[0] = i;",
        "}",
    ]


def test_a_negative_step_compares_downwards() -> None:
    i = var("i")
    assert body_of((for_(i, op("-", ref(N), i64(1)), i64(-1), -1, (put(4, ref(i)),), -1),)) == [
        "for (int64_t i = n - 1; i > -1; --i) {",
        "  out[0] = i;",
        "}",
    ]


def test_a_step_of_unknown_sign_compares_by_its_sign() -> None:
    i, s = var("i"), var("s")
    block = (ir.Assign(at(2), s, op("-", i64(0), ref(N))), for_(i, i64(0), ref(N), ref(s), (put(4, ref(i)),), 0))
    assert body_of(block)[1] == "for (int64_t i = 0; s > 0 ? i < n : s < 0 && i > n; i += s) {"


def test_bounds_that_the_body_changes_are_evaluated_once() -> None:
    i, m = var("i"), var("m")
    block = (
        ir.Assign(at(2), m, ref(N)),
        for_(i, i64(0), ref(m), 2, (ir.Assign(at(4), m, op("+", ref(m), i64(1))), put(5, ref(m)))),
    )
    assert body_of(block) == [
        "int64_t m = n;",
        "const int64_t i_stop = m;",
        "for (int64_t i = 0; i < i_stop; i += 2) {",
        "  m += 1;",
        "  out[0] = m;",
        "}",
    ]


def test_the_variable_has_its_value_after_the_loop() -> None:
    i = var("i")
    block = (for_(i, i64(0), ref(N), 1, (put(4, ref(i)),)), put(5, ref(i)))
    assert body_of(block) == [
        "int64_t i = 0;",
        "for (int64_t i_next = 0; i_next < n; ++i_next) {",
        "  i = i_next;",
        "  out[0] = i;",
        "}",
        "out[0] = i;",
    ]


def test_assigning_the_variable_does_not_change_the_trips() -> None:
    i = var("i")
    block = (for_(i, i64(0), ref(N), 1, (ir.Assign(at(4), i, op("*", ref(i), i64(2))), put(5, ref(i)))),)
    assert body_of(block) == [
        "int64_t i = 0;",
        "for (int64_t i_next = 0; i_next < n; ++i_next) {",
        "  i = i_next;",
        "  i *= 2;",
        "  out[0] = i;",
        "}",
    ]


def test_two_loops_over_one_variable_each_declare_it() -> None:
    i = var("i")
    block = tuple(for_(i, i64(0), ref(N), 1, (put(4, ref(i)),)) for _ in range(2))
    assert body_of(block).count("for (int64_t i = 0; i < n; ++i) {") == 2


def test_a_value_carried_to_the_next_trip_is_declared_outside() -> None:
    i, x = var("i"), var("x")
    block = (
        for_(
            i,
            i64(0),
            ref(N),
            1,
            (ir.If(at(4), op("==", ref(i), i64(0)), (ir.Assign(at(5), x, i64(5)),), ()), put(6, ref(x))),
        ),
    )
    assert body_of(block)[:3] == [
        "int64_t x = 0;",
        "for (int64_t i = 0; i < n; ++i) {",
        "  if (i == 0) {",
    ]


def test_a_value_that_both_branches_set_stays_in_the_loop() -> None:
    i, x = var("i"), var("x")
    branch = ir.If(at(4), op("==", ref(i), i64(0)), (ir.Assign(at(5), x, i64(5)),), (ir.Assign(at(6), x, ref(i)),))
    block = (for_(i, i64(0), ref(N), 1, (branch, put(7, ref(x)))),)
    assert body_of(block) == [
        "for (int64_t i = 0; i < n; ++i) {",
        "  int64_t x = 0;",
        "  if (i == 0) {",
        "    x = 5;",
        "  } else {",
        "    x = i;",
        "  }",
        "  out[0] = x;",
        "}",
    ]


def test_elif_stays_flat() -> None:
    last = ir.If(at(6), op(">", ref(N), i64(2)), (put(7, i64(2)),), (put(8, i64(3)),))
    block = (ir.If(at(4), op(">", ref(N), i64(5)), (put(5, i64(1)),), (last,)),)
    assert [line for line in body_of(block) if "if" in line or "else" in line] == [
        "if (n > 5) {",
        "} else if (n > 2) {",
        "} else {",
    ]


def test_while_break_and_continue() -> None:
    x = var("x")
    block = (
        ir.Assign(at(2), x, ref(N)),
        ir.While(
            at(3),
            op("and", op(">", ref(x), i64(0)), ir.Unary("not", op("==", ref(x), i64(7)), BOOL)),
            (
                ir.Assign(at(4), x, op("-", ref(x), i64(1))),
                ir.If(at(5), op("==", ref(x), i64(3)), (ir.Continue(at(6)),), (ir.Break(at(7)),)),
            ),
        ),
        put(8, ref(x)),
    )
    assert body_of(block) == [
        "int64_t x = n;",
        "while (x > 0 && x != 7) {",
        "  x -= 1;",
        "  if (x == 3) {",
        "    continue;",
        "  } else {",
        "    break;",
        "  }",
        "}",
        "out[0] = x;",
    ]


def test_what_the_half_does_not_read_is_not_there() -> None:
    a, b, i, unused = var("a"), var("b"), var("i"), var("unused")
    block = (
        ir.Assign(at(2), a, op("+", ref(N), i64(1))),
        ir.Assign(at(3), b, op("*", ref(a), i64(2))),
        for_(i, i64(0), ref(N), 1, (ir.Assign(at(5), unused, ref(i)), ir.Assign(at(6), b, op("+", ref(b), ref(i))))),
        put(7, f32(1.0)),
    )
    assert body_of(block) == ["out[0] = 1;"]
