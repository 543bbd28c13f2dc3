"""The contract of an operator's kernel: each rule broken alone, and kernels that keep it."""

from __future__ import annotations

import pytest

from ptopro.diagnostics import DiagnosticError, Sink
from ptopro.frontend.source import load_module
from ptopro.release.linter import kernel_type, lint

GOOD = """from dataclasses import dataclass
import pypto_pro.language as pl

@dataclass
class Plan:
    n: int

class Key:
    A = pl.TilingKeyField(bits=1, values=[0, 1])

@pl.jit(tiling_key=Key, datatype={"x": "t"})
def my_op(x: pl.Ptr[pl.DT_UINT8], y: pl.Ptr[pl.DT_UINT8], workspace: pl.Ptr[pl.DT_UINT8], plan: Plan):
    pass
"""


def found(text: str, operator: str = "my_op") -> list[str]:
    sink = Sink()
    module = load_module("my_op.py", text, sink=sink)
    return [d.code for d in (*sink.diagnostics, *lint(module, operator))]


def test_a_kernel_that_keeps_the_contract():
    assert found(GOOD) == []
    assert found(GOOD.replace("y: pl.Ptr[pl.DT_UINT8]", "y: pl.Tensor[[4, 64], pl.DT_FP16]")) == []


@pytest.mark.parametrize(
    ("old", "new", "codes"),
    [
        ("def my_op", "def mine", ["PTO2021"]),
        ("x: pl.Ptr[pl.DT_UINT8]", "x: pl.Tensor[[pl.DYNAMIC, 64], pl.DT_FP16]", ["PTO2022"]),
        ("x: pl.Ptr[pl.DT_UINT8]", "x: pl.Tensor[[pl.STATIC, 64], pl.DT_FP16]", ["PTO2022"]),
        ("x: pl.Ptr[pl.DT_UINT8]", "x: pl.DT_INT32", ["PTO2022"]),
        (", workspace: pl.Ptr[pl.DT_UINT8]", "", ["PTO2023"]),
        ("y: pl.Ptr[pl.DT_UINT8], workspace: ", "workspace: pl.Ptr[pl.DT_UINT8], y: ", ["PTO2023"]),
        (", plan: Plan", "", ["PTO2024"]),
        (", plan: Plan)", ", plan: Plan, z: pl.Ptr[pl.DT_UINT8])", ["PTO1013", "PTO2024", "PTO2023", "PTO2022"]),
        ("tiling_key=Key, ", "", ["PTO2025"]),
        ('{"x": "t"}', '{"input": "t"}', ["PTO2026"]),
        ("    pass\n", "    pass\n\n@pl.jit\ndef other(x: pl.Ptr[pl.DT_UINT8]):\n    pass\n", ["PTO2020"]),
        (GOOD[GOOD.index("@pl.jit") :], "", ["PTO2020"]),
    ],
)
def test_each_rule(old, new, codes):
    assert old in GOOD
    assert found(GOOD.replace(old, new)) == codes


def test_two_kernels_of_one_name_are_refused():
    twice = GOOD + GOOD[GOOD.index("@pl.jit") :]
    assert "PTO1024" in found(twice)


@pytest.mark.parametrize(
    ("cores", "kind"),
    [(("cube",), "AIC_ONLY"), (("vector",), "AIV_ONLY"), (("cube", "vector"), "MIX_AIC_1_2")],
)
def test_the_kernel_type_is_that_of_what_was_generated(cores, kind):
    assert kernel_type({"key 0": cores, "key 1": cores}) == kind


def test_keys_of_different_types():
    with pytest.raises(DiagnosticError, match=r"PTO2027.*AIC_ONLY: key 0; AIV_ONLY: key 1"):
        kernel_type({"key 0": ("cube",), "key 1": ("vector",)})
