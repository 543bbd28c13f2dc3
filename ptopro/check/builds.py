"""The forms of a kernel that a check compares, built for the machine.

In: a `KernelSource` and its inputs.  Out: a `Kernel` (what is known of it before anything is built), and `Built`s:

    serial     the author's own order, one instruction at a time: what the kernel means
    sync-only  kernels with a pipeline: every flag and lock, but no stage runs ahead (preload 0)
    expanded   what goes to the device: locks, and with a pipeline the stages ahead
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ptopro.build import layout
from ptopro.diagnostics import Sink

if TYPE_CHECKING:
    from ptopro.frontend.kernels import KernelSource
    from ptopro.lowering import ir
    from ptopro.lowering.target import Target
    from ptopro.runtime.interface import Interface

SERIAL, SYNC_ONLY, EXPANDED = "serial", "sync-only", "expanded"
_BETWEEN_CORES = ("system.set_cross_core", "system.wait_cross_core", "set_cross_core", "wait_cross_core")


@dataclass(frozen=True, slots=True)
class Kernel:
    """written: parameters that it stores to; by_hand: whether its author ordered the cores with flags."""

    source: KernelSource
    interface: Interface
    defaults: Mapping[str, Any]
    lowered: ir.KernelIR
    written: tuple[str, ...]
    by_hand: bool

    @property
    def name(self) -> str:
        return self.source.name

    @property
    def pipelined(self) -> bool:
        return self.source.options.pipeline is not None

    @property
    def forms(self) -> tuple[str, ...]:
        """The forms worth comparing.  Cores that an author ordered with flags have no serial order to run."""
        serial = () if self.by_hand else (SERIAL,)
        return (*serial, SYNC_ONLY, EXPANDED) if self.pipelined else (*serial, EXPANDED)


@dataclass(frozen=True, slots=True)
class Built:
    """A form of a kernel that can be launched."""

    form: str
    library: Path
    entry: str
    dynamic: tuple[tuple[str, int], ...]
    folder: Path


def read_kernel(source: KernelSource, target: Target, sink: Sink) -> Kernel | None:
    """Lower a kernel; None after reporting what is wrong with it."""
    from ptopro.lowering.kernel import lower_kernel
    from ptopro.runtime.interface import interface_of
    from ptopro.runtime.written import written_parameters

    own = Sink()
    lowered = lower_kernel(source, target, own)
    sink.extend(own.diagnostics)
    if lowered is None or own.has_errors:
        return None
    return Kernel(
        source, interface_of(source), _defaults(source), lowered, written_parameters(lowered), _orders_cores(lowered)
    )


def build(
    kernel: Kernel,
    form: str,
    target: Target,
    build_dir: Path,
    sink: Sink,
    *,
    preload: int | tuple[int, ...] | None = None,
    counts_blocks: bool = False,
) -> Built | None:
    """Expand, generate and compile one form; None after reporting what is wrong."""
    from ptopro.build.files import write_if_changed
    from ptopro.build.simulator import compile_kernel
    from ptopro.codegen.driver import codegen_kernel
    from ptopro.codegen.options import CodegenOptions
    from ptopro.expand.model import ExpandOptions

    ahead = 0 if form == SYNC_ONLY else preload
    generated = codegen_kernel(
        kernel.source,
        target=target,
        options=CodegenOptions(serial=form == SERIAL),
        expand_options=ExpandOptions(preload=ahead),
        sink=sink,
    )
    if generated is None:
        return None
    variant = "" if form == EXPANDED else form
    folder = layout.kernel_folder(build_dir, kernel.source.module.path, kernel.name, variant)
    for name, text in generated.files.items():
        if name != layout.MAP:
            write_if_changed(folder / name, text)
    write_if_changed(folder / layout.SIGNATURE, generated.signature.to_json())
    layout.write_map(folder, {"kernel.cpp": generated.line_map.lines})
    library = compile_kernel(
        generated,
        folder,
        line_map=generated.line_map.lines,
        counts_blocks=counts_blocks and form != SERIAL,
        watches_threads=counts_blocks,
    )
    return Built(form, library, generated.signature.entry, generated.signature.dynamic, folder)


def _defaults(source: KernelSource) -> dict[str, Any]:
    """Python's defaults of scalar parameters, and of the fields of tiling data by `parameter.field`."""
    found: dict[str, Any] = {}
    for parameter in source.parameters:
        if parameter.has_default and isinstance(parameter.default, (int, float)):
            found[parameter.name] = parameter.default
        annotation: Any = parameter.annotation
        if parameter.kind.value == "tiling":
            for field in annotation.fields:
                if field.has_default and isinstance(field.default, (int, float, list, tuple)):
                    found[f"{parameter.name}.{field.name}"] = field.default
    return found


def _orders_cores(lowered: ir.KernelIR) -> bool:
    """Whether the kernel as written has flags between cores."""
    from ptopro.lowering import ir as IR

    waiting = list(lowered.halves)
    seen: set[int] = set()
    while waiting:
        function = waiting.pop()
        if id(function) in seen:
            continue
        seen.add(id(function))
        for stmt in IR.walk(function.body):
            if isinstance(stmt, IR.CallStmt):
                waiting.append(stmt.function)
            elif isinstance(stmt, IR.Operate) and stmt.operation.name in _BETWEEN_CORES:
                return True
    return False
