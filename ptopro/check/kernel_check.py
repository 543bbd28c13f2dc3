"""Check one kernel: build its forms, run them, compare.

In: a `KernelSource`, a `Request`.  Out: a `Result` with everything that was run and everything that was found.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from ptopro.check.builds import SERIAL, Kernel, build, read_kernel
from ptopro.check.compare import bit_differences, reference_differences
from ptopro.check.divergence import Run, first_divergence
from ptopro.check.inputs import Inputs, make_inputs
from ptopro.check.memory_map import memory_map
from ptopro.check.reference import load_reference, wanted_results
from ptopro.check.request import Request
from ptopro.check.runs import Outcome, execute, schedules, serial_schedule
from ptopro.check.shapes import shapes_of
from ptopro.check.tile_names import with_tile_names
from ptopro.diagnostics import Diagnostic, Label, Severity, Sink, make

if TYPE_CHECKING:
    from ptopro.frontend.kernels import KernelSource
    from ptopro.lowering.target import Target


@dataclass(frozen=True, slots=True)
class Result:
    """static: what expand and codegen say; kernel None: they failed and nothing was run."""

    name: str
    request: Request
    static: tuple[Diagnostic, ...]
    kernel: Kernel | None = None
    inputs: Inputs | None = None
    outcomes: tuple[Outcome, ...] = ()
    findings: tuple[Diagnostic, ...] = ()

    @property
    def ok(self) -> bool:
        return not self.findings and not any(d.severity is Severity.ERROR for d in self.static)


def check_kernel(
    source: KernelSource,
    request: Request,
    target: Target,
    build_dir: Path,
    *,
    preload: int | tuple[int, ...] | None = None,
) -> Result:
    """Raises DiagnosticError for a request that does not fit the kernel, and when the toolchain fails."""
    sink = Sink()
    target = with_static_dims(source, request, target)
    kernel = read_kernel(source, target, sink)
    if kernel is None:
        return Result(source.name, request, tuple(sink.diagnostics))
    reference = load_reference(request.reference) if request.reference else None
    inputs = make_inputs(kernel.interface, request, kernel.defaults)
    built = [build(kernel, form, target, build_dir, sink, preload=preload, counts_blocks=True) for form in kernel.forms]
    if sink.has_errors or not all(built):
        return Result(source.name, request, tuple(sink.diagnostics), kernel, inputs)
    outcomes = []
    runs: dict[str, Run] = {}
    for each in built:
        if each is None:
            continue
        planned = (
            [serial_schedule(kernel.lowered.chip)]
            if each.form == SERIAL
            else list(schedules(request.schedule, request.seed, request.runs, kernel.lowered.chip))
        )
        for schedule in planned:
            outcome = execute(kernel, each, inputs, request.cores, schedule)
            outcomes.append(outcome)
            runs[outcome.label] = Run(each, schedule)
            if not outcome.ended:  # the other schedules would only end the same way
                break
    named = with_tile_names(_merged(outcomes), memory_map(kernel.lowered))
    findings = [*named, *_differences(kernel, outcomes, runs, inputs, request.cores)]
    if reference is not None and request.reference and outcomes[0].ended:
        wanted = wanted_results(request.reference, reference, inputs, kernel.written)
        findings += [
            make(
                "PTO1861",
                kernel.source.span,
                kernel=kernel.name,
                tensor=each.tensor,
                run=outcomes[0].label,
                reference=request.reference,
                count=each.count,
                total=each.total,
                index=each.where,
                actual=each.left,
                wanted=each.right,
                worst=f"{each.worst:.3g}",
            )
            for each in reference_differences(outcomes[0].outputs, wanted, request.tolerance)
        ]
    return Result(source.name, request, tuple(sink.diagnostics), kernel, inputs, tuple(outcomes), tuple(findings))


def with_static_dims(source: KernelSource, request: Request, target: Target) -> Target:
    """The target with the shapes that the kernel is compiled for (pl.STATIC dims)."""
    from ptopro.runtime.interface import REST, STATIC, interface_of

    interface = interface_of(source)
    static = [p.name for p in interface.parameters if any(dim in (STATIC, REST) for dim in p.dims)]
    if not static:
        return target
    given = dict(request.shapes)
    if request.inputs:
        from ptopro.check.inputs import read_arrays

        given.update((name, tuple(array.shape)) for name, array in read_arrays(request.inputs).items())
    arrays = {p.name for p in interface.parameters if p.kind in ("tensor", "ptr")}
    shapes = shapes_of(interface, {name: dims for name, dims in given.items() if name in arrays})
    return replace(target, static_dims={name: shapes[name].dims for name in static})


def _merged(outcomes: Sequence[Outcome]) -> list[Diagnostic]:
    """What the machine found, each place once, with the first run that saw it."""
    found: dict[tuple[object, ...], tuple[Diagnostic, list[str]]] = {}
    for outcome in outcomes:
        for each in outcome.findings:
            key = (each.code, each.span, tuple(label.span for label in each.labels))
            found.setdefault(key, (each, []))[1].append(outcome.label)
    return [
        replace(each, notes=(*each.notes, f"found in: {', '.join(dict.fromkeys(labels))}"))
        for each, labels in found.values()
    ]


def _differences(
    kernel: Kernel, outcomes: Sequence[Outcome], runs: Mapping[str, Run], inputs: Inputs, cores: int
) -> list[Diagnostic]:
    """Runs whose results differ from those of the first one, and where they part; each tensor and form once."""
    ended = [outcome for outcome in outcomes if outcome.ended]
    if not ended:
        return []
    base = ended[0]
    found: dict[tuple[str, str], Diagnostic] = {}
    for outcome in ended[1:]:
        differing = [d for d in bit_differences(base.outputs, outcome.outputs) if (outcome.form, d.tensor) not in found]
        if not differing:
            continue
        parted = first_divergence(kernel, runs[base.label], runs[outcome.label], inputs, cores)
        for each in differing:
            found.setdefault(
                (outcome.form, each.tensor),
                make(
                    "PTO1860",
                    kernel.source.span,
                    labels=(Label(parted.span, "here"),) if parted else (),
                    notes=(parted.text,) if parted else (),
                    kernel=kernel.name,
                    tensor=each.tensor,
                    left=base.label,
                    right=outcome.label,
                    count=each.count,
                    total=each.total,
                    index=each.where,
                    a=each.left,
                    b=each.right,
                ),
            )
    return list(found.values())
