"""`make mutate`: every mutant of every sample, judged; a table, and exit 1 when one escapes that is not equivalent.

python tests/mutation/campaign.py [--jobs N] [--results FILE] [SAMPLE]...

With --results, verdicts are kept in a file (one JSON object a line) and not asked for again while text and machine are
the same.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import multiprocessing
import os
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from checked_samples import SAMPLES
from equivalent import reason_of
from judge import judge, mutants
from mutator import Mutant

from ptopro.build import commands
from ptopro.build.cache import digest_of_files

Judged = tuple[str, Mutant, tuple[str, ...]]


def key_of(sample: str, mutant: Mutant, machine: str) -> str:
    inputs = repr(SAMPLES[sample].requests)
    return hashlib.sha256(f"{machine}\0{inputs}\0{mutant.kind}\0{mutant.text}".encode()).hexdigest()[:24]


def one(work: tuple[str, int]) -> tuple[str, int, tuple[str, ...]]:
    """The verdict on one mutant, in a folder of this process."""
    sample, number = work
    folder = Path(tempfile.gettempdir()) / f"ptopro-mutants-{os.getppid()}" / str(os.getpid())
    return sample, number, judge(SAMPLES[sample], mutants(sample)[number], folder).codes


def judged(samples: Iterable[str], jobs: int, results: Path | None) -> Iterable[Judged]:
    machine = digest_of_files(commands.package_root(), ("*.hpp", "*.h", "*.cpp"))
    known: dict[str, list[str]] = {}
    if results is not None and results.exists():
        known = {row["key"]: row["codes"] for row in map(json.loads, results.read_text().splitlines())}
    waiting: list[tuple[str, int]] = []
    for sample in samples:
        for number, mutant in enumerate(mutants(sample)):
            codes = known.get(key_of(sample, mutant, machine))
            if codes is None:
                waiting.append((sample, number))
            else:
                yield sample, mutant, tuple(codes)
    with multiprocessing.get_context("spawn").Pool(jobs) as pool:
        for sample, number, codes in pool.imap_unordered(one, waiting):
            mutant = mutants(sample)[number]
            if results is not None:
                with results.open("a") as file:
                    row = {"key": key_of(sample, mutant, machine), "codes": codes, "sample": sample,
                           "kind": mutant.kind, "line": mutant.line, "source": mutant.source, "change": mutant.change}  # fmt: skip
                    print(json.dumps(row), file=file)
            yield sample, mutant, codes


def table(rows: list[Judged]) -> str:
    """Mutants, caught, equivalent and escaped, by kind and by sample."""
    lines = [f"{'':18}{'mutants':>9}{'caught':>9}{'equivalent':>12}{'escaped':>9}"]
    for title, place in (("kind", lambda row: row[1].kind), ("sample", lambda row: row[0])):
        lines.append(f"by {title}")
        groups = dict.fromkeys(map(place, rows))
        for group in groups:
            lines.append(_line(f"  {group}", [row for row in rows if place(row) == group]))
    lines.append(_line("all", rows))
    return "\n".join(lines)


def _line(name: str, rows: list[Judged]) -> str:
    found = Counter(verdict(*row) for row in rows)
    return f"{name:18}{len(rows):9}{found['caught']:9}{found['equivalent']:12}{found['escaped']:9}"


def verdict(sample: str, mutant: Mutant, codes: tuple[str, ...]) -> str:
    if codes:
        return "caught"
    return "equivalent" if reason_of(sample, mutant) else "escaped"


def main() -> int:
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("samples", nargs="*", help="only these samples")
    ask.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    ask.add_argument("--results", type=Path)
    given = ask.parse_args()
    rows: list[Judged] = []
    for row in judged(given.samples or SAMPLES, given.jobs, given.results):
        rows.append(row)
        if verdict(*row) == "escaped":
            sample, mutant, _ = row
            print(f"escaped: {sample}:{mutant.line} {mutant.kind}, {mutant.change}: {mutant.source}", flush=True)
    print(table(rows))
    return 1 if any(verdict(*row) == "escaped" for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
