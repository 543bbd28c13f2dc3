"""Kernels with hand-written synchronisation, each with a fault that its parameter `wrong` switches on.

Every fault has to give the finding that test_checks_python.py lists; with wrong = 0 every kernel is in order.
"""

import ptopro.language as pl

MTE2, V, MTE3, S = pl.PipeType.MTE2, pl.PipeType.V, pl.PipeType.MTE3, pl.PipeType.S
MTE1, M, FIX = pl.PipeType.MTE1, pl.PipeType.M, pl.PipeType.FIX
ROWS, COLS = 32, 64
BYTES = ROWS * COLS * 4
Rows = pl.Tensor[[pl.DYNAMIC, COLS], pl.DT_FP32]
Square = pl.Tensor[[64, 64], pl.DT_FP16]
SquareF = pl.Tensor[[64, 64], pl.DT_FP32]


@pl.jit(auto_mutex=False)
def double_buffer(x: Rows, y: Rows, wrong: pl.DT_INT32):
    """The buffer is loaded again before the store has read it."""
    tile = pl.TileType(shape=[ROWS, COLS], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Vec)
    buffer = pl.make_tile_group(type=tile, addrs=0, depth=2)
    with pl.section_vector():
        if wrong == 0:
            pl.system.sync_src(set_pipe=MTE3, wait_pipe=MTE2, event_id=0)
            pl.system.sync_src(set_pipe=MTE3, wait_pipe=MTE2, event_id=1)
        for i in pl.range(0, x.shape[0] // ROWS):
            slot = buffer[i % 2]
            if wrong == 0:
                pl.system.sync_dst(set_pipe=MTE3, wait_pipe=MTE2, event_id=i % 2)
            pl.load(slot, x, [i * ROWS, 0])  # reload
            pl.system.sync_src(set_pipe=MTE2, wait_pipe=V, event_id=i % 2)
            pl.system.sync_dst(set_pipe=MTE2, wait_pipe=V, event_id=i % 2)
            pl.muls(slot, slot, 2.0)
            pl.system.sync_src(set_pipe=V, wait_pipe=MTE3, event_id=i % 2)
            pl.system.sync_dst(set_pipe=V, wait_pipe=MTE3, event_id=i % 2)
            pl.store(y, slot, [i * ROWS, 0])
            if wrong == 0:
                pl.system.sync_src(set_pipe=MTE3, wait_pipe=MTE2, event_id=i % 2)
        if wrong == 0:
            pl.system.sync_dst(set_pipe=MTE3, wait_pipe=MTE2, event_id=0)
            pl.system.sync_dst(set_pipe=MTE3, wait_pipe=MTE2, event_id=1)


@pl.jit(auto_mutex=False)
def flags(x: Rows, y: Rows, wrong: pl.DT_INT32):
    """1: set twice, 2: left set, 3: one id for two channels, so the second wait takes the set of the first."""
    tile = pl.TileType(shape=[ROWS, COLS], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Vec)
    a = pl.make_tile(tile, addr=0)
    b = pl.make_tile(tile, addr=BYTES)
    with pl.section_vector():
        pl.load(a, x, [0, 0])
        pl.system.sync_src(set_pipe=MTE2, wait_pipe=V, event_id=0)
        pl.load(b, x, [ROWS, 0])
        if wrong == 3:
            pl.system.sync_src(set_pipe=MTE2, wait_pipe=V, event_id=0)
            pl.system.sync_dst(set_pipe=MTE2, wait_pipe=V, event_id=0)
            pl.muls(b, b, 2.0)  # meant for b, took the set of a
            pl.system.sync_dst(set_pipe=MTE2, wait_pipe=V, event_id=0)
            pl.muls(a, a, 2.0)
        else:
            pl.system.sync_src(set_pipe=MTE2, wait_pipe=V, event_id=1)
            if wrong == 1:
                pl.system.sync_src(set_pipe=MTE2, wait_pipe=V, event_id=1)  # twice
            pl.system.sync_dst(set_pipe=MTE2, wait_pipe=V, event_id=1)
            pl.muls(b, b, 2.0)
            pl.system.sync_dst(set_pipe=MTE2, wait_pipe=V, event_id=0)
            pl.muls(a, a, 2.0)
        if wrong == 2:
            pl.system.sync_src(set_pipe=V, wait_pipe=MTE2, event_id=4)  # nobody waits
        pl.system.sync_src(set_pipe=V, wait_pipe=MTE3, event_id=0)
        pl.system.sync_dst(set_pipe=V, wait_pipe=MTE3, event_id=0)
        pl.store(y, a, [0, 0])
        pl.store(y, b, [ROWS, 0])


@pl.jit(auto_mutex=False)
def views(x: Rows, y: Rows, wrong: pl.DT_INT32):
    """Two groups over one buffer, with one lock id or with two."""
    tile = pl.TileType(shape=[ROWS, COLS], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Vec)
    a = pl.make_tile(tile, addr=0)
    c = pl.make_tile(tile, addr=0)
    with pl.section_vector():
        pl.system.mutex_lock(pipe=MTE2, mutex_id=1)
        pl.load(a, x, [0, 0])
        pl.system.mutex_unlock(pipe=MTE2, mutex_id=1)
        if wrong == 0:
            pl.system.mutex_lock(pipe=V, mutex_id=1)
        else:
            pl.system.mutex_lock(pipe=V, mutex_id=2)
        pl.muls(c, c, 2.0)  # the other view
        if wrong == 0:
            pl.system.mutex_unlock(pipe=V, mutex_id=1)
        else:
            pl.system.mutex_unlock(pipe=V, mutex_id=2)
        pl.system.sync_src(set_pipe=V, wait_pipe=MTE3, event_id=0)
        pl.system.sync_dst(set_pipe=V, wait_pipe=MTE3, event_id=0)
        pl.store(y, c, [0, 0])


@pl.jit(auto_mutex=False)
def transfers(x: Rows, y: Rows, wrong: pl.DT_INT32):
    """Two loads into one tile: only a barrier orders transfers of one pipe."""
    tile = pl.TileType(shape=[ROWS, COLS], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Vec)
    a = pl.make_tile(tile, addr=0)
    with pl.section_vector():
        pl.load(a, x, [0, 0])
        if wrong == 0:
            pl.system.bar_mte2()
        pl.load(a, x, [ROWS, 0])  # again
        pl.system.sync_src(set_pipe=MTE2, wait_pipe=MTE3, event_id=0)
        pl.system.sync_dst(set_pipe=MTE2, wait_pipe=MTE3, event_id=0)
        pl.store(y, a, [0, 0])


@pl.jit(auto_mutex=False)
def element(x: Rows, y: Rows, wrong: pl.DT_INT32):
    """1: the scalar unit reads an element before V has written it; 2: an element that nothing has written."""
    tile = pl.TileType(shape=[ROWS, COLS], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Vec)
    a = pl.make_tile(tile, addr=0)
    with pl.section_vector():
        pl.load(a, x, [0, 0])
        pl.system.sync_src(set_pipe=MTE2, wait_pipe=V, event_id=0)
        pl.system.sync_dst(set_pipe=MTE2, wait_pipe=V, event_id=0)
        pl.muls(a, a, 2.0)
        if wrong != 1:
            pl.system.sync_src(set_pipe=V, wait_pipe=S, event_id=0)
            pl.system.sync_dst(set_pipe=V, wait_pipe=S, event_id=0)
        at = 3
        if wrong == 2:
            at = ROWS * COLS
        value = pl.getval(a, at)  # one element
        pl.system.sync_src(set_pipe=V, wait_pipe=MTE3, event_id=0)
        pl.system.sync_dst(set_pipe=V, wait_pipe=MTE3, event_id=0)
        if value > -1.0e30:
            pl.store(y, a, [0, 0])


@pl.jit(auto_mutex=False)
def tail(x: Rows, y: Rows, wrong: pl.DT_INT32):
    """Rows beyond those that were loaded enter arithmetic."""
    tile = pl.TileType(shape=[ROWS, COLS], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Vec, valid_shape=[-1, -1])
    a = pl.make_tile(tile, addr=0)
    with pl.section_vector():
        rows = 20
        pl.set_validshape(a, [rows, COLS])
        pl.load(a, x, [0, 0])
        pl.system.sync_src(set_pipe=MTE2, wait_pipe=V, event_id=0)
        pl.system.sync_dst(set_pipe=MTE2, wait_pipe=V, event_id=0)
        if wrong != 0:
            pl.set_validshape(a, [rows + 1, COLS])
        pl.muls(a, a, 2.0)  # too many rows
        pl.system.sync_src(set_pipe=V, wait_pipe=MTE3, event_id=0)
        pl.system.sync_dst(set_pipe=V, wait_pipe=MTE3, event_id=0)
        pl.store(y, a, [0, 0])


@pl.jit(auto_mutex=False)
def blocks(x: Rows, y: Rows, wrong: pl.DT_INT32):
    """Every block stores to the same rows."""
    tile = pl.TileType(shape=[ROWS, COLS], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Vec)
    a = pl.make_tile(tile, addr=0)
    with pl.section_vector():
        pl.load(a, x, [0, 0])
        pl.system.sync_src(set_pipe=MTE2, wait_pipe=MTE3, event_id=0)
        pl.system.sync_dst(set_pipe=MTE2, wait_pipe=MTE3, event_id=0)
        row = pl.get_block_idx() * ROWS
        if wrong != 0:
            row = 0
        pl.store(y, a, [row, 0])  # whose rows?


@pl.jit(auto_mutex=False)
def phases(a: Square, b: Square, c: SquareF, wrong: pl.DT_INT32):
    """The unit flag orders matmul and store.  1: the matmul is never final; 2: the store has no phase."""
    mat = pl.TileType(shape=[64, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Mat)
    left = pl.TileType(shape=[64, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Left)
    right = pl.TileType(shape=[64, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Right)
    acc = pl.TileType(shape=[64, 64], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Acc)
    am = pl.make_tile(mat, addr=0)
    bm = pl.make_tile(mat, addr=8192)
    al = pl.make_tile(left, addr=0)
    br = pl.make_tile(right, addr=0)
    out = pl.make_tile(acc, addr=0)
    with pl.section_cube():
        pl.load(am, a, [0, 0])
        pl.load(bm, b, [0, 0])
        pl.system.sync_src(set_pipe=MTE2, wait_pipe=MTE1, event_id=0)
        pl.system.sync_dst(set_pipe=MTE2, wait_pipe=MTE1, event_id=0)
        pl.move(al, am)
        pl.move(br, bm)
        pl.system.sync_src(set_pipe=MTE1, wait_pipe=M, event_id=0)
        pl.system.sync_dst(set_pipe=MTE1, wait_pipe=M, event_id=0)
        if wrong == 1:
            pl.matmul(out, al, br, phase=pl.AccPhase.Partial)
        else:
            pl.matmul(out, al, br, phase=pl.AccPhase.Final)  # final
        if wrong == 2:
            pl.store(c, out, [0, 0])  # no phase
        else:
            pl.store(c, out, [0, 0], phase=pl.STPhase.Final)  # waits for the unit flag


@pl.jit(auto_mutex=False)
def cores(a: Square, b: Square, c: SquareF, wrong: pl.DT_INT32):
    """The cube moves into both unified buffers.

    1: the vector cores wait on MTE3 although V reads; 2: vector core 1 skips a set in a branch.
    """
    mat = pl.TileType(shape=[64, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Mat)
    left = pl.TileType(shape=[64, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Left)
    right = pl.TileType(shape=[64, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Right)
    acc = pl.TileType(shape=[64, 64], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Acc)
    half = pl.TileType(shape=[32, 64], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Vec)
    am = pl.make_tile(mat, addr=0)
    bm = pl.make_tile(mat, addr=8192)
    al = pl.make_tile(left, addr=0)
    br = pl.make_tile(right, addr=0)
    out = pl.make_tile(acc, addr=0)
    ub = pl.make_tile(half, addr=0)
    with pl.section_cube():
        pl.load(am, a, [0, 0])
        pl.load(bm, b, [0, 0])
        pl.system.sync_src(set_pipe=MTE2, wait_pipe=MTE1, event_id=0)
        pl.system.sync_dst(set_pipe=MTE2, wait_pipe=MTE1, event_id=0)
        pl.move(al, am)
        pl.move(br, bm)
        pl.system.sync_src(set_pipe=MTE1, wait_pipe=M, event_id=0)
        pl.system.sync_dst(set_pipe=MTE1, wait_pipe=M, event_id=0)
        pl.matmul(out, al, br)
        pl.system.sync_src(set_pipe=M, wait_pipe=FIX, event_id=0)
        pl.system.sync_dst(set_pipe=M, wait_pipe=FIX, event_id=0)
        pl.system.wait_cross_core(pipe=FIX, event_id=1)  # room
        pl.move(ub, out, acc_to_vec_mode=pl.AccToVecMode.DualModeSplitM)
        pl.system.set_cross_core(pipe=FIX, event_id=0)
    with pl.section_vector():
        if wrong == 2 and pl.get_subblock_idx() == 1:
            row = 32
        else:
            row = pl.get_subblock_idx() * 32
            pl.system.set_cross_core(pipe=V, event_id=1)
        if wrong == 1:
            pl.system.wait_cross_core(pipe=MTE3, event_id=0)
        else:
            pl.system.wait_cross_core(pipe=V, event_id=0)
        pl.muls(ub, ub, 2.0)  # reads what the cube moves
        pl.system.sync_src(set_pipe=V, wait_pipe=MTE3, event_id=0)
        pl.system.sync_dst(set_pipe=V, wait_pipe=MTE3, event_id=0)
        pl.store(c, ub, [row, 0])
