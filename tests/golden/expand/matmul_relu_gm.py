"""relu(a @ b) on cores that share global memory only, as those of A2 and A3 do: a cube core stores, vector cores load.

    ptopro run --arch a3 samples/matmul_relu_gm.py [ROWS] [CORES]

The author's flags order the cores: the cube core sets one when a block has arrived, both vector cores wait for it, and
tell when they have loaded it, so that the cube core is never more than LEAD blocks ahead (a flag counts to 15).  Within
a core the locks are ptopro's.  On A5, where the cores have paths of their own, it runs as well.
"""

import sys

import numpy as np

import ptopro.language as pl
from reporting import compare

N = 128
MAT_SLOT = N * N * 2  # bytes of a block in FP16
VEC_SLOT = N // 2 * N * 4
ARRIVED, TAKEN = 0, 1  # events: a block lies in global memory; it has been loaded from there
LEAD = 4


@pl.jit(auto_mutex=False)
def matmul_relu_gm(
    a: pl.Tensor[[pl.DYNAMIC, N], pl.DT_FP16],
    b: pl.Tensor[[N, N], pl.DT_FP16],
    product: pl.Tensor[[pl.DYNAMIC, N], pl.DT_FP32],  # from the cube cores to the vector cores
    out: pl.Tensor[[pl.DYNAMIC, N], pl.DT_FP32],
):
    mat = pl.TileType(shape=[N, N], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Mat)
    left = pl.TileType(shape=[N, N], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Left)
    right = pl.TileType(shape=[N, N], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Right)
    acc = pl.TileType(shape=[N, N], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Acc)
    half = pl.TileType(shape=[N // 2, N], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Vec)
    a_l1 = pl.make_tile_group(type=mat, addrs=0, mutex_ids=[0, 1])
    b_l1 = pl.make_tile_group(type=mat, addrs=2 * MAT_SLOT, mutex_ids=[2]).current()
    a_l0 = pl.make_tile_group(type=left, addrs=0, mutex_ids=[3, 4])
    b_l0 = pl.make_tile_group(type=right, addrs=0, mutex_ids=[5]).current()
    c_l0 = pl.make_tile_group(type=acc, addrs=0, mutex_ids=[6, 7])
    half_ub = pl.make_tile_group(type=half, addrs=0, mutex_ids=[0, 1])
    blocks = a.shape[0] // N

    with pl.section_cube():
        pl.system.mutex_lock(pipe=pl.PipeType.MTE2, tile=b_l1)  # lock: load writes b_l1
        pl.load(b_l1, b, [0, 0])
        pl.system.mutex_unlock(pipe=pl.PipeType.MTE2, tile=b_l1)  # unlock: after load
        pl.system.mutex_lock(pipe=pl.PipeType.MTE1, tile=b_l0)  # lock: move writes b_l0
        pl.system.mutex_lock(pipe=pl.PipeType.MTE1, tile=b_l1)  # lock: move reads b_l1
        pl.move(b_l0, b_l1)
        pl.system.mutex_unlock(pipe=pl.PipeType.MTE1, tile=b_l0)  # unlock: after move
        pl.system.mutex_unlock(pipe=pl.PipeType.MTE1, tile=b_l1)  # unlock: after move
        ahead = 0
        for i in pl.range(pl.get_block_idx(), blocks, pl.get_block_num()):
            cur_a = a_l1.next()
            cur_left = a_l0.next()
            cur_c = c_l0.next()
            pl.system.mutex_lock(pipe=pl.PipeType.MTE2, tile=cur_a)  # lock: load writes cur_a
            pl.load(cur_a, a, [i * N, 0])
            pl.system.mutex_unlock(pipe=pl.PipeType.MTE2, tile=cur_a)  # unlock: after load
            pl.system.mutex_lock(pipe=pl.PipeType.MTE1, tile=cur_left)  # lock: move writes cur_left
            pl.system.mutex_lock(pipe=pl.PipeType.MTE1, tile=cur_a)  # lock: move reads cur_a
            pl.move(cur_left, cur_a)
            pl.system.mutex_unlock(pipe=pl.PipeType.MTE1, tile=cur_left)  # unlock: after move
            pl.system.mutex_unlock(pipe=pl.PipeType.MTE1, tile=cur_a)  # unlock: after move
            pl.system.mutex_lock(pipe=pl.PipeType.M, tile=cur_c)  # lock: matmul writes cur_c
            pl.system.mutex_lock(pipe=pl.PipeType.M, tile=cur_left)  # lock: matmul reads cur_left
            pl.system.mutex_lock(pipe=pl.PipeType.M, tile=b_l0)  # lock: matmul reads b_l0
            pl.matmul(cur_c, cur_left, b_l0)
            pl.system.mutex_unlock(pipe=pl.PipeType.M, tile=cur_c)  # unlock: after matmul
            pl.system.mutex_unlock(pipe=pl.PipeType.M, tile=cur_left)  # unlock: after matmul
            pl.system.mutex_unlock(pipe=pl.PipeType.M, tile=b_l0)  # unlock: after matmul
            if ahead == LEAD:
                pl.system.wait_cross_core(pipe=pl.PipeType.FIX, event_id=TAKEN)
            else:
                ahead = ahead + 1
            pl.system.mutex_lock(pipe=pl.PipeType.FIX, tile=cur_c)  # lock: store reads cur_c
            pl.store(product, cur_c, [i * N, 0])
            pl.system.mutex_unlock(pipe=pl.PipeType.FIX, tile=cur_c)  # unlock: after store
            pl.system.set_cross_core(pipe=pl.PipeType.FIX, event_id=ARRIVED)
        for _ in pl.range(0, ahead):
            pl.system.wait_cross_core(pipe=pl.PipeType.FIX, event_id=TAKEN)
    with pl.section_vector():
        for i in pl.range(pl.get_block_idx() // 2, blocks, pl.get_block_num()):
            row = i * N + pl.get_subblock_idx() * (N // 2)
            cur = half_ub.next()
            pl.system.wait_cross_core(pipe=pl.PipeType.MTE2, event_id=ARRIVED)
            pl.system.mutex_lock(pipe=pl.PipeType.MTE2, tile=cur)  # lock: load writes cur
            pl.load(cur, product, [row, 0])
            pl.system.mutex_unlock(pipe=pl.PipeType.MTE2, tile=cur)  # unlock: after load
            pl.system.set_cross_core(pipe=pl.PipeType.MTE2, event_id=TAKEN)
            pl.system.mutex_lock(pipe=pl.PipeType.V, tile=cur)  # lock: relu reads and writes cur
            pl.relu(cur, cur)
            pl.system.mutex_unlock(pipe=pl.PipeType.V, tile=cur)  # unlock: after relu
            pl.system.mutex_lock(pipe=pl.PipeType.MTE3, tile=cur)  # lock: store reads cur
            pl.store(out, cur, [row, 0])
            pl.system.mutex_unlock(pipe=pl.PipeType.MTE3, tile=cur)  # unlock: after store


def main(rows: int = 512, cores: int = 2) -> None:
    if rows % N:
        sys.exit(f"rows must be a multiple of {N}")
    rng = np.random.default_rng(0)
    a = rng.standard_normal((rows, N)).astype(np.float16)
    b = rng.standard_normal((N, N)).astype(np.float16)
    product = np.empty((rows, N), np.float32)
    out = np.empty((rows, N), np.float32)
    matmul_relu_gm[None, cores](a, b, product, out)
    compare("matmul_relu_gm", out, np.maximum(a.astype(np.float64) @ b.astype(np.float64), 0), 1e-4)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
