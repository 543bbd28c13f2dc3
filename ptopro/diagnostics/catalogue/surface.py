"""PTO1240-1249: decorators, annotations and other things of `pl` that Python itself calls."""

from __future__ import annotations

from ptopro.diagnostics.catalogue.entry import Entry

ENTRIES: tuple[Entry, ...] = (
    Entry(
        code="PTO1240",
        title="unknown option of a decorator",
        message="@pl.{decorator} has no option `{option}`",
        explain="Options that are not known are refused, so that a misspelled one does not go unnoticed.",
        wrong="@pl.jit(auto_mutx=True)\ndef k(x: pl.Ptr[pl.DT_FP16]): ...",
        right="@pl.jit(auto_mutex=True)\ndef k(x: pl.Ptr[pl.DT_FP16]): ...",
        help="{hint}its options are {allowed}",
    ),
    Entry(
        code="PTO1241",
        title="a renamed option",
        message="`{old}` of {owner} is now called `{new}`",
        primary="write {new}=",
        explain="Names of earlier releases of the language are refused with the name that took their place:"
        " timeout is compile_timeout, tile_dims and is_transpose are order.",
        wrong="@pl.jit(timeout=60)\ndef k(x: pl.Ptr[pl.DT_FP16]): ...",
        right="@pl.jit(compile_timeout=60)\ndef k(x: pl.Ptr[pl.DT_FP16]): ...",
        help="write `{new}=`",
    ),
    Entry(
        code="PTO1242",
        title="called outside a kernel",
        message="pl.{name} is part of the kernel language: Python cannot execute it",
        explain="Functions such as pl.load are read from the kernel's source and become device code. They do"
        " nothing when Python calls them, so they say so. A kernel runs when it is launched:"
        " kernel[block_dim](...).",
        wrong="pl.load(tile, x, [0, 0])     # at module level",
        right="@pl.jit\n"
        "def k(x: pl.Tensor[[64, 64], pl.DT_FP16]):\n"
        "    with pl.section_vector():\n"
        "        pl.load(tile, x, [0, 0])",
        help="use it inside a function decorated with @pl.jit, or in a helper that such a function calls",
    ),
    Entry(
        code="PTO1243",
        title="a value that the option does not take",
        message="`{option}` of {owner} cannot be {actual}",
        explain="The option takes values of one kind only.",
        wrong='@pl.jit(arch="h100")\ndef k(x: pl.Ptr[pl.DT_FP16]): ...',
        right='@pl.jit(arch="a5")\ndef k(x: pl.Ptr[pl.DT_FP16]): ...',
        help="it takes {allowed}",
    ),
    Entry(
        code="PTO1244",
        title="a tiling-key field that is not right",
        message="TilingKeyField: {reason}",
        explain="A field has a positive number of bits and a list of different integers, at most 2**bits of them."
        " The key holds the index of the value in the list, not the value.",
        wrong="Mode = TilingKeyField(bits=1, values=[0, 5, 9])",
        right="Mode = TilingKeyField(bits=2, values=[0, 5, 9])",
    ),
    Entry(
        code="PTO1245",
        title="an annotation that is not right",
        message="pl.{annotation}[...]: {reason}",
        explain="pl.Tensor takes a list of dimensions (positive integers, pl.DYNAMIC, pl.STATIC, a trailing ...),"
        " an element type and perhaps a layout: pl.Tensor[[pl.DYNAMIC, 64], pl.DT_FP16]. pl.Ptr takes an"
        " element type.",
        wrong="x: pl.Tensor[64, 64, pl.DT_FP16]",
        right="x: pl.Tensor[[64, 64], pl.DT_FP16]",
    ),
    Entry(
        code="PTO1246",
        title="a tile type that is not right",
        message="`{field}` of pl.TileType cannot be {actual}",
        explain="shape is two positive compile-time integers, dtype a pl.DT_*, target_memory a pl.MemorySpace,"
        " valid_shape two integers or None, layout a pl.TensorLayout, pad a pl.TilePad or 0..3, compact 0,"
        " 1 or 2.",
        wrong="t = pl.TileType(shape=[64], dtype=pl.DT_FP16)",
        right="t = pl.TileType(shape=[1, 64], dtype=pl.DT_FP16)",
        help="it takes {allowed}",
    ),
)
