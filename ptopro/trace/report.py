"""What a trace prints: where the time goes, in words and numbers; and the same as plain data.

In: a `Summary`, the memory map, the figures of the time model.  Out: text lines, or a dict for JSON.
"""

from __future__ import annotations

from pathlib import Path

from ptopro.check.memory_map import MemoryMap
from ptopro.trace.costs import CostModel
from ptopro.trace.events import Row
from ptopro.trace.summary import Busy, Summary

TOP = 8


def report_text(kernel: str, summary: Summary, memories: MemoryMap, model: CostModel, *, top: int = TOP) -> str:
    """Lines with a final newline.  Everything that depends on the time model is marked as an estimate."""
    lines = [f"{kernel}: {summary.cycles:.0f} cycles (estimate), {_bound(summary)}"]
    if summary.steady is not None and summary.busiest is not None:
        lines.append(
            f"  steady state: {summary.steady:.2f} x the work of {summary.busiest.place} (middle half of its run)"
        )
    lines += ["", "  busy        work      share  waiting  instructions"]
    lines += [_busy(each, summary.cycles) for each in _cores(summary)]
    lines += ["", f"  critical path: {len(summary.path)} steps; by line, with its share of the time"]
    for share in summary.shares[:top]:
        place = f"{Path(share.file).name}:{share.line}" if share.file else "-"
        lines.append(
            f"    {share.share:6.1%}  {share.cycles:10.0f}  {place:<24} {share.core:<9} {share.pipe:<5} {share.what}"
            f" x{share.count}"
        )
    if summary.waits:
        lines += ["", "  longest waits, all cores together"]
        for wait in summary.waits[:top]:
            place = f"{Path(wait.file).name}:{wait.line}"
            lines.append(
                f"    {wait.cycles:10.0f}  {place:<24} {wait.core:<9} {wait.pipe:<5} x{wait.count:<5} "
                f"{wait.cause.replace('_', ' ')}: {wait.source}"
            )
    lines += ["", "  on-chip memory"]
    for memory in memories.memories:
        share_used = memory.used / memory.capacity if memory.capacity else 0
        lines.append(
            f"    {memory.core:<12} {memory.name:<10} {memory.used:>8} of {memory.capacity:>8} bytes ({share_used:.0%})"
        )
    lines += ["", *model.lines()]
    return "\n".join(lines) + "\n"


def report_object(kernel: str, summary: Summary, memories: MemoryMap, model: CostModel) -> dict[str, object]:
    return {
        "kernel": kernel,
        "cycles": summary.cycles,
        "bound": summary.bound,
        "busiest": _row(summary.busiest),
        "ratio": summary.ratio,
        "steady": summary.steady,
        "busy": [
            {**_place(each.row), "cycles": each.cycles, "waited": each.waited, "instructions": each.instructions}
            for each in summary.busy
        ],
        "critical_path": [
            {
                "file": share.file,
                "line": share.line,
                "core": share.core,
                "pipe": share.pipe,
                "what": share.what,
                "cycles": share.cycles,
                "share": share.share,
                "count": share.count,
            }
            for share in summary.shares
        ],
        "waits": [
            {
                "file": wait.file,
                "line": wait.line,
                "core": wait.core,
                "pipe": wait.pipe,
                "cause": wait.cause,
                "source": wait.source,
                "cycles": wait.cycles,
                "count": wait.count,
            }
            for wait in summary.waits
        ],
        "memory": [
            {"core": memory.core, "name": memory.name, "used": memory.used, "capacity": memory.capacity}
            for memory in memories.memories
        ],
        "estimate": True,
        "costs": dict(model.figures),
        "cost_sources": dict(model.sources),
    }


def _bound(summary: Summary) -> str:
    if summary.busiest is None or not summary.bound:
        return "and no pipe worked"
    busiest = f"{summary.busiest.place} of core {summary.busiest.group}"
    return f"{summary.cycles / summary.bound:.2f} x the bound of {summary.bound:.0f}: {busiest}, the busiest pipe"


def _cores(summary: Summary) -> list[Busy]:
    """The pipes of every core; of launches with many cores those of the busiest group alone."""
    groups = {each.row.group for each in summary.busy}
    if len(groups) <= 2 or summary.busiest is None:
        return list(summary.busy)
    return [each for each in summary.busy if each.row.group == summary.busiest.group]


def _busy(each: Busy, cycles: float) -> str:
    share = each.cycles / cycles if cycles else 0
    waiting = each.waited / cycles if cycles else 0
    bar = "#" * round(20 * share)
    name = f"core {each.row.group}: {each.row.core}, {each.row.pipe}"
    return f"    {name:<26} {each.cycles:10.0f}  {share:6.1%}  {waiting:6.1%}  {each.instructions:>6}  {bar}"


def _row(row: Row | None) -> dict[str, object] | None:
    return None if row is None else _place(row)


def _place(row: Row) -> dict[str, object]:
    return {"group": row.group, "core": row.core, "pipe": row.pipe}
