"""Stage 1: write out what the framework adds to a kernel."""

from ptopro.expand.kernel import expand_kernel
from ptopro.expand.model import ExpandOptions, Expansion

__all__ = ["ExpandOptions", "Expansion", "expand_kernel"]
