"""Vector core 1 skips the set for which the cube core waits on both."""

import ptopro.language as pl


@pl.jit(auto_mutex=True)
def set_skipped(
    a: pl.Tensor[[64, 64], pl.DT_FP16], b: pl.Tensor[[64, 64], pl.DT_FP16], y: pl.Tensor[[64, 64], pl.DT_FP32]
):
    mat = pl.TileType(shape=[64, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Mat)
    left_type = pl.TileType(shape=[64, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Left)
    right_type = pl.TileType(shape=[64, 64], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Right)
    acc_type = pl.TileType(shape=[64, 64], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Acc)
    vec_type = pl.TileType(shape=[32, 64], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Vec)
    a_l1 = pl.make_tile_group(type=mat, addrs=0, mutex_ids=[0]).current()
    b_l1 = pl.make_tile_group(type=mat, addrs=0x2000, mutex_ids=[1]).current()
    left = pl.make_tile_group(type=left_type, addrs=0, mutex_ids=[2]).current()
    right = pl.make_tile_group(type=right_type, addrs=0, mutex_ids=[3]).current()
    acc = pl.make_tile_group(type=acc_type, addrs=0, mutex_ids=[4]).current()
    shared = pl.make_tile_group(type=vec_type, addrs=0, mutex_ids=[5]).current()
    with pl.section_cube():
        pl.load(a_l1, a, [0, 0])
        pl.load(b_l1, b, [0, 0])
        pl.move(left, a_l1)
        pl.move(right, b_l1)
        pl.matmul(acc, left, right)
        pl.system.wait_cross_core(pipe=pl.PipeType.FIX, event_id=1)  # first
        pl.move(shared, acc, acc_to_vec_mode=pl.AccToVecMode.DualModeSplitM)
        pl.system.set_cross_core(pipe=pl.PipeType.FIX, event_id=0)
    with pl.section_vector():
        if pl.get_subblock_idx() == 0:
            pl.system.set_cross_core(pipe=pl.PipeType.V, event_id=1)
        pl.system.wait_cross_core(pipe=pl.PipeType.V, event_id=0)  # second
        pl.exp(shared, shared)
        pl.store(y, shared, [pl.get_subblock_idx() * 32, 0])
