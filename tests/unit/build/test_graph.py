"""Build graphs: what ninja and make do with them, with steps of the shell in place of compilers."""

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ptopro.build import ninja
from ptopro.build.graph import OUTPUT, Edge, Regenerate, make_text, ninja_text, part_of


@pytest.fixture(autouse=True)
def own_cache(monkeypatch, tmp_path):
    monkeypatch.setenv("PTOPRO_CACHE_DIR", str(tmp_path / "cache"))


def copy(source, output, *, label="copy", script='cat "$0" > "$1"', implicit=()):
    return Edge(output, (source,), ("sh", "-c", script, source, OUTPUT), label, implicit)


def failing(source, output):
    return copy(source, output, label="fail", script='echo half > "$1"; echo "no good: $0" >&2; exit 3')


@pytest.fixture
def root(tmp_path):
    folder = tmp_path / "work"
    folder.mkdir()
    (folder / "in.txt").write_text("one")
    return folder


def test_outputs_are_made_once_and_again_when_an_input_changes(root):
    edges = [copy("in.txt", "sub/a.txt"), copy("sub/a.txt", "b.txt")]
    first = ninja.run(root, edges, 2)
    assert first.good and sorted(first.changed) == ["b.txt", "sub/a.txt"]
    assert (root / "b.txt").read_text() == "one"
    second = ninja.run(root, edges, 2)
    assert second.good and second.changed == [] and second.ran == 0
    (root / "in.txt").write_text("two")
    assert sorted(ninja.run(root, edges, 2).changed) == ["b.txt", "sub/a.txt"]


def test_an_equal_output_keeps_its_time_and_stops_the_chain(root):
    edges = [copy("in.txt", "a.txt", script='head -c 2 "$0" > "$1"'), copy("a.txt", "b.txt")]
    ninja.run(root, edges, 1)
    (root / "in.txt").write_text("onward")
    again = ninja.run(root, edges, 1)
    assert again.good and again.changed == [] and again.ran == 1
    assert ninja.run(root, edges, 1).ran == 0


def test_a_changed_command_runs_again(root):
    ninja.run(root, [copy("in.txt", "a.txt")], 1)
    assert ninja.run(root, [copy("in.txt", "a.txt", script='rev "$0" > "$1"')], 1).changed == ["a.txt"]


def test_a_failed_step_stops_only_what_needs_it(root):
    edges = [failing("in.txt", "bad.txt"), copy("bad.txt", "after.txt"), copy("in.txt", "good.txt")]
    outcome = ninja.run(root, edges, 1)
    assert [failure.edge.output for failure in outcome.failures] == ["bad.txt"]
    assert outcome.failures[0].output == "no good: in.txt\n" and outcome.failures[0].code == 3
    assert (root / "good.txt").exists()
    assert not any((root / name).exists() for name in ("bad.txt", "after.txt", part_of("bad.txt")))


def test_the_old_output_stays_when_a_step_fails(root):
    ninja.run(root, [copy("in.txt", "a.txt")], 1)
    assert not ninja.run(root, [failing("in.txt", "a.txt")], 1).good
    assert (root / "a.txt").read_text() == "one"


def test_a_missing_input_is_ninjas_own_trouble(root):
    outcome = ninja.run(root, [copy("nowhere.txt", "a.txt")], 1)
    assert outcome.failures == [] and "nowhere.txt" in outcome.trouble


def test_names_with_spaces_dollars_and_colons(root):
    name = "a $HOME: b.txt"
    (root / name).write_text("x")
    edges = [copy(name, "out $x.txt")]
    assert ninja.run(root, edges, 1).good
    assert (root / "out $x.txt").read_text() == "x"


KILLED = """
import sys
from pathlib import Path
from ptopro.build import ninja
from ptopro.build.graph import OUTPUT, Edge
edges = [Edge(f"{n}.txt", ("in.txt",), ("sh", "-c", 'echo > "$0"; sleep %s; echo done >> "$0"', OUTPUT), str(n)) for n in (1, 2)]
print(ninja.run(Path(sys.argv[1]), edges, 1).ran, flush=True)
"""


def test_a_killed_build_goes_on_where_it_was(root):
    """The second step is killed with everything else; what it had written is no output, and nothing of it stays."""
    slow = subprocess.Popen(
        [sys.executable, "-c", KILLED % 1, str(root)], start_new_session=True, stdout=subprocess.PIPE
    )
    deadline = time.monotonic() + 30
    while not ((root / "1.txt").exists() and (root / ".2.txt.part").exists()):
        assert time.monotonic() < deadline
        time.sleep(0.02)
    os.killpg(slow.pid, signal.SIGKILL)
    slow.communicate()
    assert not (root / "2.txt").exists()
    done = subprocess.run(
        [sys.executable, "-c", KILLED % 1, str(root)], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout == "1\n"
    assert sorted(path.name for path in root.iterdir()) == ["1.txt", "2.txt", "in.txt"]


def run(*command, folder):
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize("engine", ["ninja", "make"])
def test_written_graphs_make_themselves_again(root, engine):
    """A changed source runs the command that wrote the graph, before anything else."""
    if engine == "make" and shutil.which("make") is None:
        pytest.skip("there is no make")
    source = root / "kernel.py"
    source.write_text("")
    script = "echo again >> ../log; touch build.ninja fragment.mk; cat kernel.py > in.txt"
    regenerate = Regenerate(("sh", "-c", script), str(root), (str(source),))
    edges = [copy("in.txt", "a.txt"), copy("a.txt", "b $1.txt")]
    if engine == "ninja":
        (root / "build.ninja").write_text(ninja_text(edges, regenerate=regenerate))
        command = (ninja.program(),)
    else:
        (root / "fragment.mk").write_text(make_text(edges, name="fragment.mk", regenerate=regenerate))
        command = ("make", "-f", "fragment.mk")
    run(*command, folder=root)
    assert (root / "b $1.txt").read_text() == "one"
    log = root.parent / "log"
    assert not log.exists()
    time.sleep(0.02)
    source.write_text("new")
    run(*command, folder=root)
    assert (root / "b $1.txt").read_text() == "new"
    assert log.read_text() == "again\n"
    assert "copy" not in run(*command, folder=root)


def test_a_graph_does_not_depend_on_where_it_lies(tmp_path):
    texts = set()
    for name in ("one", "two"):
        folder = tmp_path / name
        folder.mkdir()
        texts.add(ninja_text([copy("in.txt", "a.txt")]) + make_text([copy("in.txt", "a.txt")], name="x.mk"))
    assert len(texts) == 1 and str(tmp_path) not in texts.pop()


def test_make_skips_what_is_done(root):
    if shutil.which("make") is None:
        pytest.skip("there is no make")
    (root / "f.mk").write_text(make_text([copy("in.txt", "a.txt", label="step one")], name="f.mk"))
    assert "step one" in run("make", "-f", "f.mk", folder=root)
    assert "step one" not in run("make", "-f", "f.mk", folder=root)
    assert Path(root / "a.txt").read_text() == "one"
