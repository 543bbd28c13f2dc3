"""SARIF 2.1.0: one log with one run, for code scanning services."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import PurePath
from urllib.parse import quote

from ptopro.diagnostics.catalogue import lookup
from ptopro.diagnostics.core import Diagnostic, Severity
from ptopro.diagnostics.span import Span

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "note"}


def render_sarif(diagnostics: Sequence[Diagnostic]) -> str:
    codes = sorted({diagnostic.code for diagnostic in diagnostics})
    index = {code: place for place, code in enumerate(codes)}
    log = {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": {"name": "ptopro", "rules": [_rule(code) for code in codes]}},
                "columnKind": "unicodeCodePoints",
                "results": [_result(diagnostic, index) for diagnostic in diagnostics],
            }
        ],
    }
    return json.dumps(log, indent=2, ensure_ascii=False)


def _rule(code: str) -> dict[str, object]:
    try:
        entry = lookup(code)
    except KeyError:
        return {"id": code}
    return {
        "id": code,
        "shortDescription": {"text": entry.title},
        "fullDescription": {"text": entry.explain},
        "defaultConfiguration": {"level": _LEVELS[entry.severity]},
        "help": {"text": f"Wrong:\n\n{entry.wrong}\n\nRight:\n\n{entry.right}"},
    }


def _result(diagnostic: Diagnostic, index: dict[str, int]) -> dict[str, object]:
    text = diagnostic.message
    for extra in (*diagnostic.notes, diagnostic.help):
        if extra:
            text += f"\n{extra}"
    result: dict[str, object] = {
        "ruleId": diagnostic.code,
        "ruleIndex": index[diagnostic.code],
        "level": _LEVELS[diagnostic.severity],
        "message": {"text": text},
    }
    if diagnostic.span:
        result["locations"] = [{"physicalLocation": _location(diagnostic.span)}]
    if diagnostic.labels:
        result["relatedLocations"] = [
            {
                "id": place,
                "physicalLocation": _location(label.span),
                "message": {"text": label.text or diagnostic.message},
            }
            for place, label in enumerate(diagnostic.labels)
        ]
    return result


def _location(span: Span) -> dict[str, object]:
    return {
        "artifactLocation": {"uri": _uri(span.file)},
        "region": {
            "startLine": max(1, span.line),
            "startColumn": max(1, span.col),
            "endLine": max(1, span.end_line),
            "endColumn": max(1, span.end_col),
        },
    }


def _uri(file: str) -> str:
    path = PurePath(file)
    return path.as_uri() if path.is_absolute() else quote(path.as_posix())
