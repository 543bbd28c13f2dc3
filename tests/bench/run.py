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


def cold_build(work: Path) -> float:
    """A build of a kernel that no cache knows, with the simulator's runtime compiled already."""
    text = (ROOT / SAMPLE).read_text()
    name = f"cold_{time.time_ns()}"
    renamed = re.sub(r"\bdef matmul\(", f"def {name}(", text)
    if renamed == text:
        sys.exit(f"{SAMPLE} has no function matmul to rename")
    source = work / f"{name}.py"
    source.write_text(renamed)
    return seconds("build", str(source), "-o", str(work), "-q")


def gigaflops(work: Path) -> float:
    """2048^3 multiply-adds of the sample through its own host program, from the machine's own clock."""
    log = work / "launches.jsonl"
    log.unlink(missing_ok=True)
    size = str(SIZE)
    seconds("run", SAMPLE, size, size, size, str(os.cpu_count() or 1), env={"PTOPRO_LAUNCH_LOG": str(log)})
    import json

    spent = sum(json.loads(line)["seconds"] for line in log.read_text().splitlines())
    return 2 * SIZE**3 / spent / 1e9


BENCHES = (
    Bench("ptopro --help", 0.15, "s", lambda work: seconds("--help")),
    Bench("expand matmul", 0.35, "s", lambda work: seconds("expand", SAMPLE, "-o", str(work), "-q")),
    Bench("codegen matmul", 0.35, "s", lambda work: seconds("codegen", SAMPLE, "-o", str(work), "-q")),
    Bench("build, cold", 6.0, "s", cold_build),
    # The build itself; the process also reads, expands and generates, which the two lines above bound.
    Bench("build, cached", 0.2, "s", lambda work: cached_build(work)),
    Bench("matmul 2048^3 fp16", 20.0, "GFLOP/s", gigaflops, higher=True, most_runs=3),
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
