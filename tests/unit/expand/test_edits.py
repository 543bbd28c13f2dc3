"""Lines before and after statements, in every way a statement can be written; all else stays byte-equal."""

from __future__ import annotations

import ast

import pytest

from ptopro.expand.edits import EditSet, join_pieces
from ptopro.expand.source_text import SourceText
from ptopro.expand.syntax_index import SyntaxIndex


def edit_set(text: str) -> EditSet:
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return EditSet(SourceText("k.py", text), SyntaxIndex("k.py", ast.parse(text), lines))


def around_calls(text: str, *names: str) -> str:
    """Insert `<lock>` before and `<unlock>` after each statement that calls one of the names."""
    edits = edit_set(text)
    for statement in sorted(edits.index.suites, key=lambda s: (s.lineno, s.col_offset)):
        if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
            name = ast.unparse(statement.value.func)
            if name in names:
                edits.before(statement, [f"lock_{name}"])
                edits.after(statement, [f"unlock_{name}"])
    return join_pieces(edits.pieces()).text


BEFORE_AFTER = {
    "plain": ("f(a)\n", "lock_f\nf(a)\nunlock_f\n"),
    "no line end at the end of the file": ("x\nf(a)", "x\nlock_f\nf(a)\nunlock_f"),
    "comment above and behind": (
        "def k():\n    # why\n    f(a)  # note\n    # later\n",
        "def k():\n    # why\n    lock_f\n    f(a)  # note\n    unlock_f\n    # later\n",
    ),
    "carriage returns": ("def k():\r\n    f(a)\r\n", "def k():\r\n    lock_f\r\n    f(a)\r\n    unlock_f\r\n"),
    "old line ends": ("def k():\r    f(a)\r", "def k():\r    lock_f\r    f(a)\r    unlock_f\r"),
    "tabs": ("if x:\n\tf(a)\n", "if x:\n\tlock_f\n\tf(a)\n\tunlock_f\n"),
    "several lines": ("f(\n    a,\n    b,  # b\n)\ng()\n", "lock_f\nf(\n    a,\n    b,  # b\n)\nunlock_f\ng()\n"),
    "backslash inside": ("f(a) + \\\n    f(b)\n", "f(a) + \\\n    f(b)\n"),
    "backslash in a call": ("f(a, \\\n  b)\n", "lock_f\nf(a, \\\n  b)\nunlock_f\n"),
    "backslash behind": ("f(a) \\\n\ng()\n", "lock_f\nf(a) \\\n\nunlock_f\ng()\n"),
    "semicolon, first": ("f(a); g(b)\n", "lock_f\nf(a)\nunlock_f\ng(b)\n"),
    "semicolon, second": ("g(b); f(a)  # c\n", "g(b)\nlock_f\nf(a)  # c\nunlock_f\n"),
    "semicolon, both of two": ("f(a);f(b)\n", "lock_f\nf(a)\nunlock_f\nlock_f\nf(b)\nunlock_f\n"),
    "semicolon, middle of three": ("g(1); f(a); g(2)\n", "g(1)\nlock_f\nf(a)\nunlock_f\ng(2)\n"),
    "semicolon and backslash": ("g(b); \\\n  f(a)\n", "g(b)\nlock_f\nf(a)\nunlock_f\n"),
    "semicolon at the end": ("f(a);  # c; d\ng()\n", "lock_f\nf(a);  # c; d\nunlock_f\ng()\n"),
    "one-line suite": ("if x: f(a)\ng()\n", "if x:\n    lock_f\n    f(a)\n    unlock_f\ng()\n"),
    "one-line suite of two": ("if x: g(b); f(a)\n", "if x:\n    g(b)\n    lock_f\n    f(a)\n    unlock_f\n"),
    "one-line suite of two, first": ("if x: f(a); g(b)\n", "if x:\n    lock_f\n    f(a)\n    unlock_f\n    g(b)\n"),
    "one-line suite, tabs": ("if x:\n\tif y: f(a)\n", "if x:\n\tif y:\n\t\tlock_f\n\t\tf(a)\n\t\tunlock_f\n"),
    "one-line else": (
        "if x: g()\nelse: f(a)\n",
        "if x: g()\nelse:\n    lock_f\n    f(a)\n    unlock_f\n",
    ),
    "one-line suite behind a backslash": ("if x: \\\n    f(a)\n", "if x:\n    lock_f\n    f(a)\n    unlock_f\n"),
    "two-blank indentation": (
        "if x:\n  if y: f(a)\n",
        "if x:\n  if y:\n    lock_f\n    f(a)\n    unlock_f\n",
    ),
    "last statement of a nested block": (
        "if x:\n    if y:\n        f(a)\ng()\n",
        "if x:\n    if y:\n        lock_f\n        f(a)\n        unlock_f\ng()\n",
    ),
    "form feed": ("g()\n\ff(a)\n", "g()\nlock_f\n\ff(a)\nunlock_f\n"),
    "characters outside ASCII": ("s = 'ä𝄞'; f('ü')\n", "s = 'ä𝄞'\nlock_f\nf('ü')\nunlock_f\n"),
    "string with line ends": ('f("""a\n  b""")\n', 'lock_f\nf("""a\n  b""")\nunlock_f\n'),
    "line separator in a string": ("f('\u2028'); g()\n", "lock_f\nf('\u2028')\nunlock_f\ng()\n"),
}


@pytest.mark.parametrize("name", BEFORE_AFTER)
def test_lines_around_a_statement(name: str) -> None:
    before, after = BEFORE_AFTER[name]
    result = around_calls(before, "f")
    assert result == after
    ast.parse(result)


UNTOUCHED = [
    "x = 1  # type: int\r\n\ty = 2\r\n".replace("\t", ""),
    "a = 1; b = 2\n",
    "if x: a = 1\n\f\nelse: b = 2\n",
    "def f(a): return \\\n  a\n",
    "# only a comment",
    "",
    "s = '''\n   keep \t\n'''\n\n\n",
]


@pytest.mark.parametrize("text", UNTOUCHED)
def test_a_text_without_edits_stays_as_it_is(text: str) -> None:
    assert join_pieces(edit_set(text).pieces()).text == text


def test_lines_after_an_inner_statement_come_before_lines_after_the_outer_one() -> None:
    edits = edit_set("if x:\n    f(a)\n")
    outer = edits.index.tree.body[0]
    assert isinstance(outer, ast.If)
    edits.after(outer, ["outer"])
    edits.after(outer.body[0], ["inner"])
    assert join_pieces(edits.pieces()).text == "if x:\n    f(a)\n    inner\nouter\n"


def test_replaced_expressions_and_inserted_lines_go_together() -> None:
    edits = edit_set("f(g(), 1)\n")
    statement = edits.index.tree.body[0]
    assert isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call)
    edits.before(statement, ["v = g()"])
    edits.replace(statement.value.args[0], "v")
    assert join_pieces(edits.pieces()).text == "v = g()\nf(v, 1)\n"


def test_each_line_knows_where_it_comes_from() -> None:
    edits = edit_set("a\nif x: f(b)\nc\n")
    statement = edits.index.tree.body[1]
    assert isinstance(statement, ast.If)
    edits.before(statement.body[0], ["lock", "lock"])
    edits.after(statement.body[0], ["unlock"])
    output = join_pieces(edits.pieces())
    assert output.text.split("\n")[:-1] == ["a", "if x:", "    lock", "    lock", "    f(b)", "    unlock", "c"]
    assert [line for _, line in output.line_map] == [1, 2, 2, 2, 2, 2, 3]


def test_overlapping_edits_are_an_internal_error() -> None:
    edits = edit_set("f(g(1))\n")
    statement = edits.index.tree.body[0]
    assert isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call)
    edits.replace(statement.value, "x")
    edits.replace(statement.value.args[0], "y")
    with pytest.raises(RuntimeError, match="overlap"):
        edits.pieces()
