"""Every sample, at sizes that hit full blocks, tails, single blocks and more cores than work, agrees with numpy."""

import importlib
import os
import pathlib
import subprocess
import sys

import pytest

SAMPLES = pathlib.Path(__file__).parents[2] / "samples"

SIZES = {
    "add": [(), (64, 128, 1), (1, 1, 1), (129, 257, 3), (64, 128, 7)],
    "softmax": [(), (32, 256, 1), (1, 1, 1), (33, 257, 2), (5, 777, 4)],
    "layernorm": [(), (16, 768, 1), (1, 8, 2), (17, 100, 3)],
    "matmul": [(), (128, 128, 128, 1), (1, 1, 1, 1), (129, 130, 131, 2), (16, 300, 64, 3), (256, 128, 512, 2)],
    "matmul_softmax": [(), (128, 1), (128, 2), (384, 1), (768, 4)],
    "matmul_relu_gm": [(), (128, 1), (2048, 1), (384, 4)],
    "flash_attention": [(), (384, 384, 1, 1)],
    "relu_chain": [(), (128, 1)],
    "two_pipelines": [(), (128, 1)],
    "softmax_vf": [(), (8, 64, 1), (1, 1, 1), (33, 257, 2), (5, 777, 4)],
    "layernorm_vf": [(), (16, 768, 1), (1, 8, 2), (17, 100, 3)],
    "rope_vf": [(), (1, 1, 1), (17, 5, 3)],
    "flash_attention_vf": [(), (128, 128, 1), (384, 640, 3)],
    "mla_decode": [(), (1, 64, 1, 1), (2, 64, 64, 3)],
    "topk_simt": [(), (1, 1, 1), (9, 64, 3)],
    "transpose_load": [(), (64, 128, 64, 1), (128, 128, 192, 3)],
}


def test_every_sample_is_covered():
    assert set(SIZES) == {p.stem for p in SAMPLES.glob("*.py")} - {"reporting"}


@pytest.mark.parametrize(
    ("name", "sizes"), [(name, sizes) for name, cases in SIZES.items() for sizes in cases], ids=lambda v: str(v)
)
def test_sample_agrees_with_numpy(name, sizes, monkeypatch, capsys):
    monkeypatch.syspath_prepend(str(SAMPLES))
    importlib.import_module(name).main(*sizes)
    assert capsys.readouterr().out.rstrip().endswith(": ok")


@pytest.mark.parametrize("name", sorted(SIZES))
def test_sample_runs_as_a_program(name):
    """`ptopro run FILE` prints the comparison and ends with 0."""
    done = subprocess.run(
        [sys.executable, "-m", "ptopro", "run", f"samples/{name}.py"],
        cwd=SAMPLES.parent, env={**os.environ}, capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout.rstrip().endswith(": ok")
