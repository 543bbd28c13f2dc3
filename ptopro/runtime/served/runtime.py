"""Contents of `pypto_pro.runtime`: the decorator, the kernel's class, and the fields of tiling keys."""

from ptopro.language import TilingKeyField, jit
from ptopro.runtime.kernel import JitKernel

__all__ = ["JitKernel", "TilingKeyField", "jit"]
