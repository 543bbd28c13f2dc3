"""A program whose kernels the tests read from live functions."""

from __future__ import annotations

import enum
import functools
import math
from dataclasses import dataclass

import numpy as np

import ptopro.language as pl
from ptopro.language import Vf as vf

ROWS = 64
EPSILON = np.float32(0.5)
TABLE = {"a": [1, 2], "b": (3,)}
halved = functools.partial(lambda n, by: n // by, by=2)
TILE = pl.TileType(shape=[16, 16], dtype=pl.DT_FP16)
UNKNOWN = object()


class Mode(enum.IntEnum):
    A = 1
    B = 2


class Sizes:
    N = 3

    @staticmethod
    def area(n):
        return n * Sizes.N


@dataclass(frozen=True)
class Shape:
    m: int
    n: int = 7

    def area(self):
        return self.m * self.n


@dataclass
class Tiling:
    n: int
    op: int[4]
    scale: float = 2.0


SHAPE = Shape(5)


@pl.vector_function
def register_code(a, b):
    vf.add(a, b)


def double(n):
    return math.ceil(n * 2)


def make(count):
    dtype = pl.DT_FP16
    rows = count * ROWS

    def inner(n):
        return n + rows

    @pl.jit(auto_mutex=False)
    def scale(
        x: pl.Tensor[[pl.DYNAMIC, rows], dtype],
        n: pl.DT_INT32 = 3,
        *,
        t: Tiling,
    ):
        return inner(n)

    return scale
