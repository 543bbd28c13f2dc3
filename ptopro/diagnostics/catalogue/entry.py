"""What the catalogue holds for each code."""

from __future__ import annotations

from dataclasses import dataclass

from ptopro.diagnostics.core import Severity


@dataclass(frozen=True, slots=True)
class Entry:
    """The text of one code.

    message, primary and help are `str.format` templates over the facts given to `make`; explain is the long text of
    `ptopro explain CODE`; wrong and right are small examples (kernel lines or shell lines).
    """

    code: str
    title: str
    message: str
    explain: str
    wrong: str
    right: str
    help: str = ""
    primary: str = ""
    severity: Severity = Severity.ERROR
