"""Remember what `ptopro build` generated from a file, so that building an unchanged file reads nothing but its text.

In: a file's text, its path as given (it stands in the results), and every option that matters.  Out: the generated
files of its kernels, found again only when ptopro itself, the text, the options and all sibling files are what they
were.  Only results without a single diagnostic are kept: a warning must be shown each time.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ptopro.build import cache, layout
from ptopro.build.identity import identity
from ptopro.cli.options import Session

if TYPE_CHECKING:
    from ptopro.codegen import Generated

_KIND = "generation"
_FILE = "kernels.json"


@dataclass(frozen=True, slots=True)
class GeneratedKernel:
    """A kernel's files (without the map), its map, and the sibling files it was read from.

    variant: its folder below the kernel's; halves: see `Generated`; facts: what a command adds, as JSON.
    """

    kernel: str
    files: dict[str, str]
    line_map: tuple[tuple[int, tuple[str, int]], ...]
    depends: tuple[str, ...]
    variant: str = ""
    halves: dict[str, str] = field(default_factory=dict)
    facts: dict[str, Any] = field(default_factory=dict)


def from_codegen(generated: Generated, variant: str = "", facts: dict[str, Any] | None = None) -> GeneratedKernel:
    files = {name: text for name, text in generated.files.items() if name != layout.MAP}
    files[layout.SIGNATURE] = generated.signature.to_json()
    return GeneratedKernel(
        generated.kernel,
        files,
        generated.line_map.lines,
        generated.depends,
        variant,
        dict(generated.halves),
        facts or {},
    )


def key_of(session: Session, path: str, text: bytes, serial: bool, purpose: str = "") -> str:
    """Everything but the sibling files, which are only known when the file has been read once."""
    options = [f"{name}={getattr(session, name)!r}" for name in _options(session)]
    return cache.digest([identity(), text, path, str(serial), purpose, *options, *_environment(text)])


def _options(session: Session) -> list[str]:
    """The fields of a session that change what is generated: all but where it comes from and goes to."""
    return [field.name for field in fields(session) if field.name not in ("files", "build_dir", "depfile", "reporter")]


def recall(key: str) -> list[GeneratedKernel] | None:
    """What was generated for the key, if no sibling file has changed."""
    entry = cache.find(_KIND, key)
    if entry is None:
        return None
    data = json.loads((entry / _FILE).read_text())
    if any(_digest(path) != known for path, known in data["depends"].items()):
        return None
    return [
        GeneratedKernel(
            kernel["name"],
            kernel["files"],
            tuple((line, (file, source)) for line, file, source in kernel["lines"]),
            tuple(kernel["depends"]),
            kernel["variant"],
            kernel["halves"],
            kernel["facts"],
        )
        for kernel in data["kernels"]
    ]


def remember(key: str, kernels: Sequence[GeneratedKernel]) -> None:
    """Keep what was generated; a previous result under the same key (other sibling files) is replaced."""
    data = {
        "depends": {path: _digest(path) for kernel in kernels for path in kernel.depends},
        "kernels": [
            {
                "name": kernel.kernel,
                "files": kernel.files,
                "lines": [[line, file, source] for line, (file, source) in kernel.line_map],
                "depends": list(kernel.depends),
                "variant": kernel.variant,
                "halves": kernel.halves,
                "facts": kernel.facts,
            }
            for kernel in kernels
        ],
    }
    cache.replace(_KIND, key, {_FILE: json.dumps(data)})


def _digest(path: str) -> str:
    try:
        text = Path(path).read_bytes()
    except OSError:
        return ""
    return cache.digest([text, *_environment(text)])


def _environment(text: bytes) -> list[str]:
    """The environment variables, where a file reads any: their names may be computed."""
    if b"environ" not in text and b"getenv" not in text:
        return []
    return [f"{name}={value}" for name, value in sorted(os.environ.items())]
