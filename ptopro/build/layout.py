"""What lies where in a build directory.

<build dir>/<file stem>/<kernel>/          everything of one kernel
  pipeline_generated.py  kernel.cpp  launcher.cpp  <kernel>.so  <kernel>.d  compile_commands.json
  .map.json                                where each generated line comes from: file -> line map
  .signature.json                          how the kernel is called
  <variant>/                               the same again for a tiling key, dtypes, STATIC dims
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from ptopro.build.files import write_if_changed

EXPANDED = "pipeline_generated.py"
MAP = ".map.json"
SIGNATURE = ".signature.json"
KNOWN = (EXPANDED, "kernel.cpp", "launcher.cpp", MAP, SIGNATURE)


def stem_of(path: str) -> str:
    """The folder name of a kernel file: its stem; `stdin` for standard input."""
    return "stdin" if path in ("-", "<stdin>") else Path(path).stem


def kernel_folder(build_dir: Path, path: str, kernel: str, variant: str = "") -> Path:
    folder = build_dir / stem_of(path) / kernel
    return folder / variant if variant else folder


def variant_name(packed: int | None, dtypes: Iterable[str]) -> str:
    """The folder of a variant: tk_<key>_<types> for its packed tiling key and element types; empty without either."""
    key = [] if packed is None else [f"tk_{packed:x}"]
    return "_".join([*key, *(name.removeprefix("DT_").lower() for name in dtypes)])


def write_map(folder: Path, maps: Mapping[str, Sequence[tuple[int, tuple[str, int]]]]) -> bool:
    """Put the line maps of these generated files into the folder's map; those of other files stay."""
    path = folder / MAP
    try:
        known = json.loads(path.read_text())
    except (OSError, ValueError):
        known = {}
    for name, lines in maps.items():
        sources: dict[str, int] = {}
        rows = [[line, sources.setdefault(file, len(sources)), at] for line, (file, at) in lines]
        known[name] = {"sources": list(sources), "lines": rows}
    return write_if_changed(path, json.dumps(dict(sorted(known.items())), separators=(",", ":")) + "\n")


def read_halves(folder: Path) -> tuple[str, ...]:
    """The kinds of cores that the folder's kernel runs on; empty when it has no signature."""
    try:
        return tuple(json.loads((folder / SIGNATURE).read_text())["halves"])
    except (OSError, ValueError, KeyError):
        return ()


def read_map(folder: Path, name: str) -> list[tuple[int, tuple[str, int]]]:
    """The line map of a generated file; empty when there is none."""
    try:
        known = json.loads((folder / MAP).read_text())[name]
        return [(line, (known["sources"][source], at)) for line, source, at in known["lines"]]
    except (OSError, ValueError, KeyError, IndexError):
        return []
