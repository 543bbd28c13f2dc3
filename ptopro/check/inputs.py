"""The arguments of a launch: arrays from a seed or from a .npz file, numbers from flags and defaults.

In: an `Interface`, a `Request`, the defaults of the parameters.  Out: `Inputs`, one value for each parameter.  Floats
are normal numbers, integers small ones around zero, so that sums stay exact where they can.
"""

from __future__ import annotations

import math
import types
import zipfile
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ptopro.check.request import Request
from ptopro.check.shapes import Shape, shapes_of
from ptopro.diagnostics import DiagnosticError, make
from ptopro.language.dtypes import DTYPES, DType
from ptopro.runtime.interface import Interface, Parameter

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Array = npt.NDArray[Any]

INTEGERS = 8  # random integers lie in -8..7, unsigned ones in 0..15


@dataclass(frozen=True, slots=True)
class Inputs:
    """values: by parameter, in order; arrays are read-only.  notes: what the reader of a report must know."""

    values: Mapping[str, Any]
    notes: tuple[str, ...] = ()

    @property
    def arrays(self) -> dict[str, Array]:
        return {name: value for name, value in self.values.items() if hasattr(value, "__array_interface__")}

    def fresh(self, written: Collection[str]) -> dict[str, Any]:
        """The values for one launch: arrays that the kernel writes are copied."""
        return {name: value.copy() if name in written and hasattr(value, "copy") else value
                for name, value in self.values.items()}  # fmt: skip


def make_inputs(interface: Interface, request: Request, defaults: Mapping[str, Any]) -> Inputs:
    """Raises DiagnosticError PTO1862 to PTO1866."""
    stored = read_arrays(request.inputs) if request.inputs else {}
    shapes = {**request.shapes, **{name: tuple(array.shape) for name, array in stored.items()}}
    known = shapes_of(interface, {name: dims for name, dims in shapes.items() if _is_array(interface, name)})
    unused = [name for name in request.args if name.partition(".")[0] not in {p.name for p in interface.parameters}]
    if unused:
        names = ", ".join(p.name for p in interface.parameters if p.kind not in ("tensor", "ptr")) or "none"
        what = f"the argument `{unused[0]}`"
        raise DiagnosticError([make("PTO1863", what=what, hint=f"the numbers of `{interface.kernel}` are {names}")])
    values: dict[str, Any] = {}
    for index, parameter in enumerate(interface.parameters):
        if parameter.kind in ("tensor", "ptr"):
            if parameter.name in stored:
                array = _as_parameter(parameter, stored[parameter.name])
            elif parameter.name in request.args:
                array = _given_elements(parameter, known[parameter.name].dims, request.args[parameter.name])
            else:
                array = random_array(parameter, known[parameter.name].dims, (request.seed, index))
            array.flags.writeable = False
            values[parameter.name] = array
        elif parameter.kind == "tiling":
            values[parameter.name] = _tiling(interface, parameter, request, defaults)
        elif parameter.name in stored:
            values[parameter.name] = stored[parameter.name].item()
        else:
            values[parameter.name] = _scalar(interface, parameter, request, defaults)
    return Inputs(values, tuple(_note(name, shape) for name, shape in known.items()))


def _given_elements(parameter: Parameter, shape: tuple[int, ...], given: Any) -> Array:
    """An array by its elements in order, or one number for all: lengths, indices, whatever decides what a kernel does.

    Raises DiagnosticError PTO1863 when there are more or fewer, or when they are no such numbers.
    """
    import numpy as np

    numbers = given if isinstance(given, tuple) else (given,)
    what, count = f"the argument `{parameter.name}`", math.prod(shape)
    if len(numbers) not in (1, count):
        hint = f"the array has {count} elements, {len(numbers)} are given; give all of them, or one for all"
        raise DiagnosticError([make("PTO1863", what=what, hint=hint)])
    dtype = DTYPES[parameter.dtype]
    exact = np.array(numbers, np.float64 if dtype.is_float else object)
    values = exact.astype(numpy_type(dtype.numpy)) if dtype.numpy and _representable(dtype, numbers) else None
    if values is None:
        raise DiagnosticError([make("PTO1863", what=what, hint=f"its elements are pl.{dtype.name}")])
    return np.array(np.broadcast_to(values, (count,)).reshape(shape))


def _representable(dtype: DType, numbers: tuple[Any, ...]) -> bool:
    """Whether an element type holds these numbers; floats round."""
    if dtype.is_float:
        return True
    low = -(1 << (dtype.bits - 1)) if dtype.kind == "int" else 0
    high = low + (1 << dtype.bits) - 1 if dtype.kind != "bool" else 1
    return all(int(number) == number and low <= number <= high for number in numbers)


def random_array(parameter: Parameter, shape: tuple[int, ...], seed: tuple[int, int]) -> Array:
    """Numbers of the parameter's element type.  Raises DiagnosticError PTO1866 for types the host has no name for."""
    import numpy as np

    rng = np.random.default_rng(seed)
    dtype = DTYPES[parameter.dtype]
    if dtype.bits < 8 or not dtype.numpy:
        reason = f"elements of `{parameter.name}` are pl.{dtype.name}, which ptopro cannot make up; give them in a file"
        raise DiagnosticError([make("PTO1866", path="--inputs", reason=reason)])
    if dtype.kind == "bool":
        return rng.integers(0, 2, shape).astype(np.bool_)
    if dtype.kind == "int":
        return rng.integers(-INTEGERS, INTEGERS, shape).astype(dtype.numpy)
    if dtype.kind == "uint":
        return rng.integers(0, 2 * INTEGERS, shape).astype(dtype.numpy)
    if dtype.kind == "scale":
        return np.exp2(rng.integers(-2, 3, shape)).astype(numpy_type(dtype.numpy))
    return rng.standard_normal(shape, dtype=np.float32).astype(numpy_type(dtype.numpy))


def numpy_type(name: str) -> np.dtype[Any]:
    """numpy's type of a name, ml_dtypes' where numpy has none."""
    import numpy as np

    try:
        return np.dtype(name)
    except TypeError:
        import ml_dtypes

        custom: np.dtype[Any] = np.dtype(getattr(ml_dtypes, name))
        return custom


def read_arrays(path: str) -> dict[str, Array]:
    """The arrays of a .npz file.  Raises DiagnosticError PTO1866."""
    import numpy as np

    try:
        with np.load(path, allow_pickle=False) as stored:
            return {name: stored[name] for name in stored.files}
    except OSError as error:
        raise DiagnosticError([make("PTO1866", path=path, reason=error.strerror or str(error))]) from error
    except (ValueError, EOFError, AttributeError, TypeError, zipfile.BadZipFile) as error:
        raise DiagnosticError([make("PTO1866", path=path, reason="it is no .npz file of plain arrays")]) from error


def write_arrays(path: Path, inputs: Inputs) -> None:
    """All arrays and plain numbers as .npz; elements that numpy has no name for as unsigned integers of their size."""
    import io

    import numpy as np

    from ptopro.build.files import write_if_changed

    plain: dict[str, Any] = {}
    for name, value in inputs.values.items():
        if isinstance(value, types.SimpleNamespace):
            continue
        array = np.asarray(value)
        plain[name] = array if array.dtype.isbuiltin == 1 else array.view(f"u{array.dtype.itemsize}")
    stream = io.BytesIO()
    np.savez_compressed(stream, **plain)
    write_if_changed(path, stream.getvalue())


def _as_parameter(parameter: Parameter, array: Array) -> Array:
    """A stored array with the parameter's own element type, where it was stored as raw bytes of it."""
    import numpy as np

    name = DTYPES[parameter.dtype].numpy
    array = np.ascontiguousarray(array)
    if not name or array.dtype.name == name:
        return array
    wanted = numpy_type(name)
    raw = array.dtype.kind == "V" or (array.dtype.kind == "u" and wanted.isbuiltin != 1)
    return array.view(wanted) if raw and array.dtype.itemsize == wanted.itemsize else array


def _scalar(interface: Interface, parameter: Parameter, request: Request, defaults: Mapping[str, Any]) -> Any:
    if parameter.name in request.args:
        value = request.args[parameter.name]
        return float(value) if isinstance(value, int) and DTYPES[parameter.dtype].is_float else value
    if parameter.name in defaults:
        return defaults[parameter.name]
    raise DiagnosticError(
        [make("PTO1864", kernel=interface.kernel, name=parameter.name, dtype=parameter.dtype, example=parameter.name)]
    )


def _tiling(
    interface: Interface, parameter: Parameter, request: Request, defaults: Mapping[str, Any]
) -> types.SimpleNamespace:
    """The fields of tiling data; those not given are what the dataclass says."""
    fields = types.SimpleNamespace()
    for item in parameter.fields:
        name = f"{parameter.name}.{item.name}"
        if name in request.args:
            value: Any = request.args[name]
            value = [value] if item.length and not isinstance(value, tuple) else value
        elif name in defaults:
            value = defaults[name]
        else:
            raise DiagnosticError([make("PTO1864", kernel=interface.kernel, name=name, dtype=item.dtype, example=name)])
        setattr(fields, item.name, value)
    return fields


def _is_array(interface: Interface, name: str) -> bool:
    """Whether a shape is kept: not that of a stored number."""
    return all(p.name != name or p.kind in ("tensor", "ptr") for p in interface.parameters)


def _note(name: str, shape: Shape) -> str:
    text = "x".join(map(str, shape.dims)) if math.prod(shape.dims) else "empty"
    return f"{name} {text}" + (f" (as {shape.origin})" if shape.origin else "")
