"""Module-level values: the evaluator gives what Python gives."""

from __future__ import annotations

import math

import pytest
from frontend_files import HEADER, clean, kernel_with, load, refusal, value

from ptopro.frontend.values import ClassKind, InstanceValue, LanguageName, NamedTupleValue, Opaque
from ptopro.language import dtypes, enums
from ptopro.language.tiles import TileSpec

# Each text binds x; Python itself says what x is.
SAME_AS_PYTHON = [
    "x = 3 * 7 - 2 ** 5 // 3 % 4",
    "x = (-7 // 2, -7 % 3, 7 // -2, -3 // 4, 1 << 5 >> 2, 6 & 3 | 8 ^ 1, ~5, 7 / 2)",
    "x = 1 < 2 < 3 > 2 != 5 and not (1 in (2, 3)) or 'a' not in 'cab'",
    "n = None\nx = [n is None, n is not None, 0 or 'b', [] and 3, 1 and 2]",
    "x = 5 if 2 > 1 else 1 // 0",
    "x = [i * j for i in range(4) if i % 2 for j in (1, 10)]",
    "x = {k: v for k, v in zip('abc', range(3))}",
    "x = {i % 3 for i in range(9)}",
    "x = sum(n * n for n in range(5))",
    "a, (b, *c), d = 1, (2, 3, 4), 5\nx = (a, b, c, d)",
    "a = b = [1]\nb.append(2)\nx = a",
    "x = [0] * 3\nx[1:] = [7, 8]\nx += [9]\ndel x[0]",
    "n = 10\nx = 0\nwhile n:\n    n -= 3\n    if n < 2:\n        break\n    x += n\nelse:\n    x = -1",
    "x = []\nfor i in range(5):\n    if i == 3:\n        continue\n    x.append(i)\nelse:\n    x.append('end')",
    "x = f'{3.14159:.2f}|{42:#x}|{\"a\":>4}|{1 + 1}|{[1, 2]!r}'",
    "x = '{0}-{b:>3}'.format(1, b='z') + '%d%%' % 5 + 'a,b'.split(',')[1].upper()",
    "x = ('b' 'c', r'\\n', b'ab'[0], 'abc'[::-1], 'x'.join(['1', '2']))",
    "x = (min(3, 1, 2), max([4, 9], key=lambda v: -v), abs(-3), round(2.567, 1), divmod(17, 5), pow(2, 10, 7))",
    "x = (int('0x1f', 16), float('-inf'), bool([]), str(12), tuple('ab'), list(range(3)), hex(255), ord('a'))",
    "x = [sorted([3, 1, 2], reverse=True), list(reversed([1, 2])), list(enumerate('ab', 1)), any([0, 1]), all([])]",
    "x = list(map(lambda a, b: a + b, [1, 2], [3, 4])) + list(filter(None, [0, 1]))",
    "d = {'a': 1}\nd.update(b=2)\nd.setdefault('c', []).append(3)\nx = (d, d.get('z', 9), list(d.items()), 'a' in d)",
    "def f(a, b=2, *args, c=3, **kw):\n    return (a, b, args, c, kw)\nx = [f(1), f(1, 5, 6, c=7, z=8), f(*[1, 2], **{'c': 4})]",
    "def outer(n):\n    def inner(k):\n        nonlocal n\n        n += k\n        return n\n    inner(1)\n    return inner(2)\nx = outer(10)",
    "c = 0\ndef bump():\n    global c\n    c += 1\nbump()\nbump()\nx = c",
    "def gen(n):\n    for i in range(n):\n        yield i\n    yield from [7, 8]\nx = list(gen(2))",
    "def f(n):\n    return 1 if n < 2 else n * f(n - 1)\nx = f(10)",
    "try:\n    x = {}['missing']\nexcept (KeyError, IndexError):\n    x = 'caught'\nelse:\n    x = 'no'\nfinally:\n    y = 1",
    "def f(v):\n    if v < 0:\n        raise ValueError('negative')\n    return v\ntry:\n    f(-1)\nexcept ValueError:\n    x = 1",
    "import math\nx = (math.ceil(2.1), math.sqrt(16), math.log2(8), math.gcd(12, 18), math.prod([2, 3]), math.pi)",
    "from math import ceil as up\nimport functools\nx = functools.reduce(lambda a, b: a + b, map(up, [1.5, 2.5]))",
    "import functools\nadd = functools.partial(lambda a, b: a - b, 10)\nx = add(b=3)",
    "import itertools\nx = [list(itertools.product([1, 2], 'ab')), list(itertools.chain([1], (2,)))]",
    "x = [y := 5, y + 1]",
    "from copy import deepcopy\na = [[1]]\nb = deepcopy(a)\nb[0].append(2)\nx = (a, b)",
    "if 1 > 2:\n    x = 1\nelif 2 > 1:\n    x = 2\nelse:\n    x = 3",
    "x: int = 4",
    "x = 1\nx *= 5\nx <<= 2\nx //= 3\nx -= 0.5",
    "from typing import TYPE_CHECKING\nx = TYPE_CHECKING",
]


@pytest.mark.parametrize("text", SAME_AS_PYTHON)
def test_a_value_is_what_python_computes(text):
    names: dict[str, object] = {}
    exec(text, names)
    assert value(text) == names["x"]


def test_classes_of_constants_with_inheritance_and_methods():
    module = clean(
        """
        class Base:
            A = 2
            TABLE = {1: "one"}

            @staticmethod
            def twice(n):
                return n * 2

            @classmethod
            def scaled(cls, n):
                return cls.A * n

        class Sizes(Base):
            B = Base.A + 1
            C = [B * i for i in range(2)]

        x = (Sizes.A, Sizes.B, Sizes.C, Sizes.twice(4), Sizes.scaled(5), Sizes.TABLE[1], Sizes.__name__)
        """
    )
    assert module.value("x") == (2, 3, [0, 3], 8, 10, "one", "Sizes")


def test_dataclasses():
    module = clean(
        """
        from dataclasses import dataclass, field, replace, asdict, astuple
        import dataclasses

        @dataclass(frozen=True, order=True)
        class Shape:
            m: int
            n: int = 8
            dims: list = field(default_factory=list)

            @property
            def area(self):
                return self.m * self.n

            def grown(self, by):
                return replace(self, m=self.m + by)

        @dataclasses.dataclass
        class Named(Shape):
            name: str = "none"

            def __post_init__(self):
                self.size = self.m * 100

        s = Shape(4)
        x = (s.area, s.grown(2).m, s == Shape(4), s < Shape(5), asdict(s), astuple(Shape(1, 2)), Named(3).size)
        y = Named(1, n=2, name="q")
        """
    )
    assert module.value("x") == (32, 6, True, True, {"m": 4, "n": 8, "dims": []}, (1, 2, []), 300)
    y = module.value("y")
    assert isinstance(y, InstanceValue) and y.cls.kind is ClassKind.DATACLASS and y.attributes["name"] == "q"


def test_wrong_fields_of_a_dataclass_are_refused_with_a_suggestion():
    kernel = kernel_with(
        """
        from dataclasses import dataclass
        @dataclass
        class S:
            rows: int
        s = S(row=3)
        """
    )
    assert "did you mean 'rows'?" in refusal(kernel, "s.rows").reason


def test_enums():
    module = clean(
        """
        import enum
        from enum import IntEnum, auto

        class Mode(enum.Enum):
            A = "a"
            B = "b"
            ALIAS = "a"

        class Level(IntEnum):
            LOW = auto()
            HIGH = auto()

            def doubled(self):
                return self * 2

        x = (Mode.A is Mode.ALIAS, Mode("b").name, Mode["A"].value, len(Mode), [m.name for m in Level])
        y = (Level.HIGH + 1, Level(1).name, Level.HIGH == 2, {Level.LOW: "l"}[1], Level.HIGH.doubled(), f"{Level.LOW}")
        """
    )
    assert module.value("x") == (True, "B", "a", 2, ["LOW", "HIGH"])
    assert module.value("y") == (3, "LOW", True, "l", 4, "1")


def test_named_tuples():
    module = clean(
        """
        from typing import NamedTuple
        from collections import namedtuple

        class P(NamedTuple):
            m: int
            n: int = 2

        Q = namedtuple("Q", "a b", defaults=[9])
        x = (P(1), P(1).n, P(3)._replace(n=5).n, Q(1).b, P(1)._asdict())
        """
    )
    point, *rest = module.value("x")
    assert isinstance(point, NamedTupleValue) and point == (1, 2)
    assert rest == [2, 5, 9, {"m": 1, "n": 2}]


def test_names_of_the_language():
    module = clean(
        HEADER
        + """
import math
F = pl.DT_FP16
M = pl.MemorySpace.Mat
LAYOUT = pl.NZ
T = pl.TileType(shape=[16, 32], dtype=F, target_memory=M, valid_shape=[16, -1], layout=LAYOUT)
DYN = pl.DYNAMIC
CFG = pl.pipeline.PipelineConfig(preload=[1, 2], sync_only=True)
OPS = (pl.load, pl.system.bar_all, pl.Vf.add, pl.vf.add)
SIZE = {pl.DT_FP32: 4, pl.DT_FP16: 2}[F]
"""
    )
    assert module.value("F") is dtypes.FP16
    assert module.value("T") == TileSpec((16, 32), dtypes.FP16, enums.MemorySpace.Mat, (16, -1), enums.TensorLayout.NZ)
    assert list(module.value("CFG").preload) == [1, 2]
    names = ("load", "system.bar_all", "vf.add", "vf.add")
    assert module.value("OPS") == tuple(LanguageName(name) for name in names)
    assert module.value("SIZE") == 2


def test_numpy_constants_are_known_and_arrays_are_not():
    module, codes = load("import numpy as np\nx = (np.inf, np.pi)\ny = np.zeros(4)\nz = y.shape[0] + 1\n")
    assert codes == []
    assert module.value("x") == (math.inf, math.pi)
    assert isinstance(module.value("z"), Opaque) and "numpy.zeros" in module.value("z").reason


def test_a_local_name_does_not_fall_back_to_a_global_before_it_is_bound():
    kernel = kernel_with("n = 1\ndef f():\n    m = n\n    n = 2\n    return m\nx = f()\n")
    assert "name 'n' is not defined" in refusal(kernel, "x").reason


def test_class_bodies_are_no_closure_of_their_methods():
    kernel = kernel_with("class C:\n    A = 1\n    def f():\n        return A\nx = C.f()\n")
    assert "name 'A' is not defined" in refusal(kernel, "x").reason


def test_environment_variables_are_read_as_they_are(monkeypatch):
    monkeypatch.setenv("TILE_ROWS", "48")
    monkeypatch.delenv("TILE_COLUMNS", raising=False)
    assert value('import os\nx = int(os.environ.get("TILE_ROWS", "16"))') == 48
    assert value('import os\nx = (os.getenv("TILE_COLUMNS", "7"), "TILE_ROWS" in os.environ)') == ("7", True)
    assert value('from os import environ\nx = environ["TILE_ROWS"]') == "48"
    assert value('import os\nos.environ["TILE_COLUMNS"] = "3"\nx = os.getenv("TILE_COLUMNS")') == "3"
    assert isinstance(value('import os\nx = os.environ["TILE_COLUMNS"]'), Opaque)
