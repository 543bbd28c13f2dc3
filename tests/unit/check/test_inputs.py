"""Made-up and stored arguments: shapes, element types, repeatability."""

import ml_dtypes
import numpy as np
import pytest
from kernels import read, vector

from ptopro.check.inputs import make_inputs, random_array, read_arrays, write_arrays
from ptopro.check.request import Request
from ptopro.check.shapes import shapes_of
from ptopro.diagnostics import DiagnosticError
from ptopro.runtime.interface import Interface, Parameter


def tensor(name, *dims, dtype="DT_FP32"):
    return Parameter(name, "tensor", dtype, dims)


def codes(call, *arguments):
    with pytest.raises(DiagnosticError) as caught:
        call(*arguments)
    return [each.code for each in caught.value.diagnostics]


def test_annotated_shapes_need_no_flag():
    assert shapes_of(Interface("k", (tensor("x", 4, 8),)), {})["x"].dims == (4, 8)


def test_a_shape_is_taken_from_the_nearest_before_with_the_same_dims():
    names = [tensor("q", "dynamic", 8), tensor("k", "dynamic", 8), tensor("v", "dynamic", 8), tensor("m", 2, 2)]
    found = shapes_of(Interface("k", tuple(names)), {"q": (1, 8), "k": (2, 8)})
    assert (found["v"].dims, found["v"].origin, found["m"].dims) == ((2, 8), "k", (2, 2))


def test_a_shape_is_not_taken_from_other_dims():
    interface = Interface(
        "k", (tensor("x", "dynamic", 8), tensor("y", "dynamic", 16), Parameter("p", "ptr", "DT_FP32"))
    )
    assert codes(shapes_of, interface, {"x": (4, 8)}) == ["PTO1862", "PTO1862"]


def test_a_shape_of_what_is_no_array():
    assert codes(shapes_of, Interface("k", (tensor("x", 4),)), {"z": (4,)}) == ["PTO1863"]


@pytest.mark.parametrize(
    ("dtype", "name"),
    [("DT_FP32", "float32"), ("DT_FP16", "float16"), ("DT_BF16", "bfloat16"), ("DT_FP8E4M3FN", "float8_e4m3fn"),
     ("DT_INT8", "int8"), ("DT_UINT16", "uint16"), ("DT_BOOL", "bool")],
)  # fmt: skip
def test_made_up_arrays_have_the_type_and_repeat(dtype, name):
    parameter = tensor("x", 64, dtype=dtype)
    first, again, other = (random_array(parameter, (64,), seed) for seed in ((0, 1), (0, 1), (1, 1)))
    assert first.dtype.name == name
    assert first.tobytes() == again.tobytes() != other.tobytes()
    assert np.isfinite(first.astype(np.float64)).all()


def test_elements_of_an_array_are_given_by_name():
    interface = Interface("k", (tensor("at", "dynamic", 3, dtype="DT_INT32"), tensor("x", 4)))
    found = make_inputs(interface, Request({"at": (2, 3)}, {"at": (5, 4, 3, 2, 1, 0), "x": 0.5}), {})
    assert found.values["at"].tolist() == [[5, 4, 3], [2, 1, 0]] and found.values["at"].dtype == np.int32
    assert found.values["x"].tolist() == [0.5] * 4
    assert not found.values["at"].flags.writeable


@pytest.mark.parametrize("given", [(1, 2, 3), (0.5, 1), (2**40, 1)])
def test_elements_that_do_not_fit_an_array(given):
    interface = Interface("k", (tensor("at", 2, dtype="DT_INT32"),))
    assert codes(make_inputs, interface, Request({}, {"at": given}), {}) == ["PTO1863"]


def test_types_that_cannot_be_made_up():
    assert codes(random_array, tensor("x", 64, dtype="DT_HF8"), (64,), (0, 0)) == ["PTO1866"]


def test_scalars_come_from_flags_and_defaults():
    kernel = vector()
    assert codes(make_inputs, kernel.interface, Request({"x": (8, 64)}), kernel.defaults) == ["PTO1864"]
    found = make_inputs(kernel.interface, Request({"x": (8, 64)}, {"n": 3}), kernel.defaults)
    assert found.values["n"] == 3 and list(found.values) == ["x", "y", "n"]
    assert codes(make_inputs, kernel.interface, Request({"x": (8, 64)}, {"m": 3}), kernel.defaults) == ["PTO1863"]


def test_tiling_data():
    text = """from dataclasses import dataclass

@dataclass
class T:
    n: int
    m: int = 4

@pl.jit
def k(x: pl.Tensor[[8, 64], pl.DT_FP32], t: T):
    tile = pl.TileType(shape=[8, 64], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Vec)
    ub = pl.make_tile(tile, addr=0)
    with pl.section_vector():
        for i in pl.range(0, t.n):
            pl.load(ub, x, [0, 0])
"""
    kernel = read(text)
    found = make_inputs(kernel.interface, Request(args={"t.n": 2}), kernel.defaults).values["t"]
    assert (found.n, found.m) == (2, 4)
    assert codes(make_inputs, kernel.interface, Request(), kernel.defaults) == ["PTO1864"]


def test_fresh_copies_only_what_is_written():
    kernel = vector()
    inputs = make_inputs(kernel.interface, Request({"x": (8, 64)}, {"n": 0}), kernel.defaults)
    fresh = inputs.fresh(kernel.written)
    assert kernel.written == ("y",)
    assert fresh["x"] is inputs.values["x"] and not fresh["x"].flags.writeable
    assert fresh["y"] is not inputs.values["y"] and fresh["y"].flags.writeable


def test_arrays_survive_a_file(tmp_path):
    interface = Interface("k", (tensor("x", 4, dtype="DT_BF16"), tensor("y", 4), Parameter("n", "scalar", "DT_INT32")))
    first = make_inputs(interface, Request(args={"n": 5}), {})
    write_arrays(tmp_path / "a.npz", first)
    again = make_inputs(interface, Request(inputs=str(tmp_path / "a.npz")), {})
    assert again.values["x"].dtype == ml_dtypes.bfloat16
    assert all(np.asarray(first.values[n]).tobytes() == np.asarray(again.values[n]).tobytes() for n in "xy")
    assert again.values["n"] == 5


@pytest.mark.parametrize("content", [b"", b"not an archive"])
def test_files_that_hold_no_arrays(tmp_path, content):
    (tmp_path / "a.npz").write_bytes(content)
    assert codes(read_arrays, str(tmp_path / "a.npz")) == ["PTO1866"]
    assert codes(read_arrays, str(tmp_path / "none.npz")) == ["PTO1866"]
