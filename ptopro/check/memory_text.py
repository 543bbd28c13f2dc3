"""The memory map as text for a terminal: a bar of each memory, then its tiles.

In: a `MemoryMap`.  Out: lines of plain ASCII; with `color`, tiles that overlap others against the rules stand out.
"""

from __future__ import annotations

import itertools

from ptopro.check.memory_map import Memory, MemoryMap

BAR = 64
_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
_RED, _BOLD, _PLAIN = "\x1b[31m", "\x1b[1m", "\x1b[0m"


def memory_text(found: MemoryMap, *, color: bool = False) -> str:
    lines = [f"{found.kernel}: on-chip memory ({found.chip})"]
    for memory in found.memories:
        lines += ["", *_memory(memory, color)]
    if not found.memories:
        lines.append("  it declares no tiles")
    return "\n".join(lines) + "\n"


def _memory(memory: Memory, color: bool) -> list[str]:
    share = memory.used / memory.capacity if memory.capacity else 0
    head = (
        f"{memory.core}, {memory.name}: {_size(memory.used)} of {_size(memory.capacity)} used ({share:.0%}), "
        f"{_size(memory.capacity - memory.used)} free"
    )
    overlaps = memory.overlaps()
    unordered = {slot for each in overlaps if not each.intended for slot in (each.first, each.second)}
    width = max(len(slot.name) for slot in memory.slots)
    rows = []
    for index, slot in enumerate(memory.slots):
        ids = f"ids {','.join(map(str, slot.ids))}" if slot.ids else "no id"
        row = (
            f"  {_letter(index)} {slot.name:<{width}}  0x{slot.start:06x}..0x{slot.end:06x} {_size(slot.bytes):>10}"
            f"  {ids:<10} {slot.kind}"
        )
        rows.append(f"{_RED}{row}{_PLAIN}" if color and slot in unordered else row)
    gaps = [f"    free        0x{start:06x}..0x{end:06x} {_size(end - start):>10}" for start, end in memory.gaps()]
    shared = [
        f"  {'shared ' if each.intended else 'OVERLAP'} {each.first.name} and {each.second.name}: "
        f"0x{each.start:06x}..0x{each.end:06x}" + ("" if each.intended else ", different lock ids")
        for each in overlaps
    ]
    return [f"{_BOLD}{head}{_PLAIN}" if color else head, f"  [{_bar(memory)}]", *rows, *gaps, *shared]


def _bar(memory: Memory) -> str:
    """A cell for each 64th of the memory: the letter of its first tile, + where tiles share bytes, . for none."""
    cells = []
    for cell in range(BAR):
        low, high = memory.capacity * cell / BAR, memory.capacity * (cell + 1) / BAR
        inside = [i for i, slot in enumerate(memory.slots) if slot.start < high and low < slot.end]
        cells.append("." if not inside else "+" if _shared(memory, inside) else _letter(inside[0]))
    return "".join(cells)


def _shared(memory: Memory, indices: list[int]) -> bool:
    """Whether some of these slots share bytes; neighbours that only meet in a cell do not."""
    slots = [memory.slots[index] for index in indices]
    return any(a.end > b.start for a, b in itertools.pairwise(slots))


def _letter(index: int) -> str:
    return _LETTERS[index % len(_LETTERS)]


def _size(count: int) -> str:
    """1536 B, 64 KiB, 1.5 KiB."""
    if count < 1024:
        return f"{count} B"
    return f"{count / 1024:.1f} KiB".replace(".0 ", " ")
