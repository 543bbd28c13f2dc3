"""compile_commands.json, and gdb at a line of the kernel."""

import json
import os
import shutil
import subprocess
import sys

import pytest
from conftest import KERNEL, PROGRAM

LINE = 1 + KERNEL.splitlines().index("            pl.mul(cur, cur, 2.0)")


def test_compile_commands_compile(ptopro, folder):
    assert ptopro("build", "kernel.py").code == 0
    out = folder / "build/kernel/double"
    entries = json.loads((out / "compile_commands.json").read_text())
    assert [entry["file"] for entry in entries] == ["launcher.cpp", "kernel.cpp"]
    for entry in entries:
        command = [*entry["arguments"], "-fsyntax-only"]
        done = subprocess.run(command, cwd=entry["directory"], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr


@pytest.mark.skipif(shutil.which("gdb") is None, reason="gdb is not installed")
def test_gdb_stops_at_a_line_of_the_kernel(folder):
    (folder / "program.py").write_text(PROGRAM)
    stop = ["set breakpoint pending on", f"break program.py:{LINE}", "run", "backtrace 1", "info locals", "kill"]
    command = ["gdb", "-batch", "-nx", *(word for each in stop for word in ("-ex", each)), "--args"]
    program = [sys.executable, "-m", "ptopro", "run", "program.py"]
    env = {**os.environ, "PTOPRO_DEBUG": "1", "PTOPRO_THREADS": "1", "DEBUGINFOD_URLS": ""}
    done = subprocess.run(
        [*command, *program], cwd=folder, env=env, capture_output=True, text=True, timeout=120, check=False
    )
    assert f"program.py:{LINE}" in done.stdout, done.stdout + done.stderr
    assert f"{LINE}\t            pl.mul(cur, cur, 2.0)" in done.stdout
    assert "ptopro_vector::double" in done.stdout
