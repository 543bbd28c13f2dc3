"""PTO14xx pipeline structure."""

from __future__ import annotations

from ptopro.diagnostics.catalogue import pipeline_graph
from ptopro.diagnostics.catalogue.entry import Entry

ENTRIES: tuple[Entry, ...] = (*pipeline_graph.ENTRIES,)
