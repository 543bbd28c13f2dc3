"""`--shape`, `--key`, `--dtype`: what a launch would fix at compile time, given on the command line.

In: the options and a kernel.  Out: the `Target` that it is lowered for, or None when values are missing (the kernel is
then listed with the options that it needs).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from ptopro.diagnostics import DiagnosticError, make

if TYPE_CHECKING:
    from ptopro.cli.options import Session
    from ptopro.frontend.kernels import KernelSource
    from ptopro.lowering.target import Target

OPTIONS = ("shape", "key", "dtype")


@dataclass(frozen=True, slots=True)
class LaunchValues:
    """shapes: (parameter, dims); key: (field, value); dtypes: (parameter or variable, name without DT_).

    packed: of a release, only these keys; empty: all that fit `key`.
    """

    shapes: tuple[tuple[str, tuple[int, ...]], ...] = ()
    key: tuple[tuple[str, int], ...] = ()
    dtypes: tuple[tuple[str, str], ...] = ()
    packed: tuple[int, ...] = ()


def launch_options(function: Callable[..., Any], names: tuple[str, ...] = OPTIONS) -> Callable[..., Any]:
    """The three options (or those named), which are read into `session.launch`."""
    for name, metavar, text in (
        ("dtype", "NAME=TYPE", "Element type of a parameter or variable of datatype=, such as x=fp16 (repeatable)."),
        ("key", "FIELD=N", "Value of a field of the tiling key (repeatable; or A=0,B=1)."),
        ("shape", "TENSOR=N,N...", "All dims of a tensor that has pl.STATIC ones (repeatable)."),
    ):
        if name in names:
            function = click.option(f"--{name}", multiple=True, metavar=metavar, callback=_split, help=text)(function)
    return function


def read(options: dict[str, Any]) -> LaunchValues:
    """Take the three options out of a command's options."""
    shape, key, dtype = (options.pop(name, ()) for name in OPTIONS)
    return LaunchValues(shape, key, dtype)


def _split(context: click.Context, parameter: click.Parameter, texts: tuple[str, ...]) -> tuple[tuple[str, Any], ...]:
    assert parameter.name is not None
    found = []
    several = parameter.name != "shape"  # whose values hold commas themselves
    for text in [part for given in texts for part in (given.split(",") if several else [given])]:
        name, equals, value = text.partition("=")
        try:
            if not equals or not name.isidentifier():
                raise ValueError
            found.append((name, READERS[parameter.name](value)))
        except ValueError:
            raise click.BadParameter(f"`{text}` is not {parameter.metavar}") from None
    return tuple(found)


def _dims(text: str) -> tuple[int, ...]:
    dims = tuple(int(item) for item in re.split("[,x]", text.strip("()[]")))
    if min(dims) < 1:
        raise ValueError
    return dims


def _dtype(text: str) -> str:
    from ptopro.language import dtypes

    name = text.upper().removeprefix("DT_")
    if not isinstance(getattr(dtypes, name, None), dtypes.DType):
        raise ValueError
    return name


READERS: dict[str, Callable[[str], object]] = {"shape": _dims, "key": lambda text: int(text, 0), "dtype": _dtype}


def target_of(session: Session, kernel: KernelSource) -> Target | None:
    """What the kernel is lowered for.  None: it needs values that are not given; they are listed."""
    from ptopro.frontend.keys import key_schema
    from ptopro.language import dtypes
    from ptopro.lowering import instance
    from ptopro.lowering.target import Target

    given = session.launch
    schema = key_schema(kernel)
    fields = {field.name: field for field in schema.fields} if schema is not None else {}
    key = {name: value for name, value in given.key if name in fields}
    target = Target(
        chip=session.arch,
        static_dims={name: dims for name, dims in given.shapes if name in instance.static_parameters(kernel)},
        key=key,
        dtypes={name: getattr(dtypes, dtype) for name, dtype in _dtypes(session, kernel).items()},
    )
    for name, value in key.items():
        if value not in fields[name].values:
            listed = ", ".join(map(str, fields[name].values))
            raise DiagnosticError(
                [make("PTO1917", option=f"--key {name}={value}", reason=f"it must be one of {listed}")]
            )
    if schema is not None and len(key) == len(fields):
        refusal = schema.problem(tuple(key[name] for name in fields))
        if refusal:
            raise DiagnosticError(
                [make("PTO1917", option=" ".join(f"--key {name}={key[name]}" for name in fields), reason=refusal)]
            )
    missing = [f"--shape {name}=..." for name in instance.missing_shapes(kernel, target)]
    for name in instance.missing_names(kernel, target):
        if name in fields:
            missing.append(f"--key {name}={'|'.join(map(str, fields[name].values))}")
        else:
            missing.append(f"--dtype {name}=...")
    if missing:
        session.reporter.show(
            [make("PTO1915", kernel.span, kernel=kernel.name, reason="it needs " + " ".join(missing))]
        )
        return None
    return target


def variant_of(session: Session, kernel: KernelSource) -> str:
    """The folder of the kernel's files below its own: that of its key and element types, as a launch would call it."""
    from ptopro.build.layout import variant_name
    from ptopro.frontend.keys import key_schema

    schema = key_schema(kernel)
    packed = None if schema is None else schema.pack(dict(session.launch.key))
    return variant_name(packed, (dtype for _, dtype in sorted(_dtypes(session, kernel).items())))


def _dtypes(session: Session, kernel: KernelSource) -> dict[str, str]:
    """The element type of each variable of the kernel's `datatype=`, given by its name or by a parameter's.

    Raises DiagnosticError PTO1917 when two options disagree.
    """
    declared = kernel.options.datatype or {}
    found: dict[str, str] = {}
    for name, dtype in session.launch.dtypes:
        variable = declared.get(name, name)
        if variable in declared.values() and found.setdefault(variable, dtype) != dtype:
            reason = f"`{variable}` of kernel `{kernel.name}` is {found[variable].lower()} already"
            raise DiagnosticError([make("PTO1917", option=f"--dtype {name}={dtype.lower()}", reason=reason)])
    return found


def check_names(session: Session, kernels: tuple[KernelSource, ...], path: str) -> None:
    """Values that no kernel of the file takes are mistakes."""
    from ptopro.frontend.keys import key_schema
    from ptopro.lowering import instance

    def dtype_names(kernel: KernelSource) -> tuple[str, ...]:
        return (*(kernel.options.datatype or {}), *instance.dtype_variables(kernel))

    def key_names(kernel: KernelSource) -> list[str]:
        schema = key_schema(kernel)
        return [field.name for field in schema.fields] if schema is not None else []

    given = session.launch
    takers = (
        ("shape", given.shapes, instance.static_parameters, "a tensor with STATIC dims"),
        ("key", given.key, key_names, "a tiling key's field"),
        ("dtype", given.dtypes, dtype_names, "an entry of datatype="),
    )
    for option, values, names_of, what in takers:
        for name, _ in values:
            if not any(name in names_of(kernel) for kernel in kernels):
                reason = f"no kernel of {path} has {what} of that name"
                raise DiagnosticError([make("PTO1917", option=f"--{option} {name}", reason=reason)])
