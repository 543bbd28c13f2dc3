"""PTO1150 to 1199: names in kernels and helper functions."""

from __future__ import annotations

from ptopro.diagnostics.catalogue.entry import Entry
from ptopro.diagnostics.core import Severity

ENTRIES: tuple[Entry, ...] = (
    Entry(
        code="PTO1150",
        title="run-time value where a constant is needed",
        message="{what} must be known at compile time, but '{name}' is known at run time only",
        explain=(
            "Shapes, addresses, ids, element types and most keywords decide which code is generated, so they must be "
            "known before the kernel runs. Parameters, dimensions of tensors and names that a loop assigns are not."
        ),
        wrong="rows = x.shape[0]\nt = pl.TileType(shape=[rows, 64], dtype=pl.DT_FP32)",
        right="ROWS = 64\n...\nt = pl.TileType(shape=[ROWS, 64], dtype=pl.DT_FP32)",
        help="use a constant; sizes that vary go into pl.set_validshape",
        primary="known at run time only",
    ),
    Entry(
        code="PTO1151",
        title="name without a value",
        message="'{name}' has no value here: {reason}",
        explain="A function's name is local when the function assigns it anywhere, as in Python; here nothing has yet.",
        wrong="pl.load(t, x, [0, 0])\nt = a.next()",
        right="t = a.next()\npl.load(t, x, [0, 0])",
        help="assign it first; names of the other core's section are not visible here",
        primary="no value yet",
    ),
    Entry(
        code="PTO1152",
        title="name not assigned on every path",
        message="'{name}' is not assigned on every path: not {path}",
        explain="The name is assigned in one branch only and used after both. On the other path it has no value.",
        wrong="if n > 32:\n    rows = 32\npl.set_validshape(t, [rows, 64])",
        right="rows = n\nif n > 32:\n    rows = 32\npl.set_validshape(t, [rows, 64])",
        help="assign it before the branch, or in the other branch too",
        primary="may have no value",
    ),
    Entry(
        code="PTO1153",
        title="name with several kinds of values",
        message="'{name}' has no single value: {reason}",
        explain=(
            "Where paths meet, a name must hold one kind of thing: numbers are converted, tiles must be of one type "
            "and have the same number of mutex ids, groups and tensors must be the same."
        ),
        wrong="if n > 0:\n    g = a\nelse:\n    g = b\nt = g.next()",
        right="if n > 0:\n    t = a.next()\nelse:\n    t = b.next()",
        help="use different names, or make the values of one kind",
        primary="depends on the path",
    ),
    Entry(
        code="PTO1154",
        title="name that a loop may leave unassigned",
        message="'{name}' may have no value: it is assigned in a loop only, and has none {path}",
        explain="After a loop a name keeps the value of the last round. When the loop has no round there is none.",
        wrong='for i in pl.range(n):\n    last = i\npl.printf("%d", last)',
        right='last = 0\nfor i in pl.range(n):\n    last = i\npl.printf("%d", last)',
        help="assign it before the loop",
        primary="may have no value",
        severity=Severity.WARNING,
    ),
    Entry(
        code="PTO1155",
        title="no such attribute",
        message="{owner} has no '{name}'",
        explain=(
            "Tensors have shape, stride, dtype; tiles shape, valid_shape, dtype; groups next(), current(), previous()."
        ),
        wrong="t = a.prev()",
        right="t = a.previous()",
        help="{hint}",
        primary="no such attribute",
    ),
    Entry(
        code="PTO1156",
        title="unknown keyword",
        message="{name} has no parameter '{keyword}'",
        explain="The keyword is none of the parameters in the operation's signature.",
        wrong="pl.load(t, x, [0, 0], ordr=[0, 1])",
        right="pl.load(t, x, [0, 0], order=[0, 1])",
        help="{hint}",
        primary="unknown keyword",
    ),
    Entry(
        code="PTO1157",
        title="argument given twice",
        message="{name} got two values for '{keyword}'",
        explain="The argument is given by position and by keyword.",
        wrong="pl.load(t, x, [0, 0], offsets=[0, 0])",
        right="pl.load(t, x, [0, 0])",
        help="remove one of the two",
        primary="given before",
    ),
    Entry(
        code="PTO1158",
        title="unknown operation",
        message="there is no operation pl.{name}",
        explain="The name after pl. is no operation of the language. `ptopro ops` lists them.",
        wrong="pl.matmull(c, a, b)",
        right="pl.matmul(c, a, b)",
        help="{hint}",
        primary="unknown operation",
    ),
)
