"""From a live function to a built kernel, through every stage, each result kept in the cache.

In: a function, its decorator's options, and what a launch fixes (STATIC dims, tiling key, dtypes, mode).  Out: an
`Interface` and a `Compiled`.  Both are found in the cache by the function's fingerprint, so a launch in a new process
that translates nothing new reads two small JSON files and loads the library.
"""

from __future__ import annotations

import json
import types
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ptopro.build import cache, layout
from ptopro.build.identity import identity
from ptopro.language.dtypes import DType
from ptopro.runtime.errors import kernel_error
from ptopro.runtime.interface import Interface

if TYPE_CHECKING:
    from ptopro.diagnostics import Sink
    from ptopro.frontend.kernels import KernelSource
    from ptopro.lowering.target import Target

INTERFACE = "interface.json"
COMPILED = "compiled.json"


@dataclass(frozen=True, slots=True)
class Variant:
    """What a launch fixes at compile time.  static_dims: shapes of the parameters that have STATIC dims."""

    chip: str = "a5"
    static_dims: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    key: Mapping[str, int] = field(default_factory=dict)
    packed: int | None = None
    dtypes: Mapping[str, DType] = field(default_factory=dict)
    serial: bool = False
    preload: str = ""  # in place of the kernel's own; "": as the kernel says

    def words(self) -> list[str]:
        """Everything that distinguishes it, for a cache key."""
        return [
            self.chip,
            repr(sorted(self.static_dims.items())),
            repr(sorted(self.key.items())),
            repr(sorted((name, dtype.name) for name, dtype in self.dtypes.items())),
            str(self.serial),
            self.preload,
        ]

    @property
    def folder(self) -> str:
        """The variant's own folder below the kernel's; empty for the only variant of a plain kernel."""
        own = layout.variant_name(self.packed, (dtype.name for _, dtype in sorted(self.dtypes.items())))
        parts = [own] if own else []
        parts += ["x".join(map(str, dims)) for _, dims in sorted(self.static_dims.items())]
        parts += ["serial"] if self.serial else []
        parts += [f"preload{self.preload.replace(',', '_')}"] if self.preload else []
        return "_".join(parts)


@dataclass(frozen=True, slots=True)
class Compiled:
    """A kernel that can be launched.  dynamic: (parameter, axis) as the entry takes them; written: parameters."""

    library: Path
    entry: str
    dynamic: tuple[tuple[str, int], ...]
    written: tuple[str, ...]
    folder: Path


@dataclass(frozen=True, slots=True)
class _Files:
    """Generated files read back from the cache, in the form that the build takes."""

    kernel: str
    files: dict[str, str]


def interface_for(function: types.FunctionType, options: Mapping[str, Any], mark: str) -> Interface:
    """The kernel's interface.  Raises KernelError when the kernel cannot be read."""

    def build(work: Path) -> None:
        from ptopro.runtime.interface import interface_of

        (work / INTERFACE).write_text(json.dumps(interface_of(_read(function, options)).to_json()))

    entry = cache.find_or_build("interface", cache.digest([identity(), mark]), build)
    return Interface.from_json(json.loads((entry / INTERFACE).read_text()))


def compile_variant(
    function: types.FunctionType,
    options: Mapping[str, Any],
    mark: str,
    variant: Variant,
    folder: Path,
    counts_blocks: bool = False,
) -> Compiled:
    """The built kernel of a variant; its files are written to `folder`.  Raises KernelError, DiagnosticError."""
    from ptopro.build.files import write_if_changed
    from ptopro.build.simulator import compile_kernel

    key = cache.digest([identity(), mark, *variant.words()])
    entry = cache.find_or_build("translation", key, lambda work: _translate(function, options, variant, work))
    data = json.loads((entry / COMPILED).read_text())
    files = {name: (entry / name).read_text() for name in data["files"]}
    line_map = [(line, (file, source)) for line, file, source in data["line_map"]]
    for name, text in files.items():
        write_if_changed(folder / name, text)
    layout.write_map(folder, {"kernel.cpp": line_map})
    # The library is loaded from the cache, where a path never changes its content.
    library = compile_kernel(
        _Files(data["kernel"], files),
        folder,
        line_map=line_map,
        counts_blocks=counts_blocks,
        timeout=options.get("compile_timeout"),
    )
    write_if_changed(folder / library.name, library.read_bytes())
    return Compiled(
        library=library,
        entry=data["entry"],
        dynamic=tuple((name, axis) for name, axis in data["dynamic"]),
        written=tuple(data["written"]),
        folder=folder,
    )


def _read(function: types.FunctionType, options: Mapping[str, Any]) -> KernelSource:
    """The kernel by its function's text and live values.  Raises KernelError."""
    from ptopro.diagnostics import Sink
    from ptopro.frontend.live import kernel_from_function

    sink = Sink()
    kernel = kernel_from_function(function, options=options, sink=sink)
    _raise(sink)
    if kernel is None:
        raise kernel_error(sink.diagnostics)
    return kernel


def _translate(function: types.FunctionType, options: Mapping[str, Any], variant: Variant, work: Path) -> None:
    """Run the stages and put the generated files, and what a launch needs to know of them, into `work`."""
    from ptopro.codegen.driver import codegen_kernel
    from ptopro.codegen.options import CodegenOptions
    from ptopro.diagnostics import Sink
    from ptopro.expand.model import ExpandOptions, read_preload
    from ptopro.lowering.target import Target
    from ptopro.runtime.rereading import reloader

    sink = Sink()
    kernel = _read(function, options)
    preload = read_preload(variant.preload) if variant.preload else None
    target = Target(chip=variant.chip, static_dims=variant.static_dims, key=variant.key, dtypes=variant.dtypes)
    generated = codegen_kernel(
        kernel,
        target=target,
        options=CodegenOptions(serial=variant.serial),
        expand_options=ExpandOptions(preload=preload),
        sink=sink,
        reload=reloader(function, kernel),
    )
    _raise(sink)
    if generated is None:
        raise kernel_error(sink.diagnostics)
    files = {name: text for name, text in generated.files.items() if name != layout.MAP}
    files[layout.SIGNATURE] = generated.signature.to_json()
    for name, text in files.items():
        (work / name).write_text(text)
    data = {
        "kernel": generated.kernel,
        "files": sorted(files),
        "entry": generated.signature.entry,
        "dynamic": list(generated.signature.dynamic),
        "written": list(_written(kernel, target)),
        "line_map": [[line, file, source] for line, (file, source) in generated.line_map.lines],
    }
    (work / COMPILED).write_text(json.dumps(data))


def _written(kernel: KernelSource, target: Target) -> tuple[str, ...]:
    """The parameters that the kernel, as its author wrote it, stores to."""
    from ptopro.diagnostics import Sink
    from ptopro.lowering.kernel import lower_kernel
    from ptopro.runtime.written import written_parameters

    lowered = lower_kernel(kernel, target, Sink())
    return () if lowered is None else written_parameters(lowered)


def _raise(sink: Sink) -> None:
    if sink.has_errors:
        raise kernel_error(sink.diagnostics)
