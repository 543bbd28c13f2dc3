"""Makefile depfiles: what a generated file was made from."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path


def depfile_text(target: Path, sources: Iterable[str]) -> str:
    """`target: sources`, and an empty rule for each source, so that a deleted one does not stop make."""
    names = list(dict.fromkeys(_escaped(source) for source in sources))
    lines = [f"{_escaped(str(target))}: {' '.join(names)}", *(f"{name}:" for name in names[1:])]
    return "\n".join([*lines, ""])


def _escaped(name: str) -> str:
    return name.replace("$", "$$").replace("#", "\\#").replace(" ", "\\ ")
