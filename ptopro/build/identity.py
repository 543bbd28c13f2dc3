"""Which ptopro this is, down to the bytes that translate: what cached translations are keyed by.

A version number alone would let a checkout that has just been edited, or updated by git, serve what its predecessor
translated.
"""

from __future__ import annotations

import functools
import hashlib
import importlib
import os
from pathlib import Path

from ptopro import __version__

_PACKAGES = ("ptopro", "ptopro.cli", "ptopro.codegen_templates")
_TRANSLATES = (".py", ".j2")


@functools.cache
def identity() -> str:
    """The version, and a digest of name, size and time of every file that takes part in a translation."""
    digest = hashlib.sha256()
    for package in _PACKAGES:
        root = importlib.import_module(package).__path__[0]
        for folder, folders, names in os.walk(root):
            folders[:] = sorted(name for name in folders if name != "__pycache__")
            for name in sorted(names):
                if name.endswith(_TRANSLATES):
                    state = Path(folder, name).stat()
                    digest.update(f"{folder[len(root) :]}/{name} {state.st_size} {state.st_mtime_ns}\n".encode())
    return f"{__version__}+{digest.hexdigest()[:16]}"
