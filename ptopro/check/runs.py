"""Launch a built kernel on the machine, once for each schedule.

In: a `Built`, its `Inputs`, launch options.  Out: an `Outcome`: the arrays that the kernel wrote, the machine's report,
and its findings as diagnostics.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from ptopro.check.builds import Built, Kernel
from ptopro.check.inputs import Inputs
from ptopro.diagnostics import Diagnostic
from ptopro.simulator import abi
from ptopro.simulator.machine import LaunchOptions, Report, Tensor, diagnostics_of, launch

if TYPE_CHECKING:
    from ptopro.check.inputs import Array

ALL_CHECKS = tuple(abi.CHECKS)
# The pipes of the cores: slowing one down must change nothing.
SLOWED = ("MTE1", "MTE2", "MTE3", "V", "M", "FIX")


@dataclass(frozen=True, slots=True)
class Schedule:
    """In which order ready pipes go on, and when their results become visible."""

    name: str
    options: LaunchOptions


@dataclass(frozen=True, slots=True)
class Outcome:
    """outputs: by parameter, what the kernel wrote."""

    form: str
    schedule: str
    report: Report
    outputs: Mapping[str, Array]
    findings: tuple[Diagnostic, ...]

    @property
    def label(self) -> str:
        return f"{self.form} ({self.schedule})"

    @property
    def ended(self) -> bool:
        """Whether the kernel ran to its end, so that its results mean something."""
        return self.report.code in ("ok", "race", "leak", "undefined", "block_overlap")


def schedules(kind: str, seed: int, runs: int, chip: str) -> Iterator[Schedule]:
    """The schedules of a check: late visibility with every check first, then what `kind` adds.

    random: one order, by the seed.  adversarial: each pipe as slow as can be, then `runs` random orders.
    """
    late = LaunchOptions(chip=chip, visibility="late", checks=ALL_CHECKS)
    if kind == "random":
        yield Schedule(f"random:{seed}", replace(late, schedule="random", seed=seed))
        return
    yield Schedule("late", late)
    yield Schedule("eager", LaunchOptions(chip=chip, visibility="eager"))
    if kind == "adversarial":
        for pipe in SLOWED:
            yield Schedule(f"slow:{pipe}", replace(late, schedule="slow", seed=abi.PIPES.index(pipe)))
        for number in range(seed, seed + runs):
            yield Schedule(f"random:{number}", replace(late, schedule="random", seed=number))


def serial_schedule(chip: str) -> Schedule:
    return Schedule("in order", LaunchOptions(chip=chip, mode="serial", checks=ALL_CHECKS))


def execute(kernel: Kernel, built: Built, inputs: Inputs, cores: int, schedule: Schedule) -> Outcome:
    """One launch on fresh copies of the arrays that the kernel writes.

    Raises DiagnosticError: LaunchError when the inputs do not fit the kernel, PTO1714 when it cannot be loaded.
    """
    from ptopro.runtime.arguments import bind, lay_out

    values: dict[str, Any] = inputs.fresh(kernel.written)
    bound = bind(kernel.interface, (), values, {})
    pointers, alive = lay_out(bound, built.dynamic)
    tensors = [
        Tensor(view.address, view.nbytes, name, not view.read_only)
        for name, view in bound.views.items()
        if view is not None
    ]
    report = launch(built.library, built.entry, cores, pointers, tensors, schedule.options)
    del alive
    outputs = {name: values[name] for name in kernel.written}
    findings = tuple(diagnostics_of(kernel.name, report)) if report.code != "ok" or report.findings else ()
    return Outcome(built.form, schedule.name, report, outputs, findings)
