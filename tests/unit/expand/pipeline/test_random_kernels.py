"""Random kernels, expanded with flags and locks: on the paper machine each operation reads what it reads in the serial text.

The text of pipeline_generated.py is read again and both cores run at once, pipe by pipe, in random and in adverse order.
"""

from __future__ import annotations

import random

import pytest
from generated_kernels import generate
from hypothesis import HealthCheck, Phase, event, given, note, settings
from hypothesis import strategies as st
from machine import Machine, Schedule, at_random, holding_back, serial_trace, slow_pipe
from pipeline_kernels import lower
from text_program import issued, issued_serially

from ptopro.diagnostics import Severity, Sink
from ptopro.expand.driver import expand_file
from ptopro.expand.model import ExpandOptions

PROVED_WRONG = {"PTO1480", "PTO1481", "PTO1482", "PTO1484"}
PIPES = (("cube", "MTE1"), ("cube", "M"), ("cube", "FIX"), ("vector", "MTE2"), ("vector", "V"), ("vector", "MTE3"))


def expanded(text: str) -> tuple[str | None, set[str]]:
    """The generated text, or None and why not."""
    sink = Sink()
    found = expand_file("k.py", text, ["k"], ExpandOptions(), sink)
    codes = {d.code for d in sink.diagnostics if d.severity is Severity.ERROR}
    return (found[0].text if found else None), codes


def check_equal(text: str, generated: str, trips: list[tuple[int, int]], seed: int) -> None:
    """Serial and expanded text move the same data for these (n, m)."""
    serial, piped = lower(text, serial=True), lower(generated)
    for n, m in trips:
        wanted = serial_trace(issued_serially(serial, n=n, m=m))
        adverse: Schedule = slow_pipe(*PIPES[seed % len(PIPES)], seed)
        if wanted and seed % 2:
            adverse = holding_back([sorted(wanted, key=str)[seed // 2 % len(wanted)]], seed)
        for schedule in (at_random(seed), adverse):
            assert Machine(issued(piped, n=n, m=m), schedule).run().trace == wanted, (n, m)


@settings(
    max_examples=35,
    deadline=None,
    derandomize=True,
    phases=(Phase.explicit, Phase.reuse, Phase.generate),
    suppress_health_check=list(HealthCheck),
)
@given(st.integers(0, 10**9), st.integers(0, 5), st.integers(0, 2))
def test_an_expanded_kernel_moves_the_data_of_the_serial_one(seed: int, n: int, m: int) -> None:
    text = generate(random.Random(seed).randint)
    note(text)
    generated, codes = expanded(text)
    event(", ".join(sorted(codes)) or "expanded")
    if generated is None:
        assert codes <= PROVED_WRONG
    else:
        check_equal(text, generated, [(n, m)], seed)


# Kernels of four or more stages that expand, one for each form of the loop and each nest.
EDGES = {
    "from zero": "pl.range(0, n)",
    "from two": "pl.range(2, n + 2)",
    "in steps": "pl.range(0, 3 * n, 3)",
    "downwards": "pl.range(n - 1, -1, -1)",
}


def kernel_with(loop: str, rounds: bool) -> tuple[str, str]:
    """The first kernel with four or more stages, a preload of at least 2 and this loop that expands."""
    for seed in range(1000):
        text = generate(random.Random(seed).randint, 5)
        deep = text.count("@pl.pipeline.stage") >= 4 and int(text.split("preload=")[1][0]) >= 2
        if deep and f"in {loop}:" in text and ("for q in" in text) is rounds:
            generated = expanded(text)[0]
            if generated is not None:
                return text, generated
    raise AssertionError("the generator never makes such a kernel")


@pytest.mark.parametrize("rounds", [False, True], ids=["one loop", "rounds"])
@pytest.mark.parametrize("loop", EDGES.values(), ids=EDGES.keys())
def test_trip_counts_from_zero_to_more_than_the_delays(loop: str, rounds: bool) -> None:
    text, generated = kernel_with(loop, rounds)
    trips = [(n, 1) for n in range(8)]
    if rounds:
        trips = [(0, 2), (1, 0), (1, 1), (1, 3), (2, 2), (3, 2), (5, 1)]
    check_equal(text, generated, trips, 1)
