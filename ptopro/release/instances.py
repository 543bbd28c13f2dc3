"""The instances of a kernel that a release holds: its valid keys, for each choice of element types.

In: a kernel and what the command line gives.  Out: `Instance`s, keys in the order of the class, element types outside.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ptopro.build.layout import variant_name
from ptopro.diagnostics import DiagnosticError, make

if TYPE_CHECKING:
    from ptopro.frontend.kernels import KernelSource
    from ptopro.language.dtypes import DType


@dataclass(frozen=True, slots=True)
class Instance:
    """key: the packed key, 0 for a kernel without one; dtypes: variable of `datatype=` -> element type's name."""

    key: int
    fields: Mapping[str, int] = field(default_factory=dict)
    dtypes: Mapping[str, str] = field(default_factory=dict)
    keyed: bool = True

    @property
    def dtype_word(self) -> str:
        """The element types in names of files."""
        return "_".join(name.lower() for _, name in sorted(self.dtypes.items()))

    @property
    def folder(self) -> str:
        """The folder of its generated files below the kernel's, as a launch would call it."""
        return variant_name(self.key if self.keyed else None, (name for _, name in sorted(self.dtypes.items())))

    @property
    def elements(self) -> dict[str, DType]:
        from ptopro.language import dtypes

        return {name: getattr(dtypes, dtype) for name, dtype in self.dtypes.items()}

    def __str__(self) -> str:
        values = ", ".join(f"{name}={value}" for name, value in (*self.fields.items(), *self.dtypes.items()))
        return f"key {self.key}{f' ({values})' if values else ''}"

    def to_json(self) -> dict[str, Any]:
        return {"key": self.key, "fields": dict(self.fields), "dtypes": dict(self.dtypes), "keyed": self.keyed}


def dtype_choices(kernel: KernelSource, given: Sequence[tuple[str, str]]) -> list[dict[str, str]]:
    """Every combination of the element types given for each variable of `datatype=`, by parameter or by variable.

    Raises DiagnosticError PTO1917 for a name the kernel does not have, PTO2004 for a variable without a type.
    """
    from ptopro.lowering import instance

    declared = kernel.options.datatype or {}
    variables = instance.dtype_variables(kernel)
    found: dict[str, list[str]] = {name: [] for name in variables}
    for name, dtype in given:
        variable = declared.get(name, name)
        if variable not in found:
            reason = f"kernel `{kernel.name}` has no such entry in datatype="
            raise DiagnosticError([make("PTO1917", option=f"--dtype {name}", reason=reason)])
        if dtype not in found[variable]:
            found[variable].append(dtype)
    missing = [name for name, chosen in found.items() if not chosen]
    if missing:
        needed = " ".join(f"--dtype {name}=..." for name in missing)
        raise DiagnosticError([make("PTO2004", kernel.span, kernel=kernel.name, needed=needed)])
    return [dict(zip(found, choice, strict=True)) for choice in itertools.product(*found.values())]
