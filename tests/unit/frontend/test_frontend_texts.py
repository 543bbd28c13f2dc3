"""Texts of all sorts are read, or refused with a diagnostic."""

from __future__ import annotations

import os

import pytest
from frontend_files import HEADER, KERNEL, clean, diagnostics, evaluate

from ptopro.diagnostics.core import Sink
from ptopro.frontend.source import load_module


def read(path, data: bytes):
    path.write_bytes(data)
    sink = Sink()
    return load_module(str(path), sink=sink), sink.diagnostics


@pytest.mark.parametrize(
    ("prefix", "encoding"),
    [
        (b"", "utf-8"),
        (b"\xef\xbb\xbf", "utf-8"),
        (b"# -*- coding: latin-1 -*-\n", "latin-1"),
        (b"#!/usr/bin/env python\n# vim: set fileencoding=gbk :\n", "gbk"),
    ],
)
def test_encodings(tmp_path, prefix, encoding):
    text = "名 = 1\n" if encoding in ("utf-8", "gbk") else "é = 1\n"
    module, found = read(tmp_path / "k.py", prefix + text.encode(encoding))
    assert found == []
    assert module.value(text[0]) == 1
    assert module.encoding == encoding and module.bom == prefix.startswith(b"\xef")
    assert not module.text.startswith("\ufeff")


@pytest.mark.parametrize(
    ("data", "code", "line"),
    [
        (b"x = 1\ny = '\xff'\n", "PTO1003", 2),
        (b"# coding: no-such\n", "PTO1003", 1),
        (b"# coding: rot13\n", "PTO1003", 1),
        (b"x = 1\nx = '\0'\n", "PTO1004", 2),
        ("x = 1\n".encode("utf-16"), "PTO1003", 1),
        (b"x = 1\n  y = 2\n", "PTO1005", 2),
        (b"f(1 + )\n", "PTO1005", 1),
        (b"x = " + b"(" * 500 + b")" * 500, "PTO1006", 1),
        (b"x = " + b"-" * 50_000 + b"1", "PTO1006", 1),
        (b"a = b\n" * 800_000, "PTO1007", None),
    ],
)
def test_texts_that_cannot_be_read(tmp_path, data, code, line):
    module, found = read(tmp_path / "k.py", data)
    assert [d.code for d in found] == [code]
    assert module.failed and module.kernels == ()
    assert (found[0].span.line if found[0].span else None) == line


def test_files_that_cannot_be_read(tmp_path):
    for path, code in ((tmp_path / "none.py", "PTO1001"), (tmp_path, "PTO1002"), ("/dev/null", "PTO1002")):
        sink = Sink()
        assert load_module(str(path), sink=sink).failed
        assert [d.code for d in sink.diagnostics] == [code]
        assert str(path) in sink.diagnostics[0].message


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_a_file_without_permission(tmp_path):
    path = tmp_path / "k.py"
    path.write_text("x = 1\n")
    path.chmod(0)
    sink = Sink()
    load_module(str(path), sink=sink)
    assert [d.code for d in sink.diagnostics] == ["PTO1002"]


def test_the_caret_of_a_syntax_error():
    (found,) = diagnostics("é = 1\ny = é )\n")
    assert (found.code, found.span.line, found.span.col) == ("PTO1005", 2, 7)


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_line_ends_tabs_and_form_feeds(newline):
    text = (HEADER + "\f\nN = 3\n" + KERNEL.replace("    ", "\t")).replace("\n", newline)
    sink = Sink()
    module = load_module("k.py", text, sink=sink)
    assert sink.diagnostics == []
    assert module.text == text
    kernel = module.kernel("k")
    assert module.lines[kernel.span.line - 1].startswith("def k(") and kernel.span.col == 5
    assert evaluate(kernel, "N") == 3


def test_columns_are_characters():
    module = clean(
        HEADER
        + "名前 = '値' ; 幅 = 64\n@pl.jit\ndef k(é: pl.Tensor[[幅, 4], pl.DT_FP16], 数: pl.DT_INT32):\n    pass\n"
    )
    first, second = module.kernel("k").parameters
    line = module.lines[first.span.line - 1]
    for parameter, annotation in ((first, "pl.Tensor[[幅, 4], pl.DT_FP16]"), (second, "pl.DT_INT32")):
        assert line[parameter.span.col - 1 : parameter.span.end_col - 1] == parameter.name
        span = parameter.annotation_span
        assert line[span.col - 1 : span.end_col - 1] == annotation


def test_invalid_escapes_warn_nobody(recwarn):
    clean("x = '\\d'\n")
    assert list(recwarn) == []
