"""Two tiles share their bytes, and each has a lock id of its own: holding one does not keep the other out."""

import ptopro.language as pl


@pl.jit(auto_mutex=False)
def two_views(x: pl.Tensor[[64, 64], pl.DT_FP32], y: pl.Tensor[[64, 64], pl.DT_FP32]):
    tile = pl.TileType(shape=[64, 64], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Vec)
    one = pl.make_tile_group(type=tile, addrs=0, mutex_ids=[0]).current()
    two = pl.make_tile_group(type=tile, addrs=0, mutex_ids=[1]).current()
    with pl.section_vector():
        if pl.get_subblock_idx() == 0:
            pl.system.mutex_lock(pipe=pl.PipeType.MTE2, tile=one)
            pl.load(one, x, [0, 0])  # first
            pl.system.mutex_unlock(pipe=pl.PipeType.MTE2, tile=one)
            pl.system.mutex_lock(pipe=pl.PipeType.MTE3, tile=two)
            pl.store(y, two, [0, 0])  # second
            pl.system.mutex_unlock(pipe=pl.PipeType.MTE3, tile=two)
