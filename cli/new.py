"""`ptopro new`: a small kernel file to start from."""

from __future__ import annotations

from pathlib import Path

import click

from ptopro.build.files import write_if_changed
from ptopro.cli.output import Reporter
from ptopro.diagnostics import DiagnosticError, make

TEMPLATE = '''"""y = k * x, block by block, on any number of cores.

    ptopro run {file}               # run it here and compare with numpy
    ptopro expand {file} --diff     # see the locks that order the pipes
"""

import numpy as np

import ptopro.language as pl

ROWS, COLS = 64, 128  # one tile: 64 x 128 floats, 32 KiB


@pl.jit(auto_mutex=True)
def {name}(
    x: pl.Tensor[[pl.DYNAMIC, COLS], pl.DT_FP32],
    y: pl.Tensor[[pl.DYNAMIC, COLS], pl.DT_FP32],
    k: pl.DT_FP32,
):
    # Two slots each: while one block is computed, the next one is loaded.
    tile = pl.TileType(shape=[ROWS, COLS], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Vec)
    x_ub = pl.make_tile_group(type=tile, addrs=0x00000, mutex_ids=[0, 1])
    y_ub = pl.make_tile_group(type=tile, addrs=0x10000, mutex_ids=[2, 3])
    with pl.section_vector():
        for i in pl.range(pl.get_block_idx(), x.shape[0] // ROWS, pl.get_block_num()):
            cur_x = x_ub.next()
            cur_y = y_ub.next()
            pl.load_tile(cur_x, x, [i, 0])
            pl.mul(cur_y, cur_x, k)
            pl.store_tile(y, cur_y, [i, 0])


def main() -> None:
    x = np.random.default_rng(0).standard_normal((512, COLS), dtype=np.float32)
    y = np.zeros_like(x)
    {name}[None, 4](x, y, 3.0)  # stream, number of cores
    np.testing.assert_array_equal(y, x * np.float32(3.0))
    print("{name}: ok")


if __name__ == "__main__":
    main()
'''


@click.command(name="new")
@click.argument("file", metavar="FILE.py")
@click.option("--force", is_flag=True, help="Replace a file that exists.")
def command(file: str, force: bool) -> int:
    """Write a small working kernel with a host program to FILE.py."""
    path = Path(file if file.endswith(".py") else f"{file}.py")
    if path.exists() and not force:
        raise DiagnosticError([make("PTO1911", path=path)])
    name = path.stem if path.stem.isidentifier() else "scale"
    write_if_changed(path, TEMPLATE.format(file=path, name=name))
    Reporter().wrote(path, True)
    return 0
