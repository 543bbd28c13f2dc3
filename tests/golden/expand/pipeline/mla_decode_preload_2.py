"""Multi-head latent attention, one decoding step: all heads of a token against a paged cache of latent vectors.

    ptopro run samples/mla_decode.py [sequences] [heads] [longest] [cores]

A cached token is one latent vector of 512 numbers and one rotary key of 64, shared by all heads.  The up-projections
are absorbed: a head's query without rotation, multiplied by its W_uk, is compared with the latent itself, and W_uv is
applied to what comes out here.  So keys and values are the same bytes, and the cache is read once: a page is loaded
into L1, transposed for the scores and plain for the values.

    compute_qk  cube    scores = q_latent @ latent.T + q_rope @ rope.T     five products into one accumulator
    compute_p   vector  p = exp(scale * scores - running maximum)          one head in each register
    compute_pv  cube    pv = p @ latent                                    four quarters of the latent
    compute_gu  vector  output = output * correction + pv                  normalised and stored after the last page

A task is a page of 64 tokens for 64 heads; sequences differ in length, and the last page may be filled in part.
"""

import sys

import numpy as np

import ptopro.language as pl
from ptopro.language import vf
from reporting import compare

HEADS = 64  # heads of a task
HALF = HEADS // 2  # heads of a task on one vector core
PAGE = 64  # tokens of a page: the lanes of a register
LATENT = 512
ROPE = 64
NOPE = 128  # the part of a query that is not rotated, before W_uk is absorbed
PART = 128  # columns of the latent in one product
PARTS = LATENT // PART
LANES = 64
LOWEST = -3.0e38
PAGES_HELD = 4  # pages in L1: what compute_qk loads stays until compute_pv has used it
HANDED_ON = 4  # slots of what compute_p leaves for compute_gu: enough for preload 3

LATENT_SLOT = PAGE * LATENT * 2  # bytes in FP16
ROPE_SLOT = PAGE * ROPE * 2
P_ROWS = HALF + 1  # one row more, so that the blocks of a register lie in different banks
SCORE_SLOT = HALF * PAGE * 4
PV_SLOT = HALF * LATENT * 4
P_SLOT = 8192
STAT = 256  # bytes of one number per head, and room

CACHE_AT = 0
Q_AT = CACHE_AT + PAGES_HELD * (LATENT_SLOT + ROPE_SLOT)
P_L1_AT = Q_AT + LATENT_SLOT + ROPE_SLOT
SCORES_AT = 0
PV_AT = SCORES_AT + 2 * SCORE_SLOT
OUTPUT_AT = PV_AT + 2 * PV_SLOT
P_AT = OUTPUT_AT + PV_SLOT
STATS_AT = P_AT + P_SLOT


@pl.vector_function
def start(maximum, total):
    """Before the first page of a sequence."""
    heads = vf.create_mask(pattern=pl.MaskPattern.VL32, dtype=pl.DT_FP32)
    vf.store_align(maximum, vf.full(LOWEST), heads)
    vf.store_align(total, vf.full(0.0), heads)


@pl.vector_function
def softmax_heads(scores, p, maximum, total, correction, sums, scale, tokens):
    """p = exp(scale * scores - new maximum) for 32 heads; `tokens` of the page belong to the sequence.

    maximum, total: what the pages before have left, brought up to date; correction: what older sums are multiplied
    with; sums: the total, for the stage that divides by it.
    """
    every = vf.create_mask(dtype=pl.DT_FP32)
    present = vf.update_mask(tokens, dtype=pl.DT_FP32)
    page = vf.create_mask(pattern=pl.MaskPattern.VL64, dtype=pl.DT_FP16)
    first = pl.StoreDist.FIRST_ELEMENT
    for head in pl.range(HALF):
        x = vf.muls(vf.load_align(scores, [head, 0]), scale, every)
        old_max = vf.load_align(maximum, head, dist=pl.LoadDist.BRC)
        new_max = vf.max(old_max, vf.full(vf.reduce_max(x, present), every), every)
        factor = vf.exp_sub(old_max, new_max, every)
        x = vf.exp_sub(x, new_max, present)

        new_total = vf.load_align(total, head, dist=pl.LoadDist.BRC)
        new_total = vf.mul_dst_add(factor, vf.reduce_sum(x, present), every)
        vf.store_align(maximum, new_max, every, head, dist=first)
        vf.store_align(correction, factor, every, head, dist=first)
        vf.store_align(total, new_total, every, head, dist=first)
        vf.store_align(sums, new_total, every, head, dist=first)

        spread = vf.astype(x, every, dtype=pl.DT_FP16)  # in the even lanes
        packed, _ = vf.de_interleave(spread, spread)
        vf.store_align(  # four blocks of 16 tokens
            p, packed, page, P_ROWS, 1, data_copy_mode=pl.DataCopyMode.DATA_BLOCK_COPY, post_update=True
        )


@pl.vector_function
def rescale(output, pv, correction):
    """output = output * correction + pv; each head has a correction of its own."""
    every = vf.create_mask(dtype=pl.DT_FP32)
    for head in pl.range(HALF):
        factor = vf.load_align(correction, head, dist=pl.LoadDist.BRC)
        for column in range(0, LATENT, LANES):
            x = vf.load_align(output, [head, column])
            x = vf.mul_dst_add(factor, vf.load_align(pv, [head, column]), every)
            vf.store_align(output, x, every, [head, column])


@pl.vector_function
def normalise(output, sums):
    """output = output / sums."""
    every = vf.create_mask(dtype=pl.DT_FP32)
    for head in pl.range(HALF):
        total = vf.load_align(sums, head, dist=pl.LoadDist.BRC)
        for column in range(0, LATENT, LANES):
            x = vf.load_align(output, [head, column])
            vf.store_align(output, vf.div(x, total, every), every, [head, column])


@pl.pipeline.stage
def compute_qk(work, page, number, tick, q, q_rope, latent, rope, cur_q, cur_q_rope, l1, l0, acc, scores):
    """scores = q @ latent.T + q_rope @ rope.T, heads 0..31 to vector core 0 and 32..63 to vector core 1."""
    cur_acc = acc.next()
    cur_scores = scores.next()
    held = tick % PAGES_HELD
    if number == 0:
        pl.system.mutex_lock(pipe=pl.PipeType.MTE2, tile=cur_q)  # lock: load writes cur_q
        pl.load(cur_q, q, [work * HEADS, 0])
        pl.system.mutex_unlock(pipe=pl.PipeType.MTE2, tile=cur_q)  # unlock: after load
        pl.system.mutex_lock(pipe=pl.PipeType.MTE2, tile=cur_q_rope)  # lock: load writes cur_q_rope
        pl.load(cur_q_rope, q_rope, [work * HEADS, 0])
        pl.system.mutex_unlock(pipe=pl.PipeType.MTE2, tile=cur_q_rope)  # unlock: after load
    pl.system.mutex_lock(pipe=pl.PipeType.MTE2, tile=l1.latent[held])  # lock: load writes l1.latent[held]
    pl.load(l1.latent[held], latent, [page, 0, 0])
    pl.system.mutex_unlock(pipe=pl.PipeType.MTE2, tile=l1.latent[held])  # unlock: after load
    pl.system.mutex_lock(pipe=pl.PipeType.MTE2, tile=l1.rope[held])  # lock: load writes l1.rope[held]
    pl.load(l1.rope[held], rope, [page, 0, 0], order=[2, 1])
    pl.system.mutex_unlock(pipe=pl.PipeType.MTE2, tile=l1.rope[held])  # unlock: after load
    for part in range(PARTS):
        cur_left = l0.left.next()
        cur_right = l0.right.next()
        pl.system.mutex_lock(pipe=pl.PipeType.MTE1, tile=cur_left)  # lock: move writes cur_left
        pl.system.mutex_lock(pipe=pl.PipeType.MTE1, tile=cur_q)  # lock: move reads cur_q
        pl.move(cur_left, cur_q, offset=[0, part * PART])
        pl.system.mutex_unlock(pipe=pl.PipeType.MTE1, tile=cur_left)  # unlock: after move
        pl.system.mutex_unlock(pipe=pl.PipeType.MTE1, tile=cur_q)  # unlock: after move
        pl.system.mutex_lock(pipe=pl.PipeType.MTE1, tile=cur_right)  # lock: move writes cur_right
        pl.system.mutex_lock(pipe=pl.PipeType.MTE1, tile=l1.latent_t[held])  # lock: move reads l1.latent_t[held]
        pl.move(cur_right, l1.latent_t[held], offset=[part * PART, 0])
        pl.system.mutex_unlock(pipe=pl.PipeType.MTE1, tile=cur_right)  # unlock: after move
        pl.system.mutex_unlock(pipe=pl.PipeType.MTE1, tile=l1.latent_t[held])  # unlock: after move
        if part == 0:
            pl.system.mutex_lock(pipe=pl.PipeType.M, tile=cur_acc)  # lock: matmul writes cur_acc
            pl.system.mutex_lock(pipe=pl.PipeType.M, tile=cur_left)  # lock: matmul reads cur_left
            pl.system.mutex_lock(pipe=pl.PipeType.M, tile=cur_right)  # lock: matmul reads cur_right
            pl.matmul(cur_acc, cur_left, cur_right)
            pl.system.mutex_unlock(pipe=pl.PipeType.M, tile=cur_acc)  # unlock: after matmul
            pl.system.mutex_unlock(pipe=pl.PipeType.M, tile=cur_left)  # unlock: after matmul
            pl.system.mutex_unlock(pipe=pl.PipeType.M, tile=cur_right)  # unlock: after matmul
        else:
            pl.system.mutex_lock(pipe=pl.PipeType.M, tile=cur_acc)  # lock: matmul_acc reads and writes cur_acc
            pl.system.mutex_lock(pipe=pl.PipeType.M, tile=cur_left)  # lock: matmul_acc reads cur_left
            pl.system.mutex_lock(pipe=pl.PipeType.M, tile=cur_right)  # lock: matmul_acc reads cur_right
            pl.matmul_acc(cur_acc, cur_acc, cur_left, cur_right)
            pl.system.mutex_unlock(pipe=pl.PipeType.M, tile=cur_acc)  # unlock: after matmul_acc
            pl.system.mutex_unlock(pipe=pl.PipeType.M, tile=cur_left)  # unlock: after matmul_acc
            pl.system.mutex_unlock(pipe=pl.PipeType.M, tile=cur_right)  # unlock: after matmul_acc
    rope_left = l0.small_left.next()
    rope_right = l0.small_right.next()
    pl.system.mutex_lock(pipe=pl.PipeType.MTE1, tile=rope_left)  # lock: move writes rope_left
    pl.system.mutex_lock(pipe=pl.PipeType.MTE1, tile=cur_q_rope)  # lock: move reads cur_q_rope
    pl.move(rope_left, cur_q_rope)
    pl.system.mutex_unlock(pipe=pl.PipeType.MTE1, tile=rope_left)  # unlock: after move
    pl.system.mutex_unlock(pipe=pl.PipeType.MTE1, tile=cur_q_rope)  # unlock: after move
    pl.system.mutex_lock(pipe=pl.PipeType.MTE1, tile=rope_right)  # lock: move writes rope_right
    pl.system.mutex_lock(pipe=pl.PipeType.MTE1, tile=l1.rope[held])  # lock: move reads l1.rope[held]
    pl.move(rope_right, l1.rope[held])
    pl.system.mutex_unlock(pipe=pl.PipeType.MTE1, tile=rope_right)  # unlock: after move
    pl.system.mutex_unlock(pipe=pl.PipeType.MTE1, tile=l1.rope[held])  # unlock: after move
    pl.system.mutex_lock(pipe=pl.PipeType.M, tile=cur_acc)  # lock: matmul_acc reads and writes cur_acc
    pl.system.mutex_lock(pipe=pl.PipeType.M, tile=rope_left)  # lock: matmul_acc reads rope_left
    pl.system.mutex_lock(pipe=pl.PipeType.M, tile=rope_right)  # lock: matmul_acc reads rope_right
    pl.matmul_acc(cur_acc, cur_acc, rope_left, rope_right)
    pl.system.mutex_unlock(pipe=pl.PipeType.M, tile=cur_acc)  # unlock: after matmul_acc
    pl.system.mutex_unlock(pipe=pl.PipeType.M, tile=rope_left)  # unlock: after matmul_acc
    pl.system.mutex_unlock(pipe=pl.PipeType.M, tile=rope_right)  # unlock: after matmul_acc
    pl.system.mutex_lock(pipe=pl.PipeType.FIX, tile=cur_acc)  # lock: move reads cur_acc
    pl.move(cur_scores, cur_acc, acc_to_vec_mode=pl.AccToVecMode.DualModeSplitM)
    pl.system.mutex_unlock(pipe=pl.PipeType.FIX, tile=cur_acc)  # unlock: after move


@pl.pipeline.stage
def compute_p(number, tokens, tick, scale, scores, p_ub, p_nz, p_l1, maximum, total, correction, sums):
    """p, and the correction and the sum that compute_gu needs."""
    cur_scores = scores.next()
    cur_p = p_ub.next()
    cur_nz = p_nz.next()
    cur_l1 = p_l1.next()
    row_max = maximum.current()
    row_total = total.current()
    if number == 0:
        start(row_max, row_total)
    handed_on = tick % HANDED_ON
    pl.system.mutex_lock(pipe=pl.PipeType.V, tile=cur_p)  # lock: softmax_heads writes cur_p
    softmax_heads(cur_scores, cur_p, row_max, row_total, correction[handed_on], sums[handed_on], scale, tokens)
    pl.system.mutex_unlock(pipe=pl.PipeType.V, tile=cur_p)  # unlock: after softmax_heads
    pl.system.mutex_lock(pipe=pl.PipeType.MTE3, tile=cur_nz)  # lock: insert reads cur_nz
    pl.insert(cur_l1, cur_nz, [pl.get_subblock_idx() * HALF, 0])
    pl.system.mutex_unlock(pipe=pl.PipeType.MTE3, tile=cur_nz)  # unlock: after insert


@pl.pipeline.stage
def compute_pv(tick, p_l1, l1, l0, acc, pv):
    """pv = p @ latent, split over the vector cores as the scores were."""
    cur_p = p_l1.next()
    cur_pv = pv.next()
    left = l0.small_left.next()
    pl.system.mutex_lock(pipe=pl.PipeType.MTE1, tile=left)  # lock: move writes left
    pl.move(left, cur_p)
    pl.system.mutex_unlock(pipe=pl.PipeType.MTE1, tile=left)  # unlock: after move
    for part in range(PARTS):
        cur_right = l0.value.next()
        cur_acc = acc.next()
        pl.system.mutex_lock(pipe=pl.PipeType.MTE1, tile=cur_right)  # lock: move writes cur_right
        pl.system.mutex_lock(pipe=pl.PipeType.MTE1, tile=l1.latent[tick % PAGES_HELD])  # lock: move reads l1.latent[tick % PAGES_HELD]
        pl.move(cur_right, l1.latent[tick % PAGES_HELD], offset=[0, part * PART])
        pl.system.mutex_unlock(pipe=pl.PipeType.MTE1, tile=cur_right)  # unlock: after move
        pl.system.mutex_unlock(pipe=pl.PipeType.MTE1, tile=l1.latent[tick % PAGES_HELD])  # unlock: after move
        pl.system.mutex_lock(pipe=pl.PipeType.M, tile=cur_acc)  # lock: matmul writes cur_acc
        pl.system.mutex_lock(pipe=pl.PipeType.M, tile=left)  # lock: matmul reads left
        pl.system.mutex_lock(pipe=pl.PipeType.M, tile=cur_right)  # lock: matmul reads cur_right
        pl.matmul(cur_acc, left, cur_right)
        pl.system.mutex_unlock(pipe=pl.PipeType.M, tile=cur_acc)  # unlock: after matmul
        pl.system.mutex_unlock(pipe=pl.PipeType.M, tile=left)  # unlock: after matmul
        pl.system.mutex_unlock(pipe=pl.PipeType.M, tile=cur_right)  # unlock: after matmul
        pl.system.mutex_lock(pipe=pl.PipeType.FIX, tile=cur_acc)  # lock: move reads cur_acc
        pl.move(
            cur_pv[0:HALF, part * PART : (part + 1) * PART], cur_acc, acc_to_vec_mode=pl.AccToVecMode.DualModeSplitM
        )
        pl.system.mutex_unlock(pipe=pl.PipeType.FIX, tile=cur_acc)  # unlock: after move


@pl.pipeline.stage
def compute_gu(work, number, last, tick, pv, output, correction, sums, out):
    """output = output * correction + pv; after the last page, divide by the sum and store."""
    cur_pv = pv.next()
    cur_output = output.current()
    if number == 0:
        pl.system.mutex_lock(pipe=pl.PipeType.V, tile=cur_output)  # lock: move writes cur_output
        pl.move(cur_output, cur_pv)
        pl.system.mutex_unlock(pipe=pl.PipeType.V, tile=cur_output)  # unlock: after move
    else:
        pl.system.mutex_lock(pipe=pl.PipeType.V, tile=cur_output)  # lock: rescale reads and writes cur_output
        rescale(cur_output, cur_pv, correction[tick % HANDED_ON])
        pl.system.mutex_unlock(pipe=pl.PipeType.V, tile=cur_output)  # unlock: after rescale
    if number == last:
        pl.system.mutex_lock(pipe=pl.PipeType.V, tile=cur_output)  # lock: normalise reads and writes cur_output
        normalise(cur_output, sums[tick % HANDED_ON])
        pl.system.mutex_unlock(pipe=pl.PipeType.V, tile=cur_output)  # unlock: after normalise
        pl.system.mutex_lock(pipe=pl.PipeType.MTE3, tile=cur_output)  # lock: store reads cur_output
        pl.store(out, cur_output, [work * HEADS + pl.get_subblock_idx() * HALF, 0])
        pl.system.mutex_unlock(pipe=pl.PipeType.MTE3, tile=cur_output)  # unlock: after store


def in_memory(memory, shape, layout=None):
    """A type of FP16 tiles."""
    return pl.TileType(shape=shape, dtype=pl.DT_FP16, target_memory=memory, layout=layout)


@pl.jit(auto_mutex=False)
def mla_decode(
    q: pl.Tensor[[pl.DYNAMIC, LATENT], pl.DT_FP16],  # a row for each head of each sequence
    q_rope: pl.Tensor[[pl.DYNAMIC, ROPE], pl.DT_FP16],
    latent: pl.Tensor[[pl.DYNAMIC, PAGE, LATENT], pl.DT_FP16],  # the cache, in pages
    rope: pl.Tensor[[pl.DYNAMIC, PAGE, ROPE], pl.DT_FP16],
    pages: pl.Tensor[[pl.DYNAMIC, pl.DYNAMIC], pl.DT_INT32],  # which pages hold a sequence
    lengths: pl.Tensor[[pl.DYNAMIC], pl.DT_INT32],  # tokens of each sequence
    out: pl.Tensor[[pl.DYNAMIC, LATENT], pl.DT_FP32],
    scale: pl.DT_FP32,
):
    mat, left, right = pl.MemorySpace.Mat, pl.MemorySpace.Left, pl.MemorySpace.Right
    acc_type, vec = pl.MemorySpace.Acc, pl.MemorySpace.Vec
    single = pl.DT_FP32

    # A page, and the same bytes read as its transpose.
    l1 = pl.make_tuple(
        latent=pl.make_tile_group(type=in_memory(mat, [PAGE, LATENT]), addrs=CACHE_AT, mutex_ids=[0, 1, 2, 3]),
        latent_t=pl.make_tile_group(type=in_memory(mat, [LATENT, PAGE], pl.ZN), addrs=CACHE_AT, mutex_ids=[0, 1, 2, 3]),
        rope=pl.make_tile_group(
            type=in_memory(mat, [ROPE, PAGE], pl.ZN), addrs=CACHE_AT + PAGES_HELD * LATENT_SLOT, mutex_ids=[4, 5, 6, 7]
        ),
    )
    q_l1 = pl.make_tile_group(type=in_memory(mat, [HEADS, LATENT]), addrs=Q_AT, mutex_ids=[8])
    q_rope_l1 = pl.make_tile_group(type=in_memory(mat, [HEADS, ROPE]), addrs=Q_AT + LATENT_SLOT, mutex_ids=[9])
    p_l1 = pl.make_tile_group(
        type=in_memory(mat, [HEADS, PAGE]), addrs=P_L1_AT, mutex_ids=[10, 11, 12], fwd_ids=[4, 5, 6], bwd_ids=[4, 5, 6]
    )
    l0 = pl.make_tuple(
        left=pl.make_tile_group(type=in_memory(left, [HEADS, PART]), addrs=0, mutex_ids=[13, 14]),
        small_left=pl.make_tile_group(type=in_memory(left, [HEADS, PAGE]), addrs=0x8000, mutex_ids=[15, 16]),
        right=pl.make_tile_group(type=in_memory(right, [PART, PAGE]), addrs=0, mutex_ids=[17, 18]),
        value=pl.make_tile_group(type=in_memory(right, [PAGE, PART]), addrs=0, mutex_ids=[17, 18]),
        small_right=pl.make_tile_group(type=in_memory(right, [ROPE, PAGE]), addrs=0x8000, mutex_ids=[19]),
    )
    scores_acc = pl.make_tile_group(
        type=pl.TileType(shape=[HEADS, PAGE], dtype=single, target_memory=acc_type), addrs=0, mutex_ids=[20, 21]
    )
    pv_acc = pl.make_tile_group(
        type=pl.TileType(shape=[HEADS, PART], dtype=single, target_memory=acc_type), addrs=0x10000, mutex_ids=[22, 23]
    )

    scores = pl.make_tile_group(
        type=pl.TileType(shape=[HALF, PAGE], dtype=single, target_memory=vec),
        addrs=SCORES_AT, mutex_ids=[0, 1], fwd_ids=[0, 1], bwd_ids=[0, 1],
    )  # fmt: skip
    block = pl.TileType(shape=[HALF, LATENT], dtype=single, target_memory=vec)
    pv = pl.make_tile_group(type=block, addrs=PV_AT, mutex_ids=[2, 3], fwd_ids=[2, 3], bwd_ids=[2, 3])
    output = pl.make_tile_group(type=block, addrs=OUTPUT_AT, mutex_ids=[4])
    p_ub = pl.make_tile_group(type=in_memory(vec, [P_ROWS, PAGE]), addrs=P_AT, mutex_ids=[5])
    p_nz = pl.make_tile_group(
        type=pl.TileType(
            shape=[P_ROWS, PAGE], dtype=pl.DT_FP16, target_memory=vec, valid_shape=[HALF, PAGE], layout=pl.NZ
        ),
        addrs=P_AT, mutex_ids=[5],
    )  # fmt: skip
    stat = pl.TileType(shape=[1, HALF], dtype=single, target_memory=vec)
    maximum = pl.make_tile_group(type=stat, addrs=STATS_AT, mutex_ids=[6])
    total = pl.make_tile_group(type=stat, addrs=STATS_AT + STAT, mutex_ids=[7])
    correction = pl.make_tile_group(type=stat, addrs=STATS_AT + 2 * STAT, mutex_ids=[8, 9, 10, 11])
    sums = pl.make_tile_group(type=stat, addrs=STATS_AT + (2 + HANDED_ON) * STAT, mutex_ids=[12, 13, 14, 15])

    core = pl.get_block_idx()
    with pl.section_vector():
        core = core // 2
    tasks = q.shape[0] // HEADS
    groups = tasks // lengths.shape[0]  # of heads
    tick = 0
    _pl_ring = pl.struct_array(3, "_PlTask", work=0, number=0, last=0)  # what travels with a task
    _pl_task = 0  # number of the next task
    with pl.section_vector():
        pl.system.set_cross_core(pipe=pl.PipeType.V, event_id=0)  # bwd: scores slot 0 is free
        pl.system.set_cross_core(pipe=pl.PipeType.V, event_id=1)  # bwd: scores slot 1 is free
        pl.system.set_cross_core(pipe=pl.PipeType.V, event_id=2)  # bwd: pv slot 0 is free
        pl.system.set_cross_core(pipe=pl.PipeType.V, event_id=3)  # bwd: pv slot 1 is free
    for work in pl.range(core, tasks, pl.get_block_num()):
        sequence = work // groups
        length = lengths[sequence]
        cur_q = q_l1.next()
        cur_q_rope = q_rope_l1.next()
        last = (length - 1) // PAGE
        for number in pl.range(0, last + 1):
            page = pages[sequence, number]
            tokens = length - number * PAGE
            with pl.section_cube():
                _pl_mod2 = _pl_task % 2  # the task's number modulo 2
                pl.system.wait_cross_core(pipe=pl.PipeType.FIX, event_id=_pl_mod2)  # bwd: scores free, compute_p -> compute_qk
                compute_qk(
                    work, page, number, tick, q, q_rope, latent, rope, cur_q, cur_q_rope, l1, l0, scores_acc, scores
                )
                pl.system.set_cross_core(pipe=pl.PipeType.FIX, event_id=_pl_mod2)  # fwd: scores ready, compute_qk -> compute_p
            with pl.section_vector():
                _pl_mod2 = _pl_task % 2  # the task's number modulo 2
                _pl_mod3 = _pl_task % 3  # the task's number modulo 3
                _pl_ring[_pl_mod3].work = work  # for the delayed stages
                _pl_ring[_pl_mod3].number = number  # for the delayed stages
                _pl_ring[_pl_mod3].last = last  # for the delayed stages
                pl.system.wait_cross_core(pipe=pl.PipeType.V, event_id=_pl_mod2)  # fwd: scores ready, compute_qk -> compute_p
                compute_p(number, tokens, tick, scale, scores, p_ub, p_nz, p_l1, maximum, total, correction, sums)
                pl.system.set_cross_core(pipe=pl.PipeType.V, event_id=_pl_mod2)  # bwd: scores free, compute_p -> compute_qk
                pl.system.set_cross_core(pipe=pl.PipeType.MTE3, event_id=4 + _pl_mod3)  # fwd: p_l1 ready, compute_p -> compute_pv
            with pl.section_cube():
                if _pl_task >= 2:  # compute_pv runs task _pl_task - 2
                    _pl_mod2 = _pl_task % 2  # the task's number modulo 2
                    pl.system.wait_cross_core(pipe=pl.PipeType.MTE1, event_id=4 + (_pl_task + 1) % 3)  # fwd: p_l1 ready, compute_p -> compute_pv
                    pl.system.wait_cross_core(pipe=pl.PipeType.FIX, event_id=2 + _pl_mod2)  # bwd: pv free, compute_gu -> compute_pv
                    compute_pv(_pl_task - 2, p_l1, l1, l0, pv_acc, pv)
                    pl.system.set_cross_core(pipe=pl.PipeType.FIX, event_id=2 + _pl_mod2)  # fwd: pv ready, compute_pv -> compute_gu
            with pl.section_vector():
                if _pl_task >= 2:  # compute_gu runs task _pl_task - 2
                    _pl_mod2 = _pl_task % 2  # the task's number modulo 2
                    _pl_mod3 = (_pl_task + 1) % 3  # the task's number modulo 3
                    pl.system.wait_cross_core(pipe=pl.PipeType.V, event_id=2 + _pl_mod2)  # fwd: pv ready, compute_pv -> compute_gu
                    compute_gu(_pl_ring[_pl_mod3].work, _pl_ring[_pl_mod3].number, _pl_ring[_pl_mod3].last, _pl_task - 2, pv, output, correction, sums, out)
                    pl.system.set_cross_core(pipe=pl.PipeType.V, event_id=2 + _pl_mod2)  # bwd: pv free, compute_gu -> compute_pv
            _pl_task = _pl_task + 1  # the next task's number
            tick = tick + 1
    for _pl_drain in pl.range(0, 2):  # finish the delayed stages
        _pl_beat = _pl_task + _pl_drain  # as if tasks went on
        with pl.section_cube():
            if _pl_beat >= 2:  # compute_pv runs task _pl_beat - 2
                _pl_mod2 = _pl_beat % 2  # the task's number modulo 2
                pl.system.wait_cross_core(pipe=pl.PipeType.MTE1, event_id=4 + (_pl_beat + 1) % 3)  # fwd: p_l1 ready, compute_p -> compute_pv
                pl.system.wait_cross_core(pipe=pl.PipeType.FIX, event_id=2 + _pl_mod2)  # bwd: pv free, compute_gu -> compute_pv
                compute_pv(_pl_beat - 2, p_l1, l1, l0, pv_acc, pv)
                pl.system.set_cross_core(pipe=pl.PipeType.FIX, event_id=2 + _pl_mod2)  # fwd: pv ready, compute_pv -> compute_gu
        with pl.section_vector():
            if _pl_beat >= 2:  # compute_gu runs task _pl_beat - 2
                _pl_mod2 = _pl_beat % 2  # the task's number modulo 2
                _pl_mod3 = (_pl_beat + 1) % 3  # the task's number modulo 3
                pl.system.wait_cross_core(pipe=pl.PipeType.V, event_id=2 + _pl_mod2)  # fwd: pv ready, compute_pv -> compute_gu
                compute_gu(_pl_ring[_pl_mod3].work, _pl_ring[_pl_mod3].number, _pl_ring[_pl_mod3].last, _pl_beat - 2, pv, output, correction, sums, out)
                pl.system.set_cross_core(pipe=pl.PipeType.V, event_id=2 + _pl_mod2)  # bwd: pv free, compute_gu -> compute_pv
    with pl.section_cube():
        pl.system.wait_cross_core(pipe=pl.PipeType.FIX, event_id=0)  # bwd: scores slot 0 has been given back
        pl.system.wait_cross_core(pipe=pl.PipeType.FIX, event_id=1)  # bwd: scores slot 1 has been given back
        pl.system.wait_cross_core(pipe=pl.PipeType.FIX, event_id=2)  # bwd: pv slot 0 has been given back
        pl.system.wait_cross_core(pipe=pl.PipeType.FIX, event_id=3)  # bwd: pv slot 1 has been given back


def reference(q_nope, q_rope, w_uk, latent, rope, scale):
    """The same for one sequence, as the model is written: each head has keys of its own, w_uk @ latent."""
    keys = np.einsum("hdl,tl->htd", w_uk, latent)
    scores = scale * (np.einsum("hd,htd->ht", q_nope, keys) + q_rope @ rope.T)
    p = np.exp(scores - scores.max(axis=1, keepdims=True))
    return p / p.sum(axis=1, keepdims=True) @ latent


def main(sequences: int = 3, heads: int = 128, longest: int = 330, cores: int = 2) -> None:
    if heads % HEADS:
        sys.exit(f"heads must be a multiple of {HEADS}")
    rng = np.random.default_rng(0)
    lengths = np.maximum(longest - 70 * np.arange(sequences), 1).astype(np.int32)
    most = -(-longest // PAGE)
    pages = rng.permutation(sequences * most).reshape(sequences, most).astype(np.int32)
    latent = rng.standard_normal((sequences * most, PAGE, LATENT)).astype(np.float16)
    rope = rng.standard_normal((sequences * most, PAGE, ROPE)).astype(np.float16)
    q_nope = rng.standard_normal((sequences, heads, NOPE))
    q_rope = rng.standard_normal((sequences, heads, ROPE)).astype(np.float16)
    w_uk = rng.standard_normal((heads, NOPE, LATENT)) / LATENT**0.5
    scale = (NOPE + ROPE) ** -0.5

    absorbed = np.einsum("shd,hdl->shl", q_nope, w_uk).astype(np.float16)
    out = np.empty((sequences * heads, LATENT), np.float32)
    mla_decode[None, cores](
        absorbed.reshape(-1, LATENT), q_rope.reshape(-1, ROPE), latent, rope, pages, lengths, out, scale
    )
    expected = [
        reference(
            q_nope[s], q_rope[s].astype(np.float64), w_uk,
            latent[pages[s]].reshape(-1, LATENT)[:length].astype(np.float64),
            rope[pages[s]].reshape(-1, ROPE)[:length].astype(np.float64), scale,
        )
        for s, length in enumerate(lengths)
    ]  # fmt: skip
    compare("mla_decode", out, np.concatenate(expected), 5e-3)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
