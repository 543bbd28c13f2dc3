"""The catalogue: every code that is used exists, every entry is complete, facts are named the same on both sides."""

from __future__ import annotations

import ast
import re
import string
from collections.abc import Iterator
from pathlib import Path

import pytest

import ptopro
from ptopro.diagnostics import make
from ptopro.diagnostics.catalogue import RANGES, all_entries, entries, lookup
from ptopro.diagnostics.catalogue.entry import Entry
from ptopro.diagnostics.explain import explain, nearest_codes, normalised

PACKAGE = Path(ptopro.__file__).parent
SOURCES = [*PACKAGE.rglob("*.py"), *(PACKAGE.parent / "cli").rglob("*.py")]
ENTRIES = pytest.mark.parametrize("entry", all_entries(), ids=lambda entry: entry.code)
# Parameters of `make` itself, which a fact's name would collide with.
RESERVED = {"code", "span", "labels", "notes"}
# Who builds diagnostics from a literal code, and the facts that it adds by itself.
BUILDERS = {"make": set(), "usage_error": set(), "problem": {"operation", "operand"}}


class Fact(str):
    """A fact that any format specification takes."""

    def __format__(self, specification: str) -> str:
        return str(self)


def fields(entry: Entry) -> set[str]:
    """The facts that an entry's templates ask for."""
    templates = (entry.message, entry.primary, entry.help)
    names = {name for text in templates for _, name, _, _ in string.Formatter().parse(text) if name}
    return {re.split(r"[.\[]", name)[0] for name in names}


def calls() -> Iterator[tuple[Path, int, str, set[str] | None]]:
    """Every call that builds a diagnostic: file, line, code, names of the facts (None: passed on with **)."""
    for path in SOURCES:
        if "catalogue" in path.parts:
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call) or not node.args:
                continue
            code = node.args[0]
            name = node.func.id if isinstance(node.func, ast.Name) else ""
            if name not in (*BUILDERS, "Problem") or not (
                isinstance(code, ast.Constant) and isinstance(code.value, str)
            ):
                continue
            if name == "Problem":
                facts = node.args[2] if len(node.args) > 2 else None
                if isinstance(facts, ast.Dict):
                    keys = {k.value for k in facts.keys if isinstance(k, ast.Constant)}
                    yield path, node.lineno, code.value, keys if len(keys) == len(facts.keys) else None
                continue
            names = {keyword.arg for keyword in node.keywords}
            passed_on = None in names
            given = {str(n) for n in names if n} - RESERVED | BUILDERS[name]
            yield path, node.lineno, code.value, None if passed_on else given


@ENTRIES
def test_entry_is_complete(entry: Entry) -> None:
    assert re.fullmatch(r"PTO[12]\d{3}", entry.code)
    for text in (entry.title, entry.message, entry.explain, entry.wrong, entry.right):
        assert text.strip()
    assert entry.wrong.strip() != entry.right.strip()
    assert not entry.title.endswith(".") and not entry.message.endswith(".")
    assert lookup(entry.code) is entry


@ENTRIES
def test_templates_take_their_facts(entry: Entry) -> None:
    names = fields(entry)
    assert not names & RESERVED
    diagnostic = make(entry.code, **{name: Fact(f"<{name}>") for name in names})
    shown = diagnostic.message + diagnostic.primary + diagnostic.help
    assert all(f"<{name}>" in shown for name in names)
    assert diagnostic.severity is entry.severity


def test_codes_are_unique_and_in_their_module() -> None:
    codes = [entry.code for entry in all_entries()]
    assert len(codes) == len(set(codes))
    for prefix in RANGES:
        assert all(entry.code.startswith(f"PTO{prefix}") for entry in entries(prefix))


def test_every_code_in_the_source_is_in_the_catalogue() -> None:
    known = {entry.code for entry in all_entries()}
    missing = {}
    for path in SOURCES:
        for code in re.findall(r"\bPTO[12]\d{3}\b", path.read_text(encoding="utf-8")):
            if code not in known:
                missing.setdefault(code, path.name)
    assert missing == {}


def test_every_entry_is_used() -> None:
    text = "".join(path.read_text(encoding="utf-8") for path in SOURCES if "catalogue" not in path.parts)
    assert [entry.code for entry in all_entries() if entry.code not in text] == []


def test_calls_give_the_facts_that_templates_ask_for() -> None:
    found = list(calls())
    assert len(found) > 50
    known = {entry.code: fields(entry) for entry in all_entries()}
    wrong = [
        f"{path.name}:{line}: {code} lacks {sorted(known[code] - given)}"
        for path, line, code, given in found
        if given is not None and known.get(code, set()) - given
    ]
    assert wrong == []


def test_fact_that_is_not_given_is_an_error_of_ours() -> None:
    with pytest.raises(KeyError):
        make("PTO1204", operation="add")


@pytest.mark.parametrize("code", ["PTO9999", "PTO12", "nonsense", "PTO1199"])
def test_code_that_does_not_exist(code: str) -> None:
    with pytest.raises(KeyError):
        lookup(code)


@ENTRIES
def test_explanation_shows_both_examples(entry: Entry) -> None:
    text = explain(entry.code)
    assert text.startswith(f"{entry.code}: {entry.title}")
    for example in (entry.wrong, entry.right):
        for line in example.strip("\n").split("\n"):
            assert line.strip() in text
    assert max(map(len, text.split("\n"))) < 160


@pytest.mark.parametrize("written", ["PTO1305", "pto1305", "1305", " 1305 "])
def test_codes_are_found_however_they_are_written(written: str) -> None:
    assert normalised(written) == "PTO1305"
    assert explain(written) == explain("PTO1305")


def test_unknown_code_has_neighbours() -> None:
    with pytest.raises(KeyError):
        explain("PTO1399")
    assert nearest_codes("PTO1399")
