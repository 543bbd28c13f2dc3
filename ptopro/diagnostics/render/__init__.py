"""How diagnostics are shown: `render(diagnostics, format, ...)`.

Formats: text (for people, after rustc), short (one compiler line each), json (one object a line), sarif (2.1.0), github
(workflow commands).  Only the module of the requested format is imported.
"""

from __future__ import annotations

from collections.abc import Iterable

from ptopro.diagnostics.core import Diagnostic
from ptopro.diagnostics.render.sources import Sources

FORMATS = ("text", "short", "json", "sarif", "github")


def render(
    diagnostics: Iterable[Diagnostic],
    format: str = "text",
    *,
    sources: Sources | None = None,
    color: bool = False,
    width: int = 100,
) -> str:
    """The diagnostics in a format, without a final newline; empty when there are none (SARIF: a log without results).

    sources: texts of files, read from disk where it does not know them; color: ANSI colours, text only; width: columns
    for wrapping notes, text only.  Raises ValueError for an unknown format.
    """
    found = list(diagnostics)
    if format == "text":
        from ptopro.diagnostics.render.text import render_text

        return render_text(found, sources or Sources(), color=color, width=width)
    if format == "short":
        from ptopro.diagnostics.render.short import render_short

        return render_short(found)
    if format == "json":
        from ptopro.diagnostics.render.json import render_json

        return render_json(found)
    if format == "sarif":
        from ptopro.diagnostics.render.sarif import render_sarif

        return render_sarif(found)
    if format == "github":
        from ptopro.diagnostics.render.github import render_github

        return render_github(found)
    raise ValueError(f"unknown format {format!r}: one of {', '.join(FORMATS)}")


__all__ = ["FORMATS", "Sources", "render"]
