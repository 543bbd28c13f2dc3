"""out = relu(x @ w) @ v: two matrix products with a vector step between, as a pipeline of four stages.

    ptopro run samples/relu_chain.py [rows] [cores]
    ptopro run --preload=0 samples/relu_chain.py      the serial order, with flags

    multiply   cube    product = x @ w, 128 rows at a time, into the vector cores' buffers, 64 rows each
    activate   vector  relu, to FP16, into L1
    project    cube    result = relu(...) @ v
    finish     vector  out = result

Each core has two stages.  With preload=2 the cube core multiplies two blocks ahead of the one it projects, and while it
does, the vector cores activate and store.  w and v stay in L1 for the whole kernel.
"""

import sys

import numpy as np

import ptopro.language as pl
from reporting import compare

TILE = 128  # rows of a block, and all other sizes
HALF = TILE // 2  # rows of a block on one vector core
MAT = TILE * TILE * 2  # bytes of a block in FP16
VEC = HALF * TILE * 4  # bytes of half a block in FP32


@pl.pipeline.stage
def multiply(i, x, x_l1, w_tile, left, right, acc, product):
    """product = x[i] @ w"""
    cur_x = x_l1.next()
    cur_left = left.next()
    cur_right = right.next()
    cur_acc = acc.next()
    cur_product = product.next()
    pl.system.mutex_lock(pipe=pl.PipeType.MTE2, tile=cur_x)  # lock: load_tile writes cur_x
    pl.load_tile(cur_x, x, [i, 0])
    pl.system.mutex_unlock(pipe=pl.PipeType.MTE2, tile=cur_x)  # unlock: after load_tile
    pl.system.mutex_lock(pipe=pl.PipeType.MTE1, tile=cur_left)  # lock: move writes cur_left
    pl.system.mutex_lock(pipe=pl.PipeType.MTE1, tile=cur_x)  # lock: move reads cur_x
    pl.move(cur_left, cur_x)
    pl.system.mutex_unlock(pipe=pl.PipeType.MTE1, tile=cur_left)  # unlock: after move
    pl.system.mutex_unlock(pipe=pl.PipeType.MTE1, tile=cur_x)  # unlock: after move
    pl.system.mutex_lock(pipe=pl.PipeType.MTE1, tile=cur_right)  # lock: move writes cur_right
    pl.system.mutex_lock(pipe=pl.PipeType.MTE1, tile=w_tile)  # lock: move reads w_tile
    pl.move(cur_right, w_tile)
    pl.system.mutex_unlock(pipe=pl.PipeType.MTE1, tile=cur_right)  # unlock: after move
    pl.system.mutex_unlock(pipe=pl.PipeType.MTE1, tile=w_tile)  # unlock: after move
    pl.system.mutex_lock(pipe=pl.PipeType.M, tile=cur_acc)  # lock: matmul writes cur_acc
    pl.system.mutex_lock(pipe=pl.PipeType.M, tile=cur_left)  # lock: matmul reads cur_left
    pl.system.mutex_lock(pipe=pl.PipeType.M, tile=cur_right)  # lock: matmul reads cur_right
    pl.matmul(cur_acc, cur_left, cur_right)
    pl.system.mutex_unlock(pipe=pl.PipeType.M, tile=cur_acc)  # unlock: after matmul
    pl.system.mutex_unlock(pipe=pl.PipeType.M, tile=cur_left)  # unlock: after matmul
    pl.system.mutex_unlock(pipe=pl.PipeType.M, tile=cur_right)  # unlock: after matmul
    pl.system.mutex_lock(pipe=pl.PipeType.FIX, tile=cur_acc)  # lock: move reads cur_acc
    pl.move(cur_product, cur_acc, acc_to_vec_mode=pl.AccToVecMode.DualModeSplitM)
    pl.system.mutex_unlock(pipe=pl.PipeType.FIX, tile=cur_acc)  # unlock: after move


@pl.pipeline.stage
def activate(product, half, half_nz, hidden):
    """hidden = relu(product)"""
    cur_product = product.next()
    cur_hidden = hidden.next()
    cur_half = half.current()
    cur_nz = half_nz.current()
    pl.relu(cur_product, cur_product)
    pl.cast(cur_half, cur_product, mode=pl.RoundMode.CAST_RINT)
    pl.system.mutex_lock(pipe=pl.PipeType.V, tile=cur_nz)  # lock: move writes cur_nz
    pl.move(cur_nz, cur_half)
    pl.system.mutex_unlock(pipe=pl.PipeType.V, tile=cur_nz)  # unlock: after move
    pl.system.mutex_lock(pipe=pl.PipeType.MTE3, tile=cur_nz)  # lock: insert reads cur_nz
    pl.insert(cur_hidden, cur_nz, [pl.get_subblock_idx() * HALF, 0])
    pl.system.mutex_unlock(pipe=pl.PipeType.MTE3, tile=cur_nz)  # unlock: after insert


@pl.pipeline.stage
def project(hidden, v_tile, left, right, acc, result):
    """result = hidden @ v"""
    cur_hidden = hidden.next()
    cur_left = left.next()
    cur_right = right.next()
    cur_acc = acc.next()
    cur_result = result.next()
    pl.system.mutex_lock(pipe=pl.PipeType.MTE1, tile=cur_left)  # lock: move writes cur_left
    pl.move(cur_left, cur_hidden)
    pl.system.mutex_unlock(pipe=pl.PipeType.MTE1, tile=cur_left)  # unlock: after move
    pl.system.mutex_lock(pipe=pl.PipeType.MTE1, tile=cur_right)  # lock: move writes cur_right
    pl.system.mutex_lock(pipe=pl.PipeType.MTE1, tile=v_tile)  # lock: move reads v_tile
    pl.move(cur_right, v_tile)
    pl.system.mutex_unlock(pipe=pl.PipeType.MTE1, tile=cur_right)  # unlock: after move
    pl.system.mutex_unlock(pipe=pl.PipeType.MTE1, tile=v_tile)  # unlock: after move
    pl.system.mutex_lock(pipe=pl.PipeType.M, tile=cur_acc)  # lock: matmul writes cur_acc
    pl.system.mutex_lock(pipe=pl.PipeType.M, tile=cur_left)  # lock: matmul reads cur_left
    pl.system.mutex_lock(pipe=pl.PipeType.M, tile=cur_right)  # lock: matmul reads cur_right
    pl.matmul(cur_acc, cur_left, cur_right)
    pl.system.mutex_unlock(pipe=pl.PipeType.M, tile=cur_acc)  # unlock: after matmul
    pl.system.mutex_unlock(pipe=pl.PipeType.M, tile=cur_left)  # unlock: after matmul
    pl.system.mutex_unlock(pipe=pl.PipeType.M, tile=cur_right)  # unlock: after matmul
    pl.system.mutex_lock(pipe=pl.PipeType.FIX, tile=cur_acc)  # lock: move reads cur_acc
    pl.move(cur_result, cur_acc, acc_to_vec_mode=pl.AccToVecMode.DualModeSplitM)
    pl.system.mutex_unlock(pipe=pl.PipeType.FIX, tile=cur_acc)  # unlock: after move


@pl.pipeline.stage
def finish(i, result, out):
    """out[i] = result"""
    cur_result = result.next()
    pl.store(out, cur_result, [i * TILE + pl.get_subblock_idx() * HALF, 0])


@pl.jit(auto_mutex=False)
def relu_chain(
    x: pl.Tensor[[pl.DYNAMIC, TILE], pl.DT_FP16],
    w: pl.Tensor[[TILE, TILE], pl.DT_FP16],
    v: pl.Tensor[[TILE, TILE], pl.DT_FP16],
    out: pl.Tensor[[pl.DYNAMIC, TILE], pl.DT_FP32],
):
    mat = pl.TileType(shape=[TILE, TILE], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Mat)
    left_type = pl.TileType(shape=[TILE, TILE], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Left)
    right_type = pl.TileType(shape=[TILE, TILE], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Right)
    acc_type = pl.TileType(shape=[TILE, TILE], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Acc)
    block = pl.TileType(shape=[HALF, TILE], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Vec)
    block_half = pl.TileType(shape=[HALF, TILE], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Vec)
    block_nz = pl.TileType(shape=[HALF, TILE], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Vec, layout=pl.NZ)

    w_l1 = pl.make_tile_group(type=mat, addrs=0, mutex_ids=[0])
    v_l1 = pl.make_tile_group(type=mat, addrs=MAT, mutex_ids=[1])
    x_l1 = pl.make_tile_group(type=mat, addrs=2 * MAT, mutex_ids=[2, 3])
    hidden = pl.make_tile_group(type=mat, addrs=4 * MAT, mutex_ids=[4, 5, 6], fwd_ids=[4, 5, 6], bwd_ids=[4, 5, 6])
    left = pl.make_tile_group(type=left_type, addrs=0, mutex_ids=[7, 8])
    right = pl.make_tile_group(type=right_type, addrs=0, mutex_ids=[9, 10])
    acc = pl.make_tile_group(type=acc_type, addrs=0, mutex_ids=[11, 12])

    product = pl.make_tile_group(type=block, addrs=0, mutex_ids=[0, 1], fwd_ids=[0, 1], bwd_ids=[0, 1])
    result = pl.make_tile_group(type=block, addrs=2 * VEC, mutex_ids=[2, 3], fwd_ids=[2, 3], bwd_ids=[2, 3])
    half = pl.make_tile_group(type=block_half, addrs=4 * VEC, mutex_ids=[4])
    half_nz = pl.make_tile_group(type=block_nz, addrs=4 * VEC + VEC // 2, mutex_ids=[5])

    w_tile = w_l1.current()
    v_tile = v_l1.current()
    core = pl.get_block_idx()
    with pl.section_cube():
        pl.system.mutex_lock(pipe=pl.PipeType.MTE2, tile=w_tile)  # lock: load writes w_tile
        pl.load(w_tile, w, [0, 0])
        pl.system.mutex_unlock(pipe=pl.PipeType.MTE2, tile=w_tile)  # unlock: after load
        pl.system.mutex_lock(pipe=pl.PipeType.MTE2, tile=v_tile)  # lock: load writes v_tile
        pl.load(v_tile, v, [0, 0])
        pl.system.mutex_unlock(pipe=pl.PipeType.MTE2, tile=v_tile)  # unlock: after load
    with pl.section_vector():
        core = core // 2
    _pl_ring = pl.struct_array(3, "_PlTask", i=0)  # what travels with a task
    _pl_task = 0  # number of the next task
    with pl.section_vector():
        pl.system.set_cross_core(pipe=pl.PipeType.V, event_id=0)  # bwd: product slot 0 is free
        pl.system.set_cross_core(pipe=pl.PipeType.V, event_id=1)  # bwd: product slot 1 is free
        pl.system.set_cross_core(pipe=pl.PipeType.MTE3, event_id=2)  # bwd: result slot 0 is free
        pl.system.set_cross_core(pipe=pl.PipeType.MTE3, event_id=3)  # bwd: result slot 1 is free
    for i in pl.range(core, x.shape[0] // TILE, pl.get_block_num()):
        with pl.section_cube():
            _pl_mod2 = _pl_task % 2  # the task's number modulo 2
            pl.system.wait_cross_core(pipe=pl.PipeType.FIX, event_id=_pl_mod2)  # bwd: product free, activate -> multiply
            multiply(i, x, x_l1, w_tile, left, right, acc, product)
            pl.system.set_cross_core(pipe=pl.PipeType.FIX, event_id=_pl_mod2)  # fwd: product ready, multiply -> activate
        with pl.section_vector():
            _pl_mod2 = _pl_task % 2  # the task's number modulo 2
            _pl_mod3 = _pl_task % 3  # the task's number modulo 3
            _pl_ring[_pl_mod3].i = i  # for the delayed stages
            pl.system.wait_cross_core(pipe=pl.PipeType.V, event_id=_pl_mod2)  # fwd: product ready, multiply -> activate
            activate(product, half, half_nz, hidden)
            pl.system.set_cross_core(pipe=pl.PipeType.V, event_id=_pl_mod2)  # bwd: product free, activate -> multiply
            pl.system.set_cross_core(pipe=pl.PipeType.MTE3, event_id=4 + _pl_mod3)  # fwd: hidden ready, activate -> project
        with pl.section_cube():
            if _pl_task >= 2:  # project runs task _pl_task - 2
                _pl_mod2 = _pl_task % 2  # the task's number modulo 2
                pl.system.wait_cross_core(pipe=pl.PipeType.MTE1, event_id=4 + (_pl_task + 1) % 3)  # fwd: hidden ready, activate -> project
                pl.system.wait_cross_core(pipe=pl.PipeType.FIX, event_id=2 + _pl_mod2)  # bwd: result free, finish -> project
                project(hidden, v_tile, left, right, acc, result)
                pl.system.set_cross_core(pipe=pl.PipeType.FIX, event_id=2 + _pl_mod2)  # fwd: result ready, project -> finish
        with pl.section_vector():
            if _pl_task >= 2:  # finish runs task _pl_task - 2
                _pl_mod2 = _pl_task % 2  # the task's number modulo 2
                pl.system.wait_cross_core(pipe=pl.PipeType.MTE3, event_id=2 + _pl_mod2)  # fwd: result ready, project -> finish
                finish(_pl_ring[(_pl_task + 1) % 3].i, result, out)
                pl.system.set_cross_core(pipe=pl.PipeType.MTE3, event_id=2 + _pl_mod2)  # bwd: result free, finish -> project
        _pl_task = _pl_task + 1  # the next task's number
    for _pl_drain in pl.range(0, 2):  # finish the delayed stages
        _pl_beat = _pl_task + _pl_drain  # as if tasks went on
        with pl.section_cube():
            if _pl_beat >= 2:  # project runs task _pl_beat - 2
                _pl_mod2 = _pl_beat % 2  # the task's number modulo 2
                pl.system.wait_cross_core(pipe=pl.PipeType.MTE1, event_id=4 + (_pl_beat + 1) % 3)  # fwd: hidden ready, activate -> project
                pl.system.wait_cross_core(pipe=pl.PipeType.FIX, event_id=2 + _pl_mod2)  # bwd: result free, finish -> project
                project(hidden, v_tile, left, right, acc, result)
                pl.system.set_cross_core(pipe=pl.PipeType.FIX, event_id=2 + _pl_mod2)  # fwd: result ready, project -> finish
        with pl.section_vector():
            if _pl_beat >= 2:  # finish runs task _pl_beat - 2
                _pl_mod2 = _pl_beat % 2  # the task's number modulo 2
                pl.system.wait_cross_core(pipe=pl.PipeType.MTE3, event_id=2 + _pl_mod2)  # fwd: result ready, project -> finish
                finish(_pl_ring[(_pl_beat + 1) % 3].i, result, out)
                pl.system.set_cross_core(pipe=pl.PipeType.MTE3, event_id=2 + _pl_mod2)  # bwd: result free, finish -> project
    with pl.section_cube():
        pl.system.wait_cross_core(pipe=pl.PipeType.FIX, event_id=0)  # bwd: product slot 0 has been given back
        pl.system.wait_cross_core(pipe=pl.PipeType.FIX, event_id=1)  # bwd: product slot 1 has been given back
        pl.system.wait_cross_core(pipe=pl.PipeType.FIX, event_id=2)  # bwd: result slot 0 has been given back
        pl.system.wait_cross_core(pipe=pl.PipeType.FIX, event_id=3)  # bwd: result slot 1 has been given back


def main(rows: int = 768, cores: int = 2) -> None:
    if rows % TILE:
        sys.exit(f"rows must be a multiple of {TILE}")
    rng = np.random.default_rng(0)
    x = rng.standard_normal((rows, TILE)).astype(np.float16)
    w = (rng.standard_normal((TILE, TILE)) / 8).astype(np.float16)
    v = (rng.standard_normal((TILE, TILE)) / 8).astype(np.float16)
    out = np.empty((rows, TILE), np.float32)
    relu_chain[None, cores](x, w, v, out)
    hidden = np.maximum(x.astype(np.float64) @ w.astype(np.float64), 0).astype(np.float16)
    compare("relu_chain", out, hidden.astype(np.float64) @ v.astype(np.float64), 5e-3)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
