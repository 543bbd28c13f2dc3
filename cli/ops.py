"""`ptopro ops`: the operations of the language, from its table."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from ptopro.language.operations.model import Operand, Operation


@click.command(name="ops")
@click.argument("names", nargs=-1, metavar="[NAME]...")
@click.option("--group", metavar="NAME", help="Only the operations of a group.")
@click.option("--keys", is_flag=True, help="NAMEs are kernel files: list the combinations of their tiling keys.")
@click.option("--json", "as_json", is_flag=True, help="With --keys: as a JSON object.")
def command(names: tuple[str, ...], group: str | None, keys: bool, as_json: bool) -> int:
    """List the operations, or show some: operands, rules, C++ forms, an example that runs.

    With --keys the combinations of values of a kernel file's tiling keys, valid or not, with their packed 64-bit keys.
    """
    if keys:
        from ptopro.cli.key_lists import list_keys

        if not names:
            raise click.UsageError("--keys needs a kernel file")
        return list_keys(names, as_json)
    if as_json:
        raise click.UsageError("--json goes with --keys")
    _list_operations(names, group)
    return 0


def _list_operations(names: tuple[str, ...], group: str | None) -> None:
    from ptopro.language.operations.table import OPERATIONS, find, suggest

    for index, name in enumerate(names):
        operation = find(name.removeprefix("pl."))
        if operation is None:
            near = suggest(name.removeprefix("pl."))
            raise click.UsageError(f"there is no operation {name}" + (f"; did you mean {near}?" if near else ""))
        print(("\n" if index else "") + _page(operation))
    if names:
        return
    shown = [each for each in OPERATIONS.values() if group in (None, each.group)]
    if not shown:
        groups = sorted({each.group for each in OPERATIONS.values()})
        raise click.UsageError(f"there is no group {group}; groups: {', '.join(groups)}")
    width = max(len(each.name) for each in shown)
    for operation in sorted(shown, key=lambda each: (each.group, each.name)):
        print(f"{operation.name:<{width}}  {operation.group:<14}  {operation.summary}")


def _page(operation: Operation) -> str:
    """One operation: its call, what it does, operands, conditions, C++, an example."""
    from ptopro.language.examples import example_of

    call = ", ".join(_parameter(operand) for operand in operation.operands)
    lines = [f"pl.{operation.name}({call})", f"    {operation.summary}", ""]
    width = max((len(operand.name) for operand in operation.operands), default=0)
    for operand in operation.operands:
        facts = [
            operand.role.value,
            "|".join(kind.name.lower() for kind in type(operand.kind) if kind in operand.kind and kind.name),
        ]
        if operand.memory:
            facts.append("in " + ", ".join(memory.name for memory in operand.memory))
        if operation.dtypes.get(operand.name):
            facts.append("of " + ", ".join(dtype.name for dtype in operation.dtypes[operand.name]))
        lines.append(f"    {operand.name:<{width}}  {'; '.join(facts)}")
    lines += [f"    - {constraint}" for constraint in operation.constraints]
    lines += ["", f"    core: {operation.core}; chips: {', '.join(operation.chips)}"]
    for form in operation.forms:
        when = f"  when {', '.join(form.when)}" if form.when else ""
        written = "as its operands ask for" if form.cpp[0].startswith("@") else "; ".join(form.cpp)
        lines.append(f"    C++: {written}{when}")
    lines += ["", "    Example:", "", textwrap.indent(example_of(operation).rstrip(), "        ")]
    return "\n".join(lines)


def _parameter(operand: Operand) -> str:
    name = f"*{operand.name}" if operand.variadic else operand.name
    return (
        name if operand.required or operand.variadic else f"{name}={getattr(operand.default, 'name', operand.default)}"
    )
