"""`ptopro headers`: what an operator project generates from a kernel file when it is configured."""

from __future__ import annotations

from pathlib import Path

import click

from ptopro.cli.output import Reporter
from ptopro.diagnostics import DiagnosticError, Sink

# Product of an operator project's --soc -> chip.
SOCS = {"ascend910b": "a3", "ascend910_93": "a3", "ascend910c": "a3", "ascend950": "a5"}


@click.command(name="headers")
@click.option("--py-file", required=True, metavar="FILE", help="The kernel file: op_kernel/<op>.py.")
@click.option("--out-dir", required=True, metavar="DIR", help="Where the files are written.")
@click.option("--op-file", metavar="STEM", help="The operator's name in its definition [the file's].")
@click.option("--soc", type=click.Choice(sorted(SOCS)), default="ascend950", help="The product [ascend950].")
@click.option("-q", "--quiet", is_flag=True, help="Do not print the paths of written files.")
def command(py_file: str, out_dir: str, op_file: str | None, soc: str, quiet: bool) -> int:
    """Write the headers of an operator's host code, after checking that its kernel can be released.

    \b
    <Tiling>_tiling.h        the tiling data as a struct, its layout asserted
    <Key>_tilingkey.h        GET_TPL_TILING_KEY(...), the valid keys, the toolkit's declarations of them
    <op>_pypto_infer.cpp     the entry that the toolkit's build reads these declarations of
    """
    reporter = Reporter("text", quiet=quiet)
    try:
        _write(reporter, py_file, Path(out_dir), op_file or Path(py_file).stem)
    except DiagnosticError as error:
        reporter.show(error.diagnostics)
    return reporter.finish()


def _write(reporter: Reporter, path: str, out: Path, operator: str) -> None:
    from ptopro.build.files import write_if_changed
    from ptopro.cli.kernels import missing
    from ptopro.codegen.tiling_headers import host_files
    from ptopro.frontend.keys import key_schema, valid_keys
    from ptopro.frontend.source import load_module
    from ptopro.release.linter import lint
    from ptopro.release.names import checked_operator

    problem = missing(path)
    if problem is not None:
        raise DiagnosticError([problem])
    sink = Sink()
    module = load_module(path, sink=sink)
    if not sink.has_errors:
        sink.extend(lint(module, checked_operator(operator)))
    reporter.show(sink.diagnostics)
    if sink.has_errors:
        return
    (kernel,) = module.kernels
    schema = key_schema(kernel)
    assert schema is not None  # the linter's
    keys = valid_keys(schema, sink)
    sink.raise_if_errors()
    for name, text in host_files(kernel, operator, schema, keys).items():
        reporter.wrote(out / name, write_if_changed(out / name, text))
