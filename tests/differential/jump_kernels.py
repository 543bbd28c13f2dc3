"""Unrolled loops that are left and gone on with under run-time conditions."""

import ptopro.language as pl


@pl.jit
def jumps(out: pl.Tensor[[16], pl.DT_INT64], n: pl.DT_INT32, m: pl.DT_INT32):
    with pl.section_vector():
        total = 0
        last = -1
        for i in range(5):
            if i == n:
                break
            if i == m:
                continue
            total = total + i * 10 + 1
            last = i
            if total > 45:
                if m > 2:
                    break
                continue
            total = total + 1
        else:
            total = total + 1000
        out[0] = total
        out[1] = last
        for i in (1, 2, 3):
            for j in (1, 2):
                if j == n:
                    continue
                if i * j == m:
                    break
                total = total + i * j
            if i == n:
                break
            if i == m:
                continue
            total = total * 2
        out[2] = total
