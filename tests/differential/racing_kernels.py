"""A kernel that only timing keeps right: both vector cores change the same rows."""

import ptopro.language as pl


@pl.jit(auto_mutex=True)
def both_cores(y: pl.Tensor[[32, 64], pl.DT_FP32]):
    tile = pl.TileType(shape=[32, 64], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Vec)
    ub = pl.make_tile_group(type=tile, addrs=0x0000, mutex_ids=[0])
    with pl.section_cube():
        pl.system.set_cross_core(pipe=pl.PipeType.FIX, event_id=0)
    with pl.section_vector():
        pl.system.wait_cross_core(pipe=pl.PipeType.MTE2, event_id=0)
        t = ub.next()
        pl.load(t, y, [0, 0])
        pl.adds(t, t, 1.0)
        pl.store(y, t, [0, 0])
