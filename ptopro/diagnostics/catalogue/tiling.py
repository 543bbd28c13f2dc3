"""PTO16xx tiling and release."""

from __future__ import annotations

from ptopro.diagnostics.catalogue.entry import Entry

ENTRIES: tuple[Entry, ...] = (
    Entry(
        code="PTO1600",
        title="a tiling-key class that is not right",
        message="tiling key `{cls}`: {problem}",
        explain="A tiling key is a class with at least one TilingKeyField. Together the fields take at most 64 bits, "
        "each has a name of its own, and none the name of a parameter or of something that the kernel sees already.",
        wrong="class Key:\n    A = pl.TilingKeyField(bits=40, values=[0, 1])\n"
        "    B = pl.TilingKeyField(bits=40, values=[0, 1])",
        right="class Key:\n    A = pl.TilingKeyField(bits=1, values=[0, 1])\n"
        "    B = pl.TilingKeyField(bits=1, values=[0, 1])",
    ),
    Entry(
        code="PTO1601",
        title="is_valid fails",
        message="is_valid of `{cls}` {what} for {key}: {reason}",
        explain="`is_valid(self, key)` gets the values of the key as a tuple, in the order of the class, and says "
        "whether they go together. It is evaluated for every combination, without running Python, so it must answer "
        "for each of them, and compute with integers only.",
        wrong="def is_valid(self, key):\n    return 8 % key[0] == 0  # key[0] may be 0",
        right="def is_valid(self, key):\n    return key[0] != 0 and 8 % key[0] == 0",
    ),
    Entry(
        code="PTO1602",
        title="no valid key",
        message="is_valid of `{cls}` rejects all {count} combinations",
        explain="A kernel without a valid key can be neither launched nor released.",
        wrong="def is_valid(self, key):\n    return key[0] > 9  # values are 0 and 1",
        right="def is_valid(self, key):\n    return key[0] < 9",
    ),
    Entry(
        code="PTO1603",
        title="too many keys",
        message="tiling key `{cls}` of {count} combinations has more valid ones than a kernel can have, or they cannot "
        "be told apart in reasonable time",
        explain="Every valid key is a kernel of its own. is_valid is asked before all fields are known, so conditions "
        "on single fields keep the search short.",
        wrong="class Key:\n    A = pl.TilingKeyField(bits=20, values=list(range(1 << 20)))",
        right="class Key:\n    A = pl.TilingKeyField(bits=4, values=[1, 2, 4, 8])",
        help="a kernel has at most {most} valid keys: list fewer values, or reject combinations in is_valid",
    ),
    Entry(
        code="PTO1604",
        title="a dtype map that is not right",
        message="datatype: {problem}",
        explain="`datatype=` maps parameters to names of constants of the kernel. Such a name is an identifier, and "
        "neither a parameter nor a field of the tiling key has it. Parameters may share a constant.",
        wrong='@pl.jit(datatype={"x": "x"})\ndef k(x: pl.Ptr[pl.DT_UINT8]): ...',
        right='@pl.jit(datatype={"x": "x_dtype"})\ndef k(x: pl.Ptr[pl.DT_UINT8]): ...',
    ),
)
