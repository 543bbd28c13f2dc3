"""c = a.T @ b.T: both operands are transposed on their way into L1, by the order of the axes in the load.

    ptopro run samples/transpose_load.py [m] [n] [k] [cores]

`order=[1, 0]` lets axis 0 of the tile walk axis 1 of the tensor.  The tile keeps the shape that the matrix unit
wants; its ZN layout is what makes the transposed bytes land right.
"""

import sys

import numpy as np

import ptopro.language as pl
from reporting import compare

M = 64
N = 128
K = 64


@pl.jit(auto_mutex=False)
def matmul_tt(
    a: pl.Tensor[[pl.DYNAMIC, pl.DYNAMIC], pl.DT_FP16],  # [k, m]
    b: pl.Tensor[[pl.DYNAMIC, pl.DYNAMIC], pl.DT_FP16],  # [n, k]
    c: pl.Tensor[[pl.DYNAMIC, pl.DYNAMIC], pl.DT_FP32],  # [m, n]
):
    a_mat = pl.TileType(shape=[M, K], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Mat, layout=pl.ZN)
    b_mat = pl.TileType(shape=[K, N], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Mat, layout=pl.ZN)
    left = pl.TileType(shape=[M, K], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Left)
    right = pl.TileType(shape=[K, N], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Right)
    acc = pl.TileType(shape=[M, N], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Acc)

    a_l1 = pl.make_tile_group(type=a_mat, addrs=0, mutex_ids=[0, 1])
    b_l1 = pl.make_tile_group(type=b_mat, addrs=0x8000, mutex_ids=[2, 3])
    a_l0 = pl.make_tile_group(type=left, addrs=0, mutex_ids=[4, 5])
    b_l0 = pl.make_tile_group(type=right, addrs=0, mutex_ids=[6, 7])
    c_l0 = pl.make_tile_group(type=acc, addrs=0, mutex_ids=[8, 9])

    with pl.section_cube():
        for i in pl.range(pl.get_block_idx(), c.shape[0] // M, pl.get_block_num()):
            for j in pl.range(0, c.shape[1] // N):
                cur_c = c_l0.next()
                for p in pl.range(0, a.shape[0] // K):
                    cur_a = a_l1.next()
                    cur_b = b_l1.next()
                    pl.system.mutex_lock(pipe=pl.PipeType.MTE2, tile=cur_a)  # lock: load writes cur_a
                    pl.load(cur_a, a, [p * K, i * M], order=[1, 0])
                    pl.system.mutex_unlock(pipe=pl.PipeType.MTE2, tile=cur_a)  # unlock: after load
                    pl.system.mutex_lock(pipe=pl.PipeType.MTE2, tile=cur_b)  # lock: load writes cur_b
                    pl.load(cur_b, b, [j * N, p * K], order=[1, 0])
                    pl.system.mutex_unlock(pipe=pl.PipeType.MTE2, tile=cur_b)  # unlock: after load
                    cur_left = a_l0.next()
                    cur_right = b_l0.next()
                    pl.system.mutex_lock(pipe=pl.PipeType.MTE1, tile=cur_left)  # lock: move writes cur_left
                    pl.system.mutex_lock(pipe=pl.PipeType.MTE1, tile=cur_a)  # lock: move reads cur_a
                    pl.move(cur_left, cur_a)
                    pl.system.mutex_unlock(pipe=pl.PipeType.MTE1, tile=cur_left)  # unlock: after move
                    pl.system.mutex_unlock(pipe=pl.PipeType.MTE1, tile=cur_a)  # unlock: after move
                    pl.system.mutex_lock(pipe=pl.PipeType.MTE1, tile=cur_right)  # lock: move writes cur_right
                    pl.system.mutex_lock(pipe=pl.PipeType.MTE1, tile=cur_b)  # lock: move reads cur_b
                    pl.move(cur_right, cur_b)
                    pl.system.mutex_unlock(pipe=pl.PipeType.MTE1, tile=cur_right)  # unlock: after move
                    pl.system.mutex_unlock(pipe=pl.PipeType.MTE1, tile=cur_b)  # unlock: after move
                    if p == 0:
                        pl.system.mutex_lock(pipe=pl.PipeType.M, tile=cur_c)  # lock: matmul writes cur_c
                        pl.system.mutex_lock(pipe=pl.PipeType.M, tile=cur_left)  # lock: matmul reads cur_left
                        pl.system.mutex_lock(pipe=pl.PipeType.M, tile=cur_right)  # lock: matmul reads cur_right
                        pl.matmul(cur_c, cur_left, cur_right)
                        pl.system.mutex_unlock(pipe=pl.PipeType.M, tile=cur_c)  # unlock: after matmul
                        pl.system.mutex_unlock(pipe=pl.PipeType.M, tile=cur_left)  # unlock: after matmul
                        pl.system.mutex_unlock(pipe=pl.PipeType.M, tile=cur_right)  # unlock: after matmul
                    else:
                        pl.system.mutex_lock(pipe=pl.PipeType.M, tile=cur_c)  # lock: matmul_acc reads and writes cur_c
                        pl.system.mutex_lock(pipe=pl.PipeType.M, tile=cur_left)  # lock: matmul_acc reads cur_left
                        pl.system.mutex_lock(pipe=pl.PipeType.M, tile=cur_right)  # lock: matmul_acc reads cur_right
                        pl.matmul_acc(cur_c, cur_c, cur_left, cur_right)
                        pl.system.mutex_unlock(pipe=pl.PipeType.M, tile=cur_c)  # unlock: after matmul_acc
                        pl.system.mutex_unlock(pipe=pl.PipeType.M, tile=cur_left)  # unlock: after matmul_acc
                        pl.system.mutex_unlock(pipe=pl.PipeType.M, tile=cur_right)  # unlock: after matmul_acc
                pl.system.mutex_lock(pipe=pl.PipeType.FIX, tile=cur_c)  # lock: store_tile reads cur_c
                pl.store_tile(c, cur_c, [i, j])
                pl.system.mutex_unlock(pipe=pl.PipeType.FIX, tile=cur_c)  # unlock: after store_tile


def main(m: int = 192, n: int = 256, k: int = 320, cores: int = 2) -> None:
    if m % M or n % N or k % K:
        sys.exit(f"m, n and k must be multiples of {M}, {N} and {K}")
    rng = np.random.default_rng(0)
    a = rng.standard_normal((k, m)).astype(np.float16)
    b = rng.standard_normal((n, k)).astype(np.float16)
    c = np.empty((m, n), np.float32)
    matmul_tt[None, cores](a, b, c)
    compare("transpose_load", c, a.astype(np.float32).T @ b.astype(np.float32).T, 1e-3)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
