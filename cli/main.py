"""The `ptopro` command: its subcommands by name, and what happens to every error that reaches the top.

Exit codes: 0 good, 1 diagnostics, 2 usage, 3 toolchain, 4 race, deadlock or difference, 5 internal error, 130
interrupted.
"""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Sequence

import click

from ptopro import __version__

# Name, module and one line of help; the module is imported when the command runs.
COMMANDS: dict[str, tuple[str, str]] = {
    "expand": ("ptopro.cli.expand", "Write out the synchronisation of kernels: pipeline_generated.py."),
    "codegen": ("ptopro.cli.codegen", "Write kernels as PTO-ISA C++: kernel.cpp, launcher.cpp."),
    "build": ("ptopro.cli.build", "Compile kernels for the simulator: <kernel>.so."),
    "run": ("ptopro.cli.run", "Run a host program with its kernels on the simulator."),
    "check": ("ptopro.cli.check", "Check kernels on the simulator: races, deadlocks, equal results in every form."),
    "trace": ("ptopro.cli.trace", "Show where the time of kernels goes: timeline, critical path, bound."),
    "headers": ("ptopro.cli.headers", "Write the headers of an operator's host code from its kernel file."),
    "explain": ("ptopro.cli.explain", "Explain a diagnostic code, with a wrong and a right example."),
    "ops": ("ptopro.cli.ops", "List the operations of the language, or show one."),
    "config": ("ptopro.cli.config", "Show the settings and where each comes from."),
    "new": ("ptopro.cli.new", "Write a small working kernel to start from."),
    "clean": ("ptopro.cli.clean", "Remove what the other commands wrote."),
}


class LazyGroup(click.Group):
    """A group whose commands are known by name and imported when they are asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        found = getattr(importlib.import_module(COMMANDS[name][0]), "command")  # noqa: B009 - found by name
        assert isinstance(found, click.Command)
        return found

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            import difflib

            near = difflib.get_close_matches(args[0], COMMANDS, n=1)
            hint = f"did you mean {near[0]}?" if near else f"commands: {', '.join(COMMANDS)}"
            ctx.fail(f"there is no command {args[0]}; {hint}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in COMMANDS.items()])


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, "-V", "--version", prog_name="ptopro", message="%(prog)s %(version)s")
def ptopro() -> None:
    """Transpile serial PyPTO Professional kernels to synchronised Python, PTO-ISA C++ and binaries, and run them here.

    \b
    kernel.py --expand--> pipeline_generated.py --codegen--> kernel.cpp --build--> <kernel>.so --run--> results

    `ptopro COMMAND --help` says more.  NO_COLOR, FORCE_COLOR and [tool.ptopro] in pyproject.toml are honoured.
    """


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; the exit code.  Nothing escapes: an error of ptopro itself is a short text and code 5."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    try:
        result = ptopro.main(args=given, prog_name="ptopro", standalone_mode=False, obj=tuple(given))
        sys.stdout.flush()
        return result if isinstance(result, int) else 0
    except click.exceptions.Exit as stop:
        return stop.exit_code
    except click.ClickException as error:
        error.show()
        return 2
    except (KeyboardInterrupt, click.Abort):
        print("ptopro: interrupted", file=sys.stderr)
        return 130
    except BrokenPipeError:
        # The reader of our output went away; nothing more can be said to it.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 0
    except Exception as error:
        return _internal(error, "--traceback" in given)


def _internal(error: Exception, trace: bool) -> int:
    """Diagnostics that no command handled, and errors that ptopro did not expect."""
    from ptopro.diagnostics import DiagnosticError

    if isinstance(error, DiagnosticError):
        from ptopro.cli.output import Reporter

        reporter = Reporter()
        reporter.show(error.diagnostics)
        return reporter.exit_code
    print(f"ptopro: internal error: {type(error).__name__}: {error}", file=sys.stderr)
    if trace:
        import traceback

        traceback.print_exc()
    else:
        print("This is a defect of ptopro, not of your file; --traceback shows where it happened.", file=sys.stderr)
    return 5
