"""Sibling files are read like the kernel file itself; nothing else is."""

from __future__ import annotations

from pathlib import Path

import pytest
from frontend_files import HEADER, KERNEL, evaluate, refusal

from ptopro.diagnostics.core import Sink
from ptopro.frontend.source import load_module


def project(folder: Path, **files: str):
    """Write files (`pkg_inner` is pkg/inner.py, `pkg_` its __init__.py) and read main.py: module and diagnostics."""
    for name, text in files.items():
        package, _, inner = name.rpartition("_")
        path = folder / package / f"{inner or '__init__'}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    sink = Sink()
    return load_module(str(folder / "main.py"), sink=sink), sink.diagnostics


@pytest.mark.parametrize(
    ("statement", "expression"),
    [
        ("import sizes", "sizes.M"),
        ("import sizes as s", "s.M"),
        ("from sizes import M as m", "m"),
        ("from sizes import *", "M"),
        ("import pkg.inner", "pkg.inner.M"),
        ("from pkg import inner", "inner.M"),
        ("from pkg.inner import M", "M"),
        ("from pkg import again", "again"),
    ],
)
def test_ways_to_import_a_sibling(tmp_path, statement, expression):
    module, found = project(
        tmp_path,
        main=HEADER + statement + KERNEL,
        sizes="M = 48\n",
        pkg_inner="M = 48\n",
        pkg_="from .inner import M as again\n",
    )
    assert found == []
    assert evaluate(module.kernel("k"), expression) == 48


def test_helpers_keep_the_names_of_their_own_file(tmp_path):
    module, found = project(
        tmp_path,
        main=HEADER + "from helpers import scaled\nFACTOR = 100\n" + KERNEL,
        helpers="FACTOR = 2\ndef scaled(n):\n    return n * FACTOR\n",
    )
    assert found == []
    assert evaluate(module.kernel("k"), "scaled(4)") == 8


def test_files_that_were_read_are_listed_for_depfiles(tmp_path):
    module, _ = project(tmp_path, main="import a\n", a="import b\nX = b.Y\n", b="Y = 1\n")
    assert [Path(s.path).name for s in module.siblings] == ["a.py", "b.py"]


def test_circular_imports_end(tmp_path):
    module, found = project(tmp_path, main="import a\nX = a.Z\n", a="import b\nZ = 3\n", b="import a\nW = a.Z\n")
    assert found == []
    assert module.value("X") == 3


def test_names_that_a_sibling_lacks(tmp_path):
    module, _ = project(tmp_path, main=HEADER + "from sizes import TILE_N\n" + KERNEL, sizes="TILE_M = 1\n")
    error = refusal(module.kernel("k"), "TILE_N")
    assert error.diagnostic.code == "PTO1108" and error.diagnostic.help == "did you mean 'TILE_M'?"


def test_errors_of_a_sibling_point_into_it(tmp_path):
    module, found = project(tmp_path, main=HEADER + "import broken\n" + KERNEL, broken="x = (\n")
    assert [(d.code, Path(d.span.file).name) for d in found] == [("PTO1005", "broken.py")]
    assert "cannot be read" in refusal(module.kernel("k"), "broken.x").reason


def test_a_file_in_a_package_imports_from_the_package_root(tmp_path):
    for name in ("pkg/__init__.py", "pkg/kernels/__init__.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("")
    (tmp_path / "pkg/common.py").write_text("M = 5\n")
    (tmp_path / "pkg/kernels/main.py").write_text("from pkg.common import M\nfrom ..common import M as N\n")
    sink = Sink()
    module = load_module(str(tmp_path / "pkg/kernels/main.py"), sink=sink)
    assert (module.value("M"), module.value("N")) == (5, 5)


def test_only_regular_files_are_read(tmp_path):
    import os

    os.mkfifo(tmp_path / "pipe.py")
    (tmp_path / "folder.py").mkdir()
    module, found = project(tmp_path, main=HEADER + "import pipe, folder\n" + KERNEL)
    assert found == []
    assert "import of 'pipe'" in refusal(module.kernel("k"), "pipe.x").reason


def test_a_kernel_of_an_imported_factory(tmp_path):
    module, found = project(
        tmp_path,
        main="from lib import mk\nk = mk(32)\n",
        lib=HEADER
        + "def mk(n):\n    @pl.jit\n    def made(a: pl.Tensor[[n], pl.DT_FP16]):\n        pass\n    return made\n",
    )
    assert found == []
    (kernel,) = module.kernels
    assert kernel.parameters[0].annotation.dims == (32,)
    assert Path(kernel.module.path).name == "lib.py"


def test_kernels_of_siblings_are_not_the_file_s_own(tmp_path):
    module, _ = project(tmp_path, main="from lib import k\n", lib=HEADER + KERNEL)
    assert module.kernels == ()
