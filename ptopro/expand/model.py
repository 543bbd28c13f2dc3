"""What goes into expand and what comes out of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from ptopro.diagnostics import Diagnostic

if TYPE_CHECKING:
    from ptopro.expand.pipeline import LoopReport


@dataclass(frozen=True, slots=True)
class ExpandOptions:
    """mutex: "explicit" writes every lock out; "auto" leaves them to the next stage (`auto_mutex=True` stays).

    coalesce: leave out unlock/lock pairs between operations of one pipe.  preload: in place of what the kernel's
    `pipeline=` says, one number or one for each pipeline loop.
    """

    mutex: Literal["explicit", "auto"] = "explicit"
    coalesce: bool = True
    preload: int | tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class Expansion:
    """The file again, with one kernel expanded.

    locks: lock/unlock pairs written; saved: pairs that coalescing left out; barriers: pipe barriers inserted;
    line_map[i]: the file and line that line i + 1 of the text comes from; depends: sibling files that were read;
    encoding: how the text is written to a file so that untouched lines stay byte-equal (line ends are in the text);
    pipelines: the pipeline loops that were written out, in source order.
    """

    kernel: str
    text: str
    line_map: tuple[tuple[str, int], ...]
    locks: int = 0
    saved: int = 0
    barriers: int = 0
    notes: tuple[Diagnostic, ...] = ()
    depends: tuple[str, ...] = ()
    encoding: str = "utf-8"
    pipelines: tuple[LoopReport, ...] = ()


def read_preload(text: str) -> int | tuple[int, ...]:
    """A preload as a command line or an environment variable gives it: "2", or "1,2" for each loop.

    Raises ValueError for anything else.
    """
    numbers = tuple(int(part) for part in text.split(","))
    return numbers[0] if len(numbers) == 1 else numbers
