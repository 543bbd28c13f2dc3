"""The timeline as one self-contained SVG.

In: events and their `Timeline`.  Out: the SVG's text: a row of each pipe, bars coloured by pipe, waits grey; hovering
names operation, line and cycles.  A long run is drawn up to its first `MOST` bars, which the picture says.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from ptopro.simulator.machine import Event
from ptopro.trace.timeline import Bar, Timeline, Track

MOST = 20000
WIDTH, LEFT, LANE, TOP = 1600, 150, 14, 40
COLORS = {
    "S": "#9e9e9e", "MTE1": "#f4a261", "MTE2": "#2a9d8f", "MTE3": "#457b9d", "V": "#e9c46a", "M": "#e76f51",
    "FIX": "#8e7dbe",
}  # fmt: skip
WAIT = "#dddddd"


def timeline_svg(title: str, events: Sequence[Event], found: Timeline) -> str:
    until = shown_until(found)
    scale = (WIDTH - LEFT - 20) / (until or 1)
    body: list[str] = []
    y = TOP + 10
    group = None
    for track in found.tracks:
        core = (track.row.group, track.row.core)
        if core != group:
            y += 10
            body.append(f'<text x="8" y="{y + 10}" font-weight="bold">core {core[0]}: {core[1]}</text>')
            y += 16
            group = core
        body += _track(track, events, y, scale, until)
        y += track.lanes * LANE + 4
    head = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{y + 30}" font-family="sans-serif" '
        'font-size="11">',
        '<rect width="100%" height="100%" fill="white"/>',
        f'<text x="8" y="20" font-size="15">{escape(title)}</text>',
        f'<text x="8" y="36" fill="#555">{_caption(found, until)}</text>',
    ]
    axis = [
        f'<line x1="{LEFT + t * scale:.1f}" y1="{TOP + 8}" x2="{LEFT + t * scale:.1f}" y2="{y}" stroke="#eee"/>'
        f'<text x="{LEFT + t * scale:.1f}" y="{y + 14}" text-anchor="middle" fill="#555">{t:.0f}</text>'
        for t in (until * i / 10 for i in range(11))
    ]
    return "\n".join([*head, *axis, *body, "</svg>", ""])


def shown_until(found: Timeline) -> float:
    """The time up to which bars are drawn."""
    starts = sorted(bar.start for track in found.tracks for bar in track.bars)
    return found.cycles if len(starts) <= MOST else starts[MOST]


def _caption(found: Timeline, until: float) -> str:
    whole = f"{found.cycles:.0f} cycles of virtual time, an estimate; grey: waiting"
    return whole if until >= found.cycles else f"{whole}; the first {until:.0f} cycles are shown"


def _track(track: Track, events: Sequence[Event], y: float, scale: float, until: float) -> list[str]:
    height = track.lanes * LANE
    found = [
        f'<text x="24" y="{y + 11}">{track.row.pipe}</text>',
        f'<rect x="{LEFT}" y="{y}" width="{until * scale:.1f}" height="{height - 2}" fill="#fafafa"/>',
    ]
    for bar in track.bars:
        if bar.start < until:
            found.append(_bar(bar, events[bar.event], y + bar.lane * LANE, scale))
    return found


def _bar(bar: Bar, event: Event, y: float, scale: float) -> str:
    width = max(0.3, (bar.end - bar.start) * scale)
    what = f"waits for {event.cause.replace('_', ' ')}" if bar.wait else event.operation
    title = (
        f"{what}, {event.file}:{event.line}, block {event.block}, {bar.end - bar.start:.0f} cycles from {bar.start:.0f}"
    )
    return (
        f'<rect x="{LEFT + bar.start * scale:.2f}" y="{y}" width="{width:.2f}" height="{LANE - 3}" '
        f'fill="{WAIT if bar.wait else COLORS[event.pipe]}"><title>{escape(title)}</title></rect>'
    )
