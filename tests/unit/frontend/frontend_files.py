"""Read kernel files given as text, for the tests of the front end."""

from __future__ import annotations

import ast
from textwrap import dedent

from ptopro.diagnostics.core import Sink
from ptopro.frontend.evaluator import NotConstant
from ptopro.frontend.kernels import KernelSource
from ptopro.frontend.source import SourceModule, load_module

HEADER = "import pypto_pro.language as pl\n"


def load(text: str, path: str = "kernels.py") -> tuple[SourceModule, list[str]]:
    """A file's module, and the codes of its diagnostics."""
    sink = Sink()
    module = load_module(path, dedent(text), sink=sink)
    return module, [d.code for d in sink.diagnostics]


def diagnostics(text: str, path: str = "kernels.py"):
    """The diagnostics of a file."""
    sink = Sink()
    load_module(path, dedent(text), sink=sink)
    return sink.diagnostics


def clean(text: str) -> SourceModule:
    """The module of a file that has nothing wrong with it."""
    sink = Sink()
    module = load_module("kernels.py", dedent(text), sink=sink)
    assert sink.diagnostics == []
    return module


def value(text: str, name: str = "x"):
    """What a module-level name of the text is worth."""
    return clean(text).value(name)


def evaluate(kernel: KernelSource, expression: str):
    """An expression in the scope of a kernel's body."""
    return kernel.module.evaluator.expression(ast.parse(expression, mode="eval").body, kernel.scope)


def refusal(kernel: KernelSource, expression: str) -> NotConstant:
    """Why an expression has no value in the scope of a kernel's body."""
    try:
        found = evaluate(kernel, expression)
    except NotConstant as error:
        return error
    raise AssertionError(f"{expression} is {found!r}")


KERNEL = """
@pl.jit
def k(a: pl.Tensor[[64, 64], pl.DT_FP32]):
    pass
"""


def kernel_with(text: str) -> KernelSource:
    """A kernel below module-level statements."""
    module, _ = load(HEADER + dedent(text) + KERNEL)
    return module.kernel("k")
