"""An operator to release: c = epilogue(scale[j] * (a @ b)), tile sizes and epilogue chosen by a tiling key.

    ptopro run samples/release_op/matmul_epilogue.py [m] [n] [k] [cores]
    ptopro build --release samples/release_op/matmul_epilogue.py --op matmul_epilogue --dtype a=fp16 --dtype a=bf16

The cube core multiplies into a tile that it moves to the vector cores, each of which finishes half of its rows.  The
sizes, the scale of each of eight groups of columns and how blocks are split come in the tiling data, which
host_tiling.cpp computes in a real operator.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass

import ml_dtypes
import numpy as np

import ptopro.language as pl
from ptopro.language import TilingKeyField

N = 128  # columns of a block
FULL = (0, 1)  # event ids: block is there
FREE = (2, 3)  # event ids: buffer is free again
L0_SLOT = 32768  # bytes: half of L0A, and of L0B


@dataclass
class MatmulTiling:
    sizes: int[3]  # m, n, k
    blocks: int
    n_blocks: int
    group: int  # columns that share a scale
    scale: float[8]
    floor: float


class MatmulKey:
    BlockM = TilingKeyField(bits=2, values=[32, 64, 128])
    BlockK = TilingKeyField(bits=2, values=[32, 64, 128, 256])
    Epilogue = TilingKeyField(bits=1, values=[0, 1])  # 0: scale; 1: scale, then nothing below the floor

    def is_valid(self, key):
        block_m, block_k, _ = key
        # Deep blocks of B fill L0B alone, so their rows have to be few.
        return block_m * block_k * 2 <= L0_SLOT and (block_k <= 128 or block_m == 32)


@pl.jit(auto_mutex=True, tiling_key=MatmulKey, datatype={"a": "data_dtype", "b": "data_dtype"})
def matmul_epilogue(
    a: pl.Ptr[pl.DT_UINT8],
    b: pl.Ptr[pl.DT_UINT8],
    c: pl.Ptr[pl.DT_FP32],
    workspace: pl.Ptr[pl.DT_UINT8],
    tiling: MatmulTiling,
):
    m = tiling.sizes[0]
    n = tiling.sizes[1]
    k = tiling.sizes[2]
    a_gm = pl.make_tensor(a, [m, k], [k, 1], dtype=data_dtype)  # noqa: F821 - bound by datatype=
    b_gm = pl.make_tensor(b, [k, n], [n, 1], dtype=data_dtype)  # noqa: F821
    c_gm = pl.make_tensor(c, [m, n], [n, 1], dtype=pl.DT_FP32)
    depths = k // BlockK  # noqa: F821 - fields of the key are constants
    half = BlockM // 2  # noqa: F821

    deep = BlockK > 128  # noqa: F821
    a_l1 = pl.make_tile_group(
        type=pl.TileType(shape=[BlockM, BlockK], dtype=data_dtype, target_memory=pl.MemorySpace.Mat),  # noqa: F821
        addrs=0,
        mutex_ids=[0, 1],
    )
    b_l1 = pl.make_tile_group(
        type=pl.TileType(shape=[BlockK, N], dtype=data_dtype, target_memory=pl.MemorySpace.Mat),  # noqa: F821
        addrs=0x20000,
        mutex_ids=[2, 3],
    )
    a_l0 = pl.make_tile_group(
        type=pl.TileType(shape=[BlockM, BlockK], dtype=data_dtype, target_memory=pl.MemorySpace.Left),  # noqa: F821
        addrs=0,
        mutex_ids=[4, 5],
    )
    b_l0 = pl.make_tile_group(
        type=pl.TileType(shape=[BlockK, N], dtype=data_dtype, target_memory=pl.MemorySpace.Right),  # noqa: F821
        addrs=0,
        mutex_ids=[6] if deep else [6, 7],
    )
    c_l0 = pl.make_tile_group(
        type=pl.TileType(shape=[BlockM, N], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Acc),  # noqa: F821
        addrs=0,
        mutex_ids=[8, 9],
    )
    product = pl.make_tile_group(
        type=pl.TileType(shape=[half, N], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Vec),
        addrs=0,
        mutex_ids=[10, 11],
    )
    result = pl.make_tile_group(
        type=pl.TileType(shape=[half, N], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Vec),
        addrs=0x10000,
        mutex_ids=[12, 13],
    )

    with pl.section_cube():
        task = 0
        for block in pl.range(pl.get_block_idx(), tiling.blocks, pl.get_block_num()):
            i = block // tiling.n_blocks
            j = block % tiling.n_blocks
            cur_c = c_l0.next()
            for p in pl.range(0, depths):
                cur_a = a_l1.next()
                cur_b = b_l1.next()
                pl.load_tile(cur_a, a_gm, [i, p])
                pl.load_tile(cur_b, b_gm, [p, j])
                cur_left = a_l0.next()
                cur_right = b_l0.next()
                pl.move(cur_left, cur_a)
                pl.move(cur_right, cur_b)
                if p == 0:
                    pl.matmul(cur_c, cur_left, cur_right)
                else:
                    pl.matmul_acc(cur_c, cur_c, cur_left, cur_right)
            pl.system.wait_cross_core(pipe=pl.PipeType.FIX, event_id=FREE[task % 2])
            pl.move(product[task % 2], cur_c, acc_to_vec_mode=pl.AccToVecMode.DualModeSplitM)
            pl.system.set_cross_core(pipe=pl.PipeType.FIX, event_id=FULL[task % 2])
            task += 1
        pl.system.wait_cross_core(pipe=pl.PipeType.FIX, event_id=FREE[0])
        pl.system.wait_cross_core(pipe=pl.PipeType.FIX, event_id=FREE[1])

    with pl.section_vector():
        pl.system.set_cross_core(pipe=pl.PipeType.V, event_id=FREE[0])
        pl.system.set_cross_core(pipe=pl.PipeType.V, event_id=FREE[1])
        task = 0
        for block in pl.range(pl.get_block_idx() // 2, tiling.blocks, pl.get_block_num()):
            i = block // tiling.n_blocks
            j = block % tiling.n_blocks
            cur_result = result.next()
            pl.system.wait_cross_core(pipe=pl.PipeType.V, event_id=FULL[task % 2])
            pl.mul(cur_result, product[task % 2], tiling.scale[j * N // tiling.group])
            if Epilogue == 1:  # noqa: F821
                pl.maximum(cur_result, cur_result, tiling.floor)
            pl.system.set_cross_core(pipe=pl.PipeType.V, event_id=FREE[task % 2])
            pl.store(c_gm, cur_result, [i * BlockM + pl.get_subblock_idx() * half, j * N])  # noqa: F821
            task += 1


def main(m: int = 256, n: int = 512, k: int = 256, cores: int = 2) -> None:
    rng = np.random.default_rng(0)
    scale = [0.5 + group for group in range(8)]
    for name, kind in (("DT_FP16", np.dtype(np.float16)), ("DT_BF16", np.dtype(ml_dtypes.bfloat16))):
        a = rng.standard_normal((m, k)).astype(kind)
        b = rng.standard_normal((k, n)).astype(kind)
        key = {"BlockM": 64, "BlockK": 128, "Epilogue": 1}
        n_blocks = n // N
        group = (n_blocks + 7) // 8 * N
        tiling = MatmulTiling([m, n, k], m // key["BlockM"] * n_blocks, n_blocks, group, scale, -1.0)
        c = np.zeros((m, n), np.float32)
        workspace = np.zeros(1, np.uint8)
        dtype = getattr(pl, name)
        matmul_epilogue[None, cores, key, {"a": dtype, "b": dtype}](a, b, c, workspace, tiling)
        columns = np.repeat(scale, group)[:n]
        want = np.maximum(a.astype(float) @ b.astype(float) * columns, -1.0)
        error = float(np.max(np.abs(c - want) / np.maximum(1.0, np.abs(want))))
        print(f"matmul_epilogue {name} {m} x {n} x {k}: largest difference from numpy {error:.2e} (allowed 1e-03)")
        if not error <= 1e-3:
            sys.exit(1)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
