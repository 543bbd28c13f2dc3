"""PTO1085-1095: SIMT functions, how they are launched and what may stand in them."""

from __future__ import annotations

from ptopro.diagnostics.catalogue.entry import Entry

_FUNCTION = (
    "@pl.simt.function(max_threads=256)\ndef scale(data: pl.Tile[[1, 256], pl.DT_FP32], by: pl.DT_FP32):\n"
    "    i = pl.simt.linear_thread_idx()\n    data[0, i] = data[0, i] * by\n"
)
_LAUNCH = "with pl.section_vector():\n    pl.simt.launch(scale, threads=256, args=(tile, 2.0))"

ENTRIES: tuple[Entry, ...] = (
    Entry(
        code="PTO1085",
        title="thread of a SIMT function asked for outside of one",
        message="{name} works in SIMT functions only",
        explain="Kernels, stages and helpers run once on a core; threads exist while a SIMT function is launched.",
        wrong="with pl.section_vector():\n    i = pl.simt.linear_thread_idx()",
        right=f"{_FUNCTION}\n{_LAUNCH}",
        help="move it into a function marked @pl.simt.function",
        primary="no threads here",
    ),
    Entry(
        code="PTO1086",
        title="SIMT function called",
        message="'{name}' is a SIMT function: it is launched, not called",
        explain="A launch says with how many threads the function runs. Only other SIMT functions call one.",
        wrong=f"{_FUNCTION}\nwith pl.section_vector():\n    scale(tile, 2.0)",
        right=f"{_FUNCTION}\n{_LAUNCH}",
        help="write pl.simt.launch({name}, threads=..., args=(...)), or {name}[threads](...)",
        primary="a call",
    ),
    Entry(
        code="PTO1087",
        title="launchable SIMT function called by a thread",
        message="'{name}' has max_threads=: it is launched by a kernel and cannot be called by a thread",
        explain=(
            "A function that threads call is marked @pl.simt.function without max_threads, and may return a number."
        ),
        wrong=(
            "@pl.simt.function(max_threads=64)\ndef part(x): ...\n\n@pl.simt.function(max_threads=64)\ndef "
            "all(x):\n    part(x)"
        ),
        right="@pl.simt.function\ndef part(x): ...\n\n@pl.simt.function(max_threads=64)\ndef all(x):\n    part(x)",
        help="remove max_threads from '{name}', or move what both need into a third function",
        primary="called by a thread",
    ),
    Entry(
        code="PTO1088",
        title="launch of something else than a launchable SIMT function",
        message="'{name}' cannot be launched: it is no SIMT function with max_threads=",
        explain="max_threads is what the function is compiled for; a launch has as many threads or fewer.",
        wrong="@pl.simt.function\ndef scale(data): ...\n\npl.simt.launch(scale, threads=64, args=(tile,))",
        right=(
            "@pl.simt.function(max_threads=64)\ndef scale(data): ...\n\npl.simt.launch(scale, threads=64, args=(tile,))"
        ),
        help="mark it @pl.simt.function(max_threads=N)",
        primary="not launchable",
    ),
    Entry(
        code="PTO1089",
        title="thread extents that are none",
        message="'{threads}' is no number of threads for '{name}'",
        explain="A launch takes one to three positive compile-time ints: the threads along x, y and z.",
        wrong="pl.simt.launch(scale, threads=n, args=(tile,))",
        right="pl.simt.launch(scale, threads=(32, 8), args=(tile,))",
        help="give an int or a tuple of one to three ints; let threads that have nothing to do return",
        primary="one to three compile-time ints belong here",
    ),
    Entry(
        code="PTO1090",
        title="launch inside a launch",
        message="'{name}' is launched by code that runs on vector registers or in a thread",
        explain="Launches are instructions of the vector core; its register code and its threads cannot issue any.",
        wrong="@pl.simt.function(max_threads=64)\ndef outer(x):\n    pl.simt.launch(inner, threads=64, args=(x,))",
        right=(
            "with pl.section_vector():\n    pl.simt.launch(outer, threads=64, args=(x,))\n    "
            "pl.simt.launch(inner, threads=64, args=(x,))"
        ),
        help="launch it from the kernel, behind the other",
        primary="a launch inside another",
    ),
    Entry(
        code="PTO1091",
        title="more threads than the function is made for",
        message="{count} threads are launched, '{name}' is made for {most}",
        explain="The registers of a thread are divided by max_threads; 2048 threads are the most that a core has.",
        wrong=(
            "@pl.simt.function(max_threads=64)\ndef scale(data): ...\n\npl.simt.launch(scale, threads=128, "
            "args=(tile,))"
        ),
        right=(
            "@pl.simt.function(max_threads=128)\ndef scale(data): ...\n\npl.simt.launch(scale, threads=128, "
            "args=(tile,))"
        ),
        help="raise max_threads (up to 2048), or give each thread several elements",
        primary="{count} threads",
    ),
    Entry(
        code="PTO1092",
        title="parameters of a SIMT function",
        message="'{name}' is a SIMT function: it takes required positional parameters only",
        explain="Defaults, *args, **kwargs and keyword-only parameters have no form in a launch.",
        wrong="@pl.simt.function(max_threads=64)\ndef scale(data, by=2.0): ...",
        right="@pl.simt.function(max_threads=64)\ndef scale(data, by: pl.DT_FP32): ...",
        help="remove the default and pass the value in the launch",
        primary="its parameters",
    ),
    Entry(
        code="PTO1093",
        title="argument that a SIMT function cannot take",
        message="{found} cannot be passed to the SIMT function '{name}'",
        explain="Threads work on numbers, tensors and tiles of the unified buffer.",
        wrong="pl.simt.launch(scale, threads=64, args=(group,))",
        right="pl.simt.launch(scale, threads=64, args=(group.current(),))",
        help="pass a number, a tensor or a tile",
        primary="passed here",
    ),
    Entry(
        code="PTO1094",
        title="launched function that returns something",
        message="'{name}' is launched and returns a value, which nobody receives",
        explain="A launch has many threads and no result. A thread leaves early with `return` alone.",
        wrong="@pl.simt.function(max_threads=64)\ndef total(data):\n    return data[0, 0]",
        right="@pl.simt.function(max_threads=64)\ndef total(data, result):\n    result[0, 0] = data[0, 0]",
        help="write what it computes into a tile or tensor",
        primary="returns a value",
    ),
    Entry(
        code="PTO1095",
        title="not for threads",
        message="{name} cannot be used in a SIMT function",
        explain=(
            "A thread computes with numbers, branches and loops, reads and writes single elements of tiles and "
            "tensors, and calls pl.simt functions. Operations on tiles belong to the kernel."
        ),
        wrong="@pl.simt.function(max_threads=64)\ndef scale(data):\n    pl.muls(data, data, 2.0)",
        right=_FUNCTION,
        help="work on single elements, or use it in the kernel",
        primary="in a SIMT function",
    ),
)
