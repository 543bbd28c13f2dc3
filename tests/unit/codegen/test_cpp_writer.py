"""Lines as clang-format lays them out."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from ptopro.codegen.lines import Marks
from ptopro.codegen.writer import WIDTH, Writer, aligned, wrap

ROOT = Path(__file__).parents[3]
FORMATTER = shutil.which("clang-format") or str(ROOT / ".venv" / "bin" / "clang-format")

LONG = [
    f"AICORE inline void f({', '.join(f'int64_t parameter{i}' for i in range(8))}) {{",
    f"AICORE inline void {'f' * 70}({', '.join(f'[[maybe_unused]] int64_t p{i}' for i in range(12))}) {{",
    f"call({', '.join(f'argument{i}' for i in range(14))});",
    f"{'c' * 60}({', '.join(f'argument{i}' for i in range(8))});",
    "const int64_t a_long_name_for_a_value = another_long_name_for_a_function(first_argument_of_it) * second_factor_of_it;",
    f"TASSIGN(x_gm, x + {' + '.join(f'index_of_axis_{i} * stride_{i}' for i in range(4))});",
    f"if ({' || '.join(f'(left_{i} < right_{i} && up_{i})' for i in range(5))}) {{",
]


@pytest.mark.skipif(not Path(FORMATTER).exists(), reason="needs clang-format")
@pytest.mark.parametrize("text", LONG)
def test_long_lines_break_where_a_formatter_breaks_them(text: str) -> None:
    body = "\n".join(wrap(text, 2))
    closing = "\n  }" if text.endswith("{") else ""
    program = (
        f"struct S {{\n{body}{closing}\n}};\n" if text.startswith("AICORE") else f"void g() {{\n{body}{closing}\n}}\n"
    )
    command = [FORMATTER, f"--style=file:{ROOT / '.clang-format'}"]
    done = subprocess.run(command, input=program, capture_output=True, text=True, check=True)
    assert done.stdout.replace("{}", "{\n  }") == program
    assert all(len(line) <= WIDTH for line in body.splitlines())


def test_short_lines_stay() -> None:
    assert wrap("f(a, b);", 4) == ["    f(a, b);"]


def test_comments_of_neighbours_share_a_column() -> None:
    out = Writer()
    for line, text in enumerate(("a = 1;", "longer = 2;"), 3):
        out.begin(("k.py", line), f"k.py:{line}")
        out.write(text)
    out.write("plain();")
    assert [text for text, _ in aligned(out.lines)] == [
        "a = 1;       // k.py:3",
        "longer = 2;  // k.py:4",
        "plain();",
    ]


def test_a_comment_without_room_stands_above() -> None:
    out = Writer()
    out.begin(("k.py", 3), "k.py:3")
    out.write("x" * 115)
    assert [line.text for line in out.lines] == ["// k.py:3", "x" * 115]


def test_the_line_map_counts_the_lines_of_the_file() -> None:
    out = Writer()
    out.begin(("k.py", 7), "k.py:7")
    out.write("first();")
    out.write("second();")
    marks = Marks()
    text, line_map = marks.resolve(f"// head\n\n\n{marks.marked(out.lines)}\n\n// foot\n", "kernel.cpp")
    assert text == "// head\n\nfirst();  // k.py:7\nsecond();\n\n// foot\n"
    assert line_map.lines == ((3, ("k.py", 7)), (4, ("k.py", 7)))
    assert line_map.to_json() == {"file": "kernel.cpp", "sources": ["k.py"], "lines": [[3, 0, 7], [4, 0, 7]]}
