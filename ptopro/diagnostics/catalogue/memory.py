"""PTO13xx memory and addresses."""

from __future__ import annotations

from ptopro.diagnostics.catalogue import generation, kernel_memory, tile_types
from ptopro.diagnostics.catalogue.entry import Entry

ENTRIES: tuple[Entry, ...] = (*tile_types.ENTRIES, *generation.ENTRIES, *kernel_memory.ENTRIES)
