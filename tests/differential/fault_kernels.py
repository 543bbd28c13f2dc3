"""Small kernels for faults that users of such tools have met; the numbers in their names are those of the tests."""

import ptopro.language as pl
from ptopro.language import vf

D = pl.DYNAMIC
T = pl.TileType(shape=[32, 64], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Vec)
HALF = pl.TileType(shape=[32, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Vec)
LOWEST = float("-inf")
EPS = 1e-8


@pl.jit(auto_mutex=True)
def overlapping_01(x: pl.Tensor[[D, 64], pl.DT_FP32], y: pl.Tensor[[D, 64], pl.DT_FP32]):
    a = pl.make_tile_group(type=T, addrs=0x0000, mutex_ids=[0, 1])
    c = pl.make_tile_group(type=T, addrs=0x0000, mutex_ids=[4, 5])
    with pl.section_vector():
        for i in pl.range(0, x.shape[0] // 32):
            pl.load(a.next(), x, [i * 32, 0])
            u = c.next()
            pl.mul(u, u, 2.0)
            pl.store(y, u, [i * 32, 0])


@pl.jit
def steps_15(out: pl.Tensor[[32], pl.DT_INT64], n: pl.DT_INT32):
    with pl.section_vector():
        place = 0
        for i in pl.range(n - 1, -1, -1):
            out[place] = i
            place = place + 1
        step = 0 - n
        for i in pl.range(10, 0, step):
            out[place] = i
            place = place + 1
        for i in pl.range(0, 10, step):
            out[place] = -100 - i


@pl.jit
def floors_16(out: pl.Tensor[[8], pl.DT_INT64], n: pl.DT_INT32):
    with pl.section_vector():
        out[0] = (n - 5) // 4
        out[1] = (n - 5) % 4
        out[2] = -3 // 4
        out[3] = -3 % 4
        out[4] = (n - 5) // -4
        out[5] = (n - 5) % -4


@pl.jit
def offsets_17(
    out: pl.Tensor[[4], pl.DT_INT64], x: pl.Tensor[[D, 65536], pl.DT_INT8], row: pl.DT_INT32, n: pl.DT_INT32
):
    with pl.section_vector():
        out[0] = row * 65536
        out[1] = row * x.shape[1]
        out[2] = n * n * x.shape[0]


@pl.jit(auto_mutex=True)
def literals_18(y: pl.Tensor[[32, 64], pl.DT_FP32], s: pl.Tensor[[8], pl.DT_FP32]):
    a = pl.make_tile_group(type=T, addrs=0x0000, mutex_ids=[0])
    with pl.section_vector():
        t = a.current()
        pl.expands(t, 0.0)
        pl.adds(t, t, EPS)
        pl.store(y, t, [0, 0])
        s[0] = LOWEST
        s[1] = 3.0e38
        s[2] = -0.0
        s[3] = EPS
        s[4] = 1.1754943508222875e-38
        s[5] = 16777217.0


@pl.jit(auto_mutex=True)
def halves_19(out: pl.Tensor[[4], pl.DT_FP32], x: pl.Tensor[[32, 64], pl.DT_FP16], b: pl.Tensor[[32, 64], pl.DT_BF16]):
    a = pl.make_tile_group(type=HALF, addrs=0x0000, mutex_ids=[0])
    c = pl.make_tile_group(
        type=pl.TileType(shape=[32, 64], dtype=pl.DT_BF16, target_memory=pl.MemorySpace.Vec),
        addrs=0x2000,
        mutex_ids=[1],
    )
    with pl.section_vector():
        t, u = a.current(), c.current()
        pl.load(t, x, [0, 0])
        pl.load(u, b, [0, 0])
        v = pl.getval(t, 0)
        w = v * 2.0
        out[0] = w
        out[1] = pl.getval(u, 1) + v


@pl.jit(auto_mutex=True)
def merge_24(out: pl.Tensor[[1, 256], pl.DT_FP32], x: pl.Tensor[[1, 256], pl.DT_FP32]):
    run = pl.TileType(shape=[1, 128], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Vec)
    whole = pl.TileType(shape=[1, 256], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Vec)
    first = pl.make_tile_group(type=run, addrs=0x0000, mutex_ids=[0])
    second = pl.make_tile_group(type=run, addrs=0x0400, mutex_ids=[1])
    merged = pl.make_tile_group(type=whole, addrs=0x0800, mutex_ids=[2])
    scratch = pl.make_tile_group(type=whole, addrs=0x1000, mutex_ids=[3])
    with pl.section_vector():
        a, b, m, t = first.current(), second.current(), merged.current(), scratch.current()
        pl.load(a, x, [0, 0])
        pl.load(b, x, [0, 128])
        pl.mrgsort2(a, b, m, t)
        pl.store(out, m, [0, 0])


@pl.vector_function
def doubled_by_memory_26(t, barrier):
    every = vf.create_mask(dtype=pl.DT_FP32)
    for row in pl.range(32):
        r = vf.load_align(t, [row, 0])
        vf.store_align(t, vf.add(r, r, every), every, [row, 0])
        if barrier:
            vf.mem_bar()
        again = vf.load_align(t, [row, 0])
        vf.store_align(t, vf.adds(again, 1.0, every), every, [row, 0])


@pl.jit(auto_mutex=True)
def reload_26(x: pl.Tensor[[32, 64], pl.DT_FP32], y: pl.Tensor[[32, 64], pl.DT_FP32]):
    a = pl.make_tile_group(type=T, addrs=0x0000, mutex_ids=[0])
    with pl.section_vector():
        pl.load(a.current(), x, [0, 0])
        doubled_by_memory_26(a.current(), False)
        pl.store(y, a.current(), [0, 0])


@pl.jit(auto_mutex=True)
def reload_with_barrier_26(x: pl.Tensor[[32, 64], pl.DT_FP32], y: pl.Tensor[[32, 64], pl.DT_FP32]):
    a = pl.make_tile_group(type=T, addrs=0x0000, mutex_ids=[0])
    with pl.section_vector():
        pl.load(a.current(), x, [0, 0])
        doubled_by_memory_26(a.current(), True)
        pl.store(y, a.current(), [0, 0])


@pl.jit(auto_mutex=True)
def shadowed_28(x: pl.Tensor[[32, 64], pl.DT_FP32], y: pl.Tensor[[32, 64], pl.DT_FP32]):
    a = pl.make_tile_group(type=T, addrs=0x0000, mutex_ids=[0])
    with pl.section_vector():
        vf = a.next()
        pl.load(vf, x, [0, 0])
        pl.muls(vf, vf, 2.0)
        pl.store(y, vf, [0, 0])


def made_28(factor):
    @pl.jit(auto_mutex=True)
    def scaled(x: pl.Tensor[[32, 64], pl.DT_FP32], y: pl.Tensor[[32, 64], pl.DT_FP32]):
        a = pl.make_tile_group(type=T, addrs=0x0000, mutex_ids=[0])
        with pl.section_vector():
            t = a.next()
            pl.load(t, x, [0, 0])
            pl.muls(t, t, factor)
            pl.store(y, t, [0, 0])

    return scaled


k1_28, k2_28 = made_28(2.0), made_28(3.0)
