"""Find and read the sibling files that a kernel file imports.

Only `.py` files beside the importing file, in packages below it, or in the package that it belongs to are read; their
text is parsed and evaluated like the kernel file's own.  Each file is read once.
"""

from __future__ import annotations

import stat
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from ptopro.diagnostics.core import Sink

if TYPE_CHECKING:
    from ptopro.frontend.source import SourceModule


@dataclass(slots=True)
class Loader:
    """The files read for one kernel file.

    modules: by resolved path, in reading order; those whose evaluation has not ended are in `active`, which is how
    circular imports are noticed.
    """

    sink: Sink
    modules: dict[str, SourceModule] = field(default_factory=dict)
    active: list[str] = field(default_factory=list)

    def find(self, importer: str, name: str, level: int) -> str | None:
        """The path of an imported module as a diagnostic shows it, or None when it is no sibling.

        importer: path of the importing file; level: the dots of a relative import.
        """
        parts = [part for part in name.split(".") if part]
        folder = Path(importer).parent
        if level:
            for _ in range(level - 1):
                folder = folder / ".." if str(folder) in (".", "") or folder.name == ".." else folder.parent
            return _file(folder, parts)
        found = _file(folder, parts)
        if found is None:
            root = _package_root(folder)
            if root is not None:
                found = _file(root, parts)
        return found

    def load(self, path: str, name: str) -> SourceModule:
        """Read a sibling file, or give what was read before (half evaluated in a circular import)."""
        from ptopro.frontend.source import read_module

        key = str(Path(path).resolve())
        if key not in self.modules:
            read_module(path, None, sink=self.sink, loader=self, name=name)
        return self.modules[key]


def _file(folder: Path, parts: list[str]) -> str | None:
    """The regular file of a dotted name below a folder."""
    base = folder.joinpath(*parts)
    for candidate in (base / "__init__.py", base.with_name(base.name + ".py")) if parts else (base / "__init__.py",):
        try:
            if stat.S_ISREG(candidate.stat().st_mode):
                return str(candidate)
        except (OSError, ValueError):
            continue
    if parts and base.is_dir():
        return str(base)
    return None


def _package_root(folder: Path) -> Path | None:
    """The folder that holds the outermost package around a folder; None outside packages."""
    root: Path | None = None
    current = folder.resolve()
    for _ in range(16):
        if not (current / "__init__.py").is_file():
            break
        current = current.parent
        root = current
    if root is None:
        return None
    # Keep the user's way of writing the path: results must not depend on where the files lie.
    steps = len(folder.resolve().parts) - len(root.parts)
    shown = folder
    for _ in range(steps):
        shown = shown / ".." if str(shown) in (".", "") or shown.name == ".." else shown.parent
    return shown
