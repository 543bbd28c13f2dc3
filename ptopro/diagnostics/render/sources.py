"""The lines of source files, for carets: texts that the caller has, the disk for the rest."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path


class Sources:
    """Lines by file and number.  A file that cannot be read has no lines."""

    def __init__(self, texts: Mapping[str, str] | None = None) -> None:
        self._texts = dict(texts or {})
        self._lines: dict[str, list[str]] = {}

    def add(self, file: str, text: str) -> None:
        """Use this text for a file, such as one that came from standard input."""
        self._texts[file] = text
        self._lines.pop(file, None)

    def line(self, file: str, number: int) -> str | None:
        """A line without its end, None when there is none."""
        lines = self._lines.get(file)
        if lines is None:
            lines = self._lines[file] = self._read(file)
        return lines[number - 1] if 1 <= number <= len(lines) else None

    def _read(self, file: str) -> list[str]:
        text = self._texts.get(file)
        if text is None:
            try:
                text = Path(file).read_bytes().decode(errors="replace")
            except (OSError, ValueError):
                return []
        # Only these end a line in Python source; splitlines would also split at form feeds and others.
        return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
