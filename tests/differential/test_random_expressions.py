"""Two thousand random scalar expressions: compiled C++ computes what Python does, to the last bit."""

from __future__ import annotations

import importlib.util

import numpy as np
import pytest
from random_expressions import ARGUMENTS, FP32, Node, Writer

pytestmark = pytest.mark.slow
SEED = 20_000
COUNTS = {"integer": 1200, "truth": 300, "float": 500}
BATCH = 100  # expressions of one helper function, so that the compiler sees small functions

HEADER = """import ptopro.language as pl

"""
HELPER = """
def batch_{index}(out, real, a, b, n, m, x, y):
{lines}

"""
KERNEL = """
@pl.jit
def expressions(
    out: pl.Tensor[[{count}], pl.DT_INT64],
    real: pl.Tensor[[{count}], pl.DT_FP32],
    a: pl.DT_INT64,
    b: pl.DT_INT64,
    n: pl.DT_INT32,
    m: pl.DT_INT32,
    x: pl.DT_FP32,
    y: pl.DT_FP32,
):
    with pl.section_vector():
{calls}
"""


def written(nodes: list[Node]) -> str:
    """A kernel file that stores each expression."""
    text = HEADER
    batches = [nodes[i : i + BATCH] for i in range(0, len(nodes), BATCH)]
    for index, batch in enumerate(batches):
        lines = [
            f"    {'real' if node.dtype == FP32 else 'out'}[{index * BATCH + place}] = {node.text}"
            for place, node in enumerate(batch)
        ]
        text += HELPER.format(index=index, lines="\n".join(lines))
    calls = "\n".join(f"        batch_{index}(out, real, a, b, n, m, x, y)" for index in range(len(batches)))
    return text + KERNEL.format(count=len(nodes), calls=calls)


def test_compiled_expressions_have_the_values_of_python(tmp_path) -> None:
    writer = Writer(SEED)
    nodes = [writer.expression(kind) for kind, count in COUNTS.items() for _ in range(count)]
    path = tmp_path / "expressions.py"
    path.write_text(written(nodes))
    spec = importlib.util.spec_from_file_location("expressions", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    for i, arguments in enumerate(ARGUMENTS):
        out, real = np.zeros(len(nodes), np.int64), np.zeros(len(nodes), np.float32)
        module.expressions(out, real, *arguments.values())
        wrong = [
            f"{node.text} is {got!r}, not {node.values[i]!r}, for {arguments}"
            for node, got in zip(
                nodes, (real[k] if v.dtype == FP32 else out[k] for k, v in enumerate(nodes)), strict=True
            )
            if got != node.values[i]
        ]
        assert not wrong, "\n".join(wrong[:5])
