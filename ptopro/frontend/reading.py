"""Read the text of a kernel file and parse it; whatever is wrong with it becomes a diagnostic."""

from __future__ import annotations

import ast
import codecs
import os
import re
import stat
import warnings
from dataclasses import dataclass

from ptopro.diagnostics.build import make
from ptopro.diagnostics.core import Diagnostic, Sink
from ptopro.diagnostics.span import Span

MAX_BYTES = 4 * 1024 * 1024
_CODING = re.compile(rb"^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")


@dataclass(frozen=True, slots=True)
class Text:
    """The text of a file: line ends as they are, without the byte order mark."""

    text: str
    encoding: str = "utf-8"
    bom: bool = False


def read_text(path: str, sink: Sink) -> Text | None:
    """The text of a file, or None after reporting why there is none."""
    data = _read_bytes(path, sink)
    if data is None:
        return None
    bom = data.startswith(codecs.BOM_UTF8)
    if bom:
        data = data[3:]
    encoding = "utf-8" if bom else _declared_encoding(data)
    try:
        if not codecs.lookup(encoding)._is_text_encoding:
            raise LookupError(encoding)
        text = data.decode(encoding)
    except LookupError:
        sink.add(make("PTO1003", Span(path, 1, 1, 1, 1), reason=f"its encoding '{encoding}' is unknown"))
        return None
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        column = error.start - data.rfind(b"\n", 0, error.start)
        at = Span(path, line, column, line, column + 1)
        reason = f"byte 0x{data[error.start]:02x} is not {encoding.upper()}"
        sink.add(make("PTO1003", at, reason=reason))
        return None
    return Text(text, encoding, bom)


def _read_bytes(path: str, sink: Sink) -> bytes | None:
    try:
        status = os.stat(path)  # noqa: PTH116
        if stat.S_ISDIR(status.st_mode):
            sink.add(make("PTO1002", None, path=path, reason="it is a folder"))
            return None
        if not stat.S_ISREG(status.st_mode):
            sink.add(make("PTO1002", None, path=path, reason="it is no regular file"))
            return None
        with open(path, "rb") as file:  # noqa: PTH123
            data = file.read(MAX_BYTES + 1)
    except FileNotFoundError:
        sink.add(make("PTO1001", None, path=path))
        return None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        sink.add(make("PTO1002", None, path=path, reason=reason[0].lower() + reason[1:]))
        return None
    if len(data) > MAX_BYTES:
        sink.add(make("PTO1007", None, path=path, limit=f"{MAX_BYTES // 1024 // 1024} MiB"))
        return None
    return data


def _declared_encoding(data: bytes) -> str:
    """The encoding that a comment in the first two lines declares."""
    for line in re.split(rb"\r\n|\r|\n", data[:4096])[:2]:
        match = _CODING.match(line)
        if match is not None:
            return match[1].decode("ascii")
        if line.strip() and not line.lstrip().startswith(b"#"):
            break
    return "utf-8"


def split_lines(text: str) -> list[str]:
    """The lines as the parser counts them: form feeds and other separators end no line."""
    return re.split(r"\r\n|\r|\n", text)


def parse(path: str, text: str, lines: list[str], sink: Sink) -> ast.Module | None:
    """The syntax tree, or None after reporting why there is none."""
    nul = text.find("\0")
    if nul >= 0:
        line = len(split_lines(text[:nul]))
        sink.add(make("PTO1004", Span(path, line, 1, line, 2)))
        return None
    if len(text) > MAX_BYTES:
        sink.add(make("PTO1007", None, path=path, limit=f"{MAX_BYTES // 1024 // 1024} MiB"))
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # invalid escapes are the affair of the author's linter
            return ast.parse(text, filename=path)
    except SyntaxError as error:
        sink.add(_syntax_error(path, error, lines))
    except (RecursionError, MemoryError):
        sink.add(make("PTO1006", Span(path, 1, 1, 1, 1)))
    except UnicodeEncodeError:
        sink.add(make("PTO1003", Span(path, 1, 1, 1, 1), reason="it holds half a surrogate pair"))
    except ValueError as error:
        sink.add(make("PTO1005", Span(path, 1, 1, 1, 1), reason=str(error)))
    return None


def _syntax_error(path: str, error: SyntaxError, lines: list[str]) -> Diagnostic:
    line = min(max(error.lineno or 1, 1), max(len(lines), 1))
    column = max(error.offset or 1, 1)
    end_line = error.end_lineno or line
    end = error.end_offset or 0
    if end_line != line or end <= column:
        end_line, end = line, column + 1
    reason = error.msg or "invalid syntax"
    if "too many nested" in reason or "nested too deep" in reason:
        return make("PTO1006", Span(path, line, column, end_line, end))
    return make("PTO1005", Span(path, line, column, end_line, end), reason=reason)
