"""PTO14xx pipeline structure."""

from __future__ import annotations

from ptopro.diagnostics.catalogue import pipeline_buffers, pipeline_graph, pipeline_shape
from ptopro.diagnostics.catalogue.entry import Entry

ENTRIES: tuple[Entry, ...] = (*pipeline_shape.ENTRIES, *pipeline_buffers.ENTRIES, *pipeline_graph.ENTRIES)
