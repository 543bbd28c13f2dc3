"""out = softmax(a @ b) along the rows: a cube core and its two vector cores, ordered by hand-written flags.

    ptopro run samples/matmul_softmax.py [m] [cores]

The cube core multiplies a block of 128 rows with b and moves the result from its accumulator straight into the
unified buffers of both vector cores (64 rows each).  Two buffers travel back and forth: event ids 0 and 1 say "block
is there", ids 2 and 3 say "buffer is free again".  Inside each core the locks are ptopro's.
"""

import sys

import numpy as np

import ptopro.language as pl
from reporting import compare

M = 128  # rows of a block
HALF = M // 2  # rows of a block on one vector core
N = 128
K = 128
FULL = (0, 1)  # event ids: block is there
FREE = (2, 3)  # event ids: buffer is free again
SCORE_SLOT = HALF * N * 4  # bytes


@pl.jit(auto_mutex=False)
def matmul_softmax(
    a: pl.Tensor[[pl.DYNAMIC, K], pl.DT_FP16],
    b: pl.Tensor[[K, N], pl.DT_FP16],
    out: pl.Tensor[[pl.DYNAMIC, N], pl.DT_FP32],
):
    blocks = a.shape[0] // M

    a_l1 = pl.make_tile_group(
        type=pl.TileType(shape=[M, K], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Mat),
        addrs=0,
        mutex_ids=[0, 1],
    )
    b_l1 = pl.make_tile_group(
        type=pl.TileType(shape=[K, N], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Mat),
        addrs=0x10000,
        mutex_ids=[2],
    )
    a_l0 = pl.make_tile_group(
        type=pl.TileType(shape=[M, K], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Left),
        addrs=0,
        mutex_ids=[3, 4],
    )
    b_l0 = pl.make_tile_group(
        type=pl.TileType(shape=[K, N], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Right),
        addrs=0,
        mutex_ids=[5],
    )
    c_l0 = pl.make_tile_group(
        type=pl.TileType(shape=[M, N], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Acc),
        addrs=0,
        mutex_ids=[6, 7],
    )

    scores = pl.make_tile_group(
        type=pl.TileType(shape=[HALF, N], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Vec),
        addrs=0,
        mutex_ids=[8, 9],
    )
    result = pl.make_tile_group(
        type=pl.TileType(shape=[HALF, N], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Vec),
        addrs=2 * SCORE_SLOT,
        mutex_ids=[10, 11],
    )
    stat = pl.make_tile_group(
        type=pl.TileType(shape=[HALF, 1], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Vec, layout=pl.DN),
        addrs=4 * SCORE_SLOT,
        mutex_ids=[12],
    )

    with pl.section_cube():
        cur_b = b_l1.current()
        cur_right = b_l0.current()
        pl.system.mutex_lock(pipe=pl.PipeType.MTE2, tile=cur_b)  # lock: load writes cur_b
        pl.load(cur_b, b, [0, 0])
        pl.system.mutex_unlock(pipe=pl.PipeType.MTE2, tile=cur_b)  # unlock: after load
        pl.system.mutex_lock(pipe=pl.PipeType.MTE1, tile=cur_right)  # lock: move writes cur_right
        pl.system.mutex_lock(pipe=pl.PipeType.MTE1, tile=cur_b)  # lock: move reads cur_b
        pl.move(cur_right, cur_b)
        pl.system.mutex_unlock(pipe=pl.PipeType.MTE1, tile=cur_right)  # unlock: after move
        pl.system.mutex_unlock(pipe=pl.PipeType.MTE1, tile=cur_b)  # unlock: after move
        task = 0
        for i in pl.range(pl.get_block_idx(), blocks, pl.get_block_num()):
            cur_a = a_l1.next()
            cur_left = a_l0.next()
            cur_c = c_l0.next()
            pl.system.mutex_lock(pipe=pl.PipeType.MTE2, tile=cur_a)  # lock: load_tile writes cur_a
            pl.load_tile(cur_a, a, [i, 0])
            pl.system.mutex_unlock(pipe=pl.PipeType.MTE2, tile=cur_a)  # unlock: after load_tile
            pl.system.mutex_lock(pipe=pl.PipeType.MTE1, tile=cur_left)  # lock: move writes cur_left
            pl.system.mutex_lock(pipe=pl.PipeType.MTE1, tile=cur_a)  # lock: move reads cur_a
            pl.move(cur_left, cur_a)
            pl.system.mutex_unlock(pipe=pl.PipeType.MTE1, tile=cur_left)  # unlock: after move
            pl.system.mutex_unlock(pipe=pl.PipeType.MTE1, tile=cur_a)  # unlock: after move
            pl.system.mutex_lock(pipe=pl.PipeType.M, tile=cur_c)  # lock: matmul writes cur_c
            pl.system.mutex_lock(pipe=pl.PipeType.M, tile=cur_left)  # lock: matmul reads cur_left
            pl.system.mutex_lock(pipe=pl.PipeType.M, tile=cur_right)  # lock: matmul reads cur_right
            pl.matmul(cur_c, cur_left, cur_right)
            pl.system.mutex_unlock(pipe=pl.PipeType.M, tile=cur_c)  # unlock: after matmul
            pl.system.mutex_unlock(pipe=pl.PipeType.M, tile=cur_left)  # unlock: after matmul
            pl.system.mutex_unlock(pipe=pl.PipeType.M, tile=cur_right)  # unlock: after matmul
            pl.system.wait_cross_core(pipe=pl.PipeType.FIX, event_id=FREE[task % 2])
            pl.system.mutex_lock(pipe=pl.PipeType.FIX, tile=cur_c)  # lock: move reads cur_c
            pl.move(scores[task % 2], cur_c, acc_to_vec_mode=pl.AccToVecMode.DualModeSplitM)
            pl.system.mutex_unlock(pipe=pl.PipeType.FIX, tile=cur_c)  # unlock: after move
            pl.system.set_cross_core(pipe=pl.PipeType.FIX, event_id=FULL[task % 2])
            task += 1
        pl.system.wait_cross_core(pipe=pl.PipeType.FIX, event_id=FREE[0])
        pl.system.wait_cross_core(pipe=pl.PipeType.FIX, event_id=FREE[1])

    with pl.section_vector():
        pl.system.set_cross_core(pipe=pl.PipeType.V, event_id=FREE[0])
        pl.system.set_cross_core(pipe=pl.PipeType.V, event_id=FREE[1])
        cur_stat = stat.current()
        task = 0
        for i in pl.range(pl.get_block_idx() // 2, blocks, pl.get_block_num()):
            cur_scores = scores[task % 2]
            cur_result = result.next()
            pl.system.wait_cross_core(pipe=pl.PipeType.V, event_id=FULL[task % 2])
            pl.system.mutex_lock(pipe=pl.PipeType.V, tile=cur_result)  # lock: maximum writes cur_result; held up to expand_div
            pl.maximum(cur_stat, cur_scores, cur_result, dim=0)
            pl.expand_sub(cur_scores, cur_scores, cur_stat, dim=0)
            pl.exp(cur_scores, cur_scores)
            pl.sum(cur_stat, cur_scores, cur_result, dim=0)
            pl.expand_div(cur_result, cur_scores, cur_stat, dim=0)
            pl.system.mutex_unlock(pipe=pl.PipeType.V, tile=cur_result)  # unlock: after expand_div
            pl.system.set_cross_core(pipe=pl.PipeType.V, event_id=FREE[task % 2])
            pl.system.mutex_lock(pipe=pl.PipeType.MTE3, tile=cur_result)  # lock: store reads cur_result
            pl.store(out, cur_result, [i * M + pl.get_subblock_idx() * HALF, 0])
            pl.system.mutex_unlock(pipe=pl.PipeType.MTE3, tile=cur_result)  # unlock: after store
            task += 1


def main(m: int = 1024, cores: int = 2) -> None:
    if m % M:
        sys.exit(f"m must be a multiple of {M}")
    rng = np.random.default_rng(0)
    a = rng.standard_normal((m, K)).astype(np.float16)
    b = rng.standard_normal((K, N)).astype(np.float16)
    out = np.empty((m, N), np.float32)
    matmul_softmax[None, cores](a, b, out)
    scores = a.astype(np.float64) @ b.astype(np.float64)
    e = np.exp(scores - scores.max(axis=1, keepdims=True))
    compare("matmul_softmax", out, e / e.sum(axis=1, keepdims=True), 1e-3)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
