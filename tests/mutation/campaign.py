"""`make mutate`: every mutant of every sample, judged; a table, and exit 1 when one escapes that is not equivalent.

python tests/mutation/campaign.py [--jobs N] [--results FILE] [SAMPLE]...

With --results, verdicts are kept in a file (one JSON object a line) and not asked for again while the C++ of the mutant,
its inputs and the machine are the same.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from functools import cache
from multiprocessing import get_context
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from checked_samples import SAMPLES, Setting
from equivalent import AS_EXPANDED, reason_of
from judge import generate, key_of, mutants, run
from mutator import Mutant

CAUGHT, EQUIVALENT, ESCAPED, FALSE_ALARM = "caught", "equivalent", "escaped", "false alarm"


@dataclass(frozen=True)
class Judged:
    """codes: of what was found; reason: why it cannot be told from the kernel; verdict: what follows from both.

    A kernel that its author wrote with other slot counts may well be wrong, in its serial form too: then it is caught.
    """

    sample: str
    setting: Setting
    mutant: Mutant
    key: str
    codes: tuple[str, ...]
    reason: str

    @property
    def verdict(self) -> str:
        if self.codes:
            return FALSE_ALARM if self.reason not in ("", AS_EXPANDED) else CAUGHT
        return EQUIVALENT if self.reason else ESCAPED

    @property
    def text(self) -> str:
        setting = "" if self.setting is None else f" (preload {self.setting})"
        mutant = self.mutant
        return (
            f"{self.sample}:{mutant.line}{setting} {mutant.kind}, {mutant.change}: {mutant.source} {self.codes or ''}"
        )


def one(sample: str, setting: Setting, number: int, results: str) -> Judged:
    """The verdict on one mutant, in a folder of this process."""
    mutant = mutants(sample, setting)[number]
    generated = generate(SAMPLES[sample], mutant.text)
    key, codes = "", generated.codes
    if not codes:
        key = key_of(SAMPLES[sample], generated)
        known = _known(results).get(key)
        codes = run(SAMPLES[sample], generated, _folder()) if known is None else known
    return Judged(sample, setting, mutant, key, codes, reason_of(sample, setting, mutant))


@cache
def _folder() -> Path:
    folder = Path(tempfile.gettempdir()) / f"ptopro-mutants-{os.getppid()}" / str(os.getpid())
    folder.mkdir(parents=True)
    return folder


@cache
def _known(results: str) -> dict[str, tuple[str, ...]]:
    """What a file of results says, by key."""
    if not results or not Path(results).exists():
        return {}
    rows = map(json.loads, Path(results).read_text().splitlines())
    return {row["key"]: tuple(row["codes"]) for row in rows}


def judged(samples: Iterable[str], jobs: int, results: str) -> Iterator[Judged]:
    work = [
        (sample, setting, number)
        for sample in samples
        for setting in SAMPLES[sample].mutated
        for number in range(len(mutants(sample, setting)))
    ]
    before = _known(results)
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        waiting = [pool.submit(one, *each, results) for each in work]
        for done in as_completed(waiting):
            if done.exception() is not None:
                pool.shutdown(wait=False, cancel_futures=True)
            found = done.result()
            if results and found.key and found.key not in before:
                Path(results).parent.mkdir(parents=True, exist_ok=True)
                with Path(results).open("a") as file:
                    print(json.dumps({"key": found.key, "codes": found.codes, "mutant": found.text}), file=file)
            yield found
    shutil.rmtree(Path(tempfile.gettempdir()) / f"ptopro-mutants-{os.getpid()}", ignore_errors=True)


def table(rows: list[Judged]) -> str:
    """Mutants, caught, equivalent and the rest, by kind and by sample, for a page."""
    titles = ("mutants", CAUGHT, EQUIVALENT, ESCAPED)
    lines = [f"| {'':16} | {' | '.join(titles)} |", f"| {'-' * 16} |{' ---: |' * len(titles)}"]
    by_kind = dict.fromkeys(row.mutant.kind for row in sorted(rows, key=lambda row: row.mutant.kind))
    by_sample = [name for name in SAMPLES if any(row.sample == name for row in rows)]
    lines += [_line(kind, [row for row in rows if row.mutant.kind == kind]) for kind in by_kind]
    lines += [_line(f"`{name}`", [row for row in rows if row.sample == name]) for name in by_sample]
    return "\n".join([*lines, _line("all", rows)])


def _line(name: str, rows: list[Judged]) -> str:
    found = Counter(row.verdict for row in rows)
    counts = (len(rows), found[CAUGHT], found[EQUIVALENT], found[ESCAPED] + found[FALSE_ALARM])
    cells = [
        f"{count:{len(title)}}" for count, title in zip(counts, ("mutants", CAUGHT, EQUIVALENT, ESCAPED), strict=True)
    ]
    return f"| {name:16} | {' | '.join(cells)} |"


def main() -> int:
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("samples", nargs="*", help="only these samples")
    ask.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    ask.add_argument("--results", default="")
    given = ask.parse_args()
    rows: list[Judged] = []
    for row in judged(given.samples or SAMPLES, given.jobs, given.results):
        rows.append(row)
        if row.verdict in (ESCAPED, FALSE_ALARM):
            print(f"{row.verdict}: {row.text}", flush=True)
    print(table(rows))
    return 1 if any(row.verdict in (ESCAPED, FALSE_ALARM) for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
