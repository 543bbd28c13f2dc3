"""`ptopro codegen`: write kernels as PTO-ISA C++."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ptopro.build import layout
from ptopro.build.files import write_if_changed
from ptopro.cli.depfile import depfile_text
from ptopro.cli.expand import check_file
from ptopro.cli.kernels import STDIN, KernelFile, folder_in, read_files
from ptopro.cli.launch_values import check_names, launch_options, target_of
from ptopro.cli.options import Session, kernel_command, one_result, preload_option
from ptopro.diagnostics import Sink

if TYPE_CHECKING:
    from ptopro.codegen import Generated


@click.command(name="codegen")
@click.option("--stdout", "to_stdout", is_flag=True, help="Print kernel.cpp; write nothing.")
@click.option("--check", is_flag=True, help="Fail if a file on disk is not what would be written; write nothing.")
@click.option("--coalesce/--no-coalesce", default=None, help="Leave out unlock/lock pairs on one pipe [yes].")
@preload_option
@launch_options
@click.option("-M", "--depfile", is_flag=True, default=None, help="Also write <kernel>.d for make.")
@kernel_command
def command(session: Session, to_stdout: bool, check: bool) -> None:
    """Write kernels as C++: kernel.cpp and launcher.cpp, beside the expanded Python they correspond to.

    FILE is a kernel file or an expanded one, or - for standard input.
    """
    for file in read_files(session):
        if to_stdout:
            one_result(session, [kernel.name for kernel in file.kernels], "--stdout")
        for generated in generate(session, file):
            if to_stdout:
                sys.stdout.write(generated.files["kernel.cpp"])
            elif check:
                folder = folder_in(session, file, generated.kernel)
                for name, text in result_files(generated).items():
                    check_file(session, folder / name, text, "codegen", file)
            else:
                write(session, file, generated)


def generate(session: Session, file: KernelFile, *, serial: bool = False) -> list[Generated]:
    """The C++ of a file's kernels; what is wrong is shown."""
    from ptopro.codegen.driver import codegen_kernel
    from ptopro.codegen.options import CodegenOptions
    from ptopro.expand import ExpandOptions

    check_names(session, file.kernels, file.path)
    found = []
    for kernel in file.kernels:
        target = target_of(session, kernel)
        if target is None:
            continue
        sink = Sink()
        with session.reporter.timed("codegen"):
            generated = codegen_kernel(
                kernel,
                target=target,
                options=CodegenOptions(serial=serial),
                expand_options=ExpandOptions(coalesce=session.coalesce, preload=session.preload),
                sink=sink,
            )
        session.reporter.show(sink.diagnostics)
        if generated is not None:
            found.append(generated)
    return found


def result_files(generated: Generated) -> dict[str, str]:
    """The files of a kernel's folder, without the maps, which are merged into what is there."""
    return {name: text for name, text in generated.files.items() if name != layout.MAP}


def write(session: Session, file: KernelFile, generated: Generated) -> Path:
    """Write a kernel's files; its folder."""
    folder = folder_in(session, file, generated.kernel)
    for name, text in result_files(generated).items():
        session.reporter.wrote(folder / name, write_if_changed(folder / name, text))
    write_if_changed(folder / layout.SIGNATURE, generated.signature.to_json())
    layout.write_map(folder, {generated.line_map.file: generated.line_map.lines})
    if session.depfile:
        path = folder / f"{generated.kernel}.d"
        sources = [] if file.path == STDIN else [file.path]
        text = depfile_text(folder / "kernel.cpp", [*sources, *generated.depends])
        session.reporter.wrote(path, write_if_changed(path, text))
    return folder
