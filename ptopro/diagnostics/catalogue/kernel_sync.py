"""PTO1550 to 1599: hand-written synchronisation."""

from __future__ import annotations

from ptopro.diagnostics.catalogue.entry import Entry
from ptopro.diagnostics.core import Severity

ENTRIES: tuple[Entry, ...] = (
    Entry(
        code="PTO1550",
        title="event id that not every toolchain has",
        message="event_id {event} is above {safe}",
        explain=(
            "The documentation of the language allows 0 to 15 for each pair of pipes; some releases of the PTO-ISA "
            "headers know EVENT_ID0 to EVENT_ID7 only, and the C++ compiler refuses the others."
        ),
        wrong="pl.system.sync_src(set_pipe=pl.PipeType.MTE2, wait_pipe=pl.PipeType.V, event_id=8)",
        right="pl.system.sync_src(set_pipe=pl.PipeType.MTE2, wait_pipe=pl.PipeType.V, event_id=7)",
        help="use 0 to {safe}; each pair of pipes has its own",
        primary="may not exist",
        severity=Severity.WARNING,
    ),
)
