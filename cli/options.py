"""Options that all commands on kernel files share, and the `Session` they make."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, overload

import click

from ptopro.cli.launch_values import LaunchValues, read
from ptopro.cli.output import Reporter
from ptopro.cli.settings import SETTINGS, settings
from ptopro.diagnostics import DiagnosticError

FORMATS = next(setting.choices for setting in SETTINGS if setting.name == "message-format")
ARCHES = next(setting.choices for setting in SETTINGS if setting.name == "arch")


@dataclass(frozen=True, slots=True)
class Session:
    """The settings of one command after its flags, and its reporter."""

    files: tuple[str, ...]
    build_dir: Path
    kernels: tuple[str, ...]
    arch: str
    mutex: str
    coalesce: bool
    depfile: bool
    reporter: Reporter
    preload: int | tuple[int, ...] | None = None
    launch: LaunchValues = field(default_factory=LaunchValues)


@overload
def kernel_command(function: Callable[..., None]) -> Callable[..., int]: ...
@overload
def kernel_command(*, files_required: bool) -> Callable[[Callable[..., None]], Callable[..., int]]: ...
def kernel_command(function: Callable[..., None] | None = None, *, files_required: bool = True) -> Any:
    """The shared options of a command on kernel files.

    The function is called with the Session and the command's own options; diagnostics that it raises are shown, and the
    command returns the exit code.
    """
    if function is None:
        return functools.partial(kernel_command, files_required=files_required)

    @click.argument("files", nargs=-1, required=files_required, metavar="FILE...")
    @click.option("-o", "--build-dir", metavar="DIR", help="Where results are written [build].")
    @click.option("--kernel", "kernels", multiple=True, metavar="NAME", help="Only this kernel (repeatable).")
    @click.option("--arch", type=click.Choice(ARCHES), help="The chip that kernels are written for [a5].")
    @message_options
    @click.option("-q", "--quiet", is_flag=True, default=None, help="Do not print the paths of written files.")
    @click.option("-v", "--verbose", is_flag=True, default=None, help="Say more.")
    @click.option("--timings", is_flag=True, default=None, help="Print how long each stage took.")
    @click.option("--traceback", is_flag=True, help="Show where an internal error happened.")
    @functools.wraps(function)
    def command(
        files: tuple[str, ...],
        build_dir: str | None,
        kernels: tuple[str, ...],
        arch: str | None,
        message_format: str | None,
        quiet: bool | None,
        verbose: bool | None,
        timings: bool | None,
        traceback: bool,
        **own: Any,
    ) -> int:
        known = settings()

        def chosen(name: str, flag: Any) -> Any:
            return known[name].value if flag is None else flag

        reporter = Reporter(
            chosen("message-format", message_format),
            quiet=chosen("quiet", quiet),
            verbose=chosen("verbose", verbose),
            timings=chosen("timings", timings),
            to_stderr=bool(own.get("to_stdout") or own.get("diff")),
        )
        session = Session(
            files=files,
            build_dir=Path(chosen("build-dir", build_dir)),
            kernels=kernels,
            arch=chosen("arch", arch),
            mutex=chosen("mutex", own.pop("mutex", None)),
            coalesce=chosen("coalesce", own.pop("coalesce", None)),
            depfile=chosen("depfile", own.pop("depfile", None)),
            reporter=reporter,
            preload=own.pop("preload", None),
            launch=read(own),
        )
        try:
            function(session, **own)
        except DiagnosticError as error:
            reporter.show(error.diagnostics)
        return reporter.finish()

    return command


def preload_option(function: Callable[..., Any]) -> Callable[..., Any]:
    """--preload: one number, or one for each pipeline loop."""
    text = "How far stages run ahead, in place of the kernel's own: N for all pipeline loops, N,N for each."
    return click.option("--preload", metavar="N[,N...]", callback=_preload, help=text)(function)


def _preload(context: click.Context, parameter: click.Parameter, text: str | None) -> int | tuple[int, ...] | None:
    if text is None:
        return None
    from ptopro.expand.model import read_preload

    try:
        return read_preload(text)
    except ValueError:
        raise click.BadParameter("give a number, or one for each loop: 1,2") from None


def message_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """--message-format and its short form --json."""

    @click.option("--message-format", type=click.Choice(FORMATS), help="How diagnostics are shown [text].")
    @click.option("--json", "as_json", is_flag=True, help="Short for --message-format=json.")
    @functools.wraps(function)
    def wrapped(*args: Any, message_format: str | None, as_json: bool, **kwargs: Any) -> Any:
        return function(*args, message_format="json" if as_json else message_format, **kwargs)

    return wrapped


def one_result(session: Session, names: Sequence[str], flag: str) -> None:
    """Refuse a flag that shows one result when there are several kernels."""
    if len(names) > 1:
        raise click.UsageError(f"{flag} shows one kernel; choose it with --kernel: {', '.join(names)}")
