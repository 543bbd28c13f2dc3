"""The compile leaf of operator projects, with a stand-in of the toolkit's package."""

from __future__ import annotations

import json
import sys
from types import SimpleNamespace

import pytest

from ptopro.diagnostics import DiagnosticError
from ptopro.opc import DTYPES, pypto_compile_op

pytestmark = pytest.mark.slow

KERNEL = """from dataclasses import dataclass
import pypto_pro.language as pl

@dataclass
class Plan:
    n: int

class Key:
    A = pl.TilingKeyField(bits=2, values=[5, 7, 9])
    def is_valid(self, key):
        return key[0] != 7

@pl.jit(tiling_key=Key, datatype={"x": "t", "y": "t"})
def my_op(x: pl.Ptr[pl.DT_UINT8], y: pl.Ptr[pl.DT_UINT8], workspace: pl.Ptr[pl.DT_UINT8], plan: Plan):
    with pl.section_vector():
        v = pl.make_tensor(pl.make_ptr(y, dtype=t), [8])
        pl.setval(v, plan.n, A)
"""
CONTEXT = """class Context:
    def __init__(self):
        self.results, self.additions = {}, {}
    def add_build_res(self, key, value):
        self.results[key] = value
    def get_addition(self, key):
        return self.additions.get(key)
CONTEXT = Context()
def get_context():
    return CONTEXT
"""
OPTIONS = ["-O2", "-DORIG_DTYPE_X=DT_INT32", "-DORIG_DTYPE_Y=DT_INT32", "-DORIG_DTYPE_X=DT_FLOAT"]


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A folder with a kernel, in which the toolkit's package can be imported; its context."""
    package = tmp_path / "toolkit" / "asc_op_compile_base" / "common"
    package.mkdir(parents=True)
    for folder in (package, package.parent):
        (folder / "__init__.py").write_text("")
    (package / "context.py").write_text(CONTEXT)
    (tmp_path / "my_op.py").write_text(KERNEL)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path / "toolkit"))
    monkeypatch.delenv("ASCEND_HOME_PATH", raising=False)
    yield tmp_path
    for name in [name for name in sys.modules if name.startswith("asc_op_compile_base")]:
        del sys.modules[name]


def leaf(options=OPTIONS, name="my_op_0af3", **more):
    """The call as the toolkit's generated wrapper makes it."""
    info = SimpleNamespace(kernel_name=name, op_type="MyOp", inputs=[], outputs=[])
    return pypto_compile_op("my_op.py", "my_op", info, options, -1, None, more)


def test_artefacts_lie_flat_under_the_name_that_was_asked_for(project):
    path = leaf()
    meta = project / "kernel_meta"
    assert path == str(meta / "my_op_0af3.json")
    assert sorted(p.name for p in meta.iterdir() if p.is_file()) == [
        "my_op_0af3.json", "my_op_0af3.o", "my_op_0af3_mix_aiv_0.o", "my_op_0af3_mix_aiv_2.o",
    ]  # fmt: skip
    told = json.loads((meta / "my_op_0af3.json").read_text())
    assert (told["binFileName"], told["kernel_type"], told["keys"]) == ("my_op_0af3", "AIV_ONLY", [0, 2])
    assert told["dtypes"] == [{"t": "INT32"}]
    from asc_op_compile_base.common.context import get_context

    assert get_context().results == {"json_file_path": path}


def test_the_keys_that_the_build_asks_for(project):
    path = leaf(customized_tiling_key_list=["2"])
    with open(path) as stream:  # noqa: PTH123 - the path is a string, as the toolkit takes it
        assert json.load(stream)["keys"] == [2]


def test_without_the_toolkits_package(project, monkeypatch):
    monkeypatch.setattr(sys, "path", [p for p in sys.path if not p.endswith("toolkit")])
    assert leaf(customized_tiling_key_list=[0]).endswith("my_op_0af3.json")


@pytest.mark.parametrize(
    ("options", "code"),
    [
        (OPTIONS[:2], "PTO2028"),
        ([], "PTO2028"),
        (["-DORIG_DTYPE_X=DT_STRING", "-DORIG_DTYPE_Y=DT_INT32"], "PTO2029"),
        (["-DORIG_DTYPE_X=DT_FLOAT", "-DORIG_DTYPE_Y=DT_INT32"], "PTO2030"),
    ],
)
def test_element_types_that_do_not_fit(project, options, code):
    with pytest.raises(DiagnosticError, match=code):
        leaf(options)
    assert not (project / "kernel_meta").exists()


@pytest.mark.parametrize("keys", [[1], [4], [0, 99]])
def test_keys_that_are_none(project, keys):
    with pytest.raises(DiagnosticError, match=r"PTO2031.*no valid key of `Key`"):
        leaf(customized_tiling_key_list=keys)
    assert not (project / "kernel_meta").exists()


def test_a_file_that_is_not_there_and_a_name_that_leaves_the_folder(project):
    with pytest.raises(DiagnosticError, match="PTO2031"):
        pypto_compile_op("other.py", "my_op", {"kernel_name": "my_op"}, OPTIONS)
    with pytest.raises(DiagnosticError, match="PTO2001"):
        leaf(name="../my_op")
    (project / "my_op.py").write_text(KERNEL.replace(", workspace: pl.Ptr[pl.DT_UINT8]", ""))
    with pytest.raises(DiagnosticError, match="PTO2023"):
        leaf()
    assert not (project / "kernel_meta").exists()


def test_keys_of_different_types_are_not_put_into_the_package(project):
    branch = KERNEL.replace(
        KERNEL[KERNEL.index("    with pl.section_vector") :],
        "    v = pl.make_tensor(pl.make_ptr(y, dtype=t), [8])\n    if A == 5:\n        with pl.section_cube():\n"
        "            pl.setval(v, 0, 1)\n    else:\n        with pl.section_vector():\n            pl.setval(v, 0, 2)\n",
    )
    (project / "my_op.py").write_text(branch)
    with pytest.raises(DiagnosticError, match=r"PTO2027.*AIC_ONLY: key 0; AIV_ONLY: key 2"):
        leaf()
    assert not (project / "kernel_meta" / "my_op_0af3.json").exists()


def test_every_element_type_is_one_of_the_language():
    from ptopro.language import dtypes

    assert all(isinstance(getattr(dtypes, name), dtypes.DType) for name in DTYPES.values())
