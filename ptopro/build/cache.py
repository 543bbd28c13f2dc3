"""A cache of build results, addressed by the content of what they were built from.

In: a key (a digest of everything that goes into the result) and a function that builds into an empty directory.
Out: the directory of the finished entry.  An entry appears by one rename, so an interrupted build leaves nothing that
looks like an entry; a lock per key makes concurrent builders wait for the first one; an entry whose files are not what
its manifest says is thrown away and built again.

    <cache>/<kind>/<key>/            the files of an entry and manifest.json: file -> size and digest
    <cache>/<kind>/.<key>.lock       held by the process that builds the entry
    <cache>/<kind>/.<key>.<random>/  where it is being built
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

from ptopro.build.files import explain_os_errors

MANIFEST = "manifest.json"
KINDS = (
    "runtime",
    "kernel",
    "translation",
    "generation",
    "interface",
    "compilers",
    "build",
    "logs",
    "objects",
    "graphs",
    "prelude",
)


def cache_root() -> Path:
    """PTOPRO_CACHE_DIR, else the user's cache folder of this system."""
    given = os.environ.get("PTOPRO_CACHE_DIR")
    if given:
        return Path(given)
    import platformdirs

    return Path(platformdirs.user_cache_dir("ptopro"))


def digest(parts: Iterable[str | bytes]) -> str:
    """A key from parts; each part's length is hashed too, so that no two lists of parts run together."""
    total = hashlib.sha256()
    for part in parts:
        data = part.encode() if isinstance(part, str) else part
        total.update(f"{len(data)}:".encode())
        total.update(data)
    return total.hexdigest()[:32]


def digest_of_files(root: Path, patterns: Iterable[str]) -> str:
    """The digest of the names and contents of the files below `root` that match."""
    found = sorted({path for pattern in patterns for path in root.rglob(pattern) if path.is_file()})
    parts: list[str | bytes] = []
    for path in found:
        parts += [path.relative_to(root).as_posix(), path.read_bytes()]
    return digest(parts)


def find(kind: str, key: str) -> Path | None:
    """The directory of a complete entry, else None."""
    entry = cache_root() / kind / key
    return entry if _is_whole(entry) else None


def find_or_build(kind: str, key: str, build: Callable[[Path], None]) -> Path:
    """The directory of the entry; `build(directory)` fills it when there is none, whatever it raises is passed on.

    Raises DiagnosticError PTO1902, PTO1903 when the cache folder cannot be written.
    """
    entry = cache_root() / kind / key
    if _is_whole(entry):
        return entry
    with explain_os_errors(entry.parent):
        entry.parent.mkdir(parents=True, exist_ok=True)
        with locked(entry.parent / f".{key}.lock"):
            if not _is_whole(entry):
                _build(entry, build)
    return entry


def replace(kind: str, key: str, files: Mapping[str, str]) -> Path:
    """Make the entry hold these files, whatever it held before."""
    entry = cache_root() / kind / key

    def build(work: Path) -> None:
        for name, text in files.items():
            (work / name).write_text(text)

    with explain_os_errors(entry.parent):
        entry.parent.mkdir(parents=True, exist_ok=True)
        with locked(entry.parent / f".{key}.lock"):
            _build(entry, build)
    return entry


def _build(entry: Path, build: Callable[[Path], None]) -> None:
    """Fill a fresh directory and rename it to `entry`.  The key's lock is held, so its other directories are dead."""
    for dead in entry.parent.glob(f".{entry.name}.*"):
        if dead.is_dir():
            shutil.rmtree(dead, ignore_errors=True)
    work = Path(tempfile.mkdtemp(dir=entry.parent, prefix=f".{entry.name}."))
    try:
        work.chmod(0o755)
        build(work)
        manifest = {path.name: _fingerprint(path) for path in sorted(work.iterdir()) if path.is_file()}
        (work / MANIFEST).write_text(json.dumps(manifest, indent=1))
        if entry.exists():
            shutil.rmtree(entry)
        work.rename(entry)
    except BaseException:
        shutil.rmtree(work, ignore_errors=True)
        raise


def _is_whole(entry: Path) -> bool:
    """Whether every file of the manifest is there, unchanged."""
    try:
        manifest = json.loads((entry / MANIFEST).read_text())
        return bool(manifest) and all(
            _fingerprint(entry / name) == fingerprint for name, fingerprint in manifest.items()
        )
    except (OSError, ValueError, AttributeError):
        return False


def _fingerprint(path: Path) -> list[object]:
    data = path.read_bytes()
    return [len(data), hashlib.sha256(data).hexdigest()[:32]]


@contextlib.contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold an exclusive lock on `path`; the system releases it when the process dies."""
    with path.open("a") as stream:
        fcntl.flock(stream, fcntl.LOCK_EX)
        try:
            yield
        finally:
            fcntl.flock(stream, fcntl.LOCK_UN)
