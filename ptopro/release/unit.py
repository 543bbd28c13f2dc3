"""What a release is made of: one `Unit` for each instance and half, all described by a `Release`.

In: the generated kernels.  Out: plain data that the build graphs and the manifest are made from; nothing is read.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ptopro.release import names
from ptopro.release.instances import Instance

KINDS = {("cube",): "AIC_ONLY", ("vector",): "AIV_ONLY", ("cube", "vector"): "MIX_AIC_1_2"}
CORE_TYPES = {("cube",): "AiCore", ("vector",): "VectorCore", ("cube", "vector"): "MIX"}


@dataclass(frozen=True, slots=True)
class Unit:
    """The half of an instance.  folder: where its sources lie; symbol: its entry; entry: the kernel's C++ name."""

    instance: Instance
    core: str
    folder: str
    object: str
    symbol: str
    entry: str
    headers: tuple[str, ...]

    @property
    def label(self) -> str:
        return f"{self.instance}, {self.core}"


@dataclass(frozen=True, slots=True)
class Release:
    """An operator: its name, its kernel, the kernel's file as it is told of, and its units.

    signatures: by unit's folder, how the kernel is called; interface: names, kinds and types of the parameters;
    written: those it stores to.
    """

    operator: str
    operator_type: str
    kernel: str
    source: str
    chip: str
    block_dim: int
    workspace: int
    instances: tuple[Instance, ...]
    units: tuple[Unit, ...]
    signatures: Mapping[str, Mapping[str, Any]]
    interface: Mapping[str, Any]
    datatype: Mapping[str, str]
    written: tuple[str, ...]

    @property
    def folder(self) -> str:
        return f"{self.operator}/{names.KERNEL_META}"

    @property
    def library(self) -> str:
        return f"{self.folder}/{self.operator}.o"

    @property
    def manifest(self) -> str:
        return f"{self.folder}/{self.operator}.json"

    def of(self, instance: Instance) -> Iterator[Unit]:
        return (unit for unit in self.units if unit.instance == instance)

    @property
    def halves(self) -> tuple[str, ...]:
        """The kinds of cores that any instance runs on."""
        return tuple(core for core in names.CORES if any(unit.core == core for unit in self.units))


def units_of(
    operator: str, instance: Instance, folder: str, halves: tuple[str, ...], entry: str, headers: tuple[str, ...],
    several: bool,
) -> list[Unit]:  # fmt: skip
    """The units of an instance.  several: the release has more than one choice of element types."""
    word = instance.dtype_word if several else ""
    mixed = len(halves) > 1
    return [
        Unit(
            instance,
            core,
            folder,
            f"{operator}/{names.KERNEL_META}/{names.object_name(operator, core, instance.key, word)}",
            names.symbol(operator, core, instance.key, word, mixed=mixed),
            entry,
            headers,
        )
        for core in halves
    ]
