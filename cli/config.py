"""`ptopro config`: the settings in force."""

from __future__ import annotations

from pathlib import Path

import click

import ptopro
from ptopro.cli.settings import SETTINGS, settings


@click.command(name="config")
@click.option("--show", is_flag=True, help="Print each setting, its value and its origin (the default action).")
@click.option("--json", "as_json", is_flag=True, help="Print them as a JSON object.")
@click.option(
    "--cmake-dir", is_flag=True, help="Print the folder of the CMake package: find_package(ptopro PATHS ...)."
)
@click.option("--make-include", is_flag=True, help="Print the file that a Makefile includes.")
def command(show: bool, as_json: bool, cmake_dir: bool, make_include: bool) -> None:
    """Show each setting, its value, and where it comes from: default, pyproject.toml, or the environment.

    Settings stand in [tool.ptopro] of the nearest pyproject.toml; flags and decorators override them.
    """
    if cmake_dir or make_include:
        folder = Path(ptopro.__file__).parent / "integration"
        print(folder if cmake_dir else folder / "ptopro.mk")
        return
    known = settings()
    if as_json:
        import json

        print(
            json.dumps({name: {"value": each.value, "origin": each.origin} for name, each in known.items()}, indent=1)
        )
        return
    rows = [(setting, _shown(known[setting.name].value), known[setting.name].origin) for setting in SETTINGS]
    names, values, origins = (
        max(len(word) for word in column)
        for column in ([s.name for s, _, _ in rows], [v for _, v, _ in rows], [o for _, _, o in rows])
    )
    for setting, value, origin in rows:
        allowed = f" ({', '.join(setting.choices)})" if setting.choices else ""
        print(f"{setting.name:<{names}}  {value:<{values}}  {origin:<{origins}}  {setting.help}{allowed}")


def _shown(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
