"""out = rotary position embedding of x: each pair of neighbouring elements turned by an angle of its own.

    ptopro run samples/rope_vf.py [tokens] [heads] [cores]

    out[2i]     = x[2i] * cos[i] - x[2i + 1] * sin[i]
    out[2i + 1] = x[2i] * sin[i] + x[2i + 1] * cos[i]

A load with DINTLV takes even and odd elements into two registers, a store with INTLV puts them back in turn.  The
pointers move on by themselves (post_update): the rows of a block follow each other, heads inside tokens.
"""

import sys

import numpy as np

import ptopro.language as pl
from ptopro.language import vf
from reporting import compare

HEAD = 128  # elements of a head
PAIRS = HEAD // 2  # one register of FP32
TOKENS = 8  # tokens of a block
HEADS_MAX = 8
WIDTH = HEADS_MAX * HEAD
SLOT = TOKENS * WIDTH * 4
TABLE = TOKENS * PAIRS * 4


@pl.vector_function
def rotate(x, cosine, sine, out, tokens, heads):
    """Turn the pairs of a block; the tables hold one row of angles for each token."""
    every = vf.create_mask(dtype=pl.DT_FP32)
    for token in pl.range(tokens):
        c = vf.load_align(cosine, PAIRS, post_update=True)
        s = vf.load_align(sine, PAIRS, post_update=True)
        for head in pl.range(heads):
            at = token * WIDTH + head * HEAD
            even, odd = vf.load_align(x, at, dist=pl.LoadDist.DINTLV_B32)
            first = vf.sub(vf.mul(even, c, every), vf.mul(odd, s, every), every)
            second = vf.mul(even, s, every)
            second = vf.mul_add_dst(odd, c, every)
            vf.store_align(out + at, first, second, every, dist=pl.StoreDist.INTLV)


@pl.jit(auto_mutex=True)
def rope_vf(
    x: pl.Tensor[[pl.DYNAMIC, pl.DYNAMIC], pl.DT_FP32],
    cosine: pl.Tensor[[pl.DYNAMIC, PAIRS], pl.DT_FP32],
    sine: pl.Tensor[[pl.DYNAMIC, PAIRS], pl.DT_FP32],
    out: pl.Tensor[[pl.DYNAMIC, pl.DYNAMIC], pl.DT_FP32],
):
    block = pl.TileType(shape=[TOKENS, WIDTH], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Vec, valid_shape=[-1, -1])
    angles = pl.TileType(
        shape=[TOKENS, PAIRS], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Vec, valid_shape=[-1, -1]
    )
    x_ub = pl.make_tile_group(type=block, addrs=0, mutex_ids=[0, 1])
    out_ub = pl.make_tile_group(type=block, addrs=2 * SLOT, mutex_ids=[2, 3])
    cosine_ub = pl.make_tile_group(type=angles, addrs=4 * SLOT, mutex_ids=[4, 5])
    sine_ub = pl.make_tile_group(type=angles, addrs=4 * SLOT + 2 * TABLE, mutex_ids=[6, 7])
    m = x.shape[0]
    n = x.shape[1]

    with pl.section_vector():
        for i in pl.range(pl.get_block_idx(), (m + TOKENS - 1) // TOKENS, pl.get_block_num()):
            tokens = pl.min(TOKENS, m - i * TOKENS)
            cur_x = x_ub.next()
            cur_out = out_ub.next()
            cur_cosine = cosine_ub.next()
            cur_sine = sine_ub.next()
            for tile in (cur_x, cur_out):
                pl.set_validshape(tile, [tokens, n])
            for tile in (cur_cosine, cur_sine):
                pl.set_validshape(tile, [tokens, PAIRS])
            pl.load(cur_x, x, [i * TOKENS, 0])
            pl.load(cur_cosine, cosine, [i * TOKENS, 0])
            pl.load(cur_sine, sine, [i * TOKENS, 0])
            rotate(cur_x, cur_cosine, cur_sine, cur_out, tokens, n // HEAD)
            pl.store(out, cur_out, [i * TOKENS, 0])


def main(tokens: int = 100, heads: int = 6, cores: int = 4) -> None:
    assert heads <= HEADS_MAX, f"a block has room for {HEADS_MAX} heads"
    rng = np.random.default_rng(0)
    x = rng.standard_normal((tokens, heads * HEAD)).astype(np.float32)
    angles = np.arange(tokens)[:, None] / 10000.0 ** (np.arange(PAIRS)[None, :] / PAIRS)
    cosine, sine = np.cos(angles).astype(np.float32), np.sin(angles).astype(np.float32)
    out = np.empty_like(x)
    rope_vf[None, cores](x, cosine, sine, out)
    pairs = x.astype(np.float64).reshape(tokens, heads, PAIRS, 2)
    c, s = cosine[:, None, :].astype(np.float64), sine[:, None, :].astype(np.float64)
    turned = np.stack((pairs[..., 0] * c - pairs[..., 1] * s, pairs[..., 0] * s + pairs[..., 1] * c), axis=-1)
    compare("rope", out, turned.reshape(x.shape), 1e-5)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
