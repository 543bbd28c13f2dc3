"""Two threads of a launch write one element."""

import ptopro.language as pl


@pl.simt.function(max_threads=64)
def halve(data: pl.Tile[[1, 64], pl.DT_FP32], x: pl.Tensor[[1, 64], pl.DT_FP32]):
    i = pl.simt.linear_thread_idx()
    data[0, i] = 0.0
    data[0, i // 2] = x[0, i]


@pl.jit(auto_mutex=True)
def halving(x: pl.Tensor[[1, 64], pl.DT_FP32], y: pl.Tensor[[1, 64], pl.DT_FP32]):
    tile = pl.TileType(shape=[1, 64], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Vec)
    ub = pl.make_tile_group(type=tile, addrs=0, mutex_ids=[0])
    with pl.section_vector():
        pl.simt.launch(halve, threads=64, args=(ub.current(), x))  # first
        pl.store(y, ub.current(), [0, 0])
