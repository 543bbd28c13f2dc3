"""Kernels that need values of a launch: listed without them, generated with them."""

import pytest

KERNELS = """import ptopro.language as pl


class Plan:
    Mode = pl.TilingKeyField(bits=2, values=[0, 5])


@pl.jit(tiling_key=Plan)
def keyed(x: pl.Tensor[[8, 64], pl.DT_FP32]):
    with pl.section_vector():
        if Mode == 5:
            pl.setval(x, 0, 5.0)


@pl.jit
def shaped(y: pl.Tensor[[pl.STATIC, 64], pl.DT_FP32]):
    with pl.section_vector():
        pl.setval(y, 0, y.shape[0])


@pl.jit(datatype={"z": "z_type"})
def typed(z: pl.Ptr[pl.DT_UINT8]):
    with pl.section_vector():
        t = pl.make_tensor(pl.make_ptr(z, dtype=z_type), [8])
        pl.setval(t, 0, 1)
"""


@pytest.fixture
def kernels(folder):
    (folder / "several.py").write_text(KERNELS)
    return folder / "build" / "several"


@pytest.mark.parametrize("command", ["expand", "codegen"])
def test_listed(ptopro, kernels, command):
    result = ptopro(command, "several.py")
    assert result.code == 0
    assert [word in result.err for word in ("--key Mode=0|5", "--shape y=...", "--dtype z_type=...")] == [True] * 3
    assert result.err.count("[PTO1915]") == 3
    assert result.out == ""


def test_given(ptopro, kernels):
    values = ("--key", "Mode=5", "--shape", "y=16,64", "--dtype", "z_type=fp16")
    result = ptopro("codegen", "several.py", *values)
    assert result.code == 0, result.err
    assert "5.0f" in (kernels / "keyed" / "tk_1" / "kernel.cpp").read_text()
    assert "16" in (kernels / "shaped" / "kernel.cpp").read_text()
    assert "half" in (kernels / "typed" / "fp16" / "kernel.cpp").read_text()


@pytest.mark.parametrize(
    ("option", "value", "words"),
    [
        ("--key", "Mode=3", "one of 0, 5"),
        ("--key", "Node=5", "no kernel of several.py"),
        ("--shape", "x=8,64", "no kernel of several.py"),
        ("--dtype", "y_type=fp16", "no kernel of several.py"),
        ("--dtype", "z=fp16,z_type=fp32", "is fp16 already"),
    ],
)
def test_wrong(ptopro, kernels, option, value, words):
    result = ptopro("codegen", "several.py", option, value)
    assert result.code == 1
    assert "PTO1917" in result.err and words in result.err


@pytest.mark.parametrize("value", ["x", "x=", "x=0,4", "x=a"])
def test_unreadable(ptopro, kernels, value):
    result = ptopro("codegen", "several.py", "--shape", value)
    assert result.code == 2
