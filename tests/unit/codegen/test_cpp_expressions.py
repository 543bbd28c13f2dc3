"""Scalar expressions: few parentheses, Python's meaning."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from cpp_building import f32, i64, op, ref, var
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from ptopro.codegen.context import FunctionContext, HalfContext
from ptopro.codegen.expressions import NEEDS, render
from ptopro.codegen.names import Names
from ptopro.codegen.options import CodegenOptions
from ptopro.codegen.templates import render_template
from ptopro.language.dtypes import BOOL, FP16, FP32, INT32, INT64, UINT32
from ptopro.lowering import ir

A, B, C = var("a"), var("b"), var("c")
NARROW = var("narrow", INT32)


def context() -> FunctionContext:
    function = ir.FunctionIR("k", params=(A, B, C, NARROW), kind="kernel")
    whole = ir.KernelIR("k", "kernel.py", "a5", (), (), None, function)
    return FunctionContext(HalfContext(whole, "vector", function, Names(), CodegenOptions()), function)


def text(node: ir.Expr) -> str:
    return render(node, context()).text


def test_parentheses_only_where_the_grammar_needs_them() -> None:
    a, b, c = ref(A), ref(B), ref(C)
    assert text(op("+", op("*", a, b), c)) == "a * b + c"
    assert text(op("*", op("+", a, b), c)) == "(a + b) * c"
    assert text(op("-", a, op("-", b, c))) == "a - (b - c)"
    assert text(op("-", op("-", a, b), c)) == "a - b - c"
    assert text(op("<", op("+", a, i64(1)), b)) == "a + 1 < b"
    assert text(ir.Unary("-", op("+", a, b), INT64)) == "-(a + b)"
    assert text(ir.Unary("-", i64(-5), INT64)) == "-(-5)"
    assert text(op("-", a, i64(-5))) == "a - -5"


def test_parentheses_where_compilers_warn() -> None:
    a, b, c = ref(A), ref(B), ref(C)
    both = op("and", op("<", a, b), op("<", b, c))
    assert text(op("or", op("==", a, b), both)) == "a == b || (a < b && b < c)"
    assert text(op("&", op("+", a, b), c)) == "(a + b) & c"
    assert text(op("|", op("&", a, b), c)) == "(a & b) | c"
    assert text(op("<<", op("+", a, b), c)) == "(a + b) << c"


def test_floor_division_is_plain_only_where_nothing_is_negative() -> None:
    a, b = ref(A), ref(B)
    assert text(op("//", a, b, nonnegative=True)) == "a / b"
    assert text(op("%", a, b, nonnegative=True)) == "a % b"
    assert text(op("//", a, b)) == "floor_div<int64_t>(a, b)"
    assert text(op("%", op("-", a, b), i64(4))) == "floor_mod<int64_t>(a - b, 4)"


def test_casts_only_where_promotion_would_differ() -> None:
    a, narrow = ref(A), ref(NARROW)
    assert text(ir.Binary("+", narrow, a, INT64, INT64)) == "narrow + a"
    assert text(ir.Binary("+", narrow, i64(1), INT64, INT64)) == "narrow + 1LL"
    assert text(ir.Binary("+", narrow, ir.Const(1, INT32), INT32, INT32)) == "narrow + 1"
    assert text(ir.Binary("/", a, i64(4), FP32, FP32)) == "static_cast<float>(a) / 4.0f"
    assert text(ir.Binary("*", a, f32(0.5), FP32, FP32)) == "a * 0.5f"
    unsigned = ref(var("u", UINT32))
    assert text(ir.Binary("<", narrow, unsigned, BOOL, INT64)) == (
        "static_cast<int64_t>(narrow) < static_cast<int64_t>(u)"
    )


def test_half_scalars_are_computed_as_floats() -> None:
    half = ref(var("h", FP16))
    assert text(ir.Binary("*", half, f32(2.0), FP32, FP32)) == "static_cast<float>(h) * 2.0f"


def test_not_turns_integer_comparisons_round_but_not_float_ones() -> None:
    a, b = ref(A), ref(B)
    assert text(ir.Unary("not", op("<", a, b), BOOL)) == "a >= b"
    x = ref(var("x", FP32))
    assert text(ir.Unary("not", op("<", x, x), BOOL)) == "!(x < x)"


def test_choice_and_nested_choice() -> None:
    a, b, c = ref(A), ref(B), ref(C)
    inner = ir.Choose(op("<", b, c), b, c, INT64)
    assert text(ir.Choose(op("<", a, b), a, inner, INT64)) == "a < b ? a : b < c ? b : c"
    assert text(op("+", ir.Choose(op("<", a, b), a, b, INT64), i64(1))) == "(a < b ? a : b) + 1"


# ---- the printed text means what Python means ------------------------------------------------------------------------

VALUES = {A: 7, B: -5, C: 3, NARROW: -11}
ARITHMETIC = ("+", "-", "*", "//", "%", "min", "max", "&", "|", "^")
COMPARES = ("==", "!=", "<", "<=", ">", ">=")


def widest(left: ir.Expr, right: ir.Expr) -> object:
    return INT64 if INT64 in (left.dtype, right.dtype) else INT32


def binary(draw_op: str, left: ir.Expr, right: ir.Expr) -> ir.Expr:
    common = widest(left, right)
    if draw_op in COMPARES:
        return ir.Binary(draw_op, left, right, BOOL, common)  # type: ignore[arg-type]
    return ir.Binary(draw_op, left, right, common, common)  # type: ignore[arg-type]


leaves = st.one_of(
    st.sampled_from([A, B, C, NARROW]).map(ref),
    st.integers(-9, 9).map(i64),
    st.integers(-9, 9).map(lambda n: ir.Const(n, INT32)),
)
logic = st.deferred(
    lambda: st.one_of(
        st.builds(binary, st.sampled_from(COMPARES), numbers, numbers),
        st.builds(lambda sign, a, b: ir.Binary(sign, a, b, BOOL, BOOL), st.sampled_from(["and", "or"]), logic, logic),
        st.builds(lambda a: ir.Unary("not", a, BOOL), logic),
    )
)
numbers: st.SearchStrategy[ir.Expr] = st.deferred(
    lambda: st.one_of(
        leaves,
        st.builds(binary, st.sampled_from(ARITHMETIC), numbers, numbers),
        st.builds(binary, st.just("**"), numbers, st.integers(0, 3).map(i64)),
        st.builds(binary, st.sampled_from(["<<", ">>"]), numbers, st.integers(0, 4).map(i64)),
        st.builds(lambda a: ir.Unary("-", a, a.dtype), numbers),
        st.builds(lambda a: ir.Unary("~", a, a.dtype), numbers),
        st.builds(lambda t, a, b: ir.Choose(t, a, b, widest(a, b)), logic, numbers, numbers),  # type: ignore[arg-type]
    )
)


def evaluate(node: ir.Expr) -> int:
    """Python's value; OverflowError where a step leaves 31 bits, which C++ would not compute alike."""
    value = _evaluate(node)
    if not -(2**30) < value < 2**30:
        raise OverflowError
    return value


def _evaluate(node: ir.Expr) -> int:
    match node:
        case ir.Const():
            return int(node.value)
        case ir.VarRef():
            return VALUES[node.var]
        case ir.Unary():
            value = evaluate(node.operand)
            return {"-": -value, "~": ~value, "not": int(not value)}[node.op]
        case ir.Choose():
            return evaluate(node.then if evaluate(node.test) else node.other)
        case ir.Binary(op="and"):
            return int(bool(evaluate(node.left)) and bool(evaluate(node.right)))
        case ir.Binary(op="or"):
            return int(bool(evaluate(node.left)) or bool(evaluate(node.right)))
        case ir.Binary():
            left, right = evaluate(node.left), evaluate(node.right)
            if node.op in ("min", "max"):
                return min(left, right) if node.op == "min" else max(left, right)
            return int(eval(f"left {node.op} right"))
        case _:
            raise AssertionError(node)


def computable(node: ir.Expr) -> bool:
    """Python gives a small value without an error, on every path that C++ takes too."""
    try:
        evaluate(node)
    except (OverflowError, ZeroDivisionError):
        return False
    return True


@pytest.mark.skipif(shutil.which("g++") is None, reason="needs a C++ compiler")
@settings(
    max_examples=2,
    deadline=None,
    derandomize=True,
    database=None,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)
@given(st.lists(numbers.filter(computable), min_size=60, max_size=60))
def test_printed_expressions_compute_what_python_computes(
    tmp_path_factory: pytest.TempPathFactory, nodes: list[ir.Expr]
) -> None:
    folder: Path = tmp_path_factory.mktemp("expressions")
    helpers = {"floor_div", "floor_mod", "int_pow", "min_of", "max_of", *NEEDS}
    prelude = "#include <cstdint>\n#include <cstdio>\n#define AICORE\n"
    lines = [f'  std::printf("%lld\\n", static_cast<long long>({text(node)}));' for node in nodes]
    values = ", ".join(f"{v.dtype.c} {v.name}" for v in VALUES)
    program = (
        f"{prelude}{render_template('scalar_helpers.cpp.j2', helpers=helpers)}\n"
        f"void run({values}) {{\n" + "\n".join(lines) + "\n}\n"
        f"int main() {{ run({', '.join(str(v) for v in VALUES.values())}); }}\n"
    )
    (folder / "e.cpp").write_text(program)
    command = ["g++", "-std=c++20", "-O1", "-Wall", "-Wextra", "-Wno-unused-parameter", "-o", "e", "e.cpp"]
    built = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stderr
    printed = subprocess.run([folder / "e"], capture_output=True, text=True, check=True).stdout.split()
    wrong = [
        f"{text(node)} gave {got}, Python {evaluate(node)}"
        for node, got in zip(nodes, printed, strict=True)
        if int(got) != evaluate(node)
    ]
    assert not wrong
