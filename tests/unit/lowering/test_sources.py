"""Spans and texts that expand edits by: operands as they are written, and whole calls."""

from __future__ import annotations

from lowering_kernels import lower_body, source, statements

from ptopro.diagnostics import Span
from ptopro.lowering import ir

BODY = """
t = a.next()  # größer
pl.load(t, x, [n *
               2, 0])
pl.add(out=b.next(), lhs=t,
       rhs=b[0])
v = t[0:8, 0:64]
pl.muls(v, v, 2.0); t[0, 1] = t[0, 2] + 1
w = pl.getval(t, 3)
pl.setval(x, 0, w)
"""


def written(text: str, span: Span | None) -> str:
    assert span is not None
    lines = text.splitlines()[span.line - 1 : span.end_line]
    lines[-1] = lines[-1][: span.end_col - 1]
    lines[0] = lines[0][span.col - 1 :]
    return "\n".join(lines)


def test_operands_carry_their_text_and_place() -> None:
    kernel = lower_body(BODY)
    text = source(BODY)
    found = {}
    for stmt in statements(kernel.vector, ir.Operate):
        assert isinstance(stmt, ir.Operate)
        for use in stmt.operands:
            assert use.source is not None
            assert written(text, use.source.span) == use.source.text
            found[stmt.operation.name, use.name] = (use.source.text, use.pure)
    assert found["load", "dst_tile"] == ("t", True)
    assert found["load", "offsets"] == ("[n *\n                       2, 0]", True)
    assert found["add", "out"] == ("b.next()", False)
    assert found["add", "rhs"] == ("b[0]", True)
    assert found["muls", "out"] == ("v", True)
    assert found["setval", "container"] == ("x", True)


def test_calls_and_statements_have_their_spans() -> None:
    kernel = lower_body(BODY)
    text = source(BODY)
    calls = [written(text, s.call) for s in statements(kernel.vector, ir.Operate)]  # type: ignore[attr-defined]
    assert calls[1].startswith("pl.add(out=b.next()") and calls[1].endswith("rhs=b[0])")
    assert calls[3] == "t[0, 1] = t[0, 2] + 1"
    for stmt in statements(kernel.vector, ir.Stmt):
        assert written(text, stmt.span)


def test_elements_that_are_read_say_where() -> None:
    kernel = lower_body(BODY)
    text = source(BODY)
    reads = [
        node
        for stmt in statements(kernel.vector, ir.Stmt)
        for node in _reads(stmt)
    ]  # fmt: skip
    assert [written(text, r.source.span) for r in reads if r.source] == ["t", "t"]


def _reads(stmt: ir.Stmt) -> list[ir.ElementRead]:
    from ptopro.lowering.traversal import nodes_of

    return [n for n in nodes_of(stmt) if isinstance(n, ir.ElementRead)]


def test_declarations_have_the_span_of_the_whole_call() -> None:
    kernel = lower_body("pl.load(a.next(), x, [0, 0])")
    (group,) = statements(kernel.vector, ir.DeclareGroup)
    assert isinstance(group, ir.DeclareGroup)
    text = source("pl.load(a.next(), x, [0, 0])")
    assert written(text, group.decl.call) == "pl.make_tile_group(type=T, addrs=0x0000, mutex_ids=[0, 1])"
    assert written(text, group.decl.span).startswith("a = pl.make_tile_group(")
    assert group.decl.size == 32 * 64 * 4
