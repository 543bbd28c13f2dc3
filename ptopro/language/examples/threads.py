"""Examples of SIMT operations: a function that every thread runs, launched on a tile.

In: an entry `simt.*`.  Out: the text of a kernel file.
"""

from __future__ import annotations

import textwrap
from collections.abc import Mapping

from ptopro.language.operations.model import Operation

_TEXT = """\
import ptopro.language as pl


@pl.simt.function(max_threads=64)
def each(tile: pl.Tile[[4, 64], {dtype}]):
{lines}


@pl.jit(auto_mutex=True)
def example(y: pl.Tensor[[4, 64], {dtype}], x: pl.Tensor[[4, 64], {dtype}]):
    kind = pl.TileType(shape=[4, 64], dtype={dtype})
    ub = pl.make_tile_group(type=kind, addrs=0x0000, mutex_ids=[0])
    with pl.section_vector():
        tile = ub.next()
        pl.load(tile, x, [0, 0])
        pl.simt.launch(each, threads=64, args=(tile,))
        pl.store(y, tile, [0, 0])
"""
_THREAD = "i = pl.simt.linear_thread_idx()\n"
_QUERIES: Mapping[str, str] = {
    "thread_idx": _THREAD + "tile[0, i] = pl.simt.thread_idx().x",
    "block_dim": _THREAD + "tile[0, i] = pl.simt.block_dim().x",
    "block_idx": _THREAD + "tile[0, i] = pl.simt.block_idx().x",
    "grid_dim": _THREAD + "tile[0, i] = pl.simt.grid_dim().x",
    "linear_thread_idx": _THREAD + "tile[0, i] = i",
    "warp_size": _THREAD + "tile[0, i] = i % pl.simt.warp_size()",
    "launch": _THREAD + "tile[0, i] = tile[0, i] + 1.0",
    "atomic_cas": _THREAD + "pl.simt.atomic_cas(tile, [0, 0], 0, i)",
}
_OPERANDS = {"pow": "tile[0, i], 2.0", "fma": "tile[0, i], 2.0, 1.0"}
_INTEGERS = ("atomic_cas", "atomic_and", "atomic_or", "atomic_xor")


def thread_kernel(operation: Operation) -> str:
    """The whole file."""
    name = operation.name.removeprefix("simt.")
    number = "i" if name in _INTEGERS else "1.0"
    if name in _QUERIES:
        lines = _QUERIES[name]
    elif name.startswith("atomic_"):
        lines = f"{_THREAD}pl.simt.{name}(tile, [0, i % 8], {number})"
    else:
        lines = f"{_THREAD}tile[0, i] = pl.simt.{name}({_OPERANDS.get(name, 'tile[0, i]')})"
    dtype = "pl.DT_INT32" if name in _INTEGERS else "pl.DT_FP32"
    return _TEXT.format(dtype=dtype, lines=textwrap.indent(lines, "    "))
