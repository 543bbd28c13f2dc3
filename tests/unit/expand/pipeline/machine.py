"""Two cores on paper: queues for each pipe, transfers in flight, locks, local flags, cross-core counters, data versions.

In: for each core the instructions in the order its scalar unit issues them, and a schedule.  Out: what every operation read,
as versions: an operation's output is named by the operation and everything it read, so two runs with equal traces
moved the same data.  Blocked cores, flags left over and counters that overflow are faults.

The model is the hardware's as the documents state it.  V, M, FIX and S end an operation before they start the next one.
MTE1, MTE2 and MTE3 start transfers in order and end them in any order.  An operation touches its data at some moment before
it ends; here it is the end itself, and the schedule says when that is.  S issues for all pipes: behind an instruction of S
nothing is issued until that is done.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

TRANSFERS = frozenset(("MTE1", "MTE2", "MTE3"))
MOST_PENDING = 15

Key = tuple[object, ...]
Cell = Hashable


@dataclass(eq=False)
class Instruction:
    """kind: operate, set, wait, acquire, release, local_set, local_wait, barrier.

    operate: key names it, reads and writes are cells; what it writes in part keeps what it does not write;
    detail: what else its result depends on.  set/wait: flag is (receiving core, event).  acquire/release: flag is
    the lock; after: the releases that an acquire waits for.  local_set/local_wait: flag names the counter.
    """

    kind: str
    pipe: str
    key: Key = ()
    reads: tuple[Cell, ...] = ()
    writes: tuple[Cell, ...] = ()
    partly: tuple[Cell, ...] = ()
    detail: object = None
    flag: Hashable = None
    after: tuple[Instruction, ...] = ()
    done: bool = False

    def __str__(self) -> str:
        return f"{self.kind} {self.pipe} {self.key or self.flag}"


class Fault(AssertionError):
    """Something the hardware would not survive."""


class Blocked(Fault):
    """No pipe of any core can move."""


class Overflow(Fault):
    """More sets are pending than a counter holds."""


Action = tuple[str, Instruction, "_Core"]  # "start" or "end", of what, on which core
Schedule = Callable[[Sequence[Action]], Action]


def at_random(seed: int) -> Schedule:
    """Any action that is possible."""
    return random.Random(seed).choice


def holding_back(keys: Sequence[Key], seed: int = 0) -> Schedule:
    """Ends the given operations only when nothing else can happen; the last one last of all."""
    generator = random.Random(seed)
    rank = {key: i + 1 for i, key in enumerate(keys)}

    def choose(actions: Sequence[Action]) -> Action:
        def reluctance(action: Action) -> int:
            return rank.get(action[1].key, 0) if action[0] == "end" else 0

        least = min(map(reluctance, actions))
        return generator.choice([a for a in actions if reluctance(a) == least])

    return choose


def slow_pipe(core: str, pipe: str, seed: int = 0) -> Schedule:
    """One pipe of one core moves only when nothing else can."""
    generator = random.Random(seed)

    def choose(actions: Sequence[Action]) -> Action:
        others = [a for a in actions if (a[2].name, a[1].pipe) != (core, pipe)]
        return generator.choice(others or list(actions))

    return choose


@dataclass
class _Core:
    name: str
    program: Sequence[Instruction]
    at: int = 0
    queues: dict[str, list[Instruction]] = field(default_factory=lambda: defaultdict(list))
    flying: dict[str, list[Instruction]] = field(default_factory=lambda: defaultdict(list))

    def issue(self) -> None:
        """Hand out instructions until one is for S itself."""
        while self.at < len(self.program) and not self.queues["S"] and not self.flying["S"]:
            instruction = self.program[self.at]
            self.at += 1
            self.queues[instruction.pipe].append(instruction)


@dataclass
class Machine:
    """Runs the programs of the cores; `trace` afterwards holds what each operation read."""

    programs: Mapping[str, Sequence[Instruction]]
    schedule: Schedule
    cells: dict[Cell, object] = field(default_factory=dict)
    counters: dict[Hashable, int] = field(default_factory=lambda: defaultdict(int))
    trace: dict[Key, tuple[object, ...]] = field(default_factory=dict)
    most_pending: int = 0

    def run(self) -> Machine:
        cores = [_Core(name, program) for name, program in self.programs.items()]
        while True:
            actions = []
            for core in cores:
                core.issue()
                actions += self.possible(core)
            if not actions:
                break
            kind, instruction, core = self.schedule(actions)
            if kind == "start":
                self.start(core, instruction)
            else:
                self.end(core, instruction)
        stuck = [f"{c.name}: {q[0]}" for c in cores for q in c.queues.values() if q]
        if stuck or any(c.at < len(c.program) for c in cores):
            raise Blocked("; ".join(stuck))
        left = {flag: count for flag, count in self.counters.items() if count}
        if left:
            raise Fault(f"flags left set: {left}")
        return self

    def possible(self, core: _Core) -> Iterator[Action]:
        for pipe, queue in core.queues.items():
            if queue and self.can_start(core, pipe, queue[0]):
                yield "start", queue[0], core
        for flying in core.flying.values():
            for instruction in flying:
                yield "end", instruction, core

    def can_start(self, core: _Core, pipe: str, head: Instruction) -> bool:
        busy = bool(core.flying[pipe])
        match head.kind:
            case "operate":
                return not busy or pipe in TRANSFERS
            case "wait" | "local_wait":
                return self.counters[head.flag] > 0 and (not busy or pipe in TRANSFERS)
            case "acquire":
                return all(i.done for i in head.after) and (not busy or pipe in TRANSFERS)
            case _:
                return not busy

    def start(self, core: _Core, instruction: Instruction) -> None:
        core.queues[instruction.pipe].pop(0)
        match instruction.kind:
            case "operate":
                core.flying[instruction.pipe].append(instruction)
                return
            case "set" | "local_set":
                self.counters[instruction.flag] += 1
                if instruction.kind == "set":
                    self.most_pending = max(self.most_pending, self.counters[instruction.flag])
                    if self.counters[instruction.flag] > MOST_PENDING:
                        raise Overflow(f"more than {MOST_PENDING} sets of {instruction.flag}")
            case "wait" | "local_wait":
                self.counters[instruction.flag] -= 1
        instruction.done = True

    def end(self, core: _Core, instruction: Instruction) -> None:
        core.flying[instruction.pipe].remove(instruction)
        values = (instruction.detail, *(self.cells.get(cell, "unset") for cell in instruction.reads))
        self.trace[instruction.key] = values
        for cell in instruction.writes:
            self.cells[cell] = hash((instruction.key, values))
        for cell in instruction.partly:
            self.cells[cell] = hash((instruction.key, values, self.cells.get(cell, "unset")))
        instruction.done = True


def serial_trace(operations: Iterable[Instruction]) -> dict[Key, tuple[object, ...]]:
    """What each operation reads when they run one after another in this order."""
    machine = Machine({}, lambda actions: actions[0])
    for operation in operations:
        core = _Core("serial", ())
        core.flying[operation.pipe].append(operation)
        machine.end(core, operation)
    return machine.trace


class Issuer:
    """Collects the program of one core; locks know the releases before them."""

    def __init__(self, core: str) -> None:
        self.core = core
        self.program: list[Instruction] = []
        self.released: dict[Hashable, list[Instruction]] = defaultdict(list)
        self.transfers: dict[str, list[Instruction]] = defaultdict(list)  # since the last barrier of the pipe

    def add(self, kind: str, pipe: str, **details: object) -> Instruction:
        instruction = Instruction(kind, pipe, **details)  # type: ignore[arg-type]
        self.program.append(instruction)
        return instruction

    def acquire(self, pipe: str, lock: Hashable) -> None:
        after = tuple(i for i in self.released[lock] if i.pipe != pipe)
        self.add("acquire", pipe, flag=lock, after=after)

    def release(self, pipe: str, lock: Hashable) -> None:
        self.released[lock].append(self.add("release", pipe, flag=lock))

    def operate(self, operation: Instruction, locks: Iterable[Hashable]) -> None:
        """An operation between its locks; a transfer into bytes that an earlier one of its pipe uses gets a barrier."""
        held, pipe = list(dict.fromkeys(locks)), operation.pipe
        if pipe in TRANSFERS:
            written = {*operation.writes, *operation.partly}
            touched = {*operation.reads, *written}
            if any(touched & {*i.writes, *i.partly} or written & {*i.reads} for i in self.transfers[pipe]):
                self.add("barrier", pipe)
                self.transfers[pipe].clear()
        for lock in held:
            self.acquire(pipe, lock)
        self.program.append(operation)
        self.transfers[pipe].append(operation)
        for lock in held:
            self.release(pipe, lock)
