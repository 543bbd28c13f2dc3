"""torch's device "npu" under `ptopro run` means the CPU, wherever a program names it."""

import os
import subprocess
import sys
import textwrap

import pytest

pytest.importorskip("torch")

PROGRAM = """
    import threading
    import torch
    import torch_npu

    assert torch.npu.is_available() and torch.npu.device_count() == 1
    assert torch.npu.get_device_name() == "Ascend950PR_957x"
    torch.npu.set_device("npu:3")
    assert torch.npu.current_device() == 3
    torch.npu.synchronize()

    cpu = torch.device("cpu")
    assert torch.rand(3, device="npu:0", dtype=torch.float16).device == cpu
    assert torch.zeros(2, device=torch.device("npu", 1)).device == cpu
    assert torch.empty_like(torch.ones(2), device="npu").device == cpu
    assert torch.tensor([1.0], device="npu").device == cpu
    assert torch.nn.Linear(2, 2).to("npu").weight.device == cpu
    assert torch.Generator(device="npu").device == cpu and isinstance(torch.default_generator, torch.Generator)
    with torch.device("npu"):
        assert torch.ones(2).device == cpu

    x = torch.zeros(2)
    for moved in (x.npu(), x.to("npu:0"), x.to(device="npu"), x.cpu()):
        moved += 1
        assert not x.any(), "a transfer copies"
    assert x.to(torch.float32) is x

    seen = []
    thread = threading.Thread(target=lambda: seen.append(torch.ones(1, device="npu").device))
    thread.start()
    thread.join()
    assert seen == [cpu]

    torch.manual_seed(1); first = torch.rand(2)
    torch.npu.manual_seed(1); assert torch.equal(torch.rand(2), first)
    start, end = torch.npu.Event(enable_timing=True), torch.npu.Event(enable_timing=True)
    start.record(); end.record(); assert start.elapsed_time(end) >= 0
    with torch.npu.stream(torch.npu.Stream()):
        torch.npu.current_stream().synchronize()

    y = torch.arange(32 * 32, dtype=torch.float16).reshape(32, 32)
    nz = torch_npu.npu_format_cast(y, 29)
    assert torch_npu.get_npu_format(nz) == 29 and torch_npu.get_npu_format(y) == 2
    assert nz.flatten()[:16].tolist() == y[0, :16].tolist() and nz.flatten()[16:32].tolist() == y[1, :16].tolist()
    assert torch.equal(torch_npu.npu_format_cast(nz, 2), y)
    word = torch_npu.npu_trans_quant_param(torch.tensor([[0.5]])).item()
    assert word & 0xFFFFFFFF == 0x3F000000

    library = torch.library.Library("of_this_test", "DEF")
    library.define("twice(Tensor x) -> Tensor")
    library.impl("twice", lambda x: x * 2, "NPU")
    assert torch.ops.of_this_test.twice(torch.ones(1)).item() == 2
    print("good")
"""


def test_the_device_in_a_program(tmp_path):
    (tmp_path / "program.py").write_text(textwrap.dedent(PROGRAM))
    done = subprocess.run(
        [sys.executable, "-m", "ptopro", "run", "program.py"],
        cwd=tmp_path, env={**os.environ}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.stdout == "good\n", done.stderr


def test_the_name_follows_the_chip(tmp_path):
    (tmp_path / "program.py").write_text("import torch\nprint(torch.npu.get_device_name())\n")
    done = subprocess.run(
        [sys.executable, "-m", "ptopro", "run", "--arch", "a3", "program.py"],
        cwd=tmp_path, env={**os.environ}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.stdout.startswith("Ascend910"), done.stderr


PROFILED = """
    import csv, glob, json, sys
    import torch, torch_npu
    import pypto_pro.language as pl

    @pl.jit()
    def ones(y: pl.Tensor[[8], pl.DT_FP32]):
        with pl.section_vector():
            pl.setval(y, 0, 1.0)

    profiler = torch_npu.profiler
    y = torch.zeros(8, device="npu")
    with profiler.profile(
        activities=[profiler.ProfilerActivity.NPU],
        experimental_config=profiler._ExperimentalConfig(profiler_level=profiler.ProfilerLevel.Level1),
        schedule=profiler.schedule(wait=1, warmup=1, active=2, repeat=1, skip_first=1),
        on_trace_ready=profiler.tensorboard_trace_handler("out"),
    ) as prof:
        for _ in range(8):
            ones(y)
            prof.step()
    rows = list(csv.DictReader(open(glob.glob("out/**/kernel_details.csv", recursive=True)[0])))
    events = json.load(open(glob.glob("out/**/trace_view.json", recursive=True)[0]))
    print([row["Name"] for row in rows], len(events), y[0].item())
"""


def test_a_profiler_sees_the_launches_of_its_active_steps(tmp_path):
    (tmp_path / "program.py").write_text(textwrap.dedent(PROFILED))
    done = subprocess.run(
        [sys.executable, "-m", "ptopro", "run", "program.py"],
        cwd=tmp_path, env={**os.environ}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.stdout == "['ones', 'ones'] 2 1.0\n", done.stderr


def test_an_error_of_torch_is_shown_as_without_ptopro(tmp_path):
    (tmp_path / "program.py").write_text("import torch\ntorch.ones(2) @ torch.ones(3)\n")
    done = subprocess.run(
        [sys.executable, "-m", "ptopro", "run", "program.py"],
        cwd=tmp_path, env={**os.environ}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 1
    frames = [line for line in done.stderr.splitlines() if line.startswith("  File")]
    assert len(frames) == 1 and "program.py" in frames[0]
    assert "RuntimeError" in done.stderr.splitlines()[-1]
