"""out = softmax(x) along the rows, for rows of any length, with tile operations.

    ptopro run samples/softmax.py [rows] [cols] [cores]

Two passes over the columns: the first keeps a running maximum and a running sum that is rescaled whenever the
maximum grows; the second normalises.  A row statistic is one number per row: the reductions write it as a column
[ROWS, 1], the elementwise operations read the same bytes as a row [1, ROWS].  Both views carry the same lock id.
"""

import sys

import numpy as np

import ptopro.language as pl
from reporting import compare

ROWS = 32
COLS = 256
SLOT = ROWS * COLS * 4  # bytes of one block
STAT = 256  # bytes set aside for one number per row
BLOCKS = 4 * SLOT
LOWEST = -3.0e38


@pl.jit(auto_mutex=False)
def softmax(
    x: pl.Tensor[[pl.DYNAMIC, pl.DYNAMIC], pl.DT_FP32],
    out: pl.Tensor[[pl.DYNAMIC, pl.DYNAMIC], pl.DT_FP32],
):
    block = pl.TileType(shape=[ROWS, COLS], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Vec, valid_shape=[-1, -1])
    column = pl.TileType(
        shape=[ROWS, 1],
        dtype=pl.DT_FP32,
        target_memory=pl.MemorySpace.Vec,
        valid_shape=[-1, -1],
        layout=pl.DN,
    )
    row = pl.TileType(shape=[1, ROWS], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Vec, valid_shape=[-1, -1])

    x_ub = pl.make_tile_group(type=block, addrs=0, mutex_ids=[0, 1])
    e_ub = pl.make_tile_group(type=block, addrs=2 * SLOT, mutex_ids=[2, 3])
    cur_max = pl.make_tile_group(type=row, addrs=BLOCKS, mutex_ids=[4]).current()
    new_max = pl.make_tile_group(type=row, addrs=BLOCKS + STAT, mutex_ids=[5]).current()
    total = pl.make_tile_group(type=row, addrs=BLOCKS + 2 * STAT, mutex_ids=[6]).current()
    part = pl.make_tile_group(type=row, addrs=BLOCKS + 3 * STAT, mutex_ids=[7]).current()
    new_max_column = pl.make_tile_group(type=column, addrs=BLOCKS + STAT, mutex_ids=[5]).current()
    total_column = pl.make_tile_group(type=column, addrs=BLOCKS + 2 * STAT, mutex_ids=[6]).current()
    part_column = pl.make_tile_group(type=column, addrs=BLOCKS + 3 * STAT, mutex_ids=[7]).current()
    m = x.shape[0]
    n = x.shape[1]
    blocks = (n + COLS - 1) // COLS

    with pl.section_vector():
        for i in pl.range(pl.get_block_idx(), (m + ROWS - 1) // ROWS, pl.get_block_num()):
            rows = pl.min(ROWS, m - i * ROWS)
            for stat in (cur_max, new_max, total, part):
                pl.set_validshape(stat, [1, rows])
            for stat in (new_max_column, total_column, part_column):
                pl.set_validshape(stat, [rows, 1])
            pl.expands(cur_max, LOWEST)
            pl.expands(total, 0.0)

            for j in pl.range(0, blocks):
                cols = pl.min(COLS, n - j * COLS)
                cur_x = x_ub.next()
                cur_e = e_ub.next()
                pl.set_validshape(cur_x, [rows, cols])
                pl.set_validshape(cur_e, [rows, cols])
                pl.system.mutex_lock(pipe=pl.PipeType.MTE2, tile=cur_x)  # lock: load_tile writes cur_x
                pl.load_tile(cur_x, x, [i, j])
                pl.system.mutex_unlock(pipe=pl.PipeType.MTE2, tile=cur_x)  # unlock: after load_tile
                pl.system.mutex_lock(pipe=pl.PipeType.V, tile=cur_x)  # lock: maximum reads cur_x; held up to sum
                pl.system.mutex_lock(pipe=pl.PipeType.V, tile=cur_e)  # lock: maximum writes cur_e; held up to sum
                pl.maximum(part_column, cur_x, cur_e, dim=0)
                pl.maximum(new_max, cur_max, part)
                pl.sub(cur_max, cur_max, new_max)
                pl.exp(cur_max, cur_max)
                pl.mul(total, total, cur_max)  # what was summed so far, relative to the new maximum
                pl.expand_sub(cur_x, cur_x, new_max_column, dim=0)
                pl.exp(cur_x, cur_x)
                pl.sum(part_column, cur_x, cur_e, dim=0)
                pl.system.mutex_unlock(pipe=pl.PipeType.V, tile=cur_x)  # unlock: after sum
                pl.system.mutex_unlock(pipe=pl.PipeType.V, tile=cur_e)  # unlock: after sum
                pl.add(total, total, part)
                pl.mul(cur_max, new_max, 1.0)

            for j in pl.range(0, blocks):
                cols = pl.min(COLS, n - j * COLS)
                cur_x = x_ub.next()
                cur_e = e_ub.next()
                pl.set_validshape(cur_x, [rows, cols])
                pl.set_validshape(cur_e, [rows, cols])
                pl.system.mutex_lock(pipe=pl.PipeType.MTE2, tile=cur_x)  # lock: load_tile writes cur_x
                pl.load_tile(cur_x, x, [i, j])
                pl.system.mutex_unlock(pipe=pl.PipeType.MTE2, tile=cur_x)  # unlock: after load_tile
                pl.system.mutex_lock(pipe=pl.PipeType.V, tile=cur_e)  # lock: expand_sub writes cur_e; held up to expand_div
                pl.system.mutex_lock(pipe=pl.PipeType.V, tile=cur_x)  # lock: expand_sub reads cur_x
                pl.expand_sub(cur_e, cur_x, new_max_column, dim=0)
                pl.system.mutex_unlock(pipe=pl.PipeType.V, tile=cur_x)  # unlock: after expand_sub
                pl.exp(cur_e, cur_e)
                pl.expand_div(cur_e, cur_e, total_column, dim=0)
                pl.system.mutex_unlock(pipe=pl.PipeType.V, tile=cur_e)  # unlock: after expand_div
                pl.system.mutex_lock(pipe=pl.PipeType.MTE3, tile=cur_e)  # lock: store_tile reads cur_e
                pl.store_tile(out, cur_e, [i, j])
                pl.system.mutex_unlock(pipe=pl.PipeType.MTE3, tile=cur_e)  # unlock: after store_tile


def main(rows: int = 300, cols: int = 1000, cores: int = 4) -> None:
    rng = np.random.default_rng(0)
    x = (4 * rng.standard_normal((rows, cols))).astype(np.float32)
    out = np.empty_like(x)
    softmax[None, cores](x, out)
    e = np.exp(x.astype(np.float64) - x.max(axis=1, keepdims=True))
    compare("softmax", out, e / e.sum(axis=1, keepdims=True), 1e-5)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
