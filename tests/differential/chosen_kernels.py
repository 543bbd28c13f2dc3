"""Tensors chosen at run time (by a condition, in branches, by an index, in a loop), and parts of tensors."""

import ptopro.language as pl

D = pl.DYNAMIC


@pl.jit(auto_mutex=True)
def chosen(
    x: pl.Tensor[[D, 64], pl.DT_FP32],
    y: pl.Tensor[[D, 64], pl.DT_FP32],
    z: pl.Tensor[[D, 128], pl.DT_FP32],
    n: pl.DT_INT32,
):
    tile = pl.TileType(shape=[8, 64], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Vec)
    ub = pl.make_tile_group(type=tile, addrs=0x0000, mutex_ids=[0, 1])
    with pl.section_vector():
        source = x if n > 3 else y
        if n % 2 == 0:
            target = z
        elif n == 3:
            target = x
        else:
            target = y
        for i in pl.range(source.shape[0] // 8):
            t = ub.next()
            pl.load(t, source, [i * 8, 0])
            pl.adds(t, t, 1.0)
            pl.store(target, t, [i * 8, 0])
        pl.system.bar_all()
        for i in pl.range(3):
            several = (x, y, z)
            pl.setval(several[i], 0, 100.0 + i)
        later = x
        for i in pl.range(2):
            later[1, 0] = 7.0 + i
            later = y


@pl.jit(auto_mutex=True)
def parts(x: pl.Tensor[[4, D, 128], pl.DT_FP32], y: pl.Tensor[[D, 64], pl.DT_FP32], n: pl.DT_INT32):
    tile = pl.TileType(shape=[8, 64], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Vec)
    ub = pl.make_tile_group(type=tile, addrs=0x0000, mutex_ids=[0, 1])
    with pl.section_vector():
        right = x[n, :, 64:]
        for i in pl.range(right.shape[0] // 8):
            rows = right[i * 8 : i * 8 + 8]
            t = ub.next()
            pl.load(t, rows, [0, 0])
            pl.store(y[i * 8 :], t, [0, 0])
        pl.system.bar_all()
        y[0, 0] = right[-1:][0, 1] + x[1:, 2][0, 5] + rows.shape[0]
