"""The options of `ptopro check` and `ptopro trace` that say on what a kernel runs, and the `Request` they make."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from ptopro.check.request import Request, parse_args, parse_shapes, request_for
from ptopro.cli.settings import project_table


def input_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """--shape, --arg, --inputs, --cores, --seed."""
    for option in reversed(
        (
            click.option("--shape", "shapes", multiple=True, metavar="NAME=N,N", help="The shape of an array."),
            click.option("--arg", "args", multiple=True, metavar="NAME=N", help="A number; TILING.FIELD=N[,N]."),
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
