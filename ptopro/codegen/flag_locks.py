"""Locks by flags, for chips without buffer locks (A2 and A3).

A lock on `pipe` with an id means: go on when every earlier release of the id by another pipe is done.  With flags, who
releases a lock sets a flag to each other pipe that uses it, and who takes it waits for those of its flags that are set.
Which flags are set is known to the scalar unit, since it issues everything in program order: of each pair of pipes a
word holds one bit for each event.  So every wait stands behind its set whatever way the program takes (no deadlock), a
flag that nobody took is waited for before it is set again, and where the half ends those that are left (no leak):

    wait_release<PIPE_V, PIPE_MTE2>(v_to_mte2, cur_a_id);
    TLOAD(...);
    pass_release<PIPE_MTE2, PIPE_V>(mte2_to_v, cur_a_id);

Pairs of pipes have few events.  Ids that some pair shares get different events as far as there are enough, else two
locks share one: each then also waits for the other's release, which is slower and still right.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from itertools import combinations, permutations
from typing import TYPE_CHECKING

from ptopro.diagnostics import DiagnosticError, make
from ptopro.diagnostics.span import Span
from ptopro.language.enums import PipeType
from ptopro.language.hardware import EVENT_ID_SAFE_MAX, MUTEX_ID_MAX
from ptopro.lowering import ir

if TYPE_CHECKING:
    from ptopro.codegen.context import FunctionContext
    from ptopro.codegen.tile_ids import Id

EVENTS = range(EVENT_ID_SAFE_MAX + 1)
Pair = tuple[PipeType, PipeType]  # who sets a flag, who waits for it


@dataclass(slots=True)
class FlagLocks:
    """The locks of one half.  events: of each lock id; users: the pipes that take locks of each event."""

    events: dict[int, int] = field(default_factory=dict)
    users: dict[int, set[PipeType]] = field(default_factory=dict)

    @property
    def pairs(self) -> list[Pair]:
        """Every pair of pipes that shares a lock, in either direction."""
        found = {pair for users in self.users.values() for pair in permutations(users, 2)}
        return sorted(found, key=lambda pair: (pair[0].value, pair[1].value))

    def others(self, pipe: PipeType, events: Iterable[int]) -> list[PipeType]:
        """The other pipes that take some of these locks."""
        found = {user for event in events for user in self.users.get(event, ())} - {pipe}
        return sorted(found, key=lambda user: user.value)


def flag_locks(bodies: Iterable[ir.Block]) -> FlagLocks:
    """The locks of a half with these bodies, each with its event.  Raises DiagnosticError when no event is left."""
    users: dict[int, set[PipeType]] = {}
    places: dict[int, Span] = {}
    by_hand: dict[frozenset[PipeType], set[int]] = {}
    fixed = False  # some lock is named by a number that is not known before the program runs
    for stmt in (stmt for body in bodies for stmt in ir.walk(body)):
        if isinstance(stmt, ir.Lock):
            fixed |= stmt.tile is None and not isinstance(stmt.id, ir.Const)
            for number in possible_ids(stmt):
                users.setdefault(number, set()).add(stmt.pipe)
                places.setdefault(number, stmt.span)
        elif isinstance(stmt, ir.Operate) and stmt.operation.name in ("system.sync_src", "system.sync_dst"):
            both = frozenset(p for p in (stmt.get("set_pipe"), stmt.get("wait_pipe")) if isinstance(p, PipeType))
            event = stmt.get("event_id")
            numbers = {int(event.value)} if isinstance(event, ir.Const) else set(EVENTS)
            by_hand.setdefault(both, set()).update(numbers)
    shared = {number: pipes for number, pipes in sorted(users.items()) if len(pipes) > 1}
    found = FlagLocks()
    for number, pipes in shared.items():
        taken = {event for pair in combinations(pipes, 2) for event in by_hand.get(frozenset(pair), ())}
        event = number % len(EVENTS) if fixed else _event(number, pipes, found, taken)
        if event is None or event in taken:
            names = ", ".join(sorted(pipe.name for pipe in pipes))
            raise DiagnosticError([make("PTO1512", places[number], number=number, pipes=names)])
        found.events[number] = event
        found.users.setdefault(event, set()).update(pipes)
    return found


def _event(number: int, pipes: AbstractSet[PipeType], found: FlagLocks, taken: set[int]) -> int | None:
    """An event that no lock of the same pipes has; else the one that the fewest have.  None: all are taken by hand."""
    load = Counter({event: 0 for event in EVENTS if event not in taken})
    for event, users in found.users.items():
        if event in load and len(users & pipes) > 1:
            load[event] += sum(other == event for other in found.events.values())
    if not load:
        return None
    least = min(load.values())
    best = [event for event in sorted(load) if load[event] == least]
    return number if number in best else best[0]


def possible_ids(stmt: ir.Lock) -> Iterator[int]:
    """Every id that a lock may mean."""
    if stmt.tile is None:
        yield from (int(stmt.id.value),) if isinstance(stmt.id, ir.Const) else range(MUTEX_ID_MAX + 1)
        return
    known = ir.static_slot(stmt.tile)
    for origin in ir.origins_of(stmt.tile):
        rows = origin.ids if isinstance(origin, ir.GroupDecl) else (origin.ids,)
        for slot, row in enumerate(rows):
            if known is None or known == (origin, slot):
                yield from row


# ---- what is written -------------------------------------------------------------------------------------------------


def take(ctx: FunctionContext, locks: FlagLocks, pipe: PipeType, item: Id) -> None:
    """Before an operation: wait for the releases by other pipes."""
    for other in locks.others(pipe, item.values):
        _write(ctx, "wait_release", (other, pipe), item.text)


def release(ctx: FunctionContext, locks: FlagLocks, pipe: PipeType, item: Id, guard: str) -> None:
    """After an operation: tell the other pipes."""
    for other in locks.others(pipe, item.values):
        _write(ctx, "pass_release", (pipe, other), item.text, guard)


def finish(ctx: FunctionContext, locks: FlagLocks) -> None:
    """Where a half ends: no flag stays set."""
    for pair in locks.pairs:
        _write(ctx, "wait_releases", pair)


def _write(ctx: FunctionContext, what: str, pair: Pair, event: str = "", guard: str = "") -> None:
    helper = ctx.helper(what)
    arguments = ", ".join((flags_word(ctx, pair), *((event,) if event else ())))
    ctx.out.write(f"{guard}{helper}<PIPE_{pair[0].name}, PIPE_{pair[1].name}>({arguments});")


def flags_word(ctx: FunctionContext, pair: Pair) -> str:
    """The name of the word that says which flags of a pair of pipes are set."""
    if not ctx.is_kernel:
        ctx.capture("flags", pair)
    return ctx.name_of(("flags", pair), f"{pair[0].name.lower()}_to_{pair[1].name.lower()}")
