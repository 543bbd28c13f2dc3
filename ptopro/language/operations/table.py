"""The operation table: every operation of the language by its name after `pl.`.

In: the groups' modules.  Out: `OPERATIONS`, `find` and `suggest`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from importlib import import_module
from types import MappingProxyType

from ptopro.language.operations import (
    broadcast,
    cast,
    compare,
    constructors,
    debug,
    descriptor,
    elementwise,
    fill,
    fused,
    gather_sort,
    mask,
    matmul,
    movement,
    partial,
    quant,
    reduce,
    scalar,
    simt,
    sync,
    system_vars,
    unary,
)
from ptopro.language.operations.model import Operation

_GROUPS = (
    movement,
    elementwise,
    unary,
    reduce,
    broadcast,
    cast,
    fill,
    compare,
    fused,
    partial,
    gather_sort,
    quant,
    matmul,
    scalar,
    descriptor,
    sync,
    debug,
    mask,
    system_vars,
    simt,
    constructors,
)

# The register operations: loaded with the first kernel that has a vector function.
_REGISTER_GROUPS = ("vf_memory", "vf_masks", "vf_arithmetic", "vf_bits", "vf_convert", "vf_reduce")


class _Table(Mapping[str, Operation]):
    """The operations by name."""

    def __init__(self) -> None:
        self._found = {operation.name: operation for group in _GROUPS for operation in group.OPERATIONS}
        self._complete = False

    def _all(self) -> dict[str, Operation]:
        if not self._complete:
            self._complete = True
            for name in _REGISTER_GROUPS:
                module = import_module(f"ptopro.language.operations.{name}")
                self._found.update({operation.name: operation for operation in module.OPERATIONS})
        return self._found

    def __getitem__(self, name: str) -> Operation:
        return (self._all() if name.startswith("vf.") else self._found)[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._all())

    def __len__(self) -> int:
        return len(self._all())


OPERATIONS: Mapping[str, Operation] = _Table()

# Keywords of earlier releases of the language, and what they are called now.
RENAMED_KEYWORDS: Mapping[str, str] = MappingProxyType({"tile_dims": "order", "is_transpose": "order"})


def find(name: str) -> Operation | None:
    """The operation written `pl.<name>`, None when there is none."""
    return OPERATIONS.get(name)


def suggest(name: str, among: Iterable[str] | None = None) -> str | None:
    """The name that was probably meant.  among: where to look, the exported operations when it is left out."""
    import difflib

    candidates = list(among) if among is not None else [n for n, op in OPERATIONS.items() if op.exported]
    lowered = {candidate.lower(): candidate for candidate in candidates}
    close = difflib.get_close_matches(name.lower(), lowered, n=1, cutoff=0.6)
    if close:
        return lowered[close[0]]
    # `pl.sync_src` for `pl.system.sync_src`.
    tails = {candidate.rpartition(".")[2]: candidate for candidate in candidates}
    return tails.get(name)
