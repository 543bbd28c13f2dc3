"""out = softmax(x) along the rows, as a vector function: registers of 64 lanes, a mask for the last ones of a row.

    ptopro run samples/softmax_vf.py [rows] [cols] [cores]

The kernel brings blocks of rows to UB and back; `softmax_rows` works on one block.  For each row it passes three times
over the registers of the row: the maximum, the exponentials with their sum, the division.  `samples/softmax.py` is the
same with operations on whole tiles.
"""

import sys

import numpy as np

import ptopro.language as pl
from ptopro.language import vf
from reporting import compare

LANES = 64  # FP32 lanes of a register
ROWS = 8  # rows of a block
WIDTH = 1024  # columns that a block has room for
SLOT = ROWS * WIDTH * 4
LOWEST = -3.0e38


@pl.vector_function
def softmax_rows(x, out, rows, cols):
    """out = softmax(x) for the first `rows` rows and `cols` columns of a block."""
    every = vf.create_mask(dtype=pl.DT_FP32)
    registers = (cols + LANES - 1) // LANES
    for row in pl.range(rows):
        first = row * WIDTH

        highest = vf.full(LOWEST, every)
        for r in pl.range(registers):
            lanes = vf.update_mask(cols - r * LANES, dtype=pl.DT_FP32)
            v = vf.load_align(x, first + r * LANES)
            highest = vf.max(highest, v, lanes, mode=pl.MergeMode.MERGING)
        highest = vf.full(vf.reduce_max(highest, every), every)

        total = vf.full(0.0, every)
        for r in pl.range(registers):
            lanes = vf.update_mask(cols - r * LANES, dtype=pl.DT_FP32)
            e = vf.exp_sub(vf.load_align(x, first + r * LANES), highest, lanes)
            vf.store_align(out, e, lanes, first + r * LANES)
            total = vf.add(total, e, every)
        total = vf.full(vf.reduce_sum(total, every), every)

        vf.mem_bar(pl.MemBarMode.VST_VLD)  # the exponentials have arrived
        for r in pl.range(registers):
            lanes = vf.update_mask(cols - r * LANES, dtype=pl.DT_FP32)
            e = vf.div(vf.load_align(out, first + r * LANES), total, lanes)
            vf.store_align(out, e, lanes, first + r * LANES)


@pl.jit(auto_mutex=False)
def softmax_vf(
    x: pl.Tensor[[pl.DYNAMIC, pl.DYNAMIC], pl.DT_FP32],
    out: pl.Tensor[[pl.DYNAMIC, pl.DYNAMIC], pl.DT_FP32],
):
    block = pl.TileType(shape=[ROWS, WIDTH], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Vec, valid_shape=[-1, -1])
    x_ub = pl.make_tile_group(type=block, addrs=0, mutex_ids=[0, 1])
    out_ub = pl.make_tile_group(type=block, addrs=2 * SLOT, mutex_ids=[2, 3])
    m = x.shape[0]
    n = x.shape[1]

    with pl.section_vector():
        for i in pl.range(pl.get_block_idx(), (m + ROWS - 1) // ROWS, pl.get_block_num()):
            rows = pl.min(ROWS, m - i * ROWS)
            cur_x = x_ub.next()
            cur_out = out_ub.next()
            pl.set_validshape(cur_x, [rows, n])
            pl.set_validshape(cur_out, [rows, n])
            pl.system.mutex_lock(pipe=pl.PipeType.MTE2, tile=cur_x)  # lock: load writes cur_x
            pl.load(cur_x, x, [i * ROWS, 0])
            pl.system.mutex_unlock(pipe=pl.PipeType.MTE2, tile=cur_x)  # unlock: after load
            pl.system.mutex_lock(pipe=pl.PipeType.V, tile=cur_x)  # lock: softmax_rows reads cur_x
            pl.system.mutex_lock(pipe=pl.PipeType.V, tile=cur_out)  # lock: softmax_rows writes cur_out
            softmax_rows(cur_x, cur_out, rows, n)
            pl.system.mutex_unlock(pipe=pl.PipeType.V, tile=cur_x)  # unlock: after softmax_rows
            pl.system.mutex_unlock(pipe=pl.PipeType.V, tile=cur_out)  # unlock: after softmax_rows
            pl.system.mutex_lock(pipe=pl.PipeType.MTE3, tile=cur_out)  # lock: store reads cur_out
            pl.store(out, cur_out, [i * ROWS, 0])
            pl.system.mutex_unlock(pipe=pl.PipeType.MTE3, tile=cur_out)  # unlock: after store


def main(rows: int = 300, cols: int = 1000, cores: int = 4) -> None:
    assert cols <= WIDTH, f"a row has to fit into a block of {WIDTH} columns"
    rng = np.random.default_rng(0)
    x = (4 * rng.standard_normal((rows, cols))).astype(np.float32)
    out = np.empty_like(x)
    softmax_vf[None, cores](x, out)
    e = np.exp(x.astype(np.float64) - x.max(axis=1, keepdims=True))
    compare("softmax", out, e / e.sum(axis=1, keepdims=True), 1e-5)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
