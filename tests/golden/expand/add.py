"""z = x + y: the smallest kernel with a double buffer, several cores and tail blocks.

    ptopro run samples/add.py [rows] [cols] [cores]

Each vector core takes every `cores`-th block of rows.  While one slot of a group is being added, the next one is
already being loaded: the lock ids of the groups order the pipes, slot by slot.
"""

import sys

import numpy as np

import ptopro.language as pl
from reporting import compare

ROWS = 64
COLS = 128
SLOT = ROWS * COLS * 4  # bytes


@pl.jit(auto_mutex=False)
def add(
    x: pl.Tensor[[pl.DYNAMIC, pl.DYNAMIC], pl.DT_FP32],
    y: pl.Tensor[[pl.DYNAMIC, pl.DYNAMIC], pl.DT_FP32],
    z: pl.Tensor[[pl.DYNAMIC, pl.DYNAMIC], pl.DT_FP32],
):
    tile = pl.TileType(shape=[ROWS, COLS], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Vec, valid_shape=[-1, -1])
    x_ub = pl.make_tile_group(type=tile, addrs=0, mutex_ids=[0, 1])
    y_ub = pl.make_tile_group(type=tile, addrs=2 * SLOT, mutex_ids=[2, 3])
    z_ub = pl.make_tile_group(type=tile, addrs=4 * SLOT, mutex_ids=[4, 5])
    m = x.shape[0]
    n = x.shape[1]

    with pl.section_vector():
        for i in pl.range(pl.get_block_idx(), (m + ROWS - 1) // ROWS, pl.get_block_num()):
            rows = pl.min(ROWS, m - i * ROWS)
            for j in pl.range(0, (n + COLS - 1) // COLS):
                cols = pl.min(COLS, n - j * COLS)
                cur_x = x_ub.next()
                cur_y = y_ub.next()
                cur_z = z_ub.next()
                pl.set_validshape(cur_x, [rows, cols])
                pl.set_validshape(cur_y, [rows, cols])
                pl.set_validshape(cur_z, [rows, cols])
                pl.system.mutex_lock(pipe=pl.PipeType.MTE2, tile=cur_x)  # lock: load_tile writes cur_x
                pl.load_tile(cur_x, x, [i, j])
                pl.system.mutex_unlock(pipe=pl.PipeType.MTE2, tile=cur_x)  # unlock: after load_tile
                pl.system.mutex_lock(pipe=pl.PipeType.MTE2, tile=cur_y)  # lock: load_tile writes cur_y
                pl.load_tile(cur_y, y, [i, j])
                pl.system.mutex_unlock(pipe=pl.PipeType.MTE2, tile=cur_y)  # unlock: after load_tile
                pl.system.mutex_lock(pipe=pl.PipeType.V, tile=cur_z)  # lock: add writes cur_z
                pl.system.mutex_lock(pipe=pl.PipeType.V, tile=cur_x)  # lock: add reads cur_x
                pl.system.mutex_lock(pipe=pl.PipeType.V, tile=cur_y)  # lock: add reads cur_y
                pl.add(cur_z, cur_x, cur_y)
                pl.system.mutex_unlock(pipe=pl.PipeType.V, tile=cur_z)  # unlock: after add
                pl.system.mutex_unlock(pipe=pl.PipeType.V, tile=cur_x)  # unlock: after add
                pl.system.mutex_unlock(pipe=pl.PipeType.V, tile=cur_y)  # unlock: after add
                pl.system.mutex_lock(pipe=pl.PipeType.MTE3, tile=cur_z)  # lock: store_tile reads cur_z
                pl.store_tile(z, cur_z, [i, j])
                pl.system.mutex_unlock(pipe=pl.PipeType.MTE3, tile=cur_z)  # unlock: after store_tile


def main(rows: int = 1000, cols: int = 500, cores: int = 4) -> None:
    rng = np.random.default_rng(0)
    x = rng.standard_normal((rows, cols), dtype=np.float32)
    y = rng.standard_normal((rows, cols), dtype=np.float32)
    z = np.empty_like(x)
    add[None, cores](x, y, z)
    compare("add", z, x + y, 0.0)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
