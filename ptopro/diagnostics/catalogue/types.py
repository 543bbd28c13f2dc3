"""PTO12xx types and shapes."""

from __future__ import annotations

from ptopro.diagnostics.catalogue import kernel_calls, kernel_types, operands, surface, tile_types, vector_functions
from ptopro.diagnostics.catalogue.entry import Entry

ENTRIES: tuple[Entry, ...] = (
    *operands.ENTRIES,
    *tile_types.TYPE_ENTRIES,
    *surface.ENTRIES,
    *kernel_types.ENTRIES,
    *kernel_calls.ENTRIES,
    *vector_functions.TYPE_ENTRIES,
)
