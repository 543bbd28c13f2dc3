"""What a caller of codegen chooses, and what it gets back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from ptopro.codegen.signature import Signature
from ptopro.diagnostics import Span

Place = tuple[str, int]  # a file as the user named it, and a line


def place_of(span: Span) -> Place:
    """Where a statement stands: the place that comments and `#line` name when nothing says otherwise."""
    return span.file, span.line


@dataclass(frozen=True, slots=True)
class CodegenOptions:
    """serial: turn markers at section boundaries, for runs that have one meaning without any synchronisation.

    locate: from the span of a statement to the line the author wrote, where the kernel that is generated is itself
    generated text (pipeline_generated.py).
    """

    serial: bool = False
    locate: Callable[[Span], Place] = place_of


@dataclass(frozen=True, slots=True)
class LineMap:
    """Generated line (1-based) of one file -> where it comes from; lines of the skeleton are absent."""

    file: str
    lines: tuple[tuple[int, Place], ...]

    def to_json(self) -> dict[str, object]:
        """{"file": ..., "sources": [...], "lines": [[generated, source index, line], ...]}."""
        sources: dict[str, int] = {}
        rows = [[line, sources.setdefault(path, len(sources)), at] for line, (path, at) in self.lines]
        return {"file": self.file, "sources": list(sources), "lines": rows}


@dataclass(frozen=True, slots=True)
class Generated:
    """One kernel as C++.  files: name -> text; halves: core -> the unit that a release compiles for it."""

    kernel: str
    files: dict[str, str]
    signature: Signature
    line_map: LineMap
    depends: tuple[str, ...] = field(default=())
    halves: dict[str, str] = field(default_factory=dict)
