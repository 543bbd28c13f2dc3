"""How diagnostics look in each format."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from ptopro.diagnostics import Diagnostic, Label, Severity, Span
from ptopro.diagnostics.render import FORMATS, Sources, render
from ptopro.diagnostics.render.columns import cell_width, expand, text_width

KERNEL = """\
import pypto_pro.language as pl

def k():
    big = pl.make_tile(t64, addr=0x2000)
    small = pl.make_tile(t32, addr=0x0)

    pl.load(small, x, [0, 0])
    pl.add(out, small, big)
\tpl.mul(输出, small, b\u0301ig)
    pl.store(
        y,
        out,
        [0, 0],
    )
"""
SOURCES = Sources({"kernel.py": KERNEL})


def shape_error(**more: object) -> Diagnostic:
    facts: dict[str, object] = {
        "code": "PTO1204",
        "severity": Severity.ERROR,
        "message": "`rhs` of pl.add is [64, 64], `out` asks for [32, 64]",
        "span": Span("kernel.py", 8, 24, 8, 27),
        "primary": "[64, 64]",
        "help": "give the tiles one shape",
    }
    return Diagnostic(**{**facts, **more})  # type: ignore[arg-type]


def test_text_underlines_the_place() -> None:
    assert render([shape_error()], sources=SOURCES) == (
        "error[PTO1204]: `rhs` of pl.add is [64, 64], `out` asks for [32, 64]\n"
        " --> kernel.py:8:24\n"
        "  |\n"
        "8 |     pl.add(out, small, big)\n"
        "  |                        ^^^ [64, 64]\n"
        "  |\n"
        "  = help: give the tiles one shape\n"
        "  = more: ptopro explain PTO1204"
    )


def test_text_shows_labels_notes_and_gaps() -> None:
    diagnostic = shape_error(
        labels=(Label(Span("kernel.py", 4, 11, 4, 41), "declared here"),),
        notes=("the shapes are those of TileType",),
    )
    assert render([diagnostic], sources=SOURCES) == (
        "error[PTO1204]: `rhs` of pl.add is [64, 64], `out` asks for [32, 64]\n"
        " --> kernel.py:8:24\n"
        "  |\n"
        "4 |     big = pl.make_tile(t64, addr=0x2000)\n"
        "  |           ------------------------------ declared here\n"
        "...\n"
        "8 |     pl.add(out, small, big)\n"
        "  |                        ^^^ [64, 64]\n"
        "  |\n"
        "  = note: the shapes are those of TileType\n"
        "  = help: give the tiles one shape\n"
        "  = more: ptopro explain PTO1204"
    )


def test_text_marks_two_places_of_one_line() -> None:
    diagnostic = shape_error(labels=(Label(Span("kernel.py", 8, 12, 8, 15), "this is [32, 64]"),), help="")
    lines = render([diagnostic], sources=SOURCES).split("\n")
    assert lines[3:6] == [
        "8 |     pl.add(out, small, big)",
        "  |                        ^^^ [64, 64]",
        "  |            --- this is [32, 64]",
    ]


def test_text_points_into_other_files() -> None:
    sources = Sources({"kernel.py": KERNEL, "helpers.py": "def f(a):\n    return a\n"})
    diagnostic = shape_error(labels=(Label(Span("helpers.py", 2, 12, 2, 13), "from here"),))
    text = render([diagnostic], sources=sources)
    assert " ::: helpers.py:2:12\n  |\n2 |     return a\n  |            - from here" in text


def test_text_shows_first_and_last_line_of_a_long_range() -> None:
    text = render([shape_error(span=Span("kernel.py", 10, 5, 14, 6))], sources=SOURCES)
    assert "10 |     pl.store(\n   |     ^^^^^^^^^\n...\n14 |     )\n   |     ^ [64, 64]" in text


def test_text_aligns_after_tabs_wide_and_combining_characters() -> None:
    lines = render([shape_error(span=Span("kernel.py", 9, 20, 9, 24))], sources=SOURCES).split("\n")
    shown, marks = lines[3], lines[4]
    assert shown == "9 |     pl.mul(输出, small, b\u0301ig)"
    assert text_width(marks.partition("^")[0]) == text_width(shown.partition("b\u0301")[0])
    assert marks.endswith("^^^ [64, 64]")


def test_text_without_the_source_still_says_where() -> None:
    text = render([shape_error()], sources=Sources({"kernel.py": ""}))
    assert " --> kernel.py:8:24\n  |\n  = help" in text


def test_text_without_a_place() -> None:
    text = render([shape_error(span=None, help="")])
    assert text.split("\n") == [
        "error[PTO1204]: `rhs` of pl.add is [64, 64], `out` asks for [32, 64]",
        "  = more: ptopro explain PTO1204",
    ]


def test_text_wraps_notes_and_keeps_their_lines() -> None:
    text = render([shape_error(notes=("word " * 40 + "\nsecond line",))], sources=SOURCES, width=60)
    notes = [line for line in text.split("\n") if "word" in line or "second" in line]
    assert all(len(line) <= 60 for line in notes)
    assert notes[0].startswith("  = note: word") and notes[-1] == "          second line"


def test_text_counts_when_there_are_several() -> None:
    warning = shape_error(severity=Severity.WARNING)
    assert render([shape_error(), shape_error(), warning], sources=SOURCES).endswith("\n\n2 errors, 1 warning")


def test_text_has_colours_only_when_asked() -> None:
    plain = render([shape_error()], sources=SOURCES)
    colored = render([shape_error()], sources=SOURCES, color=True)
    assert "\x1b" not in plain
    assert "\x1b[1;31m^^^ [64, 64]\x1b[0m" in colored
    for code in ("1;31", "1;34", "1", "0"):
        colored = colored.replace(f"\x1b[{code}m", "")
    assert colored == plain


def test_text_reads_files_and_survives_those_that_it_cannot(tmp_path: Path) -> None:
    file = tmp_path / "k.py"
    file.write_bytes(b"one\r\ntwo \xff\x0cx\r\n")
    span = Span(str(file), 2, 1, 2, 4)
    assert "2 | two \ufffd" in render([shape_error(span=span)])
    assert "k.py:2:1" in render([shape_error(span=Span(str(tmp_path), 2, 1, 2, 4)), shape_error(span=span)])


def test_short_is_one_compiler_line() -> None:
    multiline = shape_error(message="first\nsecond")
    assert render([shape_error(), multiline, shape_error(span=None)], "short").split("\n") == [
        "kernel.py:8:24: error: `rhs` of pl.add is [64, 64], `out` asks for [32, 64] [PTO1204]",
        "kernel.py:8:24: error: first second [PTO1204]",
        "error: `rhs` of pl.add is [64, 64], `out` asks for [32, 64] [PTO1204]",
    ]


def test_json_is_one_object_a_line() -> None:
    diagnostic = shape_error(labels=(Label(Span("kernel.py", 4, 5, 4, 8), "输出"),), notes=("n",))
    first, second = (json.loads(line) for line in render([diagnostic, shape_error(span=None)], "json").split("\n"))
    assert first == {
        "code": "PTO1204",
        "severity": "error",
        "message": "`rhs` of pl.add is [64, 64], `out` asks for [32, 64]",
        "span": {"file": "kernel.py", "line": 8, "col": 24, "end_line": 8, "end_col": 27},
        "primary": "[64, 64]",
        "labels": [{"span": {"file": "kernel.py", "line": 4, "col": 5, "end_line": 4, "end_col": 8}, "text": "输出"}],
        "notes": ["n"],
        "help": "give the tiles one shape",
    }
    assert second["span"] is None


def test_sarif_has_what_the_standard_asks_for() -> None:
    note = shape_error(code="PTO1305", severity=Severity.NOTE, span=Span("/a b/k.py", 1, 1, 1, 2))
    label = Label(Span("dir/other file.py", 2, 1, 2, 3), "")
    log = json.loads(render([shape_error(labels=(label,)), note, shape_error(span=None)], "sarif"))
    assert (log["version"], log["$schema"].rpartition("/")[2]) == ("2.1.0", "sarif-2.1.0.json")
    (run,) = log["runs"]
    rules = run["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == ["PTO1204", "PTO1305"]
    assert all(rule["shortDescription"]["text"] and rule["help"]["text"] for rule in rules)
    first, second, third = run["results"]
    assert [r["level"] for r in run["results"]] == ["error", "note", "error"]
    assert all(rules[r["ruleIndex"]]["id"] == r["ruleId"] for r in run["results"])
    location = first["locations"][0]["physicalLocation"]
    assert location["artifactLocation"]["uri"] == "kernel.py"
    assert location["region"] == {"startLine": 8, "startColumn": 24, "endLine": 8, "endColumn": 27}
    related = first["relatedLocations"][0]
    assert (
        related["physicalLocation"]["artifactLocation"]["uri"] == "dir/other%20file.py" and related["message"]["text"]
    )
    assert second["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "file:///a%20b/k.py"
    assert "locations" not in third


def test_sarif_of_nothing_is_a_log_without_results() -> None:
    assert json.loads(render([], "sarif"))["runs"][0]["results"] == []


def test_github_escapes_what_the_runner_reads() -> None:
    diagnostic = shape_error(message="50% a:b\nnext", span=Span("a,b:c.py", 8, 24, 8, 27), help="")
    assert render([diagnostic], "github") == (
        "::error file=a%2Cb%3Ac.py,line=8,endLine=8,title=PTO1204,col=24,endColumn=26::50%25 a:b%0Anext"
    )


def test_github_severities_and_ranges() -> None:
    warning = shape_error(severity=Severity.WARNING, span=Span("k.py", 1, 5, 3, 2), help="")
    note = shape_error(severity=Severity.NOTE, span=None, help="")
    first, second = render([warning, note], "github").split("\n")
    assert first.startswith("::warning file=k.py,line=1,endLine=3,title=PTO1204::")
    assert second.startswith("::notice title=PTO1204::")


@pytest.mark.parametrize("format", [f for f in FORMATS if f != "sarif"])
def test_nothing_renders_to_nothing(format: str) -> None:
    assert render([], format) == ""


def test_unknown_format_is_refused() -> None:
    with pytest.raises(ValueError, match="xml"):
        render([], "xml")


def test_plain_text_needs_no_rich() -> None:
    code = (
        "import sys; from ptopro.diagnostics.render import render; from ptopro.diagnostics import make;"
        "render([make('PTO1217', operation='fillpad', operand='out')]); assert 'rich' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_widths_of_characters() -> None:
    assert [cell_width(char) for char in "a输\u0301\u200bｱＡ"] == [1, 2, 0, 0, 1, 2]
    assert expand("\ta\tb", 2) == ("    a   b", 4)
    assert expand("ab", 6) == ("ab", 5)
    assert expand("a\x07b", 3) == ("a\ufffdb", 2)
