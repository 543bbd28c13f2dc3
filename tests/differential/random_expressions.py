"""Random scalar expressions with the values that Python gives them.

An expression is drawn as a tree whose nodes know their text, the type the language gives them, and their value for each
set of arguments.  A tree in which some value leaves its type, a divisor is 0 or a shift is out of range is drawn again,
so what remains has one meaning.
"""

from __future__ import annotations

import operator
import random
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

INT32, INT64, BOOL, FP32 = "int32", "int64", "bool", "fp32"
Number = int | bool | np.float32

# Values of the parameters a: INT64, b: INT64, n: INT32, m: INT32, x: FP32, y: FP32 in each launch.
PARAMETERS = {"a": INT64, "b": INT64, "n": INT32, "m": INT32, "x": FP32, "y": FP32}
ARGUMENTS = (
    {"a": 7, "b": -3, "n": 5, "m": -2, "x": 1.5, "y": -0.75},
    {"a": -1_000_003, "b": 4096, "n": -17, "m": 30, "x": -3.25e5, "y": 0.1},
    {"a": 1 << 40, "b": -(1 << 33) - 1, "n": 1000, "m": -999, "x": 1e-6, "y": 7.0},
    {"a": 0, "b": 1, "n": 0, "m": -1, "x": 0.0, "y": 2.5},
)


class Undefined(Exception):
    """The expression has no value that the language promises."""


@dataclass(frozen=True, slots=True)
class Node:
    """text: with as few parentheses as the writer cares for; values: one for each of ARGUMENTS."""

    text: str
    dtype: str
    values: tuple[Number, ...]
    literal: bool = False


class Writer:
    """Draws expressions; each call of `expression` gives one that is defined for all arguments."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.integers: list[Callable[[int], Node]] = [self._arithmetic] * 5 + [
            self._bits, self._shift, self._negation, self._choice, self._extreme, self._power, self._truth_as_number
        ]  # fmt: skip

    def expression(self, kind: str) -> Node:
        """kind: 'integer', 'truth' or 'float'."""
        make = {"integer": self.integer, "truth": self.truth, "float": self.real}[kind]
        while True:
            try:
                node = make(self.rng.randint(2, 5))
            except Undefined:
                continue
            if not node.literal:
                return node

    # Integers

    def integer(self, depth: int) -> Node:
        if depth == 0 or self.rng.random() < 0.1:
            return self._integer_leaf()
        return self.rng.choice(self.integers)(depth - 1)

    def _integer_leaf(self) -> Node:
        if self.rng.random() < 0.4:
            value = self.rng.choice((0, 1, 2, 3, 5, 8, 31, 64, 100, 1 << 20, (1 << 35) + 1))
            return Node(str(value), INT64, (value,) * len(ARGUMENTS), literal=True)
        return parameter(self.rng.choice("abnm"))

    def _arithmetic(self, depth: int) -> Node:
        sign = self.rng.choice(("+", "-", "*", "//", "%"))
        return integer_binary(sign, self.integer(depth), self.integer(depth))

    def _bits(self, depth: int) -> Node:
        return integer_binary(self.rng.choice(("&", "|", "^")), self.integer(depth), self.integer(depth))

    def _shift(self, depth: int) -> Node:
        count = self.rng.randint(0, 20)
        right = Node(str(count), INT64, (count,) * len(ARGUMENTS), literal=True)
        return integer_binary(self.rng.choice(("<<", ">>")), self.integer(depth), right)

    def _negation(self, depth: int) -> Node:
        inner, sign = self.integer(depth), self.rng.choice("-~+")
        functions = {"-": operator.neg, "~": operator.invert, "+": operator.pos}
        return checked(f"({sign}{inner.text})", inner.dtype, tuple(functions[sign](v) for v in inner.values))

    def _choice(self, depth: int) -> Node:
        test, left, right = self.truth(depth), self.integer(depth), self.integer(depth)
        values = tuple(x if t else y for t, x, y in zip(test.values, left.values, right.values, strict=True))
        return checked(f"({left.text} if {test.text} else {right.text})", wider(left, right), values)

    def _extreme(self, depth: int) -> Node:
        name, left, right = self.rng.choice(("min", "max")), self.integer(depth), self.integer(depth)
        function = {"min": min, "max": max}[name]
        values = tuple(function(x, y) for x, y in zip(left.values, right.values, strict=True))
        return checked(f"{name}({left.text}, {right.text})", wider(left, right), values)

    def _power(self, depth: int) -> Node:
        exponent, base = self.rng.randint(0, 3), self.integer(depth)
        return checked(f"({base.text}) ** {exponent}", INT64, tuple(v**exponent for v in base.values))

    def _truth_as_number(self, depth: int) -> Node:
        test, other = self.truth(depth), self.integer(depth)
        return integer_binary("+", test, other)

    # Truth

    def truth(self, depth: int) -> Node:
        choice = self.rng.random()
        if choice < 0.5 or depth == 0:
            return self._comparison(depth)
        if choice < 0.7:
            inner = self.truth(depth - 1)
            return Node(f"(not {inner.text})", BOOL, tuple(not v for v in inner.values))
        word, left, right = self.rng.choice(("and", "or")), self.truth(depth - 1), self.truth(depth - 1)
        pairs = zip(left.values, right.values, strict=True)
        values = tuple((x and y) if word == "and" else (x or y) for x, y in pairs)
        return Node(f"({left.text} {word} {right.text})", BOOL, values)

    def _comparison(self, depth: int) -> Node:
        parts = [self.integer(max(depth - 1, 0)) for _ in range(self.rng.choice((2, 2, 3)))]
        if all(part.literal for part in parts):
            parts[0] = parameter("a")
        signs = [self.rng.choice(("<", "<=", ">", ">=", "==", "!=")) for _ in parts[1:]]
        text, values = parts[0].text, [True] * len(ARGUMENTS)
        for sign, left, right in zip(signs, parts, parts[1:], strict=False):
            text += f" {sign} {right.text}"
            for i, (x, y) in enumerate(zip(left.values, right.values, strict=True)):
                values[i] = values[i] and COMPARE[sign](x, y)
        return Node(f"({text})", BOOL, tuple(values))

    # Floats: each operation rounds to FP32

    def real(self, depth: int) -> Node:
        if depth == 0:
            return parameter(self.rng.choice("xy"))
        choice = self.rng.random()
        if choice < 0.6:
            left = self.real(depth - 1)
            right = self.integer(depth - 1) if self.rng.random() < 0.3 else self.real(depth - 1)
            return float_binary(self.rng.choice("+-*/"), *((left, right) if self.rng.random() < 0.5 else (right, left)))
        if choice < 0.7:
            return float_binary("/", self.integer(depth - 1), self.integer(depth - 1))
        if choice < 0.8:
            inner = self.real(depth - 1)
            return Node(f"(-{inner.text})", FP32, tuple(-v for v in inner.values))
        test, left, right = self.truth(depth - 1), self.real(depth - 1), self.real(depth - 1)
        values = tuple(x if t else y for t, x, y in zip(test.values, left.values, right.values, strict=True))
        return Node(f"({left.text} if {test.text} else {right.text})", FP32, values)


COMPARE = {
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge, "==": operator.eq, "!=": operator.ne
}  # fmt: skip
INTEGER = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "//": operator.floordiv, "%": operator.mod,
    "&": operator.and_, "|": operator.or_, "^": operator.xor, "<<": operator.lshift, ">>": operator.rshift,
}  # fmt: skip
REAL = {"+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv}


def parameter(name: str) -> Node:
    dtype = PARAMETERS[name]
    values = tuple(np.float32(a[name]) if dtype == FP32 else int(a[name]) for a in ARGUMENTS)
    return Node(name, dtype, values)


def wider(left: Node, right: Node) -> str:
    """INT32 only where neither side is anything else: a literal is INT64."""
    return INT32 if left.dtype == right.dtype == INT32 else INT64


def checked(text: str, dtype: str, values: tuple[int, ...]) -> Node:
    limit = 1 << (30 if dtype == INT32 else 62)
    if any(not -limit < value < limit for value in values):
        raise Undefined
    return Node(text, dtype, values)


def integer_binary(sign: str, left: Node, right: Node) -> Node:
    if sign in ("//", "%") and 0 in right.values:
        raise Undefined
    values = tuple(INTEGER[sign](x, y) for x, y in zip(left.values, right.values, strict=True))
    literal = left.literal and right.literal
    node = checked(f"({left.text} {sign} {right.text})", wider(left, right), values)
    return Node(node.text, node.dtype, node.values, literal)


def float_binary(sign: str, left: Node, right: Node) -> Node:
    if left.literal and right.literal:
        raise Undefined  # folded, in Python's double precision
    results = []
    for x, y in zip(left.values, right.values, strict=True):
        if sign == "/" and y == 0:
            raise Undefined
        with np.errstate(all="ignore"):
            value = REAL[sign](np.float32(x), np.float32(y))
        if not np.isfinite(value):
            raise Undefined
        results.append(value)
    return Node(f"({left.text} {sign} {right.text})", FP32, tuple(results))
