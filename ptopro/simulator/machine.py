"""Run a built kernel on the simulated machine.

In: the kernel's shared library, its entry symbol, the argument pointers and `LaunchOptions`.  Out: a `Report`; what
ended the run stands in `Report.findings`, which `diagnostics_of` turns into diagnostics that point to the kernel file.
"""

from __future__ import annotations

import ctypes
import functools
import json
import os
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ptopro.diagnostics import Diagnostic, DiagnosticError, Label, Span, make
from ptopro.simulator import abi

_TEXT_BYTES = 1 << 18

_DIAGNOSTICS = {
    "deadlock": "PTO1830",
    "out_of_bounds": "PTO1831",
    "trap": "PTO1832",
    "sync_fault": "PTO1833",
    "watchdog": "PTO1834",
    "internal": "PTO1837",
    "queue_full": "PTO1835",
    "memory_fault": "PTO1836",
    "race": "PTO1840",
    "leak": "PTO1841",
    "undefined": "PTO1842",
    "block_overlap": "PTO1843",
    "loop_limit": "PTO1844",
}
_SLOW = "slow"


@dataclass(frozen=True, slots=True)
class Tensor:
    """A range of global memory that the kernel may touch."""

    address: int
    bytes: int
    name: str
    writable: bool


@dataclass(frozen=True, slots=True)
class LaunchOptions:
    """How the machine runs.

    schedule: fixed, random (with seed), slow (the seed is the number of a pipe in abi.PIPES); threads 0: all host
    cores; watchdog in seconds; checks: names of abi.CHECKS; trace: keep events; block_limit: basic blocks that the
    scalar code of a core may run where the kernel counts them (0: 10^9); costs: figures of the time model (fields of
    abi.Costs) in place of the chip's own.
    """

    chip: str = "a5"
    mode: str = "pipelined"
    schedule: str = "fixed"
    seed: int = 0
    visibility: str = "eager"
    threads: int = 0
    watchdog: float = 0.0
    checks: tuple[str, ...] = ()
    trace: bool = False
    digests: bool = False
    block_limit: int = 0
    costs: tuple[tuple[str, float], ...] = ()

    @property
    def counts_blocks(self) -> bool:
        """Whether the kernel should be compiled to count basic blocks."""
        return bool(self.checks)

    @staticmethod
    def from_environment(chip: str = "a5", environment: Mapping[str, str] | None = None) -> LaunchOptions:
        """The options that these variables give: PTOPRO_MODE, _SCHEDULE (fixed, random:SEED, slow:PIPE), _VISIBILITY
        (late is the default with checks), _THREADS, _WATCHDOG, _CHECKS (all, or names of abi.CHECKS with commas)."""
        env = os.environ if environment is None else environment
        schedule, _, detail = env.get("PTOPRO_SCHEDULE", "fixed").partition(":")
        serial = env.get("PTOPRO_SERIAL", "") not in ("", "0")
        checks = _checks(env.get("PTOPRO_CHECKS", ""))
        if schedule == _SLOW:
            seed = abi.PIPES.index(_choice("PTOPRO_SCHEDULE", detail, abi.PIPES))
        else:
            seed = int(_number("PTOPRO_SCHEDULE", detail or "0"))
        visibility = env.get("PTOPRO_VISIBILITY", "late" if checks else "eager")
        return LaunchOptions(
            chip=chip,
            mode=_choice("PTOPRO_MODE", env.get("PTOPRO_MODE", "serial" if serial else "pipelined"), abi.MODES),
            schedule=_choice("PTOPRO_SCHEDULE", schedule, abi.SCHEDULES),
            seed=seed,
            visibility=_choice("PTOPRO_VISIBILITY", visibility, abi.VISIBILITIES),
            threads=int(_number("PTOPRO_THREADS", env.get("PTOPRO_THREADS", "0"))),
            watchdog=_number("PTOPRO_WATCHDOG", env.get("PTOPRO_WATCHDOG", "0")),
            checks=checks,
        )


@dataclass(frozen=True, slots=True)
class Event:
    """An instruction in virtual time, see PtoproTraceEvent in launch.hpp; cause_event: an index of Report.events."""

    block: int
    core: str
    pipe: str
    operation: str
    file: str
    line: int
    ready: float
    issued: float
    start: float
    end: float
    cause: str
    cause_event: int | None
    id: int
    other_pipe: str
    group: int
    digest: int = 0


@dataclass(frozen=True, slots=True)
class Report:
    """What a launch did.  code: one of abi.CODES; cycles: virtual time; busy: cycles per pipe, over all cores."""

    code: str
    cycles: float
    busy: Mapping[str, float]
    instructions: int
    syncs: int
    seconds: float
    findings: tuple[Mapping[str, Any], ...] = field(default=())
    core_busy: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    events: tuple[Event, ...] = field(default=())
    events_dropped: int = 0


def launch(
    library: Path,
    entry: str,
    block_dim: int,
    args: ctypes.Array[ctypes.c_void_p],
    tensors: Sequence[Tensor],
    options: LaunchOptions,
) -> Report:
    """Run `block_dim` blocks of the kernel.

    Raises DiagnosticError PTO1714 when the library cannot be loaded, KeyboardInterrupt when the user interrupts.
    """
    loaded = load(library)
    function = _function(loaded, library, entry)
    return _launch(loaded, function, block_dim, args, tensors, options)


def launch_halves(
    library: Path,
    halves: Mapping[str, str],
    block_dim: int,
    args: ctypes.Array[ctypes.c_void_p],
    tensors: Sequence[Tensor],
    options: LaunchOptions,
) -> Report:
    """Run a kernel whose halves are functions of their own, as in a release.  halves: cube, vector -> symbol."""
    loaded = load(library)
    functions = {core: _function(loaded, library, symbol) for core, symbol in halves.items()}
    entries = [
        ctypes.cast(functions[core], ctypes.c_void_p) if core in functions else None for core in ("cube", "vector")
    ]

    def function(request: object, arguments: object, report: object) -> object:
        return loaded.ptopro_sim_launch(request, *entries, arguments, report)

    return _launch(loaded, function, block_dim, args, tensors, options)


def _function(loaded: ctypes.CDLL, library: Path, name: str) -> Any:
    try:
        function = loaded[name]
    except AttributeError as error:
        raise DiagnosticError([make("PTO1714", path=library, reason=f"it has no function {name}")]) from error
    function.restype = ctypes.c_int
    return function


def _launch(
    loaded: ctypes.CDLL,
    function: Any,
    block_dim: int,
    args: ctypes.Array[ctypes.c_void_p],
    tensors: Sequence[Tensor],
    options: LaunchOptions,
) -> Report:
    ranges = (abi.Tensor * max(1, len(tensors)))(
        *(abi.Tensor(t.address, t.bytes, t.name.encode(), int(t.writable), 0) for t in tensors)
    )
    costs = _costs(loaded, options)
    request = abi.Launch(
        struct_size=ctypes.sizeof(abi.Launch),
        block_dim=block_dim,
        chip=abi.CHIPS.index(options.chip),
        mode=abi.MODES.index(options.mode),
        schedule=abi.SCHEDULES.index(options.schedule),
        seed=options.seed,
        visibility=abi.VISIBILITIES.index(options.visibility),
        threads=options.threads,
        checks=sum(abi.CHECKS[name] for name in options.checks)
        | (abi.TRACE if options.trace else 0)
        | (abi.DIGEST if options.digests else 0),
        tensor_count=len(tensors),
        watchdog_seconds=options.watchdog,
        tensors=ranges,
        costs=ctypes.pointer(costs) if costs is not None else None,
        block_limit=options.block_limit,
    )
    text = ctypes.create_string_buffer(_TEXT_BYTES)
    report = abi.Report(struct_size=ctypes.sizeof(abi.Report), text=ctypes.addressof(text), text_capacity=_TEXT_BYTES)
    _call(loaded, lambda: function(ctypes.byref(request), args, ctypes.byref(report)))
    code = abi.CODES[report.code] if 0 <= report.code < len(abi.CODES) else "internal"
    if code == "interrupted":
        raise KeyboardInterrupt
    events = _events(loaded, report)
    return Report(
        code=code,
        cycles=report.cycles,
        busy=dict(zip(abi.PIPES, report.busy, strict=True)),
        instructions=report.instructions,
        syncs=report.syncs,
        seconds=report.seconds,
        findings=_findings(text.value),
        core_busy={
            core: dict(zip(abi.PIPES, busy, strict=True))
            for core, busy in zip(abi.CORES, report.core_busy, strict=True)
        },
        events=events,
        events_dropped=report.events_dropped,
    )


def _events(loaded: ctypes.CDLL, report: abi.Report) -> tuple[Event, ...]:
    """The trace of a launch, copied out of the library's memory."""
    if not report.event_count:
        return ()
    name = loaded.ptopro_sim_operation_name
    name.argtypes, name.restype = [ctypes.c_uint16], ctypes.c_char_p
    free = loaded.ptopro_sim_free_events
    free.argtypes, free.restype = [ctypes.POINTER(abi.TraceEvent)], None
    names = functools.cache(lambda opcode: name(opcode).decode())
    try:
        return tuple(
            Event(
                block=event.block,
                core=abi.CORES[event.core],
                pipe=abi.PIPES[event.pipe],
                operation=names(event.opcode),
                file=(event.file or b"").decode(errors="replace"),
                line=event.line,
                ready=event.ready,
                issued=event.issued,
                start=event.start,
                end=event.end,
                cause=abi.CAUSES[event.cause],
                cause_event=event.from_event if event.from_event >= 0 else None,
                id=event.id,
                other_pipe=abi.PIPES[event.other],
                group=event.group,
                digest=event.digest,
            )
            for event in report.events[: report.event_count]
        )
    finally:
        free(report.events)


@functools.cache
def load(library: Path) -> ctypes.CDLL:
    """Load a kernel once per process.  Raises DiagnosticError PTO1714 when it is not of this machine and version."""
    try:
        loaded = ctypes.CDLL(str(library))
        sizes = (ctypes.c_uint64 * len(abi.sizes()))()
        loaded.ptopro_sim_sizes(sizes)
    except (OSError, AttributeError) as error:
        raise DiagnosticError([make("PTO1714", path=library, reason=str(error))]) from error
    if tuple(sizes) != abi.sizes():
        reason = "it was built by another version of ptopro"
        raise DiagnosticError([make("PTO1714", path=library, reason=reason)])
    return loaded


def diagnostics_of(kernel: str, report: Report) -> list[Diagnostic]:
    """The findings of a run as diagnostics, each at the line of the kernel file that it is about."""
    found = [_diagnostic(kernel, finding) for finding in report.findings]
    if not found and report.code != "ok":
        found.append(make(_DIAGNOSTICS[report.code], kernel=kernel, detail=report.code.replace("_", " ")))
    return found


def _diagnostic(kernel: str, finding: Mapping[str, Any]) -> Diagnostic:
    code = abi.CODES[finding["code"]] if 0 < finding["code"] < len(abi.CODES) else "internal"
    where = _who(finding)
    detail = f"{finding['message']} ({where})" if where else str(finding["message"])
    notes, labels = [], []
    for wait in finding["waits"]:
        peer = f"; {wait['peer']}" if wait["peer"] else ""
        place = f"{wait['file']}:{wait['line']}: " if wait["file"] else ""
        notes.append(f"{place}{_who(wait)} waits for {wait['what']}{peer}")
        if wait["file"]:
            label = Label(line_span(wait["file"], wait["line"]), f"{_who(wait)} waits here")
            if label not in labels:
                labels.append(label)
    for place in finding["places"]:
        if not place["file"]:
            continue
        label = Label(line_span(place["file"], place["line"]), _doing(place))
        if (place["file"], place["line"]) != (finding["file"], finding["line"]):
            labels.append(label)
        else:
            notes.append(f"here {_doing(place)}")
    if finding["hint"]:
        notes.append(finding["hint"])
    span = line_span(finding["file"], finding["line"]) if finding["file"] else None
    if span is None and labels:
        span, labels = labels[0].span, labels[1:]
    return make(_DIAGNOSTICS[code], span, labels=labels[:8], notes=notes, kernel=kernel, detail=detail)


def _who(place: Mapping[str, Any]) -> str:
    """block 3, vector 1, MTE2, TLOAD: what is known of it."""
    if not place["core"]:
        return ""
    parts = [f"block {place['block']}", place["core"], place["pipe"], place["operation"]]
    return ", ".join(part for part in parts if part)


def _doing(place: Mapping[str, Any]) -> str:
    """vector 1, MTE2, TLOAD writes Vec bytes [0x0, 0x2000), the 3rd time that it runs."""
    execution = f" (execution {place['execution']} of this line)" if place["execution"] else ""
    return f"{_who(place)} {place['what']}{execution}"


def line_span(file: str, line: int) -> Span:
    """The span of a line's text; of its first column when the file cannot be read."""
    try:
        text = Path(file).read_text(errors="replace").splitlines()[line - 1]
    except (OSError, IndexError):
        return Span(file, line, 1, line, 2)
    start = len(text) - len(text.lstrip())
    return Span(file, line, start + 1, line, max(start + 2, len(text.rstrip()) + 1))


def _costs(loaded: ctypes.CDLL, options: LaunchOptions) -> abi.Costs | None:
    """The chip's figures with those of the options over them; None when there are none."""
    if not options.costs:
        return None
    costs = default_costs(loaded, options.chip)
    for name, value in options.costs:
        setattr(costs, name, value)
    return costs


def default_costs(loaded: ctypes.CDLL, chip: str) -> abi.Costs:
    """The figures of the time model that a chip has of its own."""
    costs = abi.Costs(struct_size=ctypes.sizeof(abi.Costs))
    loaded.ptopro_sim_costs(abi.CHIPS.index(chip), ctypes.byref(costs))
    return costs


def _call(loaded: ctypes.CDLL, run: Any) -> None:
    """Run a launch.  On the main thread it goes to another one, since only a waiting interpreter sees Ctrl-C."""
    if threading.current_thread() is not threading.main_thread():
        run()
        return
    # An event, not `join`: before Python 3.13 an interrupted join takes the thread for finished.
    done = threading.Event()

    def work() -> None:
        try:
            run()
        finally:
            done.set()

    threading.Thread(target=work, name="ptopro-launch", daemon=True).start()
    try:
        done.wait()
    except BaseException:
        while not done.is_set():
            loaded.ptopro_sim_interrupt()
            done.wait(0.1)
        raise


def _findings(text: bytes) -> tuple[Mapping[str, Any], ...]:
    if not text:
        return ()
    return tuple(json.loads(text.decode(errors="replace"))["findings"])


def _choice(variable: str, value: str, allowed: Sequence[str]) -> str:
    if value not in allowed:
        raise DiagnosticError([make("PTO1913", variable=variable, value=value, allowed=", ".join(allowed))])
    return value


def _checks(value: str) -> tuple[str, ...]:
    """The checks that PTOPRO_CHECKS turns on: all for `1` or `all`, else the names in it."""
    if value in ("", "0"):
        return ()
    if value in ("1", "all"):
        return tuple(abi.CHECKS)
    return tuple(_choice("PTOPRO_CHECKS", name.strip(), tuple(abi.CHECKS)) for name in value.split(","))


def _number(variable: str, value: str) -> float:
    try:
        return float(value)
    except ValueError as error:
        raise DiagnosticError([make("PTO1913", variable=variable, value=value, allowed="a number")]) from error
