"""The build cache: one build per key, nothing half-built, damage is repaired, builders wait for each other."""

import signal
import subprocess
import sys

import pytest

from ptopro.build import cache
from ptopro.diagnostics import DiagnosticError


@pytest.fixture(autouse=True)
def root(tmp_path, monkeypatch):
    monkeypatch.setenv("PTOPRO_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path / "cache"


class Builder:
    """Counts its builds."""

    def __init__(self, text="result"):
        self.text, self.count = text, 0

    def __call__(self, work):
        self.count += 1
        (work / "out.txt").write_text(self.text)


def test_the_second_request_builds_nothing():
    build = Builder()
    first = cache.find_or_build("kind", "key", build)
    second = cache.find_or_build("kind", "key", build)
    assert first == second
    assert (second / "out.txt").read_text() == "result"
    assert build.count == 1


def test_kinds_and_keys_are_apart():
    build = Builder()
    places = {cache.find_or_build(kind, key, build) for kind in ("a", "b") for key in ("k", "l")}
    assert len(places) == 4
    assert build.count == 4


@pytest.mark.parametrize("damage", ["changed", "shorter", "missing", "manifest"])
def test_a_damaged_entry_is_built_again(damage):
    build = Builder()
    entry = cache.find_or_build("kind", "key", build)
    file = entry / "out.txt"
    if damage == "changed":
        file.write_text("RESULT")
    elif damage == "shorter":
        file.write_text("res")
    elif damage == "missing":
        file.unlink()
    else:
        (entry / cache.MANIFEST).write_text("{")
    assert cache.find("kind", "key") is None
    again = cache.find_or_build("kind", "key", build)
    assert (again / "out.txt").read_text() == "result"
    assert build.count == 2


def test_a_failing_build_leaves_nothing(root):
    def fail(work):
        (work / "half.txt").write_text("half")
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        cache.find_or_build("kind", "key", fail)
    assert cache.find("kind", "key") is None
    assert [p.name for p in (root / "kind").iterdir() if p.is_dir()] == []


def test_a_killed_build_is_not_an_entry_and_its_rest_is_swept(root):
    program = (
        "from ptopro.build import cache\nimport time\n"
        "def build(work):\n    (work / 'out.txt').write_text('half')\n    print('building', flush=True)\n    time.sleep(60)\n"
        "cache.find_or_build('kind', 'key', build)\n"
    )
    child = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    assert child.stdout.readline() == "building\n"
    child.send_signal(signal.SIGKILL)
    child.wait()
    child.stdout.close()
    assert cache.find("kind", "key") is None
    build = Builder()
    entry = cache.find_or_build("kind", "key", build)
    assert (entry / "out.txt").read_text() == "result"
    assert [p.name for p in (root / "kind").iterdir() if p.is_dir()] == ["key"]


def test_a_concurrent_builder_waits_for_the_first(root):
    program = (
        "from ptopro.build import cache\nimport time\n"
        "def build(work):\n    print('built', flush=True)\n    time.sleep(0.5)\n    (work / 'out.txt').write_text('x')\n"
        "cache.find_or_build('kind', 'key', build)\n"
    )
    children = [subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True) for _ in range(3)]
    outputs = [child.communicate()[0] for child in children]
    assert [child.returncode for child in children] == [0, 0, 0]
    assert sorted(outputs) == ["", "", "built\n"]


def test_parts_of_a_key_do_not_run_together():
    assert cache.digest(["ab", "c"]) != cache.digest(["a", "bc"])
    assert cache.digest(["ab"]) == cache.digest([b"ab"])


def test_the_digest_of_files_sees_names_and_contents(tmp_path):
    (tmp_path / "a.hpp").write_text("1")
    first = cache.digest_of_files(tmp_path, ["*.hpp"])
    (tmp_path / "a.txt").write_text("not a header")
    assert cache.digest_of_files(tmp_path, ["*.hpp"]) == first
    (tmp_path / "a.hpp").write_text("2")
    assert cache.digest_of_files(tmp_path, ["*.hpp"]) != first


def test_a_cache_that_cannot_be_written_says_so(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("PTOPRO_CACHE_DIR", str(tmp_path / "file"))
    with pytest.raises(DiagnosticError) as error:
        cache.find_or_build("kind", "key", Builder())
    assert error.value.diagnostics[0].code == "PTO1903"
    assert "PTOPRO_CACHE_DIR" in error.value.diagnostics[0].help


def test_the_cache_is_the_users_own_by_default(monkeypatch, tmp_path):
    monkeypatch.delenv("PTOPRO_CACHE_DIR")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache.cache_root() == tmp_path / "ptopro"
