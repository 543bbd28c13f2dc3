"""The compile leaf of operator projects: one call compiles an operator for one choice of element types.

In: what the toolkit's operator compiler passes to a leaf: the kernel file, the function's name, `op_info` with the
kernel's name, and compile options whose -DORIG_DTYPE_<PARAMETER>=DT_... say the element types.  Out, in `kernel_meta`
of the current folder: `<kernel>.o`, `<kernel>.json`, the object of each key and half; the JSON's path is left in the
toolkit's context.  Everything that is wrong is raised as a DiagnosticError; no object is put there then.
"""

from __future__ import annotations

import importlib
import json
import os
import shutil
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ptopro.diagnostics import Diagnostic, DiagnosticError, Severity, Sink, make

if TYPE_CHECKING:
    from ptopro.cli.options import Session
    from ptopro.frontend.kernels import KernelSource

__all__ = ["pypto_compile_op"]

ARCH = "PYPTO_JIT_ARCH"
KERNEL_META = "kernel_meta"
# The framework's names of element types -> the language's, both without DT_.
DTYPES = {
    "FLOAT16": "FP16", "FLOAT": "FP32", "BF16": "BF16", "BOOL": "BOOL", "HIFLOAT8": "HF8",
    **{f"{sign}INT{bits}": f"{sign}INT{bits}" for sign in ("", "U") for bits in (8, 16, 32, 64)},
    "FLOAT8_E4M3FN": "FP8E4M3FN", "FLOAT8_E5M2": "FP8E5M2", "FLOAT8_E8M0": "FP8E8M0",
    "FLOAT4_E2M1": "FP4E2M1", "FLOAT4_E1M2": "FP4E1M2", "FP4_E2M1": "FP4E2M1", "FP4_E1M2": "FP4E1M2",
}  # fmt: skip
_MACRO = "ORIG_DTYPE_"


def pypto_compile_op(
    cce_file: str,
    origin_func_name: str,
    op_info: Any,
    compile_options: Sequence[str] | None = None,
    code_channel: Any = None,
    op_compile_option: Any = None,
    extend_options: Mapping[str, Any] | None = None,
) -> str:
    """Compile the operator; the path of its JSON.

    cce_file: the kernel file; origin_func_name: the kernel's function; op_info: `kernel_name` names the results.
    extend_options may hold `customized_tiling_key_list`, the packed keys to compile; code_channel and
    op_compile_option, which steer the toolkit's own code generation, change nothing.  Raises DiagnosticError.
    """
    from ptopro.release.names import checked_operator

    name = checked_operator(str(_fact(op_info, "kernel_name") or origin_func_name))
    context = _context()
    kernel = _kernel(cce_file, origin_func_name)
    dtypes = _dtypes(kernel, compile_options or ())
    keys = _keys(kernel, origin_func_name, {**_additions(context), **(extend_options or {})})
    meta = Path.cwd() / KERNEL_META
    work = meta / f"{name}_sources"
    _build(cce_file, name, str(_fact(op_info, "op_type") or ""), work, dtypes, keys)
    made = work / name / KERNEL_META
    _check_types(made / f"{name}.json", kernel)
    for path in sorted(made.iterdir()):
        _put(path, meta / path.name)
    result = str((meta / f"{name}.json").resolve())
    if context is not None:
        context.add_build_res("json_file_path", result)
    return result


def _fact(op_info: Any, name: str) -> Any:
    return op_info.get(name) if isinstance(op_info, Mapping) else getattr(op_info, name, None)


def _kernel(path: str, operator: str) -> KernelSource:
    """The file's kernel, if it keeps the contract of operators."""
    from ptopro.frontend.source import load_module
    from ptopro.release.linter import lint

    if not Path(path).is_file():
        raise DiagnosticError([make("PTO2031", operator=operator, problem=f"there is no file {path}")])
    sink = Sink()
    module = load_module(path, sink=sink)
    if not sink.has_errors:
        sink.extend(lint(module, operator))
    sink.raise_if_errors()
    return module.kernels[0]


def _dtypes(kernel: KernelSource, options: Iterable[str]) -> dict[str, str]:
    """The element type of each variable of `datatype=`, from the options; of an option given twice the first counts."""
    given: dict[str, str] = {}
    for option in options:
        name, equals, value = option.removeprefix("-D").partition("=")
        if option.startswith("-D") and name.startswith(_MACRO) and equals:
            given.setdefault(name.removeprefix(_MACRO).lower(), value)
    found: dict[str, str] = {}
    first: dict[str, str] = {}
    span = kernel.options.spans.get("datatype")
    for parameter, variable in (kernel.options.datatype or {}).items():
        macro = f"{_MACRO}{parameter.upper()}"
        if parameter.lower() not in given:
            raise DiagnosticError([make("PTO2028", span, name=parameter, macro=macro)])
        value = given[parameter.lower()]
        dtype = DTYPES.get(value.removeprefix("DT_"))
        if dtype is None:
            allowed = ", ".join(f"DT_{known}" for known in DTYPES)
            raise DiagnosticError([make("PTO2029", span, macro=macro, given=value, allowed=allowed)])
        if found.setdefault(variable, dtype) != dtype:
            names = f"{first[variable]} and {parameter}"
            told = f"DT_{found[variable]} and DT_{dtype}"
            raise DiagnosticError([make("PTO2030", span, names=names, variable=variable, given=told)])
        first.setdefault(variable, parameter)
    return found


def _keys(kernel: KernelSource, operator: str, options: Mapping[str, Any]) -> tuple[int, ...]:
    """The packed keys that the build asks for; empty: all."""
    from ptopro.frontend.keys import key_schema, valid_keys

    asked = options.get("customized_tiling_key_list") or options.get("tiling_key") or ()
    wanted = tuple(int(key) for key in ([asked] if isinstance(asked, (int, str)) else asked))
    sink = Sink()
    schema = key_schema(kernel)
    assert schema is not None  # the linter's
    valid = {key.packed for key in valid_keys(schema, sink)}
    sink.raise_if_errors()
    unknown = [key for key in wanted if key not in valid]
    if unknown:
        problem = f"{', '.join(map(str, unknown))} is no valid key of `{schema.name}`"
        raise DiagnosticError([make("PTO2031", operator=operator, problem=problem)])
    return wanted


def _build(
    path: str, name: str, op_type: str, work: Path, dtypes: Mapping[str, str], keys: tuple[int, ...]
) -> None:  # fmt: skip
    """Release the kernel under its name into `work`.  Raises DiagnosticError with everything that was wrong."""
    from ptopro.cli.graphs import GraphOptions
    from ptopro.cli.launch_values import LaunchValues
    from ptopro.cli.options import Session
    from ptopro.cli.release import ReleaseOptions, release

    reporter = _collector()
    session: Session = Session(
        files=(path,),
        build_dir=work,
        kernels=(),
        arch=os.environ.get(ARCH) or "a5",
        mutex="auto",
        coalesce=True,
        depfile=False,
        reporter=reporter,
        launch=LaunchValues(dtypes=tuple(dtypes.items()), packed=keys),
    )
    release(session, ReleaseOptions(name, op_type, "auto", False, None, 0), GraphOptions(os.cpu_count() or 1, None, ""))
    errors = [d for d in reporter.found if d.severity is Severity.ERROR]
    if errors:
        raise DiagnosticError(errors)


def _collector() -> Any:
    from ptopro.cli.output import Reporter

    class Collector(Reporter):
        """Keeps diagnostics instead of showing them: the caller is a program."""

        def __init__(self) -> None:
            super().__init__(quiet=True)
            self.found: list[Diagnostic] = []

        def show(self, diagnostics: Iterable[Diagnostic]) -> None:
            new = list(diagnostics)
            self.shown += len(new)
            self.found += new

    return Collector()


def _check_types(manifest: Path, kernel: KernelSource) -> None:
    """Raises DiagnosticError PTO2027 when the keys do not all run on the same kinds of cores."""
    from ptopro.release.linter import kernel_type
    from ptopro.release.names import CORES

    cores: dict[str, set[str]] = {}
    for item in json.loads(manifest.read_text())["objects"]:
        cores.setdefault(f"key {item['key']}", set()).add(item["core"])
    halves = {key: tuple(core for core, word in CORES.items() if word in own) for key, own in cores.items()}
    kernel_type(halves, kernel.span)


def _put(source: Path, target: Path) -> None:
    """Copy by way of a file beside the target: what reads the target meanwhile sees the old or the new one."""
    beside = target.with_name(f".{target.name}.{os.getpid()}")
    shutil.copyfile(source, beside)
    beside.replace(target)


def _context() -> Any:
    """The toolkit's context of the operator that is compiled; None where the toolkit's package is not installed."""
    for package in ("asc_op_compile_base.common.context", "tbe.common.context"):
        try:
            return importlib.import_module(package).get_context()
        except ImportError:
            continue
    return None


def _additions(context: Any) -> dict[str, Any]:
    found = context.get_addition("tiling_key") if context is not None else None
    return {"tiling_key": found} if found else {}
