"""A struct that one core leaves in the mailbox for another."""

from __future__ import annotations

import numpy as np
import pytest

import ptopro.language as pl

pytestmark = pytest.mark.slow


@pl.jit
def post(out: pl.Tensor[[8], pl.DT_INT32], n: pl.DT_INT32):
    letter = pl.struct("Letter", number=n, wide=0, flag=False, rows=[0, 0, 0])
    with pl.section_vector():
        if pl.get_subblock_idx() == 0:
            letter.wide = n * 1000
            letter.flag = n > 3
            letter.rows[2] = n + 2
            pl.ssbuf_store(letter, 16 * pl.get_block_idx())
            pl.system.set_cross_core(pipe=pl.PipeType.S, event_id=3)
    with pl.section_cube():
        pl.system.wait_cross_core(pipe=pl.PipeType.S, event_id=3, sync_mode=pl.CrossCoreSyncMode.UNICAST_BLOCK)
        pl.ssbuf_load(letter, 16 * pl.get_block_idx())
        pl.setval(out, 0, letter.number)
        pl.setval(out, 1, letter.wide)
        pl.setval(out, 2, letter.rows[2])
        if letter.flag:
            pl.setval(out, 3, 1)


@pytest.mark.parametrize("n", [3, 7])
def test_a_struct_goes_through_the_mailbox(n: int) -> None:
    out = np.zeros(8, np.int32)
    post[None, 1](out, n)
    assert out[:4].tolist() == [n, n * 1000, n + 2, int(n > 3)]


@pl.jit
def astray(out: pl.Tensor[[8], pl.DT_INT32], at: pl.DT_INT32):
    letter = pl.struct("Letter", number=5)
    with pl.section_vector():
        pl.ssbuf_store(letter, at)
        pl.setval(out, 0, letter.number)


@pytest.mark.parametrize("at", [-4, 4096, 2])
def test_outside_the_mailbox(at: int) -> None:
    with pytest.raises(Exception, match="mailbox"):
        astray[None, 1](np.zeros(8, np.int32), at)
