"""Write files so that nothing half-written is ever seen, and nothing equal is ever touched.

In: a path and a text (or bytes).  Out: whether the file changed; the directory is made, the content is written beside
it and renamed into place.  Whatever the operating system refuses is a `DiagnosticError` in the user's terms.
"""

from __future__ import annotations

import contextlib
import errno
import os
import time
from collections.abc import Iterator
from pathlib import Path

from ptopro.diagnostics import Diagnostic, DiagnosticError, make

# What the system says when there is no room: the disk, the quota, or the process's file size limit.
_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


def write_if_changed(path: str | os.PathLike[str], text: str | bytes) -> bool:
    """Make `path` hold `text`; True when it had to be written.  An equal file keeps its modification time.

    Raises DiagnosticError: PTO1902 no room, PTO1903 not allowed or not possible.
    """
    path = Path(path)
    data = text.encode() if isinstance(text, str) else text
    with explain_os_errors(path):
        try:
            if path.stat().st_size == len(data) and path.read_bytes() == data:
                return False
        except FileNotFoundError:
            path.parent.mkdir(parents=True, exist_ok=True)
        replace_with(path, data)
    return True


def replace_with(path: Path, data: bytes) -> None:
    """Write `data` beside `path` and rename it there; on any failure the old file stays and no other is left."""
    # Not the tempfile module: its imports cost more than a small command.
    fresh = path.with_name(f".{path.name}.{os.getpid()}-{time.monotonic_ns():x}")
    handle = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
        fresh.replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            fresh.unlink()
        raise


@contextlib.contextmanager
def explain_os_errors(path: str | os.PathLike[str]) -> Iterator[None]:
    """Turn an OSError of the body into the diagnostic for writing at `path`."""
    try:
        yield
    except OSError as error:
        raise DiagnosticError([_diagnostic(os.fspath(path), error)]) from error


def _diagnostic(path: str, error: OSError) -> Diagnostic:
    """The diagnostic of a failed write."""
    if error.errno in _NO_ROOM:
        return make("PTO1902", path=path, reason=os.strerror(error.errno or 0))
    return make("PTO1903", path=path, reason=error.strerror or str(error))
