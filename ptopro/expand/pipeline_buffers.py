"""The buffers that stages touch: one entry for a declaration, whichever half of the kernel sees it.

In: declarations of the IR (each half has its own object for one text).  Out: a number for each, and the `Buffer`s.
"""

from __future__ import annotations

from collections.abc import Sequence

from ptopro.expand.pipeline_model import Buffer
from ptopro.lowering import ir

Declared = ir.TileDecl | ir.GroupDecl
Key = tuple[object, ...]


class BufferTable:
    """Buffers in order of first use."""

    def __init__(self) -> None:
        self._numbers: dict[Key, int] = {}
        self.buffers: list[Buffer] = []
        self.declared: list[Declared | None] = []

    def tile(self, origin: Declared) -> int:
        """The number of a tile or group."""
        addrs = origin.addrs if isinstance(origin, ir.GroupDecl) else (origin.addr,)
        key = (origin.call or id(origin), addrs)
        if key not in self._numbers:
            size = origin.size or origin.spec.size_bytes
            grouped = isinstance(origin, ir.GroupDecl)
            locks: tuple[tuple[int, ...], ...] = origin.ids if grouped else ((origin.ids,) if origin.ids else ())  # type: ignore[assignment]
            buffer = Buffer(
                origin.name,
                origin.spec.memory.name,
                tuple((addr, addr + size) for addr in addrs),
                locks,
                origin.fwd_ids if isinstance(origin, ir.GroupDecl) else (),
                origin.bwd_ids if isinstance(origin, ir.GroupDecl) else (),
                origin.span,
            )
            self._add(key, buffer, origin)
        return self._numbers[key]

    def several(self, tiles: Sequence[tuple[Declared, int]]) -> int:
        """The number of a tuple of tiles that is indexed at run time: each tile is a slot."""
        parts = [(self.buffers[self.tile(origin)], slot) for origin, slot in tiles]
        key = ("tuple", *((self.tile(origin), slot) for origin, slot in tiles))
        if key not in self._numbers:
            locked = all(part.locks for part, _ in parts)
            buffer = Buffer(
                f"({', '.join(part.name for part, _ in parts)})",
                parts[0][0].memory,
                tuple(part.ranges[slot] for part, slot in parts),
                tuple(part.locks[slot] for part, slot in parts) if locked else (),
                span=parts[0][0].span,
            )
            self._add(key, buffer, None)
        return self._numbers[key]

    def tensor(self, tensor: ir.TensorDecl) -> int:
        """The number of the memory that a tensor lies in: views of one pointer share it."""
        base: object = tensor
        while isinstance(base, ir.TensorDecl) and base.base is not None:
            base = base.base
            while isinstance(base, ir.PointerOf):
                base = base.base
        name = base.var.name if isinstance(base, ir.VarRef) else getattr(base, "name", "memory")
        key = ("tensor", name)
        if key not in self._numbers:
            self._add(key, Buffer(name, "DDR", span=tensor.span), None)
        return self._numbers[key]

    def _add(self, key: Key, buffer: Buffer, origin: Declared | None) -> None:
        self._numbers[key] = len(self.buffers)
        self.buffers.append(buffer)
        self.declared.append(origin)
