"""Kernels that exercise scalar semantics, tile variables and helpers; test_cpp_runs runs them, their C++ is golden."""

import ptopro.language as pl

D = pl.DYNAMIC
BIAS = -3
TABLE = [5, 7, 11, 13]
R = 32
LOWEST = float("-inf")
EPS = 1e-8


def clamp(v, hi):
    if v > hi:
        return hi
    return v


def quotient_and_rest(a, b):
    return a // b, a % b


@pl.jit
def scalars(out: pl.Tensor[[32], pl.DT_INT64], n: pl.DT_INT32, m: pl.DT_INT64):
    with pl.section_vector():
        out[0] = (n - 5) // 4
        out[1] = (n - 5) % 4
        out[2] = BIAS // 4
        total = 3
        for i in pl.range(n + 4, -1, -1):
            total = total + i
        out[3] = total
        trips = 0
        for _ in pl.range(10, n, n - 4):  # the sign of the step is known at run time only
            trips = trips + 1
        out[4] = trips
        out[5] = clamp(m * 100, 250)
        q, r = quotient_and_rest(m - 100, 7)
        out[6] = q
        out[7] = r
        out[8] = TABLE[n % 4]
        x = 0
        while True:
            x = x + 1
            if x == 5:
                continue
            if x > 7 and not (x == 9 or x == 10):
                break
        out[9] = x
        out[10] = 1 if n > 3 else 2 if n > 1 else 3
        if 0 < n < 10 < m:
            out[11] = 1
        else:
            out[11] = 2
        out[12] = n**3
        out[13] = min(n, m) + max(n, m) * 10
        stop = m
        for _ in pl.range(0, stop):  # the bound is evaluated once
            stop = stop - 1
        out[14] = stop
        out[15] = ~n & 0xFF | 3 << 4
        out[16] = m - (n - 1) - -2
        one = pl.struct("One", a=0, b=[1, 2])
        one.a = m + 1
        one.b[1] = n
        out[17] = one.a * 10 + one.b[1] + one.b[0]
        many = pl.struct_array(3, "Many", v=4)
        for i in pl.range(0, 3):
            many[i].v = i * i
        out[18] = many[2].v + many[(n + 3) % 3].v
        odd = 0
        for i in pl.range(0, m):
            if i % 2 == 1:
                last = i
            else:
                last = 0
            odd = odd + last
        out[19] = odd


def fetch(group, src, i):
    t = group.next()
    pl.load(t, src, [i * R, 0])
    return t


def scale(t, f):
    pl.mul(t, t, f)


@pl.jit
def tiles(x: pl.Tensor[[D, 64], pl.DT_FP32], y: pl.Tensor[[D, 64], pl.DT_FP32], n: pl.DT_INT32):
    T = pl.TileType(shape=[R, 64], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Vec, valid_shape=[-1, -1])
    a = pl.make_tile_group(type=T, addrs=0x0000, mutex_ids=[0, 1])
    b = pl.make_tile_group(type=T, addrs=0x8000, mutex_ids=[2, 3])
    with pl.section_vector():
        # chosen by a conditional expression
        t0 = a.next()
        t1 = b.next()
        t = t0 if n > 3 else t1
        pl.load(t, x, [0, 0])
        pl.muls(t, t, 2.0)
        pl.store(y, t, [0, 0])
        # chosen by a branch
        if n > 1:
            u = a.next()
        else:
            u = b.next()
        pl.load(u, x, [R, 0])
        pl.adds(u, u, EPS)
        pl.store(y, u, [R, 0])
        # through helpers
        for i in pl.range(2, 4):
            v = fetch(a, x, i)
            scale(v, 3.0)
            pl.store(y, v, [i * R, 0])
        # views
        w = b.next()
        pl.load(w, x, [4 * R, 0])
        pl.muls(w[0:8, 0:64], w[0:8, 0:64], 10.0)
        top = w[8:16, 0:32]
        pl.adds(top, top, 5.0)
        pl.store(y, w, [4 * R, 0])
        # a valid shape that is known at run time
        rows = n if n < 16 else 16
        z = a.next()
        pl.set_validshape(z, [rows, 64])
        pl.load(z, x, [5 * R, 0])
        pl.store(y, z, [5 * R, 0])
        pl.set_validshape(z, [R, 64])
        # slots chosen at run time, two and the same
        p = a[(n + 8) % 2]
        q = a[(n + 9) % 2]
        pl.load(p, x, [6 * R, 0])
        pl.load(q, x, [7 * R, 0])
        pl.add(p, p, q)
        pl.store(y, p, [6 * R, 0])
        pl.add(p, p, a[(n + 8) % 2])
        pl.store(y, p, [7 * R, 0])
        # single elements
        s = b.next()
        pl.load(s, x, [8 * R, 0])
        e = s[3, 4]
        s[0, 0] = e * 2.0
        pl.store(y, s, [8 * R, 0])
        # an infinity as a scalar operand
        f = b.next()
        pl.expands(f, LOWEST)
        pl.store(y, f, [9 * R, 0])
