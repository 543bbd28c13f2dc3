"""Kernels are found under every way of writing their decorator, with options, parameters and spans."""

from __future__ import annotations

import pytest
from frontend_files import HEADER, KERNEL, clean, diagnostics, evaluate, load, refusal

from ptopro.diagnostics.core import Sink
from ptopro.frontend.kernels import ParameterKind
from ptopro.frontend.selection import select_kernels
from ptopro.frontend.values import Dim, FunctionKind
from ptopro.language import dtypes, enums

PARAMETERS = "(a: {p}.Tensor[[64, 64], {p}.DT_FP32], n: {p}.DT_INT32)"


@pytest.mark.parametrize(
    ("imports", "name"),
    [
        ("import pypto_pro.language as pl", "pl"),
        ("import ptopro.language as p", "p"),
        ("from pypto_pro import language as L", "L"),
        ("from ptopro import language", "language"),
        ("import pypto_pro.language", "pypto_pro.language"),
        ("import pypto_pro", "pypto_pro.language"),
        ("try:\n    import ptopro.language as q\nexcept ImportError:\n    q = None", "q"),
    ],
)
def test_any_alias_of_the_language(imports, name):
    module = clean(f"{imports}\n@{name}.jit\ndef k{PARAMETERS.format(p=name)}:\n    pass\n")
    assert [k.name for k in module.kernels] == ["k"]


def test_names_imported_from_the_language():
    module = clean(
        """
        from pypto_pro.language import jit, Tensor, DT_FP32 as F, Vf as vf, vector_function
        from pypto_pro.language import *

        @vector_function
        def f(a, b):
            vf.add(a, b)

        @jit(auto_mutex=False)
        def k(a: Tensor[[64, 64], F], n: DT_INT32):
            f(a, n)
        """
    )
    (kernel,) = module.kernels
    assert kernel.options.auto_mutex is False
    assert module.value("f").kind is FunctionKind.VECTOR_FUNCTION


@pytest.mark.parametrize(
    "decorator",
    [
        "@pl.jit",
        "@pl.jit()",
        "@pl.jit(\n    auto_mutex=True,\n    pipeline=CFG,\n)",
        "@pytest.mark.soc('950')\n@pl.jit",
        "@pl.jit\n@functools.wraps(print)",
        "@jit",
        "@my_jit",
    ],
)
def test_decorators_as_known_fault_31_writes_them(decorator):
    module = clean(
        HEADER
        + "import functools, pytest\nCFG = pl.pipeline.PipelineConfig(preload=3)\njit = functools.partial(pl.jit, arch='a5')\n"
        + "def my_jit(f):\n    return pl.jit(f)\n"
        + f"# a comment\n{decorator}\ndef k(a: pl.Tensor[[64, 64], pl.DT_FP32], *, n: pl.DT_INT32 = 4):\n    pass\n"
    )
    (kernel,) = module.kernels
    assert [(p.name, p.keyword_only, p.default) for p in kernel.parameters] == [("a", False, None), ("n", True, 4)]
    assert kernel.options.pipeline is None or kernel.options.pipeline.preload == 3
    line = module.lines[kernel.span.line - 1]
    assert line[kernel.span.col - 1 : kernel.span.end_col - 1] == "k"


def test_options():
    module = clean(
        HEADER
        + """
from pypto_pro.runtime.tilingkey import TilingKeyField

class Key:
    Mode = TilingKeyField(bits=2, values=[0, 5, 9])

    def is_valid(self, key):
        return True

OPTIONS = {"name": "first", "compile_timeout": 30}

@pl.jit(arch="a3", auto_mutex=False, tiling_key=Key, datatype={"a": "a_dtype"}, **OPTIONS)
def k(a: pl.Ptr[pl.DT_UINT8]):
    pass
"""
    )
    (kernel,) = module.kernels
    options = kernel.options
    assert (kernel.name, kernel.node.name) == ("first", "k")
    assert (options.arch, options.auto_mutex, options.compile_timeout) == ("a3", False, 30)
    assert options.datatype == {"a": "a_dtype"}
    assert options.tiling_key.attributes["Mode"].values == (0, 5, 9)


@pytest.mark.parametrize(
    ("option", "code", "words"),
    [
        ("timeout=60", "PTO1241", "compile_timeout"),  # known fault 33
        ("automutex=True", "PTO1240", "did you mean 'auto_mutex'?"),
        ("arch='a7'", "PTO1243", "a5"),
        ("auto_mutex=1", "PTO1243", "True or False"),
        ("name='../up'", "PTO1243", "letters"),
        ("pipeline=3", "PTO1243", "PipelineConfig"),
        ("arch=os.environ['A']", "PTO1102", "environment variable A is not set"),
    ],
)
def test_wrong_options(option, code, words):
    found = diagnostics(f"import os\n{HEADER}@pl.jit({option})\ndef k(a: pl.Ptr[pl.DT_FP16]):\n    pass\n")
    assert [d.code for d in found] == [code]
    assert words in found[0].message + found[0].help
    assert found[0].span.line == 3


def test_parameters():
    module = clean(
        HEADER
        + """
from dataclasses import dataclass
N = 32

@dataclass
class Tiling:
    n: int
    scale: "float" = 2.0
    on: bool = False
    shape: "int[4]" = None

@pl.jit
def k(
    a: pl.Tensor[[pl.DYNAMIC, 2 * N], pl.DT_FP32, pl.NZ],
    b: "pl.Tensor[[pl.STATIC, ...], pl.DT_FP16]",
    p: pl.Ptr[pl.DT_INT8],
    s: pl.DT_INT64,
    t: Tiling,
):
    pass
"""
    )
    a, b, p, s, t = module.kernel("k").parameters
    assert a.annotation.dims == (Dim.DYNAMIC, 64) and a.annotation.layout is enums.TensorLayout.NZ
    assert b.annotation.dims == (Dim.STATIC,) and b.annotation.rest
    assert p.annotation.dtype is dtypes.INT8 and s.annotation is dtypes.INT64
    assert [x.kind for x in (a, b, p, s, t)] == [
        ParameterKind.TENSOR, ParameterKind.TENSOR, ParameterKind.PTR, ParameterKind.SCALAR, ParameterKind.TILING,
    ]  # fmt: skip
    assert [(f.name, f.dtype.name, f.length) for f in t.annotation.fields] == [
        ("n", "DT_INT64", 0), ("scale", "DT_FP32", 0), ("on", "DT_BOOL", 0), ("shape", "DT_INT64", 4),
    ]  # fmt: skip


def test_postponed_annotations_see_names_defined_later():
    module = clean(
        "from __future__ import annotations\n"
        + HEADER
        + "from dataclasses import dataclass\n"
        + "@pl.jit\ndef k(a: pl.Tensor[[N, 4], pl.DT_FP32], t: T):\n    pass\n"
        + "N = 16\n@dataclass\nclass T:\n    v: int[3]\n"
    )
    a, t = module.kernel("k").parameters
    assert a.annotation.dims == (16, 4)
    assert t.annotation.fields[0].length == 3


def test_annotations_are_evaluated_where_the_kernel_is_defined():
    module = clean(HEADER + "N = 16\n@pl.jit\ndef k(a: pl.Tensor[[N, 4], pl.DT_FP32]):\n    pass\nN = 32\n")
    assert module.kernel("k").parameters[0].annotation.dims == (16, 4)


@pytest.mark.parametrize(
    ("parameter", "code", "words"),
    [
        ("a", "PTO1010", "no annotation"),
        ("a: int", "PTO1011", "pl.DT_INT64"),
        ("a: pl.Tensor", "PTO1011", "pl.Tensor[["),
        ("a: pl.Tensor[64, pl.DT_FP16]", "PTO1245", "dimensions"),
        ("a: pl.Tensor[[0], pl.DT_FP16]", "PTO1245", "pl.Tensor"),
        ("a: pl.Tensor[[..., 4], pl.DT_FP16]", "PTO1245", "pl.Tensor"),
        ("a: pl.Tensor[[4], pl.DT_F16]", "PTO1104", "did you mean 'DT_FP16'?"),
        ("a: pl.Tensor[[M], pl.DT_FP16]", "PTO1101", "'M'"),
        ("a: 'pl.Tensor[['", "PTO1103", "no expression"),
        ("*a", "PTO1012", "*a"),
        ("t: Tiling, a: pl.DT_INT32", "PTO1013", "last"),
        ("t: Tiling, u: Tiling", "PTO1013", "at most one"),
        ("t: Empty", "PTO1023", "no fields"),
        ("t: Odd", "PTO1023", "none of int"),
        ("t: Plain", "PTO1011", "@dataclass"),
    ],
)
def test_wrong_parameters(parameter, code, words):
    found = diagnostics(
        HEADER
        + "from dataclasses import dataclass\n@dataclass\nclass Tiling:\n    n: int\n@dataclass\nclass Empty:\n    pass\n"
        + "@dataclass\nclass Odd:\n    s: str\nclass Plain:\n    n = 1\n"
        + f"@pl.jit\ndef k({parameter}):\n    pass\n"
    )
    assert [d.code for d in found] == [code]
    assert words in found[0].message + found[0].help


def test_all_errors_of_a_file_at_once():
    found = diagnostics(HEADER + "@pl.jit(timeout=1)\ndef k(a, b: int):\n    pass\n@pl.jit\ndef j(c):\n    pass\n")
    assert [d.code for d in found] == ["PTO1241", "PTO1010", "PTO1011", "PTO1010"]


def test_no_kernel_is_made_of_lambdas_and_async_functions():
    found = diagnostics(HEADER + "k = pl.jit(lambda a: a)\n@pl.jit\nasync def j(a: pl.DT_INT32):\n    pass\n")
    assert [d.code for d in found] == ["PTO1014", "PTO1014"]


def test_host_functions_are_no_kernels():
    text = HEADER + "import torch\n@pl.jit()\ndef test_add():\n    torch.npu.set_device(0)\n"
    module, codes = load(text)
    assert codes == ["PTO1028"] and module.kernels == ()
    module, codes = load(text + "    pl.trap()\n")
    assert codes == [] and len(module.kernels) == 1


def test_misspelt_decorators():
    found = diagnostics(HEADER + "@pl.vectorfunction\ndef f(a):\n    pass\n")
    assert [(d.code, d.help) for d in found] == [("PTO1025", "did you mean '@pl.vector_function'?")]


def test_kinds_of_functions():
    module = clean(
        HEADER
        + """
@pl.vector_function
def a(x): pass
@pl.vector_function(mode="simt", max_threads=128)
def b(x): pass
@pl.simt.function(max_threads=64)
def c(x): pass
@pl.pipeline.stage
def d(x): pass
@pl.inline
def e(x): pass
def f(x): pass
"""
    )
    kinds = [module.value(name).kind.value for name in "abcdef"]
    assert kinds == ["vector_function", "simt", "simt", "stage", "inline", "helper"]
    assert module.value("b").keywords["max_threads"] == 128


# --------------------------------------------------------------------------------------------------------------------
# Factories

FACTORY = (
    HEADER
    + """
def mk(scale, dtype=pl.DT_FP32):
    rows = int(scale) * 8

    def helper(n):
        return n + rows

    @pl.jit
    def k(a: pl.Tensor[[rows, 64], dtype]):
        pass

    return k
"""
)


def test_kernels_of_a_factory_differ_in_their_closure():  # known fault 28
    module = clean(FACTORY + "k1, k2 = mk(2.0), mk(3.0, pl.DT_FP16)\n")
    k1, k2 = module.kernels
    assert (k1.name, k2.name, k1.made_by) == ("k1", "k2", "mk")
    assert evaluate(k1, "scale") == 2.0 and evaluate(k2, "scale") == 3.0
    assert evaluate(k1, "helper(1)") == 17 and evaluate(k2, "helper(1)") == 25
    assert k2.parameters[0].annotation.dims == (24, 64)
    assert k2.parameters[0].annotation.dtype is dtypes.FP16


def test_kernels_of_a_factory_in_a_dict_are_named_by_their_keys():
    module = clean(FACTORY + "KERNELS = {'small': mk(1), 'large': mk(4)}\n")
    assert [k.name for k in module.kernels] == ["k_small", "k_large"]


def test_kernels_made_in_a_loop_keep_their_own_values():
    module = clean(
        HEADER
        + "def both():\n    found = []\n    for n in (16, 32):\n        @pl.jit\n"
        + "        def k(a: pl.Tensor[[n, 64], pl.DT_FP16]):\n            pass\n        found.append(k)\n    return found\n"
        + "K = both()\n"
    )
    assert [evaluate(k, "n") for k in module.kernels] == [16, 32]


def test_kernels_without_a_name_of_their_own_collide():
    found = diagnostics(FACTORY + "mk(1)\nmk(2)\n")
    assert [d.code for d in found] == ["PTO1019"]


def test_a_kernel_defined_twice_counts_once():
    module, codes = load(HEADER + KERNEL + KERNEL)
    assert codes == ["PTO1024"]
    assert len(module.kernels) == 1 and module.kernels[0].span.line > 5


def test_kernels_that_no_module_code_makes_are_deferred():
    module = clean(
        HEADER
        + """
def test_scale(n):
    import torch
    rows = 64
    data = torch.zeros(n)

    @pl.jit
    def k(a: pl.Tensor[[rows, n], pl.DT_FP16]):
        pass

    k[None, 8](data)
"""
    )
    assert module.kernels == ()
    (kernel,) = module.deferred
    assert "no module-level code calls test_scale()" in kernel.deferred
    assert evaluate(kernel, "rows") == 64
    assert "parameter of test_scale()" in refusal(kernel, "n").reason


def test_kernels_are_selected_by_name():
    module = clean(FACTORY + "k1, k2 = mk(1), mk(2)\n")
    sink = Sink()
    assert [k.name for k in select_kernels(module, ["k2"], sink)] == ["k2"]
    assert len(select_kernels(module, ["k"], sink)) == 2 and sink.diagnostics == []
    select_kernels(module, ["k3"], sink)
    assert [d.code for d in sink.diagnostics] == ["PTO1026"]


def test_of_two_decorators_the_outer_options_count():
    text = "@pl.jit(name='outer')\n@pl.jit(name='inner', auto_mutex=False)\ndef k(a: pl.Ptr[pl.DT_FP16]):\n    pass\n"
    module, codes = load(HEADER + text)
    (kernel,) = module.kernels
    assert codes == [] and kernel.name == "outer" and kernel.options.auto_mutex is False
