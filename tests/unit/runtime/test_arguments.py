"""Arguments of a launch: what fits is laid out, what does not is refused with its own code, all at once."""

import ctypes
import struct
from dataclasses import dataclass

import ml_dtypes
import numpy as np
import pytest

from ptopro.diagnostics import DiagnosticError
from ptopro.runtime.arguments import bind, check_outputs, lay_out
from ptopro.runtime.errors import LaunchError, LaunchTypeError
from ptopro.runtime.interface import Field, Interface, Parameter
from ptopro.runtime.scalars import pack_scalar
from ptopro.runtime.tiling import pack_tiling, struct_type

X = Parameter("x", "tensor", "DT_FP32", ("dynamic", 4))
Y = Parameter("y", "tensor", "DT_FP16", ("static", "..."))
P = Parameter("p", "ptr", "DT_UINT8")
K = Parameter("k", "scalar", "DT_INT32")
KERNEL = Interface("kernel", (X, P, K))


def x(rows=3, dtype=np.float32):
    return np.zeros((rows, 4), dtype)


def codes(*args, interface=KERNEL, defaults=None, **kwargs):
    """The codes of a refused launch."""
    with pytest.raises(LaunchError) as error:
        bind(interface, args, kwargs, defaults or {})
    return [d.code for d in error.value.diagnostics]


def test_arguments_by_position_and_by_name():
    a, p = x(), np.zeros(8, np.uint8)
    for bound in (bind(KERNEL, (a, p, 3), {}, {}), bind(KERNEL, (), {"k": 3, "x": a, "p": p}, {})):
        pointers, storage = lay_out(bound, [("x", 0)])
        assert ctypes.c_void_p.from_address(pointers[0]).value == a.ctypes.data
        assert ctypes.c_void_p.from_address(pointers[1]).value == p.ctypes.data
        assert ctypes.c_int32.from_address(pointers[2]).value == 3
        assert ctypes.c_int64.from_address(pointers[3]).value == 3
        assert len(storage) == 4


def test_defaults_fill_what_is_left_out():
    bound = bind(KERNEL, (x(),), {}, {"p": None, "k": 7})
    pointers, _ = lay_out(bound, [])
    assert ctypes.c_void_p.from_address(pointers[1]).value is None
    assert ctypes.c_int32.from_address(pointers[2]).value == 7


def test_none_is_a_null_pointer_with_empty_dims():
    pointers, _ = lay_out(bind(KERNEL, (None, None, 1), {}, {}), [("x", 0)])
    assert ctypes.c_void_p.from_address(pointers[0]).value is None
    assert ctypes.c_int64.from_address(pointers[3]).value == 0


@pytest.mark.parametrize(
    ("args", "kwargs", "code"),
    [
        ((), {}, "PTO1801"),
        ((x(), None), {}, "PTO1801"),
        ((x(), None, 1, 2), {}, "PTO1801"),
        ((x(), None, 1), {"other": 1}, "PTO1802"),
        ((x(), None, 1), {"k": 1}, "PTO1802"),
        (([[1.0] * 4], None, 1), {}, "PTO1803"),
        ((3.0, None, 1), {}, "PTO1803"),
        ((x(dtype=np.float64), None, 1), {}, "PTO1804"),
        ((np.zeros(4, np.float32), None, 1), {}, "PTO1805"),
        ((np.zeros((1, 3, 4), np.float32), None, 1), {}, "PTO1805"),
        ((np.zeros((3, 5), np.float32), None, 1), {}, "PTO1806"),
        ((np.zeros((4, 3), np.float32).T, None, 1), {}, "PTO1807"),
        ((x(), None, 2.5), {}, "PTO1809"),
        ((x(), None, 1 << 32), {}, "PTO1809"),
        ((x(), None, "3"), {}, "PTO1809"),
        ((x(), None, None), {}, "PTO1809"),
        ((x(0), None, 1), {}, "PTO1817"),
    ],
)
def test_what_does_not_fit_has_its_code(args, kwargs, code):
    assert codes(*args, **kwargs) == [code]


def test_all_problems_are_reported_at_once():
    assert codes(x(dtype=np.int32), np.zeros((4, 4)).T, 2.5) == ["PTO1804", "PTO1807", "PTO1809"]


def test_wrong_types_are_type_errors_and_wrong_values_value_errors():
    with pytest.raises(TypeError) as error:
        bind(KERNEL, (x(dtype=np.float64), None, 1), {}, {})
    assert isinstance(error.value, LaunchTypeError)
    with pytest.raises(ValueError) as error:
        bind(KERNEL, (np.zeros((3, 5), np.float32), None, 1), {}, {})
    assert isinstance(error.value, DiagnosticError)
    assert not isinstance(error.value, TypeError)


def test_messages_name_the_kernel_and_the_argument():
    with pytest.raises(LaunchError, match=r"kernel `kernel`: argument `x` must have .* float32 .* float64"):
        bind(KERNEL, (x(dtype=np.float64), None, 1), {}, {})


def test_a_read_only_output_is_refused_and_a_read_only_input_is_not():
    a = x()
    a.flags.writeable = False
    bound = bind(KERNEL, (a, None, 1), {}, {})
    check_outputs(bound, ["p"])
    with pytest.raises(LaunchError) as error:
        check_outputs(bound, ["x"])
    assert error.value.diagnostics[0].code == "PTO1808"


def test_memory_of_another_device_is_refused():
    torch = pytest.importorskip("torch")
    assert "PTO1814" in codes(torch.zeros(3, 4, device="meta"), None, 1)


def test_an_axis_that_stays_dynamic_makes_no_other_variant():
    interface = Interface("k", (Parameter("a", "tensor", "DT_FP32", ("dynamic", "static")),))
    found = [bind(interface, (np.zeros((rows, 5), np.float32),), {}, {}).static_dims for rows in (3, 7)]
    assert found == [{"a": (1, 5)}] * 2


def test_static_dims_are_read_with_all_axes_of_a_trailing_ellipsis():
    interface = Interface("k", (Y,))
    bound = bind(interface, (np.zeros((7, 3, 5), np.float16),), {}, {})
    assert bound.static == (("y", 0, 7), ("y", 1, 3), ("y", 2, 5))
    assert bound.static_dims == {"y": (7, 3, 5)}
    assert codes(None, interface=interface) == ["PTO1816"]
    assert codes(np.zeros((), np.float16), interface=interface) == ["PTO1805"]


@pytest.mark.parametrize(
    ("dtype", "array", "fits"),
    [
        ("DT_BF16", np.zeros(4, ml_dtypes.bfloat16), True),
        ("DT_BF16", np.zeros(4, np.uint16), False),
        ("DT_FP8E4M3FN", np.zeros(4, ml_dtypes.float8_e4m3fn), True),
        ("DT_FP8E4M3FN", np.zeros(4, np.uint8), True),
        ("DT_FP8E4M3FN", np.zeros(4, ml_dtypes.float8_e5m2), False),
        ("DT_HF8", np.zeros(4, np.uint8), True),
        ("DT_FP8E8M0", np.zeros(4, np.uint8), True),
        ("DT_BOOL", np.zeros(4, bool), True),
        ("DT_UINT32", np.zeros(4, np.int32), False),
    ],
)
def test_element_types(dtype, array, fits):
    interface = Interface("k", (Parameter("a", "tensor", dtype, ("dynamic",)),))
    if fits:
        assert bind(interface, (array,), {}, {}).views["a"].shape == (4,)
    else:
        assert codes(array, interface=interface) == ["PTO1804"]


@pytest.mark.parametrize(
    ("dtype", "value", "expected"),
    [
        ("DT_INT8", -128, struct.pack("<b", -128)),
        ("DT_UINT64", 2**64 - 1, b"\xff" * 8),
        ("DT_INT64", np.int32(-5), struct.pack("<q", -5)),
        ("DT_INT32", True, struct.pack("<i", 1)),
        ("DT_BOOL", np.True_, b"\x01"),
        ("DT_BOOL", 0, b"\x00"),
        ("DT_FP32", 0.1, struct.pack("<f", 0.1)),
        ("DT_FP32", 3, struct.pack("<f", 3.0)),
        ("DT_FP32", 1e300, struct.pack("<f", float("inf"))),
        ("DT_FP16", np.float32(0.1), struct.pack("<e", 0.1)),
        ("DT_FP16", -1e6, struct.pack("<e", float("-inf"))),
    ],
)
def test_scalars_become_the_bytes_of_their_type(dtype, value, expected):
    storage = pack_scalar(dtype, value)
    assert ctypes.string_at(ctypes.addressof(storage), len(expected)) == expected


@pytest.mark.parametrize("value", [0.1, 1.0, -2.75, 3.0e38, 1.00390625, 1.01171875, float("inf"), float("nan"), 1e-41])
def test_bfloat16_scalars_round_as_ml_dtypes_does(value):
    storage = pack_scalar("DT_BF16", value)
    mine = np.frombuffer(ctypes.string_at(ctypes.addressof(storage), 2), ml_dtypes.bfloat16)[0]
    expected = np.float32(value).astype(ml_dtypes.bfloat16)
    np.testing.assert_array_equal(np.float32(mine), np.float32(expected))


@pytest.mark.parametrize(
    ("dtype", "value", "kind"),
    [
        ("DT_INT8", 128, ValueError),
        ("DT_UINT8", -1, ValueError),
        ("DT_BOOL", 2, ValueError),
        ("DT_INT32", 1.0, TypeError),
        ("DT_INT32", "1", TypeError),
        ("DT_FP32", "1", TypeError),
        ("DT_FP32", 1j, TypeError),
        ("DT_HF8", 1.0, TypeError),
    ],
)
def test_scalars_that_do_not_fit(dtype, value, kind):
    with pytest.raises(kind):
        pack_scalar(dtype, value)


def test_the_bits_of_a_word_may_be_given_unsigned():
    bits = struct.unpack("<I", struct.pack("<f", -1.5))[0]
    with pytest.warns(UserWarning, match="passed as the 32 bits of pl.DT_INT32: -1077936128"):
        storage = pack_scalar("DT_INT32", bits)
    assert ctypes.string_at(ctypes.addressof(storage), 4) == struct.pack("<f", -1.5)


def test_signed_torch_elements_stand_for_unsigned_ones():
    torch = pytest.importorskip("torch")
    interface = Interface("k", (Parameter("a", "tensor", "DT_UINT32", ("dynamic",)),))
    assert bind(interface, (torch.zeros(4, dtype=torch.int32),), {}, {}).views["a"].shape == (4,)
    assert codes(torch.zeros(4, dtype=torch.int64), interface=interface) == ["PTO1804"]


TILING = Parameter(
    "t",
    "tiling",
    "Tiling",
    (),
    (
        Field("flag", "DT_BOOL", 0),
        Field("n", "DT_INT64", 0),
        Field("shape", "DT_INT32", 3),
        Field("scale", "DT_FP32", 0),
    ),
)


@dataclass
class Tiling:
    flag: bool
    n: int
    shape: list
    scale: float


def test_tiling_data_has_the_layout_of_the_c_struct():
    packed = pack_tiling(TILING, Tiling(True, -7, [1, 2, 3], 0.5))
    assert bytes(packed) == struct.pack("<?7xq3if", True, -7, 1, 2, 3, 0.5)
    assert ctypes.sizeof(struct_type(TILING)) == 32


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (Tiling(True, 1.5, [1, 2, 3], 1.0), "field n"),
        (Tiling(True, 1, [1, 2], 1.0), "2 numbers for an array of 3"),
        (Tiling(True, 1, "abc", 1.0), "no array"),
        (Tiling(True, 1, [1, 2, 1 << 40], 1.0), "does not fit"),
        ({"n": 1}, "no instance of Tiling"),
        (Tiling, "no instance of Tiling"),
    ],
)
def test_tiling_data_that_does_not_fit(value, words):
    with pytest.raises(LaunchError, match=words) as error:
        bind(Interface("k", (TILING,)), (value,), {}, {})
    assert error.value.diagnostics[0].code == "PTO1815"


def test_an_interface_survives_json():
    interface = Interface("kernel", (X, Y, P, K, TILING))
    assert Interface.from_json(interface.to_json()) == interface
