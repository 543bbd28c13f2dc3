"""PTO10xx syntax and unsupported Python."""

from __future__ import annotations

from ptopro.diagnostics.catalogue import kernel_syntax, simt, vector_functions
from ptopro.diagnostics.catalogue.entry import Entry
from ptopro.diagnostics.core import Severity

ENTRIES: tuple[Entry, ...] = (
    Entry(
        code="PTO1001",
        title="file not found",
        message="there is no file '{path}'",
        explain="The path given on the command line, or of an imported sibling file, names nothing.",
        wrong="ptopro expand kernel.pyy",
        right="ptopro expand kernel.py",
        help="check the path; paths are relative to the current folder",
    ),
    Entry(
        code="PTO1002",
        title="file cannot be read",
        message="'{path}' cannot be read: {reason}",
        explain="The path names a folder, a device or a file that the user running ptopro may not read.",
        wrong="ptopro expand samples",
        right="ptopro expand samples/add.py",
    ),
    Entry(
        code="PTO1003",
        title="text cannot be decoded",
        message="the file is not text: {reason}",
        explain=(
            "Kernel files are UTF-8 unless a comment in the first two lines declares another encoding, as in all "
            "Python files."
        ),
        wrong="# a file saved as Latin-1, without a declaration",
        right="# -*- coding: latin-1 -*-",
        help="save the file as UTF-8, or declare its encoding in the first line",
        primary="here",
    ),
    Entry(
        code="PTO1004",
        title="NUL byte in the source",
        message="the file holds a NUL byte",
        explain="Python source is text; a NUL byte usually means that the file is binary, UTF-16, or damaged.",
        wrong="# a file saved as UTF-16",
        right="# the same file saved as UTF-8",
        help="save the file as UTF-8",
        primary="in this line",
    ),
    Entry(
        code="PTO1005",
        title="syntax error",
        message="syntax error: {reason}",
        explain=(
            "The file is no Python that the running Python version understands. ptopro parses with the Python it "
            "runs on: newer syntax needs a newer Python."
        ),
        wrong=("for i in pl.range(0, n)\n    pl.load(t, x, [i, 0])"),
        right=("for i in pl.range(0, n):\n    pl.load(t, x, [i, 0])"),
        primary="here",
    ),
    Entry(
        code="PTO1006",
        title="nested too deeply",
        message="the source is nested too deeply",
        explain="Expressions or blocks are nested so deeply that Python's parser refuses them.",
        wrong="x = ((((((((... 1 ...))))))))",
        right="x = 1",
        help="split the expression over several statements",
    ),
    Entry(
        code="PTO1007",
        title="file too large",
        message="'{path}' is larger than {limit}",
        explain="Kernel files are read whole; a file of this size is no kernel file.",
        wrong="ptopro expand weights.bin",
        right="ptopro expand kernel.py",
    ),
    Entry(
        code="PTO1010",
        title="parameter without annotation",
        message="parameter '{name}' of kernel '{kernel}' has no annotation",
        explain=(
            "The type of every kernel parameter must be known: a tensor, a pointer, a scalar type or a tiling class."
        ),
        wrong=("@pl.jit\ndef k(x, n): ..."),
        right=("@pl.jit\ndef k(x: pl.Tensor[[pl.DYNAMIC, 64], pl.DT_FP32], n: pl.DT_INT32): ..."),
        help="write pl.Tensor[[dims], dtype], pl.Ptr[dtype], an element type such as pl.DT_INT32, or a dataclass",
        primary="what is it?",
    ),
    Entry(
        code="PTO1011",
        title="annotation is no parameter type",
        message="parameter '{name}' cannot be {annotation}",
        explain="Kernel parameters are tensors, pointers, scalars of an element type, and one tiling dataclass.",
        wrong=("@pl.jit\ndef k(x: pl.Tensor[[64, 64], pl.DT_FP32], n: int): ..."),
        right=("@pl.jit\ndef k(x: pl.Tensor[[64, 64], pl.DT_FP32], n: pl.DT_INT64): ..."),
        help="{hint}",
        primary="not a type of kernel parameters",
    ),
    Entry(
        code="PTO1012",
        title="variable number of parameters",
        message="a kernel cannot take '{name}'",
        explain="The number of a kernel's parameters is fixed when it is compiled.",
        wrong=("@pl.jit\ndef k(*tensors): ..."),
        right=("@pl.jit\ndef k(x: pl.Tensor[[64], pl.DT_FP32], y: pl.Tensor[[64], pl.DT_FP32]): ..."),
        help="name each parameter",
    ),
    Entry(
        code="PTO1013",
        title="misplaced tiling parameter",
        message="tiling parameter '{name}': {problem}",
        explain="A kernel takes at most one tiling dataclass, as its last parameter.",
        wrong=("@pl.jit\ndef k(t: Tiling, x: pl.Ptr[pl.DT_FP16]): ..."),
        right=("@pl.jit\ndef k(x: pl.Ptr[pl.DT_FP16], t: Tiling): ..."),
    ),
    Entry(
        code="PTO1014",
        title="not a kernel function",
        message="{kind} cannot be a kernel",
        explain="Kernels are made of plain def statements: their text is what is compiled.",
        wrong="k = pl.jit(lambda x: x)",
        right=("@pl.jit\ndef k(x: pl.Tensor[[64], pl.DT_FP32]): ..."),
        help="write a def statement",
    ),
    Entry(
        code="PTO1019",
        title="two kernels of one name",
        message="{count} kernels of this file are called '{name}'",
        explain=(
            "Every kernel has a folder of results of its own, named for it. Kernels that a function makes are "
            "called by the module-level names they are assigned to; where they have none, their names collide."
        ),
        wrong="KERNELS = [make(64), make(128)]",
        right="k64, k128 = make(64), make(128)",
        help="assign each to a module-level name of its own, or name it with @pl.jit(name=...)",
        primary="another '{name}'",
    ),
    Entry(
        code="PTO1020",
        title="decorator called with positional arguments",
        message="@pl.{decorator} takes its options by keyword",
        explain="Decorators of the language are written bare or with keyword options.",
        wrong="@pl.jit(True)",
        right="@pl.jit(auto_mutex=True)",
    ),
    Entry(
        code="PTO1023",
        title="wrong tiling class",
        message="tiling class '{cls}': {problem}",
        explain="Fields of a tiling dataclass are int (64 bits), float (32 bits), bool, pl.DT_FP32, integer types such "
        "as pl.DT_INT16, or arrays of these with a length of 1 to 2048. Host code fills the same struct in C++, so "
        "types that it has no equal of are not taken.",
        wrong=("@dataclass\nclass Tiling:\n    shape: list"),
        right=("@dataclass\nclass Tiling:\n    shape: int[4]"),
        help="use int, float, bool and arrays such as int[4] (with from __future__ import annotations)",
    ),
    Entry(
        code="PTO1024",
        title="kernel defined twice",
        message="kernel '{name}' is defined again below",
        explain="As in Python, the last definition of a name counts; the kernel above is not transpiled.",
        wrong=("@pl.jit\ndef k(x: X): ...\n@pl.jit\ndef k(x: X): ..."),
        right=("@pl.jit\ndef k1(x: X): ...\n@pl.jit\ndef k2(x: X): ..."),
        help="give the two kernels different names",
        severity=Severity.WARNING,
    ),
    Entry(
        code="PTO1025",
        title="unknown decorator",
        message="{name} is no decorator",
        explain=(
            "Functions of a kernel file are decorated with jit, kernel, vector_function, inline, pipeline.stage "
            "or simt.function."
        ),
        wrong=("@pl.vectorfunction\ndef f(a, b): ..."),
        right=("@pl.vector_function\ndef f(a, b): ..."),
        help="{hint}",
    ),
    Entry(
        code="PTO1026",
        title="no such kernel",
        message="there is no kernel '{name}' in {path}",
        explain=(
            "--kernel selects kernels by the name of their function, or of the module-level name that a factory's "
            "kernel is bound to."
        ),
        wrong="ptopro codegen matmul.py --kernel matmull",
        right="ptopro codegen matmul.py --kernel matmul",
        help="{hint}",
    ),
    Entry(
        code="PTO1027",
        title="source text not available",
        message="the source text of '{name}' is not available",
        explain="A kernel is transpiled from its text. Functions typed at Python's prompt, made by exec, or from a "
        "file that has changed since it was imported have no text that could be read.",
        wrong="exec('@pl.jit\\ndef k(x: X): ...')",
        right="# in a file\n@pl.jit\ndef k(x: X): ...",
        help="define the kernel in a file, and restart the program after editing it",
    ),
    *kernel_syntax.ENTRIES,
    *vector_functions.SYNTAX_ENTRIES,
    *simt.ENTRIES,
    Entry(
        code="PTO1028",
        title="a host function decorated as a kernel",
        message="'{name}' is no kernel: it has no parameters and uses nothing of the language",
        explain="A function that reaches no data and calls no operation stays Python, whatever its decorator says.",
        wrong="@pl.jit()\n@pytest.mark.soc('950')\ndef test_add():\n    run_on_device()",
        right="@pytest.mark.soc('950')\ndef test_add():\n    run_on_device()",
        help="take the decorator away",
        severity=Severity.WARNING,
    ),
)
