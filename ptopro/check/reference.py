"""What a kernel should have computed, by a function of the user.

In: `module:function` or `file.py:function`, and the inputs.  Out: the wanted arrays by parameter name.  The function is
called with those of the kernel's arguments that its signature names (all with **kwargs), and gives one array when the
kernel writes one, else a dict by name or a tuple in the order of the parameters.  A check executes no other code of the
user.
"""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ptopro.check.inputs import Inputs
from ptopro.diagnostics import DiagnosticError, make

if TYPE_CHECKING:
    from ptopro.check.inputs import Array


def load_reference(text: str) -> Callable[..., Any]:
    """The function that `text` names.  Raises DiagnosticError PTO1865."""
    name, colon, function = text.rpartition(":")
    if not colon or not name or not function:
        raise _unusable(text, "write it as module:function")
    try:
        module = _from_file(Path(name)) if name.endswith(".py") else _by_name(name)
        found = getattr(module, function, None)
    except Exception as error:
        raise _unusable(text, f"importing it failed: {type(error).__name__}: {error}") from error
    if not callable(found):
        raise _unusable(text, f"`{name}` has no function `{function}`")
    return found  # type: ignore[no-any-return]


def wanted_results(text: str, function: Callable[..., Any], inputs: Inputs, written: Sequence[str]) -> dict[str, Array]:
    """Call the reference on copies of the inputs.  Raises DiagnosticError PTO1865 for what it gives or raises."""
    values = inputs.fresh(tuple(inputs.values))
    try:
        accepted = inspect.signature(function).parameters
        open_ended = any(each.kind is each.VAR_KEYWORD for each in accepted.values())
        result = function(**{name: value for name, value in values.items() if open_ended or name in accepted})
    except Exception as error:
        raise _unusable(text, f"it raised {type(error).__name__}: {error}") from error
    found = _by_parameter(text, result, written)
    import numpy as np

    for name, array in found.items():
        shape, actual = np.shape(array), values[name].shape
        if shape != actual:
            raise _unusable(text, f"`{name}` has shape {list(shape)}, the kernel's is {list(actual)}")
    return found


def _by_parameter(text: str, result: Any, written: Sequence[str]) -> dict[str, Array]:
    names = ", ".join(written)
    if isinstance(result, Mapping):
        unknown = [name for name in result if name not in written]
        if unknown or not result:
            raise _unusable(text, f"its dict must have the arrays that the kernel writes: {names}")
        return dict(result)
    parts = result if isinstance(result, tuple) else (result,)
    if len(parts) != len(written) or any(part is None for part in parts):
        raise _unusable(text, f"it must give {len(written)} arrays: {names}")
    return dict(zip(written, parts, strict=True))


def _from_file(path: Path) -> Any:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{path} is no Python file")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _by_name(name: str) -> Any:
    """A module found from the working directory, as `python -m` would."""
    here = str(Path.cwd())
    sys.path.insert(0, here)
    try:
        return importlib.import_module(name)
    finally:
        sys.path.remove(here)


def _unusable(text: str, reason: str) -> DiagnosticError:
    return DiagnosticError([make("PTO1865", reference=text, reason=reason)])
