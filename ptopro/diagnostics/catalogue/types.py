"""PTO12xx types and shapes."""

from __future__ import annotations

from ptopro.diagnostics.catalogue import operands, surface, tile_types
from ptopro.diagnostics.catalogue.entry import Entry

ENTRIES: tuple[Entry, ...] = (
    *operands.ENTRIES,
    *tile_types.TYPE_ENTRIES,
    *surface.ENTRIES,
)
