"""Random kernels do what they do as plain Python.

The generator writes scalar code with branches, loops of every kind, jumps, tuples, structs, tiles chosen at run time and
helper functions.  A loop counts its rounds and returns when there are too many, so every program ends.
"""

from __future__ import annotations

import random
from collections.abc import Callable

from hypothesis import given, settings
from hypothesis import strategies as st
from lowering_kernels import lower_text, source
from lowering_replay import Replay, as_python, same

from ptopro.diagnostics import Severity

ARGUMENTS = ((0, 0), (1, -2), (3, 4), (-5, 2), (7, 1))
# A random program may well be wrong in these ways; everything else it says is to be lowered.
ALLOWED = {"PTO1152", "PTO1153"}
ROUNDS = 40


class Writer:
    """Writes the body of one function.  names: numbers that may be read; fixed: those that may not be assigned."""

    def __init__(self, rng: random.Random, names: list[str], *, helper: bool, size: int) -> None:
        self.rng = rng
        self.names = names
        self.fixed: set[str] = set()
        self.helper = helper
        self.left = size
        self.loops = 0
        self.lines: list[str] = []

    def pick(self, *rules: tuple[int, Callable[[], str]]) -> str:
        weights = [weight for weight, _ in rules]
        return self.rng.choices([rule for _, rule in rules], weights)[0]()

    def number(self, depth: int = 0) -> str:
        name = lambda: self.rng.choice(self.names)  # noqa: E731
        if depth > 2:
            return name()
        inner = lambda: self.number(depth + 1)  # noqa: E731
        rules: list[tuple[int, Callable[[], str]]] = [
            (6, name),
            (3, lambda: str(self.rng.randint(-3, 5))),
            (1, lambda: f"p[{self.rng.randint(0, 1)}]"),
            (1, lambda: self.rng.choice(["s.a", "s.v[0]", "s.v[1]"])),
            (1, lambda: f"({inner()} if {self.condition(depth + 1)} else {inner()})"),
            (1, lambda: f"{self.rng.choice(['min', 'max'])}({inner()}, {inner()})"),
            (1, lambda: f"({inner()} // {self.rng.choice(['2', '3', '-2', f'(abs({name()}) + 1)'])})"),
            (1, lambda: f"({inner()} % {self.rng.choice(['2', '5', '-3'])})"),
            (2, lambda: f"({inner()} {self.rng.choice('+-*')} {inner()}) % 1000"),
        ]
        if not self.helper:
            rules.append((1, lambda: f"{self.rng.choice(['h1', 'h2'])}({inner()}, {inner()})"))
        return self.pick(*rules)

    def condition(self, depth: int = 0) -> str:
        number = lambda: self.number(depth + 1)  # noqa: E731
        rules: list[tuple[int, Callable[[], str]]] = [
            (6, lambda: f"{number()} {self.rng.choice(['<', '<=', '>', '==', '!='])} {number()}"),
            (1, lambda: f"{number()} in (1, {self.rng.choice(self.names)}, 3)"),
            (1, lambda: f"{number()} < {self.rng.choice(self.names)} <= {number()}"),
        ]
        if depth < 2:
            both = lambda: self.condition(depth + 1)  # noqa: E731
            rules.append((2, lambda: f"({both()} {self.rng.choice(['and', 'or'])} {both()})"))
            rules.append((1, lambda: f"not {both()}"))
        return self.pick(*rules)

    def tile(self) -> str:
        plain = ["a.next()", "b.next()", "a[1]", "b.current()", "t0", "t1"]
        return self.rng.choice([*plain, f"(a.next() if {self.condition(1)} else t1)"])

    def write(self, depth: int, text: str) -> None:
        self.lines.append("    " * depth + text)

    def block(self, depth: int, count: int) -> None:
        for _ in range(count):
            self.statement(depth)

    def target(self) -> str:
        return self.rng.choice([name for name in self.names if name not in self.fixed])

    def statement(self, depth: int) -> None:
        self.left -= 1
        simple: list[tuple[int, Callable[[], str]]] = [
            (6, lambda: f"{self.target()} = {self.number()}"),
            (2, lambda: f"{self.target()} {self.rng.choice(['+=', '-='])} {self.number()}"),
            (2, lambda: f"p = ({self.number()}, {self.number()})"),
            (1, lambda: f"q0, q1 = {self.number()}, {self.number()}"),
            (1, lambda: f"s.a = {self.number()}"),
            (1, lambda: f"s.v[{self.rng.randint(0, 1)}] += {self.number()}"),
        ]
        if not self.helper:
            simple += [
                (3, lambda: f"pl.setval(x, {self.rng.randint(0, 9)}, {self.number()})"),
                (2, lambda: f"{self.rng.choice(['t0', 't1'])} = {self.tile()}"),
                (2, lambda: f"pl.muls(t0, t1, {self.number()})"),
            ]
        compound = [self.branch, self.for_loop, self.while_loop, self.jump]
        if self.left > 0 and self.rng.random() < 0.4:
            self.rng.choices(compound, (4, 4, 2, 2))[0](depth)
        else:
            self.write(depth, self.pick(*simple))

    def branch(self, depth: int) -> None:
        self.write(depth, f"if {self.condition()}:")
        self.block(depth + 1, self.rng.randint(1, 3))
        if self.rng.random() < 0.3:
            self.write(depth, f"elif {self.condition()}:")
            self.block(depth + 1, 1)
        if self.rng.random() < 0.5:
            self.write(depth, "else:")
            self.block(depth + 1, self.rng.randint(1, 2))

    def for_loop(self, depth: int) -> None:
        name = f"i{len(self.lines)}"
        bounds = [f"{self.number(2)}, {self.number(2)}", "3", f"{self.rng.choice(self.names)}, 0, -1"]
        plain = [f"pl.range({text})" for text in bounds]
        unrolled = ["range(3)", f"(1, {self.rng.choice(self.names)}, 2)"]
        self.write(depth, f"for {name} in {self.rng.choice(plain + unrolled)}:")
        self.names.append(name)
        self.fixed.add(name)
        self.rounds(depth, name)

    def while_loop(self, depth: int) -> None:
        self.write(depth, f"while {self.condition()}:")
        self.rounds(depth)

    def rounds(self, depth: int, counter: str = "") -> None:
        self.write(depth + 1, "g += 1")
        self.write(depth + 1, f"if g > {ROUNDS}:")
        self.write(depth + 2, "return g" if self.helper else "return")
        self.loops += 1
        self.block(depth + 1, self.rng.randint(1, 3))
        self.loops -= 1
        if counter:
            self.names.remove(counter)
        if self.rng.random() < 0.2:
            self.write(depth, "else:")
            self.block(depth + 1, 1)

    def jump(self, depth: int) -> None:
        leave = f"return {self.number()}" if self.helper else "return"
        self.write(depth, f"if {self.condition()}:")
        self.write(depth + 1, self.rng.choice(["break", "continue"]) if self.loops else leave)


def helper(rng: random.Random, name: str) -> str:
    writer = Writer(rng, ["u", "w", "q0", "q1"], helper=True, size=6)
    for line in ("q0, q1, g = u, 2, 0", "p = (u, w)", 's = pl.struct("S", a=1, v=[0, 2])'):
        writer.write(1, line)
    writer.block(1, 3)
    writer.write(1, f"return {writer.number()}")
    return "\n".join([f"def {name}(u, w):", *writer.lines])


def program(seed: int) -> str:
    rng = random.Random(seed)
    writer = Writer(rng, ["n", "m", "q0", "q1", "q2"], helper=False, size=22)
    for line in ("t0, t1 = a.next(), b.next()", "q0, q1, q2, g = 0, n, 3, 0", "p = (1, m)"):
        writer.write(0, line)
    writer.write(0, 's = pl.struct("S", a=1, v=[0, 2])')
    writer.block(0, rng.randint(4, 8))
    writer.write(0, "pl.setval(x, 0, q0 + q1 * 3 + q2)")
    writer.write(0, "pl.muls(t0, t1, p[0] + p[1] + s.a + s.v[1])")
    return source("\n".join(writer.lines), before=helper(rng, "h1") + "\n" + helper(rng, "h2"))


@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.integers(min_value=0, max_value=1 << 40))
def test_random_kernels(seed: int) -> None:
    text = program(seed)
    kernel, found = lower_text(text)
    errors = {d.code for d in found if d.severity is Severity.ERROR}
    assert errors <= ALLOWED, (errors, text)
    if kernel is None:
        return
    for n, m in ARGUMENTS:
        arguments = {"x": (100, 64), "y": (100, 64), "n": n, "m": m}
        wanted = as_python(text, arguments)
        got = Replay(kernel, "vector", arguments).events
        assert len(got) == len(wanted) and all(map(same, got, wanted)), (text, n, m)
