"""c = a @ b in FP16 with FP32 accumulation: a K loop, double buffers in L1, L0 and the accumulator, and phases.

    ptopro run samples/matmul.py [m] [n] [k] [cores]

Any sizes: blocks at the edges are narrower (their valid shape is set before they are loaded).  `phase=` lets the
hardware's unit flag order the matrix unit and the store of a finished block, so the accumulator takes no lock.
"""

import sys

import numpy as np

import ptopro.language as pl
from reporting import compare

M = 128
N = 128
K = 128
A_SLOT = M * K * 2  # bytes
B_SLOT = K * N * 2


@pl.jit(auto_mutex=False)
def matmul(
    a: pl.Tensor[[pl.DYNAMIC, pl.DYNAMIC], pl.DT_FP16],
    b: pl.Tensor[[pl.DYNAMIC, pl.DYNAMIC], pl.DT_FP16],
    c: pl.Tensor[[pl.DYNAMIC, pl.DYNAMIC], pl.DT_FP32],
):
    m = a.shape[0]
    k = a.shape[1]
    n = b.shape[1]
    n_blocks = (n + N - 1) // N
    k_blocks = (k + K - 1) // K
    blocks = (m + M - 1) // M * n_blocks

    dyn = [-1, -1]
    a_mat = pl.TileType(shape=[M, K], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Mat, valid_shape=dyn)
    b_mat = pl.TileType(shape=[K, N], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Mat, valid_shape=dyn)
    left = pl.TileType(shape=[M, K], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Left, valid_shape=dyn, compact=1)
    right = pl.TileType(shape=[K, N], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Right, valid_shape=dyn, compact=1)
    acc = pl.TileType(shape=[M, N], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Acc, valid_shape=dyn, compact=1)

    a_l1 = pl.make_tile_group(type=a_mat, addrs=0, mutex_ids=[0, 1])
    b_l1 = pl.make_tile_group(type=b_mat, addrs=2 * A_SLOT, mutex_ids=[2, 3])
    a_l0 = pl.make_tile_group(type=left, addrs=0, mutex_ids=[4, 5])
    b_l0 = pl.make_tile_group(type=right, addrs=0, mutex_ids=[6, 7])
    c_l0 = pl.make_tile_group(type=acc, addrs=0, mutex_ids=[8, 9])

    with pl.section_cube():
        for block in pl.range(pl.get_block_idx(), blocks, pl.get_block_num()):
            i = block // n_blocks
            j = block % n_blocks
            rows = pl.min(M, m - i * M)
            cols = pl.min(N, n - j * N)
            cur_c = c_l0.next()
            pl.set_validshape(cur_c, [rows, cols])
            for p in pl.range(0, k_blocks):
                depth = pl.min(K, k - p * K)
                cur_a = a_l1.next()
                cur_b = b_l1.next()
                pl.set_validshape(cur_a, [rows, depth])
                pl.set_validshape(cur_b, [depth, cols])
                pl.system.mutex_lock(pipe=pl.PipeType.MTE2, tile=cur_a)  # lock: load_tile writes cur_a
                pl.load_tile(cur_a, a, [i, p])
                pl.system.mutex_unlock(pipe=pl.PipeType.MTE2, tile=cur_a)  # unlock: after load_tile
                pl.system.mutex_lock(pipe=pl.PipeType.MTE2, tile=cur_b)  # lock: load_tile writes cur_b
                pl.load_tile(cur_b, b, [p, j])
                pl.system.mutex_unlock(pipe=pl.PipeType.MTE2, tile=cur_b)  # unlock: after load_tile

                cur_left = a_l0.next()
                cur_right = b_l0.next()
                pl.set_validshape(cur_left, [rows, depth])
                pl.set_validshape(cur_right, [depth, cols])
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
                    if k_blocks == 1:
                        pl.system.mutex_lock(pipe=pl.PipeType.M, tile=cur_left)  # lock: matmul reads cur_left
                        pl.system.mutex_lock(pipe=pl.PipeType.M, tile=cur_right)  # lock: matmul reads cur_right
                        pl.matmul(cur_c, cur_left, cur_right, phase=pl.AccPhase.Final)
                        pl.system.mutex_unlock(pipe=pl.PipeType.M, tile=cur_left)  # unlock: after matmul
                        pl.system.mutex_unlock(pipe=pl.PipeType.M, tile=cur_right)  # unlock: after matmul
                    else:
                        pl.system.mutex_lock(pipe=pl.PipeType.M, tile=cur_left)  # lock: matmul reads cur_left
                        pl.system.mutex_lock(pipe=pl.PipeType.M, tile=cur_right)  # lock: matmul reads cur_right
                        pl.matmul(cur_c, cur_left, cur_right, phase=pl.AccPhase.Partial)
                        pl.system.mutex_unlock(pipe=pl.PipeType.M, tile=cur_left)  # unlock: after matmul
                        pl.system.mutex_unlock(pipe=pl.PipeType.M, tile=cur_right)  # unlock: after matmul
                elif p == k_blocks - 1:
                    pl.system.mutex_lock(pipe=pl.PipeType.M, tile=cur_left)  # lock: matmul_acc reads cur_left
                    pl.system.mutex_lock(pipe=pl.PipeType.M, tile=cur_right)  # lock: matmul_acc reads cur_right
                    pl.matmul_acc(cur_c, cur_c, cur_left, cur_right, phase=pl.AccPhase.Final)
                    pl.system.mutex_unlock(pipe=pl.PipeType.M, tile=cur_left)  # unlock: after matmul_acc
                    pl.system.mutex_unlock(pipe=pl.PipeType.M, tile=cur_right)  # unlock: after matmul_acc
                else:
                    pl.system.mutex_lock(pipe=pl.PipeType.M, tile=cur_left)  # lock: matmul_acc reads cur_left
                    pl.system.mutex_lock(pipe=pl.PipeType.M, tile=cur_right)  # lock: matmul_acc reads cur_right
                    pl.matmul_acc(cur_c, cur_c, cur_left, cur_right, phase=pl.AccPhase.Partial)
                    pl.system.mutex_unlock(pipe=pl.PipeType.M, tile=cur_left)  # unlock: after matmul_acc
                    pl.system.mutex_unlock(pipe=pl.PipeType.M, tile=cur_right)  # unlock: after matmul_acc
            pl.store_tile(c, cur_c, [i, j], phase=pl.STPhase.Final)


def main(m: int = 300, n: int = 260, k: int = 400, cores: int = 4) -> None:
    rng = np.random.default_rng(0)
    a = rng.standard_normal((m, k)).astype(np.float16)
    b = rng.standard_normal((k, n)).astype(np.float16)
    c = np.empty((m, n), np.float32)
    matmul[None, cores](a, b, c)
    compare("matmul", c, a.astype(np.float32) @ b.astype(np.float32), 1e-3)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
