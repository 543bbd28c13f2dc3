"""Hostile files neither hang, nor exhaust memory, nor run anything."""

from __future__ import annotations

import pytest
from frontend_files import HEADER, KERNEL, evaluate, load, refusal

from ptopro.frontend.values import Opaque

HOSTILE = [
    "x = 10 ** 10 ** 10",
    "x = 1 << 10 ** 12",
    "x = 'a' * 10 ** 12",
    "x = [0] * 10 ** 12",
    "x = b'a' * 10 ** 12",
    "x = 0\nwhile True:\n    x += 1",
    "x = 'a'\nfor i in range(99):\n    x = x + x",
    "x = 3\nfor i in range(99):\n    x = x * x",
    "x = [1]\nfor i in range(99):\n    x = x + x",
    "a = [0]\nb = [0]\nfor i in range(99):\n    a = [a, a]\n    b = [b, b]\nx = a == b",
    "a = (0,)\nfor i in range(99):\n    a = (a, a)\nx = {a: 1}",
    "a = [0]\nfor i in range(99):\n    a = [a, a]\nx = str(a)",
    "a = []\na.append(a)\nb = []\nb.append(b)\nx = a == b",
    "def f(n):\n    return f(n + 1)\nx = f(0)",
    "def f(n):\n    return n if n < 2 else f(n - 1) + f(n - 2)\nx = f(60)",
    "x = list(range(10 ** 12))",
    "x = sum(range(10 ** 12))",
    "x = 1.5 in range(10 ** 12)",
    "x = max(*range(10 ** 12))",
    "x = [[0] * 100000 for _ in range(100000)]",
    "x = {k * (2 ** 61 - 1): 0 for k in range(200000)}",
    "x = {(k * (2 ** 61 - 1),): 0 for k in range(200000)}",
    "import math\nx = math.factorial(10 ** 9)",
    "import math\nx = math.comb(10 ** 9, 10 ** 8)",
    "x = round(5, -10 ** 9)",
    "x = f'{1:1000000000000}'",
    "x = '%1000000000d' % 1",
    "x = '%*d' % (10 ** 10, 1)",
    "x = '{:{}}'.format(1, 10 ** 10)",
    "x = 'a'.zfill(10 ** 12)",
    "x = ('a' * 10 ** 6).replace('', 'b' * 10 ** 6)",
    "x = int('9' * 100000)",
    "import itertools\nx = list(itertools.product(range(100), repeat=100))",
    "import itertools\nx = list(itertools.count())",
    "def g():\n    while True:\n        yield 1\nx = list(g())",
    "s = 'a' * 900000\nx = [s.count('aab') for i in range(100000)]",
    "s = 'a' * 900000\nx = [s.upper() for i in range(100000)]",
    "class A:\n    def __eq__(self, other):\n        return self == other\nx = A() == A()",
    "class A:\n    def __getattr__(self, name):\n        return getattr(self, name)\nx = A().y",
    "x = ().__class__.__bases__[0].__subclasses__()",
    "x = '{0.__class__}'.format(1)",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_values_are_unknown_and_the_rest_of_the_file_is_read(text):
    module, codes = load(HEADER + text + "\ny = 7" + KERNEL)
    assert codes == []
    kernel = module.kernel("k")
    assert isinstance(module.value("x"), Opaque)
    assert refusal(kernel, "x").origin is not None
    assert evaluate(kernel, "y") == 7


def test_nothing_is_run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    load(
        "import os, subprocess, pathlib\n"
        "os.system('touch made')\nsubprocess.run(['touch', 'made'])\npathlib.Path('made').touch()\n"
        "open('made', 'w')\nexec(\"open('made', 'w')\")\neval(\"open('made', 'w')\")\n__import__('os').system('touch made')\n"
    )
    assert list(tmp_path.iterdir()) == []


def test_expressions_of_a_kernel_have_a_budget_of_their_own():
    module, _ = load(HEADER + "n = 0\nwhile True:\n    n += 1" + KERNEL)
    kernel = module.kernel("k")
    for _ in range(3):
        assert "more steps" in refusal(kernel, "[i for i in range(10 ** 9)]").reason
        assert evaluate(kernel, "sum(range(1000))") == 499500
