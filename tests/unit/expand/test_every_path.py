"""On random programs, and on every path through them: locks are balanced, never nest, and order what must be ordered.

The programs are texts; they are expanded, read and lowered again, and replayed on paper (expand_replay.py) by a model of the
hardware's locks that knows nothing of how expand decided.
"""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from expand_kernels import expanded, lowered, vector_kernel
from expand_replay import Replay, SyncFault
from hypothesis import given, settings
from hypothesis import strategies as st

from ptopro.lowering import ir

TILES = ("t0", "t1", "t2", "t3")
GROUPS = ("a", "b", "c", "d")


class Program:
    """A random kernel body.  Every name is bound before the random part, so that any use is legal."""

    def __init__(self, draw: random.Random) -> None:
        self.draw = draw
        self.lines: list[str] = [f"{t} = {self.slot(g)}" for t, g in zip(TILES, GROUPS, strict=True)]
        self.lines.append("s = pl.getval(t0, 0)" if draw.random() < 0.3 else "s = 0.5")
        self.block(0, draw.randint(3, 9))

    def pick(self, *choices: str) -> str:
        return self.draw.choice(choices)

    def slot(self, group: str | None = None) -> str:
        group = group or self.pick(*GROUPS)
        if self.draw.random() < 0.15:
            return f"{group}[0]"
        return f"{group}.{self.pick('next', 'next', 'current', 'previous')}()"

    def tile(self) -> str:
        if self.draw.random() < 0.2:
            return self.slot()
        return self.pick(*TILES, *(f"{t}[0:16, 0:64]" for t in TILES[:1]))

    def whole(self) -> str:
        return self.slot() if self.draw.random() < 0.2 else self.pick(*TILES)

    def block(self, depth: int, size: int) -> None:
        for _ in range(size):
            self.statement(depth)

    def line(self, depth: int, text: str) -> None:
        self.lines.append("    " * depth + text)

    def statement(self, depth: int) -> None:
        kind = self.draw.choices(
            [
                "bind",
                "load",
                "muls",
                "add",
                "store",
                "if",
                "for",
                "while",
                "read",
                "write",
                "choose",
                "helper",
                "leave",
            ],
            [5, 4, 4, 3, 4, 2, 2, 1, 1, 1, 1, 1, 0.4],
        )[0]
        if kind == "bind":
            self.line(depth, f"{self.pick(*TILES)} = {self.slot()}")
        elif kind == "load":
            self.line(depth, f"pl.load({self.whole()}, x, [0, 0])")
        elif kind == "muls":
            factor = "s" if self.draw.random() < 0.7 else f"pl.getval({self.pick(*TILES)}, 1)"
            self.line(depth, f"pl.muls({self.whole()}, {self.whole()}, {factor})")
        elif kind == "add":
            self.line(depth, f"pl.add({self.whole()}, {self.whole()}, {self.whole()})")
        elif kind == "store":
            self.line(depth, f"pl.store(y, {self.whole()}, [0, 0])")
        elif kind == "read":
            self.line(depth, f"s = {self.pick(*TILES)}[0, {self.draw.randint(0, 3)}] + 1.0")
            self.line(depth, f"pl.setval({self.pick(*TILES)}, 5, s)")  # so that it is not dead code
        elif kind == "write":
            self.line(depth, f"pl.setval({self.pick(*TILES)}, 0, s)")
        elif kind == "choose":
            chosen = self.pick(*TILES)
            self.line(depth, f"{chosen} = {self.slot()} if n > 3 else {self.pick(*TILES)}")
            self.line(depth, f"pl.exp({chosen}, {chosen})")
        elif kind == "helper":
            self.line(depth, f"{self.pick('twice', 'fill')}({self.pick(*TILES)}, {self.pick(*TILES)}, x)")
        elif depth >= 3:
            self.line(depth, f"pl.muls({self.pick(*TILES)}, {self.pick(*TILES)}, 2.0)")
        elif kind == "if":
            self.line(depth, f"if {self.test()}:")
            self.block(depth + 1, self.draw.randint(1, 3))
            if self.draw.random() < 0.3:
                self.line(depth, f"elif {self.test()}:")
                self.block(depth + 1, self.draw.randint(1, 2))
            if self.draw.random() < 0.4:
                self.line(depth, "else:")
                self.block(depth + 1, self.draw.randint(1, 3))
        elif kind == "for":
            stop = "n" if self.draw.random() < 0.8 else "pl.DT_INT32(t1[0, 0])"
            self.line(depth, f"for i{depth} in pl.range(0, {stop}):")
            self.block(depth + 1, self.draw.randint(1, 4))
        elif kind == "while":
            self.line(depth, f"while {self.test()}:")
            self.block(depth + 1, self.draw.randint(1, 3))
        elif kind == "unroll":
            self.line(depth, f"for j{depth} in range(2):")
            self.block(depth + 1, self.draw.randint(1, 3))
        elif kind == "run":  # work of one pipe, one line after the other
            first, second = self.pick(*TILES), self.pick(*TILES)
            for operation in self.draw.choices(["exp", "sqrt", "abs"], k=self.draw.randint(2, 4)):
                self.line(depth, f"pl.{operation}({self.draw.choice((first, second))}, {first})")
        elif kind == "leave":
            self.line(depth, "if n > 7:")
            self.line(depth + 1, "return")

    def test(self) -> str:
        return self.pick("n > 2", "n > 5", f"pl.getval({self.pick(*TILES)}, 2) > 0.0", "t2[0, 1] > 0.0 and n > 1")


HELPERS = """
def twice(out, t, x):
    pl.muls(out, t, 2.0)


def fill(out, t, x):
    pl.load(out, x, [0, 0])
    pl.add(t, out, t)
"""

LAYOUTS = [
    # disjoint
    "c = pl.make_tile_group(type=T, addrs=0x10000, mutex_ids=[4, 5, 6])\n"
    "d = pl.make_tile_group(type=T, addrs=0x18000, mutex_ids=[7])",
    # c lies over a, with other ids; d over the second half of b's slots
    "c = pl.make_tile_group(type=T, addrs=0x0000, mutex_ids=[4, 5])\n"
    "d = pl.make_tile_group(type=T, addrs=[0x9000, 0x14000], mutex_ids=[6, 7])",
    # half of c over a; d gets free ids
    "c = pl.make_tile_group(type=T, addrs=0x1000, mutex_ids=[4])\n"
    'd = pl.make_tile_group(type=T, addrs=0x18000, depth=2, mutex_ids="auto")',
    # several ids for one slot, shared ids
    "c = pl.make_tile_group(type=T, addrs=0x10000, mutex_ids=[(4, 0), (5, 1)])\n"
    "d = pl.make_tile_group(type=T, addrs=0x18000, mutex_ids=[(2, 9)])",
]


def make_text(seed: int) -> str:
    draw = random.Random(seed)
    layout = draw.choice(LAYOUTS)
    text = vector_kernel("\n".join(Program(draw).lines), layout, HELPERS)
    if layout is LAYOUTS[-1]:  # tiles of one variable have equally many ids
        text = text.replace("mutex_ids=[0, 1]", "mutex_ids=[(0, 10), (1, 11)]")
        text = text.replace("mutex_ids=[2, 3]", "mutex_ids=[(2, 12), (3, 10)]")
    return text


def chooser(seed: int) -> Callable[[str], int]:
    draw = random.Random(seed)
    return lambda kind: draw.randint(0, 1) if kind == "test" else draw.randint(0, 3)


def replay(kernel: ir.KernelIR, seed: int) -> Replay:
    assert kernel.vector is not None
    return Replay(chooser(seed)).run(kernel.vector)


@settings(max_examples=120, deadline=None)
@given(st.integers(0, 10**9))
def test_random_programs_are_ordered_on_every_path(seed: int) -> None:
    text = make_text(seed)
    tight = lowered(expanded(text).text)
    loose = lowered(expanded(text, coalesce=False).text)
    for path in range(12):
        a, b = replay(tight, path), replay(loose, path)
        assert [(op.name, op.pipe, op.before) for op in a.done] == [(op.name, op.pipe, op.before) for op in b.done], (
            "coalescing keeps every order"
        )
        assert a.locks <= b.locks


def test_the_model_notices_a_missing_lock() -> None:
    text = expanded(
        vector_kernel("t = a.next()\npl.load(t, x, [0, 0])\npl.muls(t, t, 2.0)\npl.store(y, t, [0, 0])")
    ).text
    replay(lowered(text), 0)
    lines = text.split("\n")
    locks = [i for i, line in enumerate(lines) if "mutex_lock" in line]
    assert len(locks) == 3
    for i in locks:
        unlock = next(j for j in range(i, len(lines)) if "mutex_unlock" in lines[j])
        mutant = [line for j, line in enumerate(lines) if j not in (i, unlock)]
        with pytest.raises(SyncFault, match="not ordered"):
            replay(lowered("\n".join(mutant)), 0)
        with pytest.raises(SyncFault, match=r"held|nests"):
            replay(lowered("\n".join(line for j, line in enumerate(lines) if j != unlock)), 0)


def test_random_programs_are_expanded_once() -> None:
    for seed in range(20):
        text = expanded(make_text(seed)).text
        assert expanded(text).text == text
