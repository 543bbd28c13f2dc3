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
    Entry(
        code="PTO1551",
        title="load behind a store in register code",
        message="this load may overtake the store to the same place",
        explain=(
            "Loads and stores of vector registers are not ordered with each other inside a vector function. A load of "
            "bytes that the function itself has stored needs a vf.mem_bar in between; calls are ordered among each "
            "other. Both stay where they are written: nothing is moved or taken away."
        ),
        wrong="vf.store_align(tile, r, mask)\ns = vf.load_align(tile, 0)",
        right="vf.store_align(tile, r, mask)\nvf.mem_bar(pl.MemBarMode.VST_VLD)\ns = vf.load_align(tile, 0)",
        help="put vf.mem_bar(pl.MemBarMode.VST_VLD) between them, or use the register",
        primary="loaded here",
        severity=Severity.WARNING,
    ),
)
