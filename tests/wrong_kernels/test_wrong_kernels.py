"""Kernels that are wrong in one way each, and the finding that `ptopro check` must give: code, lines, missing edge.

The lines of a finding carry the comments `# first` and `# second` in the kernel's file; the finding stands at the
second where there are two.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from ptopro.check.kernel_check import Result, check_kernel
from ptopro.check.request import Request
from ptopro.diagnostics import Sink
from ptopro.frontend.source import load_module
from ptopro.lowering.target import Target

FOLDER = Path(__file__).parent
RACE, DEADLOCK, LEAK, OVERLAP, PHASE, OUTSIDE = "PTO1840", "PTO1830", "PTO1841", "PTO1843", "PTO1505", "PTO1836"

# File, code, what the finding must say.
WRONG = [
    ("overwritten_double_buffer", RACE, "TLOAD on MTE2 must wait for TSTORE on MTE3: a flag MTE3 -> MTE2"),
    ("phase_without_final", PHASE, "whoever waits for Final waits for ever"),
    ("phase_without_final_by_hand", DEADLOCK, "unit flag"),
    ("flag_set_twice", LEAK, "flag MTE2 -> MTE3, id 3, is still set when the kernel ends: 2 sets, 1 wait"),
    ("flag_left_set", LEAK, "flag MTE3 -> MTE2, id 4, is still set when the kernel ends: 1 set, 0 waits"),
    ("wait_on_wrong_pipe", RACE, "a flag between the cores, set on FIX of cube and waited for on V of vector 0"),
    ("two_views_two_ids", RACE, "a flag MTE2 -> MTE3, or one lock that both hold"),
    ("event_id_of_two_channels", RACE, "a flag between the cores, set on FIX of cube and waited for on V of vector 0"),
    ("subcore_skips_set", DEADLOCK, "no set_intra_block(.., 1) of it is queued on vector 1"),
    ("two_loads_in_flight", RACE, "transfers of MTE2 overlap: TLOAD must wait for the completion of TLOAD"),
    ("scalar_reads_early", RACE, "GetValue on S must wait for TMULS on V: a flag V -> S"),
    ("reload_without_barrier", RACE, "which it has stored with no mem_bar between"),
    ("threads_share_bytes", RACE, "threads 0 and 1 of a SIMT launch access byte 0x0"),
    ("index_outside_array", OUTSIDE, "the kernel's scalar code ended in an index outside of an array"),
    ("blocks_overlap", OVERLAP, "blocks 0 and 1 both write elements [0, 4096) of y"),
]
# Races in full: what stands at the second line, what at the first, the tiles, the missing edge.
RACES = {
    "overwritten_double_buffer": (
        "TLOAD on MTE2 writes Vec bytes [0x0, 0x1000) that TSTORE on MTE3 reads, and nothing orders them",
        "block 0, vector 0, MTE3, TSTORE reads Vec bytes [0x0, 0x1000) (execution 1 of this line)",
        "Vec bytes [0x0, 0x1000) are ub[0]",
        "TLOAD on MTE2 must wait for TSTORE on MTE3: a flag MTE3 -> MTE2, or one lock that both hold",
    ),
    "wait_on_wrong_pipe": (
        "TEXP on vector 0 V reads Vec bytes [0x0, 0x2000) that TMOV on cube FIX writes, and nothing orders them",
        "block 0, cube, FIX, TMOV writes Vec bytes [0x0, 0x2000) (execution 1 of this line)",
        "Vec bytes [0x0, 0x2000) are shared",
        "TEXP on vector 0 V must wait for TMOV on cube FIX (or the other way round): a flag between the cores, set on FIX "
        "of cube and waited for on V of vector 0",
    ),
    "two_views_two_ids": (
        "TSTORE on MTE3 reads Vec bytes [0x0, 0x4000) that TLOAD on MTE2 writes, and nothing orders them",
        "block 0, vector 0, MTE2, TLOAD writes Vec bytes [0x0, 0x4000) (execution 1 of this line)",
        "Vec bytes [0x0, 0x4000) are one and two",
        "TSTORE on MTE3 must wait for TLOAD on MTE2: a flag MTE2 -> MTE3, or one lock that both hold",
    ),
    "event_id_of_two_channels": (
        "TEXP on vector 0 V reads Vec bytes [0x4000, 0x6000) that TMOV on cube FIX writes, and nothing orders them",
        "block 0, cube, FIX, TMOV writes Vec bytes [0x4000, 0x6000) (execution 1 of this line)",
        "Vec bytes [0x4000, 0x6000) are other",
        "set on FIX of cube and waited for on V of vector 0",
    ),
    "two_loads_in_flight": (
        "TLOAD on MTE2 writes Vec bytes [0x0, 0x4000) that TLOAD on MTE2 writes, and nothing orders them",
        "block 0, vector 0, MTE2, TLOAD writes Vec bytes [0x0, 0x4000) (execution 1 of this line)",
        "Vec bytes [0x0, 0x4000) are ub",
        "a barrier on MTE2, or a wait for a pipe that has used the data",
    ),
    "scalar_reads_early": (
        "GetValue on S reads Vec bytes [0x0, 0x4) that TMULS on V writes, and nothing orders them",
        "block 0, vector 0, V, TMULS writes Vec bytes [0x0, 0x4000) (execution 1 of this line)",
        "Vec bytes [0x0, 0x4) are ub",
        "GetValue on S must wait for TMULS on V: a flag V -> S, or one lock that both hold",
    ),
}
SHAPES = {"overwritten_double_buffer": {"x": (64, 64)}}
CORES = {"blocks_overlap": 2}


def checked(name: str, folder: Path) -> Result:
    sink = Sink()
    (kernel,) = load_module(str(FOLDER / f"{name}.py"), sink=sink).kernels
    assert not sink.diagnostics
    request = Request(shapes=SHAPES.get(name, {}), cores=CORES.get(name, 1))
    return check_kernel(kernel, request, Target(chip="a5"), folder)


def marked(name: str) -> dict[str, int]:
    """The lines of the file that carry a mark."""
    lines = (FOLDER / f"{name}.py").read_text().splitlines()
    return {mark: n for n, line in enumerate(lines, 1) for mark in ("first", "second") if line.endswith(f"# {mark}")}


@pytest.mark.parametrize(("name", "code", "words"), WRONG, ids=[name for name, *_ in WRONG])
def test_the_finding(name: str, code: str, words: str, tmp_path: Path) -> None:
    result = checked(name, tmp_path)
    found = [*result.static, *result.findings]
    assert not result.ok and found
    assert found[0].code == code, found
    told = "\n".join([found[0].message, *found[0].notes])
    assert words in told, told
    lines = marked(name)
    assert found[0].span is not None
    if code == RACE and "second" in lines:
        assert found[0].span.line == lines["second"]
        assert lines["first"] in [label.span.line for label in found[0].labels] or lines["first"] == lines["second"]
    else:
        assert found[0].span.line == lines["first"]


@pytest.mark.parametrize("name", RACES)
def test_both_sides_of_a_race(name: str, tmp_path: Path) -> None:
    race = next(finding for finding in checked(name, tmp_path).findings if finding.code == RACE)
    here, there, tiles, edge = RACES[name]
    lines = marked(name)
    assert here in race.message and race.span is not None and race.span.line == lines["second"]
    assert [(label.span.line, label.text) for label in race.labels] == [(lines["first"], there)]
    assert tiles in race.notes
    assert any(note.endswith(edge) for note in race.notes), race.notes


def test_every_kernel_is_listed() -> None:
    files = {path.stem for path in FOLDER.glob("*.py") if not path.stem.startswith("test_")}
    assert files == {name for name, *_ in WRONG}
