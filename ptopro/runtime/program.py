"""`ptopro run`: execute a host program with the device's modules served by ptopro.

In: a file, or a module's name, and its arguments.  Out: the exit code.  The program sees what it sees under Python
itself: `sys.argv`, `sys.path[0]`, `__main__`.  An exception of the program keeps its traceback, less ptopro's own
frames; a kernel's diagnostics are shown as diagnostics.
"""

from __future__ import annotations

import runpy
import sys
import traceback
import types
from collections.abc import Callable, Sequence
from pathlib import Path

from ptopro.diagnostics import DiagnosticError, make
from ptopro.runtime import served

# Own files that call, or act for, the program: an exception from there is the program's.
_HERE = Path(__file__).resolve().parent
_FOR_THE_PROGRAM = tuple(str(_HERE / name) for name in ("program.py", "torch_device.py", "served"))
_OWN = (str(Path(__file__).resolve().parent.parent), runpy.__file__, "<frozen runpy>", "<frozen importlib")


def run_file(path: str, arguments: Sequence[str]) -> object:
    """Execute a file as `__main__`.  Returns what it exits with; raises what it raises, and PTO1901 or PTO1904."""
    file = Path(path)
    try:
        source = file.read_bytes()
    except FileNotFoundError as error:
        raise DiagnosticError([make("PTO1901", path=path, hint="check the name and the folder")]) from error
    except OSError as error:
        raise DiagnosticError([make("PTO1904", path=path, reason=error.strerror or str(error))]) from error
    absolute = str(file.resolve())

    def execute() -> None:
        module = types.ModuleType("__main__")
        module.__dict__.update(__file__=absolute, __builtins__=__builtins__)
        sys.modules["__main__"] = module
        sys.argv[:] = [path, *arguments]
        sys.path[0] = str(Path(absolute).parent)
        exec(compile(source, absolute, "exec"), module.__dict__)

    return _run(execute)


def run_module(name: str, arguments: Sequence[str]) -> object:
    """Execute a module as `python -m` does.  Returns and raises as `run_file`, DiagnosticError PTO1910."""
    from importlib.util import find_spec

    def execute() -> None:
        sys.argv[:] = [name, *arguments]
        sys.path[0] = str(Path.cwd())
        try:
            found = find_spec(name)
        except (ImportError, ValueError) as error:
            raise DiagnosticError([make("PTO1910", name=name, reason=str(error))]) from error
        if found is None:
            raise DiagnosticError([make("PTO1910", name=name, reason="no file or package of that name is on the path")])
        runpy.run_module(name, run_name="__main__", alter_sys=True)

    return _run(execute)


def _run(execute: Callable[[], None]) -> object:
    """Execute with the served modules; the code of `sys.exit`, 0 at the end."""
    served.install()
    try:
        execute()
    except SystemExit as stop:
        return stop.code
    return 0


def exit_status(code: object) -> int:
    """The process's exit code for what a program passed to `sys.exit`; a text is printed, as Python does."""
    if code is None:
        return 0
    if isinstance(code, int):
        return code & 0xFF
    print(code, file=sys.stderr)
    return 1


def show_exception(error: BaseException, *, everything: bool = False) -> None:
    """Print an exception of the program as Python would, without ptopro's own frames unless `everything`."""
    trace = error.__traceback__
    if not everything:
        trace = _without_own_frames(trace)
    # The hook of Python shows the traceback that the exception carries.
    shown = error.with_traceback(trace)
    sys.excepthook(type(shown), shown, trace)


def is_internal(error: BaseException) -> bool:
    """Whether ptopro failed, not the program: the innermost frame is of a stage, not of what stands in for torch."""
    frames = traceback.extract_tb(error.__traceback__)
    return bool(frames) and _is_own(frames[-1].filename) and not frames[-1].filename.startswith(_FOR_THE_PROGRAM)


def _without_own_frames(trace: types.TracebackType | None) -> types.TracebackType | None:
    """The same traceback less the frames of ptopro."""
    kept = []
    while trace is not None:
        if not _is_own(trace.tb_frame.f_code.co_filename):
            kept.append(trace)
        trace = trace.tb_next
    result = None
    for each in reversed(kept):
        result = types.TracebackType(result, each.tb_frame, each.tb_lasti, each.tb_lineno)
    return result


def launch_site(error: BaseException) -> tuple[str, int] | None:
    """File and line of the program's innermost frame: where the launch that failed stands."""
    found = None
    for frame in traceback.extract_tb(error.__traceback__):
        if not _is_own(frame.filename) and frame.lineno is not None:
            found = (frame.filename, frame.lineno)
    return found


def _is_own(filename: str) -> bool:
    command_line = getattr(sys.modules.get("ptopro.cli"), "__path__", ())
    return filename.startswith((*_OWN, *command_line))
