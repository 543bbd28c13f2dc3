"""`make bench`: medians of whole processes against the numbers that the project promises.

python tests/bench/run.py [--runs N] [NAME]...
"""

from __future__ import annotations

import argparse
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SAMPLE = "samples/matmul.py"
SIZE = 2048


@dataclass(frozen=True)
class Bench:
    """A figure.  bar: what it must stay below (seconds), or reach when `higher`."""

    name: str
    bar: float
    unit: str
    measure: Callable[[Path], float]
    higher: bool = False
    most_runs: int = 100

    def passes(self, value: float) -> bool:
        return value >= self.bar if self.higher else value <= self.bar


def seconds(*arguments: str, env: dict[str, str] | None = None) -> float:
    """Wall time of one ptopro process; it must succeed."""
    start = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-m", "ptopro", *arguments],
        cwd=ROOT, env={**os.environ, **(env or {})}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    taken = time.perf_counter() - start
    if done.returncode != 0:
        sys.exit(f"ptopro {' '.join(arguments)} failed:\n{done.stdout}{done.stderr}")
    return taken


def cold_build(work: Path, sample: str = SAMPLE) -> float:
    """A build of a kernel that no cache knows, with the simulator's runtime compiled already."""
    text, kernel = (ROOT / sample).read_text(), Path(sample).stem
    name = f"cold_{time.time_ns()}"
    renamed = re.sub(rf"\bdef {kernel}\(", f"def {name}(", text)
    if renamed == text:
        sys.exit(f"{sample} has no function {kernel} to rename")
    source = work / f"{name}.py"
    source.write_text(renamed)
    return seconds("build", str(source), "-o", str(work), "-q")


def attention_in_registers(work: Path) -> float:
    """The whole program, its comparison with numpy included, once it is built."""
    seconds("run", REGISTERS, "128", "128", "1")
    return seconds("run", REGISTERS, *LARGE)


def gigaflops(work: Path) -> float:
    """2048^3 multiply-adds of the sample through its own host program, from the machine's own clock."""
    log = work / "launches.jsonl"
    log.unlink(missing_ok=True)
    size = str(SIZE)
    seconds("run", SAMPLE, size, size, size, str(os.cpu_count() or 1), env={"PTOPRO_LAUNCH_LOG": str(log)})
    import json

    spent = sum(json.loads(line)["seconds"] for line in log.read_text().splitlines())
    return 2 * SIZE**3 / spent / 1e9


# ---- pipelines, checks, time ------------------------------------------------------------------------------------------

PIPELINE = "samples/flash_attention.py"
ATTENTION = (1024, 1024, 4)  # queries, keys, cores
REGISTERS = "samples/flash_attention_vf.py"
LARGE = ("2048", "2048", "2")  # queries, keys, cores
BLOCK = """
            a = a_ub.next()
            b = b_ub.next()
            pl.load(a, x, [i * 64, {column}])
            pl.adds(b, a, {column}.0)
            pl.muls(b, b, 2.0)
            pl.store(y, b, [i * 64, {column}])
"""


def generated(lines: int) -> str:
    """A kernel file of about so many lines."""
    head = (
        "import ptopro.language as pl\n\n\n@pl.jit(auto_mutex=True)\ndef long_kernel(\n"
        "    x: pl.Tensor[[pl.DYNAMIC, 65536], pl.DT_FP32], y: pl.Tensor[[pl.DYNAMIC, 65536], pl.DT_FP32]\n):\n"
        "    tile = pl.TileType(shape=[64, 64], dtype=pl.DT_FP32, target_memory=pl.MemorySpace.Vec)\n"
        "    a_ub = pl.make_tile_group(type=tile, addrs=0x0000, mutex_ids=[0, 1])\n"
        "    b_ub = pl.make_tile_group(type=tile, addrs=0x8000, mutex_ids=[2, 3])\n"
        "    with pl.section_vector():\n"
        "        for i in pl.range(pl.get_block_idx(), x.shape[0] // 64, pl.get_block_num()):\n"
    )
    count = (lines - head.count("\n")) // (BLOCK.count("\n") - 1)
    return head + "".join(BLOCK.format(column=64 * n).lstrip("\n") for n in range(count))


def expand_lines(work: Path, lines: int) -> float:
    source = work / f"long_{lines}.py"
    source.write_text(generated(lines))
    return seconds("expand", str(source), "-o", str(work), "-q")


def growth(work: Path) -> float:
    """Time per line of 2000 lines over time per line of 500, start-up taken off: 1 is linear."""
    start = expand_lines(work, 20)
    return (expand_lines(work, 2000) - start) / 4 / (expand_lines(work, 500) - start)


def launch_seconds(work: Path, *options: str) -> float:
    """The machine's own time for flash attention, the best of three."""
    log = work / "launches.jsonl"
    log.unlink(missing_ok=True)
    for _ in range(3):
        seconds("run", *options, PIPELINE, *map(str, ATTENTION), env={"PTOPRO_LAUNCH_LOG": str(log)})
    return min(float(found) for found in re.findall(r'"seconds": ([0-9.]+)', log.read_text()))


def checks_factor(work: Path) -> float:
    """All checks on over checks off."""
    return launch_seconds(work, "--checks") / launch_seconds(work)


def checked_memory(work: Path) -> float:
    """Peak of a process that runs flash attention with all checks, in MiB."""
    code = (
        "import resource, subprocess, sys; "
        f"subprocess.run([sys.executable, '-m', 'ptopro', 'run', '--checks', '{PIPELINE}', "
        f"*{[str(n) for n in ATTENTION]!r}], check=True, capture_output=True); "
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    return float(done.stdout)


def over_bound(work: Path, preload: int) -> float:
    """Virtual time over the bound (the busiest pipe of any core)."""
    rows, columns, cores = ATTENTION
    shapes = [f"--shape={name}={size},128" for name, size in zip("qkv", (rows, columns, columns), strict=True)]
    done = subprocess.run(
        [sys.executable, "-m", "ptopro", "trace", PIPELINE, "--preload", str(preload), *shapes,
         f"--shape=out={rows},128", "--cores", str(cores), "--arg", "causal=0", "--arg", "scale=0.088", "-o", str(work)],
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    found = re.search(r"([0-9.]+) x the bound", done.stdout)
    assert found is not None, done.stdout
    return float(found[1])


def operator(work: Path) -> tuple[str, ...]:
    """A kernel of 48 valid keys that no cache knows, and the options of its release."""
    text = (ROOT / "samples/release_op/matmul_epilogue.py").read_text()
    for old, new in (
        ("values=[32, 64, 128])", "values=[16, 32, 64, 128])"),
        ("values=[32, 64, 128, 256])", "values=[32, 64, 128])"),
        ("bits=1, values=[0, 1])", "bits=2, values=[0, 1, 2, 3])"),
    ):
        if old not in text:
            sys.exit(f"the sample of a release has no {old}")
        text = text.replace(old, new)
    source = work / f"release_{time.time_ns()}.py"
    source.write_text(f"{text}# {source}\n")
    return "--release", str(source), "--dtype", "a=fp16", "-o", str(source.with_suffix("")), "-q"


def listed_keys(work: Path) -> float:
    """4096 combinations of a tiling key, of which is_valid is asked."""
    fields = "\n".join(f"    F{i} = pl.TilingKeyField(bits=3, values=list(range(8)))" for i in range(4))
    source = work / "keys.py"
    source.write_text(
        f"import ptopro.language as pl\nclass Key:\n{fields}\n    def is_valid(self, key):\n"
        "        a, b, c, d = key\n        return (a + b + c + d) % 2 == 0\n"
        "@pl.jit(tiling_key=Key)\ndef k(x: pl.Ptr[pl.DT_UINT8]):\n    pass\n"
    )
    return seconds("ops", "--keys", str(source))


def transpiled_keys(work: Path) -> float:
    """48 keys from the kernel file to C++, nothing compiled."""
    return seconds("build", *operator(work), "--toolchain", "bisheng", "--dry-run")


def two_jobs(work: Path) -> float:
    """A release of 48 keys: the time with two jobs over the time with one."""
    one, two = (seconds("build", *operator(work), "-j", jobs) for jobs in ("1", "2"))
    return two / one


def released_again(work: Path) -> float:
    """A release of 48 keys in which there is nothing to do."""
    known = work / "released"
    if not known.exists():
        options = operator(work)
        seconds("build", *options)
        known.write_text("\n".join(options))
    return seconds("build", *known.read_text().splitlines())


BENCHES = (
    Bench("ptopro --help", 0.15, "s", lambda work: seconds("--help")),
    Bench("expand matmul", 0.35, "s", lambda work: seconds("expand", SAMPLE, "-o", str(work), "-q")),
    Bench("codegen matmul", 0.35, "s", lambda work: seconds("codegen", SAMPLE, "-o", str(work), "-q")),
    Bench("expand attention", 0.4, "s", lambda work: seconds("expand", PIPELINE, "-o", str(work), "-q")),
    Bench("codegen attention", 0.6, "s", lambda work: seconds("codegen", PIPELINE, "-o", str(work), "-q")),
    Bench("expand 2000 lines", 1.5, "s", lambda work: expand_lines(work, 2000)),
    Bench("growth, 4 x the lines", 1.3, "per line", growth, most_runs=3),
    Bench("checks on / off", 4.0, "x", checks_factor, most_runs=1),
    Bench("memory with checks", 1024, "MiB", checked_memory, most_runs=1),
    Bench("attention / bound", 1.1, "x", lambda work: over_bound(work, 2), most_runs=1),
    Bench("  serial loop / bound", 10, "x", lambda work: over_bound(work, 0), most_runs=1),
    Bench("build, cold", 6.0, "s", cold_build),
    # The build itself; the process also reads, expands and generates, which the two lines above bound.
    Bench("build, cached", 0.2, "s", lambda work: cached_build(work)),
    Bench("attention vf, build", 10.0, "s", lambda work: cold_build(work, REGISTERS), most_runs=3),
    Bench("attention vf 2048^2", 6.0, "s", attention_in_registers, most_runs=3),
    Bench("matmul 2048^3 fp16", 20.0, "GFLOP/s", gigaflops, higher=True, most_runs=3),
    Bench("4096 combinations of a key", 1.5, "s", listed_keys),
    Bench("48 keys transpiled", 6.0, "s", transpiled_keys, most_runs=3),
    Bench("release, 2 jobs : 1", 0.6, "x", two_jobs, most_runs=1),
    Bench("release, nothing to do", 0.5, "s", released_again),
)


def cached_build(work: Path) -> float:
    """`ptopro build` of a folder that codegen wrote, found in the cache."""
    seconds("build", SAMPLE, "-o", str(work), "-q")
    return seconds("build", str(work / "matmul" / "matmul"), "-q")


def main() -> int:
    ask = argparse.ArgumentParser(description=__doc__)
    ask.add_argument("names", nargs="*", help="only the figures whose name contains one of these")
    ask.add_argument("--runs", type=int, default=5)
    given = ask.parse_args()
    print(f"{'':22}{'median':>12}{'bar':>16}")
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        seconds("build", SAMPLE, "-o", str(work), "-q")  # compiles the simulator's runtime when it is new
        for bench in BENCHES:
            if given.names and not any(name in bench.name for name in given.names):
                continue
            value = statistics.median(bench.measure(work) for _ in range(min(given.runs, bench.most_runs)))
            sign = ">=" if bench.higher else "<="
            verdict = "" if bench.passes(value) else "   missed"
            print(f"{bench.name:22}{value:9.3f} {bench.unit:<8}{sign} {bench.bar:g} {bench.unit}{verdict}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
