"""Helpers of the command line's tests: run a command in this process, in a folder of its own."""

import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest

from ptopro.cli.main import main

KERNEL = """import ptopro.language as pl

ROWS = 8


@pl.jit(auto_mutex=True)
def double(x: pl.Tensor[[pl.DYNAMIC, 64], pl.DT_FP32], y: pl.Tensor[[pl.DYNAMIC, 64], pl.DT_FP32]):
    tile = pl.TileType(shape=[ROWS, 64], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Vec)
    ub = pl.make_tile_group(type=tile, addrs=0, mutex_ids=[0, 1])
    with pl.section_vector():
        for i in pl.range(pl.get_block_idx(), x.shape[0] // ROWS, pl.get_block_num()):
            cur = ub.next()
            pl.load(cur, x, [i * ROWS, 0])
            pl.mul(cur, cur, 2.0)
            pl.store(y, cur, [i * ROWS, 0])
"""

PROGRAM = (
    KERNEL
    + """

if __name__ == "__main__":
    import sys

    import numpy as np

    x = np.ones((16, 64), np.float32)
    y = np.zeros_like(x)
    double[None, 2](x, y)
    print("sum", y.sum(), *sys.argv[1:])
"""
)


@dataclass(frozen=True)
class Result:
    code: int
    out: str
    err: str


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty folder to work in, with kernel.py."""
    monkeypatch.chdir(tmp_path)
    for name in ("PTOPRO_BUILD_DIR", "PTOPRO_ARCH", "NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    (tmp_path / "kernel.py").write_text(KERNEL)
    return tmp_path


@pytest.fixture
def ptopro(folder, capfd):
    """Run a command in the folder."""

    def run(*arguments):
        capfd.readouterr()
        code = main([str(argument) for argument in arguments])
        out, err = capfd.readouterr()
        return Result(code, out, err)

    return run


@pytest.fixture
def samples(folder):
    """The repository's samples, copied."""
    shutil.copytree(Path(__file__).parents[2] / "samples", folder / "samples")
    return folder / "samples"
