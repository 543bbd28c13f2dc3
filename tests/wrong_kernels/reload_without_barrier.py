"""Each round of a vector function loads what the round before has stored."""

import ptopro.language as pl
from ptopro.language import vf


@pl.vector_function
def running_sum(rows):
    every = vf.create_mask(dtype=pl.DT_FP32)
    for row in pl.range(1, 8):
        above = vf.load_align(rows, [row - 1, 0])  # second
        here = vf.load_align(rows, [row, 0])
        here = vf.add(here, above, every)
        vf.store_align(rows, here, every, [row, 0])  # first


@pl.jit(auto_mutex=True)
def summed(x: pl.Tensor[[8, 64], pl.DT_FP32], y: pl.Tensor[[8, 64], pl.DT_FP32]):
    tile = pl.TileType(shape=[8, 64], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Vec)
    ub = pl.make_tile_group(type=tile, addrs=0, mutex_ids=[0])
    with pl.section_vector():
        pl.load(ub.current(), x, [0, 0])
        running_sum(ub.current())
        pl.store(y, ub.current(), [0, 0])
