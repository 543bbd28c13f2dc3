"""Show diagnostics to programs: the compiler line, JSON lines, SARIF, GitHub annotations.

In: diagnostics.  Out: text in the format that `--message-format` names; "text" is ptopro/diagnostics/render.py.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from ptopro import __version__
from ptopro.diagnostics.core import Diagnostic, Severity
from ptopro.diagnostics.span import Span

FORMATS = ("text", "short", "json", "sarif", "github")


def format_short(diagnostics: Iterable[Diagnostic]) -> str:
    """`file:line:col: error: text [code]`, one line each: what editors match."""
    return "".join(f"{_place(d)}{d.severity.value}: {_one_line(d.message)} [{d.code}]\n" for d in diagnostics)


def format_json(diagnostics: Iterable[Diagnostic]) -> str:
    """One JSON object per line."""
    return "".join(json.dumps(_fields(diagnostic)) + "\n" for diagnostic in diagnostics)


def format_github(diagnostics: Iterable[Diagnostic]) -> str:
    """Workflow commands that GitHub shows beside the changed lines."""
    levels = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "notice"}
    out = []
    for d in diagnostics:
        where = ""
        if d.span is not None:
            where = f" file={d.span.file},line={d.span.line},col={d.span.col},endLine={d.span.end_line},"
        text = "\n".join([d.message, *d.notes, *([f"help: {d.help}"] if d.help else [])])
        escaped = text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
        out.append(f"::{levels[d.severity]}{where or ' '}title={d.code}::{escaped}\n")
    return "".join(out)


def format_sarif(diagnostics: Iterable[Diagnostic]) -> str:
    """One SARIF 2.1.0 log; an empty one when there is nothing to report."""
    found = list(diagnostics)
    rules = sorted({d.code for d in found})
    results = [
        {
            "ruleId": d.code,
            "ruleIndex": rules.index(d.code),
            "level": d.severity.value,
            "message": {"text": "\n".join([d.message, *d.notes, *([f"help: {d.help}"] if d.help else [])])},
            "locations": [_location(d.span, d.primary)] if d.span else [],
            "relatedLocations": [_location(label.span, label.text) for label in d.labels],
        }
        for d in found
    ]
    driver = {"name": "ptopro", "version": __version__, "rules": [{"id": code} for code in rules]}
    log = {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{"tool": {"driver": driver}, "results": results, "columnKind": "unicodeCodePoints"}],
    }
    return json.dumps(log, indent=1) + "\n"


def _place(diagnostic: Diagnostic) -> str:
    return f"{diagnostic.span}: " if diagnostic.span is not None else "ptopro: "


def _one_line(text: str) -> str:
    return " ".join(text.split("\n"))


def _fields(d: Diagnostic) -> dict[str, Any]:
    return {
        "code": d.code,
        "severity": d.severity.value,
        "message": d.message,
        "span": _span(d.span),
        "primary": d.primary,
        "labels": [{"span": _span(label.span), "text": label.text} for label in d.labels],
        "notes": list(d.notes),
        "help": d.help,
    }


def _span(span: Span | None) -> dict[str, Any] | None:
    if span is None:
        return None
    return {
        "file": span.file,
        "line": span.line,
        "col": span.col,
        "end_line": span.end_line,
        "end_col": span.end_col,
    }


def _location(span: Span, text: str) -> dict[str, Any]:
    physical = {
        "artifactLocation": {"uri": span.file.replace("\\", "/")},
        "region": {
            "startLine": span.line,
            "startColumn": span.col,
            "endLine": span.end_line,
            "endColumn": span.end_col,
        },
    }
    return {"physicalLocation": physical, **({"message": {"text": text}} if text else {})}
