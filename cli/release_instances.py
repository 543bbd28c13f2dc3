"""The instances of a kernel for a release, and the C++ of one of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ptopro.cli.options import Session
from ptopro.diagnostics import DiagnosticError, Sink, make
from ptopro.release.instances import Instance, dtype_choices

if TYPE_CHECKING:
    from ptopro.codegen import Generated
    from ptopro.frontend.kernels import KernelSource


def instances_of(session: Session, kernel: KernelSource, operator: str) -> tuple[list[Instance], dict[str, str]]:
    """The instances that a release holds, and the files for the host's code.

    With --key only the keys that have those values.  Raises DiagnosticError: those of the key class, PTO1917, PTO2004.
    """
    choices = dtype_choices(kernel, session.launch.dtypes)
    keys, host = _keys(session, kernel, operator)
    keyed = kernel.options.tiling_key is not None
    return [Instance(packed, fields, choice, keyed) for choice in choices for packed, fields in keys], host


def _keys(
    session: Session, kernel: KernelSource, operator: str
) -> tuple[list[tuple[int, dict[str, int]]], dict[str, str]]:
    """(packed, field -> value) of each key of a release; a kernel without tiling key has the key 0.  And its header."""
    given = dict(session.launch.key)
    if kernel.options.tiling_key is None:
        _refuse_fields(given, {}, kernel.name)
        return [(0, {})], {}
    from ptopro.codegen.tiling_headers import tilingkey_header
    from ptopro.frontend.keys import key_schema, valid_keys

    sink = Sink()
    schema = key_schema(kernel)
    assert schema is not None
    keys = valid_keys(schema, sink)
    sink.raise_if_errors()
    _refuse_fields(given, {field.name: field.values for field in schema.fields}, kernel.name)
    chosen = [key for key in keys if all(key.fields[name] == value for name, value in given.items())]
    chosen = [key for key in chosen if not session.launch.packed or key.packed in session.launch.packed]
    if not chosen:
        reason = f"no valid key of kernel `{kernel.name}` has these values"
        raise DiagnosticError([make("PTO1917", option=_as_option(given), reason=reason)])
    header = tilingkey_header(schema, chosen, operator, Path(kernel.module.path).name)
    return [(key.packed, dict(key.fields)) for key in chosen], dict([header])


def _refuse_fields(given: Mapping[str, int], fields: Mapping[str, Sequence[int]], kernel: str) -> None:
    """Raises DiagnosticError PTO1917 for a value of --key that no key can have."""
    for name, value in given.items():
        if name not in fields:
            reason = f"kernel `{kernel}` has no tiling key's field of that name"
        elif value not in fields[name]:
            reason = f"it must be one of {', '.join(map(str, fields[name]))}"
        else:
            continue
        raise DiagnosticError([make("PTO1917", option=_as_option({name: value}), reason=reason)])


def _as_option(given: Mapping[str, int]) -> str:
    return " ".join(f"--key {name}={value}" for name, value in given.items())


def generate_instance(
    session: Session, kernel: KernelSource, instance: Instance, sink: Sink
) -> tuple[Generated, dict[str, Any]] | None:
    """The C++ of an instance and what a launch must know of it; None when something is wrong with it."""
    from ptopro.codegen.driver import codegen_kernel
    from ptopro.expand import ExpandOptions
    from ptopro.lowering.target import Target
    from ptopro.runtime.interface import interface_of
    from ptopro.runtime.written import written_parameters

    target = Target(
        chip=session.arch,
        static_dims=dict(session.launch.shapes),
        key=instance.fields,
        dtypes=instance.elements,
    )
    written: list[str] = []
    generated = codegen_kernel(
        kernel,
        target=target,
        expand_options=ExpandOptions(coalesce=session.coalesce, preload=session.preload),
        sink=sink,
        observe=lambda lowered: written.extend(written_parameters(lowered)),
    )
    if generated is None:
        return None
    return generated, {
        "interface": interface_of(kernel).to_json(),
        "written": written,
        "datatype": dict(kernel.options.datatype or {}),
    }
