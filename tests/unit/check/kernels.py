"""Small kernels for the tests of check and trace, read from text."""

from ptopro.check.builds import read_kernel
from ptopro.diagnostics import Sink
from ptopro.frontend.source import load_module
from ptopro.lowering.target import Target

HEAD = "import ptopro.language as pl\n\n\n"


def read(text, path="kernel.py"):
    """The first kernel of a text, lowered."""
    sink = Sink()
    module = load_module(path, HEAD + text, sink=sink)
    found = read_kernel(module.kernels[0], Target(), sink)
    assert found is not None, sink.diagnostics
    return found


VECTOR = """@pl.jit(auto_mutex=True)
def double(x: pl.Tensor[[pl.DYNAMIC, 64], pl.DT_FP32], y: pl.Tensor[[pl.DYNAMIC, 64], pl.DT_FP32], n: pl.DT_INT32{more}):
    tile = pl.TileType(shape=[8, 64], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Vec)
    ub = pl.make_tile_group(type=tile, addrs=0, mutex_ids=[0, 1])
    other = pl.make_tile_group(type=tile, addrs={at}, mutex_ids=[{id}])
    with pl.section_vector():
        for i in pl.range(pl.get_block_idx(), x.shape[0] // 8, pl.get_block_num()):
            cur = ub.next()
            work = other.current()
            pl.load(cur, x, [i * 8, 0])
            pl.mul(work, cur, 2.0)
            pl.store(y, work, [i * 8, 0])
"""


def vector(at=0x1000, id=2, more=""):
    return read(VECTOR.format(at=at, id=id, more=more))
