"""What the README shows is what happens."""

import pathlib
import re
import subprocess
import sys
import textwrap

import pytest

ROOT = pathlib.Path(__file__).parents[2]
README = (ROOT / "README.md").read_text()
COMMANDS = re.findall(r"^    \$ ptopro ([^#\n]+)", README, re.MULTILINE)

OVERFLOW = """
    import ptopro.language as pl

    TILE = [128, 256]


    @pl.jit(auto_mutex=True)
    def scale(x: pl.Tensor[[pl.DYNAMIC, 256], pl.DT_FP32]):
        tile = pl.TileType(shape=TILE, dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Vec)
        x_ub = pl.make_tile_group(type=tile, addrs=0, mutex_ids=[0, 1])
        with pl.section_vector():
            cur_x = x_ub.next()
            pl.load(cur_x, x, [0, 0])
            pl.muls(cur_x, cur_x, 2.0)
            pl.store(x, cur_x, [0, 0])
    """


def ptopro(arguments, folder):
    return subprocess.run(
        [sys.executable, "-m", "ptopro", *arguments],
        cwd=folder, capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip


@pytest.fixture
def folder(tmp_path):
    """A folder in which the README's commands make sense."""
    (tmp_path / "samples").symlink_to(ROOT / "samples")
    return tmp_path


def test_the_first_kernel_prints_what_is_shown(folder):
    code = re.search(r"```python\n(import numpy.*?)```", README, re.DOTALL).group(1)
    (folder / "add.py").write_text(code)
    shown = re.search(r"\$ python add.py\n    (.*)", README).group(1)
    for command in ([sys.executable, "add.py"], [sys.executable, "-m", "ptopro", "run", "add.py"]):
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300, check=True)
        assert done.stdout.strip() == shown


def test_registers_and_threads_print_what_is_shown(folder):
    code = next(c for c in re.findall(r"```python\n(.*?)```", README, re.DOTALL) if "@pl.vector_function" in c)
    (folder / "registers.py").write_text(code)
    shown = re.search(r"\$ python registers.py\n    (.*)", README).group(1)
    done = subprocess.run(
        [sys.executable, "registers.py"], cwd=folder, capture_output=True, text=True, timeout=300, check=True
    )
    assert done.stdout.strip() == shown


@pytest.mark.parametrize("command", [c.strip() for c in COMMANDS if "samples/" in c])
def test_every_command_on_a_sample_works(command, folder):
    done = ptopro(command.split(), folder)
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr


def test_there_are_commands_for_every_stage():
    assert {"expand", "codegen", "build", "run", "check", "trace"} <= {c.split()[0] for c in COMMANDS}


def test_the_shown_diagnostic_is_the_one_given(folder):
    (folder / "kernel.py").write_text(textwrap.dedent(OVERFLOW).lstrip())
    done = ptopro(["expand", "kernel.py"], folder)
    assert done.returncode == 1
    shown = re.search(r"    \$ ptopro expand kernel.py\n((?:    .*\n)+)", README).group(1)
    assert done.stderr.split() == shown.split()  # the width of the terminal decides where lines break


def test_the_shown_schedule_is_the_one_explained(folder):
    printed = ptopro(["expand", "samples/flash_attention.py", "--explain"], folder).stdout.splitlines()
    shown = re.search(r"flash_attention.py --explain\n((?:    .*\n)+)", README).group(1)
    lines = [line for line in textwrap.dedent(shown).splitlines() if line.strip() != "..."]
    assert {line.strip() for line in lines} <= {line.strip() for line in printed}
    assert len(lines) > 6


def test_every_sample_is_listed():
    assert {f"samples/{p.name}" for p in (ROOT / "samples").glob("*.py") if p.stem != "reporting"} <= set(
        re.findall(r"samples/\w+\.py", README)
    )
