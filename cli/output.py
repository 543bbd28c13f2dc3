"""What commands print: paths of written files, diagnostics in the chosen format, timings; and the exit code.

Texts for people go to standard error, so that results can be piped; the formats for programs go to standard output.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from ptopro.diagnostics import Diagnostic, Severity

# First digits of a code -> exit code, where it is not 1.
_TOOLCHAIN = "PTO17"
_FOUND_BY_A_RUN = range(1830, 1862)


class Reporter:
    """Prints for one command and remembers what its exit code will be.

    quiet: no paths of written files; to_stderr: also the formats for programs go to standard error, because standard
    output carries a result.
    """

    def __init__(
        self,
        message_format: str = "text",
        *,
        quiet: bool = False,
        verbose: bool = False,
        timings: bool = False,
        to_stderr: bool = False,
    ) -> None:
        self.format = message_format
        self.quiet = quiet
        self.verbose = verbose
        self.timings = timings
        self.exit_code = 0
        self.shown = 0  # diagnostics so far
        self._stream: TextIO = sys.stderr if message_format in ("text", "short") or to_stderr else sys.stdout
        self._texts: dict[str, str] = {}
        self._spent: dict[str, float] = {}
        self._pending: list[Diagnostic] = []

    def use_text(self, path: str, text: str) -> None:
        """The text of a file that is not on disk, for carets."""
        self._texts[path] = text

    def wrote(self, path: Path, changed: bool) -> None:
        """Say that a file was written; with -v also that it was written before and is unchanged."""
        if self.quiet or self.format not in ("text", "short"):
            return
        print(path if changed or not self.verbose else f"{path} (unchanged)")

    def show(self, diagnostics: Iterable[Diagnostic]) -> None:
        """Print diagnostics (SARIF: keep them for the one log of `finish`) and note their exit code."""
        found = list(diagnostics)
        self.shown += len(found)
        for diagnostic in found:
            if diagnostic.severity is Severity.ERROR:
                self.exit_code = max(self.exit_code, exit_code_of(diagnostic))
        if self.format == "sarif":
            self._pending += found
        elif found:
            self._print(found)

    @contextmanager
    def timed(self, stage: str) -> Iterator[None]:
        """Add the time of the body to a stage's."""
        start = time.perf_counter()
        try:
            yield
        finally:
            self._spent[stage] = self._spent.get(stage, 0.0) + time.perf_counter() - start

    def finish(self) -> int:
        """Print what comes last; the exit code."""
        if self.format == "sarif":
            self._print(self._pending)
        if self.timings:
            for stage, seconds in self._spent.items():
                print(f"{stage:<10}{seconds * 1e3:10.1f} ms", file=sys.stderr)
        return self.exit_code

    def _print(self, diagnostics: list[Diagnostic]) -> None:
        from ptopro.diagnostics.render import Sources, render

        text = render(
            diagnostics, self.format, sources=Sources(self._texts), color=wants_color(self._stream), width=_width()
        )
        if text:
            sys.stdout.flush()
            print(text, file=self._stream, flush=True)


def exit_code_of(diagnostic: Diagnostic) -> int:
    """3 for the toolchain, 4 for what a run found, 1 for everything else."""
    if diagnostic.code.startswith(_TOOLCHAIN):
        return 3
    return 4 if int(diagnostic.code[3:]) in _FOUND_BY_A_RUN else 1


def wants_color(stream: TextIO, environment: Mapping[str, str] | None = None) -> bool:
    """NO_COLOR wins, then FORCE_COLOR, then whether the stream is a terminal."""
    env = os.environ if environment is None else environment
    if env.get("NO_COLOR"):
        return False
    if env.get("FORCE_COLOR"):
        return True
    return stream.isatty() and env.get("TERM") != "dumb"


def _width() -> int:
    import shutil

    return min(120, max(60, shutil.get_terminal_size((100, 25)).columns))
