"""Name the tiles in what the machine found: it knows bytes of memories, the kernel's author knows names.

In: diagnostics and the `MemoryMap`.  Out: the same, with a note for each byte range that some tile lies in.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from ptopro.check.memory_map import Memory, MemoryMap
from ptopro.diagnostics import Diagnostic

_RANGE = re.compile(r"\b(\w+) bytes \[(0x[0-9a-f]+), (0x[0-9a-f]+)\)")


def with_tile_names(found: Iterable[Diagnostic], memories: MemoryMap) -> list[Diagnostic]:
    by_name = {memory.name: memory for memory in memories.memories}
    return [replace(each, notes=(*_names(each, by_name), *each.notes)) for each in found]


def _names(found: Diagnostic, memories: dict[str, Memory]) -> list[str]:
    notes = []
    for memory, low, high in dict.fromkeys(_RANGE.findall(found.message)):
        if memory in memories:
            start, end = int(low, 16), int(high, 16)
            names = [slot.name for slot in memories[memory].slots if slot.start < end and start < slot.end]
            if names:
                notes.append(f"{memory} bytes [{low}, {high}) are {' and '.join(names)}")
    return notes
