"""PTO1390-1399: what codegen cannot say in C++."""

from __future__ import annotations

from ptopro.diagnostics.catalogue.entry import Entry

ENTRIES: tuple[Entry, ...] = (
    Entry(
        code="PTO1390",
        title="a view starts inside a fractal",
        message="a view of a tile in layout {layout} starts inside a fractal of {rows} x {cols} elements",
        primary="must start at a constant multiple of {rows} rows and {cols} columns",
        help="start the view at whole fractals, or take the part with pl.move(dst, src, [row, column])",
        explain=(
            "In the layouts NZ, ZN, ZZ and NN the elements of a tile lie fractal by fractal. A view is a second tile "
            "over the same bytes, so it can only start where a fractal starts, and the place must be known when the "
            "kernel is compiled. An offset inside a fractal, or one that is computed at run time, needs a move."
        ),
        wrong="part = l1[8:16, 0:64]  # l1 is an NZ tile of FP16: fractals of 16 x 16",
        right="part = l1[16:32, 0:64]",
    ),
    Entry(
        code="PTO1391",
        title="an operation that codegen cannot write",
        message="pl.{name} cannot be generated: {reason}",
        primary="used here",
        help="see `ptopro ops {name}` for what is available",
        explain=(
            "The operation is part of the language and is checked, but this version of ptopro has no C++ for it, or "
            "not for operands like these. It is never left out silently."
        ),
        wrong="pl.ssbuf_store(message, 0)",
        right="pl.store(messages, tile, [0, 0])  # hand the data over through global memory",
    ),
)
