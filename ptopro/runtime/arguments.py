"""Check the arguments of a launch against the kernel's parameters, and lay them out for the kernel's entry.

In: an `Interface`, positional and keyword arguments.  Out: `Bound`: the array views, scalars and STATIC dims; then,
with the written parameters and the dynamic dims of the compiled kernel, the `void*` array of the entry.  Everything
wrong with a launch is reported at once, before anything runs.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field

from ptopro.diagnostics import Diagnostic, make
from ptopro.language.dtypes import DTYPES
from ptopro.runtime.arrays import ArrayView, view_of
from ptopro.runtime.errors import LaunchError, LaunchTypeError
from ptopro.runtime.interface import DYNAMIC, REST, STATIC, Interface, Parameter
from ptopro.runtime.scalars import pack_scalar
from ptopro.runtime.tiling import pack_tiling

# Element types that numpy has no name for, or that programs keep as raw bytes.
_RAW = ("uint8", "int8")
_UNSIGNED = ("uint16", "uint32", "uint64")
_TYPE_CODES = {"PTO1801", "PTO1802", "PTO1803", "PTO1804", "PTO1809", "PTO1816"}


@dataclass(slots=True)
class Bound:
    """Arguments that fit.  views: by parameter, None for a null pointer; static: (parameter, axis, extent)."""

    interface: Interface
    views: dict[str, ArrayView | None] = field(default_factory=dict)
    scalars: dict[str, object] = field(default_factory=dict)
    static: tuple[tuple[str, int, int], ...] = ()

    @property
    def static_dims(self) -> dict[str, tuple[int, ...]]:
        """Shapes of the parameters that have STATIC dims; axes that stay dynamic, which fix nothing, count as 1."""
        declared = {parameter.name: parameter.dims for parameter in self.interface.parameters}
        found: dict[str, tuple[int, ...]] = {}
        for name in dict.fromkeys(name for name, _, _ in self.static):
            view = self.views[name]
            shape = view.shape if view is not None else ()
            dynamic = {axis for axis, dim in enumerate(declared[name]) if dim == DYNAMIC}
            found[name] = tuple(1 if axis in dynamic else extent for axis, extent in enumerate(shape))
        return found


def bind(
    interface: Interface, args: Sequence[object], kwargs: Mapping[str, object], defaults: Mapping[str, object]
) -> Bound:
    """Check the arguments.  Raises LaunchError or LaunchTypeError with every problem found."""
    problems: list[Diagnostic] = []
    values = _match(interface, args, kwargs, defaults, problems)
    bound = Bound(interface)
    static: list[tuple[str, int, int]] = []
    for parameter in interface.parameters:
        if parameter.name not in values:
            continue
        value = values[parameter.name]
        if parameter.kind in ("tensor", "ptr"):
            bound.views[parameter.name] = _array(interface, parameter, value, problems, static)
        else:
            bound.scalars[parameter.name] = _scalar(interface, parameter, value, problems)
    bound.static = tuple(static)
    _raise(problems)
    return bound


def check_outputs(bound: Bound, written: Collection[str]) -> None:
    """Raise LaunchError when an array that the kernel writes is read-only."""
    _raise(
        [
            _problem("PTO1808", kernel=bound.interface.kernel, name=name)
            for name, view in bound.views.items()
            if view is not None and view.read_only and name in written
        ]
    )


def lay_out(bound: Bound, dynamic: Sequence[tuple[str, int]]) -> tuple[ctypes.Array[ctypes.c_void_p], list[object]]:
    """The entry's `args`: a pointer to each argument's storage, then the dynamic dims; and what must stay alive."""
    storages: list[object] = []
    for parameter in bound.interface.parameters:
        if parameter.kind in ("tensor", "ptr"):
            view = bound.views[parameter.name]
            storages.append(ctypes.c_void_p(view.address if view is not None else None))
        else:
            storages.append(bound.scalars[parameter.name])
    for name, axis in dynamic:
        view = bound.views[name]
        storages.append(ctypes.c_int64(view.shape[axis] if view is not None else 0))
    pointers = (ctypes.c_void_p * max(1, len(storages)))()
    for index, storage in enumerate(storages):
        pointers[index] = ctypes.addressof(storage)  # type: ignore[arg-type]
    return pointers, storages


def _match(
    interface: Interface,
    args: Sequence[object],
    kwargs: Mapping[str, object],
    defaults: Mapping[str, object],
    problems: list[Diagnostic],
) -> dict[str, object]:
    """Values by parameter name, as Python itself would bind them."""
    names = [parameter.name for parameter in interface.parameters]
    values = dict(zip(names, args, strict=False))
    for name, value in kwargs.items():
        if name not in names or name in values:
            reason = "is given twice" if name in values else "is no parameter of it"
            problems.append(
                _problem("PTO1802", kernel=interface.kernel, name=name, reason=reason, names=", ".join(names))
            )
        else:
            values[name] = value
    missing = [name for name in names if name not in values and name not in defaults]
    if missing or len(args) > len(names):
        problem = f"missing: {', '.join(missing)}" if missing else f"{len(args) - len(names)} too many"
        problems.append(
            _problem(
                "PTO1801", kernel=interface.kernel, wanted=len(names), given=len(args) + len(kwargs), problem=problem
            )
        )
    for name in names:
        if name not in values and name in defaults:
            values[name] = defaults[name]
    return values


def _array(
    interface: Interface,
    parameter: Parameter,
    value: object,
    problems: list[Diagnostic],
    static: list[tuple[str, int, int]],
) -> ArrayView | None:
    """The view of an array argument; what is wrong with it goes to `problems`."""
    facts = {"kernel": interface.kernel, "name": parameter.name}
    if value is None:
        if any(dim in (STATIC, REST) for dim in parameter.dims):
            problems.append(
                _problem("PTO1816", **facts, what="a tensor with pl.STATIC dims, whose extents it must give")
            )
        return None
    try:
        view = view_of(value)
    except (BufferError, RuntimeError, TypeError) as error:
        problems.append(_problem("PTO1803", **facts, given=f"a {type(value).__name__} that cannot be read: {error}"))
        return None
    if view is None:
        problems.append(_problem("PTO1803", **facts, given=f"a {type(value).__name__}"))
        return None
    if not view.on_host:
        problems.append(_problem("PTO1814", **facts, place=view.place))
    if parameter.kind == "tensor":
        _check_type(parameter, view, facts, problems)
        _check_shape(parameter, view, facts, problems, static)
    if not view.contiguous:
        problems.append(_problem("PTO1807", **facts, shape=_shape(view.shape)))
    return view


def _check_type(parameter: Parameter, view: ArrayView, facts: Mapping[str, object], problems: list[Diagnostic]) -> None:
    wanted = DTYPES[parameter.dtype]
    if view.dtype == wanted.numpy:
        return
    if wanted.kind in ("fp8", "fp4", "scale") and view.dtype in _RAW:
        return
    if view.signless and wanted.numpy in _UNSIGNED and view.dtype == wanted.numpy.removeprefix("u"):
        return
    problems.append(
        _problem("PTO1804", **facts, wanted=wanted.name, expected=wanted.numpy or "uint8 bytes", given=view.dtype)
    )


def _check_shape(
    parameter: Parameter,
    view: ArrayView,
    facts: Mapping[str, object],
    problems: list[Diagnostic],
    static: list[tuple[str, int, int]],
) -> None:
    dims = parameter.dims
    open_ended = bool(dims) and dims[-1] == REST
    count = len(dims) - 1 if open_ended else len(dims)
    if len(view.shape) < count or (len(view.shape) > count and not open_ended):
        wanted = f"at least {count}" if open_ended else str(count)
        problems.append(_problem("PTO1805", **facts, wanted=wanted, given=len(view.shape), shape=_shape(view.shape)))
        return
    for axis, extent in enumerate(view.shape):
        dim = dims[axis] if axis < count else STATIC
        if isinstance(dim, int) and extent != dim:
            problems.append(_problem("PTO1806", **facts, axis=axis, wanted=dim, given=extent, shape=_shape(view.shape)))
        elif extent < 1:
            problems.append(_problem("PTO1817", **facts, axis=axis, shape=_shape(view.shape)))
        elif dim == STATIC:
            static.append((parameter.name, axis, extent))


def _scalar(interface: Interface, parameter: Parameter, value: object, problems: list[Diagnostic]) -> object:
    facts = {"kernel": interface.kernel, "name": parameter.name}
    try:
        if parameter.kind == "tiling":
            return pack_tiling(parameter, value)
        return pack_scalar(parameter.dtype, value)
    except (TypeError, ValueError) as error:
        code = "PTO1815" if parameter.kind == "tiling" else "PTO1809"
        problems.append(_problem(code, **facts, wanted=parameter.dtype, reason=str(error)))
        return None


def _problem(code: str, **facts: object) -> Diagnostic:
    """A diagnostic without a place: launches happen in the host program, whose traceback says where."""
    return make(code, None, labels=(), notes=(), **facts)


def _shape(shape: tuple[int, ...]) -> str:
    return f"[{', '.join(map(str, shape))}]"


def _raise(problems: list[Diagnostic]) -> None:
    """One exception for all problems; a TypeError when the first is about a type."""
    if not problems:
        return
    kind: Callable[[list[Diagnostic]], LaunchError] = LaunchError
    if problems[0].code in _TYPE_CODES:
        kind = LaunchTypeError
    raise kind(problems)


__all__ = ["DYNAMIC", "Bound", "bind", "check_outputs", "lay_out"]
