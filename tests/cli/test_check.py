"""`ptopro check`: findings and their codes, what agrees, cases and their replay, formats, the memory map."""

import json
import re
from pathlib import Path

import pytest
from conftest import KERNEL

SHAPE = ("--shape", "x=32,64")
RACY = KERNEL.replace("auto_mutex=True", "auto_mutex=False")


@pytest.fixture
def racy(folder):
    (folder / "racy.py").write_text(RACY)
    return "racy.py"


def test_a_kernel_that_is_right(ptopro):
    done = ptopro("check", "kernel.py", *SHAPE)
    assert done.code == 0 and "error" not in done.err
    assert "double: ok" in done.out and "y: bit-identical in all 3 runs" in done.out
    assert "x 32x64, y 32x64 (as x); seed 0; 2 cores" in done.out
    assert "says nothing about inputs that were not tried" in done.out


def test_races_are_found_named_and_kept(ptopro, racy, folder):
    done = ptopro("check", racy, *SHAPE, "--seed", "3")
    assert done.code == 4
    assert "error[PTO1840]" in done.err and "error[PTO1860]" in done.err
    assert "racy.py:14:" in done.err and "are ub[0]" in done.err
    assert "y: DIFFERENT between runs" in done.out
    case = folder / "build/racy/double/cases/1"
    told = json.loads((case / "case.json").read_text())
    assert (told["file"], told["seed"]) == ("racy.py", 3)
    again = ptopro("check", "--replay", case)
    assert again.code == 4 and again.err == done.err
    ptopro("check", racy, *SHAPE, "--seed", "4")
    assert sorted(each.name for each in case.parent.iterdir()) == ["1", "2"]


def test_adversarial_schedules_change_nothing(ptopro):
    done = ptopro("check", "kernel.py", *SHAPE, "--schedule", "adversarial", "--runs", "2", "--seed", "5")
    assert done.code == 0 and "bit-identical in all 11 runs" in done.out
    assert re.search(r"slow:MTE3\)\s+ok", done.out) and "random:6" in done.out


def test_a_random_schedule(ptopro):
    assert "expanded (random:9)" in ptopro("check", "kernel.py", *SHAPE, "--schedule", "random", "--seed", "9").out


def test_a_reference(ptopro, folder):
    (folder / "refs.py").write_text("def right(x): return 2 * x\ndef wrong(x): return 2 * x + (x > 1)\n")
    assert "as refs.py:right" in ptopro("check", "kernel.py", *SHAPE, "--reference", "refs.py:right").out
    done = ptopro("check", "kernel.py", *SHAPE, "--reference", "refs.py:wrong")
    assert done.code == 4 and "PTO1861" in done.err and "largest error 1" in done.err
    loose = ptopro("check", "kernel.py", *SHAPE, "--reference", "refs.py:wrong", "--tolerance", "1")
    assert loose.code == 0


def test_shapes_from_the_project_and_from_arrays(ptopro, folder):
    import numpy as np

    (folder / "pyproject.toml").write_text("[tool.ptopro.check]\nshape = { x = [16, 64] }\ncores = 3\n")
    assert "x 16x64, y 16x64 (as x); seed 0; 3 cores" in ptopro("check", "kernel.py").out
    np.savez("in.npz", x=np.ones((8, 64), np.float32), y=np.zeros((8, 64), np.float32))
    assert "x 8x64, y 8x64; in.npz; 1 core" in ptopro("check", "kernel.py", "--inputs", "in.npz", "--cores", "1").out
    (folder / "pyproject.toml").write_text("[tool.ptopro.check]\nshapes = { x = [16, 64] }\n")
    done = ptopro("check", "kernel.py")
    assert done.code == 1 and "PTO1863" in done.err and "[tool.ptopro.check.shapes]" in done.err


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ((), "PTO1862"),
        (("--shape", "z=1"), "PTO1863"),
        (("--shape", "x"), "PTO1863"),
        ((*SHAPE, "--arg", "n=1"), "PTO1863"),
        ((*SHAPE, "--inputs", "none.npz"), "PTO1866"),
        ((*SHAPE, "--reference", "none:f"), "PTO1865"),
        (("--shape", "x=32,63"), "PTO1806"),
    ],
)
def test_requests_that_do_not_fit(ptopro, arguments, code):
    done = ptopro("check", "kernel.py", *arguments)
    assert done.code == 1 and f"[{code}]" in done.err


def test_static_errors_come_first(ptopro, folder):
    (folder / "wrong.py").write_text(KERNEL.replace("pl.mul(cur, cur, 2.0)", "pl.mul(cur, nobody, 2.0)"))
    done = ptopro("check", "wrong.py", *SHAPE)
    assert done.code == 1 and "nothing was run" in done.out and "wrong.py:14:" in done.err


def test_a_deadlock(ptopro, folder):
    wait = "pl.system.sync_dst(set_pipe=pl.PipeType.MTE2, wait_pipe=pl.PipeType.V, event_id=0)\n            "
    (folder / "stuck.py").write_text(RACY.replace("pl.mul(", f"{wait}pl.mul("))
    done = ptopro("check", "stuck.py", *SHAPE)
    assert done.code == 4 and "error[PTO1830]" in done.err and "not compared for runs that were ended" in done.out


def test_formats_for_programs(ptopro, racy):
    lines = [json.loads(line) for line in ptopro("check", racy, *SHAPE, "--json").out.splitlines()]
    assert {line["code"] for line in lines[:-1]} >= {"PTO1840", "PTO1860"}
    assert lines[-1]["check"]["ok"] is False and lines[-1]["check"]["runs"][0]["form"] == "serial"
    sarif = json.loads(ptopro("check", racy, *SHAPE, "--message-format", "sarif").out)
    assert "PTO1840" in {result["ruleId"] for result in sarif["runs"][0]["results"]}


def test_the_memory_map(ptopro, folder):
    done = ptopro("check", "kernel.py", "--memory")
    assert done.code == 0 and done.out.isascii() and "a ub[0]  0x000000..0x000800" in done.out
    done = ptopro("check", "kernel.py", "--memory=svg")
    assert done.out == "build/kernel/double/memory.svg\n"
    assert (folder / done.out.strip()).read_text().startswith("<svg")


def test_cases_that_are_none(ptopro, folder):
    assert "PTO1867" in ptopro("check", "--replay", "none").err
    (folder / "case.json").write_text("{}")
    assert "PTO1867" in ptopro("check", "--replay", ".").err
    assert ptopro("check").code == 2 and ptopro("check", "kernel.py", "--replay", ".").code == 2


def test_a_pipeline_has_three_forms(ptopro, samples):
    shapes = ("--shape", "q=128,128", "--shape", "k=256,128", "--shape", "out=128,128")
    done = ptopro(
        "check", samples / "flash_attention.py", *shapes, "--arg", "scale=0.09", "--arg", "causal=0", "--cores", "1"
    )
    assert done.code == 0, done.err
    for form in ("serial (in order)", "sync-only (late)", "expanded (late)"):
        assert form in done.out
    assert "holds for all iterations" in done.out


def test_cores_that_the_author_orders_have_no_serial_form(ptopro, samples):
    done = ptopro("check", samples / "matmul_softmax.py", "--shape", "a=256,128")
    assert done.code == 0, done.err
    assert "no serial run" in done.out and "serial (" not in done.out


def test_the_readme_shows_what_is_printed(ptopro, samples):
    readme = (Path(__file__).parents[2] / "README.md").read_text()
    for command in ("ptopro check samples/add.py", "ptopro trace samples/add.py --shape x=1000,300 --sweep"):
        line, shown = re.search(rf"    \$ ({re.escape(command)}.*)\n((?:    .*\n)+)", readme).groups()
        done = ptopro(*line.split()[1:])
        assert done.out == "".join(f"{each[4:]}\n" for each in shown.splitlines()), done.err


KEYED = """import ptopro.language as pl


class Key:
    Mode = pl.TilingKeyField(bits=4, values=[0, 1])


@pl.jit(tiling_key=Key)
def keyed(x: pl.Tensor[[pl.STATIC, 64], pl.DT_FP32], y: pl.Tensor[[pl.STATIC, 64], pl.DT_FP32]):
    tile = pl.TileType(shape=[8, 64], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Vec)
    ub = pl.make_tile_group(type=tile, addrs=0, mutex_ids=[0])
    with pl.section_vector():
        cur = ub.current()
        pl.load(cur, x, [0, 0])
        if Mode == 1:
            pl.mul(cur, cur, 2.0)
        pl.store(y, cur, [0, 0])
"""


def test_keys_and_static_dims(ptopro, folder):
    (folder / "keyed.py").write_text(KEYED)
    (folder / "refs.py").write_text("def twice(x): return 2 * x\n")
    shape = ("--shape", "x=8,64", "--cores", "1", "--reference", "refs.py:twice")
    assert ptopro("check", "keyed.py", *shape, "--key", "Mode=1").code == 0
    done = ptopro("check", "keyed.py", *shape, "--key", "Mode=0")
    assert done.code == 4 and "PTO1861" in done.err
    assert ptopro("check", "--replay", "build/keyed/keyed/cases/1").err == done.err
    done = ptopro("check", "keyed.py", *shape)
    assert done.code == 1 and "--key Mode=0|1" in done.err
