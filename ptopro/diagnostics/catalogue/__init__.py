"""The catalogue of diagnostics: one module per hundred codes, found by the code's first four digits.

Only the module that holds a requested code is imported, so a clean run loads none of the texts.
"""

from __future__ import annotations

import importlib

from ptopro.diagnostics.catalogue.entry import Entry

# The first two digits after PTO -> module with ENTRIES: tuple[Entry, ...].
RANGES = {
    "10": "syntax",
    "11": "names",
    "12": "types",
    "13": "memory",
    "14": "pipeline",
    "15": "sync",
    "16": "tiling",
    "17": "toolchain",
    "18": "findings",
    "19": "files",
    "20": "release",
}


def entries(prefix: str) -> tuple[Entry, ...]:
    """All entries whose code starts with PTO<prefix>; prefix is two digits."""
    module = importlib.import_module(f"{__name__}.{RANGES[prefix]}")
    found: tuple[Entry, ...] = module.ENTRIES
    return found


def lookup(code: str) -> Entry:
    """The entry of a code such as PTO1203.  Raises KeyError when there is none."""
    digits = code.removeprefix("PTO")
    if len(digits) != 4 or digits[:2] not in RANGES:
        raise KeyError(code)
    for entry in entries(digits[:2]):
        if entry.code == code:
            return entry
    raise KeyError(code)


def all_entries() -> list[Entry]:
    """Every entry, in code order."""
    return [entry for prefix in sorted(RANGES) for entry in sorted(entries(prefix), key=lambda e: e.code)]
