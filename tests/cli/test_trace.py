"""`ptopro trace`: the report, the files, cost figures, sweeps."""

import json
import re
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "unit" / "trace"))
from test_pictures import check_trace

SHAPE = ("--shape", "x=64,64")


def test_report_and_files(ptopro, folder):
    done = ptopro("trace", "kernel.py", *SHAPE)
    assert done.code == 0, done.err
    assert re.search(r"double: \d+ cycles \(estimate\), \d\.\d\d x the bound of \d+: vector 0, V of core 0", done.out)
    for words in ("core 0: vector 0, MTE2", "critical path:", "longest waits", "Vec", "estimate: ", "kernel.py:14"):
        assert words in done.out
    out = folder / "build/kernel/double"
    entries = check_trace((out / "trace.json").read_text())
    assert sum(entry["ph"] == "X" and entry["name"] == "TLOAD" for entry in entries) == 8
    assert {entry["ph"] for entry in entries} == {"X", "M", "s", "f"}
    assert "<svg" in (out / "timeline.svg").read_text() and "<canvas" in (out / "timeline.html").read_text()


def test_the_numbers_as_json(ptopro):
    trace = json.loads(ptopro("trace", "kernel.py", *SHAPE, "--json").out.splitlines()[0])["trace"]
    assert trace["estimate"] is True and trace["cost_sources"]["mte2"] == "estimate"
    assert sum(share["cycles"] for share in trace["critical_path"]) == pytest.approx(trace["cycles"])
    assert trace["bound"] == max(each["cycles"] for each in trace["busy"])


def test_the_same_run_gives_the_same_bytes(ptopro, folder):
    ptopro("trace", "kernel.py", *SHAPE)
    files = {path.name: path.read_bytes() for path in (folder / "build/kernel/double").iterdir()}
    ptopro("trace", "kernel.py", *SHAPE)
    assert files == {path.name: path.read_bytes() for path in (folder / "build/kernel/double").iterdir()}


def test_cost_figures_of_a_user(ptopro, folder):
    def cycles(*arguments):
        return json.loads(ptopro("trace", "kernel.py", *SHAPE, "--json", *arguments).out.splitlines()[0])["trace"][
            "cycles"
        ]

    (folder / "slow.toml").write_text("[a5]\nmte2 = 100000\n")
    assert cycles("--cost", "slow.toml") > cycles() + 99000
    assert "slow.toml: mte2 100000" in re.sub(
        r"\s+", " ", ptopro("trace", "kernel.py", *SHAPE, "--cost", "slow.toml").out
    )
    (folder / "slow.toml").write_text("mte_2 = 1\n")
    done = ptopro("trace", "kernel.py", *SHAPE, "--cost", "slow.toml")
    assert done.code == 1 and "PTO1868" in done.err


def test_a_sweep_over_a_constant(ptopro, folder):
    done = ptopro("trace", "kernel.py", *SHAPE, "--sweep", "ROWS=8,16,4096", "-j", "1")
    lines = done.out.splitlines()
    assert done.code == 0 and done.err == "" and lines[1].split()[:3] == ["ROWS", "cycles", "bound"]
    assert [line.split()[0] for line in lines[2:]] == ["8", "16", "4096"] and "PTO13" in lines[4]
    assert (folder / "build/sweep/ROWS16/kernel/double/kernel.cpp").exists()


def test_a_sweep_in_processes(ptopro):
    alone = ptopro("trace", "kernel.py", *SHAPE, "--sweep", "ROWS=8,16", "-j", "1", "--json").out
    assert ptopro("trace", "kernel.py", *SHAPE, "--sweep", "ROWS=8,16", "-j", "2", "--json").out == alone


def test_a_sweep_over_preload(ptopro, samples):
    shapes = ("--shape", "q=128,128", "--shape", "k=512,128", "--shape", "out=128,128", "--cores", "1")
    numbers = ("--arg", "scale=0.09", "--arg", "causal=0")
    done = ptopro(
        "trace", samples / "flash_attention.py", *shapes, *numbers, "--sweep", "preload=0,2", "-j", "1", "--json"
    )
    first, second = json.loads(done.out)["sweep"]["points"]
    assert (first["values"], second["values"]) == ({"preload": 0}, {"preload": 2})
    assert second["cycles"] < 0.85 * first["cycles"]


@pytest.mark.parametrize("sweep", ["ROWS", "ROWS=a", "NOBODY=1"])
def test_sweeps_that_are_none(ptopro, sweep):
    done = ptopro("trace", "kernel.py", *SHAPE, "--sweep", sweep)
    assert done.code == 1 and "PTO1869" in done.err


def test_a_run_that_ends_early_is_a_finding(ptopro, folder):
    text = (folder / "kernel.py").read_text().replace("auto_mutex=True", "auto_mutex=False")
    wait = "pl.system.sync_dst(set_pipe=pl.PipeType.MTE2, wait_pipe=pl.PipeType.V, event_id=0)\n            "
    (folder / "stuck.py").write_text(text.replace("pl.mul(", f"{wait}pl.mul("))
    done = ptopro("trace", "stuck.py", *SHAPE)
    assert done.code == 4 and "PTO1830" in done.err
