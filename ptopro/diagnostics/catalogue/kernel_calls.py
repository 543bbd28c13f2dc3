"""PTO1280 to 1299: subscripts and calls in kernels."""

from __future__ import annotations

from ptopro.diagnostics.catalogue.entry import Entry

ENTRIES: tuple[Entry, ...] = (
    Entry(
        code="PTO1280",
        title="cannot be indexed",
        message="{found} cannot be indexed",
        explain="Tuples, lists, groups, tiles, tensors and array fields can.",
        wrong="n[0]",
        right="x.shape[0]",
        primary="{found}",
    ),
    Entry(
        code="PTO1281",
        title="index of this kind",
        message="{found} cannot be the index here",
        explain="Axes of valid_shape and bounds of slices of tuples are compile-time integers.",
        wrong="t.valid_shape[n]",
        right="t.valid_shape[0]",
        primary="not a compile-time index",
    ),
    Entry(
        code="PTO1282",
        title="run-time index into different things",
        message="a run-time index needs members of one type: {reason}",
        explain=(
            "Which member is meant is decided while the kernel runs, so all of them must be numbers, or tiles of one "
            "type. Groups and tensors are picked by constants."
        ),
        wrong="g = (a, b)[n]  # two groups",
        right="t = (a.next(), b.next())[n]",
        primary="known at run time only",
    ),
    Entry(
        code="PTO1283",
        title="operation of another chip",
        message="pl.{name} does not exist on {chip}; it exists on {chips}",
        explain=(
            "Not every chip has every instruction, nor a way between all memories: the cube and vector cores of A2 and "
            "A3 share global memory only."
        ),
        wrong="pl.move(vec_tile, acc_tile)  # on a3",
        right="pl.store(x, acc_tile, [0, 0])  # and pl.load(vec_tile, x, [0, 0]) on the vector core, behind a flag",
        primary="not on {chip}",
    ),
    Entry(
        code="PTO1284",
        title="group where a tile is needed",
        message="'{name}' is a tile group; pl.{operation} needs one of its tiles",
        explain="A group has several tiles. next(), current(), previous() and [i] say which one is meant.",
        wrong="pl.load(a, x, [0, 0])",
        right="pl.load(a.next(), x, [0, 0])",
        help="pick a slot: {name}.next(), {name}.current() or {name}[i]",
        primary="a tile group",
    ),
    Entry(
        code="PTO1285",
        title="operation of the other core",
        message=(
            "pl.{name} with these operands is executed by the {core} core, but stands in a section of the {section} "
            "core"
        ),
        explain=(
            "The cube core has the matrix unit, L1 and L0; the vector cores have UB and the vector unit. Which core "
            "executes a load, store or move follows from the memories of its tiles."
        ),
        wrong="with pl.section_cube():\n    pl.add(c, a, b)",
        right="with pl.section_vector():\n    pl.add(c, a, b)",
        help="move it to a section of the {core} core",
        primary="{core} core",
    ),
    Entry(
        code="PTO1286",
        title="cannot be called",
        message="{found} cannot be called",
        explain="Operations, helper functions, methods of groups, builtins and classes can.",
        wrong="n(3)",
        right="helper(n)",
        primary="not callable",
    ),
    Entry(
        code="PTO1287",
        title="builtin on a run-time value",
        message="{name}() does not take {found}",
        explain=(
            "min, max, abs, len, int, float, bool, range, enumerate, zip, reversed and sum work on values of a kernel."
        ),
        wrong="sorted((n, m))",
        right="lo = min(n, m)",
        primary="{found}",
    ),
    Entry(
        code="PTO1288",
        title="arguments do not fit the helper",
        message="{problem}",
        explain="The arguments of a helper function are bound to its parameters as in Python.",
        wrong="def scale(t, factor): ...\nscale(t)",
        right="scale(t, 2.0)",
        primary="does not fit",
    ),
    Entry(
        code="PTO1289",
        title="cannot be passed",
        message="{found} cannot be passed to {name}()",
        explain="Numbers, pointers, tiles, groups, tensors, structs, tuples and compile-time values can.",
        wrong="helper(pl.range(4))",
        right="helper(4)",
        primary="cannot be passed",
    ),
)
