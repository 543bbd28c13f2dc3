"""Look at any array of a host program the same way.

In: a numpy array, a torch tensor, or anything that speaks dlpack or the array interface.  Out: an `ArrayView` on its
memory, nothing copied.  bfloat16, fp8 and fp4 come as numpy arrays with ml_dtypes' types, as torch tensors, or through
dlpack.
"""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass

from ptopro.runtime.dlpack import read_dlpack

# torch calls some element types differently from numpy and ml_dtypes.
_TORCH_NAMES = {"float4_e2m1fn_x2": "float4_e2m1fn", "half": "float16", "float": "float32"}


@dataclass(frozen=True, slots=True)
class ArrayView:
    """Memory of an array.  dtype: numpy's or ml_dtypes' name; nbytes: its extent; owner keeps the memory alive."""

    address: int
    dtype: str
    shape: tuple[int, ...]
    nbytes: int
    contiguous: bool
    read_only: bool
    on_host: bool
    owner: object
    place: str = "cpu"
    signless: bool = False  # the library has hardly any unsigned types: signed elements may stand for them


def view_of(array: object) -> ArrayView | None:
    """The view of an array, None when it is none.

    Raises BufferError when it is an array whose memory cannot be read (a lazy or fake tensor, an unknown element type).
    """
    torch = sys.modules.get("torch")
    if torch is not None and isinstance(array, torch.Tensor):
        return _of_torch(array)
    numpy = sys.modules.get("numpy")
    if numpy is not None and isinstance(array, numpy.ndarray):
        return _of_numpy(array)
    if isinstance(array, type):
        return None
    if hasattr(array, "__dlpack__"):
        found = read_dlpack(array)
        return ArrayView(
            found.address,
            found.dtype,
            found.shape,
            math.prod(found.shape) * found.bits // 8,
            found.strides is None or is_contiguous(found.shape, found.strides),
            found.read_only,
            found.on_host,
            found.capsule,
        )
    if hasattr(array, "__array_interface__"):
        import numpy as np

        return _of_numpy(np.asarray(array))
    return None


def is_contiguous(shape: tuple[int, ...], strides: tuple[int, ...]) -> bool:
    """Whether elements lie one after another in row-major order; axes of extent 1 may have any stride."""
    if 0 in shape:
        return True
    expected = 1
    for extent, stride in zip(reversed(shape), reversed(strides), strict=True):
        if extent != 1 and stride != expected:
            return False
        expected *= extent
    return True


def _of_torch(tensor: object) -> ArrayView:
    """A torch tensor; its methods are called untyped since torch is optional."""
    from typing import Any

    t: Any = tensor
    if t.layout is not sys.modules["torch"].strided:
        raise BufferError(f"a tensor of layout {t.layout} has no plain memory")
    try:
        address = t.data_ptr()
    except RuntimeError as error:
        raise BufferError(str(error)) from error
    name = str(t.dtype).removeprefix("torch.")
    return ArrayView(
        address,
        _TORCH_NAMES.get(name, name),
        tuple(t.shape),
        t.numel() * t.element_size(),
        bool(t.is_contiguous()),
        read_only=False,
        on_host=t.device.type == "cpu",
        owner=tensor,
        place=str(t.device),
        signless=True,
    )


def _of_numpy(array: object) -> ArrayView:
    from typing import Any

    a: Any = array
    return ArrayView(
        a.ctypes.data,
        a.dtype.name,
        tuple(a.shape),
        a.nbytes,
        bool(a.flags.c_contiguous) and a.dtype.isnative,
        read_only=not a.flags.writeable,
        on_host=True,
        owner=array,
    )
