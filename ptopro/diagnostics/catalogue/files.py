"""PTO19xx files, settings and the command line."""

from __future__ import annotations

from ptopro.diagnostics.catalogue.entry import Entry
from ptopro.diagnostics.core import Severity

ENTRIES: tuple[Entry, ...] = (
    Entry(
        code="PTO1901",
        title="no such file",
        message="there is no file `{path}`",
        help="{hint}",
        explain="The kernel file (or the program to run) that was named does not exist.",
        wrong="$ ptopro expand kernl.py",
        right="$ ptopro expand kernel.py",
    ),
    Entry(
        code="PTO1902",
        title="no room on the disk",
        message="`{path}` could not be written: {reason}",
        help="free some space (or raise the quota or file size limit) and run the command again; nothing half-written "
        "was left behind",
        explain="""The disk is full, or a quota or file size limit is reached.  ptopro writes each file beside its
place and renames it when it is complete, so the previous file, if there was one, is still
whole.""",
        wrong="$ ulimit -f 1; ptopro build kernel.py",
        right="$ ulimit -f unlimited; ptopro build kernel.py",
    ),
    Entry(
        code="PTO1903",
        title="a file cannot be written",
        message="`{path}` could not be written: {reason}",
        help="choose a build directory you may write to with -o, and a cache with PTOPRO_CACHE_DIR",
        explain="The system refused to make a directory or a file: no permission, or something else is in its place.",
        wrong="$ ptopro build kernel.py -o /",
        right="$ ptopro build kernel.py -o build",
    ),
    Entry(
        code="PTO1904",
        title="a file cannot be read",
        message="`{path}` could not be read: {reason}",
        explain="The path is a directory, or may not be read, or is not text in the encoding it declares.",
        wrong="$ ptopro expand samples/",
        right="$ ptopro expand samples/add.py",
    ),
    Entry(
        code="PTO1905",
        title="no kernel of that name",
        message="`{path}` has no kernel named `{name}`",
        help="{hint}",
        explain="--kernel names a function decorated with @pl.jit or @pl.kernel in the file.",
        wrong="$ ptopro expand add.py --kernel ad",
        right="$ ptopro expand add.py --kernel add",
    ),
    Entry(
        code="PTO1906",
        title="no kernel in the file",
        message="`{path}` holds no kernel",
        help="a kernel is a function decorated with @pl.jit or @pl.kernel, where pl is ptopro.language or "
        "pypto_pro.language",
        explain="""ptopro looks for decorated functions at module level and in functions (kernel factories).  The
file has none: perhaps the kernels are in a module that it imports.""",
        wrong="import numpy as np",
        right="import ptopro.language as pl\n\n@pl.jit\ndef add(...): ...",
    ),
    Entry(
        code="PTO1907",
        title="two kernels would be written to the same folder",
        message="kernel `{kernel}` of `{first}` and of `{second}` would both be written to `{folder}`",
        help="build them with different -o/--build-dir, or rename a file",
        explain="""Everything of a kernel lies in <build dir>/<file stem>/<kernel>/.  Two files of one stem (in
different folders) with a kernel of the same name collide.""",
        wrong="$ ptopro build a/add.py b/add.py",
        right="$ ptopro build a/add.py -o build/a && ptopro build b/add.py -o build/b",
    ),
    Entry(
        code="PTO1908",
        title="a generated file is stale",
        message="`{path}` is not what {command} would write now ({state})",
        help="run `ptopro {command} {source}` again",
        explain="--check compares what is on disk with what would be written, and changes nothing.",
        wrong="$ ptopro expand kernel.py --check     # after an edit of kernel.py",
        right="$ ptopro expand kernel.py && ptopro expand kernel.py --check",
    ),
    Entry(
        code="PTO1909",
        title="a setting is not understood",
        message="[tool.ptopro] in `{path}`: {problem}",
        help="`ptopro config --show` prints every setting with its type and value",
        explain="Settings in pyproject.toml have fixed names and types; an unknown one would silently do nothing.",
        wrong='[tool.ptopro]\nbuild-directory = "out"',
        right='[tool.ptopro]\nbuild-dir = "out"',
    ),
    Entry(
        code="PTO1910",
        title="module to run not found",
        message="there is no module `{name}` to run: {reason}",
        explain="`ptopro run -m NAME` finds the module as `python -m NAME` does.",
        wrong="$ ptopro run -m pytst test_add.py",
        right="$ ptopro run -m pytest test_add.py",
    ),
    Entry(
        code="PTO1911",
        title="the file exists already",
        message="`{path}` exists already",
        help="choose another name, or give --force to replace it",
        explain="`ptopro new` never overwrites a file by itself.",
        wrong="$ ptopro new add.py     # add.py exists",
        right="$ ptopro new scale.py",
    ),
    Entry(
        code="PTO1912",
        title="no such diagnostic code",
        message="there is no diagnostic `{name}`",
        help="{hint}",
        explain="Codes look like PTO1203.  `ptopro explain` without a code lists all of them.",
        wrong="$ ptopro explain 12O3",
        right="$ ptopro explain PTO1203",
    ),
    Entry(
        code="PTO1913",
        title="an environment variable is not understood",
        message="{variable}={value} is not understood: it must be {allowed}",
        explain="Environment variables that choose how kernels run have fixed values.",
        wrong="$ PTOPRO_MODE=slow ptopro run add.py",
        right="$ PTOPRO_MODE=serial ptopro run add.py",
    ),
    Entry(
        code="PTO1915",
        title="a kernel needs what only a launch gives",
        message="kernel `{kernel}` was left out: {reason}",
        help="give these values, or launch it from a program: `ptopro run`",
        explain="""Dims that are read at launch (pl.STATIC), tiling keys, dtype maps and the closures of kernel
factories have no value on the command line unless they are given there.""",
        wrong="x: pl.Tensor[[pl.STATIC, 64], pl.DT_FP32]     # and `ptopro codegen`",
        right="$ ptopro codegen kernel.py --shape x=16,64",
        severity=Severity.WARNING,
    ),
    Entry(
        code="PTO1916",
        title="the launch log cannot be written",
        message="the launch log `{path}` could not be written: {reason}",
        help="correct PTOPRO_LAUNCH_LOG, or unset it",
        explain="Each launch appends a line to the file that PTOPRO_LAUNCH_LOG names.",
        wrong="$ PTOPRO_LAUNCH_LOG=/nowhere/log ptopro run add.py",
        right="$ PTOPRO_LAUNCH_LOG=launches.jsonl ptopro run add.py",
    ),
    Entry(
        code="PTO1917",
        title="a launch value that does not fit",
        message="`{option}` does not fit: {reason}",
        help="`ptopro codegen` lists what each kernel needs when nothing is given",
        explain="--shape, --key and --dtype give a kernel what a launch fixes: shapes, a tiling key, element types.",
        wrong="$ ptopro codegen kernel.py --key Mode=7     # Mode has the values 0 and 5",
        right="$ ptopro codegen kernel.py --key Mode=5",
    ),
)
