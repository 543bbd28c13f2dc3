"""out = (x - mean) / sqrt(variance + eps) * gamma + beta along the rows, with tile operations.

    ptopro run samples/layernorm.py [rows] [cols] [cores]

A row (up to WIDTH elements) stays on chip while its statistics are taken, so x is read once.  Row statistics are
columns [ROWS, 1] for the reductions and broadcasts, and rows [1, ROWS] of the same bytes for arithmetic.
"""

import sys

import numpy as np

import ptopro.language as pl
from reporting import compare

ROWS = 16
WIDTH = 768
EPS = 1e-5
SLOT = ROWS * WIDTH * 4
LINE = WIDTH * 4
WORK = 2 * SLOT
LINES = 3 * SLOT
STATS = LINES + 2 * LINE
STAT = 64


def scaled_row_sum(stat, stat_column, block, scratch, scale):
    """stat = scale * (sum of each row of block); stat and stat_column are two views of the same bytes."""
    pl.system.mutex_lock(pipe=pl.PipeType.V, tile=block)  # lock: sum reads block
    pl.sum(stat_column, block, scratch, dim=0)
    pl.system.mutex_unlock(pipe=pl.PipeType.V, tile=block)  # unlock: after sum
    pl.mul(stat, stat, scale)


@pl.jit(auto_mutex=False)
def layernorm(
    x: pl.Tensor[[pl.DYNAMIC, pl.DYNAMIC], pl.DT_FP32],
    gamma: pl.Tensor[[1, pl.DYNAMIC], pl.DT_FP32],
    beta: pl.Tensor[[1, pl.DYNAMIC], pl.DT_FP32],
    out: pl.Tensor[[pl.DYNAMIC, pl.DYNAMIC], pl.DT_FP32],
    scale: pl.DT_FP32,  # 1 / columns
):
    block = pl.TileType(shape=[ROWS, WIDTH], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Vec, valid_shape=[-1, -1])
    line = pl.TileType(shape=[1, WIDTH], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Vec, valid_shape=[-1, -1])
    column = pl.TileType(
        shape=[ROWS, 1],
        dtype=pl.DT_FP32,
        target_memory=pl.MemorySpace.Vec,
        valid_shape=[-1, -1],
        layout=pl.DN,
    )
    row = pl.TileType(shape=[1, ROWS], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Vec, valid_shape=[-1, -1])

    x_ub = pl.make_tile_group(type=block, addrs=0, mutex_ids=[0, 1])
    work = pl.make_tile_group(type=block, addrs=WORK, mutex_ids=[2]).current()
    gamma_ub = pl.make_tile_group(type=line, addrs=LINES, mutex_ids=[3]).current()
    beta_ub = pl.make_tile_group(type=line, addrs=LINES + LINE, mutex_ids=[4]).current()
    stat = pl.make_tile_group(type=row, addrs=STATS, mutex_ids=[5]).current()
    stat_column = pl.make_tile_group(type=column, addrs=STATS, mutex_ids=[5]).current()
    m = x.shape[0]
    n = x.shape[1]

    with pl.section_vector():
        pl.set_validshape(gamma_ub, [1, n])
        pl.set_validshape(beta_ub, [1, n])
        pl.system.mutex_lock(pipe=pl.PipeType.MTE2, tile=gamma_ub)  # lock: load writes gamma_ub
        pl.load(gamma_ub, gamma, [0, 0])
        pl.system.mutex_unlock(pipe=pl.PipeType.MTE2, tile=gamma_ub)  # unlock: after load
        pl.system.mutex_lock(pipe=pl.PipeType.MTE2, tile=beta_ub)  # lock: load writes beta_ub
        pl.load(beta_ub, beta, [0, 0])
        pl.system.mutex_unlock(pipe=pl.PipeType.MTE2, tile=beta_ub)  # unlock: after load
        pl.system.mutex_lock(pipe=pl.PipeType.V, tile=beta_ub)  # lock: neg reads and writes beta_ub
        pl.neg(beta_ub, beta_ub)  # there is a broadcast subtraction along columns, no addition
        pl.system.mutex_unlock(pipe=pl.PipeType.V, tile=beta_ub)  # unlock: after neg

        for i in pl.range(pl.get_block_idx(), (m + ROWS - 1) // ROWS, pl.get_block_num()):
            rows = pl.min(ROWS, m - i * ROWS)
            cur_x = x_ub.next()
            pl.set_validshape(cur_x, [rows, n])
            pl.set_validshape(work, [rows, n])
            pl.set_validshape(stat, [1, rows])
            pl.set_validshape(stat_column, [rows, 1])

            pl.system.mutex_lock(pipe=pl.PipeType.MTE2, tile=cur_x)  # lock: load_tile writes cur_x
            pl.load_tile(cur_x, x, [i, 0])
            pl.system.mutex_unlock(pipe=pl.PipeType.MTE2, tile=cur_x)  # unlock: after load_tile
            scaled_row_sum(stat, stat_column, cur_x, work, scale)
            pl.system.mutex_lock(pipe=pl.PipeType.V, tile=cur_x)  # lock: expand_sub reads and writes cur_x; held up to mul
            pl.expand_sub(cur_x, cur_x, stat_column, dim=0)
            pl.mul(work, cur_x, cur_x)
            pl.system.mutex_unlock(pipe=pl.PipeType.V, tile=cur_x)  # unlock: after mul
            scaled_row_sum(stat, stat_column, work, work, scale)
            pl.add(stat, stat, EPS)
            pl.rsqrt(stat, stat)
            pl.system.mutex_lock(pipe=pl.PipeType.V, tile=cur_x)  # lock: expand_mul reads and writes cur_x; held up to expand_sub
            pl.expand_mul(cur_x, cur_x, stat_column, dim=0)
            pl.system.mutex_lock(pipe=pl.PipeType.V, tile=gamma_ub)  # lock: expand_mul reads gamma_ub
            pl.expand_mul(cur_x, cur_x, gamma_ub, dim=1)
            pl.system.mutex_unlock(pipe=pl.PipeType.V, tile=gamma_ub)  # unlock: after expand_mul
            pl.system.mutex_lock(pipe=pl.PipeType.V, tile=beta_ub)  # lock: expand_sub reads beta_ub
            pl.expand_sub(cur_x, cur_x, beta_ub, dim=1)
            pl.system.mutex_unlock(pipe=pl.PipeType.V, tile=cur_x)  # unlock: after expand_sub
            pl.system.mutex_unlock(pipe=pl.PipeType.V, tile=beta_ub)  # unlock: after expand_sub
            pl.system.mutex_lock(pipe=pl.PipeType.MTE3, tile=cur_x)  # lock: store_tile reads cur_x
            pl.store_tile(out, cur_x, [i, 0])
            pl.system.mutex_unlock(pipe=pl.PipeType.MTE3, tile=cur_x)  # unlock: after store_tile


def main(rows: int = 200, cols: int = 700, cores: int = 4) -> None:
    if not 1 <= cols <= WIDTH:
        sys.exit(f"cols must be between 1 and {WIDTH}")
    rng = np.random.default_rng(0)
    x = (3 * rng.standard_normal((rows, cols)) + 1).astype(np.float32)
    gamma = rng.standard_normal((1, cols), dtype=np.float32)
    beta = rng.standard_normal((1, cols), dtype=np.float32)
    out = np.empty_like(x)
    layernorm[None, cores](x, gamma, beta, out, 1.0 / cols)
    wide = x.astype(np.float64)
    want = (wide - wide.mean(1, keepdims=True)) / np.sqrt(wide.var(1, keepdims=True) + EPS) * gamma + beta
    compare("layernorm", out, want, 1e-4)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
