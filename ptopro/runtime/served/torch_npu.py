"""Contents of `torch_npu`: importing it adds the device; the few functions that host programs of kernels call."""

from __future__ import annotations

import torch

from ptopro.runtime import torch_device

torch_device.install()

npu = torch_device


def __getattr__(name: str) -> object:
    """`torch_npu.profiler` without an import of its own."""
    if name == "profiler":
        import importlib

        return importlib.import_module("torch_npu.profiler")
    raise AttributeError(name)


ND, NZ = 2, 29


def npu_format_cast(tensor: torch.Tensor, acl_format: int) -> torch.Tensor:
    """The tensor with its elements in memory as the format orders them: NZ, fractals of 16 rows by 32 bytes."""
    have = get_npu_format(tensor)
    if have == acl_format:
        return tensor
    if acl_format not in (ND, NZ) or tensor.dim() < 2:
        raise RuntimeError(f"npu_format_cast: format {acl_format} of a tensor with {tensor.dim()} dims is not served")
    rows, cols = tensor.shape[-2:]
    lane = 32 // tensor.element_size()
    if rows % 16 or cols % lane:
        raise RuntimeError(f"npu_format_cast: {rows} x {cols} is no whole number of 16 x {lane} fractals")
    lead = tensor.shape[:-2]
    flat = tensor.contiguous()
    if acl_format == NZ:
        moved = flat.view(*lead, rows, cols // lane, lane).transpose(-3, -2)
    else:
        moved = flat.view(*lead, cols // lane, rows, lane).transpose(-3, -2)
    result = moved.contiguous().view(tensor.shape)
    _remember(result, acl_format)
    return result


def get_npu_format(tensor: torch.Tensor) -> int:
    """2 (ND) or 29 (NZ)."""
    found: int = getattr(tensor, "_ptopro_format", ND)
    return found


def npu_trans_quant_param(scale: torch.Tensor, offset: torch.Tensor | None = None) -> torch.Tensor:
    """Quantisation parameters as the 64-bit words that the fixed pipe reads: scale in 19 bits, offset in 9."""
    words = scale.float().contiguous().view(torch.int32).to(torch.int64) & 0xFFFFE000
    if offset is not None:
        words = words | ((offset.round().to(torch.int64) & 0x1FF) << 37)
    return words | (1 << 46)


def _remember(tensor: torch.Tensor, acl_format: int) -> None:
    tensor._ptopro_format = acl_format
