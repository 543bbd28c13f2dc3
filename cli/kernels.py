"""Read the kernel files of a command line: what is missing or misnamed is a diagnostic before any stage runs."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from ptopro.build.layout import kernel_folder, stem_of
from ptopro.cli.launch_values import variant_of
from ptopro.cli.options import Session
from ptopro.diagnostics import Diagnostic, Severity, Sink, make

if TYPE_CHECKING:
    from ptopro.frontend.kernels import KernelSource
    from ptopro.frontend.source import SourceModule

STDIN = "<stdin>"


@dataclass(frozen=True, slots=True)
class KernelFile:
    """A file that was read.  text: what its path holds; kernels: those that the command is about."""

    path: str
    text: str
    module: SourceModule
    kernels: tuple[KernelSource, ...]


def read_files(session: Session) -> list[KernelFile]:
    """The files of a command.  A file that cannot be read is reported and left out, and the others go on.

    Among several files (`samples/*.py`) one without a kernel is only noted, as long as another has one.
    """
    found = []
    for name in session.files:
        with session.reporter.timed("read"):
            file = _read(session, name)
        if file is not None:
            found.append(file)
    without = [file for file in found if not file.kernels and not file.module.deferred]
    if without:
        alone = len(without) == len(session.files)
        severity = Severity.ERROR if alone else Severity.NOTE
        session.reporter.show([replace(make("PTO1906", path=f.path), severity=severity) for f in without])
    _check_folders(session, found)
    return [file for file in found if file.kernels]


def variant_in(session: Session, file: KernelFile, name: str) -> str:
    """The folder of what is written for one of the file's kernels, below the kernel's own; "" for a plain one."""
    return variant_of(session, next(kernel for kernel in file.kernels if kernel.name == name))


def folder_in(session: Session, file: KernelFile, name: str) -> Path:
    """Where what is written for one of the file's kernels lies."""
    return kernel_folder(session.build_dir, file.path, name, variant_in(session, file, name))


def _read(session: Session, name: str) -> KernelFile | None:
    path = STDIN if name == "-" else name
    text = None
    if name == "-":
        text = sys.stdin.buffer.read().decode(errors="surrogateescape")
        session.reporter.use_text(path, text)
    elif problem := missing(name):
        session.reporter.show([problem])
        return None
    from ptopro.frontend.source import load_module

    sink = Sink()
    module = load_module(path, text, sink=sink)
    kernels = chosen(module, session.kernels, sink)
    session.reporter.show(sink.diagnostics)
    if module.failed or sink.has_errors:
        return None
    return KernelFile(path, module.text if text is None else text, module, kernels)


def missing(name: str) -> Diagnostic | None:
    """Why a path cannot be a kernel file, with the nearest name in its folder when there is none of that name."""
    path = Path(name)
    if path.is_dir():
        return make("PTO1904", path=name, reason="it is a folder")
    if path.exists():
        return None
    import difflib

    folder = path.parent
    there = [each.name for each in folder.glob("*.py")] if folder.is_dir() else []
    near = difflib.get_close_matches(path.name, there, n=1)
    hint = f"did you mean {folder / near[0]}?" if near else "check the name and the folder"
    return make("PTO1901", path=name, hint=hint)


def chosen(module: SourceModule, names: Sequence[str], sink: Sink) -> tuple[KernelSource, ...]:
    """The kernels that --kernel names, all without it; unknown names go to the sink."""
    if module.failed:
        return ()
    if not module.kernels:
        for kernel in module.deferred:
            sink.add(make("PTO1915", kernel.span, kernel=kernel.name, reason=kernel.deferred or "it is made by a call"))
        return ()
    import difflib

    there = [kernel.name for kernel in module.kernels]
    for name in names:
        if name not in there:
            near = difflib.get_close_matches(name, there, n=1)
            hint = f"did you mean {near[0]}?" if near else f"its kernels are {', '.join(there)}"
            sink.add(make("PTO1905", path=module.path, name=name, hint=hint))
    return tuple(kernel for kernel in module.kernels if not names or kernel.name in names)


def _check_folders(session: Session, files: Sequence[KernelFile]) -> None:
    """Two kernels must not be written to one folder."""
    taken: dict[tuple[str, str], str] = {}
    for file in files:
        for kernel in file.kernels:
            key = (stem_of(file.path), kernel.name)
            if key in taken and taken[key] != file.path:
                folder = session.build_dir / key[0] / key[1]
                problem = make("PTO1907", kernel=kernel.name, first=taken[key], second=file.path, folder=folder)
                session.reporter.show([problem])
            taken[key] = file.path
