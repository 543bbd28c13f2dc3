"""The fingerprint of a kernel changes with everything its translation depends on, and with nothing else."""

import importlib
import linecache
import subprocess
import sys
import textwrap

import pytest

from ptopro.runtime import fingerprint as module
from ptopro.runtime.fingerprint import fingerprint

SOURCE = """
    import math
    from dataclasses import dataclass
    import sibling
    from sibling import helper

    N = 4
    UNUSED = 1
    TABLE = {"rows": [1, 2]}

    class Config:
        TILE = 64

    @dataclass
    class Options:
        depth: int = 2

    OPTIONS = Options()

    def local(x):
        return x + N

    def kernel(x: "list[WIDTH]", k=3):
        return local(x) * TABLE["rows"][0] + Config.TILE + OPTIONS.depth + helper(x) + sibling.SIZE + math.pi

    WIDTH = 128

    def factory(size):
        def inner(x):
            return x * size
        return inner
"""
SIBLING = """
    SIZE = 8
    OTHER = 9

    def helper(x):
        return x - SIZE
"""


@pytest.fixture
def load(tmp_path, monkeypatch):
    """Import the program afresh, with texts replaced."""
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)

    def load(old="", new="", sibling_old="", sibling_new=""):
        for name, text in (
            ("program", SOURCE.replace(old, new)),
            ("sibling", SIBLING.replace(sibling_old, sibling_new)),
        ):
            (tmp_path / f"{name}.py").write_text(textwrap.dedent(text))
            sys.modules.pop(name, None)
        importlib.invalidate_caches()
        linecache.clearcache()
        module._digest_of_file.cache_clear()
        module._is_users.cache_clear()
        return importlib.import_module("program")

    yield load
    for name in ("program", "sibling"):
        sys.modules.pop(name, None)


def test_the_same_program_has_the_same_fingerprint(load):
    assert fingerprint(load().kernel, {}) == fingerprint(load().kernel, {})


@pytest.mark.parametrize(
    ("name", "value"),
    [("N", 5), ("TABLE", {"rows": [1, 3]}), ("WIDTH", 64), ("local", lambda x: x)],
)
def test_a_changed_global_is_noticed(load, name, value):
    program = load()
    before = fingerprint(program.kernel, {})
    setattr(program, name, value)
    assert fingerprint(program.kernel, {}) != before


def test_a_global_that_is_not_used_is_no_matter(load):
    program = load()
    before = fingerprint(program.kernel, {})
    program.UNUSED = 2
    program.NEW = 3
    assert fingerprint(program.kernel, {}) == before


def test_changes_inside_values_are_noticed(load):
    program = load()
    seen = {fingerprint(program.kernel, {})}
    program.TABLE["rows"].append(3)
    seen.add(fingerprint(program.kernel, {}))
    program.Config.TILE = 32
    seen.add(fingerprint(program.kernel, {}))
    program.OPTIONS.depth = 3
    seen.add(fingerprint(program.kernel, {}))
    program.sibling.SIZE = 16
    seen.add(fingerprint(program.kernel, {}))
    assert len(seen) == 5


def test_changed_texts_are_noticed_in_every_file_that_is_reached(load):
    seen = {fingerprint(load().kernel, {})}
    seen.add(fingerprint(load("x + N", "x - N").kernel, {}))
    seen.add(fingerprint(load("def local(x):", "def local(x):  # moved").kernel, {}))
    seen.add(fingerprint(load("", "", "x - SIZE", "x * SIZE").kernel, {}))
    assert len(seen) == 4


def test_closures_are_told_apart(load):
    program = load()
    assert fingerprint(program.factory(1), {}) != fingerprint(program.factory(2), {})
    assert fingerprint(program.factory(1), {}) == fingerprint(program.factory(1), {})


def test_options_count(load):
    program = load()
    assert fingerprint(program.kernel, {"auto_mutex": True}) != fingerprint(program.kernel, {"auto_mutex": False})


def test_cycles_end(load):
    program = load()
    program.TABLE["self"] = program.TABLE
    assert fingerprint(program.kernel, {}) == fingerprint(program.kernel, {})


def test_another_process_computes_the_same(load, tmp_path):
    mine = fingerprint(load().kernel, {})
    program = (
        "import program; from ptopro.runtime.fingerprint import fingerprint; print(fingerprint(program.kernel, {}))"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-B", "-c", program],
            cwd=tmp_path, env={"PYTHONHASHSEED": seed, "PYTHONPATH": str(tmp_path)}, capture_output=True, text=True, check=True,
        ).stdout.strip()
        for seed in ("1", "2")
    }  # fmt: skip
    assert outputs == {mine}
