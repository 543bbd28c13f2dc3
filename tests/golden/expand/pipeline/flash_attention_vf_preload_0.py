"""out = softmax(scale * q @ k.T) @ v: flash attention whose softmax runs in vector registers, one query in each lane.

    ptopro run samples/flash_attention_vf.py [queries] [keys] [cores]

The cube core computes the scores transposed, k @ q.T, and gives each vector core half of the queries (DualModeSplitN).
A row of scores then holds one key for 64 queries: one register.  Maximum and sum over the keys need nothing between
lanes, and what is kept for each query - maximum, sum, correction - is one register.

    compute_qk  cube    scores.T = k @ q.T                       64 columns to each vector core
    compute_p   vector  p.T = exp(scale * scores.T - maximum)    FP16, into L1 as the left operand of the next product
    compute_pv  cube    pv = p @ v
    compute_gu  vector  output = output * correction + pv        normalised and stored after the last block of keys

`samples/flash_attention.py` is the same with operations on whole tiles.
"""

import sys

import numpy as np

import ptopro.language as pl
from ptopro.language import vf
from reporting import compare

TQ = 128  # queries of a block
TK = 128  # keys of a block
D = 128  # head size
HALF = TQ // 2  # queries of a block on one vector core: the lanes of a register
LANES = 64
LOWEST = -3.0e38

MAT_SLOT = TQ * D * 2  # bytes of a block in FP16
SCORE_SLOT = TK * HALF * 4
PAIRS = TK // 2  # two keys share a register of FP16
P_ROWS = PAIRS + 1  # one row more, so that the blocks of a register lie in different banks
P_SLOT = P_ROWS * HALF * 2
STAT = HALF * 4  # bytes of one number per query
HANDED_ON = 4  # slots of what compute_p leaves for compute_gu: enough for preload 3

SCORES_AT = 0
PV_AT = SCORES_AT + 2 * SCORE_SLOT
OUTPUT_AT = PV_AT + 2 * SCORE_SLOT
P_AT = OUTPUT_AT + SCORE_SLOT
STATS_AT = P_AT + 2 * P_SLOT


@pl.vector_function
def start(maximum, total):
    """Before the first block of keys."""
    every = vf.create_mask(dtype=pl.DT_FP32)
    vf.store_align(maximum, vf.full(LOWEST), every)
    vf.store_align(total, vf.full(0.0), every)


@pl.vector_function
def softmax_keys(scores, p, maximum, total, correction, sums, scale):
    """p = exp(scale * scores - new maximum), for 64 queries and all keys of a block.

    maximum, total: what the blocks before have left, brought up to date; correction: what older sums are multiplied
    with; sums: the total, for the stage that divides by it.
    """
    every = vf.create_mask(dtype=pl.DT_FP32)
    all_halves = vf.create_mask(dtype=pl.DT_FP16)

    highest = [vf.full(LOWEST) for _ in range(4)]
    for key in pl.range(0, TK, 4):
        for i in range(4):
            highest[i] = vf.max(highest[i], vf.load_align(scores, [key + i, 0]), every)
    block_max = vf.max(vf.max(highest[0], highest[1], every), vf.max(highest[2], highest[3], every), every)
    old_max = vf.load_align(maximum, 0)
    new_max = vf.max(old_max, vf.muls(block_max, scale, every), every)
    factor = vf.exp_sub(old_max, new_max, every)
    vf.store_align(maximum, new_max, every)
    vf.store_align(correction, factor, every)

    first_sum = vf.full(0.0)
    second_sum = vf.full(0.0)
    for key in pl.range(PAIRS):
        first = vf.exp_sub(vf.muls(vf.load_align(scores, [key, 0]), scale, every), new_max, every)
        second = vf.exp_sub(vf.muls(vf.load_align(scores, [key + PAIRS, 0]), scale, every), new_max, every)
        first_sum = vf.add(first_sum, first, every)
        second_sum = vf.add(second_sum, second, every)
        first_half = vf.astype(first, every, dtype=pl.DT_FP16)
        second_half = vf.astype(second, every, dtype=pl.DT_FP16)
        both, _ = vf.de_interleave(first_half, second_half)
        vf.store_align(  # eight blocks of 16 queries: four of the first key, four of the second
            p, both, all_halves, P_ROWS, 1, data_copy_mode=pl.DataCopyMode.DATA_BLOCK_COPY, post_update=True
        )

    new_total = vf.load_align(total, 0)
    new_total = vf.mul(new_total, factor, every)
    new_total = vf.add(new_total, vf.add(first_sum, second_sum, every), every)
    vf.store_align(total, new_total, every)
    vf.store_align(sums, new_total, every)


@pl.vector_function
def rescale(output, pv, correction):
    """output = output * correction + pv; each query has a correction of its own."""
    every = vf.create_mask(dtype=pl.DT_FP32)
    for query in pl.range(HALF):
        factor = vf.load_align(correction, query, dist=pl.LoadDist.BRC)
        for column in range(0, D, LANES):
            x = vf.load_align(output, [query, column])
            x = vf.mul_dst_add(factor, vf.load_align(pv, [query, column]), every)
            vf.store_align(output, x, every, [query, column])


@pl.vector_function
def normalise(output, sums):
    """output = output / sums."""
    every = vf.create_mask(dtype=pl.DT_FP32)
    for query in pl.range(HALF):
        total = vf.load_align(sums, query, dist=pl.LoadDist.BRC)
        for column in range(0, D, LANES):
            x = vf.load_align(output, [query, column])
            vf.store_align(output, vf.div(x, total, every), every, [query, column])


@pl.pipeline.stage
def compute_qk(qi, ki, q, k, cur_q, k_l1, left, right, acc, scores):
    """scores.T = k @ q.T, queries 0..63 to vector core 0 and 64..127 to vector core 1."""
    cur_k = k_l1.next()
    cur_left = left.next()
    cur_right = right.next()
    cur_acc = acc.next()
    cur_scores = scores.next()
    if ki == 0:
        pl.system.mutex_lock(pipe=pl.PipeType.MTE2, tile=cur_q)  # lock: load writes cur_q
        pl.load(cur_q, q, [qi * TQ, 0], order=[1, 0])
        pl.system.mutex_unlock(pipe=pl.PipeType.MTE2, tile=cur_q)  # unlock: after load
    pl.system.mutex_lock(pipe=pl.PipeType.MTE2, tile=cur_k)  # lock: load_tile writes cur_k
    pl.load_tile(cur_k, k, [ki, 0])
    pl.system.mutex_unlock(pipe=pl.PipeType.MTE2, tile=cur_k)  # unlock: after load_tile
    pl.system.mutex_lock(pipe=pl.PipeType.MTE1, tile=cur_left)  # lock: move writes cur_left
    pl.system.mutex_lock(pipe=pl.PipeType.MTE1, tile=cur_k)  # lock: move reads cur_k
    pl.move(cur_left, cur_k)
    pl.system.mutex_unlock(pipe=pl.PipeType.MTE1, tile=cur_left)  # unlock: after move
    pl.system.mutex_unlock(pipe=pl.PipeType.MTE1, tile=cur_k)  # unlock: after move
    pl.system.mutex_lock(pipe=pl.PipeType.MTE1, tile=cur_right)  # lock: move writes cur_right
    pl.system.mutex_lock(pipe=pl.PipeType.MTE1, tile=cur_q)  # lock: move reads cur_q
    pl.move(cur_right, cur_q)
    pl.system.mutex_unlock(pipe=pl.PipeType.MTE1, tile=cur_right)  # unlock: after move
    pl.system.mutex_unlock(pipe=pl.PipeType.MTE1, tile=cur_q)  # unlock: after move
    pl.system.mutex_lock(pipe=pl.PipeType.M, tile=cur_acc)  # lock: matmul writes cur_acc
    pl.system.mutex_lock(pipe=pl.PipeType.M, tile=cur_left)  # lock: matmul reads cur_left
    pl.system.mutex_lock(pipe=pl.PipeType.M, tile=cur_right)  # lock: matmul reads cur_right
    pl.matmul(cur_acc, cur_left, cur_right)
    pl.system.mutex_unlock(pipe=pl.PipeType.M, tile=cur_acc)  # unlock: after matmul
    pl.system.mutex_unlock(pipe=pl.PipeType.M, tile=cur_left)  # unlock: after matmul
    pl.system.mutex_unlock(pipe=pl.PipeType.M, tile=cur_right)  # unlock: after matmul
    pl.system.mutex_lock(pipe=pl.PipeType.FIX, tile=cur_acc)  # lock: move reads cur_acc
    pl.move(cur_scores, cur_acc, acc_to_vec_mode=pl.AccToVecMode.DualModeSplitN)
    pl.system.mutex_unlock(pipe=pl.PipeType.FIX, tile=cur_acc)  # unlock: after move


@pl.pipeline.stage
def compute_p(ki, tick, scale, scores, p_ub, p_upper, p_lower, p_l1, maximum, total, correction, sums):
    """p.T, and the correction and the sum that compute_gu needs."""
    cur_scores = scores.next()
    cur_p = p_ub.next()
    cur_upper = p_upper.next()
    cur_lower = p_lower.next()
    cur_l1 = p_l1.next()
    row_max = maximum.current()
    row_total = total.current()
    if ki == 0:
        start(row_max, row_total)
    pl.system.mutex_lock(pipe=pl.PipeType.V, tile=cur_p)  # lock: softmax_keys writes cur_p
    softmax_keys(cur_scores, cur_p, row_max, row_total, correction[tick % HANDED_ON], sums[tick % HANDED_ON], scale)
    pl.system.mutex_unlock(pipe=pl.PipeType.V, tile=cur_p)  # unlock: after softmax_keys
    query = pl.get_subblock_idx() * HALF
    pl.system.mutex_lock(pipe=pl.PipeType.MTE3, tile=cur_upper)  # lock: insert reads cur_upper
    pl.insert(cur_l1, cur_upper, [0, query])
    pl.system.mutex_unlock(pipe=pl.PipeType.MTE3, tile=cur_upper)  # unlock: after insert
    pl.system.mutex_lock(pipe=pl.PipeType.MTE3, tile=cur_lower)  # lock: insert reads cur_lower
    pl.insert(cur_l1, cur_lower, [PAIRS, query])
    pl.system.mutex_unlock(pipe=pl.PipeType.MTE3, tile=cur_lower)  # unlock: after insert


@pl.pipeline.stage
def compute_pv(ki, v, p_l1, v_l1, left, right, acc, pv):
    """pv = p @ v, queries 0..63 to vector core 0 and 64..127 to vector core 1."""
    cur_p = p_l1.next()
    cur_v = v_l1.next()
    cur_left = left.next()
    cur_right = right.next()
    cur_acc = acc.next()
    cur_pv = pv.next()
    pl.system.mutex_lock(pipe=pl.PipeType.MTE2, tile=cur_v)  # lock: load_tile writes cur_v
    pl.load_tile(cur_v, v, [ki, 0])
    pl.system.mutex_unlock(pipe=pl.PipeType.MTE2, tile=cur_v)  # unlock: after load_tile
    pl.system.mutex_lock(pipe=pl.PipeType.MTE1, tile=cur_left)  # lock: move writes cur_left
    pl.move(cur_left, cur_p)
    pl.system.mutex_unlock(pipe=pl.PipeType.MTE1, tile=cur_left)  # unlock: after move
    pl.system.mutex_lock(pipe=pl.PipeType.MTE1, tile=cur_right)  # lock: move writes cur_right
    pl.system.mutex_lock(pipe=pl.PipeType.MTE1, tile=cur_v)  # lock: move reads cur_v
    pl.move(cur_right, cur_v)
    pl.system.mutex_unlock(pipe=pl.PipeType.MTE1, tile=cur_right)  # unlock: after move
    pl.system.mutex_unlock(pipe=pl.PipeType.MTE1, tile=cur_v)  # unlock: after move
    pl.system.mutex_lock(pipe=pl.PipeType.M, tile=cur_acc)  # lock: matmul writes cur_acc
    pl.system.mutex_lock(pipe=pl.PipeType.M, tile=cur_left)  # lock: matmul reads cur_left
    pl.system.mutex_lock(pipe=pl.PipeType.M, tile=cur_right)  # lock: matmul reads cur_right
    pl.matmul(cur_acc, cur_left, cur_right)
    pl.system.mutex_unlock(pipe=pl.PipeType.M, tile=cur_acc)  # unlock: after matmul
    pl.system.mutex_unlock(pipe=pl.PipeType.M, tile=cur_left)  # unlock: after matmul
    pl.system.mutex_unlock(pipe=pl.PipeType.M, tile=cur_right)  # unlock: after matmul
    pl.system.mutex_lock(pipe=pl.PipeType.FIX, tile=cur_acc)  # lock: move reads cur_acc
    pl.move(cur_pv, cur_acc, acc_to_vec_mode=pl.AccToVecMode.DualModeSplitM)
    pl.system.mutex_unlock(pipe=pl.PipeType.FIX, tile=cur_acc)  # unlock: after move


@pl.pipeline.stage
def compute_gu(qi, ki, last, tick, pv, output, correction, sums, out):
    """output = output * correction + pv; after the last block of keys, divide by the sum and store."""
    cur_pv = pv.next()
    cur_output = output.current()
    if ki == 0:
        pl.system.mutex_lock(pipe=pl.PipeType.V, tile=cur_output)  # lock: move writes cur_output
        pl.move(cur_output, cur_pv)
        pl.system.mutex_unlock(pipe=pl.PipeType.V, tile=cur_output)  # unlock: after move
    else:
        pl.system.mutex_lock(pipe=pl.PipeType.V, tile=cur_output)  # lock: rescale reads and writes cur_output
        rescale(cur_output, cur_pv, correction[tick % HANDED_ON])
        pl.system.mutex_unlock(pipe=pl.PipeType.V, tile=cur_output)  # unlock: after rescale
    if ki == last:
        pl.system.mutex_lock(pipe=pl.PipeType.V, tile=cur_output)  # lock: normalise reads and writes cur_output
        normalise(cur_output, sums[tick % HANDED_ON])
        pl.system.mutex_unlock(pipe=pl.PipeType.V, tile=cur_output)  # unlock: after normalise
        pl.system.mutex_lock(pipe=pl.PipeType.MTE3, tile=cur_output)  # lock: store reads cur_output
        pl.store(out, cur_output, [qi * TQ + pl.get_subblock_idx() * HALF, 0])
        pl.system.mutex_unlock(pipe=pl.PipeType.MTE3, tile=cur_output)  # unlock: after store


@pl.jit(auto_mutex=False)
def flash_attention_vf(
    q: pl.Tensor[[pl.DYNAMIC, D], pl.DT_FP16],
    k: pl.Tensor[[pl.DYNAMIC, D], pl.DT_FP16],
    v: pl.Tensor[[pl.DYNAMIC, D], pl.DT_FP16],
    out: pl.Tensor[[pl.DYNAMIC, D], pl.DT_FP32],
    scale: pl.DT_FP32,
):
    mat = pl.TileType(shape=[TK, D], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Mat)
    mat_q = pl.TileType(shape=[D, TQ], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Mat, layout=pl.ZN)
    mat_p = pl.TileType(shape=[TQ, TK], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Mat, layout=pl.ZN)
    left_type = pl.TileType(shape=[TK, D], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Left)
    right_type = pl.TileType(shape=[D, TQ], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Right)
    acc_type = pl.TileType(shape=[TK, TQ], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Acc)
    scores_type = pl.TileType(shape=[TK, HALF], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Vec)
    block = pl.TileType(shape=[HALF, D], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Vec)
    p_whole = pl.TileType(shape=[P_ROWS, TQ], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Vec)
    p_part = pl.TileType(
        shape=[P_ROWS, HALF],
        dtype=pl.DT_FP16,
        target_memory=pl.MemorySpace.Vec,
        valid_shape=[PAIRS, HALF],
        layout=pl.NZ,
    )
    row = pl.TileType(shape=[1, HALF], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Vec)

    q_l1 = pl.make_tile_group(type=mat_q, addrs=0, mutex_ids=[0, 1])
    k_l1 = pl.make_tile_group(type=mat, addrs=2 * MAT_SLOT, mutex_ids=[2, 3])
    v_l1 = pl.make_tile_group(type=mat, addrs=4 * MAT_SLOT, mutex_ids=[4, 5])
    p_l1 = pl.make_tile_group(type=mat_p, addrs=6 * MAT_SLOT, mutex_ids=[6, 7, 8], fwd_ids=[4, 5, 6], bwd_ids=[7, 8, 9])
    left = pl.make_tile_group(type=left_type, addrs=0, mutex_ids=[9, 10])
    right = pl.make_tile_group(type=right_type, addrs=0, mutex_ids=[11, 12])
    acc = pl.make_tile_group(type=acc_type, addrs=0, mutex_ids=[13, 14])

    scores = pl.make_tile_group(type=scores_type, addrs=SCORES_AT, mutex_ids=[15, 16], fwd_ids=[0, 1], bwd_ids=[0, 1])
    pv = pl.make_tile_group(type=block, addrs=PV_AT, mutex_ids=[17, 18], fwd_ids=[2, 3], bwd_ids=[2, 3])
    output = pl.make_tile_group(type=block, addrs=OUTPUT_AT, mutex_ids=[19])
    # p.T of 64 queries: the first half of the keys in the upper part, the second half in the lower part.
    p_ub = pl.make_tile_group(type=p_whole, addrs=[P_AT], mutex_ids=[20])
    p_upper = pl.make_tile_group(type=p_part, addrs=[P_AT], mutex_ids=[20])
    p_lower = pl.make_tile_group(type=p_part, addrs=[P_AT + P_SLOT], mutex_ids=[20])
    maximum = pl.make_tile_group(type=row, addrs=STATS_AT, mutex_ids=[21])
    total = pl.make_tile_group(type=row, addrs=STATS_AT + STAT, mutex_ids=[22])
    correction = pl.make_tile_group(type=row, addrs=STATS_AT + 2 * STAT, mutex_ids=[23, 24, 25, 26])
    sums = pl.make_tile_group(type=row, addrs=STATS_AT + (2 + HANDED_ON) * STAT, mutex_ids=[27, 28, 29, 30])

    key_blocks = k.shape[0] // TK
    core = pl.get_block_idx()
    with pl.section_vector():
        core = core // 2
    tick = 0
    _pl_task = 0  # number of the next task
    for qi in pl.range(core, q.shape[0] // TQ, pl.get_block_num()):
        cur_q = q_l1.next()
        for ki in pl.range(0, key_blocks):
            with pl.section_cube():
                compute_qk(qi, ki, q, k, cur_q, k_l1, left, right, acc, scores)
                pl.system.set_cross_core(pipe=pl.PipeType.FIX, event_id=_pl_task % 2)  # fwd: scores ready, compute_qk -> compute_p
            with pl.section_vector():
                pl.system.wait_cross_core(pipe=pl.PipeType.V, event_id=_pl_task % 2)  # fwd: scores ready, compute_qk -> compute_p
                compute_p(ki, tick, scale, scores, p_ub, p_upper, p_lower, p_l1, maximum, total, correction, sums)
                pl.system.set_cross_core(pipe=pl.PipeType.MTE3, event_id=4 + _pl_task % 3)  # fwd: p_l1 ready, compute_p -> compute_pv
            with pl.section_cube():
                pl.system.wait_cross_core(pipe=pl.PipeType.MTE1, event_id=4 + _pl_task % 3)  # fwd: p_l1 ready, compute_p -> compute_pv
                compute_pv(ki, v, p_l1, v_l1, left, right, acc, pv)
                pl.system.set_cross_core(pipe=pl.PipeType.FIX, event_id=2 + _pl_task % 2)  # fwd: pv ready, compute_pv -> compute_gu
            with pl.section_vector():
                pl.system.wait_cross_core(pipe=pl.PipeType.V, event_id=2 + _pl_task % 2)  # fwd: pv ready, compute_pv -> compute_gu
                compute_gu(qi, ki, key_blocks - 1, tick, pv, output, correction, sums, out)
            _pl_task = _pl_task + 1  # the next task's number
            tick = tick + 1


def main(queries: int = 768, keys: int = 512, cores: int = 2) -> None:
    if queries % TQ or keys % TK:
        sys.exit(f"queries and keys must be multiples of {TQ} and {TK}")
    rng = np.random.default_rng(0)
    q = rng.standard_normal((queries, D)).astype(np.float16)
    k = rng.standard_normal((keys, D)).astype(np.float16)
    v = rng.standard_normal((keys, D)).astype(np.float16)
    out = np.empty((queries, D), np.float32)
    scale = D**-0.5
    flash_attention_vf[None, cores](q, k, v, out, scale)
    scores = scale * (q.astype(np.float64) @ k.astype(np.float64).T)
    p = np.exp(scores - scores.max(axis=1, keepdims=True))
    compare("flash_attention_vf", out, p / p.sum(axis=1, keepdims=True) @ v.astype(np.float64), 5e-3)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
