"""out = (x - mean) / sqrt(variance + eps) * gamma + beta, row by row, as a vector function.

    ptopro run samples/layernorm_vf.py [rows] [cols] [cores]

Rows of any number of rows and columns: a row is ceil(cols / 64) registers, the last of them under a mask.  FP16 comes
in and goes out; the loads unpack it into 32-bit lanes, the stores pack it again.
"""

import sys

import numpy as np

import ptopro.language as pl
from ptopro.language import vf
from reporting import compare

LANES = 64
ROWS = 8
WIDTH = 1024
SLOT = ROWS * WIDTH * 2
EPS = 1e-5


@pl.vector_function
def wide(tile, at, lanes):
    """64 FP16 elements of a tile as FP32."""
    halves = vf.load_align(tile, at, dist=pl.LoadDist.UNPK)
    return vf.astype(halves, lanes, dtype=pl.DT_FP32)


@pl.vector_function
def everywhere(sums, scale, every):
    """The sum of all lanes times `scale`, in every lane."""
    total = vf.reduce_sum(sums, every)
    return vf.muls(vf.full(total, every), scale, every)


@pl.vector_function
def layernorm_rows(x, gamma, beta, out, rows, cols, per_column):
    """One block; per_column is 1 / cols."""
    every = vf.create_mask(dtype=pl.DT_FP32)
    registers = (cols + LANES - 1) // LANES
    for row in pl.range(rows):
        first = row * WIDTH

        sums = vf.full(0.0, every)
        for r in pl.range(registers):
            lanes = vf.update_mask(cols - r * LANES, dtype=pl.DT_FP32)
            sums = vf.add(sums, wide(x, first + r * LANES, lanes), every)
        mean = everywhere(sums, per_column, every)

        squares = vf.full(0.0, every)
        for r in pl.range(registers):
            lanes = vf.update_mask(cols - r * LANES, dtype=pl.DT_FP32)
            centred = vf.sub(wide(x, first + r * LANES, lanes), mean, lanes)
            squares = vf.mul_add_dst(centred, centred, every)  # lanes behind the row are 0
        deviation = vf.sqrt(vf.adds(everywhere(squares, per_column, every), EPS, every), every)

        for r in pl.range(registers):
            at = r * LANES
            lanes = vf.update_mask(cols - at, dtype=pl.DT_FP32)
            y = vf.sub(wide(x, first + at, lanes), mean, lanes)
            y = vf.div(y, deviation, lanes)
            y = vf.mul(y, vf.load_align(gamma, at), lanes)
            y = vf.add(y, vf.load_align(beta, at), lanes)
            half = vf.astype(y, lanes, dtype=pl.DT_FP16)
            vf.store_align(out, vf.bit_cast(half, dtype=pl.DT_UINT32), lanes, first + at, dist=pl.StoreDist.PACK)


@pl.jit(auto_mutex=True)
def layernorm_vf(
    x: pl.Tensor[[pl.DYNAMIC, pl.DYNAMIC], pl.DT_FP16],
    gamma: pl.Tensor[[1, pl.DYNAMIC], pl.DT_FP32],
    beta: pl.Tensor[[1, pl.DYNAMIC], pl.DT_FP32],
    out: pl.Tensor[[pl.DYNAMIC, pl.DYNAMIC], pl.DT_FP16],
):
    block = pl.TileType(shape=[ROWS, WIDTH], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Vec, valid_shape=[-1, -1])
    vector = pl.TileType(shape=[1, WIDTH], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Vec, valid_shape=[-1, -1])
    x_ub = pl.make_tile_group(type=block, addrs=0, mutex_ids=[0, 1])
    out_ub = pl.make_tile_group(type=block, addrs=2 * SLOT, mutex_ids=[2, 3])
    gamma_ub = pl.make_tile_group(type=vector, addrs=4 * SLOT, mutex_ids=[4]).current()
    beta_ub = pl.make_tile_group(type=vector, addrs=4 * SLOT + 4 * WIDTH, mutex_ids=[5]).current()
    m = x.shape[0]
    n = x.shape[1]

    with pl.section_vector():
        pl.set_validshape(gamma_ub, [1, n])
        pl.set_validshape(beta_ub, [1, n])
        pl.load(gamma_ub, gamma, [0, 0])
        pl.load(beta_ub, beta, [0, 0])
        for i in pl.range(pl.get_block_idx(), (m + ROWS - 1) // ROWS, pl.get_block_num()):
            rows = pl.min(ROWS, m - i * ROWS)
            cur_x = x_ub.next()
            cur_out = out_ub.next()
            pl.set_validshape(cur_x, [rows, n])
            pl.set_validshape(cur_out, [rows, n])
            pl.load(cur_x, x, [i * ROWS, 0])
            layernorm_rows(cur_x, gamma_ub, beta_ub, cur_out, rows, n, 1.0 / n)
            pl.store(out, cur_out, [i * ROWS, 0])


def main(rows: int = 200, cols: int = 1000, cores: int = 4) -> None:
    assert cols <= WIDTH, f"a row has to fit into a block of {WIDTH} columns"
    rng = np.random.default_rng(0)
    x = rng.standard_normal((rows, cols)).astype(np.float16)
    gamma = rng.uniform(0.5, 1.5, (1, cols)).astype(np.float32)
    beta = rng.uniform(-0.5, 0.5, (1, cols)).astype(np.float32)
    out = np.empty_like(x)
    layernorm_vf[None, cores](x, gamma, beta, out)
    wide_x = x.astype(np.float64)
    centred = wide_x - wide_x.mean(axis=1, keepdims=True)
    expected = centred / np.sqrt((centred**2).mean(axis=1, keepdims=True) + EPS) * gamma + beta
    compare("layernorm", out, expected, 2e-3)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
