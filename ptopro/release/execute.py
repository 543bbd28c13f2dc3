"""Load a release of simulator objects and launch one of its keys.

In: a verified `Manifest`, a key, the arguments by name.  Out: the machine's `Report`; results are in the arrays.
"""

from __future__ import annotations

import ctypes
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ptopro.diagnostics import DiagnosticError, make
from ptopro.release.manifest import SIM, Manifest
from ptopro.release.names import CORES
from ptopro.runtime.arguments import bind, check_outputs, lay_out
from ptopro.runtime.interface import Interface
from ptopro.simulator.machine import LaunchOptions, Report, Tensor, diagnostics_of, launch_halves


@dataclass(frozen=True, slots=True)
class Launchable:
    """One key of a release with one choice of element types."""

    manifest: Manifest
    entry: Mapping[str, Any]
    interface: Interface

    @property
    def outputs(self) -> tuple[str, ...]:
        return tuple(p["name"] for p in self.manifest.data["parameters"] if p["role"] == "output")


def choose(manifest: Manifest, key: int | Mapping[str, int] | None, dtypes: Mapping[str, str]) -> Launchable:
    """The instance with that key (packed, by fields, or None where there is one) and those element types.

    dtypes: by parameter or variable.  Raises DiagnosticError PTO2007.
    """
    entries = manifest.data["kernelList"]
    variables = {p["name"]: p["datatype"] for p in manifest.data["parameters"] if "datatype" in p}
    wanted = {variables.get(name, name): dtype for name, dtype in dtypes.items()}
    fitting = [entry for entry in entries if _has_key(entry, key) and _has_types(entry, wanted)]
    if len(fitting) != 1:
        given = _words(key, wanted) if not fitting else f"single instance for {_words(key, wanted)}"
        listed = "; ".join(_words(e["fields"] or e["tilingKey"], e["dtypes"]) for e in entries[:6])
        more = f"; and {len(entries) - 6} more" if len(entries) > 6 else ""
        raise DiagnosticError([make("PTO2007", operator=manifest.operator, given=given, keys=f"{listed}{more}")])
    data = {"kernel": manifest.data["kernel"], "parameters": manifest.data["parameters"]}
    return Launchable(manifest, fitting[0], Interface.from_json(data))


def _has_key(entry: Mapping[str, Any], key: int | Mapping[str, int] | None) -> bool:
    if key is None:
        return True
    if isinstance(key, Mapping):
        return bool(dict(key) == entry["fields"])
    return bool(entry["tilingKey"] == key)


def _has_types(entry: Mapping[str, Any], dtypes: Mapping[str, str]) -> bool:
    return all(entry["dtypes"].get(name) == dtype for name, dtype in dtypes.items())


def _words(key: int | Mapping[str, int] | None, dtypes: Mapping[str, str]) -> str:
    fields = f"key {key}" if isinstance(key, int) else ",".join(f"{n}={v}" for n, v in (key or {}).items())
    return " ".join([fields or "key", *(f"{name}={dtype}" for name, dtype in dtypes.items())])


def run(chosen: Launchable, arguments: Mapping[str, object], block_dim: int, options: LaunchOptions) -> Report:
    """Launch.  Raises DiagnosticError: PTO2008 not for this machine, LaunchError, SimulatorError."""
    from ptopro.runtime.errors import SimulatorError

    manifest = chosen.manifest
    bound = bind(chosen.interface, (), arguments, {})
    check_outputs(bound, chosen.outputs)
    pointers, alive = lay_out(bound, [(name, axis) for name, axis in chosen.entry["dynamic"]])
    tensors = [
        Tensor(view.address, view.nbytes, name, not view.read_only)
        for name, view in bound.views.items()
        if view is not None
    ]
    _load_runtime(manifest)
    cores = {short: core for core, short in CORES.items()}
    halves = {cores[short]: symbol for short, symbol in chosen.entry["symbols"].items()}
    report = launch_halves(manifest.library.resolve(), halves, block_dim, pointers, tensors, options)
    del alive
    if report.code != "ok":
        raise SimulatorError(diagnostics_of(str(manifest.data["kernel"]), report))
    return report


def _load_runtime(manifest: Manifest) -> None:
    """Load the simulator that the release was linked with; the release names it and finds it loaded."""
    from ptopro.build.simulator import runtime_library

    if manifest.data["target"] != SIM:
        reason = "its objects are for the device"
        raise DiagnosticError([make("PTO2008", path=manifest.path, reason=reason)])
    library = runtime_library()
    if library.name != manifest.data.get("simulator"):
        reason = "it was compiled for another version of ptopro's simulator"
        raise DiagnosticError([make("PTO2008", path=manifest.path, reason=reason)])
    ctypes.CDLL(str(library))
