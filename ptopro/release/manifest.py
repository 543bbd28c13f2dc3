"""<op>.json, the description of a release: made from a `Release`, completed with checksums, read with all of them
verified.

Names of the vendor's own descriptions are kept where they mean the same (supportInfo, kernelList, coreType, sha256).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ptopro import __version__
from ptopro.diagnostics import DiagnosticError, make
from ptopro.release import names
from ptopro.release.unit import CORE_TYPES, KINDS, Release

FORMAT = 1
SIM, DEVICE = "sim", "device"


def description(release: Release, target: str, runtime: str) -> dict[str, Any]:
    """Everything but the checksums.  runtime: the name of the simulator's library, empty for the device."""
    halves = release.halves
    outputs = set(release.written)
    parameters = [
        {
            **parameter,
            "role": "output" if parameter["name"] in outputs else "input",
            **({"datatype": release.datatype[parameter["name"]]} if parameter["name"] in release.datatype else {}),
        }
        for parameter in release.interface["parameters"]
    ]
    return {
        "format": FORMAT,
        "name": release.operator,
        "op_type": release.operator_type,
        "target": target,
        "version": __version__,
        **({"simulator": runtime} if runtime else {}),
        "arch": release.chip,
        "kernel": release.kernel,
        "source": release.source,
        "binFileName": release.operator,
        "binFileSuffix": ".o",
        "core_type": CORE_TYPES[halves],
        "kernel_type": KINDS[halves],
        "block_dim": release.block_dim,
        "workspace": {
            "num": int(_has_workspace(release)),
            "size": [release.workspace] if _has_workspace(release) else [],
        },
        "parameters": parameters,
        "dtypes": [dict(choice) for choice in _choices(release)],
        "keys": sorted({instance.key for instance in release.instances}),
        "kernelList": [_kernel(release, index) for index in range(len(release.instances))],
        "supportInfo": _support(release, parameters),
        "objects": [
            {
                "file": unit.object.rpartition("/")[2],
                "key": unit.instance.key,
                "dtypes": dict(unit.instance.dtypes),
                "core": names.CORES[unit.core],
                "symbol": unit.symbol,
            }
            for unit in release.units
        ],
    }


def _kernel(release: Release, index: int) -> dict[str, Any]:
    instance = release.instances[index]
    units = list(release.of(instance))
    signature = release.signatures[units[0].folder]
    return {
        "tilingKey": instance.key,
        "fields": dict(instance.fields),
        "dtypes": dict(instance.dtypes),
        "kernelType": KINDS[tuple(unit.core for unit in units)],
        "symbols": {names.CORES[unit.core]: unit.symbol for unit in units},
        "dynamic": signature["dynamic"],
    }


def _has_workspace(release: Release) -> bool:
    return any(parameter["name"] == "workspace" for parameter in release.interface["parameters"])


def _choices(release: Release) -> list[Mapping[str, str]]:
    found: list[Mapping[str, str]] = []
    for instance in release.instances:
        if instance.dtypes and instance.dtypes not in found:
            found.append(instance.dtypes)
    return found


def _support(release: Release, parameters: list[dict[str, Any]]) -> dict[str, Any]:
    """The element types that each array takes, one for each choice, as the framework asks for them."""
    choices = _choices(release) or [{}]

    def types(parameter: Mapping[str, Any]) -> list[str]:
        variable = release.datatype.get(str(parameter["name"]), "")
        return [choice.get(variable, str(parameter["dtype"]).removeprefix("DT_")) for choice in choices]

    arrays = [p for p in parameters if p["kind"] in ("tensor", "ptr") and p["name"] != "workspace"]
    return {
        role: [
            {"index": index, "name": p["name"], "dtype": types(p), "format": "ND"}
            for index, p in enumerate(each for each in arrays if each["role"] == role.removesuffix("s"))
        ]
        for role in ("inputs", "outputs")
    }


def sealed(plan: Mapping[str, Any], folder: Path) -> str:
    """The text of <op>.json: the plan with the SHA-256 of every object in `folder`."""
    data = dict(plan)
    data["objects"] = [{**each, "sha256": digest(folder / each["file"])} for each in plan["objects"]]
    data["sha256"] = digest(folder / f"{plan['name']}.o")
    return json.dumps(data, indent=2) + "\n"


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


@dataclass(frozen=True, slots=True)
class Manifest:
    """A release on disk whose objects are those it was sealed with."""

    path: Path
    data: Mapping[str, Any]

    @property
    def operator(self) -> str:
        return str(self.data["name"])

    @property
    def library(self) -> Path:
        return self.path.parent / f"{self.operator}.o"


def read(path: Path) -> Manifest:
    """Read a release's description and verify every object.  Raises DiagnosticError PTO1901, PTO2005, PTO2006."""
    try:
        data = json.loads(path.read_text())
    except FileNotFoundError:
        raise DiagnosticError([make("PTO1901", path=path, hint="`ptopro build --release` writes it")]) from None
    except (OSError, ValueError) as error:
        raise DiagnosticError([make("PTO2005", path=path, problem=str(error))]) from error
    problem = _problem(data)
    if problem:
        raise DiagnosticError([make("PTO2005", path=path, problem=problem)])
    names.checked_operator(data["name"])
    files = {f"{data['name']}.o": data["sha256"], **{each.get("file"): each.get("sha256") for each in data["objects"]}}
    paths = {names.checked_file(path.parent, name, path): wanted for name, wanted in files.items()}
    for file, wanted in paths.items():
        _verify(file, wanted)
    return Manifest(path, data)


def _verify(path: Path, wanted: object) -> None:
    try:
        found = digest(path)
    except OSError as error:
        raise DiagnosticError([make("PTO2006", path=path, problem=error.strerror or str(error))]) from error
    if found != wanted:
        raise DiagnosticError(
            [make("PTO2006", path=path, problem=f"its SHA-256 is {found[:16]}..., not {str(wanted)[:16]}...")]
        )


_SHAPE = {
    "name": str, "target": str, "arch": str, "kernel": str, "block_dim": int, "sha256": str,
    "parameters": list, "kernelList": list, "objects": list, "workspace": dict,
}  # fmt: skip


def _problem(data: object) -> str:
    """What is wrong with the form of a description; empty when it can be used."""
    if not isinstance(data, dict):
        return "it is not an object"
    if data.get("format") != FORMAT:
        return f"its format is {data.get('format')!r}, this ptopro reads {FORMAT}"
    for name, kind in _SHAPE.items():
        if not isinstance(data.get(name), kind):
            return f"its `{name}` is missing or of the wrong kind"
    if not all(isinstance(each, dict) for name in ("parameters", "kernelList", "objects") for each in data[name]):
        return "its lists must hold objects"
    return ""
