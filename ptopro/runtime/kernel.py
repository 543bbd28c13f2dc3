"""The object that `@pl.jit` makes of a function: a kernel that a host program launches.

In: `kernel(args)`, `kernel[block_dim](args)`, `kernel[stream, block_dim](args)`, and with a tiling key and a dtype map
as further parts.  Out: results in the arrays that were passed.  The function itself is never called: its text is read,
transpiled with the live values of the names it uses, built, and run on the simulated machine.
"""

from __future__ import annotations

import functools
import inspect
import os
import threading
import time
import types
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from ptopro.diagnostics import DiagnosticError, make
from ptopro.runtime import launch_log
from ptopro.runtime.configuration import Configuration, configuration_of, default_configuration, packed_key
from ptopro.runtime.errors import LaunchError
from ptopro.runtime.fingerprint import fingerprint

DEFAULT_ARCH = "a5"
_P = ParamSpec("_P")
_T = TypeVar("_T")


def _from_the_program(method: Callable[_P, _T]) -> Callable[_P, _T]:
    """Diagnostics that leave the method lose its frames: those of the program say where, ours would only hide them."""

    @functools.wraps(method)
    def called(*args: _P.args, **kwargs: _P.kwargs) -> _T:
        __tracebackhide__ = True  # of pytest
        try:
            return method(*args, **kwargs)
        except DiagnosticError as error:
            raise error.with_traceback(None) from None

    return called


class JitKernel:
    """A launchable kernel.  Options are those of `pl.jit`; `last_report` is what the latest launch did."""

    def __init__(self, function: types.FunctionType, **options: Any) -> None:
        functools.update_wrapper(self, function)
        self.function = function
        self.options: Mapping[str, Any] = options
        self.last_report: Any = None
        self._lock = threading.RLock()
        self._interfaces: dict[str, Any] = {}
        self._compiled_by_signature: dict[Any, Any] = {}  # programs for the device count its entries

    @property
    def name(self) -> str:
        return str(self.options.get("name") or self.function.__name__)

    def __repr__(self) -> str:
        return f"<kernel {self.name}>"

    @_from_the_program
    def __getitem__(self, item: object) -> Callable[..., None]:
        """The launch configuration in brackets, checked at once.  Raises LaunchError PTO1810 to PTO1813."""
        with self._logged(0):
            configuration = configuration_of(self.name, item, self._key_class, self.options.get("datatype"))
        return functools.partial(self._launch, configuration)

    @_from_the_program
    def __call__(self, *args: Any, **kwargs: Any) -> None:
        """Launch one block."""
        with self._logged(0):
            configuration = default_configuration(self.name, self._key_class, self.options.get("datatype"))
        self._launch(configuration, *args, **kwargs)

    @property
    def _kernel_def_by_static_signature(self) -> dict[str, Any]:
        """What programs for the device clear together with the compiled variants, to start anew."""
        return self._interfaces

    @property
    def _key_class(self) -> Any:
        return self.options.get("tiling_key")

    def _logged(self, block_dim: int) -> _Refusals:
        return _Refusals(self.name, self.function.__code__.co_filename, block_dim)

    @_from_the_program
    def _launch(self, configuration: Configuration, /, *args: Any, **kwargs: Any) -> None:
        """Check, compile if needed, run.

        Raises LaunchError (arguments), KernelError (the kernel), SimulatorError (the run), all DiagnosticErrors.
        """
        from ptopro.runtime.arguments import bind, check_outputs
        from ptopro.runtime.translation import interface_for

        with self._logged(configuration.block_dim) as log:
            if not self.options.get("launchable", True):
                raise LaunchError(
                    [make("PTO1818", kernel=self.name, reason="it is made by @pl.kernel, not by @pl.jit")]
                )
            with self._lock:
                mark = fingerprint(self.function, self.options)
                if mark not in self._interfaces:
                    self._interfaces[mark] = interface_for(self.function, self.options, mark)
                bound = bind(self._interfaces[mark], args, kwargs, self._defaults())
                compiled, options = self._specialise(mark, configuration, bound)
            check_outputs(bound, compiled.written)
            self.last_report = _run(self.name, compiled, configuration.block_dim, bound, options)
            log.seconds = self.last_report.seconds

    def _specialise(self, mark: str, configuration: Configuration, bound: Any) -> tuple[Any, Any]:
        """The compiled variant for these arguments, and how the machine runs it."""
        from ptopro.runtime.translation import Variant, compile_variant
        from ptopro.simulator.machine import LaunchOptions

        chip = self.options.get("arch") or os.environ.get("PTOPRO_ARCH") or DEFAULT_ARCH
        options = LaunchOptions.from_environment(DEFAULT_ARCH if chip == "auto" else chip)
        variant = Variant(
            chip=options.chip,
            static_dims=bound.static_dims,
            key=configuration.key,
            packed=packed_key(self._key_class, configuration.key) if self._key_class is not None else None,
            dtypes=configuration.dtypes,
            serial=options.mode == "serial",
            preload=_preload(self.options.get("pipeline")),
        )
        found = (mark, *variant.words(), options.counts_blocks)
        if found not in self._compiled_by_signature:
            folder = _folder(self.function, self.name, variant.folder)
            self._compiled_by_signature[found] = compile_variant(
                self.function, self.options, mark, variant, folder, options.counts_blocks
            )
        return self._compiled_by_signature[found], options

    def _defaults(self) -> dict[str, Any]:
        """Python's defaults of the function's parameters."""
        return {
            name: parameter.default
            for name, parameter in inspect.signature(self.function).parameters.items()
            if parameter.default is not parameter.empty
        }


def _preload(pipeline: object) -> str:
    """PTOPRO_PRELOAD, for a kernel with a pipeline.  Raises LaunchError PTO1913 for what is no preload."""
    text = os.environ.get("PTOPRO_PRELOAD", "").replace(" ", "")
    if not text or pipeline is None:
        return ""
    from ptopro.expand.model import read_preload

    try:
        read_preload(text)
    except ValueError:
        raise LaunchError(
            [make("PTO1913", variable="PTOPRO_PRELOAD", value=text, allowed="a number, or one for each loop: 1,2")]
        ) from None
    return text


class _Refusals:
    """Writes the line of the launch log: what came of the body, and how long the machine ran."""

    def __init__(self, kernel: str, file: str, block_dim: int) -> None:
        self.where = (kernel, file, block_dim)
        self.seconds = 0.0
        self.start = time.monotonic()

    def __enter__(self) -> _Refusals:
        return self

    def __exit__(self, kind: Any, error: BaseException | None, trace: Any) -> None:
        if isinstance(error, DiagnosticError):
            launch_log.record(*self.where, ",".join(d.code for d in error.diagnostics), time.monotonic() - self.start)
        elif error is None and self.where[2]:
            launch_log.record(*self.where, "ok", self.seconds)


def _run(name: str, compiled: Any, block_dim: int, bound: Any, options: Any) -> Any:
    """Lay out the arguments, run the machine, raise what ended the run."""
    from ptopro.runtime.arguments import lay_out
    from ptopro.runtime.errors import SimulatorError
    from ptopro.simulator.machine import Tensor, diagnostics_of, launch

    pointers, alive = lay_out(bound, compiled.dynamic)
    tensors = [
        Tensor(view.address, view.nbytes, argument, not view.read_only)
        for argument, view in bound.views.items()
        if view is not None
    ]
    report = launch(compiled.library, compiled.entry, block_dim, pointers, tensors, options)
    del alive
    if report.code != "ok":
        raise SimulatorError(diagnostics_of(name, report))
    return report


def _folder(function: types.FunctionType, name: str, variant: str) -> Path:
    """Where the files of a variant go: PTOPRO_BUILD_DIR or the user's cache, the same layout as `ptopro build`.

    A function made by another one gets a folder for each of its closures.
    """
    from ptopro.build import cache

    file = Path(function.__code__.co_filename)
    stem = file.stem.strip("<>") or "program"
    given = os.environ.get("PTOPRO_BUILD_DIR")
    root = Path(given) / stem if given else cache.cache_root() / "build" / f"{stem}-{cache.digest([str(file)])[:8]}"
    folder = root / name
    if function.__closure__:
        folder /= f"closure_{fingerprint(function, {})[:8]}"
    return folder / variant if variant else folder
