"""`ptopro run`: execute a host program with its kernels on the simulator."""

from __future__ import annotations

import os
import sys

import click

from ptopro.cli.options import message_options
from ptopro.cli.output import Reporter


@click.command(name="run", context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False})
@click.option("-m", "module", metavar="MODULE", help="Run a module, as `python -m` does.")
@click.option("-o", "--build-dir", metavar="DIR", help="Where the files of launched kernels go [the user's cache].")
@click.option("--arch", type=click.Choice(("a5", "a3", "a2")), help="The chip of kernels that do not name one [a5].")
@click.option("--mode", type=click.Choice(("pipelined", "serial")), help="serial: one instruction at a time.")
@click.option("--preload", metavar="N[,N...]", help="How far the stages of pipelines run ahead.")
@click.option("--schedule", metavar="fixed|random:SEED|slow:PIPE", help="In which order ready pipes go on.")
@click.option("--visibility", type=click.Choice(("eager", "late")), help="When data of a pipe is seen by others.")
@click.option("--checks", is_flag=True, help="Find races, leaks, undefined data and overlaps between blocks.")
@click.option("--threads", type=int, metavar="N", help="Host threads that run blocks [all cores].")
@message_options
@click.option("--traceback", is_flag=True, help="Show the whole traceback of an error in a kernel.")
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED, metavar="[FILE] [ARGS]...")
def command(
    module: str | None,
    build_dir: str | None,
    arch: str | None,
    mode: str | None,
    preload: str | None,
    schedule: str | None,
    visibility: str | None,
    checks: bool,
    threads: int | None,
    message_format: str | None,
    traceback: bool,
    arguments: tuple[str, ...],
) -> int:
    """Run FILE (or a module with -m) with ARGS.

    `pypto_pro`, `pypto` and `torch_npu` are served by ptopro, and torch's device "npu" means the CPU, so a file written
    for the NPU runs unmodified.  The exit code is the program's own; 4 when a kernel deadlocks, traps or leaves its
    memory, or when a check finds something.

    FILE may be the <op>.json of a release (`ptopro build --release`): `ptopro run <op>.json --help` tells how a key of
    it is launched.
    """
    from ptopro.diagnostics import DiagnosticError
    from ptopro.runtime import program

    if module is None and not arguments:
        raise click.UsageError("give a FILE to run, or a module with -m")
    chosen = {
        "PTOPRO_BUILD_DIR": build_dir,
        "PTOPRO_ARCH": arch,
        "PTOPRO_MODE": mode,
        "PTOPRO_PRELOAD": preload,
        "PTOPRO_SCHEDULE": schedule,
        "PTOPRO_VISIBILITY": visibility,
        "PTOPRO_CHECKS": "all" if checks else None,
        "PTOPRO_THREADS": threads,
    }
    os.environ.update({name: str(value) for name, value in chosen.items() if value is not None})
    reporter = Reporter(message_format or "text", to_stderr=True)
    if module is None and arguments[0].endswith(".json"):
        from ptopro.cli.run_release import command as run_release

        try:
            return int(run_release.main(list(arguments), "ptopro run", standalone_mode=False) or 0)
        except DiagnosticError as error:
            reporter.show(error.diagnostics)
            return reporter.finish()
    try:
        if module is not None:
            code = program.run_module(module, arguments)
        else:
            code = program.run_file(arguments[0], arguments[1:])
    except DiagnosticError as error:
        sys.stdout.flush()
        if traceback:
            program.show_exception(error, everything=True)
        reporter.show(error.diagnostics)
        site = program.launch_site(error)
        if site is not None and reporter.format == "text":
            print(f"launched at {site[0]}:{site[1]}", file=sys.stderr)
        return reporter.finish()
    except Exception as error:
        sys.stdout.flush()
        if program.is_internal(error):
            raise
        program.show_exception(error, everything=traceback)
        return 1
    return program.exit_status(code)
