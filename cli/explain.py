"""`ptopro explain`: the long text of a diagnostic code."""

from __future__ import annotations

import click

from ptopro.cli.output import Reporter
from ptopro.diagnostics import make


@click.command(name="explain")
@click.argument("codes", nargs=-1, metavar="[CODE]...")
def command(codes: tuple[str, ...]) -> int:
    """Explain diagnostic codes, each with a wrong and a right example; without CODE, list all of them."""
    reporter = Reporter()
    if not codes:
        from ptopro.diagnostics.catalogue import all_entries

        for entry in all_entries():
            print(f"{entry.code}  {entry.title}")
        return 0
    from ptopro.diagnostics.explain import explain, nearest_codes

    for index, code in enumerate(codes):
        try:
            text = explain(code)
        except KeyError:
            near = nearest_codes(code)
            hint = f"did you mean {' or '.join(near)}?" if near else "`ptopro explain` lists all codes"
            reporter.show([make("PTO1912", name=code, hint=hint)])
            continue
        print(("\n\n" if index else "") + text)
    return reporter.finish()
