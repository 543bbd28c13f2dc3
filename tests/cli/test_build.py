"""`ptopro build`: libraries in the build directory, hand edits, failures of the toolchain."""

import os
import shutil
import subprocess
import sys

import pytest
from conftest import KERNEL

FOLDER = "build/kernel/double"


def test_a_library_is_built_beside_its_sources(ptopro, folder):
    result = ptopro("build", "kernel.py")
    assert result.code == 0, result.err
    assert result.out.splitlines()[-1] == f"{FOLDER}/double.so"
    assert (folder / FOLDER / "double.so").read_bytes()[:4] == b"\x7fELF"


def test_a_folder_is_built_as_it_is(ptopro, folder):
    """kernel.cpp may be edited by hand between codegen and build."""
    ptopro("build", "kernel.py", "-q")
    before = (folder / FOLDER / "double.so").read_bytes()
    path = folder / FOLDER / "kernel.cpp"
    path.write_text(path.read_text().replace("2.0", "3.0"))
    result = ptopro("build", FOLDER)
    assert (result.code, result.out) == (0, f"{FOLDER}/double.so\n")
    assert (folder / FOLDER / "double.so").read_bytes() != before
    assert "3.0" in path.read_text()


def test_several_kernels_and_files(ptopro, folder):
    (folder / "other.py").write_text(KERNEL + KERNEL[KERNEL.index("@pl.jit") :].replace("double", "again"))
    result = ptopro("build", "kernel.py", "other.py", "-j2")
    assert result.code == 0, result.err
    built = sorted(line for line in result.out.splitlines() if line.endswith(".so"))
    assert built == ["build/kernel/double/double.so", "build/other/again/again.so", "build/other/double/double.so"]


def test_a_compiler_error_is_a_toolchain_failure_at_its_line(ptopro, folder):
    ptopro("codegen", "kernel.py", "-q")
    path = folder / FOLDER / "kernel.cpp"
    path.write_text(path.read_text().replace("TLOAD(", "TLOAD((", 1))
    result = ptopro("build", FOLDER)
    assert result.code == 3
    assert "error[PTO1710]" in result.err
    assert "kernel.py:13" in result.err
    assert not (folder / FOLDER / "double.so").exists()
    assert (folder / FOLDER / "compiler.log").exists()


def test_without_a_compiler_it_says_how_to_get_one(ptopro, monkeypatch):
    monkeypatch.setenv("CXX", "/nowhere/g++")
    result = ptopro("build", "kernel.py")
    assert result.code == 3
    assert "error[PTO1702]" in result.err


def test_the_serial_mode_is_built_apart(ptopro, folder):
    ptopro("build", "kernel.py", "-q")
    plain = (folder / FOLDER / "kernel.cpp").read_text()
    assert ptopro("build", "kernel.py", "--serial", "-q").code == 0
    assert "PTOPRO_TURN" in (folder / FOLDER / "kernel.cpp").read_text()
    assert "PTOPRO_TURN" not in plain


def test_an_unchanged_library_keeps_its_time(ptopro, folder):
    ptopro("build", "kernel.py", "-q")
    os.utime(folder / FOLDER / "double.so", (1, 1))
    ptopro("build", "kernel.py", "-q")
    assert (folder / FOLDER / "double.so").stat().st_mtime == 1


def test_a_folder_without_launcher(ptopro, folder):
    (folder / "half").mkdir()
    (folder / "half" / "kernel.cpp").write_text("")
    result = ptopro("build", "half")
    assert result.code == 1
    assert "PTO1901" in result.err and "launcher.cpp" in result.err


def stages_of(folder, *arguments):
    """Build in a new process; the stages it had to import."""
    program = (
        "import sys; from ptopro.cli.main import main; code = main(sys.argv[1:])\n"
        "print([name for name in ('ptopro.frontend.source', 'ptopro.lowering.kernel') if name in sys.modules]); sys.exit(code)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, "build", *arguments, "-q"],
        cwd=folder, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_an_unchanged_file_is_built_from_the_cache_alone(folder):
    (folder / "sizes.py").write_text("ROWS = 8\n")
    text = KERNEL.replace("ROWS = 8\n", "from sizes import ROWS\n")
    (folder / "kernel.py").write_text(f"{text}\n# {folder}: a text that no cache has\n")
    everything = stages_of(folder, "kernel.py")
    assert "lowering" in everything
    library = folder / FOLDER / "double.so"
    library.unlink()
    assert stages_of(folder, "kernel.py") == "[]"
    assert library.exists()
    (folder / "sizes.py").write_text("ROWS = 16\n")
    assert stages_of(folder, "kernel.py") == everything
    assert stages_of(folder, "kernel.py") == "[]"
    for option in ("--no-coalesce", "--serial", "--preload=1", "--kernel=double"):
        assert stages_of(folder, "kernel.py", option) == everything


def test_a_file_that_reads_the_environment_is_built_for_it(folder, monkeypatch):
    text = KERNEL.replace("ROWS = 8\n", 'import os\nROWS = int(os.environ.get("KERNEL_ROWS", "8"))\n')
    (folder / "kernel.py").write_text(f"{text}\n# {folder}: a text that no cache has\n")
    everything = stages_of(folder, "kernel.py")
    assert stages_of(folder, "kernel.py") == "[]"
    monkeypatch.setenv("KERNEL_ROWS", "16")
    assert stages_of(folder, "kernel.py") == everything


def test_warnings_are_shown_each_time(ptopro, monkeypatch):
    """Results that came with a diagnostic are not remembered."""
    from ptopro.cli import codegen
    from ptopro.diagnostics import make

    plain = codegen.generate

    def with_warning(session, file, **options):
        session.reporter.show([make("PTO1915", kernel="other", reason="no reason")])
        return plain(session, file, **options)

    monkeypatch.setattr(codegen, "generate", with_warning)
    for _ in range(2):
        result = ptopro("build", "kernel.py", "--kernel", "double")
        assert result.code == 0
        assert "warning[PTO1915]" in result.err


def test_a_launcher_that_is_missing(ptopro, folder, monkeypatch):
    monkeypatch.setenv("PATH", str(folder))
    monkeypatch.setenv("PTOPRO_CXX", shutil.which("g++", path=os.defpath) or "c++")
    result = ptopro("build", "kernel.py", "--launcher", "icecc")
    assert result.code == 3
    assert "error[PTO1715]" in result.err


def test_a_launcher_runs_every_compile(ptopro, folder, monkeypatch):
    """A program called ccache that notes what it was asked for."""
    (folder / "ccache").write_text(f'#!/bin/sh\necho "$*" >> {folder}/log\nexec "$@"\n')
    (folder / "ccache").chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")
    assert ptopro("build", "kernel.py", "--launcher", "ccache", "-q").code == 0
    (line,) = (folder / "log").read_text().splitlines()
    assert "launcher.cpp" in line and "prelude" not in line


def test_a_compile_that_takes_too_long(ptopro, folder, monkeypatch):
    if shutil.which("timeout") is None:
        pytest.skip("there is no timeout")
    monkeypatch.setenv("PTOPRO_COMPILE_TIMEOUT", "0.01")
    text = KERNEL.replace("def double", "def impatient")
    (folder / "kernel.py").write_text(text)
    result = ptopro("build", "kernel.py", "-q")
    assert result.code == 3
    assert "error[PTO1713]" in result.err and "impatient" in result.err
