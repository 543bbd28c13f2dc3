"""The C++ of the samples and of cpp_kernels.py, as files; formatted, free of warnings, the same on every run."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from ptopro.codegen import Generated
from ptopro.codegen.driver import codegen_file
from ptopro.diagnostics import Sink
from ptopro.lowering.target import Target

ROOT = Path(__file__).parents[3]
HEADERS = ROOT / "ptopro" / "simulator" / "include"
FILES = {
    path.stem: path
    for path in [*sorted((ROOT / "samples").glob("*.py")), Path(__file__).parent / "cpp_kernels.py"]
    if path.stem != "reporting"
}
FORMATTER = shutil.which("clang-format") or str(ROOT / ".venv" / "bin" / "clang-format")


@cache
def generated(stem: str) -> tuple[Generated, ...]:
    sink = Sink()
    found = tuple(codegen_file(str(FILES[stem].relative_to(ROOT)), FILES[stem].read_text(), sink=sink))
    assert not sink.has_errors, sink.diagnostics
    assert found
    return found


@pytest.fixture(autouse=True)
def in_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


@pytest.mark.parametrize("stem", sorted(FILES))
def test_kernel_text(stem: str, golden: Callable[[str, str], None]) -> None:
    for kernel in generated(stem):
        golden(f"codegen/{stem}/{kernel.kernel}/kernel.cpp", kernel.files["kernel.cpp"])


def test_kernel_text_for_a3(golden: Callable[[str, str], None]) -> None:
    """Locks are flags between pipes there, and flags between cores go through FFTS."""
    (kernel,) = codegen_file("samples/matmul_relu_gm.py", target=Target(chip="a3"))
    golden("codegen/matmul_relu_gm/matmul_relu_gm/kernel_a3.cpp", kernel.files["kernel.cpp"])


def test_launcher_text(golden: Callable[[str, str], None]) -> None:
    (kernel,) = generated("matmul_softmax")
    golden("codegen/matmul_softmax/matmul_softmax/launcher.cpp", kernel.files["launcher.cpp"])


@pytest.mark.parametrize("stem", sorted(FILES))
def test_the_text_is_the_same_on_every_run(stem: str) -> None:
    again = codegen_file(str(FILES[stem].relative_to(ROOT)), FILES[stem].read_text())
    assert [kernel.files for kernel in again] == [kernel.files for kernel in generated(stem)]


@pytest.mark.skipif(not Path(FORMATTER).exists(), reason="needs clang-format")
@pytest.mark.parametrize("stem", sorted(FILES))
def test_a_formatter_changes_nothing(stem: str) -> None:
    for kernel in generated(stem):
        for name in ("kernel.cpp", "launcher.cpp"):
            text = kernel.files[name]
            command = [FORMATTER, f"--style=file:{ROOT / '.clang-format'}"]
            done = subprocess.run(command, input=text, capture_output=True, text=True, check=True)
            assert done.stdout == text


@pytest.mark.skipif(shutil.which("g++") is None, reason="needs a C++ compiler")
@pytest.mark.parametrize("stem", sorted(FILES))
def test_a_compiler_has_nothing_to_say(stem: str, tmp_path: Path) -> None:
    for kernel in generated(stem):
        folder = tmp_path / kernel.kernel
        folder.mkdir()
        for name, text in kernel.files.items():
            (folder / name).write_text(text)
        flags = ["-std=c++20", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", f"-I{HEADERS}", "-DPTOPRO_SIMULATOR"]
        done = subprocess.run(["g++", *flags, "launcher.cpp"], cwd=folder, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("stem", sorted(FILES))
def test_every_statement_names_its_line(stem: str) -> None:
    """The line map leads from each generated statement to a line of the author's file."""
    lines = FILES[stem].read_text().splitlines()
    for kernel in generated(stem):
        text = kernel.files["kernel.cpp"].splitlines()
        for number, (path, line) in kernel.line_map.lines:
            assert path == str(FILES[stem].relative_to(ROOT)) and 0 < line <= len(lines)
            comment = text[number - 1].rpartition("// ")[2]
            if comment.startswith(f"{FILES[stem].name}:"):
                assert comment == f"{FILES[stem].name}:{line}"
