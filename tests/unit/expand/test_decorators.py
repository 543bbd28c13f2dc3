"""The kernel's decorator says auto_mutex=False afterwards; nothing else of it changes."""

from __future__ import annotations

import pytest
from expand_kernels import codes, expanded, vector_kernel

TEXT = vector_kernel("t = a.next()\npl.load(t, x, [0, 0])\npl.store(y, t, [0, 0])")
GIVEN = "@pl.jit(auto_mutex=True)"

FORMS = {
    "no call": ("@pl.jit", "@pl.jit(auto_mutex=False)"),
    "empty call": ("@pl.jit()", "@pl.jit(auto_mutex=False)"),
    "other options": ('@pl.jit(arch="a5")', '@pl.jit(arch="a5", auto_mutex=False)'),
    "trailing comma": (
        '@pl.jit(\n    arch="a5",  # chip\n)',
        '@pl.jit(\n    arch="a5", auto_mutex=False,  # chip\n)',
    ),
    "value in parentheses": ('@pl.jit(arch=("a5"))', '@pl.jit(arch=("a5"), auto_mutex=False)'),
    "several lines": (
        '@pl.jit(\n    auto_mutex=True,\n    arch="a5",\n)',
        '@pl.jit(\n    auto_mutex=False,\n    arch="a5",\n)',
    ),
    "by a module's name": ("LOCKS = True\n@pl.jit(auto_mutex=LOCKS)", "LOCKS = True\n@pl.jit(auto_mutex=False)"),
    "out of a dict": (
        'OPTIONS = {"auto_mutex": True}\n@pl.jit(**OPTIONS)',
        'OPTIONS = {"auto_mutex": True}\n@pl.jit(**{**OPTIONS, "auto_mutex": False})',
    ),
    "stacked": (
        "def host(f): return f\n\n@host\n@pl.jit(auto_mutex=True)",
        "def host(f): return f\n\n@host\n@pl.jit(auto_mutex=False)",
    ),
    "pl.kernel": ("@pl.kernel", "@pl.kernel(auto_mutex=False)"),
    "comment behind": ("@pl.jit  # a kernel", "@pl.jit(auto_mutex=False)  # a kernel"),
}


@pytest.mark.parametrize("name", FORMS)
def test_forms_of_the_decorator(name: str) -> None:
    before, after = FORMS[name]
    result = expanded(TEXT.replace(GIVEN, before)).text
    assert after in result
    rest = "\n".join(
        line for line in result.replace(after, before).split("\n") if "# lock:" not in line and "# unlock:" not in line
    )
    assert rest == TEXT.replace(GIVEN, before)
    assert expanded(result).text == result


ALIASES = {
    "another alias": ("import pypto_pro.language as pl", "import pypto_pro.language as p", "p."),
    "from import": ("import pypto_pro.language as pl", "from pypto_pro import language as L", "L."),
    "own name": ("import pypto_pro.language as pl", "import ptopro.language as pl", "pl."),
    "dotted": ("import pypto_pro.language as pl", "import pypto_pro.language", "pypto_pro.language."),
}


@pytest.mark.parametrize("name", ALIASES)
def test_lines_use_the_file_s_own_name_of_the_language(name: str) -> None:
    old, new, prefix = ALIASES[name]
    text = TEXT.replace("pl.", prefix).replace(old.replace("pl.", prefix), new)
    result = expanded(text).text
    assert f"{prefix}system.mutex_lock(pipe={prefix}PipeType.MTE2, tile=t)" in result
    assert result.count("import") == text.count("import")


def test_a_file_that_imports_names_only_gets_an_import() -> None:
    text = TEXT.replace(
        "import pypto_pro.language as pl\n",
        '"""A kernel."""\nfrom __future__ import annotations\nfrom pypto_pro.language import (DYNAMIC, DT_FP32, DT_INT32, Tensor, TileType, MemorySpace, jit, load, '
        "store, make_tile_group, section_vector)\n",
    )
    result = expanded(text.replace("pl.", "")).text
    assert (
        "from __future__ import annotations\nimport ptopro.language as _pl_language\nfrom pypto_pro.language import"
        in result
    )
    assert "_pl_language.system.mutex_lock(pipe=_pl_language.PipeType.MTE2, tile=t)" in result
    assert expanded(result).text == result


def test_a_decorator_made_elsewhere_cannot_be_edited() -> None:
    text = TEXT.replace(GIVEN, "KERNEL = pl.jit(auto_mutex=True)\n\n\n@KERNEL")
    assert codes(text) == ["PTO1513"]


def test_kernels_of_one_file_are_expanded_one_at_a_time() -> None:
    second = "\n\n" + TEXT.split("D = pl.DYNAMIC\n\n")[1].replace("def k(", "def k2(")
    text = TEXT + second
    first = expanded(text, kernel="k").text
    assert first.endswith(second)
    assert expanded(text, kernel="k2").text.startswith(TEXT)
    assert first.count("mutex_lock(") == 2
