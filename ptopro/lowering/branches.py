"""Branches, assertions, sections and returns.

A condition that is known at compile time leaves no trace: the branch that is not taken is not looked at.  The ends of
run-time branches meet again through `environment.merge`.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from ptopro.diagnostics import Span
from ptopro.frontend.values import LanguageName
from ptopro.lowering import ir, scalars
from ptopro.lowering.environment import Edge, draft, merge
from ptopro.lowering.values import Known, Unknown

if TYPE_CHECKING:
    from ptopro.lowering.context import Frame


def branch(frame: Frame, node: ast.If) -> None:
    test = scalars.truth(frame, frame.value(node.test), node.test)
    span = frame.span(node)
    if isinstance(test, bool):
        folded = frame.lowering.folded
        folded[span] = test if folded.get(span, test) is test else None
        frame.run(node.body if test else node.orelse)
        return
    then = frame.inner(frame.env, lambda: frame.run(node.body))
    other = frame.inner(frame.env, lambda: frame.run(node.orelse))
    frame.stmt_span = span
    join_branches(frame, test, then, other, span, frame.span(node.test))


def join_branches(frame: Frame, test: ir.Expr | None, then: Edge, other: Edge, span: Span, at: Span) -> None:
    """Emit the `If` of two lowered branches and go on with what holds after it."""
    alive = [
        (edge, text)
        for edge, text in ((then, "when the condition holds"), (other, "when the condition does not hold"))
        if not edge.ended
    ]
    if alive:
        frame.env = merge(frame, [edge for edge, _ in alive], at, [text for _, text in alive])
    else:
        frame.terminated = True
    if test is not None:  # None: the condition has been reported
        frame.emit(ir.If(span, test, draft(then.block), draft(other.block)))


def assertion(frame: Frame, node: ast.Assert) -> None:
    """`assert`: on constants now, else `pl.pto_assert`."""
    test = scalars.truth(frame, frame.value(node.test), node.test)
    if test is None or test is True:
        return
    if test is False:
        message = ""
        if node.msg is not None:
            text = frame.value(node.msg)
            message = f": {text.value}" if isinstance(text, Known) else ""
        frame.report("PTO1054", node.test, text=frame.text(node.test), message=message)
        return
    from ptopro.lowering.operations import emit_assert

    emit_assert(frame, node, test)


# --------------------------------------------------------------------------------------------------------------------
# Sections


SECTIONS = {"section_cube": "cube", "section_vector": "vector", "section_vf": "registers"}


def section(frame: Frame, node: ast.With) -> None:
    if len(node.items) != 1 or node.items[0].optional_vars is not None:
        frame.report("PTO1052", node.items[-1].context_expr)
        return
    context = node.items[0].context_expr
    core = section_core(frame, context)
    if core is None:
        return
    if core == "registers":
        from ptopro.lowering.vector_functions import register_section

        register_section(frame, node)
        return
    number = frame.lowering.section_number(frame.span(node))
    if frame.section is not None:
        frame.report("PTO1053", context, outer=frame.section, inner=core)
        return
    span = frame.span(node)
    if core != frame.lowering.core:
        if frame.lowering.target.serial:
            frame.emit(ir.SectionBegin(span, core, number))
            frame.emit(ir.SectionEnd(span, core, number))
        return
    frame.section = core
    frame.emit(ir.SectionBegin(span, core, number))
    frame.run(node.body)
    frame.section = None
    if not frame.terminated:
        frame.emit(ir.SectionEnd(span, core, number))


def section_core(frame: Frame, context: ast.expr) -> str | None:
    """What executes a section: "cube", "vector", or "registers" of the vector core; None after a report."""
    if isinstance(context, ast.Call):
        callee = frame.value(context.func)
        if isinstance(callee, Unknown):
            return None
        if isinstance(callee, Known) and isinstance(callee.value, LanguageName):
            core = SECTIONS.get(callee.value.name)
            if core is not None:
                if context.args or context.keywords:
                    frame.report("PTO1055", context, name=callee.value.name)
                return core
    frame.report("PTO1052", context)
    return None


def return_(frame: Frame, node: ast.Return) -> None:
    """The values are put into the statement when all returns of the function are known (see `functions`)."""
    value = Known(None) if node.value is None else frame.value(node.value)
    frame.emit(ir.Return(frame.stmt_span))
    frame.returns.append((Edge(dict(frame.env), frame.block), value, frame.span(node)))
    frame.terminated = True


def pass_(frame: Frame, node: ast.Pass) -> None:
    """Nothing."""
