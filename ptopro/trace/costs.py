"""The figures of the time model: the chip's own, and a user's over them.

In: a chip, a TOML file.  Out: a `CostModel`: every figure with its source.  The file names figures as below, at its top
for every chip or in a table of a chip's name:

    mte2 = 650              # cycles from the issue of a load to its first byte
    [a5]
    gm_to_ub = 27

Unknown names and values that are no positive numbers are diagnostics.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ptopro.diagnostics import Diagnostic, DiagnosticError, make
from ptopro.simulator import abi

ESTIMATE, PLATFORM, PUBLISHED = "estimate", "platform", "PTO-ISA formula"

# What each figure means, and where the defaults of a5 and a3 come from.
FIGURES: Mapping[str, tuple[str, str, str]] = {
    "cores": ("blocks that run at the same time; more blocks run in waves", PLATFORM, PLATFORM),
    "gm_to_l1": ("bytes per cycle, global memory to L1", PLATFORM, PLATFORM),
    "gm_to_ub": ("bytes per cycle, global memory to UB", PLATFORM, PLATFORM),
    "ub_to_gm": ("bytes per cycle, UB to global memory", PLATFORM, PLATFORM),
    "l0c_to_gm": ("bytes per cycle, L0C to global memory", PLATFORM, ESTIMATE),
    "l1_to_l0a": ("bytes per cycle, L1 to L0A", PLATFORM, PLATFORM),
    "l1_to_l0b": ("bytes per cycle, L1 to L0B", PLATFORM, PLATFORM),
    "l1_to_ub": ("bytes per cycle, L1 to UB", PLATFORM, PLATFORM),
    "l0c_to_ub": ("bytes per cycle, L0C to UB", PLATFORM, PLATFORM),
    "l0c_to_l1": ("bytes per cycle, L0C to L1", ESTIMATE, ESTIMATE),
    "ub_to_l1": ("bytes per cycle, UB to L1", PLATFORM, PLATFORM),
    "ub_to_ub": ("bytes per cycle, UB to UB by MTE", ESTIMATE, ESTIMATE),
    "cube_m": ("rows of one multiply-accumulate of the cube", PLATFORM, PLATFORM),
    "cube_k_bytes": ("bytes along k of one multiply-accumulate", PLATFORM, PLATFORM),
    "cube_n": ("columns of one multiply-accumulate", PLATFORM, PLATFORM),
    "vector_bytes": ("bytes of a vector register", PLATFORM, PLATFORM),
    "vector_start": ("cycles before the first register of a vector instruction", PUBLISHED, ESTIMATE),
    "vector_register": ("cycles per register", PUBLISHED, ESTIMATE),
    "transcendental": ("factor of exp, log, division, ... on cycles per register", ESTIMATE, ESTIMATE),
    "reduce": ("factor of reductions, sorts, gathers on cycles per register", ESTIMATE, ESTIMATE),
    "mte1": ("cycles that an L1 to L0 transfer stays in flight", ESTIMATE, ESTIMATE),
    "mte2": ("cycles that a load stays in flight", ESTIMATE, ESTIMATE),
    "mte3": ("cycles that a store stays in flight", ESTIMATE, ESTIMATE),
    "fix": ("start-up cycles of the fixpipe", ESTIMATE, ESTIMATE),
    "m": ("start-up cycles of a matrix instruction", ESTIMATE, ESTIMATE),
    "flag": ("cycles from a set to its wait", ESTIMATE, ESTIMATE),
    "mutex": ("cycles from a release to the next acquire", ESTIMATE, ESTIMATE),
    "cross_core": ("cycles from a set to its wait on another core", ESTIMATE, ESTIMATE),
    "issue": ("cycles of the scalar unit per instruction", ESTIMATE, ESTIMATE),
    "scalar_access": ("cycles of the scalar unit per element read or written", ESTIMATE, ESTIMATE),
}


@dataclass(frozen=True, slots=True)
class CostModel:
    """figures: all of them; sources: by name, where each comes from."""

    chip: str
    figures: Mapping[str, float]
    sources: Mapping[str, str]

    def lines(self) -> list[str]:
        """The figures by source, for the foot of a report."""
        found = [f"  figures of the time model ({self.chip}); every time above is an estimate that rests on them"]
        for source in sorted(set(self.sources.values()), key=_order):
            names = [f"{name} {self.figures[name]:g}" for name in self.figures if self.sources[name] == source]
            found += _wrapped(f"    {source}: ", names)
        return found


def cost_model(library: Path, chip: str, overrides: Mapping[str, float], origin: str = "") -> CostModel:
    """The chip's figures as the machine has them, with a user's over them."""
    from ptopro.simulator.machine import default_costs, load

    costs = default_costs(load(library), chip)
    figures = {name: float(getattr(costs, name)) for name in FIGURES}
    column = 1 + abi.CHIPS.index(chip)
    sources = {name: FIGURES[name][column] for name in FIGURES}
    for name, value in overrides.items():
        figures[name], sources[name] = value, origin
    return CostModel(chip, figures, sources)


def read_costs(path: str, chip: str) -> dict[str, float]:
    """The figures of a user's file for a chip.  Raises DiagnosticError PTO1868 with everything that is wrong in it."""
    table = _parse(path)
    problems: list[Diagnostic] = []
    found: dict[str, float] = {}
    for name, value in table.items():
        if not isinstance(value, dict):
            _take(path, name, value, found, problems)
        elif name not in abi.CHIPS:
            problems.append(
                make("PTO1868", path=path, problem=f"`[{name}]` is no chip; chips are {', '.join(abi.CHIPS)}")
            )
    for chosen in abi.CHIPS:
        own: dict[str, float] = {}
        for name, value in table.get(chosen, {}).items() if isinstance(table.get(chosen), dict) else ():
            _take(path, name, value, own, problems)
        if chosen == chip:
            found.update(own)
    if problems:
        raise DiagnosticError(problems)
    return found


def _take(path: str, name: str, value: object, found: dict[str, float], problems: list[Diagnostic]) -> None:
    if name not in FIGURES:
        import difflib

        near = difflib.get_close_matches(name, FIGURES, n=1)
        hint = f"; did you mean `{near[0]}`?" if near else f"; the figures are {', '.join(FIGURES)}"
        problems.append(make("PTO1868", path=path, problem=f"there is no figure `{name}`{hint}"))
    elif isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value < float("inf"):
        problems.append(make("PTO1868", path=path, problem=f"`{name} = {value!r}` must be a number"))
    elif value == 0 and ("_to_" in name or name in ("cores", "cube_m", "cube_k_bytes", "cube_n", "vector_bytes")):
        problems.append(make("PTO1868", path=path, problem=f"`{name}` must be more than 0"))
    else:
        found[name] = float(value)


def _parse(path: str) -> dict[str, Any]:
    import importlib

    try:
        toml: Any = importlib.import_module("tomllib")
    except ImportError:  # Python 3.10
        toml = importlib.import_module("tomli")
    try:
        table: dict[str, Any] = toml.loads(Path(path).read_text())
    except OSError as error:
        raise DiagnosticError([make("PTO1868", path=path, problem=error.strerror or str(error))]) from error
    except (toml.TOMLDecodeError, UnicodeDecodeError) as error:
        raise DiagnosticError([make("PTO1868", path=path, problem=str(error))]) from error
    return table


def _order(source: str) -> int:
    """Estimates first, since they are what a reader should doubt; a user's own last."""
    known = (ESTIMATE, PUBLISHED, PLATFORM)
    return known.index(source) if source in known else len(known)


def _wrapped(head: str, words: list[str]) -> list[str]:
    lines, line = [], head
    for index, word in enumerate(words):
        piece = word + ("," if index + 1 < len(words) else "")
        if len(line) + len(piece) > 110:
            lines.append(line.rstrip())
            line = " " * 6
        line += piece + " "
    return [*lines, line.rstrip()]
