"""The memory map as one self-contained SVG: a column of each memory, tiles as boxes at their addresses.

In: a `MemoryMap`.  Out: the SVG's text.  Tiles that share bytes stand side by side; hovering shows the exact range.
"""

from __future__ import annotations

from html import escape

from ptopro.check.memory_map import Memory, MemoryMap, Slot

COLUMN, GAP, HEIGHT, TOP = 220, 30, 640, 70
_COLORS = ("#8ecae6", "#ffd166", "#b5e48c", "#f4a6a6", "#cdb4db", "#ffc8a2", "#a3d5c8", "#d0d5e8")


def memory_svg(found: MemoryMap) -> str:
    width = GAP + max(1, len(found.memories)) * (COLUMN + GAP)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{TOP + HEIGHT + 40}" '
        'font-family="sans-serif" font-size="12">',
        '<rect width="100%" height="100%" fill="white"/>',
        f'<text x="{GAP}" y="24" font-size="16">{escape(found.kernel)}: on-chip memory ({found.chip})</text>',
    ]
    for index, memory in enumerate(found.memories):
        parts += _column(memory, GAP + index * (COLUMN + GAP))
    return "\n".join([*parts, "</svg>", ""])


def _column(memory: Memory, x: int) -> list[str]:
    """A memory that is mostly empty is drawn up to its highest tile."""
    shown = min(memory.capacity, max(memory.top * 5 // 4, 1)) if memory.top < memory.capacity // 2 else memory.capacity
    shown = max(shown, memory.top)
    parts = [
        f'<text x="{x}" y="46" font-weight="bold">{memory.core}, {memory.name}</text>',
        f'<text x="{x}" y="62" fill="#555">{memory.used} of {memory.capacity} bytes used</text>',
        f'<rect x="{x}" y="{TOP}" width="{COLUMN}" height="{HEIGHT}" fill="#f4f4f4" stroke="#999"/>',
    ]
    lanes = _lanes(memory.slots)
    count = max(lanes.values(), default=0) + 1
    unordered = {slot for each in memory.overlaps() if not each.intended for slot in (each.first, each.second)}
    for number, slot in enumerate(memory.slots):
        y = TOP + HEIGHT * slot.start / shown
        height = max(2.0, HEIGHT * slot.bytes / shown)
        beside = sum(1 for other in memory.slots if other.start < slot.end and slot.start < other.end)
        wide = COLUMN / count if beside > 1 else COLUMN
        left = x + (lanes[slot] * COLUMN / count if beside > 1 else 0)
        stroke = 'stroke="#c00" stroke-width="2"' if slot in unordered else 'stroke="#333" stroke-width="0.5"'
        ids = f"lock ids {', '.join(map(str, slot.ids))}" if slot.ids else "no lock id"
        title = f"{slot.name}: bytes 0x{slot.start:x} to 0x{slot.end:x} ({slot.bytes}), {slot.kind}, {ids}"
        parts.append(
            f'<g><title>{escape(title)}</title><rect x="{left:.1f}" y="{y:.1f}" width="{wide:.1f}" '
            f'height="{height:.1f}" fill="{_COLORS[number % len(_COLORS)]}" {stroke}/>'
        )
        if height >= 12:
            label = escape(_fitting(slot.name, wide))
            parts.append(f'<text x="{left + 4:.1f}" y="{y + min(height, 24) / 2 + 5:.1f}">{label}</text>')
        parts.append("</g>")
    parts.append(f'<text x="{x}" y="{TOP + HEIGHT + 16}" fill="#555">0x{shown:x}{_cut(shown, memory)}</text>')
    return parts


def _cut(shown: int, memory: Memory) -> str:
    return "" if shown >= memory.capacity else f" (free up to 0x{memory.capacity:x})"


def _lanes(slots: tuple[Slot, ...]) -> dict[Slot, int]:
    """A lane for each slot, so that slots of one lane share no bytes."""
    ends: list[int] = []
    found = {}
    for slot in slots:
        lane = next((i for i, end in enumerate(ends) if end <= slot.start), len(ends))
        if lane == len(ends):
            ends.append(0)
        ends[lane] = slot.end
        found[slot] = lane
    return found


def _fitting(name: str, width: float) -> str:
    most = int(width / 7.5)
    return name if len(name) <= most else name[: max(1, most - 2)] + ".."
