"""What the files and symbols of a release are called.

    <build dir>/<op>/kernel_meta/<op>_mix_aic_<key>[_<dtypes>].o      the cube half of a key
                                 <op>_mix_aiv_<key>[_<dtypes>].o      the vector half
                                 <op>.o                               all of them, linked
                                 <op>.json
    <build dir>/<op>/host/       headers for the host's tiling code

An operator's name goes into paths, symbols and C++; so it is an identifier, and nothing that a release names can lie
outside of its folder.
"""

from __future__ import annotations

import re
from pathlib import Path

from ptopro.diagnostics import DiagnosticError, make

KERNEL_META = "kernel_meta"
HOST = "host"
CORES = {"cube": "aic", "vector": "aiv"}
_OPERATOR = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,127}")
_FILE = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.+-]{0,254}")


def checked_operator(name: str) -> str:
    """`name` if it can be an operator's.  Raises DiagnosticError PTO2001."""
    if not _OPERATOR.fullmatch(name):
        raise DiagnosticError([make("PTO2001", name=name)])
    return name


def checked_file(folder: Path, name: object, manifest: Path) -> Path:
    """The file of that name in `folder`.  Raises DiagnosticError PTO2005 when it would lie elsewhere."""
    if not isinstance(name, str) or not _FILE.fullmatch(name):
        raise DiagnosticError(
            [make("PTO2005", path=manifest, problem=f"the file name {name!r} is not one of its folder")]
        )
    path = folder / name
    if path.is_symlink():
        raise DiagnosticError([make("PTO2005", path=manifest, problem=f"{name} is a link to another place")])
    return path


def operator_type(operator: str) -> str:
    """my_op -> MyOp: what the framework calls the operator's type."""
    return "".join(part[:1].upper() + part[1:] for part in operator.split("_"))


def object_name(operator: str, core: str, key: int, dtypes: str) -> str:
    """The object of one half.  dtypes: empty where a release has one choice of element types."""
    return f"{operator}_mix_{CORES[core]}_{key}{f'_{dtypes}' if dtypes else ''}.o"


def symbol(operator: str, core: str, key: int, dtypes: str, *, mixed: bool) -> str:
    """The entry of one half: with the core in its name only where the kernel runs on both kinds."""
    stem = f"{operator}_{f'{dtypes}_' if dtypes else ''}{key}"
    return f"{stem}_mix_{CORES[core]}" if mixed else stem
