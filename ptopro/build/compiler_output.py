"""Read what a C++ compiler printed: its errors as diagnostics that point to the kernel.

In: the text g++ or clang++ wrote.  Out: (file, line, column, message) of each error; `#line` has already turned
positions in kernel.cpp into positions in the kernel file.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from ptopro.diagnostics import Diagnostic, Label, Span, make

_ERROR = re.compile(r"^(?P<file>[^\s:][^:\n]*):(?P<line>\d+)(?::(?P<col>\d+))?: (?:fatal )?error: (?P<text>.*)$", re.M)
_LINKER = re.compile(r"^.*(undefined reference to .*|cannot find .*|ld: .*|error: .*)$", re.M)


@dataclass(frozen=True, slots=True)
class CompilerError:
    file: str
    line: int
    col: int
    text: str

    @property
    def span(self) -> Span:
        return Span(self.file, self.line, self.col, self.line, self.col + 1)


def errors_of(output: str) -> list[CompilerError]:
    """Every error with a position, in the order it was printed."""
    return [
        CompilerError(found["file"], int(found["line"]), int(found["col"] or 1), found["text"].strip())
        for found in _ERROR.finditer(output)
    ]


def first_line_of(output: str) -> str:
    """The line that says best what went wrong."""
    if errors := errors_of(output):
        return errors[0].text
    if linker := _LINKER.search(output):
        return linker.group(1).strip()
    lines = [line for line in output.splitlines() if line.strip()]
    return lines[-1].strip() if lines else "the compiler said nothing"


def rejection(kernel: str, output: str, log: Path) -> Diagnostic:
    """The diagnostic of a kernel that did not compile: the first error is primary, others are labels."""
    errors = errors_of(output)
    return make(
        "PTO1710",
        errors[0].span if errors else None,
        labels=[Label(error.span, error.text) for error in errors[1:6]],
        kernel=kernel,
        first=first_line_of(output),
        log=log,
    )
