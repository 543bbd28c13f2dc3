"""The timeline as one self-contained HTML page: zoom, pan, tooltips, and the report below it.  No network.

In: events, their `Timeline`, the report's text.  Out: the page, from codegen_templates/timeline.html.j2.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from html import escape

from ptopro.simulator.machine import Event
from ptopro.trace.svg import COLORS, WAIT
from ptopro.trace.timeline import Timeline


def timeline_html(title: str, events: Sequence[Event], found: Timeline, report: str) -> str:
    from ptopro.codegen.templates import render_template

    names: dict[str, int] = {}

    def number(text: str) -> int:
        return names.setdefault(text, len(names))

    tracks = [
        {
            "core": f"core {track.row.group}: {track.row.core}",
            "pipe": track.row.pipe,
            "lanes": track.lanes,
            # event, start, end, lane, wait, name, place, block
            "bars": [
                [
                    bar.event,
                    round(bar.start, 1),
                    round(bar.end, 1),
                    bar.lane,
                    int(bar.wait),
                    number(_name(events[bar.event], bar.wait)),
                    number(f"{events[bar.event].file}:{events[bar.event].line}"),
                    events[bar.event].block,
                ]
                for bar in track.bars
            ],
        }
        for track in found.tracks
    ]
    arrows = [[arrow.source, arrow.target] for arrow in found.arrows]
    data = {"cycles": found.cycles, "tracks": tracks, "arrows": arrows, "names": list(names), "colors": COLORS}
    text = json.dumps({**data, "wait": WAIT}, separators=(",", ":")).replace("</", "<\\/")
    return render_template("timeline.html.j2", title=escape(title), data=text, report=escape(report))


def _name(event: Event, wait: bool) -> str:
    return f"waits for {event.cause.replace('_', ' ')}" if wait else event.operation
