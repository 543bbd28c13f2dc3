"""What the pipeline analysis finds out about one pipeline loop, and what the event graph says about it.

A `PipelinePlan` is everything that decides order: the stages with their delays, what each operation of a stage
touches, the cross-core channels.  The analysis makes it, the event graph proves or refutes it, the writer turns it into
text.

Terms.  Task t: one run of the loop's body, numbered from 0 over the whole loop nest.  Beat b: one round of the
generated loop; a stage of delay d handles task b - d in it.  Slot: one tile of a group.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from ptopro.diagnostics import Diagnostic
from ptopro.diagnostics.span import Span
from ptopro.language.enums import PipeType

Core = Literal["cube", "vector"]
SlotKind = Literal["constant", "task", "outer", "cursor", "unknown"]
Direction = Literal["fwd", "bwd", "reuse"]


@dataclass(frozen=True, slots=True)
class SlotRule:
    """Which slot of a buffer an access means, in a run of its stage for task t.

    constant: slot `offset`.
    task: slot (scale * t + offset) % modulus.
    outer: slot (scale * o + offset) % modulus, o counts the rounds of the loop around the pipeline loop (or of a
        counter that moves with it); `counter` names it.  A round may hold as few as one task.
    cursor: the group's cursor after `offset` advances in this run of the stage, counted from what earlier runs (of
        any stage of the core, in the order they execute) left; `Stage.advances` says by how much a run moves it.
    unknown: any slot.
    """

    kind: SlotKind
    offset: int = 0
    scale: int = 1
    modulus: int = 1
    counter: str = ""

    def highest(self) -> int:
        """The highest slot that a rule over all tasks names; what moves with a cursor stays among the slots."""
        if self.kind not in ("task", "outer"):
            return 0
        return max((self.scale * turn + self.offset) % self.modulus for turn in range(self.modulus))


@dataclass(frozen=True, slots=True)
class Buffer:
    """Tiles (or a tensor) that stages touch.

    ranges: the bytes [first, behind last) of each slot in `memory`; tensors have memory "DDR" and no ranges (two
    tensors never overlap).  locks: the lock ids of each slot, empty where the buffer has none.  fwd_ids / bwd_ids: as
    declared; a buffer with either is a cross-core buffer.
    """

    name: str
    memory: str
    ranges: tuple[tuple[int, int], ...] = ()
    locks: tuple[tuple[int, ...], ...] = ()
    fwd_ids: tuple[int, ...] = ()
    bwd_ids: tuple[int, ...] = ()
    span: Span | None = None

    @property
    def slots(self) -> int:
        return max(1, len(self.ranges))

    @property
    def crosses(self) -> bool:
        return bool(self.fwd_ids or self.bwd_ids)

    def overlaps(self, other: Buffer) -> bool:
        """Whether a slot of one shares bytes with a slot of the other."""
        return self.memory == other.memory and any(a < d and c < b for a, b in self.ranges for c, d in other.ranges)


@dataclass(frozen=True, slots=True)
class Access:
    """One operand of one operation of a stage.

    order: the operation's number inside the stage, in program order; the accesses of one operation share it.
    conditional: not on every path through the stage; path: the branches it stands in, outermost first, as (number,
    arm): where an access runs, so does one whose path is a prefix of its own.  ordered_by_unit: the unit flag orders
    it, no lock does.
    window: the bytes of the slot that are touched (relative to its start), None: all.  partial: only some of these
    bytes, not known which (`insert`, a view with run-time bounds).  first_of_round: conditional, and only in the first
    task of a round of the loop around the pipeline loop (`if ki == 0`).
    """

    stage: int
    order: int
    pipe: PipeType
    buffer: int  # index into PipelinePlan.buffers
    rule: SlotRule
    reads: bool
    writes: bool
    operation: str
    span: Span | None = None
    conditional: bool = False
    ordered_by_unit: bool = False
    window: tuple[int, int] | None = None
    partial: bool = False
    first_of_round: bool = False
    path: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Stage:
    """One stage call of the loop.

    advances: (buffer, steps) for each group whose cursor a run moves; steps None: not the same on every path.
    predicated: a run-time condition decides whether the call happens (its flags do not depend on it).
    joints: what every arm of a branch ends with on one pipe, as accesses that neither read nor write: whichever arm
    runs, its last operation there holds these slots.
    """

    index: int
    name: str
    core: Core
    delay: int
    accesses: tuple[Access, ...] = ()
    advances: tuple[tuple[int, int | None], ...] = ()
    span: Span | None = None
    predicated: bool = False
    joints: tuple[Access, ...] = ()

    def touching(self, buffer: int) -> tuple[Access, ...]:
        return tuple(a for a in self.accesses if a.buffer == buffer)


@dataclass(frozen=True, slots=True)
class Channel:
    """A stream of cross-core flags between two stages: one set and one wait for each task.

    The setter's run for task t sets ids[t % len(ids)] on set_pipe when all its operations on that pipe (and those that
    `set_chain` joins to it) are done; the waiter's run for task t waits for ids[t % len(ids)] on wait_pipe before its
    operations on that pipe (and on the pipes of `wait_chain`).  credits: sets that happen before the loop, ids in turn
    from ids[0]; so the wait of task t sees the set of task t - credits.  After the drain the waiter takes back as many.

    fwd: data ready, producer to consumer.  bwd: slot free, consumer to producer.  reuse: the bytes that the setter used
    through `buffer` are free for the waiter, which uses them through another buffer.
    """

    buffer: int
    direction: Direction
    setter: int  # stage
    waiter: int
    set_core: Core
    set_pipe: PipeType
    wait_core: Core
    wait_pipe: PipeType
    ids: tuple[int, ...]
    slots: int
    credits: int = 0
    set_chain: tuple[PipeType, ...] = ()
    wait_chain: tuple[PipeType, ...] = ()

    @property
    def shared_id(self) -> bool:
        return len(self.ids) == 1 and self.slots > 1


@dataclass(frozen=True, slots=True)
class PipelinePlan:
    """One pipeline loop.

    preload: tasks that the first stage of each core runs ahead of the core's next one, 0: serial order.
    nested: tasks stream through outer loops; drains: the stream is drained at the end of every outer round instead.
    locked: locks order the pipes of a core (`auto_mutex`), for buffers that have lock ids.
    """

    index: int
    kernel: str
    preload: int
    stages: tuple[Stage, ...]
    buffers: tuple[Buffer, ...]
    channels: tuple[Channel, ...] = ()
    loop: Span | None = None
    nested: bool = False
    drains: bool = False
    locked: bool = True

    @property
    def depth(self) -> int:
        """Tasks in flight: the length of a context ring."""
        return max((s.delay for s in self.stages), default=0) + 1

    @property
    def drain_beats(self) -> int:
        return self.depth - 1


@dataclass(frozen=True, slots=True)
class GraphResult:
    """What the event graph proves.

    problems: errors (deadlock, unprotected overwrite or read, unequal or too many sets); notes: correct but slower than
    it could be, or warnings; redundant: channels that every other order already implies.
    """

    problems: tuple[Diagnostic, ...] = ()
    notes: tuple[Diagnostic, ...] = ()
    redundant: tuple[Channel, ...] = field(default=())
