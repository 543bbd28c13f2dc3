"""`ptopro build --release`: a kernel's valid keys and element types as the objects of an operator."""

from __future__ import annotations

import contextlib
import json
import os
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ptopro.build import commands, compile_edges, layout
from ptopro.build.files import write_if_changed
from ptopro.build.forks import mapped
from ptopro.build.graph import OUTPUT, Edge
from ptopro.cli import generation
from ptopro.cli.depfile import depfile_text
from ptopro.cli.generation import GeneratedKernel
from ptopro.cli.graphs import GraphOptions, build_graph
from ptopro.cli.options import Session
from ptopro.diagnostics import Diagnostic, DiagnosticError, Sink, make
from ptopro.release import device, manifest, names, simulated
from ptopro.release.instances import Instance
from ptopro.release.unit import KINDS, Release, Unit, units_of

if TYPE_CHECKING:
    from ptopro.frontend.kernels import KernelSource

# The key of the operator's host files among the facts that are kept with generated kernels.
HOST_FILES = "host"


@dataclass(frozen=True, slots=True)
class ReleaseOptions:
    """What the command line says of a release.  operator: empty: named for the kernel; toolchain: auto, sim, bisheng;
    block_dim: None: all cores of the chip; workspace: bytes."""

    operator: str
    operator_type: str
    toolchain: str
    dry_run: bool
    block_dim: int | None
    workspace: int


@dataclass(frozen=True, slots=True)
class _Operator:
    """A kernel that is released under a name, with what was generated for its instances."""

    name: str
    path: str
    kernels: tuple[GeneratedKernel, ...]

    @property
    def kernel(self) -> str:
        return self.kernels[0].kernel

    @property
    def complete(self) -> bool:
        return all(kernel.files for kernel in self.kernels)


def release(session: Session, options: ReleaseOptions, graph: GraphOptions) -> None:
    """Release the kernels of a command."""
    if options.operator:
        names.checked_operator(options.operator)
    with session.reporter.timed("transpile"):
        operators = _operators(session, options, graph.jobs)
    for operator in operators:
        if options.dry_run:
            _print_commands(session, operator, options)
        else:
            _build(session, operator, options, graph)


def _operators(session: Session, options: ReleaseOptions, jobs: int) -> list[_Operator]:
    """The operators of a command, each name once.  Raises DiagnosticError PTO2001, PTO2002."""
    found = []
    for path, kernels in _generated(session, options.operator, jobs):
        by_name: dict[str, list[GeneratedKernel]] = {}
        for kernel in kernels:
            by_name.setdefault(kernel.kernel, []).append(kernel)
        found += [_Operator(options.operator or name, path, tuple(own)) for name, own in by_name.items()]
    for operator in found:
        names.checked_operator(operator.name)
        same = [f"`{each.kernel}` of {each.path}" for each in found if each.name == operator.name]
        if len(same) > 1:
            raise DiagnosticError([make("PTO2002", operator=operator.name, kernels=", ".join(same))])
    return found


def _generated(session: Session, operator: str, jobs: int) -> list[tuple[str, list[GeneratedKernel]]]:
    """Everything generated for the instances of each file's kernels: remembered, else from the stages."""
    from ptopro.cli.kernels import read_files

    found = []
    fresh = []
    for name in session.files:
        known = generation.recall(_memory(session, name, operator)) if Path(name).is_file() else None
        if known is None:
            fresh.append(name)
        else:
            found.append((name, known))
    for file in read_files(replace(session, files=tuple(fresh))) if fresh else ():
        before = session.reporter.shown
        kernels = [each for kernel in file.kernels for each in _generate(session, kernel, file.path, operator, jobs)]
        if kernels and session.reporter.shown == before and Path(file.path).is_file():
            generation.remember(_memory(session, file.path, operator), kernels)
        found.append((file.path, kernels))
    return found


def _memory(session: Session, name: str, operator: str) -> str:
    return generation.key_of(session, name, Path(name).read_bytes(), False, f"release {operator}")


def _generate(session: Session, kernel: KernelSource, path: str, operator: str, jobs: int) -> list[GeneratedKernel]:
    """The C++ of every instance of a kernel.  An instance that cannot be generated has no files and is told of."""
    from ptopro.cli.release_instances import generate_instance, instances_of
    from ptopro.codegen.tiling_headers import infer_source, tiling_header

    instances, host = instances_of(session, kernel, operator or kernel.name)

    def generate(instance: Instance) -> tuple[GeneratedKernel, list[Diagnostic]]:
        sink = Sink()
        made = generate_instance(session, kernel, instance, sink)
        facts = {"instance": instance.to_json()}
        if made is None:
            return GeneratedKernel(kernel.name, {}, (), (), instance.folder, {}, facts), sink.diagnostics
        generated, own = made
        each = generation.from_codegen(generated, instance.folder, {**facts, **own})
        return replace(each, line_map=_told(path, each.line_map)), sink.diagnostics

    found = []
    kinds: dict[str, None] = {}
    problems: dict[Diagnostic, list[Instance]] = {}
    for instance, (each, diagnostics) in zip(instances, mapped(generate, instances, jobs), strict=True):
        found.append(each)
        kinds.update(
            dict.fromkeys([KINDS[tuple(json.loads(each.files[layout.SIGNATURE])["halves"])]] if each.files else [])
        )
        for diagnostic in diagnostics:
            problems.setdefault(diagnostic, []).append(instance)
    tiling = tiling_header(kernel)
    host.update(dict([tiling] if tiling else []))
    host.update(dict([infer_source(kernel, operator or kernel.name, sorted(host), next(iter(kinds), ""))]))
    found[0].facts[HOST_FILES] = host
    session.reporter.show(_with_instances(diagnostic, own, len(instances)) for diagnostic, own in problems.items())
    return found


def _told(path: str, line_map: Sequence[tuple[int, tuple[str, int]]]) -> tuple[tuple[int, tuple[str, int]], ...]:
    """The line map with files as seen from the kernel's folder: no release depends on where it was built."""
    folder = Path(path).parent
    told = {file: os.path.relpath(file, folder) for file in {file for _, (file, _) in line_map}}
    return tuple((line, (told[file], at)) for line, (file, at) in line_map)


def _with_instances(diagnostic: Diagnostic, instances: Sequence[Instance], total: int) -> Diagnostic:
    """Say which keys a diagnostic is about, where it is not all of them."""
    if len(instances) == total:
        return diagnostic
    more = f" and {len(instances) - 3} more" if len(instances) > 3 else ""
    note = f"for {'; '.join(map(str, instances[:3]))}{more}"
    return replace(diagnostic, notes=(*diagnostic.notes, note))


def _described(session: Session, operator: _Operator, options: ReleaseOptions) -> Release:
    """The release as data."""
    made = [kernel for kernel in operator.kernels if kernel.files]
    instances = {id(kernel): Instance(**kernel.facts["instance"]) for kernel in made}
    several = len({instance.dtype_word for instance in instances.values()}) > 1
    signatures: dict[str, Mapping[str, Any]] = {}
    units = []
    written: dict[str, None] = {}
    for kernel in made:
        signature = json.loads(kernel.files[layout.SIGNATURE])
        folder = _folder(operator, kernel)
        signatures[folder] = signature
        written.update(dict.fromkeys(kernel.facts["written"]))
        units += units_of(
            operator.name,
            instances[id(kernel)],
            folder,
            tuple(signature["halves"]),
            str(signature["entry"]).removeprefix("ptopro_launch_"),
            tuple(name for name in kernel.files if name.endswith(".h")),
            several,
        )
    first = made[0].facts
    return Release(
        operator=operator.name,
        operator_type=options.operator_type or names.operator_type(operator.name),
        kernel=operator.kernel,
        source=Path(operator.path).name,
        chip=str(signatures[units[0].folder]["chip"]),
        block_dim=options.block_dim or _cores(session.arch, units),
        workspace=options.workspace,
        instances=tuple(instances[id(kernel)] for kernel in made),
        units=tuple(units),
        signatures=signatures,
        interface=first["interface"],
        datatype=first["datatype"],
        written=tuple(written),
    )


def _cores(arch: str, units: Sequence[Unit]) -> int:
    """Blocks that fill the chip: a block is a cube core with its vector cores, or one vector core alone."""
    from ptopro.language.hardware import CHIPS

    chip = CHIPS[arch]
    cube, vector = chip.cores[chip.default_product]
    return cube if any(unit.core == "cube" for unit in units) else vector


def _folder(operator: _Operator, kernel: GeneratedKernel) -> str:
    """Where an instance's generated files lie below the build directory."""
    return layout.kernel_folder(Path(), operator.path, kernel.kernel, kernel.variant).as_posix()


def _toolkit(options: ReleaseOptions) -> device.Toolkit | None:
    """The vendor's toolkit where objects are for the device.  Raises DiagnosticError PTO2010."""
    if options.toolchain == "bisheng":
        return device.toolkit()
    found = device.find_toolkit() if options.toolchain == "auto" else ""
    return found if isinstance(found, device.Toolkit) else None


def _build(session: Session, operator: _Operator, options: ReleaseOptions, graph: GraphOptions) -> None:
    """Write the sources and the headers for the host, and bring the objects up to date."""
    root = session.build_dir
    if not any(kernel.files for kernel in operator.kernels):
        return
    described = _described(session, operator, options)
    _check_place(root, described)
    kit = _toolkit(options)
    for kernel in operator.kernels:
        if kernel.files:
            _write_sources(root / _folder(operator, kernel), kernel, simulated=kit is None)
    plan = layout.kernel_folder(Path(), operator.path, operator.kernel) / f".{operator.name}.release.json"
    edges = _edges(described, kit, graph.launcher)
    _remove_stale(root, plan, described)
    runtime = "" if kit is not None else _runtime_name()
    data = manifest.description(described, manifest.SIM if kit is None else manifest.DEVICE, runtime)
    write_if_changed(root / plan, json.dumps(data, indent=1) + "\n")
    if not operator.complete:  # what can be compiled is; a release lacks no key
        edges = [edge for edge in edges if edge.output != described.library]
    else:
        edges.append(_seal(described, plan.as_posix()))
    for name, text in operator.kernels[0].facts.get(HOST_FILES, {}).items():
        path = root / operator.name / names.HOST / name
        session.reporter.wrote(path, write_if_changed(path, text))
    logs = {
        unit.object: (f"{described.kernel}, {unit.label}", root / unit.folder / f"{unit.core}.log")
        for unit in described.units
    }
    results = [edge.output for edge in edges if edge.output != described.library]
    depends = [operator.path, *(each for kernel in operator.kernels for each in kernel.depends)]
    whole = False
    try:
        with session.reporter.timed("compile"):
            whole = build_graph(session, root, edges, [*results, described.library], graph, logs, depends)
        whole = whole and operator.complete
    finally:
        if not whole:  # what was sealed before is not what lies there now
            for name in (described.manifest, described.library):
                with contextlib.suppress(OSError):
                    (root / name).unlink()
    if whole and session.depfile and not graph.emit:
        stamp = root / f"{operator.name}.stamp"
        write_if_changed(stamp.with_suffix(".d"), depfile_text(stamp, depends))
        stamp.touch()


def _edges(described: Release, kit: device.Toolkit | None, launcher: str) -> list[Edge]:
    if kit is not None:
        return device.edges(described, kit, launcher)
    return simulated.edges(described, compile_edges.tools(launcher, portable=True))


def _runtime_name() -> str:
    from ptopro.build.simulator import runtime_library

    return runtime_library().name


def _seal(described: Release, plan: str) -> Edge:
    command = (*commands.python_module("ptopro.release.seal"), plan, described.folder, OUTPUT)
    objects = tuple(unit.object for unit in described.units)
    return Edge(described.manifest, (plan, described.library), command, f"seal {described.operator}.json", objects)


def _write_sources(folder: Path, kernel: GeneratedKernel, *, simulated: bool) -> None:
    for name, text in kernel.files.items():
        write_if_changed(folder / name, text)
    layout.write_map(folder, {"kernel.cpp": kernel.line_map})
    (folder / compile_edges.COMPILE).mkdir(exist_ok=True)
    if simulated:
        units = {f"{core}.cpp": text for core, text in kernel.halves.items()}
        compile_edges.write_sources(folder, {"kernel.cpp": kernel.files["kernel.cpp"], **units}, kernel.line_map)


def _check_place(root: Path, described: Release) -> None:
    """Raises DiagnosticError PTO2003 when the operator's folder is another kernel's."""
    try:
        known = json.loads((root / described.manifest).read_text())
        kernel, source = known["kernel"], known["source"]
    except (OSError, ValueError, KeyError, TypeError):
        return
    if (kernel, source) != (described.kernel, described.source):
        folder = root / described.operator
        raise DiagnosticError([make("PTO2003", folder=folder, other=kernel, source=source, kernel=described.kernel)])


def _remove_stale(root: Path, plan: Path, described: Release) -> None:
    """Remove the objects of keys that the operator had when it was last built and has no more."""
    try:
        old = [each["file"] for each in json.loads((root / plan).read_text())["objects"]]
    except (OSError, ValueError, KeyError, TypeError):
        return
    wanted = {unit.object.rpartition("/")[2] for unit in described.units}
    for name in old:
        if name not in wanted:
            names.checked_file(root / described.folder, name, root / plan).unlink(missing_ok=True)


def _print_commands(session: Session, operator: _Operator, options: ReleaseOptions) -> None:
    """Print the commands that a release runs; nothing is written.  Without a toolkit its place is left open."""
    if not operator.complete:
        return
    described = _described(session, operator, options)
    if options.toolchain == "sim":
        edges = _edges(described, None, "")
    else:
        found = device.find_toolkit()
        unknown = device.Toolkit(f"${device.HOME}", "bisheng", "ld.lld")
        edges = device.edges(described, found if isinstance(found, device.Toolkit) else unknown)
    for edge in edges:
        print(shlex.join(edge.output if word == OUTPUT else word for word in edge.command))
