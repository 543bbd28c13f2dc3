"""MTE2 loads into a slot that MTE3 may still be storing: the wait for the store is missing."""

import ptopro.language as pl

ROWS = 16


@pl.jit(auto_mutex=False)
def overwritten(x: pl.Tensor[[pl.DYNAMIC, 64], pl.DT_FP32], y: pl.Tensor[[pl.DYNAMIC, 64], pl.DT_FP32]):
    tile = pl.TileType(shape=[ROWS, 64], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Vec)
    ub = pl.make_tile_group(type=tile, addrs=0, mutex_ids=[0, 1])
    with pl.section_vector():
        for i in pl.range(0, x.shape[0] // ROWS):
            cur = ub[i % 2]
            pl.load(cur, x, [i * ROWS, 0])  # second
            pl.system.sync_src(set_pipe=pl.PipeType.MTE2, wait_pipe=pl.PipeType.MTE3, event_id=0)
            pl.system.sync_dst(set_pipe=pl.PipeType.MTE2, wait_pipe=pl.PipeType.MTE3, event_id=0)
            pl.store(y, cur, [i * ROWS, 0])  # first
