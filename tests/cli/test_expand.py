"""`ptopro expand`: what it writes, prints and compares."""

import io
import os
import sys

from conftest import KERNEL

TARGET = "build/kernel/double/pipeline_generated.py"


def test_the_expanded_file_is_written_where_it_belongs(ptopro, folder):
    result = ptopro("expand", "kernel.py")
    assert (result.code, result.out, result.err) == (0, f"{TARGET}\n", "")
    text = (folder / TARGET).read_text()
    assert "mutex_lock" in text
    compile(text, TARGET, "exec")
    assert (folder / "build/kernel/double/.map.json").exists()


def test_quiet_prints_nothing(ptopro):
    assert ptopro("expand", "kernel.py", "-q") == ptopro("expand", "kernel.py", "--quiet")
    assert ptopro("expand", "kernel.py", "-q").out == ""


def test_an_unchanged_result_keeps_its_time(ptopro, folder):
    ptopro("expand", "kernel.py")
    os.utime(folder / TARGET, (1, 1))
    ptopro("expand", "kernel.py")
    assert (folder / TARGET).stat().st_mtime == 1
    assert "(unchanged)" in ptopro("expand", "kernel.py", "-v").out


def test_stdout_and_stdin(ptopro, folder, monkeypatch):
    text = ptopro("expand", "kernel.py", "--stdout").out
    assert text.startswith("import ptopro.language as pl\n")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(KERNEL.encode())))
    assert ptopro("expand", "-", "--stdout").out == text
    assert not (folder / "build").exists()


def test_stdin_goes_to_a_folder_of_its_own(ptopro, folder, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(KERNEL.encode())))
    assert ptopro("expand", "-").out == "build/stdin/double/pipeline_generated.py\n"


def test_diff_shows_what_is_added(ptopro, folder):
    out = ptopro("expand", "kernel.py", "--diff").out
    assert out.startswith("--- kernel.py\n+++ kernel/double/pipeline_generated.py\n@@")
    added = [line for line in out.splitlines() if line.startswith("+") and "mutex_lock" in line]
    assert added
    assert not (folder / "build").exists()


def test_check_finds_missing_and_stale_files(ptopro, folder):
    missing = ptopro("expand", "kernel.py", "--check", "--message-format=short")
    assert missing.code == 1
    assert "PTO1908" in missing.err and "not there" in missing.err
    ptopro("expand", "kernel.py")
    assert ptopro("expand", "kernel.py", "--check").code == 0
    (folder / "kernel.py").write_text(KERNEL.replace("2.0", "3.0"))
    stale = ptopro("expand", "kernel.py", "--check", "--message-format=short")
    assert stale.code == 1
    assert "PTO1908" in stale.err and "changed" in stale.err
    assert "3.0" not in (folder / TARGET).read_text()


def test_auto_leaves_the_locks_to_the_next_stage(ptopro):
    assert "mutex_lock" not in ptopro("expand", "kernel.py", "--stdout", "--mutex=auto").out


def test_coalescing_can_be_turned_off(ptopro):
    with_ = ptopro("expand", "kernel.py", "--stdout").out
    without = ptopro("expand", "kernel.py", "--stdout", "--no-coalesce").out
    assert without.count("mutex_lock") >= with_.count("mutex_lock")


def test_a_depfile_lists_every_sibling(ptopro, folder):
    (folder / "sizes.py").write_text("ROWS = 8\n")
    (folder / "kernel.py").write_text(KERNEL.replace("ROWS = 8\n", "from sizes import ROWS\n"))
    assert ptopro("expand", "kernel.py", "-M").code == 0
    text = (folder / "build/kernel/double/double.d").read_text()
    assert text == f"{TARGET}: kernel.py sizes.py\nsizes.py:\n"


def test_one_kernel_of_several(ptopro, folder):
    (folder / "kernel.py").write_text(KERNEL + KERNEL[KERNEL.index("@pl.jit") :].replace("double", "again"))
    assert len(ptopro("expand", "kernel.py").out.splitlines()) == 2
    assert ptopro("expand", "kernel.py", "--kernel", "again").out == "build/kernel/again/pipeline_generated.py\n"
    several = ptopro("expand", "kernel.py", "--stdout")
    assert several.code == 2
    assert "choose it with --kernel: double, again" in several.err


def test_timings_go_to_standard_error(ptopro):
    result = ptopro("expand", "kernel.py", "--timings", "-q")
    assert result.out == ""
    assert "expand" in result.err and "ms" in result.err
