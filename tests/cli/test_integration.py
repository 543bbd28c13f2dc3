"""The CMake package and the Makefile include, each in a small project of its own."""

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import KERNEL

from ptopro.build import commands

OTHER = KERNEL.replace("def double", "def other")
SIBLING = KERNEL.replace("ROWS = 8\n", "from sizes import ROWS\n")

CMAKE = """cmake_minimum_required(VERSION 3.20)
project(user LANGUAGES NONE)
find_package(ptopro REQUIRED PATHS {directory} NO_DEFAULT_PATH)
add_ptopro_library(double KERNEL kernels/kernel.py TOOLCHAIN sim)
add_ptopro_library(second OP other_op KERNEL kernels/other.py TOOLCHAIN sim JOBS 1)
get_target_property(manifest second PTOPRO_MANIFEST)
file(WRITE ${{CMAKE_BINARY_DIR}}/manifest.txt ${{manifest}})
"""
MAKE = """all: double other
include $(shell $(PTOPRO) config --make-include)
$(eval $(call ptopro_library,double,kernels/kernel.py,--toolchain sim))
$(eval $(call ptopro_library,other,kernels/other.py,--toolchain sim -j1))
"""


@pytest.fixture
def project(folder, monkeypatch):
    """A folder with two kernels, one of which imports a sibling, and the command `ptopro` on PATH."""
    (folder / "kernel.py").unlink()
    kernels = folder / "kernels"
    kernels.mkdir()
    (kernels / "kernel.py").write_text(SIBLING)
    (kernels / "sizes.py").write_text("ROWS = 8\n")
    (kernels / "other.py").write_text(OTHER)
    programs = folder / "bin"
    programs.mkdir()
    (programs / "ptopro").write_text(f'#!/bin/sh\nexec {shlex.join(commands.python_module("ptopro"))} "$@"\n')
    (programs / "ptopro").chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}:{os.environ['PATH']}")
    monkeypatch.setenv("PTOPRO", "ptopro")
    return folder


def run(*command, good=True):
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert (done.returncode == 0) == good, done.stdout + done.stderr
    return done.stdout + done.stderr


def stamps(root, *names):
    return [(root / f"{name}.stamp").stat().st_mtime_ns for name in names]


def only_the_first_is_made_again(project, root, names, build):
    """Touch the kernel, then the file that it imports: its release is made again, the other is not."""
    before = stamps(root, *names)
    build()
    assert stamps(root, *names) == before
    objects = next(root.glob("double/kernel_meta/*_0.o"))
    text = objects.read_bytes()
    (project / "kernels" / "kernel.py").touch()
    build()
    touched = stamps(root, *names)
    assert touched[0] > before[0] and touched[1] == before[1]
    assert objects.read_bytes() == text
    (project / "kernels" / "sizes.py").write_text("ROWS = 16\n")
    build()
    changed = stamps(root, *names)
    assert changed[0] > touched[0] and changed[1] == touched[1]
    assert objects.read_bytes() != text


@pytest.fixture
def cmake():
    found = shutil.which("cmake") or shutil.which("cmake", path=str(Path(sys.executable).parent))
    if found is None:
        pytest.skip("there is no cmake")
    return found


@pytest.mark.parametrize("generator", ["Ninja", "Unix Makefiles"])
def test_a_cmake_project(project, ptopro, cmake, generator, monkeypatch):
    from ptopro.build import ninja

    if generator != "Ninja" and shutil.which("make") is None:
        pytest.skip("there is no make")
    monkeypatch.setenv("PATH", f"{os.environ['PATH']}:{Path(ninja.program()).parent}")
    directory = ptopro("config", "--cmake-dir").out.strip()
    (project / "CMakeLists.txt").write_text(CMAKE.format(directory=directory))
    run(cmake, "-S", ".", "-B", "out", "-G", generator)
    run(cmake, "--build", "out")
    root = project / "out" / "ptopro"
    assert Path((project / "out/manifest.txt").read_text()) == root / "other_op/kernel_meta/other_op.json"
    assert (root / "other_op/kernel_meta/other_op.json").exists()
    only_the_first_is_made_again(project, root, ["double", "other_op"], lambda: run(cmake, "--build", "out"))


def test_wrong_cmake_arguments(project, ptopro, cmake):
    directory = ptopro("config", "--cmake-dir").out.strip()
    for words, problem in (("KERNEL nowhere.py", "there is no file"), ("", "names the kernel file"), ("X", "unknown")):
        text = CMAKE.format(directory=directory).replace(
            "double KERNEL kernels/kernel.py TOOLCHAIN sim", f"double {words}"
        )
        (project / "CMakeLists.txt").write_text(text)
        assert problem in run(cmake, "-S", ".", "-B", "out", good=False)


def test_a_makefile(project):
    if shutil.which("make") is None:
        pytest.skip("there is no make")
    (project / "Makefile").write_text(MAKE)
    run("make")
    assert (project / "build/other/kernel_meta/other.json").exists()
    only_the_first_is_made_again(project, project / "build", ["double", "other"], lambda: run("make"))


def test_a_failed_release_fails_the_build(project):
    if shutil.which("make") is None:
        pytest.skip("there is no make")
    (project / "Makefile").write_text(MAKE)
    (project / "kernels" / "other.py").write_text(OTHER.replace("pl.mul(", "pl.nothing("))
    assert "pl.nothing" in run("make", "-k", good=False)
    assert (project / "build/double.stamp").exists() and not (project / "build/other.stamp").exists()
