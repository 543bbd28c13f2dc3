"""The k largest numbers of every row, in order, by SIMT threads: each thread counts how many numbers beat its own.

    ptopro run samples/topk_simt.py [ROWS] [K] [CORES]

A row of 1024 numbers is loaded into the unified buffer; 1024 threads read all of it and a thread whose number is among
the k largest writes it, and where it stood, to its rank.  Of equal numbers the first counts as the larger.
"""

import sys

import numpy as np

import ptopro.language as pl
from reporting import compare

COLUMNS = 1024
MOST = 64  # the largest k


@pl.simt.function
def beats(other: pl.DT_FP32, at: pl.DT_INT32, mine: pl.DT_FP32, i: pl.DT_INT32) -> pl.DT_INT32:
    """1 when the number that stands at `at` comes before mine, which stands at i."""
    if other > mine:
        return 1
    if other == mine and at < i:
        return 1
    return 0


@pl.simt.function(max_threads=COLUMNS)
def rank_rows(
    values: pl.Tile[[1, MOST], pl.DT_FP32],
    places: pl.Tile[[1, MOST], pl.DT_INT32],
    row: pl.Tile[[1, COLUMNS], pl.DT_FP32],
    k: pl.DT_INT32,
):
    i = pl.simt.linear_thread_idx()
    mine = row[0, i]
    rank = 0
    for j in pl.range(0, COLUMNS):
        rank = rank + beats(row[0, j], j, mine, i)
        if rank >= k:
            return
    values[0, rank] = mine
    places[0, rank] = i


@pl.jit(auto_mutex=False)
def topk(
    x: pl.Tensor[[pl.DYNAMIC, COLUMNS], pl.DT_FP32],
    values: pl.Tensor[[pl.DYNAMIC, pl.DYNAMIC], pl.DT_FP32],
    places: pl.Tensor[[pl.DYNAMIC, pl.DYNAMIC], pl.DT_INT32],
):
    row_type = pl.TileType(shape=[1, COLUMNS], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Vec)
    value_type = pl.TileType(shape=[1, MOST], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Vec, valid_shape=[-1, -1])
    place_type = pl.TileType(shape=[1, MOST], dtype=pl.DT_INT32, target_memory=pl.MemorySpace.Vec, valid_shape=[-1, -1])
    rows = pl.make_tile_group(type=row_type, addrs=0x0000, mutex_ids=[0, 1])
    tops = pl.make_tile_group(type=value_type, addrs=0x4000, mutex_ids=[2, 3])
    ranks = pl.make_tile_group(type=place_type, addrs=0x4400, mutex_ids=[4, 5])
    k = values.shape[1]
    with pl.section_vector():
        for i in pl.range(pl.get_block_idx(), x.shape[0], pl.get_block_num() * pl.get_subblock_num()):
            row = rows.next()
            top = tops.next()
            rank = ranks.next()
            pl.set_validshape(top, [1, k])
            pl.set_validshape(rank, [1, k])
            pl.system.mutex_lock(pipe=pl.PipeType.MTE2, tile=row)  # lock: load writes row
            pl.load(row, x, [i, 0])
            pl.system.mutex_unlock(pipe=pl.PipeType.MTE2, tile=row)  # unlock: after load
            pl.system.mutex_lock(pipe=pl.PipeType.V, tile=top)  # lock: rank_rows reads and writes top
            pl.system.mutex_lock(pipe=pl.PipeType.V, tile=rank)  # lock: rank_rows reads and writes rank
            pl.system.mutex_lock(pipe=pl.PipeType.V, tile=row)  # lock: rank_rows reads row
            rank_rows[COLUMNS](top, rank, row, k)
            pl.system.mutex_unlock(pipe=pl.PipeType.V, tile=top)  # unlock: after rank_rows
            pl.system.mutex_unlock(pipe=pl.PipeType.V, tile=rank)  # unlock: after rank_rows
            pl.system.mutex_unlock(pipe=pl.PipeType.V, tile=row)  # unlock: after rank_rows
            pl.system.mutex_lock(pipe=pl.PipeType.MTE3, tile=top)  # lock: store reads top
            pl.store(values, top, [i, 0])
            pl.system.mutex_unlock(pipe=pl.PipeType.MTE3, tile=top)  # unlock: after store
            pl.system.mutex_lock(pipe=pl.PipeType.MTE3, tile=rank)  # lock: store reads rank
            pl.store(places, rank, [i, 0])
            pl.system.mutex_unlock(pipe=pl.PipeType.MTE3, tile=rank)  # unlock: after store


def main(rows: int = 20, k: int = 8, cores: int = 4) -> None:
    rng = np.random.default_rng(0)
    x = np.round(rng.standard_normal((rows, COLUMNS)) * 100).astype(np.float32)  # some numbers are equal
    values = np.empty((rows, k), np.float32)
    places = np.empty((rows, k), np.int32)
    topk[None, cores](x, values, places)
    order = np.argsort(-x, axis=1, kind="stable")[:, :k]
    assert np.array_equal(places, order)
    compare("topk", values, np.take_along_axis(x, order, axis=1), 0.0)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
