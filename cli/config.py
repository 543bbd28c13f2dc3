"""`ptopro config`: the settings in force."""

from __future__ import annotations

import click

from ptopro.cli.settings import SETTINGS, settings


@click.command(name="config")
@click.option("--show", is_flag=True, help="Print each setting, its value and its origin (the default action).")
@click.option("--json", "as_json", is_flag=True, help="Print them as a JSON object.")
def command(show: bool, as_json: bool) -> None:
    """Show each setting, its value, and where it comes from: default, pyproject.toml, or the environment.

    Settings stand in [tool.ptopro] of the nearest pyproject.toml; flags and decorators override them.
    """
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
