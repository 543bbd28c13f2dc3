"""out = softmax(scale * q @ k.T) @ v without ever holding the scores of a whole row: flash attention in four stages.

    ptopro run samples/flash_attention.py [queries] [keys] [cores] [causal]

Written serially: for each block of 128 queries, for each block of 128 keys, cube, vector, cube, vector.

    compute_qk  cube    scores = q @ k.T                        into the vector cores' buffers, 64 rows each
    compute_p   vector  p = exp(scale * scores - running max)   back into L1, and the factor that corrects older sums
    compute_pv  cube    pv = p @ v
    compute_gu  vector  output = output * correction + pv       normalised and stored after the last block of keys

`pipeline=` makes the cube core run `preload` blocks ahead, so that both cores are busy; ptopro writes the flags, the
context that travels with a delayed block, and the drain.  Values that compute_p leaves for compute_gu live in groups
of at least preload + 1 slots, chosen by the block counter `tick`.
"""

import sys

import numpy as np

import ptopro.language as pl
from reporting import compare

TQ = 128  # queries of a block
TK = 128  # keys of a block
D = 128  # head size
HALF = TQ // 2  # queries of a block on one vector core
LOWEST = -3.0e38

MAT_SLOT = TQ * D * 2  # bytes of a block in FP16
SCORE_SLOT = HALF * TK * 4
P_SLOT = HALF * TK * 2
STAT = HALF * 4  # bytes of one number per query
HANDED_ON = 4  # slots of what compute_p leaves for compute_gu: enough for preload 3

SCORES_AT = 0
PV_AT = SCORES_AT + 2 * SCORE_SLOT
OUTPUT_AT = PV_AT + 2 * SCORE_SLOT
SCRATCH_AT = OUTPUT_AT + SCORE_SLOT
P_AT = SCRATCH_AT
P_NZ_AT = P_AT + P_SLOT
STATS_AT = P_NZ_AT + P_SLOT


@pl.pipeline.stage
def compute_qk(qi, ki, q, k, cur_q, k_l1, left, right, acc, scores):
    """scores = q @ k.T, rows 0..63 to vector core 0 and 64..127 to vector core 1."""
    cur_k = k_l1.next()
    cur_left = left.next()
    cur_right = right.next()
    cur_acc = acc.next()
    cur_scores = scores.next()
    if ki == 0:
        pl.system.mutex_lock(pipe=pl.PipeType.MTE2, tile=cur_q)  # lock: load_tile writes cur_q
        pl.load_tile(cur_q, q, [qi, 0])
        pl.system.mutex_unlock(pipe=pl.PipeType.MTE2, tile=cur_q)  # unlock: after load_tile
    pl.system.mutex_lock(pipe=pl.PipeType.MTE2, tile=cur_k)  # lock: load writes cur_k
    pl.load(cur_k, k, [ki * TK, 0], order=[1, 0])
    pl.system.mutex_unlock(pipe=pl.PipeType.MTE2, tile=cur_k)  # unlock: after load
    pl.system.mutex_lock(pipe=pl.PipeType.MTE1, tile=cur_left)  # lock: move writes cur_left
    pl.system.mutex_lock(pipe=pl.PipeType.MTE1, tile=cur_q)  # lock: move reads cur_q
    pl.move(cur_left, cur_q)
    pl.system.mutex_unlock(pipe=pl.PipeType.MTE1, tile=cur_left)  # unlock: after move
    pl.system.mutex_unlock(pipe=pl.PipeType.MTE1, tile=cur_q)  # unlock: after move
    pl.system.mutex_lock(pipe=pl.PipeType.MTE1, tile=cur_right)  # lock: move writes cur_right
    pl.system.mutex_lock(pipe=pl.PipeType.MTE1, tile=cur_k)  # lock: move reads cur_k
    pl.move(cur_right, cur_k)
    pl.system.mutex_unlock(pipe=pl.PipeType.MTE1, tile=cur_right)  # unlock: after move
    pl.system.mutex_unlock(pipe=pl.PipeType.MTE1, tile=cur_k)  # unlock: after move
    pl.system.mutex_lock(pipe=pl.PipeType.M, tile=cur_acc)  # lock: matmul writes cur_acc
    pl.system.mutex_lock(pipe=pl.PipeType.M, tile=cur_left)  # lock: matmul reads cur_left
    pl.system.mutex_lock(pipe=pl.PipeType.M, tile=cur_right)  # lock: matmul reads cur_right
    pl.matmul(cur_acc, cur_left, cur_right)
    pl.system.mutex_unlock(pipe=pl.PipeType.M, tile=cur_acc)  # unlock: after matmul
    pl.system.mutex_unlock(pipe=pl.PipeType.M, tile=cur_left)  # unlock: after matmul
    pl.system.mutex_unlock(pipe=pl.PipeType.M, tile=cur_right)  # unlock: after matmul
    pl.system.mutex_lock(pipe=pl.PipeType.FIX, tile=cur_acc)  # lock: move reads cur_acc
    pl.move(cur_scores, cur_acc, acc_to_vec_mode=pl.AccToVecMode.DualModeSplitM)
    pl.system.mutex_unlock(pipe=pl.PipeType.FIX, tile=cur_acc)  # unlock: after move


@pl.pipeline.stage
def compute_p(qi, ki, tick, scale, causal, mask, scores, p_ub, p_nz, p_l1, scratch, stats, handed_on):
    """p = exp(scale * scores - running maximum), and the correction and the sum that compute_gu needs."""
    cur_scores = scores.next()
    cur_p = p_l1.next()
    row_max = stats.row_max.current()
    new_max = stats.new_max.current()
    new_max_column = stats.new_max_column.current()
    part = stats.part.current()
    part_column = stats.part_column.current()
    total = stats.total.current()
    correction = handed_on.correction[tick % HANDED_ON]
    sums = handed_on.sums[tick % HANDED_ON]
    work = scratch.current()
    half = p_ub.current()
    half_nz = p_nz.current()

    if ki == 0:
        pl.expands(row_max, LOWEST)
        pl.expands(total, 0.0)
    pl.mul(cur_scores, cur_scores, scale)
    if causal > 0 and ki == qi:
        pl.system.mutex_lock(pipe=pl.PipeType.MTE2, tile=work)  # lock: load writes work
        pl.load(work, mask, [pl.get_subblock_idx() * HALF, 0])
        pl.system.mutex_unlock(pipe=pl.PipeType.MTE2, tile=work)  # unlock: after load
        pl.system.mutex_lock(pipe=pl.PipeType.V, tile=work)  # lock: add reads work
        pl.add(cur_scores, cur_scores, work)
        pl.system.mutex_unlock(pipe=pl.PipeType.V, tile=work)  # unlock: after add
    pl.system.mutex_lock(pipe=pl.PipeType.V, tile=work)  # lock: maximum writes work; held up to sum
    pl.maximum(part_column, cur_scores, work, dim=0)
    pl.maximum(new_max, row_max, part)
    pl.sub(correction, row_max, new_max)
    pl.exp(correction, correction)
    pl.mul(row_max, new_max, 1.0)
    pl.expand_sub(cur_scores, cur_scores, new_max_column, dim=0)
    pl.exp(cur_scores, cur_scores)
    pl.sum(part_column, cur_scores, work, dim=0)
    pl.system.mutex_unlock(pipe=pl.PipeType.V, tile=work)  # unlock: after sum
    pl.mul(total, total, correction)
    pl.add(total, total, part)
    pl.mul(sums, total, 1.0)
    pl.system.mutex_lock(pipe=pl.PipeType.V, tile=half)  # lock: cast writes half
    pl.cast(half, cur_scores, mode=pl.RoundMode.CAST_RINT)
    pl.system.mutex_unlock(pipe=pl.PipeType.V, tile=half)  # unlock: after cast
    pl.system.mutex_lock(pipe=pl.PipeType.V, tile=half_nz)  # lock: move writes half_nz, reads half
    pl.move(half_nz, half)
    pl.system.mutex_unlock(pipe=pl.PipeType.V, tile=half_nz)  # unlock: after move
    pl.system.mutex_lock(pipe=pl.PipeType.MTE3, tile=half_nz)  # lock: insert reads half_nz
    pl.insert(cur_p, half_nz, [pl.get_subblock_idx() * HALF, 0])
    pl.system.mutex_unlock(pipe=pl.PipeType.MTE3, tile=half_nz)  # unlock: after insert


@pl.pipeline.stage
def compute_pv(ki, v, p_l1, v_l1, left, right, acc, pv):
    """pv = p @ v, split over the vector cores as the scores were."""
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
def compute_gu(qi, ki, last, tick, pv, output, handed_on, out):
    """output = output * correction + pv; after the last block of keys, divide by the sum and store."""
    cur_pv = pv.next()
    cur_output = output.current()
    if ki == 0:
        pl.system.mutex_lock(pipe=pl.PipeType.V, tile=cur_output)  # lock: mul writes cur_output
        pl.mul(cur_output, cur_pv, 1.0)
        pl.system.mutex_unlock(pipe=pl.PipeType.V, tile=cur_output)  # unlock: after mul
    else:
        pl.system.mutex_lock(pipe=pl.PipeType.V, tile=cur_output)  # lock: expand_mul reads and writes cur_output; held up to add
        pl.expand_mul(cur_output, cur_output, handed_on.correction_column[tick % HANDED_ON], dim=0)
        pl.add(cur_output, cur_output, cur_pv)
        pl.system.mutex_unlock(pipe=pl.PipeType.V, tile=cur_output)  # unlock: after add
    if ki == last:
        pl.system.mutex_lock(pipe=pl.PipeType.V, tile=cur_output)  # lock: expand_div reads and writes cur_output
        pl.expand_div(cur_output, cur_output, handed_on.sums_column[tick % HANDED_ON], dim=0)
        pl.system.mutex_unlock(pipe=pl.PipeType.V, tile=cur_output)  # unlock: after expand_div
        pl.system.mutex_lock(pipe=pl.PipeType.MTE3, tile=cur_output)  # lock: store reads cur_output
        pl.store(out, cur_output, [qi * TQ + pl.get_subblock_idx() * HALF, 0])
        pl.system.mutex_unlock(pipe=pl.PipeType.MTE3, tile=cur_output)  # unlock: after store


@pl.jit(auto_mutex=False)
def flash_attention(
    q: pl.Tensor[[pl.DYNAMIC, D], pl.DT_FP16],
    k: pl.Tensor[[pl.DYNAMIC, D], pl.DT_FP16],
    v: pl.Tensor[[pl.DYNAMIC, D], pl.DT_FP16],
    mask: pl.Tensor[[TQ, TK], pl.DT_FP32],  # 0 where key <= query, LOWEST elsewhere, within one block
    out: pl.Tensor[[pl.DYNAMIC, D], pl.DT_FP32],
    scale: pl.DT_FP32,
    causal: pl.DT_INT32,
):
    mat = pl.TileType(shape=[TQ, D], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Mat)
    mat_zn = pl.TileType(shape=[D, TK], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Mat, layout=pl.ZN)
    left_type = pl.TileType(shape=[TQ, D], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Left)
    right_type = pl.TileType(shape=[D, TK], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Right)
    acc_type = pl.TileType(shape=[TQ, TK], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Acc)
    block = pl.TileType(shape=[HALF, TK], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Vec)
    block_half = pl.TileType(shape=[HALF, TK], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Vec)
    block_nz = pl.TileType(shape=[HALF, TK], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Vec, layout=pl.NZ)
    row = pl.TileType(shape=[1, HALF], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Vec)
    column = pl.TileType(shape=[HALF, 1], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Vec, layout=pl.DN)

    q_l1 = pl.make_tile_group(type=mat, addrs=0, mutex_ids=[0, 1])
    k_l1 = pl.make_tile_group(type=mat_zn, addrs=2 * MAT_SLOT, mutex_ids=[2, 3])
    v_l1 = pl.make_tile_group(type=mat, addrs=4 * MAT_SLOT, mutex_ids=[4, 5])
    p_l1 = pl.make_tile_group(type=mat, addrs=6 * MAT_SLOT, mutex_ids=[6, 7, 8], fwd_ids=[4, 5, 6], bwd_ids=[7, 8, 9])
    left = pl.make_tile_group(type=left_type, addrs=0, mutex_ids=[9, 10])
    right = pl.make_tile_group(type=right_type, addrs=0, mutex_ids=[11, 12])
    acc = pl.make_tile_group(type=acc_type, addrs=0, mutex_ids=[13, 14])

    scores = pl.make_tile_group(type=block, addrs=SCORES_AT, mutex_ids=[15, 16], fwd_ids=[0, 1], bwd_ids=[0, 1])
    pv = pl.make_tile_group(type=block, addrs=PV_AT, mutex_ids=[17, 18], fwd_ids=[2, 3], bwd_ids=[2, 3])
    output = pl.make_tile_group(type=block, addrs=OUTPUT_AT, mutex_ids=[19])
    scratch = pl.make_tile_group(type=block, addrs=SCRATCH_AT, mutex_ids=[20])
    p_ub = pl.make_tile_group(type=block_half, addrs=P_AT, mutex_ids=[20])
    p_nz = pl.make_tile_group(type=block_nz, addrs=P_NZ_AT, mutex_ids=[20])
    stats = pl.make_tuple(
        row_max=pl.make_tile_group(type=row, addrs=STATS_AT, mutex_ids=[21]),
        new_max=pl.make_tile_group(type=row, addrs=STATS_AT + STAT, mutex_ids=[22]),
        new_max_column=pl.make_tile_group(type=column, addrs=STATS_AT + STAT, mutex_ids=[22]),
        part=pl.make_tile_group(type=row, addrs=STATS_AT + 2 * STAT, mutex_ids=[23]),
        part_column=pl.make_tile_group(type=column, addrs=STATS_AT + 2 * STAT, mutex_ids=[23]),
        total=pl.make_tile_group(type=row, addrs=STATS_AT + 3 * STAT, mutex_ids=[24]),
    )
    correction_at = STATS_AT + 4 * STAT
    sums_at = correction_at + HANDED_ON * STAT
    handed_on = pl.make_tuple(
        correction=pl.make_tile_group(type=row, addrs=correction_at, mutex_ids=[9, 10, 11, 12]),
        correction_column=pl.make_tile_group(type=column, addrs=correction_at, mutex_ids=[9, 10, 11, 12]),
        sums=pl.make_tile_group(type=row, addrs=sums_at, mutex_ids=[25, 26, 27, 28]),
        sums_column=pl.make_tile_group(type=column, addrs=sums_at, mutex_ids=[25, 26, 27, 28]),
    )

    key_blocks = k.shape[0] // TK
    core = pl.get_block_idx()
    with pl.section_vector():
        core = core // 2
    tick = 0
    _pl_task = 0  # number of the next task
    for qi in pl.range(core, q.shape[0] // TQ, pl.get_block_num()):
        cur_q = q_l1.next()
        blocks = qi + 1 if causal > 0 else key_blocks
        for ki in pl.range(0, blocks):
            with pl.section_cube():
                compute_qk(qi, ki, q, k, cur_q, k_l1, left, right, acc, scores)
                pl.system.set_cross_core(pipe=pl.PipeType.FIX, event_id=_pl_task % 2)  # fwd: scores ready, compute_qk -> compute_p
            with pl.section_vector():
                pl.system.wait_cross_core(pipe=pl.PipeType.V, event_id=_pl_task % 2)  # fwd: scores ready, compute_qk -> compute_p
                compute_p(qi, ki, tick, scale, causal, mask, scores, p_ub, p_nz, p_l1, scratch, stats, handed_on)
                pl.system.set_cross_core(pipe=pl.PipeType.MTE3, event_id=4 + _pl_task % 3)  # fwd: p_l1 ready, compute_p -> compute_pv
            with pl.section_cube():
                pl.system.wait_cross_core(pipe=pl.PipeType.MTE1, event_id=4 + _pl_task % 3)  # fwd: p_l1 ready, compute_p -> compute_pv
                compute_pv(ki, v, p_l1, v_l1, left, right, acc, pv)
                pl.system.set_cross_core(pipe=pl.PipeType.FIX, event_id=2 + _pl_task % 2)  # fwd: pv ready, compute_pv -> compute_gu
            with pl.section_vector():
                pl.system.wait_cross_core(pipe=pl.PipeType.V, event_id=2 + _pl_task % 2)  # fwd: pv ready, compute_pv -> compute_gu
                compute_gu(qi, ki, blocks - 1, tick, pv, output, handed_on, out)
            _pl_task = _pl_task + 1  # the next task's number
            tick = tick + 1


def main(queries: int = 768, keys: int = 512, cores: int = 2, causal: int = 0) -> None:
    if queries % TQ or keys % TK:
        sys.exit(f"queries and keys must be multiples of {TQ} and {TK}")
    if causal and queries > keys:
        sys.exit("with a causal mask there must be a key for every query")
    rng = np.random.default_rng(0)
    q = rng.standard_normal((queries, D)).astype(np.float16)
    k = rng.standard_normal((keys, D)).astype(np.float16)
    v = rng.standard_normal((keys, D)).astype(np.float16)
    mask = np.where(np.tril(np.ones((TQ, TK))) > 0, 0, LOWEST).astype(np.float32)
    out = np.empty((queries, D), np.float32)
    scale = D**-0.5
    flash_attention[None, cores](q, k, v, mask, out, scale, causal)
    scores = scale * (q.astype(np.float64) @ k.astype(np.float64).T)
    if causal:
        scores[np.arange(keys)[None, :] > np.arange(queries)[:, None]] = -np.inf
    p = np.exp(scores - scores.max(axis=1, keepdims=True))
    compare("flash_attention", out, p / p.sum(axis=1, keepdims=True) @ v.astype(np.float64), 5e-3)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
