"""`ptopro run <op>.json`: launch a key of a release on the simulator."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import click

from ptopro.cli.launch_values import READERS
from ptopro.diagnostics import DiagnosticError, make


def _key(context: click.Context, parameter: click.Parameter, texts: tuple[str, ...]) -> int | dict[str, int] | None:
    """A packed key, or Field=value pairs, with commas or repeated."""
    parts = [part for text in texts for part in text.split(",")]
    try:
        if len(parts) == 1 and "=" not in parts[0]:
            return int(parts[0], 0)
        return {name.strip(): int(value, 0) for name, _, value in (part.partition("=") for part in parts)} or None
    except ValueError:
        raise click.BadParameter("give the packed key, or FIELD=N,FIELD=N") from None


def _pairs(context: click.Context, parameter: click.Parameter, texts: tuple[str, ...]) -> dict[str, str]:
    found = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals:
            raise click.BadParameter(f"`{text}` is not {parameter.metavar}")
        found[name] = value
    return found


@click.command(name="run")
@click.option("--key", multiple=True, metavar="N|FIELD=N,...", callback=_key, help="The key: packed, or by fields.")
@click.option(
    "--dtype", "dtypes", multiple=True, metavar="NAME=TYPE", callback=_pairs, help="Element types, if several."
)
@click.option("--inputs", type=click.Path(dir_okay=False), metavar="FILE.npz", help="Arrays and scalars by name.")
@click.option("--set", "values", multiple=True, metavar="NAME=N", callback=_pairs, help="A scalar (repeatable).")
@click.option(
    "--zeros", multiple=True, metavar="NAME=TYPE:N,N", callback=_pairs, help="An array of zeros (repeatable)."
)
@click.option(
    "--tiling", type=click.Path(dir_okay=False), metavar="FILE", help="Tiling data: .json, or the struct's bytes."
)
@click.option(
    "--outputs", type=click.Path(dir_okay=False), metavar="FILE.npz", help="Write all arrays here afterwards."
)
@click.option("--block-dim", type=click.IntRange(1), metavar="N", help="Blocks [as released].")
@click.argument("manifest", type=click.Path(dir_okay=False))
def command(
    manifest: str,
    key: int | dict[str, int] | None,
    dtypes: dict[str, str],
    inputs: str | None,
    values: dict[str, str],
    zeros: dict[str, str],
    tiling: str | None,
    outputs: str | None,
    block_dim: int | None,
) -> int:
    """Launch a key of the release that MANIFEST (<op>.json) describes, on the simulator.

    Every object is compared with its checksum before anything is loaded.
    """
    from ptopro.release import execute
    from ptopro.release import manifest as manifests
    from ptopro.simulator.machine import LaunchOptions

    release = manifests.read(Path(manifest))
    named = {name: dtype.upper().removeprefix("DT_") for name, dtype in dtypes.items()}
    chosen = execute.choose(release, key, named)
    arguments = _arguments(chosen, inputs, values, zeros, tiling)
    options = LaunchOptions.from_environment(str(release.data["arch"]))
    report = execute.run(chosen, arguments, block_dim or int(release.data["block_dim"]), options)
    _report(chosen, arguments, report)
    if outputs:
        _save(outputs, arguments)
    return 0


def _arguments(
    chosen: Any, inputs: str | None, values: Mapping[str, str], zeros: Mapping[str, str], tiling: str | None
) -> dict[str, object]:
    """Arguments by parameter.  Raises DiagnosticError PTO1901, PTO2009."""
    import numpy as np

    given: dict[str, Any] = {}
    if inputs:
        given.update(_loaded(chosen, inputs))
    for name, text in zeros.items():
        dtype, _, dims = text.partition(":")
        try:
            given[name] = np.zeros(READERS["shape"](dims), _numpy_type(str(READERS["dtype"](dtype))))
        except ValueError:
            raise _unfit(chosen, f"`--zeros {name}={text}` is not NAME=TYPE:N,N") from None
    parameters = {parameter.name: parameter for parameter in chosen.interface.parameters}
    for name, text in values.items():
        given[name] = _number(chosen, name, text)
    size = sum(chosen.manifest.data["workspace"].get("size", []))
    if "workspace" in parameters and "workspace" not in given:
        given["workspace"] = np.zeros(max(size, 1), np.uint8)
    for parameter in parameters.values():
        if parameter.kind == "tiling" and tiling:
            given[parameter.name] = _tiling(chosen, parameter, tiling)
        elif parameter.kind == "scalar" and isinstance(given.get(parameter.name), np.ndarray):
            given[parameter.name] = given[parameter.name].item()
        elif parameter.kind == "tensor" and isinstance(given.get(parameter.name), np.ndarray):
            given[parameter.name] = _typed(given[parameter.name], parameter.dtype)
    unknown = [name for name in given if name not in parameters]
    missing = [name for name in parameters if name not in given]
    if unknown or missing:
        words = [f"{', '.join(unknown)}: no such parameter"] if unknown else []
        words += [f"{', '.join(missing)}: missing"] if missing else []
        raise _unfit(chosen, "; ".join(words))
    return given


def _loaded(chosen: Any, path: str) -> dict[str, Any]:
    """The arrays of an .npz file, writable and in row-major order.  No objects are unpickled."""
    import numpy as np

    try:
        with np.load(path, allow_pickle=False) as file:
            return {name: np.ascontiguousarray(file[name]) if file[name].ndim else file[name] for name in file.files}
    except FileNotFoundError:
        raise DiagnosticError([make("PTO1901", path=path, hint="--inputs names an .npz file")]) from None
    except (OSError, ValueError, EOFError) as error:
        raise _unfit(chosen, f"{path} is no .npz file of arrays: {error}") from None


def _tiling(chosen: Any, parameter: Any, path: str) -> object:
    """Tiling data from a JSON object of fields, or from the bytes of the C struct that host code has filled."""
    import ctypes
    import json

    from ptopro.runtime.tiling import struct_type

    try:
        if path.endswith(".json"):
            return SimpleNamespace(**json.loads(Path(path).read_text()))
        data = Path(path).read_bytes()
    except FileNotFoundError:
        raise DiagnosticError(
            [make("PTO1901", path=path, hint="--tiling names a .json file or a binary one")]
        ) from None
    except (OSError, ValueError, TypeError) as error:
        raise _unfit(chosen, f"{path} is no JSON object: {error}") from None
    kind = struct_type(parameter)
    if len(data) != ctypes.sizeof(kind):
        raise _unfit(chosen, f"{path} has {len(data)} bytes, the struct {parameter.dtype} has {ctypes.sizeof(kind)}")
    packed = kind.from_buffer_copy(data)
    fields = {name: getattr(packed, name) for name, _ in kind._fields_}  # type: ignore[misc]
    return SimpleNamespace(**{name: list(v) if isinstance(v, ctypes.Array) else v for name, v in fields.items()})


def _number(chosen: Any, name: str, text: str) -> int | float:
    try:
        return int(text, 0)
    except ValueError:
        try:
            return float(text)
        except ValueError:
            raise _unfit(chosen, f"`--set {name}={text}` is no number") from None


def _numpy_type(dtype: str) -> Any:
    """The numpy type of an element type, ml_dtypes' for those numpy does not have."""
    import ml_dtypes
    import numpy as np

    from ptopro.language.dtypes import DTYPES

    name = DTYPES[f"DT_{dtype.removeprefix('DT_')}"].numpy or "uint8"
    return np.dtype(getattr(ml_dtypes, name, None) or name)


def _typed(array: Any, dtype: str) -> Any:
    """An array with the type that numpy forgot when it was saved (bfloat16 and the like come back as raw bytes)."""
    wanted = _numpy_type(dtype)
    return array.view(wanted) if array.dtype.kind == "V" and array.dtype.itemsize == wanted.itemsize else array


def _report(chosen: Any, arguments: Mapping[str, Any], report: Any) -> None:
    """What ran, and each array that the kernel wrote."""
    import hashlib

    print(f"{chosen.manifest.operator} key {chosen.entry['tilingKey']}: {report.cycles:.0f} cycles (estimate)")
    for name in chosen.outputs:
        array = arguments[name]
        print(f"{name}: {array.dtype}{list(array.shape)} sha256 {hashlib.sha256(array.tobytes()).hexdigest()[:16]}")


def _save(path: str, arguments: Mapping[str, Any]) -> None:
    import io

    import numpy as np

    from ptopro.build.files import write_if_changed

    data = io.BytesIO()
    arrays: dict[str, Any] = {name: value for name, value in arguments.items() if isinstance(value, np.ndarray)}
    np.savez(data, **arrays)
    write_if_changed(path, data.getvalue())


def _unfit(chosen: Any, problem: str) -> DiagnosticError:
    names = ", ".join(f"{p.name} ({p.kind})" for p in chosen.interface.parameters)
    return DiagnosticError([make("PTO2009", operator=chosen.manifest.operator, problem=problem, parameters=names)])
