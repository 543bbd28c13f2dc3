"""What expand says about its work: one line for each kernel, printed by `-v`."""

from __future__ import annotations

from ptopro.expand.model import Expansion


def summary(expansion: Expansion) -> str:
    """For example: "matmul: 14 lock pairs written, 3 saved by coalescing, 1 barrier"."""
    parts = [_count(expansion.locks, "lock pair") + " written", f"{expansion.saved} saved by coalescing"]
    if expansion.barriers:
        parts.append(_count(expansion.barriers, "barrier"))
    if expansion.notes:
        parts.append(_count(len(expansion.notes), "overlap") + " merged")
    return f"{expansion.kernel}: {', '.join(parts)}"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
