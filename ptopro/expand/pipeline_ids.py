"""Event ids: which are taken, by whom, and which are left for flags that expand adds itself.

In: the flags of the buffers, and what the kernel does by hand.  Out: free cross-core events of each receiving core, and
free local events between two pipes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ptopro.diagnostics import Sink, Span, make
from ptopro.expand.pipeline_channels import ID_COUNT
from ptopro.expand.pipeline_model import Buffer, Channel, Core, Stage
from ptopro.language.enums import PipeType, SyncAllMode
from ptopro.language.hardware import HARD_SYNC_ALL_EVENT_IDS
from ptopro.lowering import ir
from ptopro.lowering.traversal import reachable_functions

LOCAL_IDS = 8
OTHER: dict[Core, Core] = {"cube": "vector", "vector": "cube"}


def sync_operations(lowered: ir.KernelIR) -> Iterator[tuple[Core, ir.Operate]]:
    """Every sync operation that the author wrote, with its core."""
    halves: tuple[tuple[Core, ir.FunctionIR | None], ...] = (("cube", lowered.cube), ("vector", lowered.vector))
    for core, half in halves:
        for function in reachable_functions(half) if half is not None else ():
            for stmt in ir.walk(function.body):
                if isinstance(stmt, ir.Operate) and stmt.operation.group == "sync":
                    yield core, stmt


class EventIds:
    """taken: by receiving core, who has an event; hard_barrier: the kernel uses the hardware barrier."""

    def __init__(self, lowered: ir.KernelIR) -> None:
        self.taken: dict[Core, dict[int, str]] = {"cube": {}, "vector": {}}
        self.by_hand: list[tuple[Core, int, ir.Operate]] = []
        self.local: dict[tuple[Core, PipeType, PipeType], set[int]] = {}
        self.hard_barrier = False
        self._given: dict[tuple[object, ...], tuple[int, ...]] = {}
        for core, stmt in sync_operations(lowered):
            self._note(core, stmt)

    def _note(self, core: Core, stmt: ir.Operate) -> None:
        name = stmt.operation.name.removeprefix("system.")
        event = stmt.get("event_id")
        number = event.value if isinstance(event, ir.Const) else event if isinstance(event, int) else None
        if name == "sync_all":
            self.hard_barrier |= stmt.get("mode") is not SyncAllMode.SOFT
        elif name in ("set_cross_core", "wait_cross_core"):
            receiver = core if name == "wait_cross_core" else OTHER[core]
            numbers = range(ID_COUNT) if number is None else [int(number)]
            for each in numbers:
                self.taken[receiver].setdefault(each, f"a hand-written {name}")
            if number is not None:
                self.by_hand.append((receiver, int(number), stmt))
        elif name in ("sync_src", "sync_dst"):
            one, two = stmt.get("set_pipe"), stmt.get("wait_pipe")
            if isinstance(one, PipeType) and isinstance(two, PipeType):
                used = self.local.setdefault((core, one, two), set())
                used.update(range(LOCAL_IDS) if number is None else [int(number)])

    def declare(self, channels: Sequence[Channel], buffers: Sequence[Buffer], sink: Sink) -> None:
        """Note the ids of buffers; what the kernel uses otherwise is reported."""
        for channel in channels:
            buffer = buffers[channel.buffer]
            owner = f"{channel.direction}_ids of {buffer.name}"
            for number in channel.ids:
                if self.hard_barrier and number in HARD_SYNC_ALL_EVENT_IDS:
                    sink.add(make("PTO1438", buffer.span, id=number, owner=owner))
                for receiver, event, stmt in self.by_hand:
                    if (receiver, event) == (channel.wait_core, number):
                        operation = stmt.operation.name.removeprefix("system.")
                        sink.add(
                            make(
                                "PTO1439",
                                stmt.call or stmt.span,
                                id=number,
                                core=receiver,
                                owner=owner,
                                operation=operation,
                            )
                        )
                        break
                self.taken[channel.wait_core].setdefault(number, owner)

    def take(
        self, core: Core, count: int, key: tuple[object, ...], purpose: str, span: Span | None, sink: Sink
    ) -> tuple[int, ...] | None:
        """`count` free events of a receiving core, one shared event where these do not suffice."""
        if key in self._given:
            return self._given[key]
        reserved = HARD_SYNC_ALL_EVENT_IDS if self.hard_barrier else ()
        free = [n for n in range(ID_COUNT) if n not in self.taken[core] and n not in reserved]
        wanted = count if len(free) >= count else 1
        if not free:
            sink.add(make("PTO1432", span, core=core, purpose=purpose, needed=1, free=0))
            return None
        chosen = tuple(free[:wanted])
        for number in chosen:
            self.taken[core][number] = purpose
        self._given[key] = chosen
        return chosen

    def chain(self, stage: Stage, buffer: Buffer, one: PipeType, two: PipeType, sink: Sink) -> int | None:
        """A free local event from one pipe to another."""
        used = self.local.setdefault((stage.core, one, two), set())
        free = next((n for n in range(LOCAL_IDS) if n not in used), None)
        if free is None:
            sink.add(make("PTO1433", buffer.span, stage=stage.name, buffer=buffer.name, one=one.name, two=two.name))
            return None
        used.add(free)
        return free
