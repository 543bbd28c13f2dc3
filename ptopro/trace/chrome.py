"""The timeline in the Chrome trace format, for ui.perfetto.dev and chrome://tracing.

In: events and their `Timeline`.  Out: the JSON text.  One process for each core, one thread for each lane of a pipe
(the format forbids bars of one thread that overlap without nesting), a flow for each arrow.  The format counts
microseconds; cycles are divided by the chip's frequency.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from ptopro.language.hardware import CHIPS
from ptopro.simulator import abi
from ptopro.simulator.machine import Event
from ptopro.trace.timeline import Timeline, Track

_LANES = 16  # threads set aside for the lanes of one pipe


def chrome_trace(kernel: str, chip: str, events: Sequence[Event], found: Timeline) -> str:
    scale = 1 / CHIPS[chip].frequency  # MHz: cycles to microseconds
    entries: list[dict[str, Any]] = []
    place: dict[int, tuple[int, int]] = {}  # event -> process, thread
    for track in found.tracks:
        process = _process(track)
        entries += _names(track, process)
        for bar in track.bars:
            thread = _thread(track, bar.lane)
            event = events[bar.event]
            place[bar.event] = (process, thread)
            entries.append(
                {
                    "ph": "X",
                    "name": f"wait: {event.cause.replace('_', ' ')}" if bar.wait else event.operation,
                    "cat": "wait" if bar.wait else "work",
                    "ts": bar.start * scale,
                    "dur": (bar.end - bar.start) * scale,
                    "pid": process,
                    "tid": thread,
                    "args": {
                        "line": f"{event.file}:{event.line}",
                        "block": event.block,
                        "cycles": round(bar.end - bar.start, 1),
                        "start": round(bar.start, 1),
                    },
                }
            )
    for number, arrow in enumerate(found.arrows):
        for phase, index in (("s", arrow.source), ("f", arrow.target)):
            process, thread = place[index]
            event = events[index]
            # A flow binds to the bar that its time lies in: the last moment of the source, the first of the target, but
            # never backwards in time when the target was already in flight.
            time = event.end if phase == "s" else max(event.start, events[arrow.source].end)
            entry = {"ph": phase, "id": number, "name": arrow.cause, "cat": "sync", "ts": time * scale}
            entries.append({**entry, "pid": process, "tid": thread, **({"bp": "e"} if phase == "f" else {})})
    note = "virtual time of the simulator, an estimate: orders and shares are the point"
    data = {
        "traceEvents": entries,
        "displayTimeUnit": "ns",
        "otherData": {"kernel": kernel, "chip": chip, "note": note},
    }
    return json.dumps(data, separators=(",", ":")) + "\n"


def _process(track: Track) -> int:
    return 1 + track.row.group * len(abi.CORES) + abi.CORES.index(track.row.core)


def _thread(track: Track, lane: int) -> int:
    return 1 + abi.PIPES.index(track.row.pipe) * _LANES + min(lane, _LANES - 1)


def _names(track: Track, process: int) -> list[dict[str, Any]]:
    """Names and order of a core and of its pipe's lanes."""
    core = {"name": f"core {track.row.group}: {track.row.core}"}
    found: list[dict[str, Any]] = [
        {"ph": "M", "name": "process_name", "pid": process, "tid": 0, "args": core},
        {"ph": "M", "name": "process_sort_index", "pid": process, "tid": 0, "args": {"sort_index": process}},
    ]
    for lane in range(track.lanes):
        thread = _thread(track, lane)
        name = track.row.pipe if lane == 0 else f"{track.row.pipe} (in flight {lane + 1})"
        found += [
            {"ph": "M", "name": "thread_name", "pid": process, "tid": thread, "args": {"name": name}},
            {"ph": "M", "name": "thread_sort_index", "pid": process, "tid": thread, "args": {"sort_index": thread}},
        ]
    return found
