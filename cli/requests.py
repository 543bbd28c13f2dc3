"""The options of `ptopro check` and `ptopro trace` that say on what a kernel runs, and the `Request` they make."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ptopro.check.request import Request, parse_args, parse_shapes, request_for
from ptopro.cli.launch_values import launch_options, target_of
from ptopro.cli.options import Session
from ptopro.cli.settings import project_table
from ptopro.language.hardware import CHIPS

if TYPE_CHECKING:
    from ptopro.frontend.kernels import KernelSource
    from ptopro.lowering.target import Target


def input_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """--shape, --arg, --inputs, --cores, --seed, --key, --dtype."""
    function = launch_options(function, ("key", "dtype"))
    for option in reversed(
        (
            click.option("--shape", "shapes", multiple=True, metavar="NAME=N,N", help="The shape of an array."),
            click.option(
                "--arg",
                "args",
                multiple=True,
                metavar="NAME=N",
                help="A number; TILING.FIELD=N[,N]; an array's elements: NAME=N,N.",
            ),
            click.option("--inputs", metavar="FILE.npz", help="Arrays by parameter name [made up from the seed]."),
            click.option("--cores", type=click.IntRange(1), metavar="N", help="Blocks of the launch [2]."),
            click.option("--seed", type=click.IntRange(0), metavar="N", help="Of made-up arrays, random orders [0]."),
        )
    ):
        function = option(function)
    return function


class Requests:
    """The requests of one command: its flags, over [tool.ptopro.check].

    Raises DiagnosticError PTO1863 for flags that cannot be read.
    """

    def __init__(self, shapes: tuple[str, ...], args: tuple[str, ...], **flags: Any) -> None:
        self._flags = {"shapes": parse_shapes(shapes), "args": parse_args(args), **flags}
        path, table = project_table(Path.cwd())
        self._origin = str(path)
        self._table = table.get("check", {})

    def of(self, kernel: str) -> Request:
        return request_for(kernel, self._flags, self._table, self._origin)


def target_for(session: Session, kernel: KernelSource, request: Request) -> Target | None:
    """What a kernel is lowered for: the chip that its decorator names, else --arch; the shapes of the request.

    None after saying which --key or --dtype is missing: then nothing was checked, which is no success.
    """
    from ptopro.check.kernel_check import with_static_dims
    from ptopro.lowering.target import Target

    static = with_static_dims(kernel, request, Target()).static_dims
    own = str(kernel.options.arch)
    chip = CHIPS[own if own in CHIPS else session.arch].name
    launch = replace(session.launch, shapes=tuple(static.items()))
    target: Target | None = target_of(replace(session, arch=chip, launch=launch), kernel)
    if target is None:
        session.reporter.exit_code = max(session.reporter.exit_code, 1)
    return target
