"""The headers that kernel.cpp includes: every form compiles without a warning, plain mistakes do not compile."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from ptopro.build import commands
from ptopro.build.toolchain import find_compiler

HERE = Path(__file__).parent

WRONG = {
    "each row of a row-major tile must be a multiple of 32 bytes": "Tile<TileType::Vec, float, 4, 7> t;",
    "each column of a column-major tile must be a multiple of 32 bytes": (
        "Tile<TileType::Vec, float, 7, 4, BLayout::ColMajor> t;"
    ),
    "the valid shape of a tile is at most its shape": "Tile<TileType::Vec, float, 8, 8, BLayout::RowMajor, 9, 8> t;",
    "the columns of a tile must fill whole fractals": (
        "Tile<TileType::Mat, half, 16, 24, BLayout::ColMajor, 16, 24, SLayout::RowMajor> t;"
    ),
    "the left operand of a matrix instruction is a Left tile": (
        "TileAcc<float, 16, 16> c; TileRight<half, 16, 16> b; TMATMUL(c, b, b);"
    ),
    "TLOAD fills Vec and Mat tiles": (
        "TileLeft<half, 16, 16> l; GlobalTensor<half, Shape<1, 1, 1, 16, 16>, Stride<1, 1, 1, 16, 1>> g; TLOAD(l, g);"
    ),
    "the scalar unit reads elements of Vec tiles only": "TileLeft<half, 16, 16> l; (void)l.GetValue(0);",
    "only dynamic axes can be set": (
        "GlobalTensor<half, Shape<1, 1, 1, 16, 16>, Stride<1, 1, 1, 16, 1>> g; g.SetShape<3>(4);"
    ),
    "the valid rows of this tile are fixed by its type": "Tile<TileType::Vec, float, 8, 8> t; t.SetValidShape(1, 1);",
    "the address of a tile must be a multiple of 32 bytes": "Tile<TileType::Vec, float, 8, 8> t; TASSIGN<8>(t);",
}


def compile_only(source: Path) -> subprocess.CompletedProcess[str]:
    compiler = find_compiler()
    options = [*commands.flags(compiler), "-Werror", "-fsyntax-only", "-I", str(commands.include_dir())]
    return subprocess.run([*compiler.command, *options, str(source)], capture_output=True, text=True, check=False)


def test_every_form_compiles_without_a_warning() -> None:
    done = compile_only(HERE / "header_forms.cpp")
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("text", WRONG)
def test_a_plain_mistake_is_named_by_the_compiler(tmp_path: Path, text: str) -> None:
    source = tmp_path / "wrong.cpp"
    source.write_text(f"#include <pto/pto-inst.hpp>\nusing namespace pto;\nvoid wrong() {{\n  {WRONG[text]}\n}}\n")
    done = compile_only(source)
    assert done.returncode != 0
    assert text in done.stderr
