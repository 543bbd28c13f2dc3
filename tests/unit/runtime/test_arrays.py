"""Arrays of any library are seen the same way, without a copy."""

import ml_dtypes
import numpy as np
import pytest

from ptopro.runtime.arrays import is_contiguous, view_of
from ptopro.runtime.dlpack import read_dlpack


class Exporter:
    """An array library that speaks dlpack alone."""

    def __init__(self, array, versions=True):
        self.array, self.versions = array, versions

    def __dlpack__(self, **options):
        if options and not self.versions:
            raise TypeError("no keyword arguments")
        return self.array.__dlpack__(**options) if self.versions else self.array.__dlpack__()

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


class Interface:
    """An array library that has the array interface alone."""

    def __init__(self, array):
        self.array = array

    @property
    def __array_interface__(self):
        return self.array.__array_interface__


@pytest.mark.parametrize("wrap", [lambda a: a, Exporter, lambda a: Exporter(a, versions=False), Interface])
@pytest.mark.parametrize("dtype", ["float16", "float32", "int8", "int64", "uint16", "bool"])
def test_every_way_gives_the_same_memory(wrap, dtype):
    array = np.zeros((3, 5), dtype)
    view = view_of(wrap(array))
    assert (view.address, view.dtype, view.shape, view.nbytes) == (array.ctypes.data, dtype, (3, 5), array.nbytes)
    assert view.contiguous and view.on_host and not view.read_only


@pytest.mark.parametrize("name", ["bfloat16", "float8_e4m3fn", "float8_e5m2", "float8_e8m0fnu"])
def test_small_floats_of_ml_dtypes(name):
    array = np.zeros((4, 4), getattr(ml_dtypes, name))
    assert view_of(array).dtype == name


@pytest.mark.parametrize("name", ["float16", "bfloat16", "float8_e4m3fn", "float8_e5m2", "int32", "bool", "uint8"])
def test_torch_tensors(name):
    torch = pytest.importorskip("torch")
    tensor = torch.zeros(2, 6, dtype=getattr(torch, name))
    view = view_of(tensor)
    assert (view.address, view.dtype, view.shape) == (tensor.data_ptr(), name, (2, 6))
    assert view.nbytes == tensor.numel() * tensor.element_size()


def test_a_torch_view_is_not_contiguous():
    torch = pytest.importorskip("torch")
    assert not view_of(torch.zeros(4, 6).t()).contiguous
    assert not view_of(torch.zeros(4, 6)[:, ::2]).contiguous
    assert view_of(torch.zeros(4, 6)[2:]).contiguous


def test_a_torch_tensor_without_memory_is_said_so():
    torch = pytest.importorskip("torch")
    with pytest.raises(BufferError, match="layout"):
        view_of(torch.zeros(2, 2).to_sparse())
    assert not view_of(torch.zeros(2, device="meta")).on_host


@pytest.mark.parametrize(
    ("make", "contiguous"),
    [
        (lambda a: a, True),
        (lambda a: a.T, False),
        (lambda a: a[:, 1:], False),
        (lambda a: a[1:], True),
        (lambda a: a[:, ::-1], False),
        (lambda a: a[:1].T, True),
        (lambda a: a.astype(">f4"), False),
    ],
)
def test_contiguity(make, contiguous):
    array = make(np.zeros((4, 6), np.float32))
    assert view_of(array).contiguous is contiguous


def test_dlpack_views_keep_their_offset_and_strides():
    array = np.arange(24, dtype=np.float32).reshape(4, 6)
    found = read_dlpack(array[1:, 2:])
    assert found.address == array.ctypes.data + 4 * (6 + 2)
    assert found.strides == (6, 1)


def test_read_only_arrays_are_seen():
    array = np.zeros(3)
    array.flags.writeable = False
    assert view_of(array).read_only


@pytest.mark.parametrize("value", [3, 2.5, "text", [1, 2], (1,), {}, object(), np.ndarray, range(3)])
def test_other_objects_are_no_arrays(value):
    assert view_of(value) is None


def test_complex_numbers_have_no_name_in_dlpack():
    with pytest.raises(BufferError, match="not known"):
        read_dlpack(np.zeros(2, np.complex64))


@pytest.mark.parametrize(
    ("shape", "strides", "result"),
    [
        ((2, 3), (3, 1), True),
        ((2, 3), (1, 2), False),
        ((1, 3), (99, 1), True),
        ((2, 1), (1, 7), True),
        ((0, 3), (5, 5), True),
    ],
)
def test_axes_of_one_element_may_have_any_stride(shape, strides, result):
    assert is_contiguous(shape, strides) is result
