"""The ring holds two items, and the loop writes a third."""

import ptopro.language as pl


@pl.jit(auto_mutex=True)
def outside(x: pl.Tensor[[192, 64], pl.DT_FP32], y: pl.Tensor[[192, 64], pl.DT_FP32]):
    tile = pl.TileType(shape=[64, 64], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Vec)
    ub = pl.make_tile_group(type=tile, addrs=0, mutex_ids=[0, 1])
    ring = pl.struct_array(2, "Item", row=0)
    with pl.section_vector():
        for i in pl.range(0, x.shape[0] // 64):
            ring[i].row = i * 64
            cur = ub.next()
            pl.load(cur, x, [ring[i].row, 0])
            pl.store(y, cur, [ring[i].row, 0])  # first
