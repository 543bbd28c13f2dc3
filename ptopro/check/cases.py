"""Failing cases on disk, so that a finding can be seen again.

In: a `Result` with findings.  Out: `<build dir>/<stem>/<kernel>/cases/<n>/` with inputs.npz and case.json (what was
asked and found, and the command); and back again for `ptopro check --replay DIR`.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ptopro import __version__
from ptopro.build.files import write_if_changed
from ptopro.check.inputs import write_arrays
from ptopro.check.kernel_check import Result
from ptopro.check.request import Request
from ptopro.diagnostics import DiagnosticError, make

CASE, INPUTS = "case.json", "inputs.npz"


@dataclass(frozen=True, slots=True)
class Case:
    """file: the kernel file as it was named; preload, key, dtypes: as the options of these names."""

    file: str
    kernel: str
    arch: str
    preload: int | tuple[int, ...] | None
    request: Request
    key: Mapping[str, int] = field(default_factory=dict)
    dtypes: Mapping[str, str] = field(default_factory=dict)


def save_case(folder: Path, case: Case, result: Result, command: Sequence[str]) -> Path:
    """Write a case into the kernel's folder; the same case again is the same folder."""
    assert result.inputs is not None
    request = case.request
    data = {
        "ptopro": __version__,
        "file": case.file,
        "kernel": case.kernel,
        "arch": case.arch,
        "preload": case.preload,
        "key": dict(case.key),
        "dtypes": dict(case.dtypes),
        "args": {name: list(value) if isinstance(value, tuple) else value for name, value in request.args.items()},
        "cores": request.cores,
        "seed": request.seed,
        "schedule": request.schedule,
        "runs": request.runs,
        "reference": request.reference,
        "tolerance": request.tolerance,
        "command": shlex.join(command),
        "findings": [{"code": finding.code, "message": finding.message} for finding in result.findings],
    }
    text = json.dumps(data, indent=1) + "\n"
    target = _place(folder / "cases", text)
    write_arrays(target / INPUTS, result.inputs)
    write_if_changed(target / CASE, text)
    return target


def load_case(folder: Path) -> Case:
    """Raises DiagnosticError PTO1867."""
    try:
        data: Mapping[str, Any] = json.loads((folder / CASE).read_text())
        preload = data["preload"]
        return Case(
            data["file"],
            data["kernel"],
            data["arch"],
            tuple(preload) if isinstance(preload, list) else preload,
            Request(
                args={name: tuple(value) if isinstance(value, list) else value for name, value in data["args"].items()},
                inputs=str(folder / INPUTS),
                reference=data["reference"],
                tolerance=data["tolerance"],
                cores=data["cores"],
                seed=data["seed"],
                schedule=data["schedule"],
                runs=data["runs"],
            ),
            dict(data["key"]),
            dict(data["dtypes"]),
        )
    except OSError as error:
        raise DiagnosticError([make("PTO1867", path=folder, reason=f"{CASE}: {error.strerror}")]) from error
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise DiagnosticError([make("PTO1867", path=folder, reason=f"{CASE} is no case ({error})")]) from error


def _place(root: Path, text: str) -> Path:
    """The folder of an equal case, else the next number."""
    number = 1
    while (root / str(number) / CASE).exists():
        if (root / str(number) / CASE).read_text() == text:
            break
        number += 1
    return root / str(number)
