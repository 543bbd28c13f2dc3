"""Contents of `torch_npu.profiler`: which kernels a program launched, written where its trace handler says.

In: `with torch_npu.profiler.profile(schedule=..., on_trace_ready=tensorboard_trace_handler(DIR)) as prof` and
`prof.step()`.  Out: below DIR, kernel_details.csv and trace_view.json (Chrome trace) of the launches in active steps,
in the host's time.  Other options are accepted and mean nothing here.
"""

from __future__ import annotations

import csv
import enum
import json
import os
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from ptopro.runtime import launch_log


class ProfilerActivity(enum.Enum):
    CPU = 0
    NPU = 1


class ProfilerAction(enum.Enum):
    NONE = 0
    WARMUP = 1
    RECORD = 2
    RECORD_AND_SAVE = 3


class ExportType(enum.Enum):
    Text = "text"
    Db = "db"


class ProfilerLevel(enum.Enum):
    Level_none = "Level_none"
    Level0 = "Level0"
    Level1 = "Level1"
    Level2 = "Level2"


class AiCMetrics(enum.Enum):
    AiCoreNone = "ACL_AICORE_NONE"
    PipeUtilization = "ACL_AICORE_PIPE_UTILIZATION"
    ArithmeticUtilization = "ACL_AICORE_ARITHMETIC_UTILIZATION"
    Memory = "ACL_AICORE_MEMORY_BANDWIDTH"
    MemoryL0 = "ACL_AICORE_L0B_AND_WIDTH"
    MemoryUB = "ACL_AICORE_MEMORY_UB"
    ResourceConflictRatio = "ACL_AICORE_RESOURCE_CONFLICT_RATIO"
    L2Cache = "ACL_AICORE_L2_CACHE"


class _ExperimentalConfig:
    """Options of the device's own collectors."""

    def __init__(self, **options: Any) -> None:
        self.options = options


def schedule(
    *, wait: int = 0, warmup: int = 0, active: int, repeat: int = 0, skip_first: int = 0
) -> Callable[[int], ProfilerAction]:
    """Which steps are recorded: after skip_first, rounds of wait, warmup and active steps; `repeat` rounds, 0: all."""
    length = wait + warmup + active

    def action(step: int) -> ProfilerAction:
        done, place = divmod(step - skip_first, length)
        if step < skip_first or (repeat and done >= repeat) or place < wait:
            return ProfilerAction.NONE
        if place < wait + warmup:
            return ProfilerAction.WARMUP
        return ProfilerAction.RECORD_AND_SAVE if place == length - 1 else ProfilerAction.RECORD

    return action


class profile:
    """Records launches; see the module."""

    def __init__(
        self,
        *,
        activities: Iterable[Any] | None = None,
        schedule: Callable[[int], ProfilerAction] | None = None,
        on_trace_ready: Callable[[profile], None] | None = None,
        **options: Any,
    ) -> None:
        self.action = schedule or (lambda step: ProfilerAction.RECORD)
        self.on_trace_ready = on_trace_ready
        self.step_num = 0
        self.events: list[dict[str, Any]] = []

    def __enter__(self) -> profile:
        self.start()
        return self

    def __exit__(self, *error: object) -> None:
        self.stop()

    def start(self) -> None:
        launch_log.observers.append(self._observe)

    def stop(self) -> None:
        """End recording; what was recorded and not yet handed over goes to the handler."""
        if self._observe in launch_log.observers:
            launch_log.observers.remove(self._observe)
        self._ready()

    def step(self) -> None:
        if self.action(self.step_num) is ProfilerAction.RECORD_AND_SAVE:
            self._ready()
        self.step_num += 1

    def export_chrome_trace(self, path: str) -> None:
        Path(path).write_text(json.dumps(_trace(self.events)))

    def _observe(self, entry: dict[str, Any]) -> None:
        if self.action(self.step_num) in (ProfilerAction.RECORD, ProfilerAction.RECORD_AND_SAVE):
            self.events.append({**entry, "end": time.time()})

    def _ready(self) -> None:
        if self.events and self.on_trace_ready is not None:
            self.on_trace_ready(self)
            self.events = []


def tensorboard_trace_handler(
    dir_name: str, worker_name: str | None = None, analyse_flag: bool = True, **options: Any
) -> Callable[[profile], None]:
    """A handler that writes the recorded launches below `dir_name`."""

    def write(profiled: profile) -> None:
        name = f"{worker_name or f'host_{os.getpid()}'}_{time.time_ns()}_ascend_pt"
        folder = Path(dir_name) / name / "ASCEND_PROFILER_OUTPUT"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "trace_view.json").write_text(json.dumps(_trace(profiled.events)))
        with (folder / "kernel_details.csv").open("w", encoding="utf-8", newline="") as stream:
            table = csv.writer(stream)
            table.writerow(["Name", "Type", "Block Dim", "Start Time(us)", "Duration(us)"])
            for event in profiled.events:
                microseconds = event["seconds"] * 1e6
                start = event["end"] * 1e6 - microseconds
                table.writerow(
                    [event["kernel"], event["kernel"], event["block_dim"], f"{start:.3f}", f"{microseconds:.3f}"]
                )

    return write


def _trace(events: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Chrome trace events: one complete event per launch."""
    return [
        {
            "name": event["kernel"],
            "ph": "X",
            "pid": os.getpid(),
            "tid": 0,
            "ts": (event["end"] - event["seconds"]) * 1e6,
            "dur": event["seconds"] * 1e6,
            "args": {"block_dim": event["block_dim"], "result": event["result"]},
        }
        for event in events
    ]
