"""Finding a compiler: the named one or none, else the first usable one; and what is said when there is none."""

import stat

import pytest

from ptopro.build import toolchain
from ptopro.build.toolchain import find_compiler
from ptopro.diagnostics import DiagnosticError

GCC = "g++ (Debian 12.2.0-14+deb12u1) 12.2.0"
CLANG = "Debian clang version 19.1.7 (3+b1)"


@pytest.fixture(autouse=True)
def environment(tmp_path, monkeypatch):
    monkeypatch.setenv("PTOPRO_CACHE_DIR", str(tmp_path / "cache"))
    toolchain._probe.cache_clear()
    yield
    toolchain._probe.cache_clear()


@pytest.fixture
def program(tmp_path):
    """Make a program that prints a version."""

    def make(name, version, status=0):
        folder = tmp_path / "bin"
        folder.mkdir(exist_ok=True)
        path = folder / name
        path.write_text(f"#!/bin/sh\necho '{version}'\necho x >> {tmp_path}/asked\nexit {status}\n")
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        return str(path)

    return make


@pytest.fixture
def no_wheel(monkeypatch):
    find = toolchain.importlib.util.find_spec
    monkeypatch.setattr(toolchain.importlib.util, "find_spec", lambda n: None if n == "ziglang" else find(n))


def refused(environment):
    with pytest.raises(DiagnosticError) as error:
        find_compiler(environment)
    return error.value.diagnostics[0]


def test_gxx_comes_before_clang(program, tmp_path):
    program("clang++", CLANG)
    gcc = program("g++", GCC)
    found = find_compiler({"PATH": str(tmp_path / "bin")})
    assert (found.command, found.kind, found.major) == ((gcc,), "gcc", 12)


def test_clang_serves_where_gxx_is_too_old(program, tmp_path):
    program("g++", "g++ (GCC) 9.4.0")
    clang = program("clang++", CLANG)
    found = find_compiler({"PATH": str(tmp_path / "bin")})
    assert (found.command, found.kind, found.major) == ((clang,), "clang", 19)


@pytest.mark.parametrize("variable", ["CXX", "PTOPRO_CXX"])
def test_a_named_compiler_is_the_one_that_is_used(program, tmp_path, variable):
    program("g++", GCC)
    mine = program("mine", CLANG)
    assert find_compiler({"PATH": str(tmp_path / "bin"), variable: mine}).command == (mine,)


def test_ptopro_cxx_comes_before_cxx(program):
    one, two = program("one", GCC), program("two", CLANG)
    assert find_compiler({"CXX": one, "PTOPRO_CXX": two}).command == (two,)


def test_a_named_compiler_may_have_a_launcher(program):
    launcher, gcc = program("ccache", GCC), program("g++", GCC)
    assert find_compiler({"CXX": f"{launcher} {gcc}"}).command == (launcher, gcc)


@pytest.mark.parametrize(
    ("version", "status", "reason"),
    [("g++ (GCC) 9.4.0", 0, "too old"), (GCC, 1, "status 1"), ("strange", 0, "not understood")],
)
def test_a_named_compiler_that_will_not_do_is_refused(program, version, status, reason):
    program("g++", GCC)
    found = refused({"CXX": program("mine", version, status)})
    assert found.code == "PTO1702"
    assert reason in found.message


def test_a_named_compiler_that_is_not_there_is_refused():
    found = refused({"CXX": "/nowhere/g++"})
    assert found.code == "PTO1702"
    assert "no such program" in found.message


def test_no_compiler_at_all_names_the_wheel(program, tmp_path, no_wheel):
    program("g++", "g++ (GCC) 9.4.0")
    found = refused({"PATH": str(tmp_path / "bin")})
    assert found.code == "PTO1701"
    assert "pip install ptopro[compiler]" in found.help
    assert any("too old" in note for note in found.notes)


def test_the_zig_wheel_serves_last(program, tmp_path, monkeypatch):
    monkeypatch.setattr(toolchain.importlib.util, "find_spec", lambda name: object())
    monkeypatch.setattr(toolchain, "_ask", lambda c: toolchain.Compiler(c, "zig", 18, "clang version 18.1.0"))
    found = find_compiler({"PATH": str(tmp_path)})
    assert found.command[1:] == ("-m", "ziglang", "c++")


def test_a_compiler_is_asked_once_for_all_processes(program, tmp_path):
    gcc = program("g++", GCC)
    find_compiler({"CXX": gcc})
    toolchain._probe.cache_clear()
    find_compiler({"CXX": gcc})
    assert (tmp_path / "asked").read_text().count("x") == 1


def test_another_compiler_under_the_same_name_is_asked_again(program):
    gcc = program("g++", GCC)
    find_compiler({"CXX": gcc})
    toolchain._probe.cache_clear()
    program("g++", "g++ (Debian 13.1.0) 13.1.0 ")
    assert find_compiler({"CXX": gcc}).major == 13


@pytest.mark.parametrize(
    ("line", "kind", "major"),
    [
        ("g++ (Ubuntu 11.4.0-1ubuntu1~22.04) 11.4.0", "gcc", 11),
        ("g++ (GCC) 14.2.1 20250110 (Red Hat 14.2.1-7)", "gcc", 14),
        ("Apple clang version 15.0.0 (clang-1500.3.9.4)", "clang", 15),
        ("clang version 18.1.3", "clang", 18),
    ],
)
def test_versions_are_read(program, line, kind, major):
    found = find_compiler({"CXX": program("cxx", line)})
    assert (found.kind, found.major) == (kind, major)
