"""PTO2020-2031: what kernels of an operator package are like, and what the package's build says of them."""

from __future__ import annotations

from ptopro.diagnostics.catalogue.entry import Entry

_KERNEL = """@pl.jit(tiling_key=Key)
def my_op(x: pl.Ptr[pl.DT_UINT8], y: pl.Ptr[pl.DT_UINT8], workspace: pl.Ptr[pl.DT_UINT8], tiling: Tiling): ..."""

ENTRIES: tuple[Entry, ...] = (
    Entry(
        code="PTO2020",
        title="an operator's file holds one kernel",
        message="the file of operator `{operator}` holds {count} kernels, not one",
        explain="The build of an operator project names a file, and takes the kernel in it.",
        wrong="# my_op.py\n@pl.jit(...)\ndef my_op(...): ...\n@pl.jit(...)\ndef my_op_small(...): ...",
        right="# my_op.py\n@pl.jit(...)\ndef my_op(...): ...",
        help="move the others to files of their own, or make them choices of the tiling key",
    ),
    Entry(
        code="PTO2021",
        title="an operator's kernel has the file's name",
        message="kernel `{kernel}` is not called `{operator}`, as its operator and its file are",
        explain="Function, file and the operator's entry in its definition (opFile) have one name.",
        wrong="# my_op.py\ndef my_kernel(...): ...",
        right="# my_op.py\ndef my_op(...): ...",
        help="rename the function or the file",
    ),
    Entry(
        code="PTO2022",
        title="a parameter that the framework cannot pass",
        message="`{name}` {problem}",
        explain="The framework passes pointers alone, in the order of the operator's prototype. Dims that are not "
        "fixed and numbers go through the tiling data.",
        wrong="x: pl.Tensor[[pl.DYNAMIC, 64], pl.DT_FP16]",
        right="x: pl.Ptr[pl.DT_FP16]    # and pl.make_tensor(x, [tiling.rows, 64])",
        help="write pl.Ptr[...], and pass numbers in the tiling data",
    ),
    Entry(
        code="PTO2023",
        title="an operator's kernel without workspace",
        message="kernel `{kernel}` has no parameter `workspace` right before the tiling data",
        explain="After inputs and outputs the framework passes the workspace, then the tiling data, also where a "
        "kernel needs no workspace.",
        wrong="def my_op(x: pl.Ptr[pl.DT_UINT8], tiling: Tiling): ...",
        right="def my_op(x: pl.Ptr[pl.DT_UINT8], workspace: pl.Ptr[pl.DT_UINT8], tiling: Tiling): ...",
        help="end the parameters with `workspace: pl.Ptr[pl.DT_UINT8], tiling: <dataclass>`",
    ),
    Entry(
        code="PTO2024",
        title="an operator's kernel without tiling data",
        message="kernel `{kernel}` does not end with its tiling data",
        explain="The last parameter is a dataclass; the operator's tiling function fills it on the host.",
        wrong="def my_op(x: pl.Ptr[pl.DT_UINT8], workspace: pl.Ptr[pl.DT_UINT8]): ...",
        right=_KERNEL,
        help="declare a @dataclass of int, float and bool fields and take it as the last parameter",
    ),
    Entry(
        code="PTO2025",
        title="an operator's kernel without tiling key",
        message="kernel `{kernel}` has no tiling key",
        explain="The framework finds the binary to launch by the tiling key; one valid key is enough.",
        wrong="@pl.jit\ndef my_op(...): ...",
        right=_KERNEL,
        help="give @pl.jit a tiling_key= class of TilingKeyFields",
    ),
    Entry(
        code="PTO2026",
        title="datatype= names no parameter",
        message="datatype= has an entry for `{name}`, which is no parameter",
        explain="The build of an operator gives an element type for each input and output of the prototype; they are "
        "found by the parameter's name.",
        wrong='@pl.jit(tiling_key=Key, datatype={"input": "t"})\ndef my_op(x: pl.Ptr[pl.DT_UINT8], ...): ...',
        right='@pl.jit(tiling_key=Key, datatype={"x": "t"})\ndef my_op(x: pl.Ptr[pl.DT_UINT8], ...): ...',
        help="parameters: {parameters}",
    ),
    Entry(
        code="PTO2027",
        title="keys that run on different cores",
        message="the keys of an operator are of one kernel type, but these differ: {told}",
        explain="A kernel that uses the cube core alone is AIC_ONLY, the vector core alone AIV_ONLY, both MIX_AIC_1_2. "
        "The framework launches all keys of an operator alike.",
        wrong="if Mode == 0:\n    with pl.section_cube(): ...\nelse:\n    with pl.section_vector(): ...",
        right="with pl.section_cube(): ...\nwith pl.section_vector(): ...",
        help="give every key work on the same kinds of cores, or make two operators",
    ),
    Entry(
        code="PTO2028",
        title="no element type for a parameter",
        message="the build gives no element type for `{name}`: there is no option -D{macro}",
        explain="The compile options of an operator's build name the element type of every input and output.",
        wrong="pypto_compile_op(..., compile_options=[])",
        right='pypto_compile_op(..., compile_options=["-DORIG_DTYPE_X=DT_FLOAT16"])',
        help="keys of datatype= have the names of the operator's prototype",
    ),
    Entry(
        code="PTO2029",
        title="an element type that kernels do not have",
        message="-D{macro}={given}: kernels have no such element type",
        explain="Element types go by the framework's names in the build of an operator.",
        wrong='compile_options=["-DORIG_DTYPE_X=DT_STRING"]',
        right='compile_options=["-DORIG_DTYPE_X=DT_FLOAT16"]',
        help="one of {allowed}",
    ),
    Entry(
        code="PTO2030",
        title="element types that disagree",
        message="{names} share `{variable}` of datatype=, but the build gives {given}",
        explain="Parameters of one variable have one element type.",
        wrong='datatype={"x": "t", "y": "t"}  # built for x fp16, y fp32',
        right='datatype={"x": "x_t", "y": "y_t"}',
        help="give each parameter a variable of its own, or take the combination out of the operator's definition",
    ),
    Entry(
        code="PTO2031",
        title="an operator that cannot be compiled",
        message="operator `{operator}` cannot be compiled: {problem}",
        explain="The build of an operator project asks for a kernel file, and for some of its keys perhaps.",
        wrong="pypto_compile_op(cce_file='missing.py', ...)",
        right="pypto_compile_op(cce_file='op_kernel/my_op.py', ...)",
    ),
)
