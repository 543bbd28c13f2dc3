"""One JSON line per launch, or per launch that was refused, in the file that PTOPRO_LAUNCH_LOG names.

Profilers of the program see the same entries.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from typing import Any

from ptopro.diagnostics import DiagnosticError, make

observers: list[Callable[[dict[str, Any]], None]] = []


def record(kernel: str, file: str, block_dim: int, result: str, seconds: float) -> None:
    """Append a line.  result: "ok", what ended the run, or the diagnostic codes of a refusal."""
    entry = {"kernel": kernel, "file": file, "block_dim": block_dim, "result": result, "seconds": round(seconds, 6)}
    for observer in observers:
        observer(entry)
    path = os.environ.get("PTOPRO_LAUNCH_LOG")
    if not path:
        return
    line = json.dumps(entry)
    try:
        # One write of an append-mode descriptor, so that lines of several processes do not mix.
        handle = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o666)
        try:
            os.write(handle, (line + "\n").encode())
        finally:
            os.close(handle)
    except OSError as error:
        raise DiagnosticError([make("PTO1916", path=path, reason=error.strerror or str(error))]) from error
