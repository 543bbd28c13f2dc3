"""Lowered kernels do what the kernel does as plain Python: same operations, same slots, same numbers, same order."""

from __future__ import annotations

import textwrap

import pytest
from lowering_kernels import lower_good, source
from lowering_replay import Replay, as_python, same

SCALARS = [(n, m) for n in (-7, 0, 1, 2, 3, 5, 40) for m in (-3, 0, 4)]


def check(body: str, *, before: str = "") -> None:
    text = source(body, before=before)
    kernel = lower_good(text)
    for n, m in SCALARS:
        arguments = {"x": (100, 64), "y": (100, 64), "n": n, "m": m}
        wanted = as_python(text, arguments)
        got = Replay(kernel, "vector", arguments).events
        assert len(got) == len(wanted) and all(map(same, got, wanted)), (n, m, got, wanted)


CASES = {
    "floor division and remainder": """
        pl.setval(x, 0, n // 4)
        pl.setval(x, 1, n % 4)
        pl.setval(x, 2, n // -3)
        pl.setval(x, 3, (n - 5) % -4)
        pl.setval(x, 4, (x.shape[0] + 31) // 32)
        pl.setval(x, 5, (x.shape[0] - n) % 7)
    """,
    "operators": """
        pl.setval(x, 0, (n * m + 3) ^ (n & 12) | 1)
        pl.setval(x, 1, (m << 2) >> 1)
        pl.setval(x, 2, -n + ~m)
        pl.setval(x, 3, n / 4)
        pl.setval(x, 4, n * 0.5 + m)
        pl.setval(x, 5, min(n, m, 3) + max(n, m) + abs(n))
        pl.setval(x, 6, int(n > m) + (n == m))
        pl.setval(x, 7, pl.min(n, 4) * pl.max(m, 2))
    """,
    "comparisons and logic": """
        pl.setval(x, 0, 0 < n < 5)
        pl.setval(x, 1, n > 0 and m > 0 or n == 3)
        pl.setval(x, 2, not (n in (1, 5, m)))
        pl.setval(x, 3, n in range(0, 10, 3))
        pl.setval(x, 4, n not in [0, 2])
        pl.setval(x, 5, (n, m) == (3, 4))
    """,
    "branches": """
        s = 0
        if n > 2:
            s = 1
        elif n > 0:
            s = m
        else:
            s = s - 1
        pl.setval(x, s, s)
    """,
    "int and float meet": """
        s = 1
        if n > 2:
            s = 0.5
        pl.setval(x, 0, s)
    """,
    "constants are folded, branches not taken are not typed": """
        if ROWS == 32:
            pl.setval(x, 0, ROWS * 2)
        else:
            pl.no_such_operation(x)
        v = 3 if ROWS > 100 else 4
        pl.setval(x, 1, v)
    """,
    "loops carry values": """
        s = 0
        p = 1
        for i in pl.range(n):
            s = s + i
            p = p * 2
        pl.setval(x, 0, s)
        pl.setval(x, 1, p)
    """,
    "loop bounds of any sign": """
        for i in pl.range(n - 1, -1, -1):
            pl.setval(x, i, i)
        for i in pl.range(m, n, 2):
            pl.setval(y, i, i % 3)
        for i in pl.range(10, m, 0 - 3):
            pl.setval(y, i, i // 2)
    """,
    "a step that is known at run time only": """
        step = m
        if step == 0:
            step = 1
        for i in pl.range(0, n, step):
            pl.setval(x, i, i % 5)
    """,
    "the loop variable after the loop": """
        i = 0
        for j in pl.range(3):
            i = j
        pl.setval(x, j, i)
        for j in pl.range(2):
            j = j + 10
            pl.setval(x, j, j)
    """,
    "assigning bounds in the loop does not change it": """
        stop = n
        for i in pl.range(0, stop):
            stop = 0
            pl.setval(x, i, stop)
    """,
    "while with break and continue": """
        i = 0
        while i < n:
            i += 1
            if i == 2:
                continue
            if i == 4:
                break
            pl.setval(x, i, i)
        pl.setval(y, 0, i)
    """,
    "while else and for else": """
        i = 0
        while i < n:
            if i == 3:
                break
            i += 1
        else:
            pl.setval(x, 0, i)
        for j in pl.range(m):
            if j == n:
                break
            pl.setval(x, 1, j)
        else:
            pl.setval(x, 2, 7)
    """,
    "break with another type": """
        v = 1
        for i in pl.range(5):
            if i == n:
                v = 2.5
                break
        pl.setval(x, 0, v)
    """,
    "endless loop left by break": """
        i = 0
        while True:
            i += 2
            if i > n:
                break
        pl.setval(x, 0, i)
    """,
    "nested loops": """
        s = 0
        for i in pl.range(n):
            t = s
            for j in pl.range(i):
                if j == m:
                    break
                if (i + j) % 2:
                    continue
                s += j
                t += s
            pl.setval(x, i, t)
        pl.setval(x, 0, s)
    """,
    "early return": """
        if n < 0:
            return
        pl.setval(x, 0, 1)
        for i in pl.range(5):
            if i == n:
                return
            pl.setval(x, 1, i)
        pl.setval(x, 2, 1)
    """,
    "unrolled loops": """
        s = 0
        for i in range(4):
            for v, w in ((1, n), (m, 2)):
                s = s + v * w + i
        for i, v in enumerate((n, m)):
            pl.setval(x, i, v + s)
        for v, w in zip([1, 2, 3], (n, m, n)):
            pl.setval(x, v, w)
        for c in "ab":
            pl.setval(x, 0, len(c))
    """,
    "unrolled loops are left at run time": """
        s = 0
        for i in range(4):
            if n == i:
                break
            s += 1
        else:
            s = 100
        pl.setval(x, 0, s)
        for i in range(4):
            if n == i:
                continue
            s += i
        pl.setval(x, 1, s)
        for i in range(5):
            if i == 1:
                continue
            if i == 3:
                break
            pl.setval(x, i, s)
    """,
    "return from an unrolled loop": """
        for i in range(3):
            if n == i:
                return
            pl.setval(x, i, i)
            if i == 1:
                return
    """,
    "unpacking": """
        a1, b1 = n, m
        a1, b1 = b1, a1
        c, (d, *e) = 1, (n, m, 5)
        f = g = a1 * 2
        pl.setval(x, 0, a1 * 100 + b1)
        pl.setval(x, 1, c + d + e[0] + e[1] + f + g)
        a1 += 1
        pl.setval(x, 2, f + a1)
    """,
    "tuples keep what they were made of": """
        v = n
        t = (v, v + 1, m)
        v = 100
        pl.setval(x, 0, t[0] + t[1] + t[-1] + v)
        for i in pl.range(3):
            pl.setval(x, i, t[i])
        q = pl.make_tuple(lo=v, hi=v * 2)
        v = 3
        pl.setval(x, 3, q.lo + q.hi)
    """,
    "tuples through loops and branches": """
        p = (0, n)
        for i in pl.range(3):
            p = (p[1], p[0] + i)
        if m > 0:
            p = (p[0], 7)
        pl.setval(x, p[0], p[1])
    """,
    "tables at run time": """
        OFF = (5, 7, 11)
        for i in pl.range(3):
            pl.setval(x, i, OFF[i] + TABLE[i] * 0.5)
    """,
    "structs": """
        s = pl.struct("S", a=0, v=[1, 2])
        s.a = n
        s.v[1] = s.a + 1
        s.a += 5
        for i in pl.range(2):
            s.v[i] = s.v[i] * 2
        pl.setval(x, s.v[0], s.v[1] + s.a)
        r = pl.struct_array(3, "R", n=0, w=[0, 0])
        for i in pl.range(5):
            r[i % 3].n = i
            r[i % 3].w[i % 2] += 1
        pl.setval(x, 1, r[1].n + r[0].w[1] + r[2].w[0])
    """,
    "members of struct arrays and groups": """
        r = pl.struct_array(3, "R", n=0, w=[0, 0])
        for i, e in enumerate(r):
            e.n = n + i
        for t in a:
            pl.muls(t, t, 2.0)
        first, second = b
        pl.add(first, second, a[len(r) - 2])
        pl.setval(x, 0, r[0].n + r[2].n * len(r))
    """,
    "short circuit": """
        i = n
        if i > 0 and pl.getval(x, i) == 0 and bump(m) > 0:
            pl.setval(x, 1, 1)
        ok = m > 0 or bump(n) > 2
        pl.setval(x, 2, ok)
        while i > 0 and bump(i) > 0:
            i -= 3
        pl.setval(x, 3, i)
    """,
    "conditional expressions": """
        v = n if n > m else m
        w = bump(n) if n > 2 else (1.5 if m else 0)
        pl.setval(x, 0, v)
        pl.setval(x, 1, w)
    """,
    "assignment expressions": """
        if (v := n + 1) > 2:
            pl.setval(x, 0, v)
        pl.setval(x, 1, v + (w := m) * w)
    """,
    "order of evaluation": """
        s = pl.struct("S", a=1)
        v = s.a + touch(s) + s.a
        pl.setval(x, 0, v)
        pl.setval(x, s.a, touch(s))
    """,
    "slots": """
        t = a.next()
        u = a.current()
        v = a.next()
        pl.add(t, u, v)
        pl.add(a.previous(), a.current(), b[1])
        pl.add(b.next(), a.next(), a.next())
        for i in pl.range(3):
            w = b.next()
            pl.muls(w, b[i % 2], 2.0)
    """,
    "tiles chosen at run time": """
        t0 = a.next()
        t1 = b.next()
        t = t0 if n > 3 else t1
        u = t
        if m > 0:
            t = a.next()
        elif m < 0:
            t = b[0]
        pl.add(t, u, t0)
        w = a.next() if n > 0 else b.next()
        pl.add(w, a.current(), b.current())
    """,
    "tiles through loops": """
        t = a[0]
        for i in pl.range(n):
            pl.muls(t, t, 2.0)
            t = b.next() if i % 2 else a.next()
        pl.muls(t, t, 3.0)
    """,
    "groups under other names": """
        g = a
        gs = (g, b)
        for h in gs:
            pl.muls(h.next(), h.previous(), 2.0)
        pl.muls(a.current(), gs[1].current(), 2.0)
        named = pl.make_tuple(first=a, second=b)
        pl.muls(named.second.next(), named.first.current(), 1.0)
    """,
    "elements": """
        t = a[0]
        t[1, n & 3] = m
        t[0, 1] = t[1, n & 3] + 1
        pl.setval(x, 0, t[0, 1])
        pl.setval(t, 5, pl.getval(t, 1))
    """,
    "views": """
        t = a.next()
        v = t[8:16, 0:32]
        pl.muls(v, t[n & 7:(n & 7) + 8, 0:32], 2.0)
    """,
    "numbers are converted": """
        v: pl.DT_INT32 = pl.DT_INT32(n / 2)
        w = pl.DT_INT64(2.75) + int(n * 0.3)
        pl.setval(x, 0, v + w)
        pl.setval(x, 1, float(n) + pl.const(-1, pl.DT_INT32))
        pl.setval(x, 2, bool(n))
    """,
    "compile-time Python": """
        ids = [i * 2 for i in range(3)]
        ids.append(9)
        d = {"a": 4, **{"b": 5}}
        total = sum(ids) + d["b"] + len(ids[1:])
        pl.setval(x, 0, total)
        name = f"k{ROWS}"
        pl.setval(x, 1, len(name))
        pl.setval(x, 2, 2 ** 5 + ROWS // 3 - (-3 // 4))
    """,
    "None until it is set": """
        t = None
        v = None
        if n > 0:
            t = a.next()
            v = n
        else:
            t = b.next()
            v = m
        pl.muls(t, t, v)
    """,
    "nested functions and lambdas": """
        def twice(v):
            return v * 2
        add3 = lambda v: v + 3 + n
        pl.setval(x, 0, twice(n) + add3(m))
        t = a.next()
        def scale(by):
            pl.muls(t, t, by * m)
            return outside(by) + m
        for i in range(2):
            pl.setval(x, i, scale(n + i))
    """,
}
HELPERS = {
    "several returns of one number": (
        """
        def clamp(v, hi):
            if v > hi:
                return hi
            for i in pl.range(3):
                if v == i:
                    return 100 + i
            return v
        """,
        """
        pl.setval(x, 0, clamp(n, 4))
        pl.setval(x, 1, clamp(hi=m, v=3) * 2)
        """,
    ),
    "int or float": (
        """
        def half(v):
            if v % 2 == 0:
                return v // 2
            return v / 2
        """,
        "pl.setval(x, 0, half(n) + half(m))",
    ),
    "tuples": (
        """
        def split(v, by=4, *, plus=0):
            return v // by + plus, v % by
        def minmax(v, w):
            if v < w:
                return pl.make_tuple(lo=v, hi=w)
            return pl.make_tuple(lo=w, hi=v)
        """,
        """
        q, r = split(n)
        q2, r2 = split(m, 3, plus=n)
        p = minmax(q + q2, r)
        pl.setval(x, p.lo, p.hi)
        pl.setval(x, q, r2)
        q, r = split(r)
        pl.setval(x, q, r)
        """,
    ),
    "structs made and changed": (
        """
        def make(v):
            s = pl.struct("S", a=v, w=[v, v + 1])
            if v > 3:
                s.a = 0
                return s
            t = pl.struct("S", a=7, w=[0, v])
            return t
        def change(s, by):
            s.a += by
            s.w[1] = s.a
        def both(v):
            return make(v), v
        """,
        """
        s = make(n)
        change(s, 5)
        t, v = both(m)
        change(t, s.a)
        pl.setval(x, 0, s.a + s.w[1] + t.w[1] + v + t.a)
        """,
    ),
    "elements of struct arrays": (
        """
        def put(e, v):
            e.n = e.n + v
            return e.n
        def ring(v):
            r = pl.struct_array(2, "R", n=v)
            r[1].n = v + 1
            return r
        """,
        """
        r = pl.struct_array(3, "Q", n=0)
        for i in pl.range(4):
            pl.setval(x, i, put(r[i % 3], i + n))
        q = ring(m)
        pl.setval(x, 9, q[0].n * 100 + q[1].n)
        """,
    ),
    "tiles and groups": (
        """
        def pick(g, h, which):
            if which > 0:
                return g.next()
            return h.current()
        def scale(t, f):
            pl.muls(t, t, f)
            return t
        def double(g):
            scale(g.next(), 2.0)
            t = g.next()
            scale(t, 3.0)
            return t
        """,
        """
        t = pick(a, b, n)
        u = scale(t, 1.0)
        double(a)
        w = double(b)
        pl.add(t, u, w)
        scale(pick(b, a, m), 4.0)
        scale(a[1], 5.0)
        """,
    ),
    "parameters are assigned": (
        """
        def gcd(v, w):
            while w != 0:
                v, w = w, v % w
            return v
        def swap(t):
            t = (t[1], t[0])
            return t
        """,
        """
        pl.setval(x, 0, gcd(n, m))
        p = swap((n, m))
        pl.setval(x, 1, p[0] - p[1])
        """,
    ),
    "specialised on constants": (
        """
        def block(size, i):
            if size == 64:
                return i * size
            return i + size
        def sizes(dt):
            return 2 if dt == "half" else 4
        def fact(v):
            return 1 if v == 0 else v * fact(v - 1)
        """,
        """
        pl.setval(x, 0, block(64, n) + block(32, n))
        pl.setval(x, 1, sizes("half") * n + fact(4))
        """,
    ),
    "star arguments": (
        """
        def total(first, *rest):
            s = first
            for v in rest:
                s = s + v
            return s
        def many(v):
            return (v, v + 1, v + 2)
        """,
        """
        pl.setval(x, 0, total(*many(n)) + total(m, *(n, 3)))
        """,
    ),
    "methods and constants of classes": (
        """
        class Cfg:
            rows = 8
            def __init__(self, k):
                self.k = k
            def offset(self, i):
                return i * self.k + self.rows
        CFG = Cfg(5)
        """,
        "pl.setval(x, 0, CFG.offset(n) + Cfg.rows * CFG.k)",
    ),
    "helpers that call helpers": (
        """
        def outer(t, v):
            inner(t, v + 1)
            if v > 2:
                return
            inner(t, v)
        def inner(t, v):
            if v > 0:
                pl.muls(t, t, v)
        """,
        """
        outer(a.next(), n)
        outer(a.next(), m)
        """,
    ),
    "groups made by helpers": (
        """
        def buffers(base):
            T = pl.TileType(shape=[8, 64], dtype=pl.DT_FP32)
            g = pl.make_tile_group(type=T, addrs=base, depth=2)
            return g, pl.make_tile_group(type=T, addrs=base + 0x2000, depth=2)
        """,
        """
        g, h = buffers(0x10000)
        g2, h2 = buffers(0x20000)
        for i in pl.range(3):
            pl.add(g.next(), h.next(), g2.next())
        pl.add(h2.next(), h.current(), g.previous())
        """,
    ),
    "effects inside of loops with helpers": (
        """
        def step(g, i, s):
            t = g.next()
            pl.muls(t, t, i)
            s.n += i
            return t
        """,
        """
        s = pl.struct("S", n=0)
        t = a[0]
        for i in pl.range(n):
            u = step(a if ROWS == 32 else b, i, s)
            pl.add(t, t, u)
            t = u
        pl.setval(x, 0, s.n)
        """,
    ),
}
BEFORE = """
TABLE = [0.5, 1.5, 2.5]
def bump(v):
    return v + 1
def outside(v):
    return v * 2
def touch(s):
    s.a = s.a + 10
    return s.a
"""


@pytest.mark.parametrize("name", CASES)
def test_body(name: str) -> None:
    check(CASES[name], before=BEFORE)


@pytest.mark.parametrize("name", HELPERS)
def test_helpers(name: str) -> None:
    before, body = HELPERS[name]
    check(body, before=textwrap.dedent(before))


def test_an_annotated_name_converts_its_value() -> None:
    kernel = lower_good(source("v: pl.DT_INT32 = n / 2\npl.setval(x, 0, v)"))
    assert Replay(kernel, "vector", {"x": (1, 64), "y": (1, 64), "n": -7, "m": 0}).events == [("setval", "x", 0, -3)]
