"""`ptopro ops --keys`: every combination of a kernel's tiling key, valid or not, with its packed value."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from ptopro.cli.output import Reporter
from ptopro.diagnostics import Sink

if TYPE_CHECKING:
    from ptopro.frontend.kernels import KernelSource
    from ptopro.frontend.keys import KeySchema


def list_keys(paths: tuple[str, ...], as_json: bool) -> int:
    """Print the keys of the kernels of some files; the exit code.

    A class of more combinations than a kernel can have keys is listed by its valid ones.
    """
    from ptopro.cli.kernels import missing
    from ptopro.frontend.keys import key_schema
    from ptopro.frontend.source import load_module

    reporter = Reporter("json" if as_json else "text", to_stderr=True)
    tables = []
    for path in paths:
        problem = missing(path)
        if problem is not None:
            reporter.show([problem])
            continue
        sink = Sink()
        module = load_module(path, sink=sink)
        reporter.show(sink.diagnostics)
        for kernel in () if sink.has_errors else module.kernels:
            schema = key_schema(kernel)
            if schema is not None:
                tables.append(_table(reporter, path, kernel, schema))
            elif not as_json:
                print(f"{path}: kernel {kernel.name} has no tiling key")
    if as_json:
        print(json.dumps({"kernels": tables}, indent=1))
    else:
        print("\n\n".join(_text(table) for table in tables))
    return reporter.finish()


def _table(reporter: Reporter, path: str, kernel: KernelSource, schema: KeySchema) -> dict[str, Any]:
    from ptopro.frontend.keys import MAX_KEYS, valid_keys

    sink = Sink()
    valid = {key.packed: key for key in valid_keys(schema, sink)}
    reporter.show(sink.diagnostics)
    listed = valid.values() if schema.count > MAX_KEYS else schema.combinations()
    rows = []
    for key in listed:
        taken = key.packed in valid
        problem = "" if taken else schema.problem(key.values) if sink.has_errors else "is_valid rejects it"
        rows.append({"packed": key.packed, "fields": dict(key.fields), "valid": taken, "problem": problem})
    return {
        "file": path,
        "kernel": kernel.name,
        "class": schema.name,
        "fields": [{"name": f.name, "bits": f.bits, "shift": f.shift, "values": list(f.values)} for f in schema.fields],
        "combinations": schema.count,
        "valid": len(valid),
        "keys": rows,
    }


def _text(table: dict[str, Any]) -> str:
    """One kernel: a line for its class, one for each field, one for each combination."""
    head = f"{table['file']}: kernel {table['kernel']}, tiling key {table['class']}"
    lines = [f"{head}: {table['valid']} of {table['combinations']} combinations are valid"]
    for field in table["fields"]:
        last = field["shift"] + field["bits"] - 1
        place = f"bit {last}" if field["bits"] == 1 else f"bits {field['shift']} to {last}"
        lines.append(f"  {field['name']}: {place}, {', '.join(map(str, field['values']))}")
    header = ["packed", "hex", *(field["name"] for field in table["fields"]), "valid"]
    rows = [
        [str(r["packed"]), f"{r['packed']:#x}", *map(str, r["fields"].values()), "yes" if r["valid"] else "no"]
        for r in table["keys"]
    ]
    widths = [max(map(len, column)) for column in zip(header, *rows, strict=True)]
    for row in (header, *rows):
        lines.append("  ".join(word.rjust(width) for word, width in zip(row, widths, strict=True)))
    if len(rows) < table["combinations"]:
        lines.append(f"(the {table['combinations'] - len(rows)} combinations that are not valid are not listed)")
    lines += sorted({f"  {row['problem']}" for row in table["keys"] if row["problem"].find("rejects") < 0} - {"  "})
    return "\n".join(lines)
