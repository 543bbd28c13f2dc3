"""The long text of a code: what `ptopro explain CODE` prints."""

from __future__ import annotations

import textwrap

from ptopro.diagnostics.catalogue import all_entries, lookup
from ptopro.diagnostics.catalogue.entry import Entry


def normalised(code: str) -> str:
    """PTO1203 from pto1203, 1203 or PTO1203."""
    digits = code.strip().upper().removeprefix("PTO")
    return f"PTO{digits}"


def explain(code: str, width: int = 100) -> str:
    """Title, explanation, a wrong and a right example.  Raises KeyError for a code that does not exist."""
    return _page(lookup(normalised(code)), width)


def nearest_codes(code: str, count: int = 3) -> list[str]:
    """Existing codes that look like the one that was asked for."""
    import difflib

    codes = [entry.code for entry in all_entries()]
    return difflib.get_close_matches(normalised(code), codes, n=count, cutoff=0.5)


def _page(entry: Entry, width: int) -> str:
    parts = [f"{entry.code}: {entry.title} ({entry.severity.value})", _wrapped(entry.explain, width)]
    for word, example in (("Wrong", entry.wrong), ("Right", entry.right)):
        parts.append(f"{word}:\n\n{textwrap.indent(example.strip(chr(10)), '    ')}")
    return "\n\n".join(parts)


def _wrapped(text: str, width: int) -> str:
    paragraphs = text.strip().split("\n\n")
    return "\n\n".join(
        paragraph if paragraph.startswith("    ") else textwrap.fill(" ".join(paragraph.split()), width)
        for paragraph in paragraphs
    )
